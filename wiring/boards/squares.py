"""The squares' board: four columns of three squares, half of the game's board.

Two of them side by side are the board. The first one has columns 1 to 4, twelve squares and the
connector of the Pi; the second one has columns 5 to 8, of which squares 5 and 6 of the outer rows
do not exist: its corners there may be cut off along the holes. Each square has a Hall sensor or a
reed switch in its middle, and an LED. Connections are those of pins.toml: the sensors' of
[converters], the reed switches' of [expander].

Squares are named as on the first board, so A3 is square A3 or A7.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from urpi.hardware.expander_map import CHIPS
from urpi.hardware.header import (
    GROUND_PINS,
    HEADER_PINS,
    POWER_3V3_PINS,
    POWER_5V_PINS,
    SCL_GPIO,
    SDA_GPIO,
)
from urpi.hardware.outputs.lights import DATA_GPIO
from urpi.rules import SQUARE_NAMES, Side
from wiring.boards import library
from wiring.boards.design import Board, Laid, Part, Point, Rules, Text, rectangle
from wiring.boards.panel import net_of
from wiring.draw.sources import PINS, expander

SIDE: Final = 40.0
COLUMNS: Final = 4
ROWS: Final = "CBA"
"""From above, as on the template."""
SUPPLY: Final = "3V3"
POWER: Final = "5V"
REVISION: Final = 1
INSET: Final = 0.15
"""How much smaller the outline is on each side, so that two boards fit beside each other."""

FIRST_HALL: Final = "first-hall"
SECOND_HALL: Final = "second-hall"
FIRST_REED: Final = "first-reed"
SECOND_REED: Final = "second-reed"
FIRST: Final = frozenset({FIRST_HALL, FIRST_REED})
SECOND: Final = frozenset({SECOND_HALL, SECOND_REED})
HALL: Final = frozenset({FIRST_HALL, SECOND_HALL})
REED: Final = frozenset({FIRST_REED, SECOND_REED})

_C: Final = "C_0603_1608Metric_Pad1.08x0.95mm_HandSolder"
_R: Final = "R_0603_1608Metric_Pad0.98x0.95mm_HandSolder"
_ADC: Final = "ADS7828"
_EXPANDER: Final = "MCP23017_SO"
_LED_AT: Final = (0.0, 12.0)
_SENSOR_RAIL: Final = -5.0
"""Where the wide track of 3.3 V runs, from the middle of a row of squares."""
_LIGHT_RAIL: Final = {"A": 15.0, "B": 9.0, "C": 15.0}
"""The same of 5 V; that of the cut lines' holes is between two holes."""
_TRUNKS: Final = {POWER: 130.5, SUPPLY: 133.5}
"""Where these nets run along y, on the back."""
_RIBBON: Final = (
    "GND", POWER, POWER, POWER, "GND", "LED_A", "LED_B", "LED_C", "GND", "SDA", "SCL", "GND",
    "B1", "B2", "B3", "B4", "A3", "A4", "C3", "C4",
)  # fmt: skip
"""The ribbon between the boards, in the order of its wires: supplies, the LEDs' data, the bus, and
the second board's reed switches."""
_CHIP_PLACES: Final = {0: (119.0, 106.0), 1: (119.0, 26.0)}
_HOLES: Final = (
    (4.0, 4.0), (156.0, 4.0), (4.0, 116.0), (156.0, 116.0),
    (40.0, 45.0), (40.0, 75.0), (110.0, 39.3), (120.0, 80.0),
)  # fmt: skip


@dataclass(frozen=True)
class Spot:
    """A square of the board: its row and column, and the middle."""

    row: str
    column: int

    @property
    def name(self) -> str:
        return f"{self.row}{self.column}"

    @property
    def second(self) -> str:
        """The name of the square on the second board."""
        return f"{self.row}{self.column + COLUMNS}"

    @property
    def middle(self) -> Point:
        return SIDE * (self.column - 0.5), SIDE * (ROWS.index(self.row) + 0.5)

    @property
    def number(self) -> int:
        """From 1 to 12, row by row."""
        return 1 + "ABC".index(self.row) * COLUMNS + self.column - 1

    @property
    def variants(self) -> frozenset[str]:
        """The variants that have this square."""
        return FIRST | SECOND if self.second in SQUARE_NAMES else FIRST

    @property
    def led_nets(self) -> tuple[str, str]:
        """The nets of the data that its LED receives and sends: row B runs from right to left."""
        inner = self.column if self.row == "B" else self.column - 1
        ends = [f"LED_{self.row}{link}" for link in range(COLUMNS + 1)]
        return (ends[inner], ends[inner - 1]) if self.row == "B" else (ends[inner], ends[inner + 1])


