"""The move generator of `freecompany` (RULES.md 8): walks, two-piece turns and placements.

The effects of the moves are in `urpi.rules.freecompany`.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from urpi.rules.board import ALL_SQUARES, Side, Square
from urpi.rules.dice import Throw
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM
from urpi.rules.move_cache import Cache, caches_of, looked_up
from urpi.rules.moves import HAND, Move, Part, Stop, move_of, simple_move
from urpi.rules.position import DIGITS, EMPTY, column, digits_of, on_top

FARTHEST: Final = 3
"""Maximum number of steps of one piece in a move."""
_PLACED: Final = tuple(simple_move(HAND, square) for square in ALL_SQUARES)


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
        self.legal_steps = tuple(
            caches_of(self._step_cache(origin, side) for origin in ALL_SQUARES) for side in Side
        )
        """The legal steps by side and origin."""
        self.legal_walks = tuple(
            tuple(
                caches_of(self._walk_cache(origin, side, reach) for origin in ALL_SQUARES)
                for reach in range(FARTHEST + 1)
            )
            for side in Side
        )
        """The legal moves of one piece by side, the most steps that it may make, and origin."""

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

    def _step_cache(self, origin: Square, side: Side) -> Cache[CompanyStep]:
        steps = sorted(self.steps[origin].items())

        def find(state: int) -> tuple[CompanyStep, ...]:
            field = Field(self, state, side)
            found = (field.step(both, target) for target, both in steps)
            return tuple(step for step in found if step is not None)

        return Cache(self._seen(origin, side, 1), find)

    def _walk_cache(self, origin: Square, side: Side, reach: int) -> Cache[Move]:
        def find(state: int) -> tuple[Move, ...]:
            field = Field(self, state, side)
            # Several ways may be the same move.
            return tuple(sorted(set(field.walk(self.ways[origin], reach))))

        return Cache(self._seen(origin, side, reach), find)

    def _seen(self, origin: Square, side: Side, reach: int) -> int:
        """Return the bits of a state that a piece's moves by up to `reach` steps depend on."""
        mask = on_top(ISHTAR, side.other.letter)
        for fort in EARTH:
            mask |= on_top(fort, side.letter)
        for target, distance in enumerate(self.distance[origin]):
            if 0 < distance <= reach:
                mask |= column(target, last=0)
        return mask

    def _distances(self, origin: Square) -> tuple[int, ...]:
        found = {origin: 0}
        edge = [origin]
        while edge:
            edge = [next_ for square in edge for next_ in self.beside[square] if next_ not in found]
            found |= dict.fromkeys(edge, 1 + max(found.values()))
        return tuple(found[square] for square in ALL_SQUARES)


class Field:
    """The board from the point of view of the side to move."""

    __slots__ = ("board", "enemy", "graph", "own", "pieces", "side", "state")

    def __init__(self, graph: Graph, state: int, side: Side) -> None:
        self.graph = graph
        self.state = state
        self.side = side
        self.board = board = digits_of(state)
        """One digit for each square: `EMPTY`, `own` or `enemy`."""
        self.own = own = DIGITS[side.letter]
        self.enemy = DIGITS[side.other.letter]
        self.pieces = [square for square, piece in enumerate(board) if piece == own]

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
        return FARTHEST if throw.meaning in {"gg", "ss"} and self.masters(HEAVEN) else throw.value

    def placements(self, throw: Throw) -> list[Move]:
        """Return the moves that place a piece from the hand, sorted by text."""
        # A set: the Entrance may also be beside an own piece.
        squares = sorted({ENTRANCE, *self.open_to(throw)})
        found = [_PLACED[square] for square in squares if self.board[square] == EMPTY]
        # Not the opponent's only piece on the board (RULES.md 8).
        if self.board[ENTRANCE] == self.enemy and self.board.count(self.enemy) > 1:
            found.append(simple_move(HAND, ENTRANCE, captures=True))
        return found

    def open_to(self, throw: Throw) -> Iterator[Square]:
        """Yield the squares besides the Entrance where this throw allows placing, if empty."""
        if throw.meaning == "gs":
            yield from ROYAL_REALM
        elif throw.meaning == "ss":
            yield ISHTAR
        elif throw.meaning == "gg":
            yield MARDUK
        elif throw.meaning == "0":
            for square in self.pieces:
                yield from self.graph.beside[square]

    def step(self, both: tuple[CompanyStep, ...], target: Square) -> CompanyStep | None:
        """Return the legal one of a step without and with a capture, None if neither is."""
        there = self.board[target]
        if there == EMPTY:
            return both[0]
        return both[1] if there == self.enemy and not self.shielded(target) else None

    def steps(self) -> tuple[CompanyStep, ...]:
        """Return every legal single step, sorted by the text of its move."""
        caches = self.graph.legal_steps[self.side.number]
        return looked_up([caches[origin] for origin in self.pieces], self.state)

    def pairs(self) -> list[Move]:
        """Return every turn in which two pieces move one step each."""
        steps = self.steps()
        found: list[Move] = []
        # Sorted, so that each unordered pair is made once, with its parts in the order of the text.
        for number, first in enumerate(steps, 1):
            origin, target, turns = first.origin, first.target, first.turns
            found += [
                turns[second]
                for second in steps[number:]
                if second.origin != origin and second.target != target
            ]
            # Another piece may take the place that the first one leaves.
            for behind in self.graph.beside[origin]:
                if self.board[behind] == self.own:
                    found.append(turns[self.graph.steps[behind][origin][False]])
            # Capturing on Ishtar ends the protection of the opponent's forts.
            if first.target == ISHTAR and first.captures:
                found += self._unprotected(first)
        return found

    def _unprotected(self, first: CompanyStep) -> Iterator[Move]:
        """Yield two-piece turns that capture on a fort after the first step has captured Ishtar."""
        for fort in FORTS:
            for origin in self.graph.beside[fort] if self.board[fort] == self.enemy else ():
                if self.board[origin] == self.own and origin != first.origin:
                    yield first.turns[self.graph.steps[origin][fort][True]]

    def walks(self, reach: int) -> tuple[Move, ...]:
        """Return every move of one piece by one to `reach` steps, sorted by text."""
        caches = self.graph.legal_walks[self.side.number][reach]
        return looked_up([caches[origin] for origin in self.pieces], self.state)

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
