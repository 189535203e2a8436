"""The move generator of `freecompany` (RULES.md 8): walks, two-piece turns and placements.

The effects of the moves are in `urpi.rules.freecompany`.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from urpi.rules.board import ALL_SQUARES, Side, Square
from urpi.rules.dice import Throw
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM
from urpi.rules.move_cache import Cache, Movers, T, moved, movers_of
from urpi.rules.moves import HAND, Move, Part, Stop, move_of, simple_move
from urpi.rules.position import (
    DIGITS,
    EMPTY,
    NONE_IN_HAND,
    column,
    digits_of,
    in_hand,
    on_top,
)

FARTHEST: Final = 3
"""Maximum number of steps of one piece in a move."""
_EARTH_MASTERED: Final = 1 << 33
"""A bit that a state leaves free (`urpi.rules.position`): the side to move holds Earth's forts."""
MASTERED: Final = frozenset({"gg", "ss"})
"""The meanings of the throws with which a side that holds Heaven's forts moves farther."""
_text: Final = itemgetter(0)
_OPEN: Final = {"gs": ROYAL_REALM, "ss": (ISHTAR,), "gg": (MARDUK,)}
"""The squares besides the Entrance where a throw allows placing, by its meaning."""


class CompanyStep:
    """The step of one piece to a neighbour. Steps are shared, and cache their two-piece turns."""

    __slots__ = ("captures", "move", "origin", "target", "turns")

    def __init__(self, origin: Square, target: Square, *, captures: bool) -> None:
        self.origin = origin
        self.target = target
        self.captures = captures
        self.move = simple_move(origin, target, captures=captures)
        self.turns = Turns(self.move)


class Turns(dict[CompanyStep, Move]):
    """The two-piece turns of a step followed by another one, added when they are first needed."""

    def __init__(self, first: Move) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, other: CompanyStep) -> Move:
        self[other] = move = move_of(*self._first.parts, *other.move.parts)
        return move


class Way(NamedTuple):
    """A way of one piece that visits no square twice, with the moves that end there."""

    target: Square
    plain: Move
    capture: Move
    further: "tuple[Way, ...]"
    """The same way with one more step, empty if no piece can go farther."""


class Graph:
    """The paths of the board: neighbours, distances, and all possible steps and ways."""

    def __init__(self, beside: tuple[tuple[Square, ...], ...]) -> None:
        self.beside = beside
        self.steps = tuple(
            {
                target: tuple(CompanyStep(origin, target, captures=c) for c in (False, True))
                for target in targets
            }
            for origin, targets in enumerate(beside)
        )
        """The steps by origin and target, each without and with a capture."""
        self.ways = tuple(self._ways((square,)) for square in ALL_SQUARES)
        """The ways of one step by origin."""
        self.distance = tuple(self._distances(square) for square in ALL_SQUARES)
        """The number of steps between any two squares."""

    def _ways(self, squares: tuple[Square, ...]) -> tuple[Way, ...]:
        """Return the ways with one more step, but not back nor in a circle (RULES.md 8)."""
        origin, square = squares[0], squares[-1]
        return tuple(
            Way(
                target,
                simple_move(origin, target),
                simple_move(origin, target, captures=True),
                self._ways((*squares, target)),
            )
            for target in self.beside[square]
            if len(squares) <= FARTHEST and target not in squares
        )

    def _distances(self, origin: Square) -> tuple[int, ...]:
        found = {origin: 0}
        edge = [origin]
        while edge:
            edge = [next_ for square in edge for next_ in self.beside[square] if next_ not in found]
            found |= dict.fromkeys(edge, 1 + max(found.values()))
        return tuple(found[square] for square in ALL_SQUARES)


class PieceMoves(NamedTuple):
    """What one piece may do with a throw of two.

    `moves` are those that it makes alone, and those in which another piece takes its place.
    """

    moves: tuple[Move, ...]
    steps: tuple[CompanyStep, ...]


