"""The drawings of the board, measured in the generated files."""

import math
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Polygon, unary_union
from shapely import Point as Spot

from tests.hardware.template.readers import READERS, Sheet, from_svg, named
from tests.slow import mostly_slow
from urpi.core.errors import UrpiError
from urpi.hardware.template import DrawingPart, Measures, draw, svg_text
from urpi.rules import SQUARE_NAMES

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "template-channels.svg"
FORMATS = pytest.mark.parametrize("form", READERS)
CLOSE = 0.002
"""Tolerance in millimetres for rounding in a file."""

measures = st.builds(
    Measures,
    square=st.floats(30, 120),
    rim=st.floats(6, 60),
    reed_right=st.floats(-1, 1),
    oled=st.sampled_from([None, "0.96", "1.3", "2.42"]),
    buttons=st.booleans(),
    chutes=st.booleans(),
).filter(lambda made: made.oled != "2.42" or made.square >= 31)  # Its module is 43.5 mm high.
sizes = st.floats(30, 120).map(lambda square: Measures(square=square))


def ring(x: float, y: float, r: float) -> Polygon:
    return Spot(x, y).buffer(r, quad_segs=64)


def plate_of(sheet: Sheet) -> Polygon:
    """Return the largest closed line on the layer `cut`."""
    return max((Polygon(points) for points in sheet.closed["cut"]), key=lambda area: area.area)


def reeds_of(sheet: Sheet, made: Measures) -> list[tuple[float, float, float]]:
    """Return the holes of the reeds' diameter, by square."""
    r = made.reed_hole / 2
    return [hole for hole in sheet.circles["drill"] if hole[2] == pytest.approx(r, abs=CLOSE)]


def channels_of(sheet: Sheet) -> Polygon:
    lines = [Polygon(points) for points in sheet.closed["channel"]]
    outer = max(lines, key=lambda area: area.area)
    holes = [area for area in lines if area is not outer]
    return outer.difference(unary_union(holes))


def pockets_of(sheet: Sheet) -> list[Polygon]:
    return [ring(*circle) for circle in sheet.circles["channel"]]


@FORMATS
@pytest.mark.parametrize("part", DrawingPart)
def test_every_format_has_the_same_content(form: str, part: DrawingPart) -> None:
    drawing = draw(Measures(square=42.5, chutes=True), part)
    sheet, same = READERS[form](drawing), from_svg(drawing)
    assert (sheet.width, sheet.height) == pytest.approx((same.width, same.height), abs=CLOSE)
    for kind in ("circles", "closed", "open"):
        one, other = getattr(sheet, kind), getattr(same, kind)
        assert one.keys() == other.keys()
        for layer in one:
            assert flat(one[layer]) == pytest.approx(flat(other[layer]), abs=CLOSE)
    assert [text for *_, text in sorted(sheet.labels)] == [text for *_, text in sorted(same.labels)]


def flat(shapes: object) -> list[float]:
    if isinstance(shapes, float):
        return [shapes]
    return [number for shape in shapes for number in flat(shape)]


@FORMATS
@pytest.mark.parametrize("square", mostly_slow([30.0, 50.0, 73.4, 120.0], 2))
def test_the_line_to_check_the_scale_is_100_mm_long(form: str, square: float) -> None:
    sheet = READERS[form](draw(Measures(square=square), DrawingPart.TOP))
    lengths = [math.dist(*points) for points in sheet.open["guide"] if len(points) == 2]
    assert max(lengths) == pytest.approx(100, abs=CLOSE)


@FORMATS
@pytest.mark.parametrize("square", mostly_slow([30.0, 50.0, 73.4, 120.0], 2))
def test_neighbouring_reeds_are_one_square_apart(form: str, square: float) -> None:
    made = Measures(square=square)
    reeds = reeds_of(READERS[form](draw(made, DrawingPart.DRILL)), made)
    assert len(reeds) == 20
    nearest = [
        min(math.dist(one[:2], other[:2]) for other in reeds if other is not one) for one in reeds
    ]
    assert nearest == pytest.approx([square] * 20, abs=CLOSE)


