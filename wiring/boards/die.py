"""The die's board: processor, sensor, radio and charger, as dice.toml connects them.

Its middle is the middle of the die, and the sensor is there. The places below are from the
middle, x to the right towards the USB connector and y up, seen from the front. The cell lies below
the back.
"""

from typing import Any, Final

from wiring.boards import library
from wiring.boards.design import Board, Keepout, Part, Point, Rules, Text
from wiring.draw.sources import DICE

SUPPLY: Final = "3V3"
REVISION: Final = 2
HALF: Final = (12.7, 10.7)
"""Half the width and height of the board."""
THICKNESS: Final = 1.0
BACK: Final = 0.5
"""Height of the back above the middle of the die; half the height of the sensor, which is there."""
SENSOR: Final = "U2"
_SENSOR_AT: Final = (0.0, 0.5)
_MIDDLE: Final = (12.75, 10.75)
"""The middle on the router's grid, as the pads of the sensor and the processor must be."""
_NOTCH: Final = ((-5.0, 10.7), (-5.0, 8.9), (-1.5, 8.9), (-1.5, 10.7))
"""For the cell's wires."""
_TAB: Final = ((12.7, 5.0), (14.15, 5.0), (14.15, -5.0), (12.7, -5.0))
"""Below the USB connector, whose footprint has the edge of the board at 14.15."""
_ANTENNA: Final = ((-12.7, 1.75), (-7.0, 1.75), (-7.0, -10.7), (-12.7, -10.7))

_SENSOR_HALF: Final = 1.5
"""Half the width of the sensor's package."""
_SENSOR_INSIDE: Final = 0.9
"""The same of the area between its pads, 0.05 mm from them."""

_CHIP: Final = "ATmega328P-M"
_C: Final = "C_0603_1608Metric_Pad1.08x0.95mm_HandSolder"
_R: Final = "R_0603_1608Metric_Pad0.98x0.95mm_HandSolder"
_LED: Final = "LED_0603_1608Metric_Pad1.05x0.95mm_HandSolder"

_CAPACITORS: Final = {
    # net, value
    "C1": ("VBUS", "4.7u 10V"),
    "C2": ("VBAT", "4.7u 10V"),
    "C3": ("VBAT", "1u"),
    "C4": (SUPPLY, "1u"),
    "C5": (SUPPLY, "100n"),
    "C6": (SUPPLY, "100n"),
    "C7": (SUPPLY, "100n"),
    "C8": (SUPPLY, "100n"),
    "C9": (SUPPLY, "10u 10V"),
    "C10": (SUPPLY, "100n"),
    "C11": ("BATTERY", "100n"),
}
_RESISTORS: Final = {
    "R1": ("CC1", "GND", "5.1k"),
    "R2": ("CC2", "GND", "5.1k"),
    "R3": ("PROG", "GND", "20k"),
    "R4": ("VBUS", "CHARGE_A", "1k"),
    "R5": ("RESET", SUPPLY, "10k"),
    "R6": ("SDA", SUPPLY, "4.7k"),
    "R7": ("SCL", SUPPLY, "4.7k"),
    "R8": ("CSN", SUPPLY, "10k"),
    "R9": ("LED", "LED_A", "1k"),
    "R10": ("VBAT", "BATTERY", "1M 1%"),
    "R11": ("BATTERY", "GND", "220k 1%"),
}
_PLACES: Final[dict[str, tuple[float, float, float]]] = {
    # On the front.
    "C1": (11.25, 7.25, 90),
    "R1": (9.25, -0.9, 0),
    "R2": (9.25, 0.9, 0),
    # On the back.
    "C2": (9.0, 6.1, 0),
    "C3": (9.5, -9.75, 0),
    "C4": (8.75, -6.0, 0),
    "C5": (4.25, -4.0, 90),
    "C6": (4.25, -7.5, 90),
    "C7": (-6.0, -8.3, 90),
    "C8": (0.0, 3.0, 0),
    "C9": (8.75, -9.2, 0),
    "C10": (8.75, -7.6, 0),
    "C11": (-6.0, -4.25, 90),
    "R3": (9.0, 7.8, 0),
    "R4": (9.0, 9.5, 0),
    "R5": (-4.75, 2.6, 0),
    "R6": (4.25, 2.1, 0),
    "R7": (4.25, 0.4, 0),
    "R8": (4.25, -1.3, 0),
    "R9": (1.0, 9.7, 0),
    "R10": (-4.75, -0.9, 0),
    "R11": (-4.75, 0.9, 0),
}
_ON_FRONT: Final = frozenset({"C1", "C3"})
_SHEET: Final[dict[str, Point]] = {
    # In the schematic, beside what they belong to; the capacitors of the supplies are in a row.
    "C11": (177.8, 187.96),
    "R1": (355.6, 101.6),
    "R2": (368.3, 101.6),
    "R3": (231.14, 215.9),
    "R4": (299.72, 193.04),
    "R5": (132.08, 165.1),
    "R6": (144.78, 165.1),
    "R7": (157.48, 165.1),
    "R8": (157.48, 121.92),
    "R9": (132.08, 193.04),
    "R10": (162.56, 193.04),
    "R11": (162.56, 210.82),
}
_TEST_POINTS: Final = {
    "TP1": ("GND", (-11.5, 9.75)),
    "TP2": (SUPPLY, (-9.0, 9.75)),
    "TP3": ("VBAT", (-6.5, 9.75)),
}


