"""A card: the board with a position, both players, the throw and what happened.

The card is 400 by 210 units, the shape of the pictures that messengers and forums show beside a
link. Dice are seen from above: a tetrahedron with its upper tip, or the upper face of a cube.
"""

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import partial
from math import atan2, cos, sin
from typing import Final

from PIL import Image

from urpi.rules import ALL_SQUARES, HAND, OFF, Move, Position, Side, Square, owner
from urpi.rules.board import ROSETTES, Pile, turned
from urpi.show.pictures.antialiasing import AntialiasedSheet, Box, Pen, Point
from urpi.show.svg import plan
from urpi.show.svg.empty_board import ETCHED, FIELD, LINE, ROSETTE_GROUND, SHELL, STONES, WOOD
from urpi.show.svg.motifs import MotifCircle, MotifShape, motif_of, shapes_of
from urpi.show.svg.themes import LAPIS, MARKED, PLAIN, THEMES

DIE: Final = 17
"""Width and height of a die in units."""
_SEEN: Final = 48
"""Width and height of the coordinates below, which are those of the page's dice."""
_BODY: Final = "#34405a"
_LIT: Final = "#4b5a7c"
_SHADE: Final = "#28324a"
_TIPS: Final = {"g": "#f0b63a", "s": "#dfe5ee"}
_BLANK: Final = "#46536f"
_PIP: Final = "#fffaf0"
_PIPS: Final = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw_die(sheet: AntialiasedSheet, at: Point, face: str) -> None:
    """Draw a die with its upper left corner `at`.

    Args:
        sheet: The picture.
        at: A point in units.
        face: ``g``, ``s`` or ``-`` for the tip of a tetrahedron, ``1`` to ``6`` for a cube.
    """
    x, y = at

    def point(across: float, down: float) -> Point:
        return x + across * DIE / _SEEN, y + down * DIE / _SEEN

    def tetrahedron(pen: Pen) -> None:
        pen.polygon([point(24, 4), point(45, 41), point(3, 41)], _BODY)
        pen.polygon([point(24, 4), point(24, 29), point(3, 41)], _LIT)
        pen.polygon([point(3, 41), point(24, 29), point(45, 41)], _SHADE)
        tip = [point(24, 15), point(35, 35), point(13, 35)]
        pen.polygon(tip, _TIPS.get(face, _BLANK))

    def cube(pen: Pen) -> None:
        pen.box((*point(5, 5), *point(43, 43)), _BODY, 3)
        for across, down in _PIPS[face]:
            pen.disc(point(24 + 10 * across, 24 + 10 * down), 1.5, _PIP)

    sheet.shapes((x, y, x + DIE, y + DIE), cube if face in _PIPS else tetrahedron)


WIDTH: Final = 400
HEIGHT: Final = 210
_MARGIN: Final = (WIDTH - plan.WIDTH) / 2
"""Distance of the board from the left and the right edge."""
_PLATE: Final = 20
"""Height of a player's line."""
_TOP: Final = 22
"""Distance of the board from the upper edge."""
_DARK_LINE: Final = -_TOP / 2
_LIGHT_LINE: Final = plan.HEIGHT + _PLATE / 2 + 1
_CAPTION_LINE: Final = HEIGHT - _TOP - 11

_PAPER: Final = "#f6f1e7"
_INK: Final = "#241f19"
_DIM: Final = "#665c4d"
_FACES: Final = {Side.LIGHT: "#fffdf6", Side.DARK: "#26242a"}
_EDGES: Final = {Side.LIGHT: "#5d4a33", Side.DARK: "#0b0a0c"}
_RINGS: Final = {Side.LIGHT: "#c6b596", Side.DARK: "#6d6875"}
_DOTS: Final = {Side.LIGHT: "#a83a28", Side.DARK: "#f0b455"}
_COUNT: Final = "#a33107"
_SPOTS: Final = ((0, 0), (-5, -5), (5, -5), (-5, 5), (5, 5))
_R: Final = 13
_STEP_UP: Final = 4
_MAX_DRAWN: Final = 4
"""Maximum number of pieces of a pile that are drawn; a number shows its height."""
CUT_OUT: Final = "#665c4d"
"""Colour of the columns' names in the notches."""
_CORNER: Final = 7
_INLAID: Final = LINE / 100
"""Line width of a motif whose square is 1 wide."""


