"""Refusals: why an attempt is not legal, as a value. The codes of FORMATS.md, in their order."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from urpi.rules.board import SQUARE_NAMES
from urpi.rules.dice import Throw
from urpi.rules.moves import HAND, OFF, Part

Details: TypeAlias = Mapping[str, str | int]
"""The words that a refusal's sentence needs: squares by name, distances in squares."""

REFUSAL_CODES: Final = (
    "no-throw-yet",
    "not-your-turn",
    "not-your-piece",
    "two-moves",
    "captured-piece-left",
    "must-enter",
    "barred",
    "camp-held",
    "camp-full",
    "other-face",
    "safe-square",
    "own-piece-there",
    "inexact-exit",
    "wrong-distance",
    "backwards",
    "off-path",
    "extra-piece",
    "piece-missing",
    "must-move",
)
"""Every code; where several fit, the first of them is told (FORMATS.md, Event stream)."""

_RANK: Final = {code: rank for rank, code in enumerate(REFUSAL_CODES)}


class Refusal(NamedTuple):
    """Why something is not legal: one of `REFUSAL_CODES`, and what its sentence names."""

    code: str
    details: Details = MappingProxyType({})

    @property
    def rank(self) -> int:
        """The place in `REFUSAL_CODES`; a lower one is told first."""
        return _RANK[self.code]


def first_refusal(refusals: Iterable[Refusal]) -> Refusal | None:
    """The one to tell of several that fit, None when there is none."""
    return min(refusals, key=lambda refusal: refusal.rank, default=None)


def details_of(throw: Throw, part: Part, went: int | None = None) -> Details:
    """What a refusal of one piece's move names; empty where it is the hand, or off."""
    details: dict[str, str | int] = {
        "threw": throw.value,
        "origin": "" if part.origin == HAND else SQUARE_NAMES[part.origin],
        "target": "" if part.target == OFF else SQUARE_NAMES[part.target],
    }
    if went is not None:
        details["went"] = went
    return details
