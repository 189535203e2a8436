"""The squares' board as both halves: what pins.toml, the program and the template say of it.

Each check returns faults, and finds those that are built in. KiCad's checks are in tests/boards.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import dist, hypot

import networkx as nx
import pytest

from urpi.hardware import default_pins
from urpi.hardware.header import HEADER_PINS
from urpi.hardware.led_chain import CHAIN
from urpi.hardware.outputs.lights import DATA_GPIO
from urpi.hardware.template.measures import Measures
from urpi.hardware.template.plate import Plate
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, parse_square
from wiring.boards import library
from wiring.boards.design import Board, Part, PlacedPad
from wiring.boards.library import turned
from wiring.boards.sexpr import child, children, parse
from wiring.boards.squares import (
    FIRST_HALL,
    FIRST_REED,
    SECOND_HALL,
    SECOND_REED,
    SIDE,
    squares,
)

BOARD = squares()
PINS = default_pins()
HALVES = {"hall": (FIRST_HALL, SECOND_HALL), "reed": (FIRST_REED, SECOND_REED)}
FILE = library.LIBRARY.parent / "squares" / "squares.kicad_pcb"


def part(board: Board, reference: str) -> Part:
    return next(one for one in board.parts if one.reference == reference)


def square_of(one: Part, half: int) -> str:
    """Return the name of the square in which a part is, on the first (0) or second board."""
    x, y, _ = one.place
    return f"{'CBA'[int(y // SIDE)]}{1 + int(x // SIDE) + 4 * half}"


def on_pins(one: Part) -> dict[str, str]:
    """Return the nets of a chip by the names of its pins."""
    return {pin.name: one.nets.get(pin.number, "") for pin in library.pins(one.symbol)}


def halves(board: Board, kind: str) -> list[Board]:
    return [board.variant(name) for name in HALVES[kind]]


# Places


def place_faults(board: Board) -> Iterator[str]:
    """Compare sensors with the reeds of the template, whose board begins at the squares' corner."""
    plate = Plate(Measures(square=SIDE))
    for kind, prefix, most in (("hall", "U", 0.0), ("reed", "SW", 1.6)):
        found = {
            square_of(one, half): (one.place[0] + 4 * SIDE * half, one.place[1])
            for half, fitted in enumerate(halves(board, kind))
            for one in fitted.parts
            if one.symbol.startswith(("DRV5055", "SW_Reed")) and one.reference.startswith(prefix)
        }
        if found.keys() != {*SQUARE_NAMES}:
            yield f"{kind}: {sorted(found.keys() ^ {*SQUARE_NAMES})}"
        for name in found.keys() & {*SQUARE_NAMES}:
            hole = plate.reed(parse_square(name))
            off = dist(found[name], (hole.x - plate.left, hole.y - plate.top))
            if off > most + 1e-9:
                yield f"{kind} {name} is {off:.2f} mm off the middle"


# The sensors' converters


def converter_faults(board: Board) -> Iterator[str]:
    """Compare addresses and inputs with those that the program reads."""
    found = {}
    for half, fitted in enumerate(halves(board, "hall")):
        sensors = {
            one.nets["2"]: square_of(one, half)
            for one in fitted.parts
            if one.symbol.startswith("DRV5055")
        }
        for chip in (one for one in fitted.parts if one.symbol == "ADS7828"):
            nets = on_pins(chip)
            address = 0x48 | level(fitted, nets["A0"]) | level(fitted, nets["A1"]) << 1
            for channel in range(8):
                if nets[f"CH{channel}"] in sensors:
                    found[sensors[nets[f"CH{channel}"]]] = (address, channel)
            if (nets["VDD"], nets["REF"], nets["COM"]) != ("3V3", "3V3", "GND"):
                yield f"{chip.reference} measures against {nets['REF']} and {nets['COM']}"
            if (nets["SDA"], nets["SCL"]) != ("SDA", "SCL"):
                yield f"{chip.reference} is not on the bus"
    wires = PINS.converters
    for square in ALL_SQUARES:
        chip, channel = wires.inputs[square]
        expected = (wires.addresses[chip], channel)
        if found.get(SQUARE_NAMES[square]) != expected:
            yield f"{SQUARE_NAMES[square]} is at {found.get(SQUARE_NAMES[square])}, not {expected}"


