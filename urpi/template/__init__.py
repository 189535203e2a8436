"""The board drawn to scale, to be printed, engraved, drilled and routed.

`draw` gives a `Drawing` in millimetres from `Measures`; `svg_text`, `pdf_bytes` and `dxf_text`
write it.
"""

from urpi.template.as_dxf import dxf_text
from urpi.template.as_pdf import pdf_bytes
from urpi.template.as_svg import svg_text
from urpi.template.measures import OLEDS, RANGES, Measures
from urpi.template.pages import PAPERS
from urpi.template.parts import Part, draw
from urpi.template.shapes import Drawing

__all__ = [
    "OLEDS",
    "PAPERS",
    "RANGES",
    "Drawing",
    "Measures",
    "Part",
    "draw",
    "dxf_text",
    "pdf_bytes",
    "svg_text",
]
