"""The circuit boards in KiCad itself, for `make test-boards`."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops, ImageStat

from wiring.boards.order import NAMES, OUT, PICTURES, ROOT, in_kicad, order, pictures, project

DICE = tomllib.loads((ROOT / "wiring" / "dice.toml").read_text("utf-8"))
PINS = tomllib.loads((ROOT / "wiring" / "pins.toml").read_text("utf-8"))
WORK = ROOT / "build" / "boards" / "tests"
BOARDS = pytest.mark.parametrize("name", NAMES)


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


@BOARDS
def test_the_schematic_has_no_error_and_no_warning(name, projects):
    found = report("sch", "erc", projects[name] / f"{name}.kicad_sch")
    assert [one for sheet in found["sheets"] for one in sheet["violations"]] == []


@BOARDS
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


@BOARDS
def test_an_order_has_the_same_bytes_on_every_run(name):
    first = {path.name: path.read_bytes() for path in order(name, WORK / "first")}
    again = {path.name: path.read_bytes() for path in order(name, WORK / "second")}
    assert first == again
    assert {path.rpartition(".")[2] for path in first} == {"zip", "csv", "pdf"}


@BOARDS
def test_the_pictures_in_the_documentation_are_those_of_the_board(name):
    OUT.mkdir(parents=True, exist_ok=True)
    order(name)
    for path in pictures(name):
        drawn = Image.open(path).convert("RGB")
        shown = Image.open(PICTURES / path.name).convert("RGB")
        assert drawn.size == shown.size, "run `make boards`"
        mean = ImageStat.Stat(ImageChops.difference(drawn, shown)).mean
        assert max(mean) < 1.5, "run `make boards`"
