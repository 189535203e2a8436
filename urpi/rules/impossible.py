"""Why a position is impossible, as a code with details that can be put in any language."""

from typing import Literal, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules.board import Side

UnreachableCode: TypeAlias = Literal["not-entered", "no-fort", "no-red"]
"""Why no game leads to a position that its rules allow."""
PositionCode: TypeAlias = Literal[
    "count",
    "not-here",
    "one-piece",
    "pile-full",
    "one-side",
    "top-piece",
    "nobody-left",
    "both-home",
    "stay",
    "turn",
    "extra-throw",
    "over",
    UnreachableCode,
]
"""Why no game can begin from a position. The sentences are in
`urpi.show.words.position_reasons`."""


class ImpossiblePositionError(UrpiError):
    """A position that contradicts its rules.

    Attributes:
        code: Why.
        details: The values in a sentence about it: names of squares, sides and numbers.
    """

    def __init__(self, message: str, code: PositionCode, **details: str | int) -> None:
        super().__init__(message)
        self.code: PositionCode = code
        self.details = details


class UnreachableError(ImpossiblePositionError):
    """A position to which no game leads.

    Attributes:
        problem: Why, as `code`.
        side: The side that the reason is about.
    """

    def __init__(self, message: str, code: UnreachableCode, side: Side) -> None:
        super().__init__(message, code, side=side.value)
        self.problem: UnreachableCode = code
        self.side = side
