"""The Ravensburger game 602 5 265 3 (RULES.md 7): towers, prisoners, and red pieces' retreat.

The side that owns the top piece of a pile may move it. A moving group is the top piece and, if
its owner chooses so, the unbroken run of the opponent's pieces directly below it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from urpi.rules.board import ALL_SQUARES, P14, SQUARE_NAMES, Pile, Side, Square, mirror, owner
from urpi.rules.dice import ONE_D6, Throw
from urpi.rules.impossible import ImpossiblePositionError, UnreachableError
from urpi.rules.move_cache import Cache, Movers, moved, movers_of
from urpi.rules.moves import HAND, OFF, Move, Part, simple_move
from urpi.rules.options import Option
from urpi.rules.position import (
    BOARD_BIT,
    DIGITS,
    NONE_IN_HAND,
    PLANE_BITS,
    Position,
    column,
    in_hand,
    off_board,
    on_top,
    pile_of,
)
from urpi.rules.refusals import Refusal, RefusalCode, details_of
from urpi.rules.ruleset import RuleSet, Starter

FIRST_COMMON: Final = 4
REFUGE: Final = 12
GOAL: Final = 13
"""Places on a side's path, from 0: B1, the farthest retreat of red pieces; A8; A7."""
HOME_HOLDS: Final = 5
"""Maximum number of a side's own pieces on its refuge, and on its goal."""
_COLUMNS: Final = tuple(column(square) for square in ALL_SQUARES)
_FULL: Final = 1 << 33, 1 << 34
"""Bits that a state leaves free (`urpi.rules.position`): a side's refuge is full, and its goal."""
_new: Final = tuple.__new__


class Way(NamedTuple):
    """One side's path with the places of its squares, and the letters of both sides' pieces."""

    side: Side
    path: tuple[Square, ...]
    place_of: Mapping[Square, int]
    own: str
    enemy: str
    alive: int
    """The bits of a state of which one is set while the side has a piece in hand or on top."""
    homes: tuple[int, int]
    """The bits of the side's own pieces on its refuge, and on its goal."""

    def has_room(self, board: tuple[Pile, ...], place: int) -> bool:
        """Return whether a place has room for another own piece."""
        if place < REFUGE:
            return True
        pile = board[self.path[place]]
        return sum(pile.count(piece) for piece in self.own) < HOME_HOLDS

    def prisoners(self, pile: Pile) -> int:
        """Return the number of the opponent's pieces directly below the top piece."""
        below = pile[:-1]
        return len(below) - len(below.rstrip(self.enemy))


def _way(side: Side, path: tuple[Square, ...]) -> Way:
    places = {square: place for place, square in enumerate(path)}
    own, enemy = (s.letter + s.letter.lower() for s in (side, side.other))
    alive = in_hand(side, NONE_IN_HAND + 1)
    for square in ALL_SQUARES:
        alive |= on_top(square, own[0]) | on_top(square, own[1])
    either = int(DIGITS[own[0]]) | int(DIGITS[own[1]])
    homes = column(path[REFUGE]) // 15 * either, column(path[GOAL]) // 15 * either
    return Way(side, path, places, own, enemy, alive, homes)


