"""PDF files of one or more pages, with layers that a viewer can show and hide.

The format is written directly (ISO 32000-1; layers are section 8.11): small PDF libraries do not
support named layers, and lines, circles and text need little of it. The file contains the drawing
once, in millimetres with y upwards, and every page shows a window of it.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

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
from urpi.hardware.template.sheets import Sheet, sheet_crosses, sheets_of

POINT: Final = 72 / 25.4
"""Points per millimetre."""
ROUND: Final = 0.5522847498
"""Length of the control handles of a quarter circle, relative to its radius."""
ADVANCE: Final = 0.6
"""Width of a letter in Courier, relative to its size."""

CATALOGUE, TREE, FONT, DRAWN = 1, 2, 3, 4
"""Object numbers in the file. The layers follow, then two objects for each page."""
FIRST_LAYER: Final = 5
FIRST_PAGE: Final = FIRST_LAYER + len(DrawingLayer)


def pdf_bytes(drawing: Drawing, paper: str | None) -> bytes:
    """Return a drawing as PDF.

    Args:
        drawing: the drawing.
        paper: size of the pages, a key of `sheets.PAPERS`; None for a single page as large as the
            drawing.
    """
    pages = sheets_of(drawing, paper)
    shapes = (*drawing.shapes, *sheet_crosses(drawing, pages))
    return _file([*_head(drawing, shapes, len(pages)), *_pages(drawing, pages)])


def _head(drawing: Drawing, shapes: Sequence[Shape], count: int) -> Iterator[bytes]:
    """Yield the objects 1 to `FIRST_PAGE` - 1."""
    layers = " ".join(_reference(FIRST_LAYER + n) for n in range(len(DrawingLayer)))
    kids = " ".join(_reference(FIRST_PAGE + 2 * n) for n in range(count))
    yield _object(
        f"<< /Type /Catalog /Pages {_reference(TREE)} /OCProperties << /OCGs [{layers}] "
        f"/D << /Order [{layers}] /ON [{layers}] >> >> >>"
    )
    yield _object(f"<< /Type /Pages /Kids [{kids}] /Count {count} >>")
    yield _object("<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")
    box = f"[0 0 {_number(drawing.width)} {_number(drawing.height)}]"
    form = f"/Type /XObject /Subtype /Form /BBox {box} /Resources << {_resources()} >>"
    yield _stream(form, _content(shapes, drawing.height))
    for layer in DrawingLayer:
        yield _object(f"<< /Type /OCG /Name {_string(layer.value)} >>")


def _pages(drawing: Drawing, pages: Sequence[Sheet]) -> Iterator[bytes]:
    """Yield two objects for each page: the page and its content."""
    for number, page in enumerate(pages):
        content = FIRST_PAGE + 2 * number + 1
        width, height = page.width * POINT, page.height * POINT
        yield _object(
            f"<< /Type /Page /Parent {_reference(TREE)} "
            f"/MediaBox [0 0 {_number(width)} {_number(height)}] "
            f"/Resources << /XObject << /Drawing {_reference(DRAWN)} >> {_resources()} >> "
            f"/Contents {_reference(content)} >>"
        )
        yield _stream("", _page_content(drawing, page))


def _page_content(drawing: Drawing, page: Sheet) -> Iterator[str]:
    """Yield the operators for the page's window of the drawing and for its own marks."""
    window, (x, y) = page.window, page.place
    width, height = window.right - window.left, window.bottom - window.top
    left, bottom = x, page.height - y - height
    yield f"q {_numbers(POINT, 0, 0, POINT, 0, 0)} cm"
    yield f"q {_numbers(left, bottom, width, height)} re W n"
    across = left - window.left
    up = bottom - (drawing.height - window.bottom)
    yield f"{_numbers(1, 0, 0, 1, across, up)} cm /Drawing Do Q"
    yield from _content(page.marks, page.height)
    yield "Q"


def _content(shapes: Iterable[Shape], height: float) -> Iterator[str]:
    """Yield the operators that draw shapes on a sheet of that height, layer by layer."""
    shapes = list(shapes)
    yield f"{_number(LINE)} w 1 j"
    for layer in DrawingLayer:
        drawn = [shape for shape in shapes if shape.layer is layer]
        if drawn:
            colour = _numbers(*(part / 255 for part in COLOURS[layer].rgb))
            yield f"/OC /{layer.name} BDC {colour} RG {colour} rg"
            yield from (line for shape in drawn for line in _shape(shape, height))
            yield "EMC"


def _shape(shape: Shape, height: float) -> Iterator[str]:
    paint = "f" if shape.layer is DrawingLayer.FILL else "S"
    match shape:
        case Polyline(_, points, closed):
            first, *rest = [_numbers(x, height - y) for x, y in points]
            yield " ".join([first, "m", *(f"{place} l" for place in rest)])
            yield f"h {paint}" if closed else paint
        case Circle(_, x, y, r):
            yield from _circle(x, height - y, r)
            yield f"h {paint}"
        case Label(x, y, text, size, _):
            # Text starts at its left end; a Label is centred.
            left = x - ADVANCE * size * len(text) / 2
            place = _numbers(left, height - y)
            yield f"BT /Letters {_number(size)} Tf {place} Td {_string(text)} Tj ET"


def _circle(x: float, y: float, r: float) -> Iterator[str]:
    """Yield four Bézier quarters, counterclockwise from the right."""
    h = ROUND * r
    yield f"{_numbers(x + r, y)} m"
    yield f"{_numbers(x + r, y + h, x + h, y + r, x, y + r)} c"
    yield f"{_numbers(x - h, y + r, x - r, y + h, x - r, y)} c"
    yield f"{_numbers(x - r, y - h, x - h, y - r, x, y - r)} c"
    yield f"{_numbers(x + h, y - r, x + r, y - h, x + r, y)} c"


def _resources() -> str:
    layers = " ".join(
        f"/{layer.name} {_reference(FIRST_LAYER + n)}" for n, layer in enumerate(DrawingLayer)
    )
    return f"/Font << /Letters {_reference(FONT)} >> /Properties << {layers} >>"


def _file(objects: Sequence[bytes]) -> bytes:
    """Return header, objects, cross-reference table and trailer."""
    # Bytes above 127 in the second line mark the file as binary (ISO 32000-1, 7.5.2).
    written = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, body in enumerate(objects, 1):
        starts.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(written)
    # Entries must be exactly 20 bytes long, hence the space before the line end (7.5.4).
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % start for start in starts)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root {_reference(CATALOGUE)} >>\n"
    return bytes(written) + f"{trailer}startxref\n{table}\n%%EOF\n".encode("ascii")


def _object(text: str) -> bytes:
    return text.encode("ascii")


def _stream(keys: str, lines: Iterable[str]) -> bytes:
    packed = zlib.compress("\n".join(lines).encode("ascii"), 9)
    head = f"<< {keys} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
    return head.encode("ascii") + packed + b"\nendstream"


def _reference(number: int) -> str:
    return f"{number} 0 R"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"({escaped})"


def _numbers(*numbers: float) -> str:
    return " ".join(map(_number, numbers))


def _number(number: float) -> str:
    """Return a number without an exponent, which PDF does not support."""
    return f"{number:.6f}".rstrip("0").rstrip(".")
