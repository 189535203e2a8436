"""Reasons: what every piece of a side could do with a throw, and why not the rest.

Each piece is tried on every square and off the board, and the rules are asked; nothing here
knows a rule.
"""

from dataclasses import dataclass, replace
from typing import Final

from urpi.rules import (
    ALL_SQUARES,
    HAND,
    OFF,
    PASS,
    Part,
    Position,
    Refusal,
    Square,
    Stop,
    Throw,
    owner,
)
from urpi.rules.moves import move_of

TARGETS: Final = (*ALL_SQUARES, OFF)


@dataclass(frozen=True, slots=True)
class NotThere:
    """Why a piece may not go to some squares: the same refusal for all of `targets`.

    `reached`: the throw would take it there, were it not for what stands there. Elsewhere
    what stands there is left aside, since the piece does not come so far.
    """

    refusal: Refusal
    targets: tuple[Square, ...]
    reached: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """What the piece on top of a square, or one in the hand, may do, and why not the rest."""

    origin: Square
    legal: tuple[str, ...]
    refused: tuple[NotThere, ...]


def choices_of(position: Position, throw: Throw) -> tuple[Choices, ...]:
    """What each piece of the side on turn may do with a throw, the hand first."""
    side = position.turn
    if side is None:
        return ()
    origins = [square for square in ALL_SQUARES if owner(position.board[square]) is side]
    if position.hand[side.number]:
        origins.insert(0, HAND)
    return tuple(_choices(position, throw, origin) for origin in origins)


def _choices(position: Position, throw: Throw, origin: Square) -> Choices:
    legal = (
        move.text
        for move in position.rules.legal_moves(position, throw)
        if any(part.origin == origin for part in move.parts)
    )
    found: dict[tuple[bool, str], list[tuple[Refusal, Square]]] = {}
    for target in TARGETS:
        refusal = None if target == origin else _try(position, throw, origin, target)
        if refusal is None:
            continue
        beyond = _try(_emptied(position, target), throw, origin, target)
        told = beyond or refusal
        found.setdefault((beyond is not None, told.code), []).append((told, target))
    refused = tuple(
        NotThere(told[0][0], tuple(target for _, target in told), not unreached)
        for (unreached, _code), told in sorted(
            found.items(), key=lambda item: (item[0][0], item[1][0][0].rank)
        )
    )
    return Choices(origin, tuple(legal), refused)


def _try(position: Position, throw: Throw, origin: Square, target: Square) -> Refusal | None:
    return position.rules.refusal(position, throw, move_of(Part(origin, (Stop(target),))))


def _emptied(position: Position, square: Square) -> Position:
    """The position with nothing on that square: whether the throw reaches it at all."""
    if square == OFF or not position.board[square]:
        return position
    board = (*position.board[:square], "", *position.board[square + 1 :])
    return replace(position, board=board)


def why_not_pass(position: Position, throw: Throw) -> Refusal | None:
    """Why the turn does not pass with a throw, None when it does."""
    return position.rules.refusal(position, throw, PASS)
