"""Refusals: the reasons why a move is illegal, with their codes."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from urpi.rules.board import SQUARE_NAMES
from urpi.rules.dice import Throw
from urpi.rules.moves import HAND, OFF, Part

Details: TypeAlias = Mapping[str, str | int]
"""The values inserted into a refusal's sentence: names of squares, distances in squares."""

RefusalCode: TypeAlias = Literal[
    "no-throw-yet",
    "not-your-turn",
    "not-your-piece",
    "two-moves",
    "captured-piece-left",
    "between-squares",
    "disturbed",
    "not-planned",
    "takebacks-off",
    "too-late",
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
    "wrong-piece",
    "must-move",
]
REFUSAL_CODES: Final[tuple[RefusalCode, ...]] = get_args(RefusalCode)
"""All codes; if several apply, the first one is reported."""

_RANK: Final = {code: rank for rank, code in enumerate(REFUSAL_CODES)}


class Refusal(NamedTuple):
    """The reason why a move is illegal: its code, and the details of its sentence."""

    code: RefusalCode
    details: Details = MappingProxyType({})

    @property
    def rank(self) -> int:
        """The index in `REFUSAL_CODES`; lower ones take precedence."""
        return _RANK[self.code]


def first_refusal(refusals: Iterable[Refusal]) -> Refusal | None:
    """Return the refusal to report if several apply, None if there is none."""
    return min(refusals, key=lambda refusal: refusal.rank, default=None)


def details_of(throw: Throw, part: Part, went: int | None = None) -> Details:
    """Return the details of a refused part; the hand and off are empty strings."""
    details: dict[str, str | int] = {
        "threw": throw.value,
        "origin": "" if part.origin == HAND else SQUARE_NAMES[part.origin],
        "target": "" if part.target == OFF else SQUARE_NAMES[part.target],
    }
    if went is not None:
        details["went"] = went
    return details
