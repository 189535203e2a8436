"""Small pictures that explain a rule: a piece's move before and after, dice, pieces.

Each is a complete SVG document without text except numbers, in the same colours on light and dark
pages. `urpi.show.words.rules_pages` names the picture of each sentence.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.show.svg.elements import arrow_head, element, escaped
from urpi.show.svg.empty_board import ROSETTE_GROUND, SHELL, WOOD, motif_symbol
from urpi.show.svg.motifs import Motif
from urpi.show.svg.plan import PITCH

HEIGHT: Final = 74
FIELD: Final = PITCH - 2
TOP: Final = 26
"""Upper edge of the squares; above it a captured piece leaves."""
SQUARES: Final = 3
PANEL: Final = SQUARES * PITCH + 4
"""Width of the squares before or after a move."""
BETWEEN: Final = 34
WIDTH: Final = 2 * PANEL + BETWEEN
LINE: Final = "#d9480f"
GOOD: Final = "#1c7a3d"
LIGHT: Final = ("#fffdf6", "#5d4a33")
DARK: Final = ("#26242a", "#8a8274")
GREY: Final = "#808080"
RADIUS: Final = 10.5
"""Radius of a piece, which leaves some of the motif visible."""
MIDDLE: Final = TOP + 2 + FIELD / 2


def rule_picture(name: str) -> str:
    """Return a picture as an SVG document.

    Args:
        name: One of `NAMES`.
    """
    used = (Motif.ROSETTE, Motif.DOTS, Motif.EYES)
    return element(
        "svg",
        element("defs", *(motif_symbol(motif) for motif in used), arrow_head("head", fill=LINE)),
        *_PICTURES[name](),
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )


def _squares(left: float, *motifs: Motif) -> Iterator[str]:
    """Yield squares side by side on wood."""
    width = len(motifs) * PITCH + 4
    yield element("rect", x=left, y=TOP, width=width, height=PITCH + 4, rx=5, fill=WOOD)
    for number, motif in enumerate(motifs):
        place = {"x": left + 3 + number * PITCH, "y": TOP + 3, "width": FIELD, "height": FIELD}
        ground = ROSETTE_GROUND if motif is Motif.ROSETTE else SHELL
        yield element("rect", rx=1.5, fill=ground, **place)
        yield element("use", href=f"#ur-motif-{motif.value}", **place)


def _row(left: float, last: Motif) -> Iterator[str]:
    """Yield three squares, of which the last has a motif."""
    return _squares(left, Motif.DOTS, Motif.DOTS, last)


def _x(left: float, number: int) -> float:
    """Return the centre of a square, numbered from 0."""
    return left + 3 + number * PITCH + FIELD / 2


def _piece(x: float, colours: tuple[str, str], y: float = MIDDLE) -> str:
    fill, stroke = colours
    return element("circle", cx=x, cy=y, r=RADIUS, fill=fill, stroke=stroke, stroke_width=1.6)


def _arrow(x: float, to: float) -> str:
    way = f"M{x:g} {MIDDLE:g}Q{(x + to) / 2:g} {TOP - 14} {to - 12:g} {MIDDLE - 9:g}"
    return element("path", d=way, fill="none", stroke=LINE, stroke_width=3, marker_end="url(#head)")


def _cross(x: float, y: float) -> str:
    return element("path", d=f"M{x - 6:g} {y - 6:g}l12 12m0 -12l-12 12", stroke="#b3261e",
                   stroke_width=4, stroke_linecap="round")  # fmt: skip


def _then() -> str:
    """Return the sign between before and after."""
    left = PANEL + BETWEEN / 2 - 6
    return element("path", d=f"M{left:g} {MIDDLE - 9:g}l12 9l-12 9z", fill=GREY)


def _again(x: float) -> Iterator[str]:
    """Yield a die with an arrow round it: another throw."""
    yield from die(x, MIDDLE, 9)
    ring = f"M{x - 15:g} {MIDDLE + 10:g}A18 18 0 1 1 {x + 13:g} {MIDDLE + 13:g}"
    yield element("circle", cx=x, cy=MIDDLE, r=22, fill="#fffdf6", opacity=0.9)
    yield from die(x, MIDDLE, 9)
    yield element("path", d=ring, fill="none", stroke=LINE, stroke_width=3, marker_end="url(#head)")


def die(x: float, y: float, r: float, tip: str | None = None) -> Iterator[str]:
    """Yield a tetrahedron; `tip` is the colour of its upper tip."""
    top, foot = y - r, y + 0.75 * r
    yield element("path", d=f"M{x:g} {top:g}L{x + r:g} {foot:g}H{x - r:g}z", fill="#34405a",
                  stroke="#8390ab", stroke_width=1.2, stroke_linejoin="round")  # fmt: skip
    if tip:
        yield element("path", d=f"M{x:g} {top:g}l{r / 3:g} {r * 0.6:g}h{-2 * r / 3:g}z", fill=tip)


def _number(x: float, number: int) -> Iterator[str]:
    yield element("rect", x=x - 15, y=MIDDLE - 17, width=30, height=34, rx=6, fill="#fbf4e4")
    yield element("text", escaped(str(number)), x=x, y=MIDDLE + 9, font_size=26, font_weight=700,
                  font_family="system-ui, sans-serif", fill="#1f4e8c",
                  text_anchor="middle")  # fmt: skip


AFTER: Final = PANEL + BETWEEN
"""Left edge of the squares after the move."""


def _moves(last: Motif, *, enemy: bool) -> Iterator[str]:
    """Yield the squares before the move of a light piece to the last one."""
    yield from _row(0, last)
    if enemy:
        yield _piece(_x(0, 2), DARK)
    yield _piece(_x(0, 0), LIGHT)
    yield _arrow(_x(0, 0), _x(0, 2))
    yield _then()


def _captured() -> Iterator[str]:
    """Yield the piece on the last square, from which the enemy's has been sent away."""
    x = _x(AFTER, 2)
    yield _piece(x, LIGHT)
    yield _piece(x - 44, DARK, 12)
    way = f"M{x:g} {TOP:g}Q{x - 6:g} 10 {x - 27:g} 11"
    yield element("path", d=way, fill="none", stroke=LINE, stroke_width=2.4,
                  stroke_dasharray="4 3", marker_end="url(#head)")  # fmt: skip


