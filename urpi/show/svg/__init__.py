"""SVG pictures: the board, the paths of the rule sets, and charts. They refer to no other files."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.show.svg.board import BoardScene, Labels, board_defs, board_document, board_picture
    from urpi.show.svg.chart import Chart, Mark, chart
    from urpi.show.svg.elements import element, escaped, html_document
    from urpi.show.svg.empty_board import board_svg
    from urpi.show.svg.table import table_svg

export(__name__)
