"""How each layer looks, the same in every format."""

from typing import Final, NamedTuple

from urpi.template.shapes import Layer


class Ink(NamedTuple):
    """A layer's colour, as red, green and blue to 255, and the number of AutoCAD nearest it."""

    colour: tuple[int, int, int]
    number: int


INKS: Final = {
    Layer.CUT: Ink((255, 0, 0), 1),
    Layer.ENGRAVE: Ink((0, 0, 255), 5),
    Layer.FILL: Ink((0, 0, 120), 4),
    Layer.DRILL: Ink((0, 140, 0), 3),
    Layer.CHANNEL: Ink((200, 0, 200), 6),
    Layer.GUIDE: Ink((110, 110, 110), 8),
}
LINE: Final = 0.2
"""Millimetres: fine enough to cut along, and seen on paper."""
