"""Hall sensors: they turn the pieces on a square into readings of its field, with noise.

The field is that of discs of 3 x 1 mm, 5 mm above the sensor (docs/build/hall.md): the pieces have
unequal magnets, and each stands somewhere near the middle of its square. `HallSensors` passes
readings to the referee; `urpi.simulation.hall_bus` has what a driver reads.
"""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from urpi.referee.fields import SHARES, pole
from urpi.rules import ALL_SQUARES, Side, Square
from urpi.simulation.piece_layout import PieceLayout
from urpi.simulation.schedule import Schedule, Script

FieldSink: TypeAlias = Callable[[Square, int, int, Side | None], None]
"""Called with a square, its strength, the error, and the pole, as in the referee's `Field`."""

READINGS: Final = ((60, 15), (320, 5))
"""The milliseconds of rest after which a field is read, and the greatest error of that reading.

The error is in thousandths of a single piece: noise and steps of a 12-bit converter behind a
DRV5055A1, in a single scan, and as the mean of sixteen.
"""
CERTAIN: Final = 190
"""The strength from which the pole is certain, whatever stands on the squares around."""
MAGNETS: Final = (0.72, 1.41)
"""Strengths of the weakest and of the strongest magnet: size, remanence, warmth, tilt and felt."""
ASIDE: Final = (0.3, 0.69)
"""The share of its field that remains of a piece 4 mm off the middle, at the bottom and above."""


class SquareFields:
    """The fields on the squares: pieces have unequal magnets, and stand not quite in the middle.

    Args:
        rng: The randomness of magnets and places.
        layout: The pieces.
    """

    def __init__(self, rng: Random, layout: PieceLayout) -> None:
        self._rng, self._layout = rng, layout
        self._magnets: dict[str, float] = {}
        self._places: list[dict[str, float]] = [{} for _ in ALL_SQUARES]

    def strength(self, square: Square) -> float:
        """Return a square's strength, in thousandths of a single usual piece in the middle."""
        pieces, places, strength = self._layout.board[square], self._places[square], 0.0
        # Those that have not been lifted stay where they are.
        self._places[square] = {
            piece.name: places.get(piece.name) or self._rng.uniform(ASIDE[number > 0], 1.0)
            for number, piece in enumerate(pieces)
        }
        for share, piece in zip(SHARES, pieces, strict=False):
            shown = pole(piece.letter) if self._layout.two_faced else piece.side
            sign = 1 if shown is Side.LIGHT else -1
            place = self._places[square][piece.name]
            magnet = self._magnets.setdefault(piece.name, self._rng.uniform(*MAGNETS))
            strength += sign * share * magnet * place
        return strength


class HallSensors:
    """The sensors of a table's twenty squares.

    Args:
        schedule: The table's.
        rng: The randomness of magnets, places and noise.
        layout: The pieces.
        sink: Called with each reading.
    """

    def __init__(
        self, schedule: Schedule, rng: Random, layout: PieceLayout, sink: FieldSink
    ) -> None:
        self._schedule, self._rng, self._layout, self._sink = schedule, rng, layout, sink
        self._fields = SquareFields(rng, layout)
        self._seen = [""] * len(ALL_SQUARES)
        self._reads = [0] * len(ALL_SQUARES)
        """The number of changes of each square; a new one ends the readings of the previous one."""

    def follow(self) -> None:
        """Read the squares whose pieces have changed, once they have come to rest."""
        for square in ALL_SQUARES:
            pieces = self._layout.board[square]
            shown = " ".join(f"{piece.name}{piece.letter}" for piece in pieces)
            if shown != self._seen[square]:
                self._seen[square] = shown
                self._reads[square] += 1
                self._schedule.start(self._read(square, self._reads[square]))

    def _read(self, square: Square, change: int) -> Script:
        rested_ms = 0
        for at_ms, error in READINGS:
            yield at_ms - rested_ms
            rested_ms = at_ms
            if self._reads[square] != change:
                return
            read = round(self._fields.strength(square) + self._rng.uniform(-error, error))
            side = Side.LIGHT if read > 0 else Side.DARK
            self._sink(square, read, error, side if abs(read) >= CERTAIN else None)
