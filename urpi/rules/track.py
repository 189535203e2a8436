"""Tracks: one side's path with all steps that its pieces can make, computed in advance.

A place is an index into the path, from 0; -1 is the hand, and the length of the path is off.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from urpi.rules.board import SQUARE_NAMES, Pile, Side, Square
from urpi.rules.moves import HAND, OFF, Move, simple_move

HIGHEST_THROW: Final = 4

Turns: TypeAlias = Callable[[tuple[Square, ...], int, int], bool]
"""Return whether a piece is turned after a step; called with (path, place, target place)."""

Blocks: TypeAlias = Callable[[str, Square, Pile], str | None]
"""Return the code that forbids a landing; called with (piece when landed, square, pile)."""

GrantsThrow: TypeAlias = Callable[[int, Square], bool]
"""Return whether a move grants another throw; called with (value of the throw, target)."""


class Landings(dict[Pile, Move | None]):
    """The move of a step by the pile on its target; None if the piece may not land there.

    The rules are evaluated once for each pile; the result is cached for all games.
    """

    def __init__(self, origin: Square, target: Square, landed: str, rules: "TrackRules") -> None:
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


class TrackRules(NamedTuple):
    """The parts of a rule set that a track depends on."""

    turns: Turns
    blocks: Blocks
    grants_throw: GrantsThrow
    camps: frozenset[Square]


@dataclass(frozen=True, slots=True)
class Step:
    """The step of a piece with one throw, shared by all games.

    `piece` is the letter of the piece on its origin, `landed` the one on its target: a piece may
    turn on the way. `again` is whether it grants another throw even if it captures nothing.
    """

    origin: Square
    piece: str
    target: Square
    landed: str
    again: bool
    moves: Landings


def on_second_visit(path: tuple[Square, ...], _place: int, target: int) -> bool:
    """Return whether the path visits the target for the second time (FORMATS.md)."""
    return path[target] in path[:target]


class Track:
    """One side's path: the possible places of its pieces, their letters there, and their steps."""

    def __init__(self, side: Side, path: tuple[Square, ...], rules: TrackRules) -> None:
        self.side = side
        self.path = path
        self.length = len(path)
        self._rules = rules
        self.place_of: dict[tuple[Square, str], int] = {}
        """The place on the path of every piece that can be on a square."""
        steps = self._every_step()
        self.steps = tuple(
            tuple((step.origin, step.piece, step) for step in of_throw) for of_throw in steps
        )
        """The steps by the value of the throw, sorted by the text of their moves.

        Each is preceded by its origin and piece, because most steps are rejected by these two.
        """
        self.step_of = {
            simple_move(step.origin, step.target, captures=captures).text: step
            for of_throw in steps
            for step in of_throw
            for captures in (False, True)
        }
        """The step of every move, by its text.

        Pieces of both faces may make the same move; their steps lead to the same.
        """

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
        square, landed = OFF, ""
        if target < self.length:
            square, landed = self.path[target], self.lands_as(place, target)
        again = self._rules.grants_throw(target - place, square)
        return Step(
            origin, piece, square, landed, again, Landings(origin, square, landed, self._rules)
        )

    def lands_as(self, place: int, target: int) -> str:
        """Return the letter of a piece that has moved from one place to another."""
        turned = self._rules.turns(self.path, place, target)
        return self.side.letter.lower() if turned else self.side.letter

    def distances(self, place: int, target: Square) -> list[int]:
        """Return the distance to every visit of a square or to `OFF`; negative if it is behind."""
        if target == OFF:
            return [self.length - place]
        return [other - place for other in range(self.length) if self.path[other] == target]
