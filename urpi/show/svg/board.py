"""A picture of a position and of the switches below it.

Light's row is the lower one, as on the OLED. The elements that all pictures of a page share are
defined once (`board_defs`) and used by each picture (`board_picture`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.rules import (
    ALL_SQUARES,
    HAND,
    OFF,
    Move,
    Position,
    Side,
    Square,
    Squares,
    owner,
)
from urpi.rules.board import Pile, turned
from urpi.show.svg.elements import arrow_head, element, escaped
from urpi.show.svg.empty_board import empty_board, motif_symbols
from urpi.show.svg.plan import GAP_LEFT, HEIGHT, PITCH, RIM, TOP, WIDTH, centre, corner
from urpi.show.svg.themes import LAPIS, ONLY_ROSETTES, PLAIN, in_theme

SCALE: Final = 2
"""Pixels per unit of a complete document, unless it is scaled."""
_MAX_DRAWN: Final = 4
"""Maximum number of pieces of a pile that are drawn; a number shows its height."""

STYLE: Final = """
.board { display: block; width: 100%; height: auto; }
.ur-name, .ur-beside, .ur-count, .ur-filled-sign { font: 600 11px system-ui, sans-serif; }
.ur-beside { fill: currentColor; font-weight: 500; font-size: 10.5px; }
.ur-light { fill: #fffaf0; stroke: #3b2a1a; stroke-width: 1.5; }
.ur-dark { fill: #221d1a; stroke: #000; stroke-width: 1.5; }
.ur-light-dot { fill: #3b2a1a; }
.ur-dark-dot { fill: #f0e2c4; }
.ur-ghost { opacity: .3; }
.ur-lifted-ground { fill: #fffaf0; opacity: .8; }
.ur-lifted { fill: none; stroke: #d9480f; stroke-width: 2.5; stroke-dasharray: 4 3; }
.ur-filled { fill: #ffd43b; stroke: #d9480f; stroke-width: 2.5; }
.ur-filled-sign { fill: #7a2e05; font-size: 15px; font-weight: 800; }
.ur-count { fill: #d9480f; font-weight: 800; paint-order: stroke; stroke: #fffaf0;
  stroke-width: 3px; }
.ur-moved { fill: none; stroke: #2f9e44; stroke-width: 3; }
.ur-arrow { fill: none; stroke: #2f9e44; stroke-width: 3; stroke-linecap: round; }
.ur-arrow-head { fill: #2f9e44; }
.ur-left-out { stroke: #c92a2a; stroke-width: 2; }
"""
"""Style sheet of every picture; its colours are the same in the light and the dark scheme.

No selector depends on the parents of an element, because those of a `use` differ from those of its
definition.
"""


@dataclass(frozen=True, slots=True)
class BoardScene:
    """The content of a picture.

    Attributes:
        position: the position of the game.
        occupancy: squares whose switch is closed. Where it differs from the position, a lifted
            piece is dashed and an unexpected one is marked.
        moved: the move that led to the position, drawn as an arrow.
        left_out: squares whose switch is ignored.
    """

    position: Position
    occupancy: Squares
    moved: Move | None = None
    left_out: Squares = 0


@dataclass(frozen=True, slots=True)
class Labels:
    """Texts of the picture: its alternative text, and the labels of the pieces off the board.

    `off` is empty in rule sets in which no piece leaves the board.
    """

    title: str
    hand: str
    off: str


def board_defs() -> str:
    """Return the definitions shared by all pictures of a page. They draw nothing themselves."""
    symbol = element("g", empty_board(), id="ur-board")
    defs = element("defs", symbol, arrow_head("ur-arrow", class_="ur-arrow-head"))
    return element(
        "svg", motif_symbols(), defs, class_="board", width=0, height=0, aria_hidden="true"
    )


def board_picture(scene: BoardScene, labels: Labels) -> str:
    """Return the picture of a scene, for a page that contains `board_defs` and `STYLE`."""
    return element(
        "svg",
        element("title", escaped(labels.title)),
        element("use", href="#ur-board"),
        *_content(scene, labels),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="board",
        role="img",
    )


def board_document(scene: BoardScene, labels: Labels, theme: str = LAPIS) -> str:
    """Return the picture of a scene as a complete SVG document in one of `THEMES`."""
    rosettes = ONLY_ROSETTES if theme == PLAIN else ""
    document = element(
        "svg",
        element("title", escaped(labels.title)),
        element("style", STYLE, "svg { color: #808080; }", rosettes),
        motif_symbols(),
        element("defs", arrow_head("ur-arrow", class_="ur-arrow-head")),
        empty_board(),
        *_content(scene, labels),
        xmlns="http://www.w3.org/2000/svg",
        width=SCALE * WIDTH,
        height=SCALE * HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
    )
    return in_theme(document, theme)


def _content(scene: BoardScene, labels: Labels) -> Iterator[str]:
    """Yield everything that lies on the empty board."""
    yield from _beside(scene.position, labels)
    for square in ALL_SQUARES:
        yield from _square(scene, square)
    yield from _arrows(scene)


def _text(x: float, y: float, text: str, class_: str) -> str:
    return element("text", escaped(text), x=x, y=y, text_anchor="middle", class_=class_)


def _circle(x: float, y: float, r: float, class_: str | None = None) -> str:
    return element("circle", cx=x, cy=y, r=r, class_=class_)


_DOTS: Final = ((0, 0), (-10, -10), (10, -10), (-10, 10), (10, 10))


_DISCS: Final = {Side.LIGHT: "#fffaf0", Side.DARK: "#1c1a1b"}


def _beside(position: Position, labels: Labels) -> Iterator[str]:
    """Yield each side's number of pieces in hand and off, in the notch of its row."""
    for side, top in ((Side.LIGHT, TOP + 2 * PITCH + RIM), (Side.DARK, 0)):
        hand, off = position.hand[side.number], position.off[side.number]
        left = GAP_LEFT + RIM + 2
        # The discs are on a tile, on which both are seen on light and on dark ground.
        yield element("rect", x=left, y=top + 12.5, width=13, height=13, rx=3, fill="#857f72")
        yield element("circle", cx=left + 6.5, cy=top + 19, r=4.5, fill=_DISCS[side])
        lines = ((15, labels.hand, hand), (28, labels.off, off))
        for down, text in ((down, f"{label} {count}") for down, label, count in lines if label):
            yield element("text", escaped(text), x=left + 15, y=top + down, class_="ur-beside")


def _square(scene: BoardScene, square: Square) -> Iterator[str]:
    pile, stands = scene.position.board[square], bool(scene.occupancy >> square & 1)
    x, y = centre(square)
    if scene.left_out >> square & 1:
        yield from _pile(x, y, pile)
        yield element("path", d=f"M{x - 14:g} {y - 14:g}l28 28m0 -28l-28 28", class_="ur-left-out")
    elif pile and stands:
        yield from _pile(x, y, pile)
    elif pile:
        yield _circle(x, y, 15, "ur-lifted-ground")
        yield element("g", *_pile(x, y, pile), class_="ur-ghost")
        yield _circle(x, y, 15, "ur-lifted")
    elif stands:
        yield _circle(x, y, 12, "ur-filled")
        yield _text(x, y + 5, "?", "ur-filled-sign")


def _pile(x: float, y: float, pile: Pile) -> Iterator[str]:
    # Each piece is 4 units above the one below it, and the pile is centred on its square.
    drawn = pile[-_MAX_DRAWN:]
    for height, piece in enumerate(drawn):
        yield from piece_drawing(x, y + 2 * len(drawn) - 2 - 4 * height, piece)
    if len(pile) > 1:
        yield _text(x + 13, y + 17, str(len(pile)), "ur-count")


def piece_drawing(x: float, y: float, piece: str) -> Iterator[str]:
    """Yield a piece, which is drawn with dots if it has turned."""
    side = owner(piece)
    assert side is not None
    yield _circle(x, y, 12, f"ur-{side.value}")
    if turned(piece):
        for dx, dy in _DOTS:
            yield _circle(x + dx / 2, y + dy / 2, 1.8, f"ur-{side.value}-dot")


def _arrows(scene: BoardScene) -> Iterator[str]:
    if scene.moved is None:
        return
    for part in scene.moved.parts:
        stops = [stop.square for stop in part.stops if stop.square != OFF]
        if stops:
            left, top = corner(stops[-1])
            yield element(
                "rect", x=left + 2, y=top + 2, width=PITCH - 4, height=PITCH - 4, rx=3,
                class_="ur-moved",
            )  # fmt: skip
        way = [centre(square) for square in (part.origin, *stops) if square != HAND]
        # A piece that is borne off leaves across the edge next to its square.
        if part.target == OFF:
            x, y = way[-1]
            way.append((x, y + (0.8 * PITCH if y > TOP + PITCH else -0.8 * PITCH)))
        if len(way) > 1:
            path = "M" + "L".join(f"{x:g} {y:g}" for x, y in way)
            yield element("path", d=path, class_="ur-arrow", marker_end="url(#ur-arrow)")
