"""The circuit boards in KiCad itself, for `make test-boards`."""

import json
import tomllib
from collections.abc import Iterator
from itertools import groupby
from math import dist
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops, ImageStat

from wiring.boards.design import Board
from wiring.boards.order import (
    BOARDS,
    FILL,
    NAMES,
    OUT,
    PICTURES,
    ROOT,
    in_kicad,
    order,
    pictures,
    project,
)
from wiring.boards.sexpr import Node, Word, child, dump, parse, word

DICE = tomllib.loads((ROOT / "wiring" / "dice.toml").read_text("utf-8"))
PINS = tomllib.loads((ROOT / "wiring" / "pins.toml").read_text("utf-8"))
WORK = ROOT / "build" / "boards" / "tests"
EACH = pytest.mark.parametrize("name", NAMES)
FILLED = {"filled_polygon", "fill_segments"}


@pytest.fixture(scope="module")
def projects() -> dict[str, Path]:
    """Copies of the projects, with their areas of ground filled."""
    return {name: project(name, WORK) for name in NAMES}


def report(kind: str, check: str, path: Path, *options: str) -> dict:
    out = WORK / f"{path.stem}-{check}.json"
    in_kicad(
        "kicad-cli", kind, check, "--severity-all", "--format", "json", *options, "-o", out, path
    )
    return json.loads(out.read_text("utf-8"))


@EACH
def test_the_schematic_has_no_error_and_no_warning(name, projects):
    found = report("sch", "erc", projects[name] / f"{name}.kicad_sch")
    assert [one for sheet in found["sheets"] for one in sheet["violations"]] == []


@EACH
def test_the_board_has_no_error_and_no_warning_and_agrees_with_its_schematic(name, projects):
    board = projects[name] / f"{name}.kicad_pcb"
    found = report("pcb", "drc", board, "--schematic-parity")
    assert found["violations"] == []
    assert found["unconnected_items"] == []
    assert found["schematic_parity"] == []


def test_a_wrong_board_is_reported(projects):
    """KiCad's checks are effective: without its tracks a board has unconnected pads."""
    board = projects["hub"] / "hub.kicad_pcb"
    bare = projects["hub"] / "bare.kicad_pcb"
    text = board.read_text("utf-8")
    at = text.index("\t(segment")
    bare.write_text(text[:at] + text[text.index("\n\t)", at) + 3 :], "utf-8")
    assert report("pcb", "drc", bare)["unconnected_items"]


def test_the_second_half_of_the_squares_needs_nothing_of_what_is_cut_off(projects):
    """KiCad fills the ground of what remains anew, and finds all of its pads connected."""
    board, folder = BOARDS["squares"](), projects["squares"]
    text = (folder / "squares.kicad_pcb").read_text("utf-8")
    (folder / "cut.kicad_pro").write_bytes((folder / "squares.kicad_pro").read_bytes())
    cut = folder / "cut.kicad_pcb"
    cut.write_text(dump(without(parse(text), board)), "utf-8")
    in_kicad("python3", "-c", FILL, cut)
    found = report("pcb", "drc", cut)
    assert found["unconnected_items"] == []
    # Tracks end at the edge.
    kinds = {one["type"] for one in found["violations"]}
    assert kinds <= {"track_dangling", "via_dangling", "copper_edge_clearance"}


def without(node: Node, board: Board) -> Node:
    """Return a layout without the areas that may be cut off: their tracks, parts and edges."""
    areas = [[*zip(*area, strict=True)] for area in board.cuts]

    def remains(x: float, y: float) -> bool:
        return not any(
            min(xs) - 0.6 <= x <= max(xs) + 0.6 and min(ys) - 0.6 <= y <= max(ys) + 0.6
            for xs, ys in areas
        )

    def middle(one: Node) -> tuple[float, float]:
        return float(child(one, "at")[1]), float(child(one, "at")[2])

    (left, top), (right, bottom) = board.outline[0], board.outline[2]
    (upper, lower) = (max(areas[0][1]), min(areas[1][1]))
    inner = max(areas[0][0])
    corners = [
        (inner, top), (right, top), (right, bottom), (inner, bottom), (inner, lower),
        (left, lower), (left, upper), (inner, upper),
    ]  # fmt: skip
    kept: Node = []
    for one in node:
        kind = one[0] if isinstance(one, list) else ""
        if kind in {"footprint", "via", "gr_text"} and not remains(*middle(one)):
            continue
        if kind == "gr_line":
            continue
        if kind == "zone":
            points = [word("xy", *at) for at in corners]
            one = [part for part in one if not isinstance(part, list) or part[0] not in FILLED]  # noqa: PLW2901
            child(one, "polygon")[1:] = [word("pts", *points)]
        if kind == "segment":
            ends = [tuple(map(float, child(one, at)[1:3])) for at in ("start", "end")]
            kept += [shortened(one, *piece) for piece in outside(*ends, remains)]
            continue
        kept.append(one)
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        stroke = word("stroke", word("width", 0.1), word("type", Word("default")))
        ends = [word("start", *start), word("end", *end)]
        kept.append(word("gr_line", *ends, stroke, word("layer", "Edge.Cuts")))
    return kept


