"""Mishaps: unintended changes of the board, which do not change the game."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Final

from urpi.rules import ALL_SQUARES, Side, Squares, each_square
from urpi.simulation.behaviour import Behaviour, Span
from urpi.simulation.hands import Hands
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.schedule import Script

_SWEPT: Final = 3
"""The least number of pieces that a sleeve brushes off; fewer could be taken by a hand."""
_BETWEEN_SWEPT_MS: Final[Span] = (0, 60)
_MAX_MOVED: Final = 3
_DARK_MS: Final[Span] = (1000, 20_000)


@dataclass(slots=True)
class Mishaps:
    """Mishaps to the pieces and their switches, with the probabilities of `behaviour`.

    `power` is called with False to switch the program off and with True to switch it on again.
    """

    pieces: LayoutAccess
    hands: Hands
    behaviour: Behaviour
    rng: Random
    power: Callable[[bool], None]

    def happen(self, occupancies: Collection[Squares]) -> Script:
        """Let mishaps happen with their probabilities.

        Pieces that are moved during a power cut never end on one of these sets of occupied squares,
        because that could not be distinguished from a move.
        """
        if self._might(self.behaviour.sweeps):
            yield from self._sweep()
        if self._might(self.behaviour.power_cuts):
            yield from self._cut_power(occupancies)

    def set_up_wrong(self) -> None:
        """Misplace some pieces before the program reads the board."""
        if self._might(self.behaviour.sets_up_wrong):
            self._disarray()

    def _sweep(self) -> Script:
        """Brush several pieces off the board, or all of them."""
        standing = list(each_square(self.pieces.occupancy))
        if len(standing) < _SWEPT:
            return
        for square in self.rng.sample(standing, self.rng.randint(_SWEPT, len(standing))):
            self.hands.brush_off(square)
            yield self.rng.randint(*_BETWEEN_SWEPT_MS)

    def _cut_power(self, occupancies: Collection[Squares]) -> Script:
        """Switch the power off for a while, and move pieces meanwhile."""
        self.power(False)
        self._disarray()
        while self.pieces.occupancy in occupancies:
            self._misplace()
        self.hands.update_switches()
        yield self.rng.randint(*_DARK_MS)
        self.power(True)

    def _disarray(self) -> None:
        for _ in range(self.rng.randint(1, _MAX_MOVED)):
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
            piece = self.pieces.pick_up(self.rng.choice(spare))
        self.pieces.put(self.rng.choice(empty), piece)

    def _might(self, chance: float) -> bool:
        return chance > 0 and self.rng.random() < chance
