"""The pages of a PDF: their number, their windows and their scale."""

import io
from itertools import combinations

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf.generic import ContentStream
from shapely import box, unary_union

from tests.hardware.template.readers import MM, marks
from urpi.hardware.template import DrawingPart, Measures, draw, pdf_bytes
from urpi.hardware.template.shapes import DrawingLayer
from urpi.hardware.template.sheets import (
    FOOT,
    MARGIN,
    OVERLAP,
    PAPERS,
    Sheet,
    sheet_crosses,
    sheets_of,
)

sizes = st.floats(30, 120)
papers = st.sampled_from(sorted(PAPERS))


def windows(pages: tuple[Sheet, ...]) -> list[object]:
    return [box(*(getattr(page.window, side) for side in ("left", "top", "right", "bottom")))
            for page in pages]  # fmt: skip


@given(sizes, papers)
@settings(max_examples=25)
def test_the_pages_cover_the_drawing_within_their_margins(square: float, paper: str) -> None:
    drawing = draw(Measures(square=square), DrawingPart.DRILL)
    pages = sheets_of(drawing, paper)
    whole = box(0, 0, drawing.width, drawing.height)
    assert unary_union(windows(pages)).equals(whole)
    for page in pages:
        assert sorted((page.width, page.height)) == sorted(PAPERS[paper])
        assert page.window.right - page.window.left <= page.width - 2 * MARGIN + 1e-9
        assert page.window.bottom - page.window.top <= page.height - 2 * MARGIN - FOOT + 1e-9


@given(sizes, papers)
@settings(max_examples=25)
def test_adjacent_pages_overlap_and_share_crosses(square: float, paper: str) -> None:
    drawing = draw(Measures(square=square), DrawingPart.DRILL)
    pages = sheets_of(drawing, paper)
    crosses = [line.points for line in sheet_crosses(drawing, pages)]
    for one, other in combinations(windows(pages), 2):
        both = one.intersection(other)
        left, top, right, bottom = both.bounds if not both.is_empty else (0, 0, 0, 0)
        if max(right - left, bottom - top) > 2 * OVERLAP:
            assert min(right - left, bottom - top) == pytest.approx(OVERLAP)
            seen = [line for line in crosses if all(both.covers(_spot(*point)) for point in line)]
            assert len(seen) >= 2


def _spot(x: float, y: float) -> object:
    return box(x, y, x, y).centroid


@pytest.mark.parametrize(
    ("square", "paper", "count"), [(30, "a4", 2), (50, "a4", 2), (50, "a3", 2), (30, "a3", 1)]
)
def test_the_number_of_pages_depends_on_square_and_paper(
    square: float, paper: str, count: int
) -> None:
    reader = read(square, paper)
    assert len(reader.pages) == count


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("square", [30.0, 50.0, 120.0])
def test_every_page_has_a_line_of_100_mm(square: float, paper: str) -> None:
    for page in read(square, paper).pages:
        lengths = [
            abs(numbers[2] - numbers[0])
            for layer, kind, numbers, _ in marks(page.get_contents(), page["/Resources"], page.pdf)
            if (layer, kind, len(numbers)) == ("guide", "open", 4)
        ]
        assert max(lengths) == pytest.approx(100)
        assert millimetres(page) == pytest.approx(1)


@given(sizes, papers)
@settings(max_examples=15)
def test_the_matrix_of_a_page_moves_its_window_to_the_margin(square: float, paper: str) -> None:
    drawing = draw(Measures(square=square), DrawingPart.DRILL)
    pages = sheets_of(drawing, paper)
    found = pypdf.PdfReader(io.BytesIO(pdf_bytes(drawing, paper)), strict=True).pages
    for page, written in zip(pages, found, strict=True):
        across, up = shift(written)
        x = page.window.left + across
        y = page.height - (drawing.height - page.window.top + up)
        assert (x, y) == pytest.approx((MARGIN, MARGIN), abs=0.001)


def test_the_layers_are_named() -> None:
    reader = read(50, "a4")
    layers = reader.root_object["/OCProperties"]["/OCGs"]
    assert [layer.get_object()["/Name"] for layer in layers] == [
        layer.value for layer in DrawingLayer
    ]


def read(square: float, paper: str) -> pypdf.PdfReader:
    drawing = draw(Measures(square=square), DrawingPart.ALL)
    return pypdf.PdfReader(io.BytesIO(pdf_bytes(drawing, paper)), strict=True)


def matrices(page: pypdf.PageObject) -> list[list[float]]:
    operations = ContentStream(page.get_contents(), page.pdf).operations
    return [[float(n) for n in operands] for operands, operator in operations if operator == b"cm"]


def millimetres(page: pypdf.PageObject) -> float:
    """Return the length of a unit of the page's content on paper."""
    return matrices(page)[0][0] * MM


def shift(page: pypdf.PageObject) -> tuple[float, float]:
    *_, across, up = matrices(page)[1]
    return across, up
