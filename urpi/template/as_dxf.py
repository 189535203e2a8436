"""A drawing as DXF for CAD programs, lasers and routers. Needs ezdxf.

The format is R2000, since R12 cannot say that its unit is the millimetre. y grows upwards there,
and the origin is the sheet's left lower corner.
"""

import io
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from urpi.errors import UrpiError
from urpi.template.inks import INKS
from urpi.template.shapes import Circle, Drawing, Label, Layer, Outline, Shape

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

VERSION: Final = "R2000"
MILLIMETRES: Final = 4
"""$INSUNITS."""
METRIC: Final = 1
"""$MEASUREMENT."""


def dxf_text(drawing: Drawing) -> str:
    """The file's text.

    Raises:
        UrpiError: when ezdxf is not installed.
    """
    ezdxf = _ezdxf()
    document = ezdxf.new(VERSION, units=MILLIMETRES)
    document.header["$MEASUREMENT"] = METRIC
    for layer in Layer:
        document.layers.add(layer.value, color=INKS[layer].number)
    for shape in drawing.shapes:
        _draw(document.modelspace(), shape, drawing.height)
    text = io.StringIO()
    document.write(text)
    return text.getvalue()


def _ezdxf() -> ModuleType:
    """The library, imported only when a DXF is wanted."""
    try:
        return import_module("ezdxf")
    except ModuleNotFoundError as error:
        message = (
            "A DXF needs the library ezdxf, which is not installed; install it with "
            "`pip install 'urpi[template]'`, or ask for --format svg or pdf, which need nothing."
        )
        raise UrpiError(message) from error


def _draw(space: "Modelspace", shape: Shape, height: float) -> None:
    on = {"layer": shape.layer.value}
    match shape:
        case Outline(_, points, closed):
            upwards = [(x, height - y) for x, y in points]
            space.add_lwpolyline(upwards, close=closed, dxfattribs=on)
        case Circle(_, x, y, r):
            space.add_circle((x, height - y), r, dxfattribs=on)
        case Label(x, y, text, size, _):
            place = (x, height - y)
            drawn = space.add_text(text, height=size, dxfattribs=on)
            drawn.dxf.halign = 1
            drawn.dxf.insert = drawn.dxf.align_point = place
