"""The board with its trays and the pieces of a position, as the page draws them.

The page's scripts continue with this picture: they read each piece's place from its attributes, and
compute places and draw further pieces in the same way (static/js/places.js, static/js/pieces.js).
"""

from collections.abc import Iterator
from typing import Final

from urpi.rules import SQUARE_NAMES, Position, Side, each_square, owner
from urpi.rules.board import turned
from urpi.show.svg import plan
from urpi.show.svg.elements import element
from urpi.show.svg.empty_board import board_svg

RADIUS: Final = 14
STEP_UP: Final = 4
"""Distance between the pieces of a pile."""
HIGHEST: Final = 4
"""A pile is not drawn higher than this number of steps."""
MARGIN: Final = RADIUS + 4
"""Distance of a tray's first piece from the tray's left edge."""
MAX_STEP: Final = 28
DOTS: Final = ((0, 0), (-5, -5), (5, -5), (-5, 5), (5, 5))


def table_svg(position: Position | None) -> str:
    """Return the board with its trays as an SVG document, with the pieces of a position.

    Each piece is a group with the attributes `data-key`, which is unique, `data-place`, as in
    `board_svg`, and `data-level`, its number in the pile or tray, counted from 0.
    """
    pieces = () if position is None else _pieces(position)
    return board_svg(element("g", *pieces, class_="ur-pieces", aria_hidden="true"))


def _pieces(position: Position) -> Iterator[str]:
    for number, (side, place, level, (x, y), dots) in enumerate(_places(position)):
        yield element(
            "g",
            element("circle", r=RADIUS, cy=1.6, class_="ur-edge"),
            element("circle", r=RADIUS, class_="ur-face"),
            element("circle", r=10.6, class_="ur-ring"),
            *(element("circle", cx=cx, cy=cy, r=2, class_="ur-dot") for cx, cy in DOTS),
            class_=f"ur-piece ur-is-{side.value}{' ur-turned' if dots else ''}",
            transform=f"translate({x:g} {y:g})",
            data_key=f"piece-{number}",
            data_place=place,
            data_level=level,
        )


def _places(
    position: Position,
) -> Iterator[tuple[Side, str, int, tuple[float, float], bool]]:
    """Yield each piece's side, place, level, centre, and whether its other face is up."""
    for square in each_square(position.occupancy):
        x, y = plan.centre(square)
        for level, piece in enumerate(position.board[square]):
            side = owner(piece)
            assert side is not None
            up = STEP_UP * min(level, HIGHEST)
            yield side, SQUARE_NAMES[square], level, (x, y - up), turned(piece)
    slots = position.rules.pieces
    for side in Side:
        y = plan.tray_top(side) + plan.TRAY / 2
        for name, left, width, count in (
            ("hand", 0, plan.HAND_WIDTH, position.hand[side.number]),
            ("home", plan.WIDTH - plan.HOME_WIDTH, plan.HOME_WIDTH, position.off[side.number]),
        ):
            step = min(MAX_STEP, (width - 2 * MARGIN) / (slots - 1)) if slots > 1 else 0
            for level in range(count):
                yield side, f"{name}:{side.value}", level, (left + MARGIN + step * level, y), False