class Field:
    """The board from the point of view of the side to move."""

    __slots__ = ("board", "enemy", "graph", "own")

    def __init__(self, graph: Graph, state: int, side: Side) -> None:
        self.graph = graph
        self.board = digits_of(state)
        """One digit for each square: `EMPTY`, `own` or `enemy`."""
        self.own = DIGITS[side.letter]
        self.enemy = DIGITS[side.other.letter]

    def masters(self, forts: tuple[Square, ...]) -> bool:
        """Return whether the side holds both forts of a world."""
        return all(self.board[fort] == self.own for fort in forts)

    def shielded(self, square: Square, taken: tuple[Stop, ...] = ()) -> bool:
        """Return whether Ishtar protects the opponent's piece on a square after some captures."""
        return (
            square in FORTS
            and self.board[ISHTAR] == self.enemy
            and all(stop.square != ISHTAR for stop in taken)
        )

    def reach(self, throw: Throw) -> int:
        """Return the maximum number of steps of one piece if it uses the whole throw."""
        return FARTHEST if throw.meaning in MASTERED and self.masters(HEAVEN) else throw.value

    def placements(self, *open_to: Square) -> Iterator[Move]:
        """Yield the moves that place a piece on the Entrance, or on other squares if empty."""
        for square in (ENTRANCE, *open_to):
            if self.board[square] == EMPTY:
                yield simple_move(HAND, square)
        # Not the opponent's only piece on the board (RULES.md 8).
        if self.board[ENTRANCE] == self.enemy and self.board.count(self.enemy) > 1:
            yield simple_move(HAND, ENTRANCE, captures=True)

    def placing(self, *open_to: Square) -> Iterator[PieceMoves]:
        """Yield the placements as what the pieces in hand may do with a throw of two."""
        yield PieceMoves(tuple(self.placements(*open_to)), ())

    def placements_beside(self, origin: Square, _reach: int) -> Iterator[Move]:
        """Yield the moves that place a piece beside another one."""
        for square in self.graph.beside[origin]:
            if self.board[square] == EMPTY:
                yield simple_move(HAND, square)

    def piece_moves(self, origin: Square, reach: int) -> Iterator[PieceMoves]:
        """Yield what the piece on a square may do with a throw of two, and a reach."""
        steps, beside = [], self.graph.beside[origin]
        for target, (plain, capture) in self.graph.steps[origin].items():
            there = self.board[target]
            if there == EMPTY:
                steps.append(plain)
            elif there == self.enemy and not self.shielded(target):
                steps.append(capture)
        followers = [
            self.graph.steps[b][origin][False] for b in beside if self.board[b] == self.own
        ]
        followed = [first.turns[second] for first in steps for second in followers]
        yield PieceMoves((*self.walks(origin, reach), *followed), tuple(steps))

    def walks(self, origin: Square, reach: int) -> list[Move]:
        """Return the moves of the piece on a square by one to `reach` steps, sorted by text."""
        # Several ways may be the same move.
        return sorted(set(self.walk(self.graph.ways[origin], reach)))

    def unprotected(self, first: CompanyStep) -> Iterator[Move]:
        """Yield two-piece turns that capture on a fort after the first step has captured Ishtar."""
        for fort in FORTS:
            for origin in self.graph.beside[fort] if self.board[fort] == self.enemy else ():
                if self.board[origin] == self.own and origin != first.origin:
                    yield first.turns[self.graph.steps[origin][fort][True]]

    def walk(
        self,
        ways: tuple[Way, ...],
        left: int,
        taken: tuple[Stop, ...] = (),
        *,
        passed_own: bool = False,
    ) -> Iterator[Move]:
        """Yield the moves of a piece that goes on along some ways by one to `left` steps.

        Args:
            ways: The ways on from where it is now.
            left: The number of steps that it may still make.
            taken: Its captures so far.
            passed_own: Whether it has passed an own piece.
        """
        for way in ways:
            there, taken_there = self.board[way.target], taken
            if there == EMPTY:
                yield _after(taken, way.plain) if taken else way.plain
            elif there == self.enemy:
                # Own pieces may be passed, but nothing may be captured behind them.
                if passed_own or self.shielded(way.target, taken):
                    continue
                yield _after(taken, way.capture) if taken else way.capture
                # With Earth mastered, captures do not stop the piece.
                if not self.masters(EARTH):
                    continue
                taken_there = (*taken, Stop(way.target, captures=True))
            if left > 1:
                passes = passed_own or there == self.own
                yield from self.walk(way.further, left - 1, taken_there, passed_own=passes)


def _after(taken: tuple[Stop, ...], move: Move) -> Move:
    """Return the move of a piece that has captured others on the way."""
    (part,) = move.parts
    return move_of(Part(part.origin, (*taken, *part.stops)))


