"""Colour of each layer and the line width, the same in every format."""

from typing import Final, NamedTuple

from urpi.hardware.template.shapes import DrawingLayer


class Colour(NamedTuple):
    """A colour as red, green and blue, 0 to 255, and the number of the closest AutoCAD colour."""

    rgb: tuple[int, int, int]
    number: int


COLOURS: Final = {
    DrawingLayer.CUT: Colour((255, 0, 0), 1),
    DrawingLayer.ENGRAVE: Colour((0, 0, 255), 5),
    DrawingLayer.FILL: Colour((0, 0, 120), 4),
    DrawingLayer.DRILL: Colour((0, 140, 0), 3),
    DrawingLayer.CHANNEL: Colour((200, 0, 200), 6),
    DrawingLayer.GUIDE: Colour((110, 110, 110), 8),
}
LINE: Final = 0.2
"""Line width in millimetres: thin enough to cut along, but visible on paper."""