SPOTS: Final = tuple(Spot(row, column) for row in "ABC" for column in range(1, COLUMNS + 1))


def squares() -> Board:
    """Return the squares' board."""
    parts = (
        *(part for spot in SPOTS for part in _square(spot)),
        *_converters(),
        *(_expander(number) for number in range(CHIPS)),
        *_supply(),
        *_options(),
        *_connectors(),
        *_holes(),
    )
    size = (COLUMNS * SIDE - 2 * INSET, len(ROWS) * SIDE - 2 * INSET)
    nets = {net for part in parts for net in part.nets.values()}
    links = {net for spot in SPOTS for net in spot.led_nets}
    return Board(
        "squares",
        "Half of the board: twelve squares",
        rectangle(INSET, INSET, *size),
        parts,
        rails=tuple(sorted(nets - links)),
        supplied=(POWER,),
        texts=_texts(),
        laid=tuple(_laid()),
        cuts=tuple(rectangle(0, top, 2 * SIDE, SIDE) for top in (0.0, 2 * SIDE)),
        variants=(FIRST_HALL, SECOND_HALL, FIRST_REED, SECOND_REED),
        notes=(
            ("Generated from wiring/pins.toml by make -C wiring/boards.", (25.4, 25.4)),
            ("Each variant of the board has some of the parts: see docs/build/squares.md.",
             (25.4, 30.48)),
            ("HALF is low on the first board, and high on the second one, which has R14.",
             (25.4, 35.56)),
        ),
        rules=Rules(
            track=0.2, clearance=0.2, via=0.6, drill=0.3, step=0.25, haste=1.6, islands=True
        ),
        paper="A2",
        revision=REVISION,
    )  # fmt: skip


def _small(  # noqa: PLR0913, PLR0917 - the attributes of a part, in their order
    name: str,
    value: str,
    nets: tuple[str, str],
    place: tuple[float, float, float],
    sheet: Point,
    only: frozenset[str] = frozenset(),
) -> Part:
    """Return a resistor or capacitor."""
    footprint = _R if name.startswith("R") else _C
    numbered = {"1": nets[0], "2": nets[1]}
    return Part(name, value, name[0], footprint, numbered, place, sheet, hidden=True, only=only)


def _square(spot: Spot) -> Iterator[Part]:
    x, y = spot.middle
    number, fitted = spot.number, spot.variants
    across = COLUMNS - spot.column if spot.row == "B" else spot.column - 1
    left, top = 38.1 + 96.52 * across, 50.8 + 76.2 * "ABC".index(spot.row)

    def sheet(right: float, down: float) -> Point:
        return round(left + right, 2), round(top + down, 2)

    hidden: dict[str, Any] = {"hidden": True}
    yield Part(f"U{number}", "DRV5055A2", "DRV5055A1xDBZxQ1", "SOT-23_OpenSilk",
               {"1": SUPPLY, "2": f"HALL_{spot.name}", "3": "GND"}, (x, y, 0), sheet(10.16, 17.78),
               only=fitted & HALL, **hidden)  # fmt: skip
    yield _small(f"C{number}", "100n", (SUPPLY, "GND"), (x - 3.0, y - 2.6, 180),
                 sheet(50.8, 17.78), fitted & HALL)  # fmt: skip
    yield _small(f"R{number}", "100k", (f"HALL_{spot.name}", "GND"), (x - 3.5, y + 2.2, 270),
                 sheet(38.1, 17.78), fitted & HALL)  # fmt: skip
    # The hole of the upright glass is as near to the middle as the sensor's contacts allow.
    yield Part(f"SW{number}", "reed switch", "SW_Reed", "Reed_Upright_P4.00mm",
               {"1": f"REED_{spot.name}", "2": "GND"}, (x + 0.85, y - 1.35, 0),
               sheet(76.2, 17.78), back=True, only=fitted & REED, **hidden)  # fmt: skip
    received, sent = spot.led_nets
    back = spot.row == "B"
    led = (x + _LED_AT[0], y + _LED_AT[1], 0 if back else 180)
    yield Part(f"D{number}", "WS2812B", "WS2812B", "LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
               {"1": POWER, "2": sent, "3": "GND", "4": received}, led, sheet(30.48, 53.34),
               only=fitted, **hidden)  # fmt: skip
    near = (x - 5.5, y + 10.2, 270) if back else (x + 5.5, y + 13.8, 90)
    yield _small(f"C{12 + number}", "100n", (POWER, "GND"), near, sheet(66.04, 68.58), fitted)