@FORMATS
def test_row_a_is_at_the_bottom_and_column_1_at_the_left(form: str) -> None:
    places = named(READERS[form](draw(Measures(), DrawingPart.DRILL)))
    assert places.keys() == set(SQUARE_NAMES)
    assert places["A1"][1] > places["B1"][1] > places["C1"][1]
    columns = [places[f"B{column}"][0] for column in range(1, 9)]
    assert [later - sooner for sooner, later in pairwise(columns)] == (pytest.approx([50] * 7))


@given(sizes)
@settings(max_examples=10)
def test_the_drawing_from_below_is_mirrored(made: Measures) -> None:
    above, below = (
        from_svg(draw(made, part)) for part in (DrawingPart.DRILL, DrawingPart.CHANNELS)
    )
    left, _, right, _ = plate_of(above).bounds
    mirrored = sorted((left + right - x, y) for x, y, _ in reeds_of(above, made))
    assert flat(sorted((x, y) for x, y, _ in reeds_of(below, made))) == pytest.approx(
        flat(mirrored), abs=CLOSE
    )


@given(measures)
@settings(max_examples=20)
def test_every_opening_and_channel_stays_within_the_wood(made: Measures) -> None:
    sheet = from_svg(draw(made, DrawingPart.ALL))
    plate = plate_of(sheet)
    inner = plate.buffer(-4 + CLOSE, join_style="mitre")
    holes = [ring(*circle) for layer in ("drill", "cut", "channel")
             for circle in sheet.circles.get(layer, [])]  # fmt: skip
    openings = [Polygon(points) for points in sheet.closed["cut"]]
    for area in [*holes, *(area for area in openings if not area.equals(plate))]:
        assert inner.covers(area)
    assert inner.covers(channels_of(sheet))
    for layer in ("engrave", "engrave-fill"):
        assert all(plate.covers(Polygon(points)) for points in sheet.closed[layer])


@given(measures)
@settings(max_examples=20)
def test_channels_connect_every_reed_with_the_exit(made: Measures) -> None:
    sheet = from_svg(draw(made, DrawingPart.CHANNELS))
    ways = unary_union([channels_of(sheet), *pockets_of(sheet)])
    assert ways.geom_type == "Polygon"
    exit_hole = min(sheet.circles["drill"], key=lambda hole: -hole[0])  # mirrored: at the right
    assert ways.intersects(Spot(*exit_hole[:2]))
    assert all(ways.covers(ring(*reed)) for reed in reeds_of(sheet, made))


@given(measures)
@settings(max_examples=20)
def test_only_its_own_channel_reaches_a_pocket(made: Measures) -> None:
    # A ring of 2 mm around every pocket meets one channel, across its width.
    sheet = from_svg(draw(made, DrawingPart.CHANNELS))
    ways = channels_of(sheet)
    for pocket in pockets_of(sheet):
        around = pocket.buffer(2 - CLOSE).difference(pocket)
        met = ways.intersection(around)
        assert met.geom_type == "Polygon"
        assert met.area < made.channel * 2.5


@given(measures)
@settings(max_examples=20)
def test_openings_keep_their_distance_from_channels_and_each_other(
    made: Measures,
) -> None:
    sheet = from_svg(draw(made, DrawingPart.CHANNELS))
    plate = plate_of(sheet)
    reeds = {reed[:2] for reed in reeds_of(sheet, made)}
    chutes = [ring(*circle) for circle in sheet.circles.get("cut", [])]
    openings = [Polygon(points) for points in sheet.closed["cut"]]
    through = [area for area in openings if not area.equals(plate)] + chutes
    through += [
        ring(*hole) for hole in sheet.circles["drill"] if hole[:2] not in reeds and hole[2] != 6
    ]
    ways = unary_union([channels_of(sheet), *pockets_of(sheet)])
    for area in through:
        if area not in chutes:  # a chute has a channel of its own
            assert area.distance(ways) > 2 - CLOSE
    for one, other in combinations(through, 2):
        if not (one.covers(other) or other.covers(one)):
            assert one.distance(other) > 2 - CLOSE


