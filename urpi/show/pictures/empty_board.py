"""The empty board as shapes, in the colours of its vector graphics."""

from collections.abc import Container
from functools import partial
from typing import Final

from urpi.rules import ALL_SQUARES, Square
from urpi.rules.board import ROSETTES
from urpi.show.pictures.antialiasing import AntialiasedSheet, Pen
from urpi.show.svg import plan
from urpi.show.svg.empty_board import ETCHED, FIELD, LINE, ROSETTE_GROUND, SHELL, STONES, WOOD
from urpi.show.svg.motifs import MotifCircle, MotifShape, motif_of, shapes_of

CUT_OUT: Final = "#665c4d"
"""Colour of the columns' names in the notches."""
_CORNER: Final = 7
_INLAID: Final = LINE / 100
"""Line width of a motif whose square is 1 wide."""


def draw_board(sheet: AntialiasedSheet, motifs: Container[Square] = ALL_SQUARES) -> None:
    """Draw wood, squares, the motifs of some squares, by default all, and the lines' names."""
    sheet.shapes((0, 0, plan.WIDTH, plan.HEIGHT), _draw_wood)
    for square in ALL_SQUARES:
        left, top = plan.corner(square)
        box = (left, top, left + plan.PITCH, top + plan.PITCH)
        sheet.shapes(box, partial(_draw_square, square))
        if square in motifs:
            sheet.shapes(box, partial(_draw_motif, square))
    _draw_names(sheet)


def _draw_wood(pen: Pen) -> None:
    left, right = plan.GAP_LEFT + plan.RIM, plan.GAP_RIGHT - plan.RIM
    top, bottom = plan.TOP + plan.PITCH - plan.RIM, plan.TOP + 2 * plan.PITCH + plan.RIM
    pen.box((0, 0, left, plan.HEIGHT), WOOD, _CORNER)
    pen.box((right, 0, plan.WIDTH, plan.HEIGHT), WOOD, _CORNER)
    pen.box((left - _CORNER, top, right + _CORNER, bottom), WOOD)


def _draw_square(square: Square, pen: Pen) -> None:
    left, top = plan.corner(square)
    x, y = left + 1, top + 1
    ground = ROSETTE_GROUND if square in ROSETTES else SHELL
    pen.box((x, y, x + FIELD, y + FIELD), ground, 1.5)


def _draw_motif(square: Square, pen: Pen) -> None:
    left, top = plan.corner(square)
    for shape in shapes_of(motif_of(square)):
        _draw_shape(pen, shape, left + 1, top + 1)


def _draw_shape(pen: Pen, shape: MotifShape, left: float, top: float) -> None:
    colour, width = STONES[shape.inlay], _INLAID * FIELD
    if isinstance(shape, MotifCircle):
        centre, r = (left + FIELD * shape.x, top + FIELD * shape.y), FIELD * shape.r
        if shape.filled:
            pen.disc(centre, r, colour)
        else:
            pen.circle(centre, r, colour, width)
        return
    points = [(left + FIELD * x, top + FIELD * y) for x, y in shape.points]
    if shape.filled:
        pen.polygon(points, colour)
    else:
        pen.line([*points, points[0]], colour, width)


def _draw_names(sheet: AntialiasedSheet) -> None:
    letters = sheet.letters(11)
    for number, row in enumerate(plan.ROWS):
        y = plan.TOP + (number + 0.5) * plan.PITCH
        sheet.text_around((plan.LEFT / 2, y), row, letters, ETCHED)
    for column in range(1, 9):
        bridge = column in {5, 6}
        x = plan.LEFT + (column - 0.5) * plan.PITCH
        y = plan.TOP + plan.PITCH - plan.RIM - 9 if bridge else plan.TOP / 2
        sheet.text_around((x, y), str(column), letters, CUT_OUT if bridge else ETCHED)
