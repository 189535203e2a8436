"""The legal moves of `freecompany` (RULES.md 8): walks, two-piece turns and placements.

It only finds moves; what they come to is in `urpi.rules.freecompany`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from urpi.rules.board import ALL_SQUARES, Pile, Side, Square
from urpi.rules.dice import Throw
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM
from urpi.rules.moves import HAND, Move, Part, Stop, move_of, simple_move


class Step:
    """One piece to a neighbour; made once, with every move it begins a two-piece turn of."""

    __slots__ = ("_pairs", "captures", "move", "origin", "target")

    def __init__(self, origin: Square, target: Square, *, captures: bool) -> None:
        self.origin = origin
        self.target = target
        self.captures = captures
        self.move = simple_move(origin, target, captures=captures)
        self._pairs: dict[Step, Move] = {}

    def then(self, other: "Step") -> Move:
        """The two-piece turn of this step and another one behind it."""
        move = self._pairs.get(other)
        if move is None:
            move = move_of(*self.move.parts, *other.move.parts)
            self._pairs[other] = move
        return move


class Graph:
    """The ways of the board: who is beside whom, how far it is, and every step."""

    def __init__(self, beside: tuple[tuple[Square, ...], ...]) -> None:
        self.beside = beside
        self.plain, self.capture = (
            {
                (origin, target): Step(origin, target, captures=captures)
                for origin in ALL_SQUARES
                for target in beside[origin]
            }
            for captures in (False, True)
        )
        self.distance = tuple(self._distances(square) for square in ALL_SQUARES)
        """How many steps it is from a square to another."""

    def _distances(self, origin: Square) -> tuple[int, ...]:
        found = {origin: 0}
        edge = [origin]
        while edge:
            edge = [next_ for square in edge for next_ in self.beside[square] if next_ not in found]
            found |= dict.fromkeys(edge, 1 + max(found.values()))
        return tuple(found[square] for square in ALL_SQUARES)


class Field(NamedTuple):
    """The board as the side that is to act sees it."""

    graph: Graph
    board: tuple[Pile, ...]
    own: str
    enemy: str

    @classmethod
    def of(cls, graph: Graph, board: tuple[Pile, ...], side: Side) -> "Field":
        """The board as that side sees it."""
        return cls(graph, board, side.letter, side.other.letter)

    def masters(self, forts: tuple[Square, ...]) -> bool:
        """Whether the side holds both forts of a world."""
        return all(self.board[fort] == self.own for fort in forts)

    def shielded(self, square: Square) -> bool:
        """Whether Ishtar protects the enemy piece that stands there."""
        return square in FORTS and self.board[ISHTAR] == self.enemy

    def reach(self, throw: Throw) -> int:
        """How many steps one piece may go, when it goes alone."""
        return 3 if throw.meaning in {"gg", "ss"} and self.masters(HEAVEN) else throw.value

    def placements(self, throw: Throw) -> Iterator[Move]:
        """Every square where a piece from the hand may be put."""
        if self.board[ENTRANCE] == self.enemy and self.board.count(self.enemy) > 1:
            yield simple_move(HAND, ENTRANCE, captures=True)
        for square in {ENTRANCE, *self.open_to(throw)}:
            if not self.board[square]:
                yield simple_move(HAND, square)

    def open_to(self, throw: Throw) -> Iterator[Square]:
        """The squares beyond the Entrance where this throw places, when they are empty."""
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

    def steps(self) -> Iterator[Step]:
        """Every single step that may be made now."""
        for origin in ALL_SQUARES:
            if self.board[origin] == self.own:
                for target in self.graph.beside[origin]:
                    there = self.board[target]
                    if not there:
                        yield self.graph.plain[origin, target]
                    elif there == self.enemy and not self.shielded(target):
                        yield self.graph.capture[origin, target]

    def pairs(self) -> Iterator[Move]:
        """Every turn in which two pieces go one step each."""
        steps = sorted(self.steps(), key=lambda step: step.move.text)
        for number, first in enumerate(steps):
            for second in steps[number + 1 :]:
                if first.origin != second.origin and first.target != second.target:
                    yield first.then(second)
            yield from self._made_possible(first)

    def _made_possible(self, first: Step) -> Iterator[Move]:
        """Two-piece turns whose second step only the first one makes possible."""
        for follower in self.graph.beside[first.origin]:
            if self.board[follower] == self.own:
                yield first.then(self.graph.plain[follower, first.origin])
        if first.target == ISHTAR and first.captures:
            for fort in FORTS:
                for origin in self.graph.beside[fort] if self.board[fort] == self.enemy else ():
                    if self.board[origin] == self.own and origin != first.origin:
                        yield first.then(self.graph.capture[origin, fort])

    def walks(self, reach: int) -> Iterator[Move]:
        """Every move of one piece of one step up to `reach`."""
        goes_on = self.masters(EARTH)
        for origin in ALL_SQUARES:
            if self.board[origin] == self.own:
                yield from self._walk(_Trail((origin,)), reach, goes_on=goes_on)

    def _walk(self, trail: "_Trail", left: int, *, goes_on: bool) -> Iterator[Move]:
        """The moves that end after one to `left` more steps; none comes by a square twice.

        `goes_on`: captures do not stop the piece.
        """
        for target in self.graph.beside[trail.squares[-1]]:
            if target in trail.squares:
                continue
            there, stops = self.board[target], False
            ahead = trail._replace(squares=(*trail.squares, target))
            if there == self.own:
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
    """How one piece has come so far: its squares from the origin on, and what it took."""

    squares: tuple[Square, ...]
    taken: tuple[Stop, ...] = ()
    passed_own: bool = False


def _landing(trail: _Trail, stop: Stop) -> Move:
    origin = trail.squares[0]
    if trail.taken:
        return move_of(Part(origin, (*trail.taken, stop)))
    return simple_move(origin, stop.square, captures=stop.captures)
