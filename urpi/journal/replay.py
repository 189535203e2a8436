"""Replay: stored facts are decided again, and compared with the stored decisions."""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import zip_longest
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.referee import Settings, Timing, begin, step
from urpi.referee.decisions import Decision, Refused, Roll, Warned
from urpi.referee.facts import Fact
from urpi.referee.lines import decision_line, parse_decision, parse_fact

_BEFORE: Final = Timing(
    knock_ms=150,
    foresight_ms=600,
    rest_ms=150,
    flicker_ms=1500,
    flicker_edges=12,
    restless_ms=6000,
    restless_changes=14,
    calm_ms=10_000,
    unread_ms=0,
    unseen_factor=5,
    hover_ms=0,
    final_ms=0,
    win_ms=0,
    pending_ms=0,
)
"""The limits of games that do not store them: four waits did not exist, the others were fixed.

They are written out here because a new default must not change the replay of an old game.
"""
_MILLISECONDS: Final = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that differs from the stored one.

    Attributes:
        seq: The seq of the stored decision, or if none was stored, of the fact before it.
        stored: The stored decision's line, None if there is none.
        new: The new decision's line, None if there is none.
        throw: Number of stored throws before it.
    """

    seq: int
    stored: str | None
    new: str | None
    throw: int = 0

    def __str__(self) -> str:
        stored, new = self.stored or "nothing", self.new or "nothing"
        return f"Entry {self.seq}, after throw {self.throw}: then {stored}; now {new}."


@dataclass(frozen=True, slots=True)
class Replay:
    """The comparison of a game's stored decisions with new ones.

    Attributes:
        facts: Number of facts.
        decisions: Number of stored decisions.
        differences: The decisions that differ.
        unstored: Lines of decisions that the last facts cause and that were not stored, because
            the power failed between the two. They are not differences.
    """

    facts: int
    decisions: int
    differences: tuple[Difference, ...]
    unstored: tuple[str, ...] = ()


@dataclass(slots=True)
class _Run:
    """Consecutive facts, and the decisions stored after them."""

    facts: list[Entry]
    decisions: list[Entry]


def replay(entries: Iterable[Entry], process: Callable[[Fact], Iterable[Decision]]) -> Replay:
    """Decide a game's facts again and compare the decisions.

    The wording of warnings and refusals is not compared: it depends on the language and may
    change in a newer version.

    Args:
        entries: A game's entries, in their order.
        process: Returns the decisions on the next fact.

    Raises:
        UrpiError: If a stored line cannot be read; the message contains its `seq`.
    """
    runs = _runs(entries)
    differences: list[Difference] = []
    unstored: list[str] = []
    throws = 0
    for number, run in enumerate(runs, 1):
        new = [made for entry in run.facts for made in process(parse_fact(entry.line, entry.seq))]
        # The last facts may have been stored without their decisions, which are no difference then.
        if number == len(runs):
            unstored = [decision_line(made) for made in new[len(run.decisions) :]]
            new = new[: len(run.decisions)]
        for difference, stored in _compare(run, new):
            throws += isinstance(stored, Roll)
            if difference is not None:
                differences.append(replace(difference, throw=throws))
    facts = sum(len(run.facts) for run in runs)
    decisions = sum(len(run.decisions) for run in runs)
    return Replay(facts, decisions, tuple(differences), tuple(unstored))


def _runs(entries: Iterable[Entry]) -> list[_Run]:
    runs = [_Run([], [])]
    for entry in entries:
        if entry.kind == "decision":
            runs[-1].decisions.append(entry)
            continue
        if runs[-1].decisions:
            runs.append(_Run([], []))
        runs[-1].facts.append(entry)
    return runs


def _compare(run: _Run, new: list[Decision]) -> Iterator[tuple[Difference | None, Decision | None]]:
    """Yield each stored decision, None if it is missing, with its difference if it differs."""
    for entry, made in zip_longest(run.decisions, new):
        line = None if made is None else decision_line(made)
        if entry is None:
            yield Difference(run.facts[-1].seq, None, line), None
        elif entry.line == line:
            # Most lines are equal, and parsing one takes longer than deciding it.
            yield None, made
        else:
            stored = parse_decision(entry.line, entry.seq)
            same = made is not None and _without_text(stored) == _without_text(made)
            yield None if same else Difference(entry.seq, entry.line, line), stored


def _without_text(decision: Decision) -> Decision:
    return replace(decision, text="") if isinstance(decision, Warned | Refused) else decision


class ReplayReferee:
    """A referee with the waiting times of a stored game."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        """Begin with a game's stored settings.

        Raises:
            UrpiError: If one of the times is invalid.
        """
        # A replay does not compare the wording, so the referee needs no texts.
        self._state = begin(Settings(lambda _code, _details: "", timing=timing_of(settings)))

    def process(self, fact: Fact) -> tuple[Decision, ...]:
        """The decisions on the next fact."""
        self._state, decisions = step(self._state, fact)
        return decisions


def timing_settings(timing: Timing) -> dict[str, str]:
    """The referee's times as settings of a game, by name."""
    return {name: str(value) for name, value in asdict(timing).items()}


def timing_of(settings: Mapping[str, str]) -> Timing:
    """The times that a game was refereed with, from its settings.

    A time that is missing has the value that it had before it was stored with games.

    Raises:
        UrpiError: If one is not a number of milliseconds.
    """
    names = [field.name for field in fields(Timing) if field.name in settings]
    for name in names:
        if not _MILLISECONDS.fullmatch(settings[name]):
            found = reprlib.repr(settings[name])
            message = f"The game's setting {name} must be a whole number; found {found}."
            raise UrpiError(message)
    return replace(_BEFORE, **{name: int(settings[name]) for name in names})
