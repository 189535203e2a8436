"""Illegal acts of simulated players, chosen so that no legal move looks like them."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple, TypeAlias

from urpi.referee.fields import faces, pole
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
    Stop,
    Throw,
    owner,
    squares_of,
)
from urpi.rules.board import ROSETTES
from urpi.rules.moves import move_of
from urpi.simulation.hands import Location


class Shift(NamedTuple):
    """The top piece of one place is moved to another."""

    origin: Location
    target: Location


Act: TypeAlias = tuple[Shift, ...]


@dataclass(frozen=True, slots=True)
class Deviation:
    """What the players do besides playing: an illegal act, or a correction of the board.

    `act` is the illegal act, empty for a correction. `codes` are the warnings that explain it.
    """

    act: Act = ()
    codes: frozenset[str] = frozenset()


_Kind: TypeAlias = Callable[[Random, Position, tuple[Move, ...]], Act]
_TRIES: Final = 12
MOVE_CHANGES: Final = 2
"""The number of squares that a move of one piece changes at most."""


def illegal_act(
    rng: Random, position: Position, legal: tuple[Move, ...], avoided: Collection[Squares]
) -> Act:
    """Return an illegal act that never leaves the board like one of some sets of occupied squares.

    Args:
        rng: Chooses the act.
        position: The position in which it is done.
        legal: The legal moves.
        avoided: The occupancies that the act must not show.

    Returns:
        The act, empty if none was found.
    """
    for _ in range(_TRIES):
        act = rng.choice(KINDS)(rng, position, legal)
        if act and not _looks_right(position, act, avoided) and not _touches(position, act, legal):
            return act
    return ()


def exchange(rng: Random, position: Position, legal: tuple[Move, ...], before: Position) -> Act:
    """Return an exchange of two pieces with different poles, or of one for another in reserve.

    Args:
        rng: Chooses the squares.
        position: The position in which it is done.
        legal: The legal moves.
        before: The position before the last move.

    Returns:
        The act, empty if the board could then look like that before or after a move.
    """
    single = {s: pile for s, pile in enumerate(faces(position)) if len(pile) == 1}
    own, others = ([s for s, piece in single.items() if piece == each.letter] for each in Side)
    acts: list[Act] = [
        (Shift(one, Side.LIGHT), Shift(other, one), Shift(Side.LIGHT, other))
        for one in own
        for other in others
    ]
    acts += [
        (Shift(square, Side.of_letter(piece)), Shift(side, square))
        for side in Side
        for square, piece in single.items()
        if position.hand[side.number] and pole(piece) is not side
    ]
    landings = {stop.square for move in legal for part in move.parts for stop in part.stops}
    lifted = {part.origin for move in legal for part in move.parts}
    changed = {s for s in ALL_SQUARES if position.board[s] != before.board[s]}
    acts = [
        act
        for act in acts
        if landings.union(lifted, changed).isdisjoint(place for shift in act for place in shift)
    ]
    return rng.choice(acts) if acts else ()


def moments(position: Position, act: Act) -> Iterator[Squares]:
    """Yield the occupied squares after each piece that the act lifts or puts down, in order."""
    heights = [len(pile) for pile in position.board]
    for shift in act:
        for place, change in zip(shift, (-1, 1), strict=True):
            if not isinstance(place, Side):
                heights[place] += change
            yield squares_of(square for square, height in enumerate(heights) if height)


def _looks_right(position: Position, act: Act, avoided: Collection[Squares]) -> bool:
    seen = list(moments(position, act))
    return seen[-1] == position.occupancy or not set(avoided).isdisjoint(seen)


def _touches(position: Position, act: Act, legal: tuple[Move, ...]) -> bool:
    """Return whether the act lifts a piece from the end of a move that keeps the occupied squares.

    Put back there, the piece would look like that move: one that enters and captures, or goes from
    one pile to another.
    """
    landings = {
        part.target
        for move in legal
        for part in move.parts
        if part.origin == HAND or len(position.board[part.origin]) > 1
    }
    return any(origin in landings for origin, _ in act if not isinstance(origin, Side))


def hides_capture(before: Position, after: Position, act: Act) -> bool:
    """Return whether an act hides the capture before it, if no switch has shown that.

    The capturing piece is lifted in place of the captured one, or another piece is put where it
    came from, so that it seems to be back and the other one to be in the same hand.
    """
    left = before.occupancy ^ after.occupancy
    if left & after.occupancy or left.bit_count() != 1:
        return False
    boards = enumerate(zip(before.board, after.board, strict=True))
    captured = {square for square, (one, other) in boards if one and owner(one) != owner(other)}
    at = left.bit_length() - 1
    captured.discard(at)
    return bool(captured) and any(s.origin in captured or s.target == at for s in act)


def right_codes(position: Position, throw: Throw | None, act: Act) -> frozenset[str]:
    """Return the codes of the warnings (FORMATS.md, Warning codes) that explain an act.

    These are the refusals of the act by the rules, and of everything else that the switches cannot
    distinguish from it: a piece that leaves a pile leaves the square occupied, just as one that
    enters.
    """
    if list(moments(position, act))[-1] == position.occupancy:
        return frozenset({"wrong-piece"})
    if throw is None:
        return _codes_before_the_throw(position, act)
    if len(act) == 2 and not isinstance(act[0].target, Side):
        return frozenset({"captured-piece-left"})
    origin, target = act[-1]
    if isinstance(target, Side):
        # The switches cannot distinguish a piece borne off from one in the hand.
        return frozenset({"piece-missing"}) | _refused(position, throw, origin, OFF)
    alike: set[Location] = {origin}
    if isinstance(origin, Side) or len(position.board[origin]) > 1:
        alike.add(_mover(position))
        alike.update(pile for pile in _piles(position) if pile != target)
    codes = frozenset[str]().union(*(_refused(position, throw, each, target) for each in alike))
    # No switch closes when it is put down on a pile.
    return codes | {"piece-missing"} if len(position.board[target]) > 1 else codes


def _codes_before_the_throw(position: Position, act: Act) -> frozenset[str]:
    codes = {"no-throw-yet"}
    squares = [origin for origin, _ in act if not isinstance(origin, Side)]
    if any(owner(position.board[square]) is not _mover(position) for square in squares):
        codes.add("not-your-turn")
    *_, left = moments(position, act)
    if (left ^ position.occupancy).bit_count() > MOVE_CHANGES:
        codes.add("disturbed")
    last = act[-1].target
    if isinstance(last, Side) or len(position.board[last]) > 1:
        codes.add("piece-missing")
    return frozenset(codes)


def codes_as_second_part(position: Position, throw: Throw, first: Move, act: Act) -> frozenset[str]:
    """Return the codes that explain an act as a part of the turn that `first` began.

    It may be the move of a second piece; an act with the piece of `first` is the rest of its way.
    """
    origin, target = act[-1]
    if isinstance(target, Side):
        return frozenset()
    begun = first.parts[-1]
    if origin == begun.target:
        move = move_of(*first.parts[:-1], Part(begun.origin, (Stop(target),)))
    else:
        part = Part(HAND if isinstance(origin, Side) else origin, (Stop(target),))
        move = move_of(*first.parts, part)
    refusal = position.rules.refusal(position, throw, move)
    return frozenset({refusal.code} if refusal else ())


def _refused(position: Position, throw: Throw, origin: Location, target: Square) -> frozenset[str]:
    place = HAND if isinstance(origin, Side) else origin
    refusal = position.rules.refusal(position, throw, move_of(Part(place, (Stop(target),))))
    # An entry farther than any throw reaches is an extra piece.
    also = {"extra-piece"} if place == HAND else set[str]()
    return frozenset(also | ({refusal.code} if refusal else set()))


def _piles(position: Position) -> list[Square]:
    return [square for square in ALL_SQUARES if len(position.board[square]) > 1]


def wrong_distance(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """Move an own piece to some empty square."""
    return _wander(rng, position, _topped(position, _mover(position)))


def enemys_piece(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """Move an enemy's piece."""
    return _wander(rng, position, _topped(position, _mover(position).other))