class CompanyMoves:
    """The legal moves of one side."""

    def __init__(self, graph: Graph, side: Side) -> None:
        self._graph = graph
        self._side = side
        self._in_hand = in_hand(side, NONE_IN_HAND + 1)
        self._earth = sum(on_top(fort, side.letter) for fort in EARTH)
        self._heaven = sum(on_top(fort, side.letter) for fort in HEAVEN)
        self._ishtar = on_top(ISHTAR, side.other.letter)
        self._shielded = sum(on_top(fort, side.other.letter) for fort in FORTS)
        self._near_ishtar = sum(on_top(near, side.letter) for near in graph.beside[ISHTAR])
        placements = self._of_hand(Field.placements)
        self._none = movers_of([placements, *self._of_pieces(Field.placements_beside, 1)])
        self._one = movers_of([placements, *self._of_pieces(Field.walks, 1)])
        near, far = (self._of_pieces(Field.piece_moves, reach) for reach in (2, FARTHEST))
        self._two: dict[str, tuple[Movers[PieceMoves], Movers[PieceMoves]]] = {}
        """By the meaning of the throw, and whether Heaven is mastered."""
        for meaning, squares in _OPEN.items():
            hand = self._of_hand(Field.placing, *squares)
            mastered = far if meaning in MASTERED else near
            self._two[meaning] = movers_of([hand, *near]), movers_of([hand, *mastered])

    def _cache(self, mask: int, find: Callable[..., Iterable[T]], *about: object) -> Cache[T]:
        return Cache(mask, lambda state: tuple(find(Field(self._graph, state, self._side), *about)))

    def _of_hand(self, find: Callable[..., Iterable[T]], *open_to: Square) -> tuple[int, Cache[T]]:
        """Return the bit of a piece in hand, and the cache of what is found for it."""
        # The pieces in the opponent's hand show whether one of its pieces is its only one.
        mask = in_hand(self._side.other, 255)
        for square in (ENTRANCE, *open_to):
            mask |= column(square, last=0)
        return self._in_hand, self._cache(mask, find, *open_to)

    def _of_pieces(
        self, find: Callable[[Field, Square, int], Iterable[T]], reach: int
    ) -> list[tuple[int, Cache[T]]]:
        """Return the bit of a piece on each square, and the cache of what is found for it."""
        return [
            (
                on_top(origin, self._side.letter),
                self._cache(self._seen(origin, reach), find, origin, reach),
            )
            for origin in ALL_SQUARES
        ]

    def _seen(self, origin: Square, reach: int) -> int:
        """Return the bits of a state that a piece's moves by up to `reach` steps depend on."""
        mask = 0
        for target, distance in enumerate(self._graph.distance[origin]):
            if 0 < distance <= reach:
                mask |= column(target, last=0)
                mask |= self._ishtar if target in FORTS else 0
        return mask | (_EARTH_MASTERED if reach > 1 else 0)

    def legal(self, state: int, throw: Throw) -> tuple[Move, ...]:
        """Return the legal moves, sorted by text."""
        if throw.value == 1:
            return moved(self._one, state)
        if throw.value == 2:
            return self._with_two(state, throw)
        if not state & self._in_hand:
            return ()
        # The Entrance may also be beside an own piece.
        return tuple(sorted(set(moved(self._none, state))))

    def _with_two(self, state: int, throw: Throw) -> tuple[Move, ...]:
        if state & self._earth == self._earth:
            state |= _EARTH_MASTERED
        movers = self._two[throw.meaning][state & self._heaven == self._heaven]
        found: list[Move] = []
        later: tuple[CompanyStep, ...] = ()
        for moves, steps in reversed(moved(movers, state)):
            found += moves
            # Loops that append are twice as fast as a comprehension for each step.
            for first in steps:
                target, turns = first.target, first.turns
                for second in later:
                    if second.target != target:
                        found.append(turns[second])
            later += steps
        # Capturing on Ishtar ends the protection of the opponent's forts.
        if state & self._ishtar and state & self._near_ishtar and state & self._shielded:
            field = Field(self._graph, state, self._side)
            for first in later:
                if first.target == ISHTAR:
                    found += field.unprotected(first)
        return tuple(sorted(found, key=_text))
