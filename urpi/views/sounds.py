"""What is heard of a change: a motif by name and a sentence. Pure, as the pictures are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Fault,
    Moved,
    Passed,
    Question,
    Roll,
    RollRefused,
    Starts,
    TakenBack,
    ThrowForStart,
    Warned,
    Won,
)
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Side
from urpi.words import Words

THROW: Final = "throw"
TURN: Final = "turn"
WARNING: Final = "warning"
WINNER: Final = "winner"

_MOTIFS: Final[Mapping[type[Decision], str]] = MappingProxyType(
    {
        Won: WINNER,
        Drawn: TURN,
        Abandoned: TURN,
        Warned: WARNING,
        RollRefused: WARNING,
        Question: WARNING,
        Fault: WARNING,
        Roll: THROW,
        Starts: TURN,
        ThrowForStart: TURN,
        Moved: TURN,
        Passed: TURN,
        TakenBack: TURN,
    }
)
"""The motif of every decision that is heard. Of several, the one that stands first is."""
_THROWING: Final = (Phase.THROW, Phase.START_THROW)


@dataclass(frozen=True, slots=True)
class Sound:
    """A motif's name, and what is spoken with it; empty where there is nothing to say."""

    motif: str
    text: str


def sound(snapshot: Snapshot, decisions: Iterable[Decision], words: Words) -> Sound | None:
    """What is heard when those decisions have led to that snapshot, None when nothing is."""
    heard = [decision for decision in decisions if type(decision) in _MOTIFS]
    if not heard:
        return None
    first = min(heard, key=lambda decision: list(_MOTIFS).index(type(decision)))
    said = _said(snapshot, first, words)
    if isinstance(first, Roll):
        said = " ".join([said, _turn(snapshot, words)] if _passed(heard) else [said])
    return Sound(_MOTIFS[type(first)], said)


def _passed(heard: Iterable[Decision]) -> bool:
    return any(isinstance(decision, Passed) for decision in heard)


def _said(snapshot: Snapshot, decision: Decision, words: Words) -> str:
    match decision:
        case Won(side=side, code=code):
            name = _player(snapshot, side, words)
            return f"{name} {words.text('wins!')} {words.say(code, {'side': side.value})}"
        case Drawn(code=code) | Abandoned(code=code):
            return f"{words.text('No winner')}. {words.say(code)}"
        case Warned(text=text):
            return text
        case RollRefused(side=side, code=code, dice=dice):
            return words.say(code, {"side": side.value, "dice": ", ".join(map(str, dice))})
        case Fault(device=device, code=code):
            return words.say(code, {"device": device})
        case Roll(side=side, value=value):
            name = _player(snapshot, side, words)
            return words.text("{name} throws {value}.").format(name=name, value=value)
        case Question():
            return ""
        case _:
            return _turn(snapshot, words)


def _turn(snapshot: Snapshot, words: Words) -> str:
    if snapshot.side is None or snapshot.phase not in _THROWING:
        return ""
    name = _player(snapshot, snapshot.side, words)
    return words.text("{name} to throw").format(name=name)


def _player(snapshot: Snapshot, side: Side, words: Words) -> str:
    return snapshot.name(side) or words.side(side)