def die() -> Board:
    """Return the die's board."""
    parts = (
        *_chips(),
        *_connectors(),
        *_suppressors(),
        *_lights(),
        *_small_parts(),
        *_test_points(),
    )
    corners = (
        (-HALF[0], HALF[1]),
        *_NOTCH,
        (HALF[0], HALF[1]),
        *_TAB,
        (HALF[0], -HALF[1]),
        (-HALF[0], -HALF[1]),
    )
    return Board(
        "die",
        "Die",
        tuple(_at(*corner) for corner in corners),
        parts,
        rails=("GND", SUPPLY, "VBAT", "VBUS"),
        supplied=("GND", "VBUS"),
        texts=_texts(),
        keepouts=_keepouts(),
        notes=(
            ("Generated from wiring/dice.toml by make -C wiring/boards.", (25.4, 25.4)),
            ("R3 sets the current of the charge: 1000 V / 20 kOhm = 50 mA.", (25.4, 30.48)),
            ("The cell must have its own protection against discharge.", (25.4, 35.56)),
            ("Q1 conducts only if the cell has the right polarity.", (25.4, 40.64)),
        ),
        rules=Rules(
            track=0.15, clearance=0.127, via=0.49, drill=0.25, to_edge=0.3, step=0.25, ground=False
        ),
        paper="A3",
        thickness=THICKNESS,
        revision=REVISION,
    )


def _keepouts() -> tuple[Keepout, ...]:
    """Return the areas below the antenna and below the sensor.

    Copper or solder under the sensor's package strains it, which shifts its offsets: no vias or
    tracks may be there (ST's technical note TN0018, PCB design guidelines), except for tracks on
    the other side of the board.
    """
    antenna = Keepout("antenna", tuple(_at(*corner) for corner in _ANTENNA))
    package, inside = (
        tuple(_at(_SENSOR_AT[0] + x, _SENSOR_AT[1] + y)
              for x, y in ((-half, half), (half, half), (half, -half), (-half, -half)))
        for half in (_SENSOR_HALF, _SENSOR_INSIDE)
    )  # fmt: skip
    return (
        antenna,
        Keepout("sensor, vias", package, layers=(1,), tracks=False),
        Keepout("sensor, tracks", inside, layers=(1,)),
    )


def _at(x: float, y: float) -> Point:
    """Return a place on the board from one that is relative to the middle."""
    return round(_MIDDLE[0] + x, 4), round(_MIDDLE[1] - y, 4)


def from_middle(at: Point) -> Point:
    """Return a place relative to the middle, with y up, from one on the board."""
    return round(at[0] - _MIDDLE[0], 4), round(_MIDDLE[1] - at[1], 4)


def _part(  # noqa: PLR0913, PLR0917 - the attributes of a part, in their order
    reference: str,
    value: str,
    symbol: str,
    footprint: str,
    nets: dict[str, str],
    place: tuple[float, float, float],
    sheet: Point,
    **more: Any,
) -> Part:
    x, y, angle = place
    return Part(
        reference, value, symbol, footprint, nets, (*_at(x, y), angle), sheet,
        **{"hidden": True, **more},
    )  # fmt: skip


def wires() -> dict[str, str]:
    """Return the net of each port of the processor that is used, such as "PD2"."""
    return {wire["port"]: name for name, wire in DICE["die"].items()}


def _chips() -> tuple[Part, ...]:
    return (
        _part("Q1", "DMG2301L", "DMG2301L", "SOT-23", {"1": "GND", "2": "VBAT", "3": "CELL"},
              (3.5, 6.5, 0), (292.1, 127.0), back=True),
        _part("U1", "ATmega328P-MU", _CHIP, "QFN-32-1EP_5x5mm_P0.5mm_EP3.1x3.1mm", _processor(),
              (-0.75, -5.5, 180), (101.6, 127.0), back=True),
        _part("U2", "LIS3DH", "LIS3DH", "LGA-16_3x3mm_P0.5mm_LayoutBorder3x5y", _sensor(),
              (*_SENSOR_AT, 180), (215.9, 144.78), back=True),
        _part("U3", "MCP1700T-3302E/TT", "MCP1700x-330xxTT", "SOT-23",
              {"3": "VBAT", "2": SUPPLY, "1": "GND"}, (9.5, -7.25, 0), (254.0, 154.94)),
        _part("U4", "MCP73831T-2ACI/OT", "MCP73831-2-OT", "SOT-23-5",
              {"1": "STAT", "2": "GND", "3": "VBAT", "4": "VBUS", "5": "PROG"},
              (7.75, 7.25, 0), (254.0, 200.66)),
        _part("U5", "nRF24L01+ 12x18", "NRF24L01_Breakout", "nRF24L01_Module_12x18mm", _radio(),
              (5.5, -4.4, 90), (215.9, 88.9)),
    )  # fmt: skip


