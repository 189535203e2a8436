"""Throws: when a throw counts, die by die (DESIGN.md, How the referee knows a move).

A throw counts when every die of the set has tumbled and settled since the turn began. While
it is not complete the newest face of a die stands, because dice knock each other; once it
is, nothing that a die does changes it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from urpi.referee.facts import Die


@dataclass(frozen=True, slots=True)
class DieState:
    """What is known of a die.

    `state` is its last word (``unknown`` before the first), `face` what it last showed,
    `counts` whether that face is part of the running throw, `t` when it said so, `told`
    whether the players have been told that it does not count, `lost_at` since when nobody hears
    it, None while somebody does.
    """

    state: str = "unknown"
    face: str | None = None
    counts: bool = False
    t: int = 0
    told: bool = False
    lost_at: int | None = None

    @property
    def lost(self) -> bool:
        """Whether nobody hears it."""
        return self.lost_at is not None

    @property
    def lies(self) -> bool:
        """Whether it lies there as a part of the running throw; it may be picked up again."""
        return self.counts and self.state == "settled"


Dice: TypeAlias = Mapping[int, DieState]


def of(dice: Dice, die: int) -> DieState:
    """What is known of a die."""
    return dice.get(die, DieState())


def heard(dice: Dice, fact: Die) -> Dice:
    """The dice after one of them said something; a repeated report changes nothing.

    A report of a settled die counts as a throw when the die was seen to move, or shows
    another face than before: the word that it rolls may have been lost, but a hub that
    starts anew says the old faces again, and so does one that is heard for the first time.
    """
    was = of(dice, fact.die)
    if fact.state in {"lost", "found"}:
        since = was.lost_at if was.lost else fact.t
        return _with(dice, fact.die, replace(was, lost_at=since if fact.state == "lost" else None))
    if fact.state != "settled":
        return _with(dice, fact.die, DieState(fact.state, was.face, was.counts, fact.t))
    if was.state == "settled" and was.face == fact.face:
        return _with(dice, fact.die, replace(was, lost_at=None))
    thrown = fact.tumbled and was.state != "unknown"
    stands = thrown or (was.counts and was.face == fact.face)
    # A throw that was refused while it rolled stays refused.
    told = was.told and was.state == "rolling"
    return _with(dice, fact.die, DieState("settled", fact.face, stands, fact.t, told))


def is_news(before: Dice, after: Dice, die: int) -> bool:
    """Whether a die's report changed what is known of it."""
    return of(before, die) != of(after, die)


def new_turn(dice: Dice) -> Dice:
    """The dice when a turn begins: nothing counts yet."""
    return {die: replace(state, counts=False, told=False) for die, state in dice.items()}


def count(dice: Dice, die: int) -> Dice:
    """The dice with one that settled as the turn began counted for it."""
    return _with(dice, die, replace(of(dice, die), counts=True))


def tell(dice: Dice, told: Iterable[int]) -> Dice:
    """The dice after the players have been told of some of them."""
    result = dict(dice)
    for die in told:
        result[die] = replace(of(dice, die), told=True)
    return result


def faces(dice: Dice, throw_of: Iterable[int]) -> str | None:
    """The faces of a complete throw, None while a die is missing."""
    shown = ""
    for die in throw_of:
        state = of(dice, die)
        if not (state.lies and state.face):
            return None
        shown += state.face
    return shown


def cocked_due(dice: Dice, throw_of: Iterable[int], wait_ms: int) -> int | None:
    """When the next cocked die is to be refused."""
    times = [
        state.t + wait_ms
        for state in (of(dice, die) for die in throw_of)
        if state.state == "cocked" and not state.told
    ]
    return min(times, default=None)


def dead_due(dice: Dice, throw_of: Iterable[int], wait_ms: int) -> int | None:
    """When it is to be asked what the dice show that are still waited for: all have been dead long.

    None when one of them is alive, and when none is waited for.
    """
    waiting = [state for state in (of(dice, die) for die in throw_of) if not state.lies]
    since = [state.lost_at for state in waiting if state.lost_at is not None]
    return max(since) + wait_ms if waiting and len(since) == len(waiting) else None


def missing(dice: Dice, throw_of: Iterable[int]) -> tuple[int, ...]:
    """The dice that a running throw waits for, and nobody has been told of or knows to be dead."""
    return tuple(
        die
        for die in throw_of
        if not ((state := of(dice, die)).lies or state.told or state.lost)
        and state.state != "cocked"
    )


def missing_due(dice: Dice, throw_of: tuple[int, ...], wait_ms: int) -> int | None:
    """When missing dice are to be asked for: so long after the last other die settled.

    None when none has been thrown yet, when none is missing, or while one still rolls.
    """
    states = [of(dice, die) for die in throw_of]
    settled_at = [state.t for state in states if state.lies]
    waits_for = missing(dice, throw_of)
    rolling = any(s.state == "rolling" and not s.lost for s in states)
    if not settled_at or rolling or not waits_for:
        return None
    # One that is only nudged says at once how it lies.
    moved_at = [of(dice, die).t for die in waits_for]
    return max(settled_at + moved_at) + wait_ms


def _with(dice: Dice, die: int, state: DieState) -> Dice:
    return {**dice, die: state}
