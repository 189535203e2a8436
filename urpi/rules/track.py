"""Tracks: one side's way over the board, and every step that a piece can take on it.

A place is an index into the path, from 0; -1 is the hand, the path's length is off.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from urpi.rules.board import SQUARE_NAMES, Side, Square
from urpi.rules.moves import HAND, OFF, Move, simple_move

HIGHEST_THROW: Final = 4

Turns: TypeAlias = Callable[[tuple[Square, ...], int, int], bool]
"""Whether a piece that goes from a place to another lies turned: (path, place, target)."""


class Step(NamedTuple):
    """A piece's move with one throw, made once for all games.

    `piece` is what the piece is called where it stands, `landed` where it lands. `moves` has
    the move for everything that may stand on the target; what it lacks is in the way.
    """

    origin: Square
    piece: str
    target: Square
    landed: str
    moves: Mapping[str, Move]


def on_second_visit(path: tuple[Square, ...], _place: int, target: int) -> bool:
    """A piece is turned where its path comes by for the second time (FORMATS.md)."""
    return path[target] in path[:target]


class Track:
    """One side's way: where its pieces can be, what they are called there, where they go."""

    def __init__(
        self,
        side: Side,
        path: tuple[Square, ...],
        turns: Turns = on_second_visit,
        safe: frozenset[Square] = frozenset(),
    ) -> None:
        self.side = side
        self.path = path
        self.length = len(path)
        self._turns = turns
        self._safe = safe
        self.place_of: dict[tuple[Square, str], int] = {}
        """Every piece that can stand on a square, with its place on the path."""
        steps = self._every_step()
        self.entries = tuple(
            next((step for step in of_throw if step.origin == HAND), None) for of_throw in steps
        )
        """The step that enters, by what the throw counts."""
        self.steps = tuple(
            tuple(step for step in of_throw if step.origin != HAND) for of_throw in steps
        )
        """The steps on the board by what the throw counts, sorted as their moves' texts."""
        self.landed = {
            (step.origin, step.piece, step.target): step.landed
            for of_throw in steps
            for step in of_throw
        }

    def _every_step(self) -> list[list[Step]]:
        steps: list[list[Step]] = [[] for _ in range(HIGHEST_THROW + 1)]
        standing: dict[int, set[str]] = {-1: {""}}
        for place in range(-1, self.length):
            for piece in sorted(standing.get(place, ())):
                for value in range(1, min(HIGHEST_THROW, self.length - place) + 1):
                    step = self._step(place, piece, place + value)
                    steps[value].append(step)
                    standing.setdefault(place + value, set()).add(step.landed)
                    if place >= 0:
                        self.place_of[self.path[place], piece] = place
        for of_throw in steps:
            of_throw.sort(key=lambda step: "" if step.origin < 0 else SQUARE_NAMES[step.origin])
        return steps

    def _step(self, place: int, piece: str, target: int) -> Step:
        origin = HAND if place < 0 else self.path[place]
        if target == self.length:
            return Step(origin, piece, OFF, "", {"": simple_move(origin, OFF)})
        square = self.path[target]
        turned = self._turns(self.path, place, target)
        landed = self.side.letter.lower() if turned else self.side.letter
        moves = {"": simple_move(origin, square)}
        if square not in self._safe:
            capture = simple_move(origin, square, captures=True)
            moves |= dict.fromkeys(
                (self.side.other.letter, self.side.other.letter.lower()), capture
            )
        return Step(origin, piece, square, landed, moves)

    def distances(self, place: int, target: Square) -> list[int]:
        """How far every visit of a square, or bearing off, lies ahead; behind is negative."""
        if target == OFF:
            return [self.length - place]
        return [other - place for other in range(self.length) if self.path[other] == target]
