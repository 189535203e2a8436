"""Throws: when a throw counts, die by die (DESIGN.md, How the referee knows a move).

A throw counts when every die of the set has tumbled and settled since the turn began. Until it is
complete, the newest face of a die replaces its older one, because dice knock each other; after
that, no report of a die changes it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from urpi.referee.facts import Die, ReportedState

KnownState: TypeAlias = Literal[ReportedState, "unknown"]


@dataclass(frozen=True, slots=True)
class DieState:
    """The known state of a die.

    Attributes:
        state: The last reported state except lost and found. The default is unknown, until the
            first report.
        face: The last face reported.
        counts: Whether that face is part of the running throw.
        t: Time of the report.
        refused: Whether its throw has been refused, so that it is not refused again.
        lost_at: When it became unavailable, None while it is available.
    """

    state: KnownState = "unknown"
    face: str | None = None
    counts: bool = False
    t: int = 0
    refused: bool = False
    lost_at: int | None = None

    @property
    def lost(self) -> bool:
        """Whether it is unavailable."""
        return self.lost_at is not None

    @property
    def lies(self) -> bool:
        """Whether it lies as a part of the running throw; it may have been picked up again."""
        return self.counts and self.state == "settled"


Dice: TypeAlias = Mapping[int, DieState]
_UNKNOWN: Final = DieState()


def state_of(dice: Dice, die: int) -> DieState:
    return dice.get(die, _UNKNOWN)


def after_report(dice: Dice, report: Die) -> Dice:
    """Return the dice after a report; a repeated report changes nothing.

    A settled die counts as thrown if it moved before, or shows another face than before: its
    rolling report may have been lost. The same face alone is no throw, because a restarted hub
    repeats the old faces. Nor is the first report of a die.
    """
    known = state_of(dice, report.die)
    if report.state in {"lost", "found"}:
        since = known.lost_at if known.lost else report.t
        return _with(
            dice, report.die, replace(known, lost_at=since if report.state == "lost" else None)
        )
    if report.state != "settled":
        # It may settle on the same face again: a nudge does not change the throw.
        moving = DieState(report.state, known.face, known.counts, report.t)
        return _with(dice, report.die, moving)
    # It lies as before, so nothing was thrown.
    if known.state == "settled" and known.face == report.face:
        return _with(dice, report.die, replace(known, lost_at=None))
    # A throw that was refused while the die rolled stays refused.
    refused = known.refused and known.state == "rolling"
    thrown = report.tumbled and known.state != "unknown" and not refused
    counts = thrown or (known.counts and known.face == report.face)
    return _with(dice, report.die, DieState("settled", report.face, counts, report.t, refused))


def new_turn(dice: Dice) -> Dice:
    """Return the dice at the start of a turn: none counts, and only rolling ones stay refused."""
    return {
        die: replace(state, counts=False, refused=state.refused and state.state == "rolling")
        for die, state in dice.items()
    }


def count(dice: Dice, die: int) -> Dice:
    """Return the dice with one counted for the turn that began when it settled."""
    return _with(dice, die, replace(state_of(dice, die), counts=True))


def refuse(dice: Dice, refused: Iterable[int]) -> Dice:
    """Return the dice with some of them marked as refused."""
    return {**dice, **{die: replace(state_of(dice, die), refused=True) for die in refused}}


def faces(dice: Dice, numbers: Iterable[int]) -> str | None:
    """Return the faces of the throw of these dice, None if it is incomplete."""
    shown = ""
    for die in numbers:
        state = state_of(dice, die)
        if not (state.lies and state.face):
            return None
        shown += state.face
    return shown


def cocked_due(dice: Dice, numbers: Iterable[int], wait_ms: int) -> int | None:
    """Return when the next leaning die must be refused, None if there is none."""
    times = [
        state.t + wait_ms
        for state in (state_of(dice, die) for die in numbers)
        if state.state == "cocked" and not state.refused
    ]
    return min(times, default=None)


def dead_due(dice: Dice, numbers: Iterable[int], wait_ms: int) -> int | None:
    """Return when the players must be asked for the faces of the dice not yet thrown.

    None while one of these dice is available, and if the throw is complete.
    """
    waiting = [state for state in (state_of(dice, die) for die in numbers) if not state.lies]
    since = [state.lost_at for state in waiting if state.lost_at is not None]
    return max(since) + wait_ms if waiting and len(since) == len(waiting) else None


def missing(dice: Dice, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the dice that the throw still needs, except leaning, refused and unavailable ones."""
    return tuple(
        die
        for die in numbers
        if not ((state := state_of(dice, die)).lies or state.refused or state.lost)
        and state.state != "cocked"
    )


def missing_due(dice: Dice, numbers: tuple[int, ...], wait_ms: int) -> int | None:
    """Return when the missing dice must be requested, `wait_ms` after the last other one settled.

    None before the first die has settled, while one is rolling, and if none is missing.
    """
    states = [state_of(dice, die) for die in numbers]
    settled_at = [state.t for state in states if state.lies]
    expected = missing(dice, numbers)
    rolling = any(s.state == "rolling" and not s.lost for s in states)
    if not settled_at or rolling or not expected:
        return None
    # A missing die may only have been nudged: it then reports how it lies, and gets as long.
    moved_at = [state_of(dice, die).t for die in expected]
    return max(settled_at + moved_at) + wait_ms


def _with(dice: Dice, die: int, state: DieState) -> Dice:
    return {**dice, die: state}
