"""Replay: the stored facts are decided anew, and compared with what was decided then."""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import zip_longest
from typing import Final

from urpi.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.referee import Settings, Timing, begin, step
from urpi.referee.decisions import Decision, Refused, Roll, Warned
from urpi.referee.facts import Fact
from urpi.referee.lines import decision_line, parse_decision, parse_fact

_BEFORE: Final = Timing(hover_ms=0, win_ms=0, pending_ms=0)
"""How a game was refereed that names no such time: the version of then did not wait for these."""
_MILLISECONDS: Final = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that is not the one of then: the lines, None where there is none.

    `seq` is that of the stored decision, or where none was stored, of the fact before it;
    `throw` the throw of the game it came behind, as it was stored, 0 before the first.
    """

    seq: int
    stored: str | None
    new: str | None
    throw: int = 0

    def __str__(self) -> str:
        stored, new = self.stored or "nothing", self.new or "nothing"
        return f"Entry {self.seq}, behind throw {self.throw}: then {stored}; now {new}."


@dataclass(frozen=True, slots=True)
class Replay:
    """How many facts and decisions there were, and how they compare.

    `unstored` are the lines of decisions that the last facts cause and that were not stored:
    the power went between the two. They are no difference.
    """

    facts: int
    decisions: int
    differences: tuple[Difference, ...]
    unstored: tuple[str, ...] = ()


@dataclass(slots=True)
class _Run:
    """Facts stored one behind the other, and the decisions stored behind them."""

    facts: list[Entry]
    decisions: list[Entry]


def replay(entries: Iterable[Entry], play: Callable[[Fact], Iterable[Decision]]) -> Replay:
    """Play a game's facts again and compare the decisions.

    The wording of warnings and refusals is not compared: it belongs to a language and may
    be better in a newer version.

    Args:
        entries: a game's, in their order.
        play: takes the next fact, gives what is decided.

    Raises:
        UrpiError: when a stored line cannot be read; the message names its `seq`.
    """
    runs = _runs(entries)
    differences: list[Difference] = []
    unstored: list[str] = []
    throws = 0
    for number, run in enumerate(runs, 1):
        new = [made for entry in run.facts for made in play(parse_fact(entry.line, entry.seq))]
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
    """Each decision that was stored, None where one is missing, with how it differs."""
    for entry, made in zip_longest(run.decisions, new):
        line = None if made is None else decision_line(made)
        if entry is None:
            yield Difference(run.facts[-1].seq, None, line), None
        elif entry.line == line:
            # Most are the very same text, and reading it would cost more than deciding it.
            yield None, made
        else:
            stored = parse_decision(entry.line, entry.seq)
            same = made is not None and _judgement(stored) == _judgement(made)
            yield None if same else Difference(entry.seq, entry.line, line), stored


def _judgement(decision: Decision) -> Decision:
    return replace(decision, text="") if isinstance(decision, Warned | Refused) else decision


class Player:
    """A referee with the times of a game, that plays one fact after the other."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        """Begin with a game's stored settings.

        Raises:
            UrpiError: when one of its times is none.
        """
        # A replay compares decisions, not their wording: the referee needs no words.
        self._state = begin(Settings(say=lambda _code, _details: "", timing=timing_of(settings)))

    def play(self, fact: Fact) -> tuple[Decision, ...]:
        """What is decided on the next fact."""
        self._state, decisions = step(self._state, fact)
        return decisions


def timing_settings(timing: Timing) -> dict[str, str]:
    """The referee's times as the journal keeps them with a game, by name."""
    return {name: str(value) for name, value in asdict(timing).items()}


def timing_of(settings: Mapping[str, str]) -> Timing:
    """The times that a game was refereed with.

    One that it does not name is as it was before it could be named.

    Raises:
        UrpiError: when one is no number of milliseconds.
    """
    names = [field.name for field in fields(Timing) if field.name in settings]
    for name in names:
        if not _MILLISECONDS.fullmatch(settings[name]):
            found = reprlib.repr(settings[name])
            message = f"The game's setting {name} is a whole number of milliseconds; found {found}."
            raise UrpiError(message)
    return replace(_BEFORE, **{name: int(settings[name]) for name in names})