class Ravensburger(RuleSet):
    """One d6 and ten two-faced pieces; a side wins by capturing everything."""

    id = "ravensburger"
    section = 7
    known_options: ClassVar[tuple[Option, ...]] = ()
    starter = Starter.MORE
    piles = True
    two_faced = True
    win_code = "captured"
    dice = ONE_D6
    pieces = 10

    def __init__(self, chosen: Mapping[str, str]) -> None:
        super().__init__(chosen)
        dark = tuple(mirror(square) for square in P14)
        self._ways = _way(Side.LIGHT, P14), _way(Side.DARK, dark)
        self._movers = tuple(
            tuple(self._movers_of(way, value) for value in range(6)) for way in self._ways
        )

    def start_rank(self, throw: Throw) -> int:
        """Return the rank of a throw for the start; a six is the highest."""
        return int(throw.faces)

    def path(self, side: Side) -> tuple[Square, ...]:
        return self._ways[side.number].path

    def legal_moves(self, position: Position, throw: Throw) -> tuple[Move, ...]:
        side = position.turn
        if side is None:
            return ()
        state, homes = position.state, self._ways[side.number].homes
        if (state & (homes[0] | homes[1])).bit_count() >= HOME_HOLDS:
            for home, full in zip(homes, _FULL, strict=True):
                state |= full if (state & home).bit_count() >= HOME_HOLDS else 0
        return moved(self._movers[side.number][throw.value], state)

    def _movers_of(self, way: Way, value: int) -> Movers[Move]:
        """Return the legal moves, one cache for each origin, in the order of the text."""
        if value == 0:
            return ()
        pieces = {HAND: in_hand(way.side, NONE_IN_HAND + 1)}
        for square in sorted(way.path):
            pieces[square] = on_top(square, way.own[0]) | on_top(square, way.own[1])
        return movers_of((pieces[origin], self._cache(way, origin, value)) for origin in pieces)

    def _cache(self, way: Way, origin: Square, value: int) -> Cache[Move]:
        place = way.place_of.get(origin, -1)
        mask = column(origin, last=1) if origin != HAND else 0
        for target in (place + value, place - value):
            if 0 <= target < REFUGE:
                mask |= column(way.path[target], last=0)
            elif REFUGE <= target <= GOAL:
                # Nothing is captured there.
                mask |= _FULL[target - REFUGE]

        def find(state: int) -> tuple[Move, ...]:
            board = Position(self, state, way.side).board
            if origin == HAND:
                # Always legal: the first five squares have no limit and are barred to no own piece.
                return (_move(way, board, HAND, value - 1),)
            return tuple(sorted(_moves_from(way, board, place, value)))

        return Cache(mask, find)

    def play(self, position: Position, throw: Throw, move: Move) -> Position:  # noqa: ARG002
        side, state = position.turn, position.state
        assert side is not None
        if not move.parts:
            return Position(self, state, side.other)
        ((origin, stops, prisoners),) = move.parts
        way, target, size = self._ways[side.number], stops[0][0], 1
        if origin == HAND:
            state -= in_hand(side)
            group = on_top(target, side.letter)
        else:
            pile = state & _COLUMNS[origin]
            if prisoners:
                size += way.prisoners(pile_of(state, origin))
            group = pile & (1 << BOARD_BIT + PLANE_BITS * size) - 1
            state ^= pile ^ (pile ^ group) >> PLANE_BITS * size
            group = group >> 4 * origin << 4 * target
        if target == way.path[GOAL]:
            # The prisoners leave the game; the own piece turns red.
            state += off_board(side.other, size - 1)
            group, size = on_top(target, way.own[1]), 1
        below = state & _COLUMNS[target]
        if below:
            state ^= below ^ below << PLANE_BITS * size
        turn = side.other if state & self._ways[side.other.number].alive else None
        return _new(Position, (self, state | group, turn))

    def winner(self, position: Position) -> Side | None:
        """Return the side whose opponent has no piece in hand and none on top of a pile."""
        for way in self._ways:
            if not position.state & way.alive:
                return way.side.other
        return None

    def _reasons(
        self, position: Position, side: Side, throw: Throw, move: Move
    ) -> Iterable[Refusal]:
        way = self._ways[side.number]
        for part in move.parts:
            code = _refuse_piece(position, way, part.origin)
            if code is None:
                yield from _refuse_part(position, way, throw, part)
            else:
                yield Refusal(code, details_of(throw, part))
        if len(move.parts) > 1 or len(move.parts[0].stops) > 1:
            yield Refusal("two-moves", details_of(throw, move.parts[0]))

    def check(self, position: Position) -> None:
        self._check_no_extra_throw(position)
        for side in Side:
            self._check_count(position, side)
        for way in self._ways:
            for place in (*range(FIRST_COMMON), REFUGE, GOAL):
                _check_outer(way, place, position.board[way.path[place]])
        if not any(position.hand) and not any(position.board):
            message = "In ravensburger there must be pieces in hand or on the board; found none."
            raise ImpossiblePositionError(message, "nobody-left")
        self._check_turn(position)

    def check_reachable(self, position: Position) -> None:
        """Check that the piece that led the last prisoners out is on the board, and red."""
        pieces = "".join(position.board)
        leaders = [side for side in Side if position.off[side.other.number]]
        if leaders and not any(side.letter.lower() in pieces for side in leaders):
            side = leaders[0]
            message = (
                f"In ravensburger {side.value}, which has led prisoners out of the game, must have "
                "a red piece on the board; found none."
            )
            raise UnreachableError(message, "no-red", side)