@dataclass(frozen=True, slots=True)
class CardLabels:
    """The labels of the pieces off the board; `off` is empty if none leaves it."""

    hand: str
    off: str


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a card.

    Attributes:
        position: The position.
        names: The names of light and dark.
        moved: The move that led to the position, drawn as an arrow.
        faces: The faces of the throw, may be empty.
        caption: What happened.
        turn: The side whose name is marked.
    """

    position: Position
    names: tuple[str, str]
    moved: Move | None = None
    faces: str = ""
    caption: str = ""
    turn: Side | None = None


class CardPainter:
    """Paints cards of one size. The empty board is drawn once.

    Args:
        width: The width of a card in pixels; the height is 21/40 of it.
        labels: The labels of the pieces off the board.
        theme: One of `THEMES`.
    """

    def __init__(self, width: int, labels: CardLabels, theme: str = LAPIS) -> None:
        self._labels = labels
        scale, origin = width / WIDTH, (-_MARGIN, -_TOP)
        self._empty = AntialiasedSheet.blank((WIDTH, HEIGHT), scale, origin, _PAPER, THEMES[theme])
        draw_board(self._empty, ROSETTES if theme == PLAIN else ALL_SQUARES)

    def paint(self, card: Card) -> Image.Image:
        """Return the picture of a card in mode ``RGB``."""
        sheet = self._empty.copy()
        for side in Side:
            self._plate(sheet, card, side)
        if card.moved is not None:
            _mark_target(sheet, card.moved)
        for square in ALL_SQUARES:
            if pile := card.position.board[square]:
                _draw_pile(sheet, plan.centre(square), pile)
        if card.moved is not None:
            _draw_arrows(sheet, card.moved)
        _draw_caption(sheet, card)
        return sheet.image

    def sample(self, card: Card) -> Image.Image:
        """Return a picture with all colours of cards, to choose a palette from."""
        sheet = replace(self._empty, image=self.paint(card))
        pieces = ("L", "D", "l", "d")
        for square, piece in zip(ALL_SQUARES, 3 * pieces, strict=False):
            _draw_pile(sheet, plan.centre(square), piece)
        for x, face in enumerate("gs-16"):
            draw_die(sheet, (x * (DIE + 2), _CAPTION_LINE - DIE / 2), face)
        (x0, y0), (x1, y1) = plan.centre(ALL_SQUARES[0]), plan.centre(ALL_SQUARES[-1])
        _draw_arrow(sheet, [(x0, y0), (x1, y1)])
        return sheet.image

    def _plate(self, sheet: AntialiasedSheet, card: Card, side: Side) -> None:
        y = _LIGHT_LINE if side is Side.LIGHT else _DARK_LINE
        letters = sheet.letters(12)
        score = self._score(card.position, side)
        room = plan.WIDTH - 24 - letters.width(score) / sheet.scale
        if card.turn is side:
            box = (-8, y - _PLATE / 2 + 1, -4, y + _PLATE / 2 - 1)
            sheet.shapes(box, lambda pen: pen.box(box, MARKED, 1.5))
        _draw_disc(sheet, (8, y), side, 6)
        name = sheet.shortened(card.names[side.number], letters, room)
        sheet.text((20, y), name, letters, _INK)
        sheet.text_before((plan.WIDTH, y), score, letters, _DIM)

    def _score(self, position: Position, side: Side) -> str:
        hand, off = position.hand[side.number], position.off[side.number]
        left = [f"{self._labels.off} {off}"] if self._labels.off else []
        return " \N{MIDDLE DOT} ".join([f"{self._labels.hand} {hand}", *left])


def _draw_caption(sheet: AntialiasedSheet, card: Card) -> None:
    letters = sheet.letters(12)
    x = 0.0
    for face in card.faces:
        draw_die(sheet, (x, _CAPTION_LINE - DIE / 2), face)
        x += DIE + 2
    x += 4 if card.faces else 0
    caption = sheet.shortened(card.caption, letters, plan.WIDTH - x)
    sheet.text((x, _CAPTION_LINE), caption, letters, _INK)


def _draw_disc(sheet: AntialiasedSheet, centre: Point, side: Side, r: float) -> None:
    x, y = centre

    def draw(pen: Pen) -> None:
        pen.disc(centre, r, _EDGES[side])
        pen.disc(centre, r - 1, _FACES[side])

    sheet.shapes((x - r - 1, y - r - 1, x + r + 1, y + r + 1), draw)


def _draw_pile(sheet: AntialiasedSheet, centre: Point, pile: Pile) -> None:
    x, y = centre
    drawn = pile[-_MAX_DRAWN:]
    for height, piece in enumerate(drawn):
        up = _STEP_UP * (height - (len(drawn) - 1) / 2)
        _draw_piece(sheet, (x, y - up), piece)
    if len(pile) > 1:
        _draw_count(sheet, (x + 12, y + 11), len(pile))


def _draw_count(sheet: AntialiasedSheet, centre: Point, count: int) -> None:
    x, y = centre
    sheet.shapes((x - 8, y - 8, x + 8, y + 8), lambda pen: pen.disc(centre, 7, _COUNT))
    sheet.text_around(centre, str(count), sheet.letters(11), _FACES[Side.LIGHT])


def _draw_piece(sheet: AntialiasedSheet, centre: Point, piece: str) -> None:
    side = owner(piece)
    assert side is not None
    x, y = centre

    def draw(pen: Pen) -> None:
        pen.disc((x, y + 1.4), _R, _EDGES[side])
        pen.disc(centre, _R, _EDGES[side])
        pen.disc(centre, _R - 1, _FACES[side])
        pen.circle(centre, _R - 3.6, _RINGS[side], 1)
        if turned(piece):
            for dx, dy in _SPOTS:
                pen.disc((x + dx, y + dy), 1.9, _DOTS[side])

    sheet.shapes((x - _R - 1, y - _R - 1, x + _R + 1, y + _R + 3), draw)


def _mark_target(sheet: AntialiasedSheet, move: Move) -> None:
    for part in move.parts:
        stops = [stop.square for stop in part.stops if stop.square != OFF]
        if stops:
            left, top = plan.corner(stops[-1])
            box = (left, top, left + plan.PITCH, top + plan.PITCH)
            sheet.shapes(box, partial(_draw_frame, box))


def _draw_frame(box: Box, pen: Pen) -> None:
    pen.frame(box, MARKED, 3, 2)


def _draw_arrows(sheet: AntialiasedSheet, move: Move) -> None:
    for part in move.parts:
        stops = [stop.square for stop in part.stops if stop.square != OFF]
        way = [plan.centre(square) for square in (part.origin, *stops) if square != HAND]
        if part.target == OFF:
            x, y = way[-1]
            out = 0.8 * plan.PITCH
            way.append((x, y + (out if y > plan.TOP + plan.PITCH else -out)))
        if len(way) > 1:
            _draw_arrow(sheet, way)


def _draw_arrow(sheet: AntialiasedSheet, way: list[Point]) -> None:
    (x0, y0), (x1, y1) = way[-2:]
    turn = atan2(y1 - y0, x1 - x0)
    neck = (x1 - 9 * cos(turn), y1 - 9 * sin(turn))
    wings = [(neck[0] - 6 * s * sin(turn), neck[1] + 6 * s * cos(turn)) for s in (-1, 1)]

    def draw(pen: Pen) -> None:
        line = [*way[:-1], neck]
        pen.line(line, "#fffaf0", 5)
        pen.line(line, MARKED, 3)
        pen.polygon([(x1, y1), *wings], MARKED)

    xs, ys = [x for x, _ in way], [y for _, y in way]
    sheet.shapes((min(xs) - 8, min(ys) - 8, max(xs) + 8, max(ys) + 8), draw)


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