def _processor() -> dict[str, str]:
    names = wires() | {"~{RESET}/PC6": "RESET", "VCC": SUPPLY, "AVCC": SUPPLY, "GND": "GND"}
    return {pin.number: names[pin.name] for pin in library.pins(_CHIP) if pin.name in names}


def _sensor() -> dict[str, str]:
    supply = {"1": SUPPLY, "14": SUPPLY, "5": "GND", "10": "GND", "12": "GND"}
    return supply | {"4": "SCL", "6": "SDA", "7": "GND", "8": SUPPLY, "11": "ACCEL_INT"}


def _radio() -> dict[str, str]:
    others = {"VCC": SUPPLY, "IRQ": "RADIO_IRQ"}
    return {str(number): others.get(name, name) for name, number in DICE["radio"].items()}


def _connectors() -> tuple[Part, ...]:
    names = {"VCC": SUPPLY}
    isp = {str(number): names.get(name, name) for name, number in DICE["die-isp"].items()}
    usb = {"A5": "CC1", "B5": "CC2", "S1": "GND"}
    usb |= dict.fromkeys(("A9", "B9"), "VBUS") | dict.fromkeys(("A12", "B12"), "GND")
    return (
        _part("J1", "USB-C", "USB_C_Receptacle_PowerOnly_6P",
              "USB_C_Receptacle_GCT_USB4125-xx-x_6P_TopMnt_Horizontal", usb, (10.75, 0, 90),
              (330.2, 83.82)),
        _part("J2", "cell", "Conn_01x02_MountingPin",
              "JST_SH_SM02B-SRSS-TB_1x02-1MP_P1.00mm_Horizontal",
              {"1": "CELL", "2": "GND", "MP": "GND"}, (2.0, 5.75, 270), (330.2, 129.54)),
        _part("J3", "ISP", "Conn_02x03_Odd_Even", "ISP_2x03_P2.54mm", isp, (-8.75, 5.75, 0),
              (160.02, 63.5)),
    )  # fmt: skip


def _suppressors() -> tuple[Part, ...]:
    """Return the diodes that clamp what a plug brings.

    That of the cell works in both directions, so that it is no short circuit for a cell with the
    wrong polarity.
    """
    return (
        _part("D3", "PESD5V0S1BA", "D_TVS", "D_SOD-323", {"1": "CELL", "2": "GND"},
              (-1.0, 6.5, 0), (292.1, 144.78), back=True),
        _part("D4", "SMF5.0A", "D_Zener", "D_SOD-123F_NarrowSilk", {"1": "VBUS", "2": "GND"},
              (9.5, 2.85, 0), (292.1, 96.52), back=True),
    )  # fmt: skip


def _lights() -> tuple[Part, ...]:
    return (
        _part("D1", "red", "LED", _LED, {"1": "GND", "2": "LED_A"}, (4.25, 9.7, 0),
              (144.78, 210.82)),
        _part("D2", "red", "LED", _LED, {"1": "STAT", "2": "CHARGE_A"}, (9.75, 9.7, 0),
              (287.02, 210.82)),
    )  # fmt: skip


def _small_parts() -> tuple[Part, ...]:
    found = []
    for at, (name, (net, value)) in enumerate(_CAPACITORS.items()):
        nets = {"1": net, "2": "GND"}
        found.append(
            _small(name, value, "C", _C, nets, _SHEET.get(name, (30.48 + 25.4 * at, 256.54)))
        )
    for name, (one, other, value) in _RESISTORS.items():
        nets = {"1": one, "2": other}
        found.append(_small(name, value, "R", _R, nets, _SHEET[name]))
    return tuple(found)


def _small(  # noqa: PLR0913, PLR0917 - the same
    name: str, value: str, symbol: str, footprint: str, nets: dict[str, str], sheet: Point
) -> Part:
    back = name not in _ON_FRONT
    return _part(name, value, symbol, footprint, nets, _PLACES[name], sheet, back=back)


def _test_points() -> tuple[Part, ...]:
    return tuple(
        _part(name, net, "TestPoint", "TestPoint_Pad_D1.0mm", {"1": net}, (*place, 0),
              (302.26 + 17.78 * at, 50.8))
        for at, (name, (net, place)) in enumerate(_TEST_POINTS.items())
    )  # fmt: skip


def _texts() -> tuple[Text, ...]:
    names = {"GND": "GND", SUPPLY: "3V3", "VBAT": "BAT"}
    return (
        Text("urpi die", _at(-8.75, 2.7), 1.0),
        Text(f"rev {REVISION}", _at(-3.3, 2.7), 0.8),
        Text("+", _at(5.45, 6.3), 0.8),
        *(Text(names[net], _at(x, y - 1.3), 0.8) for net, (x, y) in _TEST_POINTS.values()),
    )
