"""Why a position is impossible, as a code with details that can be put in any language."""

from typing import Literal, TypeAlias

from urpi.core.errors import UrpiError

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
    "not-entered",
    "no-fort",
    "no-red",
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