def level(fitted: Board, net: str) -> int:
    """Return the level of an address pin: a strap, or the stronger one of two resistors."""
    if net in {"GND", "3V3"}:
        return int(net == "3V3")
    ohms = {"1k": 1, "10k": 10}
    pulls = sorted(
        (ohms[one.value], other == "3V3")
        for one in fitted.parts
        if one.symbol == "R" and net in one.nets.values()
        for other in {*one.nets.values()} - {net}
    )
    return int(pulls[0][1])


# The reed switches' expanders


def expander_faults(board: Board) -> Iterator[str]:
    first, second = halves(board, "reed")
    ribbon = dict(zip(nets_of(first, "J3"), nets_of(second, "J2"), strict=True))
    reeds = [
        {one.nets["1"]: square_of(one, half) for one in fitted.parts if one.symbol == "SW_Reed"}
        for half, fitted in enumerate((first, second))
    ]
    plugs = {
        net: one.reference for one in first.parts if one.reference in {"J5", "J6"}
        for net in one.nets.values()
    }  # fmt: skip
    inputs = PINS.expander.inputs
    chips = sorted(
        (one for one in first.parts if one.symbol == "MCP23017_SO"), key=lambda one: one.reference
    )
    for number, chip in enumerate(chips):
        nets = on_pins(chip)
        address = 0x20 | sum(level(first, nets[f"A{bit}"]) << bit for bit in range(3))
        if address != PINS.expander.addresses[number]:
            yield f"{chip.reference} is at {address:#x}"
        header = str(HEADER_PINS[PINS.expander.interrupts[number]])
        if nets["INTA"] != part(first, "J1").nets[header]:
            yield f"INTA of {chip.reference} is not on pin {header}"
        for bit, contact in PINS.expander.of_chip(number).items():
            net = nets[f"GP{'AB'[bit // 8]}{bit % 8}"]
            at = reeds[0].get(net) or reeds[1].get(ribbon.get(net, ""))
            if contact in SQUARE_NAMES and at != contact:
                yield f"{contact} reads {at}"
            if contact not in SQUARE_NAMES and net not in plugs:
                yield f"{contact} has no plug"
    if len(chips) != 2 or len(inputs) != 26:
        yield f"{len(chips)} expanders, {len(inputs)} contacts"


def nets_of(board: Board, reference: str) -> list[str]:
    """Return the nets of a connector in the order of its contacts."""
    nets = part(board, reference).nets
    return [nets[str(number)] for number in range(1, len(nets) + 1)]


# The chain of LEDs


def chain_faults(board: Board) -> Iterator[str]:
    expected = [SQUARE_NAMES[square] for square in CHAIN]
    for kind in HALVES:
        found = list(chain(halves(board, kind)))
        if found != expected:
            yield f"{kind}: the data passes {', '.join(found)}"


def chain(fitted: list[Board]) -> Iterator[str]:
    """Yield the squares of the LEDs in the order in which the data passes them."""
    joined: nx.Graph = nx.Graph()
    sends: dict[tuple[int, str], tuple[str, tuple[int, str]]] = {}
    for half, board in enumerate(fitted):
        for one in board.parts:
            if one.symbol == "R" and one.value == "330":
                joined.add_edge((half, one.nets["1"]), (half, one.nets["2"]))
            if one.symbol == "74AHCT1G125" and one.nets["1"] == "GND":
                sends[half, one.nets["2"]] = ("", (half, one.nets["4"]))
            if one.symbol == "WS2812B":
                sends[half, one.nets["4"]] = (square_of(one, half), (half, one.nets["2"]))
    for here, there in zip(nets_of(fitted[0], "J3"), nets_of(fitted[1], "J2"), strict=True):
        joined.add_edge((0, here), (1, there))
    at = (0, part(fitted[0], "J1").nets[str(HEADER_PINS[DATA_GPIO])])
    for _ in range(2 * len(CHAIN)):
        reached = nx.node_connected_component(joined, at) if at in joined else {at}
        receivers = [sends[node] for node in sorted(reached & sends.keys())]
        if len(receivers) != 1:
            return
        name, at = receivers[0]
        if name:
            yield name


# Capacitors


SUPPLIES = {"VDD", "VCC", "REF"}


