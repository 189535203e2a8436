"""The legal moves of every piece with a throw, and the reasons why others are not legal.

Each piece is tried on every square and off the board with the functions of the rule set. This
module implements no rule itself.
"""

from dataclasses import dataclass
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
from urpi.rules.position import column

TARGETS: Final = (*ALL_SQUARES, OFF)


@dataclass(frozen=True, slots=True)
class RefusedTargets:
    """Squares to which a piece may not move, with a common reason.

    Attributes:
        refusal: the reason.
        targets: the squares.
        reached: whether the throw reaches the squares, and only what stands there prevents the
            move. For other squares the reason disregards what stands there.
    """

    refusal: Refusal
    targets: tuple[Square, ...]
    reached: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal moves of the top piece of a square, or of one in hand, and the refused targets."""

    origin: Square
    legal: tuple[str, ...]
    refused: tuple[RefusedTargets, ...]


def choices_of(position: Position, throw: Throw) -> tuple[Choices, ...]:
    """Return the choices of each piece of the side to move, those in hand first."""
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
        # If the move is refused even onto an empty square, the throw does not reach it.
        unreached = _try(_emptied(position, target), throw, origin, target)
        reason = unreached or refusal
        found.setdefault((unreached is not None, reason.code), []).append((reason, target))
    refused = tuple(
        RefusedTargets(group[0][0], tuple(target for _, target in group), not unreached)
        for (unreached, _code), group in sorted(
            found.items(), key=lambda item: (item[0][0], item[1][0][0].rank)
        )
    )
    return Choices(origin, tuple(legal), refused)


def _try(position: Position, throw: Throw, origin: Square, target: Square) -> Refusal | None:
    return position.rules.refusal(position, throw, move_of(Part(origin, (Stop(target),))))


def _emptied(position: Position, square: Square) -> Position:
    """Return the position with an empty square, to test whether a throw reaches it."""
    if square == OFF or not position.board[square]:
        return position
    return position._replace(state=position.state & ~column(square))


def pass_refusal(position: Position, throw: Throw) -> Refusal | None:
    """Return why the turn does not pass with a throw, None if it does."""
    return position.rules.refusal(position, throw, PASS)