@pytest.mark.parametrize("chutes", [False, True])
@pytest.mark.parametrize("column", range(1, 9))
def test_the_wires_fit_into_every_cross_section_of_the_trunks(column: int, chutes: bool) -> None:
    # The wires of all switches beyond the section, and a ground in each trunk, fill half of it.
    made = Measures(chutes=chutes)
    sheet = from_svg(draw(made, DrawingPart.CHANNELS))
    plate = plate_of(sheet)
    reed = reeds_of(sheet, made)[SQUARE_NAMES.index(f"B{column}")]
    x = reed[0] + made.square / 2 - 1  # mirrored: closer to the exit
    across = LineString([(x, plate.bounds[1]), (x, plate.bounds[3])])
    section = channels_of(sheet).intersection(across).length * made.channel_depth
    beyond = sum(1 for reed in reeds_of(sheet, made) if reed[0] < x) + 2 * chutes
    assert section * 0.5 >= (beyond + 2) * made.wire**2


def test_motifs_are_engraved_within_their_squares() -> None:
    sheet = from_svg(draw(Measures(), DrawingPart.TOP))
    squares = [Polygon(points) for points in sheet.closed["engrave"] if len(points) == 4]
    borders = [area for area in squares if area.area == pytest.approx(49 * 49)]
    assert len(borders) == 20
    for layer in ("engrave", "engrave-fill"):
        for points in sheet.closed[layer]:
            area = Polygon(points)
            assert sum(border.covers(area) for border in borders) == 1


def test_the_notches_are_cut_out_unless_there_are_chutes() -> None:
    notched, filled = (
        plate_of(from_svg(draw(Measures(chutes=chutes), DrawingPart.TOP)))
        for chutes in (False, True)
    )
    assert (len(notched.exterior.coords) - 1, len(filled.exterior.coords) - 1) == (12, 4)
    # Each is 100 mm x 50 mm plus the rim beyond it, less a rim along the squares.
    assert filled.area - notched.area == pytest.approx(2 * 80 * 50)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"square": 29.9}, "--square is 29.9 mm; allowed are 30 to 120 mm."),
        ({"reed_hole": float("nan")}, "--reed-hole is nan mm; allowed are 2.2 to 8 mm."),
        ({"oled": "2.4"}, "An OLED of '2.4' inch is not supported; choose 0.96 or 1.3 or 2.42."),
        ({"square": 30.0, "channel": 9.0}, "Between B1's pocket and light's trunk"),
        (
            {"square": 30.0, "reed_down": 12.0},
            "Between A1's pocket and its square's side no",
        ),
        ({"square": 30.0, "button": 30.0}, "Between the display's opening and dark's button"),
        ({"wire": 1.5}, "too small for 11 wires of 1.5 mm: it must be 8.2 mm wide"),
        ({"square": 30.0, "rim": 6.0, "chutes": True, "reed_right": 9.5}, "only 0.5 mm of wood"),
    ],
)
def test_an_impossible_board_is_rejected(chosen: dict[str, object], expected: str) -> None:
    with pytest.raises(UrpiError) as error:
        draw(Measures(**chosen), DrawingPart.ALL)
    assert expected in str(error.value)


def test_the_picture_in_the_documentation_is_fresh(update_golden: bool) -> None:
    text = svg_text(draw(Measures(), DrawingPart.CHANNELS))
    if update_golden:
        PICTURE.write_text(text, "utf-8")
    assert text == PICTURE.read_text("utf-8")