def capacitor_faults(board: Board) -> Iterator[str]:
    """Find chips, sensors and LEDs without 100 nF within 8 mm of their supply pin."""
    for names in HALVES.values():
        for name in names:
            fitted = board.variant(name)
            for one in fitted.parts:
                supplies = {pin.number for pin in library.pins(one.symbol) if pin.name in SUPPLIES}
                if one.symbol[0] not in "MDWA7":
                    continue
                for pad in one.pads():
                    needs = pad.pad.number in supplies
                    if needs and not any(near(pad, other) for other in fitted.parts):
                        yield f"{name}: {one.reference} has no capacitor"


def near(pad: PlacedPad, other: Part) -> bool:
    return (
        other.symbol == "C"
        and other.value == "100n"
        and {*other.nets.values()} == {pad.net, "GND"}
        and dist(other.place[:2], pad.at) < 8
    )


CHECKS: tuple[Callable[[Board], Iterator[str]], ...] = (
    place_faults,
    converter_faults,
    expander_faults,
    chain_faults,
    capacitor_faults,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_both_halves_are_what_the_program_and_the_template_need(check):
    assert list(check(BOARD)) == []


def changed(reference: str, **attributes: object) -> Board:
    parts = (
        replace(one, **attributes) if one.reference == reference else one for one in BOARD.parts
    )
    return replace(BOARD, parts=tuple(parts))


def without(reference: str) -> Board:
    return replace(BOARD, parts=tuple(one for one in BOARD.parts if one.reference != reference))


def renetted(reference: str, pin: str, net: str) -> Board:
    return changed(reference, nets={**part(BOARD, reference).nets, pin: net})


MISTAKES = {
    "a swapped address strap": (converter_faults, renetted("U14", "12", "GND")),
    "a strap on the other half": (
        converter_faults,
        changed("R14", only=frozenset({FIRST_HALL})),
    ),
    "an expander's strap": (expander_faults, renetted("U16", "15", "GND")),
    "a sensor on another input": (converter_faults, renetted("U5", "2", "HALL_B2")),
    "a reed switch on another wire": (expander_faults, renetted("SW8", "1", "REED_B3")),
    "two wires of the ribbon swapped": (expander_faults, renetted("J2", "13", "REED_B2")),
    "a missing capacitor of a sensor": (capacitor_faults, without("C6")),
    "a missing capacitor of an LED": (capacitor_faults, without("C19")),
    "a missing capacitor of a converter": (capacitor_faults, without("C25")),
    "a missing capacitor of an expander": (capacitor_faults, without("C29")),
    "a sensor 1 mm off": (place_faults, changed("U7", place=(101.0, 60.0, 0))),
    "a reed switch 1 mm off": (place_faults, changed("SW7", place=(101.85, 58.65, 0))),
    "a missing sensor": (place_faults, without("U12")),
    "an LED without data": (chain_faults, renetted("D6", "4", "LED_B4")),
    "a missing bridge on the second half": (chain_faults, without("R18")),
    "a bridge on both halves": (chain_faults, changed("R17", only=frozenset())),
    "no level shifter": (chain_faults, without("U17")),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found(mistake):
    check, board = MISTAKES[mistake]
    assert list(check(board))


# Copper that remains


Piece = tuple[tuple[float, float], tuple[float, float]]
ENDS = ("start", "end")


class Copper:
    """The tracks, vias and pads of a net, each on its layers."""

    def __init__(self) -> None:
        self.pads: list[tuple[str, PlacedPad]] = []
        self.pieces: list[tuple[frozenset[int], Piece, float]] = []

    def parts(self) -> list[set[str]]:
        """Return the pads that are connected with each other."""
        joined: nx.Graph = nx.Graph()
        joined.add_nodes_from(range(len(self.pieces) + len(self.pads)))
        for at, (layers, (start, end), width) in enumerate(self.pieces):
            for other in range(at):
                beside, (u, v), wide = self.pieces[other]
                if layers & beside and apart(start, end, u, v) <= (width + wide) / 2:
                    joined.add_edge(at, other)
            for number, (_, pad) in enumerate(self.pads, len(self.pieces)):
                if layers & layers_of(pad) and any(
                    inside(pad, spot, width / 2) for spot in along(start, end)
                ):
                    joined.add_edge(at, number)
        return [
            {self.pads[one - len(self.pieces)][0] for one in group if one >= len(self.pieces)}
            for group in nx.connected_components(joined)
        ]


def layers_of(pad: PlacedPad) -> frozenset[int]:
    if pad.pad.through:
        return frozenset({0, 1})
    return frozenset({0} if pad.pad.front else {1})


def inside(pad: PlacedPad, spot: tuple[float, float], reach: float) -> bool:
    x, y = turned(spot[0] - pad.at[0], spot[1] - pad.at[1], -(pad.turn + pad.pad.angle))
    gap = hypot(max(abs(x) - pad.pad.width / 2, 0), max(abs(y) - pad.pad.height / 2, 0))
    return gap < reach


def along(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    count = max(int(dist(start, end) / 0.1), 1)
    (x, y), (u, v) = start, end
    for at in range(count + 1):
        yield x + (u - x) * at / count, y + (v - y) * at / count


def apart(a: tuple, b: tuple, c: tuple, d: tuple) -> float:
    """Return the least distance of two lines' points; exact enough for their ends."""
    return min(to_line(a, c, d), to_line(b, c, d), to_line(c, a, b), to_line(d, a, b))


def to_line(spot: tuple, start: tuple, end: tuple) -> float:
    (x, y), (x1, y1), (x2, y2) = spot, start, end
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    share = 0.0 if not length else ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
    share = min(max(share, 0.0), 1.0)
    return hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))


def remains(spot: tuple[float, float]) -> bool:
    """Return whether a place is outside the areas that may be cut off."""
    x, y = spot
    return not any(
        min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys)
        for xs, ys in (zip(*area, strict=True) for area in BOARD.cuts)
    )