def _converters() -> Iterator[Part]:
    """Yield the converters of the sensors: the first one's squares are on both boards."""
    addresses = PINS.converters.addresses
    places = ((114.0, 62.025, 0), (86.0, 62.025, 0))
    for chip in range(2):
        names = {"VDD": SUPPLY, "REF": SUPPLY, "GND": "GND", "COM": "GND", "SDA": "SDA"}
        names |= {"SCL": "SCL", "A1": "HALF", "A0": SUPPLY if addresses[chip] & 1 else "GND"}
        for square, channel in PINS.converters.of_chip(chip).items():
            names[f"CH{channel}"] = f"HALL_{SQUARE_NAMES[square]}"
        for channel in range(8):
            names.setdefault(f"CH{channel}", "GND")
        nets = {pin.number: names[pin.name] for pin in library.pins(_ADC)}
        only = (FIRST_HALL, SECOND_HALL)[: 2 - chip]
        yield Part(f"U{13 + chip}", "ADS7828", _ADC, "TSSOP-16_4.4x5mm_P0.65mm", nets,
                   places[chip], (63.5 + 76.2 * chip, 340.36), hidden=True,
                   only=frozenset(only))  # fmt: skip
        x, y, _ = places[chip]
        yield _small(f"C{25 + chip}", "100n", (SUPPLY, "GND"), (x + 5.6, y - 2.825, 0),
                     (101.6 + 76.2 * chip, 340.36), frozenset(only))  # fmt: skip


def _expander(number: int) -> Part:
    """Return an expander of the reed switches; those of the second board come by the ribbon."""
    wires = expander()
    first = {spot.name: f"REED_{spot.name}" for spot in SPOTS}
    second = {spot.second: f"NEXT_{spot.name}" for spot in SPOTS}
    known = first | second
    names = {
        f"GP{'AB'[bit // 8]}{bit % 8}": known.get(name) or net_of(name)
        for bit, name in wires.of_chip(number).items()
    }
    names |= {"VDD": SUPPLY, "VSS": "GND", "~{RESET}": SUPPLY, "SDA": "SDA", "SCK": "SCL"}
    names |= {"INTA": f"INTA_{number + 1}"}
    for line in range(3):
        names[f"A{line}"] = SUPPLY if wires.addresses[number] >> line & 1 else "GND"
    nets = {pin.number: names[pin.name] for pin in library.pins(_EXPANDER) if pin.name in names}
    return Part(f"U{15 + number}", "MCP23017-E/SO", _EXPANDER, "SOIC-28W_7.5x17.9mm_P1.27mm", nets,
                (*_CHIP_PLACES[number], 90), (228.6 + 91.44 * number, 340.36), hidden=True,
                only=frozenset({FIRST_REED}))  # fmt: skip


