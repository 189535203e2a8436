"""What the lights below the squares show: a colour and a mode for each of the twenty. Pure.

The modes repeat what the colours say, so that nobody has to tell colours apart: steady is light's,
winking dark's, blinking means *take it off*, and dim is only information.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from urpi.referee.decisions import Moved, Won
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import (
    ALL_SQUARES,
    HAND,
    OFF,
    Move,
    Part,
    Position,
    Side,
    Square,
    Squares,
    each_square,
    owner,
    parse_move,
)


class Colour(Enum):
    """Whose the light is, or that a piece is to be taken off. The configuration has the colours."""

    LIGHT = "light"
    DARK = "dark"
    TAKE_OFF = "take-off"


class Mode(Enum):
    """How a light shines."""

    STEADY = "steady"
    WINKING = "winking"
    """On, with a short gap in every second."""
    BLINKING = "blinking"
    DIM = "dim"


class Light(NamedTuple):
    """A light that is on."""

    colour: Colour
    mode: Mode


Lights: TypeAlias = tuple[Light | None, ...]
"""The light of each square by its number, None if it is dark."""

ALL_DARK: Final[Lights] = (None,) * len(ALL_SQUARES)
TAKE_OFF: Final = Light(Colour.TAKE_OFF, Mode.BLINKING)
"""The piece on this square is to be taken off, or a lifted one may leave the board."""
PUT: Final = (Light(Colour.LIGHT, Mode.STEADY), Light(Colour.DARK, Mode.WINKING))
"""Light's or dark's piece is to be put on this square, or may be."""
LOOK: Final = (Light(Colour.LIGHT, Mode.DIM), Light(Colour.DARK, Mode.DIM))
"""Light's or dark's piece on this square may move, or the last move was here."""

_ORDER: Final = {Mode.DIM: 0, Mode.STEADY: 1, Mode.WINKING: 1, Mode.BLINKING: 2}
"""Of two lights for one square the one that asks for more is shown."""


def lights(snapshot: Snapshot) -> Lights:
    """Return the lights for a snapshot.

    As on the OLED, the end of the game precedes a question, that a wrong board, and that the phase.
    """
    if snapshot.outcome is not None:
        won = snapshot.outcome if isinstance(snapshot.outcome, Won) else None
        return ALL_DARK if won is None else (PUT[won.side.number],) * len(ALL_SQUARES)
    if snapshot.question is not None:
        return _mixed(_asked(snapshot))
    if snapshot.fill | snapshot.clear:
        return _mixed(_wrong(snapshot.fill, snapshot.clear, snapshot))
    if snapshot.phase is Phase.MOVE:
        return _mixed(_to_move(snapshot))
    return _mixed(_last_move(snapshot))


def _mixed(found: Iterable[tuple[Square, Light]]) -> Lights:
    lit: dict[Square, Light] = {}
    for square, light in found:
        if square not in lit or _ORDER[light.mode] > _ORDER[lit[square].mode]:
            lit[square] = light
    return tuple(lit.get(square) for square in ALL_SQUARES)


def _asked(snapshot: Snapshot) -> Iterator[tuple[Square, Light]]:
    """Yield the squares of the answer that is selected, if the answers are moves."""
    if snapshot.question is not None and snapshot.question.ask == "move" and snapshot.choices:
        move = snapshot.choices[snapshot.chosen]
        # Another answer is that nothing was moved yet.
        if move in snapshot.legal or move[:1] in set("+ABC"):
            yield from _made(move, snapshot.question.side)


def _wrong(fill: Squares, clear: Squares, snapshot: Snapshot) -> Iterator[tuple[Square, Light]]:
    """Yield the squares to clear, and those to fill by the side of the piece that belongs there."""
    for square in each_square(clear):
        yield square, TAKE_OFF
    for square in each_square(fill):
        side = owner(snapshot.position.board[square]) if snapshot.position is not None else None
        yield square, PUT[(side or snapshot.side or Side.LIGHT).number]


def _last_move(snapshot: Snapshot) -> Iterator[tuple[Square, Light]]:
    if isinstance(snapshot.acted, Moved):
        yield from _made(snapshot.acted.move, snapshot.acted.side)


def _made(move: str, side: Side) -> Iterator[tuple[Square, Light]]:
    for part in parse_move(move).parts:
        for square in (part.origin, part.target):
            if square in ALL_SQUARES:
                yield square, LOOK[side.number]


def _to_move(snapshot: Snapshot) -> Iterator[tuple[Square, Light]]:
    side, position = snapshot.side, snapshot.position
    if side is None or position is None:
        return
    advised = snapshot.planned or (snapshot.hint.move if snapshot.hint is not None else None)
    if snapshot.seems is not None:
        yield from _made(snapshot.seems, side)
    elif snapshot.thinking:
        yield from _last_move(snapshot)
    elif advised is not None:
        yield from _advised(parse_move(advised), side, snapshot)
    else:
        yield from _legal(tuple(map(parse_move, snapshot.legal)), side, position, snapshot)


def _advised(move: Move, side: Side, snapshot: Snapshot) -> Iterator[tuple[Square, Light]]:
    """Yield what is still to be done of the engine's or the other table's move, or of a hint."""
    for part in _left(move, snapshot):
        if part.origin != HAND and not snapshot.missing >> part.origin & 1:
            yield part.origin, TAKE_OFF
        for stop in part.stops[:-1]:
            if not snapshot.missing >> stop.square & 1:
                yield stop.square, TAKE_OFF
        if part.target != OFF:
            yield part.target, PUT[side.number]


def _legal(
    moves: tuple[Move, ...], side: Side, position: Position, snapshot: Snapshot
) -> Iterator[tuple[Square, Light]]:
    """Yield the pieces that may move, or where those that have been lifted may go.

    No switch shows that a piece was taken from beside the board or from a pile, so the targets of
    these are lit before.
    """
    lifted = snapshot.missing
    moves = tuple(move for move in moves if _may_follow(move, snapshot))
    if not moves:
        yield from _wrong(lifted, snapshot.extra, snapshot)
    for square in each_square(lifted | snapshot.extra if moves else 0):
        yield square, LOOK[(owner(position.board[square]) or side).number]
    parts = [part for move in moves for part in _left(move, snapshot)]
    held = [part for part in parts if part.origin != HAND and lifted >> part.origin & 1]
    for part in held or parts:
        is_seen = part.origin != HAND and len(position.board[part.origin]) == 1
        if part.origin != HAND and not lifted >> part.origin & 1:
            yield part.origin, LOOK[side.number]
        if part in held or not is_seen:
            yield (part.origin, TAKE_OFF) if part.target == OFF else (part.target, PUT[side.number])


def _may_follow(move: Move, snapshot: Snapshot) -> bool:
    """Return whether all that has been lifted and put down belongs to a move."""
    origins, targets = _squares(part.origin for part in move.parts), 0
    for part in move.parts:
        origins |= _squares(stop.square for stop in part.stops if stop.captures)
        targets |= _squares([part.target])
    return not snapshot.missing & ~origins and not snapshot.extra & ~targets


def _squares(numbers: Iterable[Square]) -> Squares:
    return sum({1 << number for number in numbers if number in ALL_SQUARES})


def _left(move: Move, snapshot: Snapshot) -> Iterator[Part]:
    """Yield the parts of a move that are not made yet, as far as the switches show."""
    for part in move.parts:
        is_put = part.target != OFF and snapshot.extra >> part.target & 1
        if not is_put and not (
            part.target == OFF and snapshot.missing >> part.origin & 1 and len(move.parts) > 1
        ):
            yield part
