"""DXF files for CAD programs, lasers and routers. Requires ezdxf.

The version is R2000, because R12 cannot specify the millimetre as its unit. In DXF y points
upwards, and the origin is the lower left corner of the sheet.
"""

import io
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from urpi.core.errors import UrpiError
from urpi.core.extras import installation
from urpi.hardware.template.shapes import (
    COLOURS,
    Circle,
    Drawing,
    DrawingLayer,
    Label,
    Polyline,
    Shape,
)

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

VERSION: Final = "R2000"
MILLIMETRES: Final = 4
"""Value of $INSUNITS for millimetres."""
METRIC: Final = 1
"""Value of $MEASUREMENT for metric units."""


def dxf_text(drawing: Drawing) -> str:
    """Return a drawing as DXF, the same bytes for the same drawing.

    Raises:
        UrpiError: if ezdxf is not installed.
    """
    ezdxf = _ezdxf()
    # Otherwise times and random identifiers, so that no two files are equal.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new(VERSION, units=MILLIMETRES)
    document.header["$MEASUREMENT"] = METRIC
    for layer in DrawingLayer:
        document.layers.add(layer.value, color=COLOURS[layer].number)
    for shape in drawing.shapes:
        _draw(document.modelspace(), shape, drawing.height)
    text = io.StringIO()
    document.write(text)
    return text.getvalue()


def _ezdxf() -> ModuleType:
    """Import ezdxf, which only a DXF requires."""
    try:
        return import_module("ezdxf")
    except ModuleNotFoundError as error:
        message = (
            "A DXF requires the library ezdxf, which is not installed; install it with "
            f"{installation('template')}, or use --format svg or pdf, which do not require it."
        )
        raise UrpiError(message) from error


def _draw(space: "Modelspace", shape: Shape, height: float) -> None:
    attributes = {"layer": shape.layer.value}
    match shape:
        case Polyline(_, points, closed):
            upwards = [(x, height - y) for x, y in points]
            space.add_lwpolyline(upwards, close=closed, dxfattribs=attributes)
        case Circle(_, x, y, r):
            space.add_circle((x, height - y), r, dxfattribs=attributes)
        case Label(x, y, text, size, _):
            place = (x, height - y)
            drawn = space.add_text(text, height=size, dxfattribs=attributes)
            # DXF reads align_point, not insert, for centred text.
            drawn.dxf.halign = 1
            drawn.dxf.insert = drawn.dxf.align_point = place
