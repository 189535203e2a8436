"""The board to scale, to print, engrave, drill and rout.

`draw` returns a `Drawing` in millimetres for given `Measures`. `svg_text`, `pdf_bytes` and
`dxf_text` return it in a file format.
"""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.hardware.template.as_dxf import dxf_text
    from urpi.hardware.template.as_pdf import pdf_bytes
    from urpi.hardware.template.as_svg import svg_text
    from urpi.hardware.template.drawing import DrawingPart, draw
    from urpi.hardware.template.measures import OLEDS, RANGES, Measures
    from urpi.hardware.template.shapes import Drawing
    from urpi.hardware.template.sheets import PAPERS

export(__name__)
