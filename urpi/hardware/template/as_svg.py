"""SVG files: a user unit is a millimetre, and each layer is a group."""

from collections.abc import Iterator

from urpi.hardware.template.shapes import (
    COLOURS,
    LINE,
    Circle,
    Drawing,
    DrawingLayer,
    Label,
    Polyline,
    Shape,
)
from urpi.show.svg.elements import element, escaped


def svg_text(drawing: Drawing) -> str:
    """Return a drawing as SVG. Inkscape shows the groups as layers."""
    width, height = _mm(drawing.width), _mm(drawing.height)
    drawn = element(
        "svg",
        element("title", escaped(drawing.title)),
        *_layers(drawing),
        xmlns="http://www.w3.org/2000/svg",
        width=f"{width}mm",
        height=f"{height}mm",
        viewBox=f"0 0 {width} {height}",
        **{"xmlns:inkscape": "http://www.inkscape.org/namespaces/inkscape"},
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}\n'


def _layers(drawing: Drawing) -> Iterator[str]:
    for layer in DrawingLayer:
        shapes = drawing.on(layer)
        if shapes:
            colour = "#{:02x}{:02x}{:02x}".format(*COLOURS[layer].rgb)
            yield element(
                "g",
                *("\n" + _shape(shape) for shape in shapes),
                id=layer.value,
                fill=colour if layer is DrawingLayer.FILL else "none",
                stroke="none" if layer is DrawingLayer.FILL else colour,
                stroke_width=LINE,
                **{"inkscape:groupmode": "layer", "inkscape:label": layer.value},
            )


def _shape(shape: Shape) -> str:
    match shape:
        case Polyline(_, points, closed):
            places = " ".join(f"{_mm(x)},{_mm(y)}" for x, y in points)
            return element("polygon" if closed else "polyline", points=places)
        case Circle(_, x, y, r):
            return element("circle", cx=_mm(x), cy=_mm(y), r=_mm(r))
        case Label(x, y, text, height, layer):
            return element(
                "text",
                escaped(text),
                x=_mm(x),
                y=_mm(y),
                font_size=_mm(height),
                font_family="sans-serif",
                text_anchor="middle",
                fill="#{:02x}{:02x}{:02x}".format(*COLOURS[layer].rgb),
                stroke="none",
            )


def _mm(length: float) -> str:
    """Return a length rounded to a micrometre, without trailing zeros."""
    # Adding 0 turns -0.0 into 0.0.
    return f"{round(length, 3) + 0:.12g}"
