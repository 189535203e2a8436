"""Tracks: one side's path with all steps that its pieces can make, computed in advance.

A place is an index into the path, from 0; -1 is the hand, and the length of the path is off.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from urpi.rules.board import SQUARE_NAMES, Pile, Side, Square
from urpi.rules.move_cache import Cache, caches_of
from urpi.rules.moves import HAND, OFF, PASS, Move, simple_move
from urpi.rules.position import (
    BOARD_BIT,
    NONE_IN_HAND,
    PLANE_BITS,
    column,
    in_hand,
    off_board,
    on_top,
    pile_of,
)

HIGHEST_THROW: Final = 4
_EVERYTHING: Final = (1 << BOARD_BIT + 20 * PLANE_BITS) - 1

Turns: TypeAlias = Callable[[tuple[Square, ...], int, int], bool]
"""Return whether a piece is turned after a step; called with (path, place, target place)."""

Blocks: TypeAlias = Callable[[str, Square, Pile], str | None]
"""Return the code that forbids a landing; called with (piece when landed, square, pile)."""

Seen: TypeAlias = Callable[[Square], int]
"""Return the bits of a state that `Blocks` depends on; called with the target."""

GrantsThrow: TypeAlias = Callable[[int, Square, bool], bool]
"""Return whether a move grants another throw; called with (throw's value, target, captures)."""


class TrackRules(NamedTuple):
    """The parts of a rule set that a track depends on."""

    turns: Turns
    blocks: Blocks
    seen: Seen
    grants_throw: GrantsThrow
    camps: frozenset[Square]
    together: int


class Step(NamedTuple):
    """The step of a piece with one throw, shared by all games.

    `piece` is the letter of the piece on its origin, `landed` the one on its target: a piece may
    turn on the way.
    """

    origin: Square
    piece: str
    target: Square
    landed: str


class Effect(NamedTuple):
    """What a move does to a state (`urpi.rules.position.Position`).

    Attributes:
        kept: The bits that stay.
        added: What is added to them: the piece where it lands, and the changed counts.
        turn: The side that throws next.
        bears_off: Whether a piece leaves the board.
        camps: None if no camp is concerned, otherwise the bits of the pieces that go one plane up
            because one leaves it, and of those that go one plane down because one lands there.
    """

    kept: int
    added: int
    turn: Side
    bears_off: bool
    camps: tuple[int, int] | None


def _split(steps: list[Step], number: int) -> list[list[Step]]:
    return [steps[first : first + number] for first in range(0, len(steps), number)]


def _move(rules: TrackRules, step: Step, state: int) -> Move | None:
    """Return the move of a step, None if the piece may not land there."""
    pile = "" if step.target == OFF else pile_of(state, step.target)
    if pile and rules.blocks(step.landed, step.target, pile) is not None:
        return None
    captures = pile != "" and step.target not in rules.camps
    return simple_move(step.origin, step.target, captures=captures)


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
        self.steps = self._every_step()
        """The steps by the value of the throw, sorted by the text of their moves."""
        self.caches = tuple(
            caches_of(self._cache(together) for together in _split(of_throw, rules.together))
            for of_throw in self.steps
        )
        """The legal moves by the value of the throw."""
        self.effect_of = {PASS.text: Effect(_EVERYTHING, 0, side.other, False, None)}
        """The effect of every move, by its text.

        Pieces of both faces may make the same move; their steps lead to the same.
        """
        for value, of_throw in enumerate(self.steps):
            for step in of_throw:
                for captures in (False, True):
                    move = simple_move(step.origin, step.target, captures=captures)
                    self.effect_of[move.text] = self._effect(step, value, captures=captures)

    def _cache(self, steps: list[Step]) -> Cache[Move]:
        rules = self._rules
        mask, movers = 0, []
        for step in steps:
            if step.origin == HAND:
                mover = in_hand(self.side, NONE_IN_HAND + 1)
            else:
                mover = on_top(step.origin, step.piece)
            movers.append((mover, step))
            mask |= mover | (0 if step.target == OFF else rules.seen(step.target))

        def find(state: int) -> tuple[Move, ...]:
            moves = (_move(rules, step, state) for mover, step in movers if state & mover)
            return tuple(move for move in moves if move is not None)

        return Cache(mask, find)

    def _effect(self, step: Step, value: int, *, captures: bool) -> Effect:
        origin, target, side = step.origin, step.target, self.side
        moved = added = up = down = 0
        if origin == HAND:
            added -= in_hand(side)
        else:
            moved |= column(origin)
            up = column(origin, first=1) if origin in self._rules.camps else 0
        if target == OFF:
            added += off_board(side)
        else:
            moved |= column(target)
            added += on_top(target, step.landed)
            down = column(target) if target in self._rules.camps else 0
        if captures:
            added += in_hand(side.other)
        again = self._rules.grants_throw(value, target, captures)
        turn, camps = side if again else side.other, (up, down) if up or down else None
        return Effect(_EVERYTHING & ~moved, added, turn, target == OFF, camps)

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
        return Step(origin, piece, square, landed)

    def lands_as(self, place: int, target: int) -> str:
        """Return the letter of a piece that has moved from one place to another."""
        turned = self._rules.turns(self.path, place, target)
        return self.side.letter.lower() if turned else self.side.letter

    def distances(self, place: int, target: Square) -> list[int]:
        """Return the distance to every visit of a square or to `OFF`; negative if it is behind."""
        if target == OFF:
            return [self.length - place]
        return [other - place for other in range(self.length) if self.path[other] == target]
