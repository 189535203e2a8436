"""The pages of docs/build/ and the drawings agree with the tables in wiring/."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.slow import slow_except
from urpi.config import Config
from urpi.hardware import default_pins
from urpi.hardware.header import HEADER_PINS
from urpi.hardware.template import OLEDS, DrawingPart, Measures, draw
from urpi.hardware.template.shapes import Circle, DrawingLayer
from urpi.hardware.wiring import foot_of
from urpi.rules import SQUARE_NAMES, Side
from wiring.draw.colours import NAMES, of_square
from wiring.draw.sources import ROWS
from wiring.draw.svg import alike
from wiring.pages import parts, power
from wiring.pages.__main__ import pages
from wiring.pages.markdown import filled, table
from wiring.pages.wires import colour_of
from wiring.stale import write_or_compare

ROOT = Path(__file__).parents[3]
DRAWINGS = ROOT / "wiring" / "drawings"
DICE = tomllib.loads((ROOT / "wiring" / "dice.toml").read_text("utf-8"))
PINS = default_pins()


# Those with drawings of bodies and of large boards take seconds.
SLOW = {"parts.md", "jig.md", "squares.md", "boards.md"}
QUICK = [path for path in pages() if path.name not in SLOW]


@pytest.mark.parametrize("path", slow_except(pages(), *QUICK), ids=lambda path: path.name)
def test_a_generated_page_is_fresh(path):
    assert path.read_text("utf-8") == pages()[path](), "run `make -C wiring`"


def texts_of(name):
    """Return the texts of a drawing in the order of the file."""
    page = (DRAWINGS / f"{name}.svg").read_text("utf-8")
    return [
        re.sub(r"<[^>]*>", "", text).replace("&#45;", "-").replace("&#160;", " ").strip()
        for text in re.findall(r"<text[^>]*>(.*?)</text>", page, re.DOTALL)
    ]


def wires_of(name):
    """Return the wires of a diagram: both ends, and the colour between them."""
    words = texts_of(name)
    return {
        (words[at - 1], colour, words[at + 1])
        for at, colour in enumerate(words)
        if colour in NAMES.values() and 0 < at < len(words) - 1
    }


@pytest.mark.parametrize("square", SQUARE_NAMES)
def test_every_square_is_drawn_on_its_pin(square):
    gpio, colour = PINS.squares[SQUARE_NAMES.index(square)], NAMES[of_square(square)]
    row = square[0]
    header = (f"Pi, row {row}:{HEADER_PINS[gpio]}:GPIO {gpio}", colour, f"Row {row}:{square}")
    assert header in wires_of("board-header")
    chip, bit = PINS.expander.inputs[square]
    foot = f"{('First', 'Second')[chip]} chip, row {row}:{foot_of(bit)}:GP{'AB'[bit // 8]}{bit % 8}"
    assert (foot, colour, f"Row {row}:{square}") in wires_of("board-expander")


@pytest.mark.parametrize("side", Side)
def test_every_button_and_chute_is_drawn_on_its_pin(side):
    ends = {(start.partition(":")[2], end) for start, _, end in wires_of("panel-header")}
    for name, gpios in (("Buttons", PINS.buttons), ("Chutes", PINS.chutes)):
        gpio = gpios[side]
        assert (f"{HEADER_PINS[gpio]}:GPIO {gpio}", f"{name}:{side.value}") in ends


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (board, name)
        for board in ("die", "hub")
        for name in DICE[board]
        if name not in {"RXD", "TXD"}
    ],
)
def test_every_wire_of_die_and_hub_is_drawn_on_its_pin(board, name):
    wire = DICE[board][name]
    ends = {end.partition(":")[2] for wire in wires_of(board) for end in wire}
    if board == "die":
        ends |= {end.partition(":")[2] for wire in wires_of("die-supply") for end in wire}
        assert f"{wire['pin']}:{wire['port']}" in ends
    else:
        assert wire["pin"] in ends


@pytest.mark.parametrize("name", ["schematic-die", "schematic-hub", "schematic-expander"])
def test_a_schematic_names_every_pin(name):
    words = texts_of(name)
    if name == "schematic-expander":
        expected = {*SQUARE_NAMES, "GPA7", "GPB7", "INTA", "RESET"}
    else:
        board = DICE[name.removeprefix("schematic-")]
        expected = {wire["port"] for wire in board.values()}
        expected |= {str(wire["pin"]) for wire in board.values()}
    assert expected <= set(words)


def test_no_colour_occurs_twice_in_a_cable():
    for squares in ROWS.values():
        colours = [colour_of(name) for name in squares]
        assert len(set(colours)) == len(colours)
        assert "black" not in colours


def test_every_drawing_has_a_title_and_no_trace_of_its_tool():
    for path in DRAWINGS.glob("*.svg"):
        page = path.read_text("utf-8")
        assert not re.search(r"(?i)<!--|graphviz|wireviz|schemdraw", page)
        assert re.search(r"<svg[^>]*>\s*<title>[A-Z][^<%]{10,}</title>", page)


def test_the_default_configuration_agrees_with_the_pin_map():
    oled = Config().oled
    assert (oled.i2c_port, oled.i2c_address) == (PINS.oled_port, PINS.oled_address)


def test_the_parts_suffice_and_prices_are_ranges():
    bought = {part["what"]: part for group in parts.groups() for part in group["part"]}
    (reeds,) = [part for what, part in bought.items() if what.startswith("Reed switch")]
    (magnets,) = [part for what, part in bought.items() if what.startswith("Disc magnet")]
    assert reeds["count"] >= len(SQUARE_NAMES)
    assert magnets["count"] >= 14
    for part in bought.values():
        low, high = part["each"]
        assert 0 < low <= high


def test_every_way_to_a_board_has_its_parts_and_tools():
    used = {path: {group["name"] for group in parts.groups() if path in group.get("paths", [])}
            for path in parts.PATHS}  # fmt: skip
    board = {"The board", "Tools for the board, once"}
    assert used["hand"] == board
    assert used["bluetooth"] == board | {"Dice with Bluetooth"}
    assert used["bought"] == board | {"A die from one bought board"}
    assert used["own"] == board | {"The dice hub", "One die", "Tools for dice of your own, once"}


def listed(path):
    """Return what the groups of a way to a board list, in lower case."""
    used = [group for group in parts.groups() if path in group.get("paths", [])]
    return " ".join(part["what"] for group in used for part in group["part"]).lower()


@pytest.mark.parametrize("oled", [*OLEDS, None])
@pytest.mark.parametrize("chutes", [False, True])
def test_every_hole_of_the_template_has_its_drill_bit(oled, chutes):
    (bits,) = [
        part["what"] for group in parts.groups() for part in group["part"]
        if part["what"].startswith("Drill bits")
    ]  # fmt: skip
    measures = Measures(oled=oled, chutes=chutes)
    holes = {
        2 * shape.r
        for part in DrawingPart for shape in draw(measures, part).shapes
        if isinstance(shape, Circle) and shape.layer is DrawingLayer.DRILL
        # Chutes are as wide as a piece, and are sawn.
        and 2 * shape.r < measures.square / 2
    }  # fmt: skip
    assert holes >= {4, 12, 20}
    assert holes <= {float(size) for size in re.findall(r"(\d+) mm", bits)}
    assert f"router bit, {measures.channel:g} mm" in listed("hand")


TOOLS = {
    "hand": ("multimeter", "solder", "pliers", "sleeve", "saw", "crimp", "forstner", "router bit",
             "epoxy", "silicone", "superglue"),
    "own": ("programmer", "charger", "screwdriver", "insert", "filament", "clamp"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "tool"), [(path, one) for path in TOOLS for one in TOOLS[path]])
def test_a_tool_that_the_pages_need_is_in_the_parts_list_of_its_way(path, tool):
    assert tool in listed(path)


def test_the_days_of_the_board_are_those_of_its_estimate():
    """Nobody can pull at a wire of a switch on the day on which it was glued."""
    page = (ROOT / "docs" / "build" / "board.md").read_text("utf-8")
    _, hours = parts.PATHS["hand"]
    wood, switches, wires = (
        next(line for line in page.splitlines() if line.startswith("## ") and line.endswith(work))
        for work in (": wood", ": switches", ": wires")
    )
    assert ("First day" in wood, "First day" in switches, "Second day" in wires) == (True,) * 3
    assert "over night" in page.partition(switches)[2].partition(wires)[0]
    assert hours == "a day, a night for the glue, and an afternoon"


@pytest.mark.parametrize("path", parts.PATHS)
def test_the_prices_of_a_way_are_the_sum_of_its_list(path):
    used = [group for group in parts.groups() if path in group.get("paths", [])]
    highest = sum(
        part["count"] * part["each"][1] * group["times"] for group in used for part in group["part"]
    )
    (row,) = [row for row in parts.parts()["ways"].splitlines() if parts.PATHS[path][0] in row]
    assert sum(map(int, re.findall(r"\d+ to (\d+)", row))) == pytest.approx(highest, abs=1)


@pytest.mark.parametrize("wiring", ["header", "expander"])
def test_the_sum_of_all_loads_stays_below_the_limit_of_the_pi(wiring):
    assert 0 < power.sum_ma(wiring) < power.budget()["limit_ma"]


def test_a_bar_in_a_cell_is_escaped():
    assert table(["a"], [["b|c"]]).splitlines()[-1] == r"| b\|c |"


def test_a_missing_marker_is_an_error():
    with pytest.raises(LookupError, match="No <!-- begin pi"):
        filled("# Power\n", {"pi": "1"})


def test_a_moved_corner_is_not_stale_but_another_text_or_colour_is():
    page = (DRAWINGS / "board-header.svg").read_text("utf-8")
    moved = re.sub(r"(?<= d=)\"M(\d+)", lambda found: f'"M{int(found[1]) + 1}', page)
    assert moved != page
    assert alike(page, moved)
    for old, new in (("GPIO 4<", "GPIO 5<"), ("#00ff00", "#00ff01"), (";brown ", ";red ")):
        assert old in page
        assert not alike(page, page.replace(old, new, 1))


def test_stale_and_left_over_drawings_are_reported(tmp_path, capsys):
    made = {tmp_path / "a.svg": lambda: "new"}
    (tmp_path / "a.svg").write_text("old")
    (tmp_path / "b.svg").write_text("left over")
    assert write_or_compare(made, check=True) == 1
    errors = capsys.readouterr().err
    assert "a.svg is stale" in errors
    assert "b.svg" in errors
    assert write_or_compare(made, check=False) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    assert write_or_compare(made, check=True) == 0
