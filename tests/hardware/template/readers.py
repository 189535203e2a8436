"""Readers that convert each format back to millimetres with y downwards, by layer."""

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ezdxf
import pypdf
from pypdf.generic import ContentStream

from urpi.hardware.template import Drawing, dxf_text, pdf_bytes, svg_text

SVG = "{http://www.w3.org/2000/svg}"
COLOURSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
MM = 25.4 / 72

Point = tuple[float, float]


@dataclass
class Sheet:
    """The content of a file: circles as x, y and r, closed and open lines as their points."""

    width: float
    height: float
    circles: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)
    closed: dict[str, list[list[Point]]] = field(default_factory=dict)
    open: dict[str, list[list[Point]]] = field(default_factory=dict)
    labels: list[tuple[float, float, str]] = field(default_factory=list)

    def add_line(self, layer: str, points: list[Point], *, closed: bool) -> None:
        (self.closed if closed else self.open).setdefault(layer, []).append(points)

    def add_circle(self, layer: str, x: float, y: float, r: float) -> None:
        self.circles.setdefault(layer, []).append((x, y, r))


def from_svg(drawing: Drawing) -> Sheet:
    root = ET.fromstring(svg_text(drawing))
    width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width:.12g} {height:.12g}"
    sheet = Sheet(width, height)
    for group in root.iter(f"{SVG}g"):
        layer = group.attrib["id"]
        assert group.attrib[f"{COLOURSCAPE}label"] == layer
        for node in group:
            _add_node(sheet, layer, node)
    return sheet


def _add_node(sheet: Sheet, layer: str, node: ET.Element) -> None:
    kind = node.tag.removeprefix(SVG)
    if kind == "circle":
        sheet.add_circle(layer, *(float(node.attrib[name]) for name in ("cx", "cy", "r")))
    elif kind == "text":
        sheet.labels.append((float(node.attrib["x"]), float(node.attrib["y"]), node.text or ""))
    else:
        places = [place.split(",") for place in node.attrib["points"].split()]
        points = [(float(x), float(y)) for x, y in places]
        sheet.add_line(layer, points, closed=kind == "polygon")


def from_dxf(drawing: Drawing) -> Sheet:
    document = ezdxf.read(io.StringIO(dxf_text(drawing)))
    assert document.audit().has_errors is False
    assert document.header["$INSUNITS"] == 4  # millimetres
    height = drawing.height
    sheet = Sheet(drawing.width, height)
    for entity in document.modelspace():
        layer = entity.dxf.layer
        assert layer in document.layers
        if entity.dxftype() == "CIRCLE":
            x, y, _ = entity.dxf.center
            sheet.add_circle(layer, x, height - y, entity.dxf.radius)
        elif entity.dxftype() == "TEXT":
            x, y, _ = entity.dxf.align_point
            sheet.labels.append((x, height - y, entity.dxf.text))
        else:
            points = [(x, height - y) for x, y in entity.get_points("xy")]
            sheet.add_line(layer, points, closed=entity.closed)
    return sheet


def from_pdf(drawing: Drawing) -> Sheet:
    """Read a single page as large as the drawing."""
    reader = pypdf.PdfReader(io.BytesIO(pdf_bytes(drawing, None)), strict=True)
    (page,) = reader.pages
    sheet = Sheet(float(page.mediabox.width) * MM, float(page.mediabox.height) * MM)
    height = drawing.height
    form: Any = page["/Resources"]["/XObject"]["/Drawing"]
    for layer, kind, numbers, text in marks(form, form["/Resources"], reader):
        if kind == "circle":
            x, y, r = numbers
            sheet.add_circle(layer, x, height - y, r)
        elif kind == "text":
            x, y, size = numbers
            sheet.labels.append((x + 0.3 * size * len(text), height - y, text))
        else:
            flat = [(x, height - y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            sheet.add_line(layer, flat, closed=kind == "closed")
    return sheet


def marks(
    stream: object, resources: Any, reader: pypdf.PdfReader
) -> Iterator[tuple[str, str, list[float], str]]:
    """Yield layer, kind, numbers and text of everything that a content stream draws."""
    names = {key: group["/Name"] for key, group in resources["/Properties"].items()}
    pen = Pen()
    for operands, operator in ContentStream(stream, reader).operations:
        numbers = [float(operand) for operand in operands if isinstance(operand, int | float)]
        if operator == b"BDC":
            pen.layer = names[operands[1]]
        elif operator in {b"S", b"f"}:
            yield (pen.layer, *pen.drawn(), "")
        elif operator == b"Tj":
            yield pen.layer, "text", [*pen.place, *pen.size], str(operands[0])
        else:
            pen.add(operator, numbers)


class Pen:
    """The operators since the last painting operator."""

    def __init__(self) -> None:
        self.layer = ""
        self.path: list[float] = []
        self.place: list[float] = []
        self.size: list[float] = []
        self.operators: set[bytes] = set()

    def add(self, operator: bytes, numbers: list[float]) -> None:
        if operator == b"m":
            self.path, self.operators = [], set()
        self.operators.add(operator)
        if operator in {b"m", b"l", b"c"}:
            self.path += numbers[-2:]
        elif operator == b"Tf":
            self.size = numbers
        elif operator == b"Td":
            self.place = numbers

    def drawn(self) -> tuple[str, list[float]]:
        if b"c" in self.operators:
            return "circle", _circle(self.path)
        return ("closed" if b"h" in self.operators else "open"), self.path


def _circle(path: list[float]) -> list[float]:
    """Return centre and radius of four quarters that start at the right."""
    right, top, left, bottom = (path[n : n + 2] for n in (0, 2, 4, 6))
    assert path[8:] == right
    r = (right[0] - left[0]) / 2
    assert abs(top[1] - bottom[1] - 2 * r) < 1e-3
    return [right[0] - r, right[1], r]


READERS: dict[str, Callable[[Drawing], Sheet]] = {
    "svg": from_svg,
    "dxf": from_dxf,
    "pdf": from_pdf,
}


def named(sheet: Sheet) -> dict[str, tuple[float, float]]:
    """Return the positions of the squares' names."""
    return {text: (x, y) for x, y, text in sheet.labels if re.fullmatch("[ABC][1-8]", text)}
