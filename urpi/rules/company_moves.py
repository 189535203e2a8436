"""The move generator of `freecompany` (RULES.md 8): walks, two-piece turns and placements.

The effects of the moves are in `urpi.rules.freecompany`.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from urpi.rules.board import ALL_SQUARES, Pile, Side, Square
from urpi.rules.dice import Throw
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM
from urpi.rules.moves import HAND, Move, Part, Stop, move_of, simple_move

FARTHEST: Final = 3
"""Maximum number of steps of one piece in a move."""


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


class Field:
    """The board from the point of view of the side to move."""

    __slots__ = ("board", "enemy", "graph", "own", "pieces")

    def __init__(self, graph: Graph, board: tuple[Pile, ...], side: Side) -> None:
        self.graph = graph
        self.board = board
        self.own = own = side.letter
        self.enemy = side.other.letter
        self.pieces = [square for square, pile in enumerate(board) if pile == own]

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
            for square in self.pieces:
                yield from self.graph.beside[square]

    def steps(self) -> Iterator[CompanyStep]:
        """Yield every legal single step."""
        for origin in self.pieces:
            for target, (plain, capture) in self.graph.steps[origin].items():
                there = self.board[target]
                if not there:
                    yield plain
                elif there == self.enemy and not self.shielded(target):
                    yield capture

    def pairs(self) -> Iterator[Move]:
        """Yield every turn in which two pieces move one step each."""
        # Sorted, so that each unordered pair is made once, with its parts in the order of the text.
        steps = sorted(self.steps(), key=lambda step: step.move.text)
        for number, first in enumerate(steps):
            for second in steps[number + 1 :]:
                if first.origin != second.origin and first.target != second.target:
                    yield first.then(second)
            # Another piece may take the place that the first one leaves.
            for origin in self.graph.beside[first.origin]:
                if self.board[origin] == self.own:
                    yield first.then(self.graph.steps[origin][first.origin][False])
            # Capturing on Ishtar ends the protection of the opponent's forts.
            if first.target == ISHTAR and first.captures:
                yield from self._unprotected(first)

    def _unprotected(self, first: CompanyStep) -> Iterator[Move]:
        """Yield two-piece turns that capture on a fort after the first step has captured Ishtar."""
        for fort in FORTS:
            for origin in self.graph.beside[fort] if self.board[fort] == self.enemy else ():
                if self.board[origin] == self.own and origin != first.origin:
                    yield first.then(self.graph.steps[origin][fort][True])

    def walks(self, reach: int) -> list[Move]:
        """Return every move of one piece by one to `reach` steps."""
        found: list[Move] = []
        for origin in self.pieces:
            self._walk(found, self.graph.ways[origin], reach)
        return found

    def _walk(
        self,
        found: list[Move],
        ways: tuple[Way, ...],
        left: int,
        taken: tuple[Stop, ...] = (),
        *,
        passed_own: bool = False,
    ) -> None:
        """Append the moves of a piece that goes on along some ways by one to `left` steps.

        Args:
            found: The moves found so far.
            ways: The ways on from where it is now.
            left: The number of steps that it may still make.
            taken: Its captures so far.
            passed_own: Whether it has passed an own piece.
        """
        for way in ways:
            there, taken_there = self.board[way.target], taken
            if not there:
                found.append(_after(taken, way.plain) if taken else way.plain)
            elif there == self.enemy:
                # Own pieces may be passed, but nothing may be captured behind them.
                if passed_own or self.shielded(way.target, taken):
                    continue
                found.append(_after(taken, way.capture) if taken else way.capture)
                # With Earth mastered, captures do not stop the piece.
                if not self.masters(EARTH):
                    continue
                taken_there = (*taken, Stop(way.target, captures=True))
            if left > 1:
                passes = passed_own or there == self.own
                self._walk(found, way.further, left - 1, taken_there, passed_own=passes)


def _after(taken: tuple[Stop, ...], move: Move) -> Move:
    """Return the move of a piece that has captured others on the way."""
    (part,) = move.parts
    return move_of(Part(part.origin, (*taken, *part.stops)))
