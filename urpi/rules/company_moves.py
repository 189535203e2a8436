"""The move generator of `freecompany` (RULES.md 8): walks, two-piece turns and placements.

The effects of the moves are in `urpi.rules.freecompany`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from urpi.rules.board import ALL_SQUARES, Pile, Side, Square
from urpi.rules.dice import Throw
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM
from urpi.rules.moves import HAND, Move, Part, Stop, move_of, simple_move


class CompanyStep:
    """The step of one piece to a neighbour. Steps are shared, and cache their two-piece turns."""

    __slots__ = ("_pairs", "captures", "move", "origin", "target")

    def __init__(self, origin: Square, target: Square, *, captures: bool) -> None:
        self.origin = origin
        self.target = target
        self.captures = captures
        self.move = simple_move(origin, target, captures=captures)
        # Filled when a pair is first needed.
        self._pairs: dict[CompanyStep, Move] = {}

    def then(self, other: "CompanyStep") -> Move:
        """Return the two-piece turn of this step followed by another one."""
        move = self._pairs.get(other)
        if move is None:
            move = move_of(*self.move.parts, *other.move.parts)
            self._pairs[other] = move
        return move


class Graph:
    """The paths of the board: neighbours, distances and all possible steps."""

    def __init__(self, beside: tuple[tuple[Square, ...], ...]) -> None:
        self.beside = beside
        self.plain, self.capture = (
            {
                (origin, target): CompanyStep(origin, target, captures=captures)
                for origin in ALL_SQUARES
                for target in beside[origin]
            }
            for captures in (False, True)
        )
        self.distance = tuple(self._distances(square) for square in ALL_SQUARES)
        """The number of steps between any two squares."""

    def _distances(self, origin: Square) -> tuple[int, ...]:
        found = {origin: 0}
        edge = [origin]
        while edge:
            edge = [next_ for square in edge for next_ in self.beside[square] if next_ not in found]
            found |= dict.fromkeys(edge, 1 + max(found.values()))
        return tuple(found[square] for square in ALL_SQUARES)


class Field(NamedTuple):
    """The board from the point of view of the side to move."""

    graph: Graph
    board: tuple[Pile, ...]
    own: str
    enemy: str

    @classmethod
    def of(cls, graph: Graph, board: tuple[Pile, ...], side: Side) -> "Field":
        """Return the board from the point of view of a side."""
        return cls(graph, board, side.letter, side.other.letter)

    def masters(self, forts: tuple[Square, ...]) -> bool:
        """Return whether the side holds both forts of a world."""
        return all(self.board[fort] == self.own for fort in forts)

    def shielded(self, square: Square) -> bool:
        """Return whether Ishtar protects the opponent's piece on a square."""
        return square in FORTS and self.board[ISHTAR] == self.enemy

    def reach(self, throw: Throw) -> int:
        """Return the maximum number of steps of one piece if it uses the whole throw."""
        return 3 if throw.meaning in {"gg", "ss"} and self.masters(HEAVEN) else throw.value

    def placements(self, throw: Throw) -> Iterator[Move]:
        """Yield the moves that place a piece from the hand."""
        # Not the opponent's only piece on the board (RULES.md 8).
        if self.board[ENTRANCE] == self.enemy and self.board.count(self.enemy) > 1:
            yield simple_move(HAND, ENTRANCE, captures=True)
        # A set: the Entrance may also be beside an own piece.
        for square in {ENTRANCE, *self.open_to(throw)}:
            if not self.board[square]:
                yield simple_move(HAND, square)

    def open_to(self, throw: Throw) -> Iterator[Square]:
        """Yield the squares besides the Entrance where this throw allows placing, if empty."""
        if throw.meaning == "gs":
            yield from ROYAL_REALM
        elif throw.meaning == "ss":
            yield ISHTAR
        elif throw.meaning == "gg":
            yield MARDUK
        elif throw.meaning == "0":
            for square in ALL_SQUARES:
                if self.board[square] == self.own:
                    yield from self.graph.beside[square]

    def steps(self) -> Iterator[CompanyStep]:
        """Yield every legal single step."""
        for origin in ALL_SQUARES:
            if self.board[origin] == self.own:
                for target in self.graph.beside[origin]:
                    there = self.board[target]
                    if not there:
                        yield self.graph.plain[origin, target]
                    elif there == self.enemy and not self.shielded(target):
                        yield self.graph.capture[origin, target]

    def pairs(self) -> Iterator[Move]:
        """Yield every turn in which two pieces move one step each."""
        # Sorted, so that each unordered pair is made once, with its parts in the order of the text.
        steps = sorted(self.steps(), key=lambda step: step.move.text)
        for number, first in enumerate(steps):
            for second in steps[number + 1 :]:
                if first.origin != second.origin and first.target != second.target:
                    yield first.then(second)
            yield from self._made_possible(first)

    def _made_possible(self, first: CompanyStep) -> Iterator[Move]:
        """Yield two-piece turns whose second step is possible only after the first."""
        for follower in self.graph.beside[first.origin]:
            if self.board[follower] == self.own:
                # The second piece takes the place that the first one leaves.
                yield first.then(self.graph.plain[follower, first.origin])
        # Capturing on Ishtar ends the protection of the opponent's forts.
        if first.target == ISHTAR and first.captures:
            for fort in FORTS:
                for origin in self.graph.beside[fort] if self.board[fort] == self.enemy else ():
                    if self.board[origin] == self.own and origin != first.origin:
                        yield first.then(self.graph.capture[origin, fort])

    def walks(self, reach: int) -> Iterator[Move]:
        """Yield every move of one piece by one to `reach` steps."""
        goes_on = self.masters(EARTH)
        for origin in ALL_SQUARES:
            if self.board[origin] == self.own:
                yield from self._walk(_Trail((origin,)), reach, goes_on=goes_on)

    def _walk(self, trail: "_Trail", left: int, *, goes_on: bool) -> Iterator[Move]:
        """Yield the moves that end after one to `left` more steps without visiting a square twice.

        With `goes_on`, captures do not stop the piece.
        """
        for target in self.graph.beside[trail.squares[-1]]:
            # No stepping straight back inside a move, nor in a circle (RULES.md 8).
            if target in trail.squares:
                continue
            there, stops = self.board[target], False
            ahead = trail._replace(squares=(*trail.squares, target))
            if there == self.own:
                # Own pieces may be passed, but nothing may be captured behind them.
                ahead = ahead._replace(passed_own=True)
            elif not there:
                yield _landing(trail, Stop(target))
            elif trail.passed_own or self._shielded_from(trail, target):
                continue
            else:
                stop, stops = Stop(target, captures=True), not goes_on
                yield _landing(trail, stop)
                ahead = ahead._replace(taken=(*trail.taken, stop))
            if left > 1 and not stops:
                yield from self._walk(ahead, left - 1, goes_on=goes_on)

    def _shielded_from(self, trail: "_Trail", target: Square) -> bool:
        return self.shielded(target) and all(stop.square != ISHTAR for stop in trail.taken)


class _Trail(NamedTuple):
    """The movement of one piece so far: its squares from the origin, and its captures."""

    squares: tuple[Square, ...]
    taken: tuple[Stop, ...] = ()
    passed_own: bool = False


def _landing(trail: _Trail, stop: Stop) -> Move:
    origin = trail.squares[0]
    if trail.taken:
        return move_of(Part(origin, (*trail.taken, stop)))
    return simple_move(origin, stop.square, captures=stop.captures)