def shortened(track: Node, start: tuple[float, float], end: tuple[float, float]) -> Node:
    rest = [one for one in track[1:] if one[0] not in {"start", "end", "uuid"}]
    return word("segment", word("start", *start), word("end", *end), *rest)


def outside(start, end, remains):
    """Yield the longest pieces of a line that remain."""
    count = max(int(dist(start, end) / 0.05), 1)
    (x, y), (u, v) = start, end
    spots = [(x + (u - x) * at / count, y + (v - y) * at / count) for at in range(count + 1)]
    for there, group in groupby(spots, lambda spot: remains(*spot)):
        piece = list(group)
        if there and len(piece) > 1:
            yield piece[0], piece[-1]


def nets(name: str, folder: Path) -> Iterator[tuple[str, set[tuple[str, str, str]]]]:
    """Every net that KiCad finds in a schematic: its part, number and name of each pin."""
    out = WORK / f"{name}.xml"
    in_kicad(
        "kicad-cli", "sch", "export", "netlist", "--format", "kicadxml", "-o", out,
        folder / f"{name}.kicad_sch",
    )  # fmt: skip
    for net in ET.parse(out).iter("net"):
        nodes = {
            (one.get("ref", ""), one.get("pin", ""), one.get("pinfunction", "")) for one in net
        }
        # A wire's label belongs to the sheet, "/"; a rail's to all.
        yield net.get("name", "").removeprefix("/"), nodes


def test_the_hub_is_wired_as_in_dice_toml(projects):
    found = dict(nets("hub", projects["hub"]))
    net_of = {(ref, pin): name for name, nodes in found.items() for ref, pin, _ in nodes}
    on_nano = {
        function.strip("~{}").partition("/")[0]: name
        for name, nodes in found.items()
        for ref, _, function in nodes
        if ref == "A1"
    }
    for name, number in DICE["radio"].items():
        net = net_of["U1", str(number)]
        if name in {"VCC", "GND"}:
            assert net == on_nano[DICE["hub-supply"][name]]
        else:
            wire = DICE["hub"]["RADIO_IRQ" if name == "IRQ" else name]
            assert net == on_nano[wire["pin"]]
            assert len(found[net]) == 2
    assert on_nano[DICE["hub"]["LED"]["pin"]] == net_of["R1", "1"]
    assert net_of["R1", "2"] == net_of["D1", "2"]
    assert net_of["D1", "1"] == on_nano["GND"]
    assert on_nano["RESET"] == net_of["JP1", "1"]
    assert {net_of["C3", "1"], net_of["C3", "2"]} == {net_of["JP1", "2"], on_nano["GND"]}
    for name in ("RXD", "TXD"):
        assert on_nano[DICE["hub"][name]["pin"]].startswith("unconnected")


def test_the_die_is_wired_as_in_dice_toml(projects):
    found = dict(nets("die", projects["die"]))
    net_of = {(ref, pin): name for name, nodes in found.items() for ref, pin, _ in nodes}
    on_chip = {
        function.partition("/")[0].strip("~{}"): name
        for name, nodes in found.items()
        for ref, _, function in nodes
        if ref == "U1"
    }
    ground, supply = on_chip["GND"], on_chip["VCC"]
    assert on_chip["AVCC"] == supply
    assert on_chip["AREF"].startswith("unconnected")
    wires = {name: on_chip[wire["port"]] for name, wire in DICE["die"].items()}

    def ends(name):
        return {ref for ref, _, _ in found[name]} - {"U1"}

    names = {"VCC": supply, "GND": ground, "IRQ": wires["RADIO_IRQ"]}
    for name, number in DICE["radio"].items():
        assert net_of["U5", str(number)] == (names.get(name) or wires[name])
    names["RESET"] = on_chip["RESET"]
    for name, number in DICE["die-isp"].items():
        assert net_of["J3", str(number)] == (names.get(name) or wires[name])
    # The LIS3DH's pins by their numbers in its data sheet (table 2).
    sensor = {4: wires["SCL"], 6: wires["SDA"], 7: ground, 8: supply, 11: wires["ACCEL_INT"]}
    sensor |= {1: supply, 14: supply, 5: ground, 10: ground, 12: ground}
    assert {pin: net_of["U2", str(pin)] for pin in sensor} == sensor
    # Every resistor and capacitor that dice.toml names beside a wire.
    values = {
        part.get("ref"): part.findtext("value") for part in ET.parse(WORK / "die.xml").iter("comp")
    }
    between = {
        (name, other): sorted(values[ref] for ref in ends(name) & ends(other))
        for name in found
        for other in found
    }
    # Q1 lies between the cell and its net: drain, source and gate.
    cell = net_of["Q1", "2"]
    assert (net_of["Q1", "3"], net_of["Q1", "1"]) == (net_of["J2", "1"], ground)
    assert net_of["J2", "1"] != cell
    assert {net_of["D3", "1"], net_of["D3", "2"]} == {net_of["J2", "1"], ground}
    for wire, other, parts in (
        ("SDA", supply, ["4.7k"]),
        ("SCL", supply, ["4.7k"]),
        ("CSN", supply, ["10k"]),
        ("BATTERY", cell, ["1M 1%"]),
        ("BATTERY", ground, ["100n", "220k 1%"]),
    ):
        resistors = [one for one in between[wires[wire], other] if one in parts]
        assert resistors == parts, wire
    assert "10k" in between[on_chip["RESET"], supply]
    lamp = net_of["D1", "2"]
    assert values[(ends(wires["LED"]) - {"D1"}).pop()] == "1k"
    assert ends(wires["LED"]) <= {ref for ref, _, _ in found[lamp]}
    assert net_of["D1", "1"] == ground
    # The regulator, the charger and USB.
    assert (net_of["U3", "3"], net_of["U3", "2"], net_of["U3", "1"]) == (cell, supply, ground)
    bus = net_of["J1", "A9"]
    assert net_of["J1", "B9"] == bus == net_of["U4", "4"]
    assert net_of["U4", "3"] == cell
    assert (net_of["D4", "1"], net_of["D4", "2"]) == (bus, ground)
    assert net_of["J2", "2"] == net_of["U4", "2"] == net_of["J1", "A12"] == ground
    for contact in ("A5", "B5"):
        assert between[net_of["J1", contact], ground] == ["5.1k", "USB-C"]
    assert net_of["J1", "A5"] != net_of["J1", "B5"]
    assert between[net_of["U4", "5"], ground] == ["20k", "MCP73831T-2ACI/OT"]


