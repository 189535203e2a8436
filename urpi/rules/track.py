"""Tracks: one side's way over the board, and every step that a piece can take on it.

A place is an index into the path, from 0; -1 is the hand, the path's length is off.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from urpi.rules.board import SQUARE_NAMES, Pile, Side, Square
from urpi.rules.moves import HAND, OFF, Move, simple_move

HIGHEST_THROW: Final = 4

Turns: TypeAlias = Callable[[tuple[Square, ...], int, int], bool]
"""Whether a piece that goes from a place to another lies turned: (path, place, target)."""

Blocks: TypeAlias = Callable[[str, Square, Pile], str | None]
"""The code that forbids a piece, called so when it lands, to land on that square's pile."""


class Landings(dict[Pile, Move | None]):
    """The move of a step by what stands on its target, None where it may not land.

    What stands there is asked of the rules once, and then known for all games.
    """

    def __init__(self, origin: Square, target: Square, landed: str, rules: "Rules") -> None:
        super().__init__({"": simple_move(origin, target)})
        self._step = origin, target, landed
        self._rules = rules

    def __missing__(self, pile: Pile) -> Move | None:
        origin, target, landed = self._step
        if self._rules.blocks(landed, target, pile) is None:
            captures = target not in self._rules.camps
            self[pile] = simple_move(origin, target, captures=captures)
        else:
            self[pile] = None
        return self[pile]


class Rules(NamedTuple):
    """What a track must know of its rule set: who turns, who blocks, where pieces pile up."""

    turns: Turns
    blocks: Blocks
    camps: frozenset[Square]


class Step(NamedTuple):
    """A piece's way with one throw, made once for all games.

    `piece` is what the piece is called where it stands, `landed` where it lands.
    """

    origin: Square
    piece: str
    target: Square
    landed: str
    moves: Landings


def on_second_visit(path: tuple[Square, ...], _place: int, target: int) -> bool:
    """A piece is turned where its path comes by for the second time (FORMATS.md)."""
    return path[target] in path[:target]


class Track:
    """One side's way: where its pieces can be, what they are called there, where they go."""

    def __init__(self, side: Side, path: tuple[Square, ...], rules: Rules) -> None:
        self.side = side
        self.path = path
        self.length = len(path)
        self._rules = rules
        self.place_of: dict[tuple[Square, str], int] = {}
        """Every piece that can stand on a square, with its place on the path."""
        steps = self._every_step()
        self.steps = tuple(
            tuple((step.origin, step.piece, step) for step in of_throw) for of_throw in steps
        )
        """The steps by what the throw counts, sorted as their moves' texts.

        Each with its origin and piece in front, which most of them are passed over by.
        """
        self.landed = {
            (step.origin, step.piece, step.target): step.landed
            for of_throw in steps
            for step in of_throw
        }

    def _every_step(self) -> list[list[Step]]:
        steps: list[list[Step]] = [[] for _ in range(HIGHEST_THROW + 1)]
        standing: dict[int, set[str]] = {-1: {self.side.letter}}
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
            return Step(origin, piece, OFF, "", Landings(origin, OFF, "", self._rules))
        square, landed = self.path[target], self.lands_as(place, target)
        return Step(origin, piece, square, landed, Landings(origin, square, landed, self._rules))

    def lands_as(self, place: int, target: int) -> str:
        """What a piece is called that has gone from a place to another."""
        turned = self._rules.turns(self.path, place, target)
        return self.side.letter.lower() if turned else self.side.letter

    def distances(self, place: int, target: Square) -> list[int]:
        """How far every visit of a square, or bearing off, lies ahead; behind is negative."""
        if target == OFF:
            return [self.length - place]
        return [other - place for other in range(self.length) if self.path[other] == target]
