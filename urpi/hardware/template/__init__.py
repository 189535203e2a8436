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
else:
    export(
        __name__,
        {
            "as_dxf": ("dxf_text",),
            "as_pdf": ("pdf_bytes",),
            "as_svg": ("svg_text",),
            "measures": ("OLEDS", "RANGES", "Measures"),
            "sheets": ("PAPERS",),
            "drawing": ("DrawingPart", "draw"),
            "shapes": ("Drawing",),
        },
    )

__all__ = [
    "OLEDS",
    "PAPERS",
    "RANGES",
    "Drawing",
    "DrawingPart",
    "Measures",
    "draw",
    "dxf_text",
    "pdf_bytes",
    "svg_text",
]