def _move(
    way: Way, board: tuple[Pile, ...], origin: Square, place: int, *, prisoners: bool = False
) -> Move:
    target = way.path[place]
    # A group that lands on the opponent's piece takes it prisoner, which records mark as a capture.
    captures = board[target][-1:] in way.enemy and board[target] != ""
    return simple_move(origin, target, captures=captures, prisoners=prisoners)


def _moves_from(way: Way, board: tuple[Pile, ...], place: int, value: int) -> Iterator[Move]:
    origin = way.path[place]
    held = way.prisoners(board[origin])
    # A prisoner left on the refuge would be a free piece on a square that is barred to it.
    may_leave = not held or place != REFUGE
    ahead, behind = place + value, place - value
    if ahead <= GOAL and way.has_room(board, ahead):
        if held:
            yield _move(way, board, origin, ahead, prisoners=True)
        if may_leave:
            yield _move(way, board, origin, ahead)
    red = board[origin][-1].islower()
    if red and may_leave and behind >= FIRST_COMMON and way.has_room(board, behind):
        yield _move(way, board, origin, behind)


def _refuse_piece(position: Position, way: Way, origin: Square) -> RefusalCode | None:
    if origin == HAND:
        return None if position.hand[way.side.number] else "extra-piece"
    holder = owner(position.board[origin])
    if holder is None:
        return "piece-missing"
    return None if holder is way.side else "not-your-piece"


def _refuse_part(position: Position, way: Way, throw: Throw, part: Part) -> Iterator[Refusal]:
    """Yield the reasons why the move of an own piece is illegal."""
    if part.target not in way.place_of:
        yield Refusal("off-path" if part.target == OFF else "barred", details_of(throw, part))
        return
    target = way.place_of[part.target]
    pile = "" if part.origin == HAND else position.board[part.origin]
    held = way.prisoners(pile)
    if part.prisoners and not held:
        yield Refusal("piece-missing", details_of(throw, part))
    if held and not part.prisoners and part.origin == way.path[REFUGE]:
        yield Refusal("barred", details_of(throw, part))
    if part.target != part.origin and not way.has_room(position.board, target):
        yield Refusal("camp-full", details_of(throw, part))
    went = target - (-1 if part.origin == HAND else way.place_of[part.origin])
    if went < 0 and (not pile[-1].islower() or part.prisoners or target < FIRST_COMMON):
        yield Refusal("backwards", details_of(throw, part, -went))
    elif abs(went) != throw.value or went == 0:
        yield Refusal("wrong-distance", details_of(throw, part, abs(went)))


def _check_outer(way: Way, place: int, pile: Pile) -> None:
    """Check the pile on one of a side's six outer squares."""
    name = SQUARE_NAMES[way.path[place]]
    square = f"In ravensburger {name}"
    if place == REFUGE:
        allowed, kind = way.own + way.enemy, "pieces"
        if owner(pile) is way.side.other:
            message = f"{square} is topped by {way.side.value}, whose refuge it is; found {pile!r}."
            raise ImpossiblePositionError(message, "top-piece", square=name, side=way.side.value)
    elif place == GOAL:
        allowed, kind = way.own[1], f"{way.side.value}'s red pieces"
    else:
        allowed, kind = way.own[0], f"{way.side.value}'s blue pieces"
    if pile.strip(allowed):
        message = f"{square} holds only {kind}; found {pile!r}."
        raise ImpossiblePositionError(message, "not-here", square=name)
    if place >= REFUGE and sum(pile.count(piece) for piece in way.own) > HOME_HOLDS:
        message = f"{square} holds at most {HOME_HOLDS} pieces of {way.side.value}'s; found more."
        raise ImpossiblePositionError(message, "pile-full", square=name, count=HOME_HOLDS)
