"""Vector pictures of our own: the board, and charts. Texts in, SVG out; nothing is fetched."""

from urpi.svg.board import BoardScene, Labels, board_defs, board_picture
from urpi.svg.chart import Chart, Mark, chart
from urpi.svg.elements import element, escaped
from urpi.svg.empty_board import board_svg

__all__ = [
    "BoardScene",
    "Chart",
    "Labels",
    "Mark",
    "board_defs",
    "board_picture",
    "board_svg",
    "chart",
    "element",
    "escaped",
]
