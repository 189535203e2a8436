"""The measures of a board in millimetres: their defaults, why, and what they may be. Pure."""

from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from urpi.errors import UrpiError


class Range(NamedTuple):
    """What a measure may be, both ends included."""

    least: float
    most: float


SQUARE: Final = Range(30, 120)
"""Below 30 mm the channels have no wall left beside the reeds; a 120 mm board is 1 m long."""

RANGES: Final = {
    "square": SQUARE,
    "rim": Range(6, 60),
    "reed_hole": Range(2.2, 8),
    "reed_right": Range(-20, 20),
    "reed_down": Range(-20, 20),
    "wire": Range(0.3, 2),
    "channel": Range(3, 20),
    "channel_depth": Range(3, 15),
    "button": Range(5, 30),
}


class Oled(NamedTuple):
    """A display's module: its board, and what is seen of its glass, width and height each."""

    board: tuple[float, float]
    seen: tuple[float, float]


OLEDS: Final = {
    "0.96": Oled(board=(27.3, 27.8), seen=(21.74, 10.86)),
    "1.3": Oled(board=(35.4, 33.5), seen=(29.42, 14.70)),
}
"""128x64 modules with four pins. `seen` is the active area that the glasses' data sheets give
(UG-2864HSWEG01, 1.3 inch SH1106); boards differ by a millimetre between makers: measure yours."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What a maker may choose; everything in millimetres.

    Raises:
        UrpiError: when one is out of its range (`RANGES`).
    """

    square: float = 50.0
    rim: float = 10.0
    """Wood around the squares."""
    reed_hole: float = 4.0
    """A standing glass of 2 mm x 14 mm, its upper lead bent back down beside it (0.6 mm) in a
    sleeve (0.3 mm a side), makes 3.2 mm; the drill for it with some air is 4 mm."""
    reed_right: float = 0.0
    reed_down: float = 0.0
    """From a square's middle. There the field of an axial magnet runs along the glass: one round
    zone in which it closes, and none in the middle in which it opens, as a lying glass has."""
    wire: float = 1.1
    """Over the insulation: hook-up wire of 0.14 mm2."""
    channel: float = 6.0
    """The channels' width: a common router bit."""
    channel_depth: float = 6.0
    """Two thirds go into an 18 mm board: 12 mm are left, and hold most of a 14 mm glass."""
    button: float = 12.0
    """The hole for a panel button with an M12 thread."""
    oled: str | None = "1.3"
    """A key of `OLEDS`; None for no window."""
    buttons: bool = True
    chutes: bool = False
    """Finish chutes where A6 and C6 would be; the wood stays in both notches then."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name in RANGES:
                _check(field.name, getattr(self, field.name))
        if self.oled is not None and self.oled not in OLEDS:
            message = f"There is no OLED of {self.oled!r} inch here; choose {' or '.join(OLEDS)}."
            raise UrpiError(message)

    @property
    def chute(self) -> float:
        """A chute's diameter: pieces fill up to 0.6 of a square, and fall with room around."""
        return 0.68 * self.square


def option_of(name: str) -> str:
    """How the command line calls a measure."""
    return "--" + name.replace("_", "-")


def _check(name: str, value: float) -> None:
    least, most = RANGES[name]
    if not least <= value <= most:
        message = f"{option_of(name)} is {value:g} mm; it may be {least:g} to {most:g} mm."
        raise UrpiError(message)
