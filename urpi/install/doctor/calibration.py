"""The calibration of the Hall sensors: the empty board, and a piece on each square. Pure.

Readings and their times are passed in; `Calibration` decides what to request next. All times are
whole milliseconds.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from urpi.hardware.finding import Finding, broken, poor, right
from urpi.hardware.hall_square import NOISE
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square

STILL: Final = 25
"""Readings of a square, 20 ms apart, that must be equal but for noise."""
PATIENCE_MS: Final = 30_000
"""Timeout for a square that does not react."""
LEAST: Final = 4
"""How many times the noise a piece changes a reading at least."""
WEAK: Final = 16
"""Below this many times the noise the sides are told apart in the middle of a square only."""
_AREA: Final = "hall"


class Calibration:
    """A calibration of all squares, which begins with the empty board.

    Args:
        full: The number of values that a reading can have.
        now: The time of the start.
    """

    def __init__(self, full: int, now: int) -> None:
        self._noise = NOISE * full + 1
        self._recent: list[deque[int]] = [deque(maxlen=STILL) for _ in ALL_SQUARES]
        self.empty: tuple[int, ...] = ()
        """Each reading without a piece, once all have been still."""
        self.pieces: dict[Square, int] = {}
        """How much a light piece adds to each square's reading."""
        self.faults: dict[Square, Square | None] = {}
        """The square that reacted in place of another one; None if none did."""
        self.dark: tuple[Square, int] | None = None
        """Where the dark piece was put, and what it adds."""
        self.done = False
        self._since = now
        self._waits_for: Square | None = None

    @property
    def instruction(self) -> str:
        """What the person at the board has to do."""
        if not self.empty:
            return "Leave the board empty."
        tried = len(self.pieces) + len(self.faults)
        if tried < len(ALL_SQUARES):
            return f"Put a light piece in the middle of {SQUARE_NAMES[tried]}."
        return "Take it off, and put a dark piece in the middle of any square."

    def on_reading(self, t: int, square: Square, reading: int) -> None:
        """Record a reading; after that of the last square of a scan, advance."""
        self._recent[square].append(reading)
        if square == ALL_SQUARES[-1] and not self.done:
            self._advance(t)

    def _advance(self, t: int) -> None:
        if not self.empty:
            if all(map(self._is_still, ALL_SQUARES)):
                self.empty, self._since = tuple(map(self._mean, ALL_SQUARES)), t
            elif t - self._since >= PATIENCE_MS:
                self.done = True
            return
        found = max(ALL_SQUARES, key=lambda each: abs(self._added(each)))
        is_there = abs(self._added(found)) >= LEAST * self._noise
        # The piece of the last square must have left it.
        if is_there and found == self._waits_for:
            self._since = t
        elif is_there and self._is_still(found):
            self._take(t, found, self._added(found))
        elif t - self._since >= PATIENCE_MS:
            self._take(t, None, 0)

    def _take(self, t: int, found: Square | None, added: int) -> None:
        square = len(self.pieces) + len(self.faults)
        self._since, self._waits_for = t, found
        if square == len(ALL_SQUARES):
            self.dark = None if found is None else (found, added)
            self.done = True
        elif found == square:
            self.pieces[square] = added
        else:
            self.faults[square] = found

    def _is_still(self, square: Square) -> bool:
        recent = self._recent[square]
        return len(recent) == STILL and max(recent) - min(recent) <= 3 * self._noise

    def _mean(self, square: Square) -> int:
        return round(fmean(self._recent[square]))

    def _added(self, square: Square) -> int:
        return self._mean(square) - self.empty[square]

    @property
    def has_opposite_poles(self) -> bool:
        """Whether the dark piece shows the other pole than the light one."""
        if self.dark is None:
            return False
        square, added = self.dark
        return self.pieces.get(square, -added) * added < 0

    @property
    def is_right(self) -> bool:
        """Whether every square is calibrated and the sides have opposite poles."""
        return len(self.pieces) == len(ALL_SQUARES) and self.has_opposite_poles

    @property
    def noise(self) -> float:
        """Half the noise of a reading from peak to peak, and a step."""
        return self._noise


def findings(found: Calibration, dead: Sequence[Square]) -> Iterator[Finding]:
    """Yield what a calibration has shown.

    Args:
        found: The calibration.
        dead: The squares whose reading is at an end of the supply.
    """
    for square in sorted(dead):
        yield broken(
            _AREA,
            f"the Hall sensor of {SQUARE_NAMES[square]} is dead",
            "Check its three wires: 3.3 V, ground and output.",
        )
    if not found.empty and not dead:
        yield broken(
            _AREA,
            "the readings of the empty board are not still",
            "Look for a loose wire, and for a magnet or a loudspeaker that moves nearby.",
        )
    for square, other in found.faults.items():
        if square not in dead:
            yield _fault(SQUARE_NAMES[square], other)
    for square, added in found.pieces.items():
        if abs(added) < WEAK * found.noise:
            yield poor(
                _AREA,
                f"the Hall sensor of {SQUARE_NAMES[square]} sees a piece weakly",
                "Bring it closer to the top, or use stronger magnets or a more sensitive sensor.",
            )
    if found.done and found.empty and not found.has_opposite_poles:
        yield broken(
            _AREA,
            "a dark piece does not show the opposite pole of a light one",
            "Turn the magnets of one side over: light's and dark's must have opposite poles up.",
        )
    yield right(_AREA, f"{len(found.pieces)} of {len(ALL_SQUARES)} Hall sensors react")


def _fault(name: str, other: Square | None) -> Finding:
    if other is None:
        cure = "Check its wires, and that the piece has a magnet; otherwise replace the sensor."
        return broken(_AREA, f"the Hall sensor of {name} does not react", cure)
    found = f"the Hall sensor of {SQUARE_NAMES[other]} reacts instead of that of {name}"
    return broken(_AREA, found, "Exchange the wires of their outputs at the converters.")
