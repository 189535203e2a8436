"""Dice: a tetrahedron seen from above with its upper tip, or the upper face of a cube."""

from typing import Final

from urpi.show.pictures.antialiasing import AntialiasedSheet, Pen, Point

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