def _rosette_again() -> Iterator[str]:
    yield from _moves(Motif.ROSETTE, enemy=False)
    yield from _row(AFTER, Motif.ROSETTE)
    yield _piece(_x(AFTER, 2), LIGHT)
    yield from _again(_x(AFTER, 0) + 8)


def _rosette_safe() -> Iterator[str]:
    yield from _moves(Motif.ROSETTE, enemy=True)
    yield _cross(_x(0, 1), TOP - 3)
    yield from _row(AFTER, Motif.ROSETTE)
    yield _piece(_x(AFTER, 0), LIGHT)
    yield _piece(_x(AFTER, 2), DARK)
    x, y = _x(AFTER, 2), MIDDLE
    yield element("circle", cx=x, cy=y, r=15, fill="none", stroke=GOOD, stroke_width=4)


def _rosette_open() -> Iterator[str]:
    yield from _moves(Motif.ROSETTE, enemy=True)
    yield from _row(AFTER, Motif.ROSETTE)
    yield from _captured()


def _capture_again() -> Iterator[str]:
    yield from _moves(Motif.DOTS, enemy=True)
    yield from _row(AFTER, Motif.DOTS)
    yield from _captured()
    yield from _again(_x(AFTER, 0) + 8)


def _four_again() -> Iterator[str]:
    yield from _number(PANEL / 2, 4)
    yield _then()
    yield from _again(AFTER + PANEL / 2)


def _none(value: int) -> Iterator[str]:
    """Yield three dice without a marked tip, and what they count."""
    for number in range(3):
        yield from die(24 + 38 * number, MIDDLE + 2, 17, "#6b7894")
    yield _then()
    yield from _number(AFTER + PANEL / 2, value)


def _pieces(count: int) -> Iterator[str]:
    for side, y in ((DARK, 22), (LIGHT, 52)):
        for number in range(count):
            yield _piece(20 + 34 * number, side, y)


def _camp() -> Iterator[str]:
    yield from _row(0, Motif.EYES)
    yield _piece(_x(0, 2), LIGHT)
    yield _piece(_x(0, 0), LIGHT)
    yield _arrow(_x(0, 0), _x(0, 2))
    yield _then()
    yield from _row(AFTER, Motif.EYES)
    yield _piece(_x(AFTER, 2), LIGHT, MIDDLE + 4)
    yield _piece(_x(AFTER, 2), LIGHT, MIDDLE - 3)


def _tower() -> Iterator[str]:
    yield from _moves(Motif.DOTS, enemy=True)
    yield from _row(AFTER, Motif.DOTS)
    yield _piece(_x(AFTER, 2), DARK, MIDDLE + 5)
    yield _piece(_x(AFTER, 2), LIGHT, MIDDLE - 3)


def _forts() -> Iterator[str]:
    left = (WIDTH - 4 * PITCH - 4) / 2
    yield from _squares(left, *[Motif.ROSETTE] * 4)
    for number in range(4):
        yield _piece(_x(left, number), LIGHT)


_PICTURES: Final[Mapping[str, Callable[[], Iterator[str]]]] = MappingProxyType(
    {
        "rosette-again": _rosette_again,
        "rosette-safe": _rosette_safe,
        "rosette-open": _rosette_open,
        "capture-again": _capture_again,
        "four-again": _four_again,
        "none-0": lambda: _none(0),
        "none-4": lambda: _none(4),
        "pieces-3": lambda: _pieces(3),
        "pieces-5": lambda: _pieces(5),
        "pieces-7": lambda: _pieces(7),
        "camp": _camp,
        "tower": _tower,
        "forts": _forts,
    }
)
NAMES: Final = tuple(_PICTURES)
"""The names of the pictures."""