def tracks(text: str) -> Iterator[tuple[str, frozenset[int], Piece, float]]:
    """Yield net, layers, ends and width of each track and via; both ends of a via are the same."""
    file = parse(text)
    names = {one[1]: one[2].removeprefix("/") for one in children(file, "net")}
    for one in (*children(file, "segment"), *children(file, "via")):
        via = one[0] == "via"
        start, end = (
            tuple(map(float, child(one, at)[1:3])) for at in (("at", "at") if via else ENDS)
        )
        layers = frozenset({0, 1} if via else {int(child(one, "layer")[1] == "B.Cu")})
        width = float(child(one, "size" if via else "width")[1])
        yield names[child(one, "net")[1]], layers, (start, end), width


def copper(text: str, *, cut: bool) -> dict[str, Copper]:
    """Return the copper of each net but ground, without the areas that may be cut off."""
    found = {net: Copper() for net in BOARD.nets if net != "GND"}
    for one in BOARD.parts:
        for pad in one.pads():
            if pad.net in found and (not cut or remains(pad.at)):
                found[pad.net].pads.append((f"{one.reference}.{pad.pad.number}", pad))
    for net, layers, (start, end), width in tracks(text):
        spots = [start, *along(start, end), end]
        whole = not cut or all(remains(spot) for spot in spots)
        pieces = [(start, end)] if whole else pairwise(spots)
        if net in found:
            found[net].pieces += [
                (layers, piece, width)
                for piece in pieces
                if whole or (remains(piece[0]) and remains(piece[1]))
            ]
    return found


def broken(text: str, *, cut: bool) -> dict[str, list[set[str]]]:
    """Return the nets whose remaining pads are not all connected."""
    groups = {
        net: [group for group in one.parts() if group] for net, one in copper(text, cut=cut).items()
    }
    return {net: found for net, found in groups.items() if len(found) > 1}


@pytest.mark.parametrize(
    "cut", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["whole", "cut"]
)
def test_all_pads_that_remain_are_connected(cut):
    """Supplies, bus, data and sensors need none of the tracks in the areas that may be cut off."""
    assert broken(FILE.read_text("utf-8"), cut=cut) == {}


@pytest.mark.slow
def test_a_missing_track_is_found():
    text = FILE.read_text("utf-8")
    trunk = text.index("(width 2)")
    begin, end = text.rindex("\t(segment", 0, trunk), text.index("\n\t)", trunk) + 4
    assert "5V" in broken(text[:begin] + text[end:], cut=True)