def _supply() -> Iterator[Part]:
    """Yield the fuse, the regulator and the capacitors."""
    first_reed = frozenset({FIRST_REED})
    yield Part("F1", "0.75A", "Polyfuse", "Fuse_1812_4532Metric_Pad1.30x3.40mm_HandSolder",
               {"1": "5V_PI", "2": POWER}, (73.75, 51.9, 0), (441.96, 144.78), hidden=True,
               only=FIRST)  # fmt: skip
    yield Part("C34", "1000u 10V", "C_Polarized", "CP_Radial_D10.0mm_P5.00mm",
               {"1": POWER, "2": "GND"}, (78.0, 73.75, 180), (462.28, 144.78), hidden=True,
               back=True)  # fmt: skip
    yield Part("U18", "MCP1700T-3302E/TT", "MCP1700x-330xxTT", "SOT-23",
               {"1": "GND", "2": SUPPLY, "3": POWER}, (126.0, 62.5, 270), (497.84, 144.78),
               hidden=True)  # fmt: skip
    yield _small("C31", "1u", (POWER, "GND"), (128.6, 64.5, 90), (525.78, 144.78))
    yield _small("C32", "1u", (SUPPLY, "GND"), (123.0, 58.2, 270), (543.56, 144.78))
    yield _small("C33", "10u 10V", (SUPPLY, "GND"), (121.2, 64.0, 270), (561.34, 144.78))
    for number, (x, y) in _CHIP_PLACES.items():
        # Beside VDD, pin 9.
        yield _small(f"C{28 + number}", "100n", (SUPPLY, "GND"), (x - 0.6, y + 7.0, 0),
                     (279.4 + 91.44 * number, 340.36), first_reed)  # fmt: skip


def _options() -> Iterator[Part]:
    """Yield the level shifter of the LEDs' data, and what differs between the boards."""
    yield Part("U17", "74AHCT1G125", "74AHCT1G125", "SOT-23-5",
               {"1": "GND", "2": "LED_PI", "3": "GND", "4": "LED_5V", "5": POWER},
               (88.5, 52.3, 0), (452.12, 190.5), hidden=True, only=FIRST)  # fmt: skip
    yield _small("C30", "100n", (POWER, "GND"), (92.5, 51.35, 0), (482.6, 190.5), FIRST)
    for name, ends, place, only in (
        ("R15", ("LED_5V", "LED_A0"), (92.5, 53.3, 0), FIRST),
        ("R16", ("LED_B0", "LED_C0"), (28.0, 50.0, 90), FIRST),
        ("R17", ("LED_A4", "LED_B4"), (148.0, 88.0, 90), SECOND),
        ("R18", ("PREVIOUS_A", "LED_A2"), (89.0, 108.0, 0), SECOND),
        ("R19", ("PREVIOUS_C", "LED_C2"), (89.0, 27.0, 0), SECOND),
    ):
        sheet = (round(391.16 + 15.24 * (int(name[1:]) - 15), 2), 304.8)
        yield _small(name, "330", ends, place, sheet, only)
    yield _small("R13", "10k", ("HALF", "GND"), (107.5, 60.5, 90), (497.84, 190.5), HALL)
    yield _small("R14", "1k", ("HALF", SUPPLY), (107.5, 64.5, 90), (513.08, 190.5),
                 frozenset({SECOND_HALL}))  # fmt: skip


def _connectors() -> Iterator[Part]:
    yield Part("J1", "Raspberry Pi", "Raspberry_Pi_4", "IDC-Header_2x20_P2.54mm_Vertical",
               _header(), (71.75, 45.25, 270), (515.62, 81.28), hidden=True, back=True,
               only=FIRST)  # fmt: skip
    for name, value, x, at, only in (
        ("J2", "previous board", 6.75, 457.2, SECOND),
        ("J3", "next board", 150.75, 515.62, FIRST),
    ):
        yield Part(name, value, "Conn_02x10_Odd_Even", "IDC-Header_2x10_P2.54mm_Vertical",
                   _ribbon(second=only == SECOND), (x, 71.54, 0), (at, 233.68), hidden=True,
                   back=True, only=only)  # fmt: skip
    plugs = (
        ("J4", "OLED", ["GND", SUPPLY, "SCL", "SDA"], (153.0, 94.0, 90), FIRST | SECOND),
        ("J5", "light side", _side(Side.LIGHT, 5), (36.0, 88.0, 0), FIRST),
        ("J6", "dark side", _side(Side.DARK, 6), (33.0, 30.0, 0), FIRST),
        ("J7", "piezo buzzer", ["BUZZER_R", "GND"], (38.0, 10.0, 0), FIRST),
    )
    for at, (name, value, nets, place, only) in enumerate(plugs):
        count = len(nets)
        footprint = f"JST_XH_B{count}B-XH-A_1x{count:02}_P2.50mm_Vertical"
        yield Part(name, value, f"Conn_01x{count:02}", footprint,
                   {str(number): net for number, net in enumerate(nets, 1)}, place,
                   (391.16 + 40.64 * at, 332.74), hidden=True, back=True, only=only)  # fmt: skip
    for name, ends, place, at in (
        ("R21", ("PI_BUTTON_LIGHT", "BUTTON_LIGHT"), (33.0, 98.5, 90), 0),
        ("R22", ("PI_CHUTE_LIGHT", "CHUTE_LIGHT"), (38.0, 98.5, 90), 1),
        ("R23", ("PI_BUTTON_DARK", "BUTTON_DARK"), (33.0, 22.0, 90), 2),
        ("R24", ("PI_CHUTE_DARK", "CHUTE_DARK"), (38.0, 22.0, 90), 3),
    ):
        yield _small(name, "1k", ends, place, (391.16 + 20.32 * at, 378.46),
                     frozenset({FIRST_HALL}))  # fmt: skip
    yield _small("R20", "100", ("BUZZER", "BUZZER_R"), (44.5, 10.0, 0), (472.44, 378.46), FIRST)


