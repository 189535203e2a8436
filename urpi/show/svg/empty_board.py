"""A picture of the empty board: wood, shell, lapis and limestone, with optional trays.

Colours are attributes, which a style sheet can override. The picture needs no style sheet, so it
suits files and pages whose content security policy forbids inline styles.
"""

from collections.abc import Iterator
from typing import Final

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, Square
from urpi.rules.board import ROSETTES
from urpi.show.svg import plan
from urpi.show.svg.elements import element, escaped
from urpi.show.svg.motifs import Inlay, Motif, MotifCircle, MotifShape, motif_of, shapes_of
from urpi.show.svg.plan import GAP_LEFT, GAP_RIGHT, HEIGHT, LEFT, PITCH, RIM, ROWS, TOP, WIDTH

WOOD: Final = "#3f2a1a"
SHELL: Final = "#f4e8cf"
ROSETTE_GROUND: Final = "#fbf4e4"
ETCHED: Final = "#e8d6b0"
STONES: Final = {Inlay.LAPIS: "#1f4e8c", Inlay.RED: "#a83a28"}
FINE: Final = 100
"""Size of a motif's unit square in the drawing, which keeps its numbers short."""
LINE: Final = 1.8
"""Line width of a motif, in the same units."""
FIELD: Final = PITCH - 2
"""Side of a square. A thin line of wood remains between two squares."""


def board_svg(*content: str, trays: bool = True) -> str:
    """Return the empty board as an SVG document.

    Each square is a group with the attributes `data-square`, its name, and `data-motif`; its
    origin is its upper left corner. The squares of a row are in a group with `data-row`, dark's
    row first. Each tray is a group with `data-place`, such as ``hand:light``.

    Args:
        content: elements to draw on the board.
        trays: draw the trays beside the board, as by default.
    """
    top, height = (plan.TABLE_TOP, plan.TABLE_HEIGHT) if trays else (0, HEIGHT)
    return element(
        "svg",
        motif_symbols(),
        *(_trays() if trays else ()),
        empty_board(),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 {top} {WIDTH} {height}",
        class_="ur-table",
    )


def motif_symbols() -> str:
    """Return the definitions of the six motifs. They draw nothing themselves."""
    return element("defs", *(motif_symbol(motif) for motif in Motif))


def empty_board() -> str:
    """Return wood, squares and names of rows and columns; requires `motif_symbols` in the page."""
    return element(
        "g",
        element("path", d=_outline(), class_="ur-frame", fill=WOOD),
        *(_row(row) for row in ROWS),
        *_names(),
        class_="ur-board",
    )


def _outline() -> str:
    """Return the outline of the wood, with rounded corners."""
    r, notch_top = 7, TOP + PITCH - RIM
    notch_bottom, inner = TOP + 2 * PITCH + RIM, 4
    corner = f"a{r} {r} 0 0 1"
    into = f"a{inner} {inner} 0 0 0"
    return (
        f"M{r} 0H{GAP_LEFT + RIM - r}{corner} {r} {r}V{notch_top - inner}{into} {inner} {inner}"
        f"H{GAP_RIGHT - RIM - inner}{into} {inner} {-inner}V{r}{corner} {r} {-r}"
        f"H{WIDTH - r}{corner} {r} {r}V{HEIGHT - r}{corner} {-r} {r}"
        f"H{GAP_RIGHT - RIM + r}{corner} {-r} {-r}V{notch_bottom + inner}"
        f"{into} {-inner} {-inner}H{GAP_LEFT + RIM + inner}{into} {-inner} {inner}"
        f"V{HEIGHT - r}{corner} {-r} {r}H{r}{corner} {-r} {-r}V{r}{corner} {r} {-r}z"
    )


def _row(row: str) -> str:
    squares = (_field(square) for square in ALL_SQUARES if SQUARE_NAMES[square][0] == row)
    return element("g", *squares, data_row=row)


def _field(square: Square) -> str:
    left, top = plan.corner(square)
    rosette, name = square in ROSETTES, SQUARE_NAMES[square]
    ground = element(
        "rect",
        width=FIELD,
        height=FIELD,
        rx=1.5,
        class_="ur-field ur-rosette" if rosette else "ur-field",
        fill=ROSETTE_GROUND if rosette else SHELL,
    )
    motif = motif_of(square).value
    drawn = element("use", href=f"#ur-motif-{motif}", width=FIELD, height=FIELD, class_="ur-motif")
    return element(
        "g",
        ground,
        drawn,
        class_="ur-square",
        transform=f"translate({left + 1:g} {top + 1:g})",
        data_square=name,
        data_motif=motif,
    )


def motif_symbol(motif: Motif) -> str:
    """Return the definition of a motif, ``ur-motif-`` and its name. It draws nothing itself."""
    shapes = "".join(_shape(shape) for shape in shapes_of(motif))
    return element("symbol", shapes, id=f"ur-motif-{motif.value}", viewBox=f"0 0 {FINE} {FINE}")


def _shape(shape: MotifShape) -> str:
    colour = STONES[shape.inlay]
    paint: dict[str, str | float | None] = (
        {"fill": colour} if shape.filled else {"fill": "none", "stroke": colour}
    )
    paint |= {"class_": f"ur-{shape.inlay.value}-{'full' if shape.filled else 'line'}"}
    if not shape.filled:
        paint["stroke_width"] = LINE
    if isinstance(shape, MotifCircle):
        x, y, r = (_fine(length) for length in (shape.x, shape.y, shape.r))
        return element("circle", cx=x, cy=y, r=r, **paint)
    points = " ".join(f"{_fine(x)},{_fine(y)}" for x, y in shape.points)
    return element("polygon", points=points, **paint)


def _fine(length: float) -> str:
    return f"{round(FINE * length, 1):g}"


def _names() -> Iterator[str]:
    """Yield the names of rows and columns; those of the bridge are in the notch."""
    for number, row in enumerate(ROWS):
        yield _name(LEFT / 2, TOP + number * PITCH + 24, row)
    for column in range(1, 9):
        bridge = column in {5, 6}
        y = TOP + PITCH - RIM - 5 if bridge else 13
        yield _name(LEFT + (column - 0.5) * PITCH, y, str(column), cut_out=bridge)


def _name(x: float, y: float, text: str, *, cut_out: bool = False) -> str:
    kind = "ur-name ur-cut-out" if cut_out else "ur-name"
    return element(
        "text",
        escaped(text),
        x=x,
        y=y,
        class_=kind,
        fill="currentColor" if cut_out else ETCHED,
        text_anchor="middle",
        font_size=11,
        font_family="system-ui, sans-serif",
        aria_hidden="true",
    )


def _trays() -> Iterator[str]:
    for side in Side:
        top = plan.tray_top(side)
        for place, x, width in (
            ("hand", 0, plan.HAND_WIDTH),
            ("home", WIDTH - plan.HOME_WIDTH, plan.HOME_WIDTH),
        ):
            yield element(
                "g",
                element(
                    "rect", width=width, height=plan.TRAY, rx=10, fill="#8c7355",
                    fill_opacity=0.18, class_="ur-tray-ground",
                ),
                class_=f"ur-tray ur-tray-{place}",
                transform=f"translate({x:g} {top:g})",
                data_place=f"{place}:{side.value}",
                data_width=width,
                data_height=plan.TRAY,
            )  # fmt: skip