def extra_piece(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """Enter a piece on some empty square."""
    side = _mover(position)
    empty = _empty(position)
    return (Shift(side, rng.choice(empty)),) if position.hand[side.number] and empty else ()


def captured_piece_left(rng: Random, position: Position, legal: tuple[Move, ...]) -> Act:
    """Capture, but leave the captured piece on the board."""
    if position.rules.piles:
        return ()
    captures = [
        move.parts[0]
        for move in legal
        if len(move.parts) == len(move.parts[0].stops) == 1 and move.parts[0].stops[0].captures
    ]
    empty = _empty(position)
    if not captures or not empty:
        return ()
    part = rng.choice(captures)
    origin = _mover(position) if part.origin == HAND else part.origin
    return Shift(part.target, rng.choice(empty)), Shift(origin, part.target)


def onto_rosette(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """Capture an enemy's piece on a rosette."""
    side = _mover(position)
    own = _topped(position, side)
    enemies = [square for square in _topped(position, side.other) if square in ROSETTES]
    if not own or not enemies:
        return ()
    target = rng.choice(enemies)
    return Shift(target, side.other), Shift(rng.choice(own), target)


def bears_off_anywhere(rng: Random, position: Position, _legal: tuple[Move, ...]) -> Act:
    """Take an own piece off the board."""
    own = _topped(position, _mover(position))
    return (Shift(rng.choice(own), _mover(position)),) if own else ()


KINDS: Final[tuple[_Kind, ...]] = (
    wrong_distance,
    enemys_piece,
    extra_piece,
    captured_piece_left,
    onto_rosette,
    bears_off_anywhere,
)
"""All kinds of illegal acts."""


def _mover(position: Position) -> Side:
    assert position.turn is not None
    return position.turn


def _topped(position: Position, side: Side) -> list[Square]:
    return [square for square in ALL_SQUARES if owner(position.board[square]) is side]


def _empty(position: Position) -> list[Square]:
    return [square for square in ALL_SQUARES if not position.board[square]]


def _wander(rng: Random, position: Position, pieces: list[Square]) -> Act:
    empty = _empty(position)
    return (Shift(rng.choice(pieces), rng.choice(empty)),) if pieces and empty else ()
