"""The dimensions of a board in millimetres: defaults, their reasons, and valid ranges. Pure."""

from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from urpi.core.errors import UrpiError


class MeasureRange(NamedTuple):
    """Valid range of a measure, both ends included."""

    low: float
    high: float


SQUARE: Final = MeasureRange(30, 120)
"""Below 30 mm no wall remains between channels and reeds; a board of 120 mm is 1 m long."""

RANGES: Final = {
    "square": SQUARE,
    "rim": MeasureRange(6, 60),
    "reed_hole": MeasureRange(2.2, 8),
    "reed_right": MeasureRange(-20, 20),
    "reed_down": MeasureRange(-20, 20),
    "wire": MeasureRange(0.3, 2),
    "channel": MeasureRange(3, 20),
    "channel_depth": MeasureRange(3, 15),
    "button": MeasureRange(5, 30),
}


class Oled(NamedTuple):
    """A display module: size of its board and of its active area, width and height each."""

    board: tuple[float, float]
    seen: tuple[float, float]


OLEDS: Final = {
    "0.96": Oled(board=(27.3, 27.8), seen=(21.74, 10.86)),
    "1.3": Oled(board=(35.4, 33.5), seen=(29.42, 14.70)),
    "2.42": Oled(board=(72.0, 43.5), seen=(55.01, 27.49)),
}
"""Modules of 128 x 64 pixels with four pins, by the diagonal in inches.

`seen` is the active area according to the data sheets (UG-2864HSWEG01, 1.3 inch SH1106,
UG-2864ASYPG01). Boards differ by a millimetre between manufacturers, and those of 2.42 inches more:
measure yours.
"""


@dataclass(frozen=True, slots=True)
class Measures:
    """The dimensions that can be chosen, in millimetres.

    Raises:
        UrpiError: if one is out of its range (`RANGES`).
    """

    square: float = 50.0
    rim: float = 10.0
    """Width of the wood around the squares."""
    reed_hole: float = 4.0
    """Diameter of a reed's hole. An upright glass of 2 mm x 14 mm with its upper lead (0.6 mm) bent
    back down beside it in a sleeve (0.3 mm per side) is 3.2 mm wide; 4 mm leave some clearance."""
    reed_right: float = 0.0
    reed_down: float = 0.0
    """Position of the reed relative to the centre of its square. In the centre the field of an
    axial magnet runs along the glass, so the switch closes in one circular zone; a horizontal
    glass would open in the centre."""
    wire: float = 1.1
    """Diameter of a wire with insulation; the default is hook-up wire of 0.14 mm2."""
    channel: float = 6.0
    """Width of the channels: a common router bit."""
    channel_depth: float = 6.0
    """Depth of the channels. It leaves 12 mm of an 18 mm plate for a glass of 14 mm."""
    button: float = 12.0
    """Diameter of a button's hole; the default is for an M12 thread."""
    oled: str | None = "1.3"
    """A key of `OLEDS`; None for no window."""
    buttons: bool = True
    chutes: bool = False
    """Whether there are finish chutes in place of A6 and C6, where the notches are then not cut."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name in RANGES:
                _check(field.name, getattr(self, field.name))
        if self.oled is not None and self.oled not in OLEDS:
            message = (
                f"An OLED of {self.oled!r} inch is not supported; choose {' or '.join(OLEDS)}."
            )
            raise UrpiError(message)

    @property
    def chute(self) -> float:
        """Diameter of a chute. Pieces are up to 0.6 of a square wide and fall with clearance."""
        return 0.68 * self.square


def option_of(name: str) -> str:
    """Return the command-line option of a measure."""
    return "--" + name.replace("_", "-")


def _check(name: str, value: float) -> None:
    low, high = RANGES[name]
    if not low <= value <= high:
        message = f"{option_of(name)} is {value:g} mm; allowed are {low:g} to {high:g} mm."
        raise UrpiError(message)
