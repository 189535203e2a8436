"""Mishaps: what happens to a board that nobody meant. It changes nothing in the game."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Final

from urpi.rules import ALL_SQUARES, Side, Squares, each_square
from urpi.simulation.behaviour import Behaviour, Span
from urpi.simulation.hands import Hands
from urpi.simulation.pieces import Pieces
from urpi.simulation.schedule import Script

_SWEPT: Final = 3
"""A sleeve takes so many pieces at least; fewer could be a hand's."""
_BETWEEN_SWEPT_MS: Final[Span] = (0, 60)
_MOST_MOVED: Final = 3
_DARK_MS: Final[Span] = (1000, 20_000)


@dataclass(slots=True)
class Mishaps:
    """What befalls `pieces` and the switches under them, as `behaviour` has it.

    `power` switches the program off (False) and on again; while it is off it hears nothing.
    """

    pieces: Pieces
    hands: Hands
    behaviour: Behaviour
    rng: Random
    power: Callable[[bool], None]

    def befall(self, pictures: Collection[Squares]) -> Script:
        """Let happen what happens now, if anything does.

        Pieces that are moved about do not come to show one of those pictures: nobody could
        tell that from a move.
        """
        if self._might(self.behaviour.sweeps):
            yield from self._sweep()
        if self._might(self.behaviour.power_cuts):
            yield from self._cut_power(pictures)

    def set_up_wrong(self) -> None:
        """Before anybody looks, a piece too many stands somewhere, or one stands wrong."""
        if self._might(self.behaviour.sets_up_wrong):
            self._disarray()

    def _sweep(self) -> Script:
        """A sleeve brushes several pieces off the board, or all of them."""
        standing = list(each_square(self.pieces.occupancy))
        if len(standing) < _SWEPT:
            return
        for square in self.rng.sample(standing, self.rng.randint(_SWEPT, len(standing))):
            self.hands.brush_off(square)
            yield self.rng.randint(*_BETWEEN_SWEPT_MS)

    def _cut_power(self, pictures: Collection[Squares]) -> Script:
        """The power is off for a while, and somebody moves pieces about."""
        self.power(False)
        self._disarray()
        while self.pieces.occupancy in pictures:
            self._misplace()
        self.hands.update_switches()
        yield self.rng.randint(*_DARK_MS)
        self.power(True)

    def _disarray(self) -> None:
        for _ in range(self.rng.randint(1, _MOST_MOVED)):
            self._misplace()

    def _misplace(self) -> None:
        board = self.pieces.board
        empty = [square for square in ALL_SQUARES if not board[square]]
        standing = [square for square in ALL_SQUARES if board[square]]
        spare = [side for side in Side if self.pieces.reserve[side.number]]
        if not empty or not (standing or spare):
            return
        if standing and (not spare or self.rng.random() < 0.5):
            piece = self.pieces.lift(self.rng.choice(standing))
        else:
            piece = self.pieces.take(self.rng.choice(spare))
        self.pieces.put(self.rng.choice(empty), piece)

    def _might(self, chance: float) -> bool:
        return chance > 0 and self.rng.random() < chance