def test_the_panel_is_wired_as_in_pins_toml(projects):
    found = dict(nets("panel", projects["panel"]))
    pin_of = {(ref, function): name for name, nodes in found.items() for ref, _, function in nodes}
    gpio_of = {
        int(function.rpartition("GPIO")[2].partition("/")[0]): name
        for (ref, function), name in pin_of.items()
        if ref == "J1" and "GPIO" in function
    }
    ground, supply = pin_of["J1", "GND"], pin_of["J1", "3V3"]
    expander = PINS["expander"]
    contacts = {**expander["squares"]}
    contacts |= {f"CHUTE_{side.upper()}": pin for side, pin in expander["chutes"].items()}
    for side, pin in expander["buttons"].items():
        contacts["BUTTON_" + side.replace("-", "_").upper()] = pin
    for name, pin in contacts.items():
        net = pin_of[f"U{int(pin[0]) + 1}", f"GP{pin[2:]}"]
        assert net == name
        (plug,) = [ref for ref, _, _ in found[net] if ref.startswith("J")]
        assert plug in {ref for ref, _, _ in found[ground]}
        assert len(found[net]) == 2
    for chip, address in enumerate(expander["addresses"]):
        for line in range(3):
            expected = supply if (address - 0x20) >> line & 1 else ground
            assert pin_of[f"U{chip + 1}", f"A{line}"] == expected
        assert pin_of[f"U{chip + 1}", "INTA"] == gpio_of[expander["interrupts"][chip]]
        assert pin_of[f"U{chip + 1}", "SDA"] == gpio_of[2]
        assert pin_of[f"U{chip + 1}", "SCK"] == gpio_of[3]
        assert pin_of[f"U{chip + 1}", "~{RESET}"] == pin_of[f"U{chip + 1}", "VDD"] == supply
        assert pin_of[f"U{chip + 1}", "VSS"] == ground
    display = {pin: name for name, nodes in found.items() for ref, pin, _ in nodes if ref == "J7"}
    assert display == {"1": ground, "2": supply, "3": gpio_of[3], "4": gpio_of[2]}
    assert "R1" in {ref for ref, _, _ in found[gpio_of[expander["buzzer"]]]}


def test_the_squares_are_wired_as_their_design(projects):
    """The design is compared with pins.toml in tests/hardware/wiring/test_squares.py."""
    found = {
        (ref, pin): name
        for name, nodes in nets("squares", projects["squares"])
        for ref, pin, _ in nodes
    }
    for part in BOARDS["squares"]().parts:
        for pin, net in part.nets.items():
            assert found[part.reference, pin] == net


@EACH
def test_an_order_has_the_same_bytes_on_every_run(name):
    first = {path.name: path.read_bytes() for path in order(name, WORK / "first")}
    again = {path.name: path.read_bytes() for path in order(name, WORK / "second")}
    assert first == again
    assert {path.rpartition(".")[2] for path in first} == {"zip", "csv", "pdf"}


@EACH
def test_the_pictures_in_the_documentation_are_those_of_the_board(name):
    OUT.mkdir(parents=True, exist_ok=True)
    order(name)
    for path in pictures(name):
        drawn = Image.open(path).convert("RGB")
        shown = Image.open(PICTURES / path.name).convert("RGB")
        assert drawn.size == shown.size, "run `make boards`"
        mean = ImageStat.Stat(ImageChops.difference(drawn, shown)).mean
        assert max(mean) < 1.5, "run `make boards`"
