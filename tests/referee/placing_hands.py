"""Hands that have a position in mind, and answer what the placing asks."""

from collections.abc import Iterator
from random import Random

from urpi.referee.placing import (
    AskBegin,
    AskHeight,
    AskOff,
    AskPiece,
    AskPiles,
    AskTurn,
    Placing,
    PlacingAsk,
)
from urpi.rules import Position, Side, Square, each_square
from urpi.rules.board import Pile

Press = tuple[Side, bool]
"""The button, and whether the press is long."""


def right_press(ask: PlacingAsk, shown: tuple[Pile, ...], wanted: Position) -> Press:
    """Return the press that leads towards the position; `shown` is the board on the display."""
    match ask:
        case AskPiece(square=square, place=place):
            piece = wanted.board[square][-place]
            return Side.of_letter(piece), piece.islower()
        case AskTurn():
            assert wanted.turn is not None
            return wanted.turn, wanted.extra_used
        case AskPiles(squares=squares, chosen=chosen):
            choices = (None, *squares)
            wrong = (each for each in squares if shown[each] != wanted.board[each])
            target = choices.index(next(wrong, None))
            return _steps(len(choices), choices.index(chosen), target)
        case AskHeight(square=square, height=height, most=most):
            return _steps(most, height - 1, len(wanted.board[square]) - 1)
        case AskOff(side=side, counts=counts, chosen=chosen):
            return _steps(len(counts), chosen, counts.index(wanted.off[side.number]))
        case AskBegin(position=position):
            # A short press asks the last questions again.
            return Side.LIGHT, position == wanted
    raise AssertionError(ask)


def _steps(places: int, now: int, target: int) -> Press:
    """Return the press on the shorter way round to a line of a list, or the one that selects it."""
    ahead = (target - now) % places
    if not ahead:
        return Side.LIGHT, True
    return (Side.LIGHT if 2 * ahead <= places else Side.DARK), False


def in_any_order(rng: Random, wanted: Position) -> Iterator[Square]:
    squares = list(each_square(wanted.occupancy))
    rng.shuffle(squares)
    yield from squares


def finish(placing: Placing, wanted: Position) -> tuple[Placing, dict[str, int]]:
    """Answer everything; return also the number of presses for each kind of question."""
    presses: dict[str, int] = {}
    while not (isinstance(placing.asks, AskBegin) and placing.asks.position == wanted):
        ask = placing.asks
        kind = type(ask).__name__
        if isinstance(ask, AskPiece) and ask.place > 1:
            kind = "AskPiece of a pile"
        side, long = right_press(ask, placing.board, wanted)
        placing = placing.pressed(side, long=long)
        presses[kind] = presses.get(kind, 0) + 1
        assert sum(presses.values()) < 400, ask
    return placing, presses