def _header() -> dict[str, str]:
    wires = expander()
    nets = {HEADER_PINS[SDA_GPIO]: "SDA", HEADER_PINS[SCL_GPIO]: "SCL"}
    nets |= {HEADER_PINS[DATA_GPIO]: "LED_PI", HEADER_PINS[wires.buzzer]: "BUZZER"}
    nets |= {HEADER_PINS[gpio]: f"INTA_{at}" for at, gpio in enumerate(wires.interrupts, 1)}
    for side in Side:
        for kind, gpios in (("BUTTON", PINS.buttons), ("CHUTE", PINS.chutes)):
            nets[HEADER_PINS[gpios[side]]] = f"PI_{kind}_{side.value.upper()}"
    nets |= dict.fromkeys(GROUND_PINS, "GND") | dict.fromkeys(POWER_5V_PINS, "5V_PI")
    nets |= dict.fromkeys(POWER_3V3_PINS, "3V3_PI")
    return {str(pin): net for pin, net in nets.items()}


def _ribbon(*, second: bool) -> dict[str, str]:
    """Return the nets of the ribbon's connector, of the second board or of the first one."""
    ends = {"LED_A": "PREVIOUS_A", "LED_B": "LED_B0", "LED_C": "PREVIOUS_C"} if second else {
        "LED_A": "LED_A4", "LED_B": "LED_B4", "LED_C": "LED_C4",
    }  # fmt: skip
    contacts = {spot.name: f"{'REED' if second else 'NEXT'}_{spot.name}" for spot in SPOTS}
    known = ends | contacts
    return {str(number): known.get(name, name) for number, name in enumerate(_RIBBON, 1)}


def _side(side: Side, contacts: int) -> Sequence[str]:
    """Return the contacts of a side's connector, as of the panel's board."""
    names = [f"BUTTON_{side.value.upper()}", f"BUTTON_{side.value.upper()}_2"]
    nets = [*names, f"CHUTE_{side.value.upper()}"]
    return [*nets, *["GND"] * (contacts - len(nets))]


def _holes() -> Iterator[Part]:
    for number, at in enumerate(_HOLES, 1):
        yield Part(f"H{number}", "M2.5", "MountingHole", "MountingHole_2.7mm_M2.5", {}, (*at, 0),
                   (25.4 + 17.78 * number, 391.16), hidden=True)  # fmt: skip
    half = SIDE / 2
    lines = [(x, y, 0) for y in (SIDE, 2 * SIDE) for x in (half, SIDE + half)]
    lines += [(2 * SIDE, y, 90) for y in (half, 2 * SIDE + half)]
    for number, place in enumerate(lines, len(_HOLES) + 1):
        yield Part(f"H{number}", "cut", "MountingHole", "MouseBites_16_P2.50mm", {}, place,
                   (25.4 + 17.78 * number, 391.16), hidden=True)  # fmt: skip


