"""Schematics of the hub and of a die, from wiring/dice.toml."""

from typing import Any, Final

import schemdraw.elements as elm

from wiring.draw.schematic import Feet, chip, drawing, flag, name
from wiring.draw.sources import DICE

_RADIO: Final = ("SCK", "MISO", "MOSI", "CSN", "CE", "IRQ")
"""Names of the module's pins; the chip's pin for the last one is RADIO_IRQ."""


_CAPACITORS: Final = (
    ("CELL", "1 uF", "MCP1700"),
    ("3.3 V", "1 uF", "MCP1700"),
    ("3.3 V", "100 nF", "pins 7, 8"),
    ("3.3 V", "100 nF", "pins 20, 22"),
    ("3.3 V", "10 uF", "at the radio"),
)
"""Parts of a die: net, value and position."""


def hub() -> Any:
    """Return the schematic of the hub: Nano, radio, LED and capacitors."""
    sheet = drawing()
    board, power = DICE["hub"], DICE["hub-supply"]
    nets = [*(board[_wire(name)] for name in _RADIO), board["LED"]]
    right: Feet = [
        (power["VCC"], "3.3 V", "3.3 V"),
        *(
            (wire["pin"], wire["port"], net)
            for wire, net in zip(nets, (*_RADIO, "LED"), strict=True)
        ),
        (power["GND"], "GND", "GND"),
    ]
    left: Feet = [
        ("USB", "5 V, data", "the Pi's USB"),
        (board["RXD"]["pin"], board["RXD"]["port"], "USB chip"),
        (board["TXD"]["pin"], board["TXD"]["port"], "USB chip"),
        (power["RESET"], "RESET", "RESET"),
    ]
    chip(sheet, "Arduino Nano: ATmega328P, 5 V, 16 MHz", left, right, (0, 0))
    _radio(sheet, (9.5, 0.4))
    _capacitor(sheet, (15.6, 5.6), "3.3 V", "10 uF", "at the radio")
    _capacitor(sheet, (15.6, 2.2), "RESET", "10 uF", "out to flash it")
    _lamp(sheet, (1.0, -1.4))
    return sheet


def die() -> Any:
    """Return the schematic of a die: chip, sensor, radio, LED, and the cell with its regulator."""
    sheet = drawing()
    board, power = DICE["die"], DICE["die-supply"]
    left: Feet = [
        (power["VCC"], "VCC", "3.3 V"),
        (power["AVCC"], "AVCC", "3.3 V"),
        (power["RESET"], "RESET", "RESET"),
        *_feet(board, ("SDA", "SCL", "ACCEL_INT", "BATTERY")),
        (power["GND"], "GND", "GND"),
        (power["AGND"], "GND", "GND"),
    ]
    right = [*_feet(board, [_wire(name) for name in _RADIO]), *_feet(board, ("LED",))]
    chip(sheet, "ATmega328P, 3.3 V, 8 MHz of its own", left, right, (0, 0))
    _sensor(sheet, (9.5, 1.5))
    _radio(sheet, (18.0, 0.75))
    _cell(sheet, (-2.6, -2.4))
    feet = DICE["regulator"]
    supply: Feet = [(feet["VIN"], "VIN", "CELL"), (feet["GND"], "GND", "GND")]
    chip(sheet, "MCP1700-3302E", supply, [(feet["VOUT"], "VOUT", "3.3 V")], (8.6, -4.2))
    _resistors(sheet, (16.6, -2.4))
    _lamp(sheet, (16.6, -6.6))
    for number, (net, value, where) in enumerate(_CAPACITORS):
        _capacitor(sheet, (-2.4 + 3.7 * number, -7.2), net, value, where)
    return sheet


def _wire(name: str) -> str:
    return "RADIO_IRQ" if name == "IRQ" else name


def _net(name: str) -> str:
    return {"RADIO_IRQ": "IRQ", "ACCEL_INT": "INT1"}.get(name, name)


def _feet(board: dict[str, Any], names: Any) -> Feet:
    return [(board[name]["pin"], board[name]["port"], _net(name)) for name in names]


def _radio(sheet: Any, at: tuple[float, float]) -> None:
    names = ("VCC", *_RADIO, "GND")
    feet = [(DICE["radio"][name], name, "3.3 V" if name == "VCC" else name) for name in names]
    chip(sheet, "nRF24L01+ module", feet, [], at)


def _sensor(sheet: Any, at: tuple[float, float]) -> None:
    names = DICE["sensor"]
    nets = {"VCC": "3.3 V", "CS": "3.3 V", "SA0": "GND", "GND": "GND"}
    order = ("VCC", "CS", "SDA", "SCL", "INT1", "SA0", "GND")
    feet = [("", names[name], nets.get(name, name)) for name in order]
    chip(sheet, "LIS3DH, address 0x18", feet, [], at)


def _cell(sheet: Any, at: tuple[float, float]) -> None:
    """Draw the cell and the divider that measures its voltage."""
    x, y = at
    sheet.add(elm.Dot(open=True).theta(0).at(at))
    name(sheet, at, "CELL", "top")
    sheet.add(elm.BatteryCell().at(at).down().length(3.2).label("LiPo\n150 mAh", "bottom"))
    sheet.add(elm.Ground())
    x += 3.2
    sheet.add(elm.Dot(open=True).theta(0).at((x, y)))
    name(sheet, (x, y), "CELL", "top")
    sheet.add(elm.Resistor().at((x, y)).down().length(1.6).label("1 MOhm", "bottom"))
    sheet.add(elm.Dot())
    sheet.add(elm.Resistor().at((x, y - 1.6)).down().length(1.6).label("220 kOhm", "top"))
    sheet.add(elm.Ground())
    sheet.add(elm.Line().at((x, y - 1.6)).right().length(1.0))
    sheet.add(elm.Capacitor().down().length(1.6).label("100 nF", "bottom"))
    sheet.add(elm.Ground())
    flag(sheet, (x + 1.0, y - 1.6), "BATTERY", "right")


def _resistors(sheet: Any, at: tuple[float, float]) -> None:
    """Draw the pull-up resistors of the bus, of the reset, and of the radio's CSN."""
    pull_ups = (("SDA", "4.7 kOhm"), ("SCL", "4.7 kOhm"), ("RESET", "10 kOhm"), ("CSN", "10 kOhm"))
    for number, (net, value) in enumerate(pull_ups):
        x = at[0] + 2.2 * number
        sheet.add(elm.Dot(open=True).theta(0).at((x, at[1])))
        name(sheet, (x, at[1]), "3.3 V", "top")
        sheet.add(elm.Resistor().at((x, at[1])).down().length(2.0).label(value, "bottom"))
        sheet.add(elm.Dot(open=True).theta(0))
        name(sheet, (x, at[1] - 2.0), net, "bottom")


def _capacitor(sheet: Any, at: tuple[float, float], net: str, value: str, where: str) -> None:
    sheet.add(elm.Dot(open=True).theta(0).at(at))
    name(sheet, at, net, "top")
    sheet.add(elm.Capacitor().at(at).down().length(1.5).label(f"{value}\n{where}", "bottom"))
    sheet.add(elm.Ground())


def _lamp(sheet: Any, at: tuple[float, float]) -> None:
    sheet.add(elm.Dot(open=True).theta(0).at(at))
    name(sheet, at, "LED", "left")
    sheet.add(elm.Resistor().at(at).right().length(2.2).label("1 kOhm", "top"))
    sheet.add(elm.LED().right().length(1.8))
    sheet.add(elm.Ground())