def _laid() -> Iterator[Laid]:
    """Yield the supplies' wide tracks: along rows on the front, between them on the back."""
    first, last = SPOTS[0].middle[0], SPOTS[COLUMNS - 1].middle[0]
    for row in ROWS:
        y = SIDE * (ROWS.index(row) + 0.5)
        light, sensor = y + _LIGHT_RAIL[row], y + _SENSOR_RAIL
        ends = (6.75, 153.29) if row == "B" else (first + 2.45, last + 5.5)
        yield from _rail(POWER, light, *ends)
        yield from _rail(SUPPLY, sensor, first - 0.94, last - 0.94)
    for net, x in _TRUNKS.items():
        rails = [
            SIDE * (ROWS.index(row) + 0.5) + (_LIGHT_RAIL[row] if net == POWER else _SENSOR_RAIL)
            for row in ROWS
        ]
        yield Laid(net, 1, tuple((x, y) for y in rails), 2.0 if net == POWER else 1.0)
        for y in rails:
            yield from (Laid(net, 0, ((x + aside, y),)) for aside in (-0.45, 0.45))
    for spot in SPOTS:
        x, y = spot.middle
        yield Laid(SUPPLY, 0, ((x - 0.94, y - 0.95), (x - 0.94, y + _SENSOR_RAIL)), 0.4)
        yield Laid(SUPPLY, 0, ((x - 2.14, y - 2.6), (x - 0.94, y - 2.6)), 0.4)
        pad = (x - 2.45, y + 10.35) if spot.row == "B" else (x + 2.45, y + 13.65)
        yield Laid(POWER, 0, (pad, (pad[0], y + _LIGHT_RAIL[spot.row])), 0.8)
    # From the Pi through the fuse to the rail, and to the large capacitor.
    yield Laid("5V_PI", 0, ((74.29, 47.79), (71.75, 47.79), (71.525, 51.9)), 1.5)
    yield Laid(POWER, 0, ((75.975, 51.9), (78.0, 51.9)), 1.5)
    yield Laid(POWER, 1, ((78.0, 51.4), (78.0, 73.75)), 2.0)
    for y in (51.4, 52.4, 69.0):
        yield Laid(POWER, 0, ((77.5, y),))
        yield Laid(POWER, 0, ((78.5, y),))
    # The regulator.
    yield Laid(POWER, 0, ((126.0, 63.44), (126.0, 69.0)), 0.8)
    yield Laid(POWER, 0, ((126.0, 65.36), (128.6, 65.36)), 0.8)
    yield Laid(SUPPLY, 0, ((125.05, 61.56), (125.05, 55.0)), 0.8)
    yield Laid(SUPPLY, 0, ((125.05, 57.34), (123.0, 57.34)), 0.8)
    # The ribbon's third contact of 5 V.
    for x in (9.29, 153.29):
        yield Laid(POWER, 0, ((x, 71.54), (x, 69.0)), 1.0)


def _rail(net: str, y: float, start: float, end: float) -> Iterator[Laid]:
    """Yield a track along x in parts of a square's side."""
    xs = [start, *(SIDE * at for at in range(1, COLUMNS)), end]
    yield Laid(net, 0, tuple((x, y) for x in xs))


def _texts() -> tuple[Text, ...]:
    found = [
        Text("urpi squares", (100.0, 6.0), 1.5),
        Text(f"rev {REVISION}", (113.0, 6.0), 1.0),
        Text("cut here for columns 5 to 8", (30.0, 42.0), 1.0),
        Text("cut here for columns 5 to 8", (64.0, 78.0), 1.0),
    ]
    for spot in SPOTS:
        x, y = spot.middle
        names = spot.name if spot.second not in SQUARE_NAMES else f"{spot.name} {spot.second}"
        found.append(Text(names, (x - 10.0, y + 16.0), 1.5))
    plugs = (
        ("Pi, pin 1", (60.0, 44.0)), ("previous board", (23.0, 77.5)),
        ("next board", (140.0, 77.5)), ("OLED", (153.0, 99.0)),
        ("light: G G chute, button 2, button", (41.0, 82.5)),
        ("dark: G G G chute, button 2, button", (38.0, 34.5)), ("buzzer", (39.0, 5.5)),
    )  # fmt: skip
    found += [Text(text, at, 1.0, back=True) for text, at in plugs]
    contacts = enumerate(("GND", "VCC", "SCL", "SDA"))
    found += [Text(text, (147.0, 94.0 - 2.5 * at), 0.8, back=True) for at, text in contacts]
    return tuple(found)
