"""Schematics of the board: a switch, the two expanders, and a matrix, which is not used."""

from typing import Any

import schemdraw.elements as elm

from urpi.hardware.expander_map import CHIP_NAMES, pin_text
from urpi.hardware.header import HEADER_PINS
from urpi.hardware.wiring import (
    ADDRESS_FEET,
    INTA_FOOT,
    RESET_FOOT,
    SCL_FOOT,
    SDA_FOOT,
    VDD_FOOT,
    VSS_FOOT,
    foot_of,
)
from wiring.draw.schematic import Feet, chip, drawing, frame, name
from wiring.draw.sources import PINS, expander


def switch() -> Any:
    """Return the schematic of a switch on a pin of the header."""
    gpio = PINS.squares[0]
    sheet = drawing()
    sheet.add(elm.Resistor().at((0, 2.4)).down().length(2.4).label("about\n50 kOhm", "bottom"))
    sheet.add(elm.Vdd().at((0, 2.4)).label("3.3 V"))
    sheet.add(elm.Dot().at((0, 0)))
    sheet.add(elm.Line().at((0, 0)).left().length(1.4))
    sheet.add(elm.Dot(open=True).theta(0).label("the processor\nreads here", "left"))
    sheet.add(elm.Line().at((0, 0)).right().length(2.6))
    sheet.add(elm.Dot(open=True).theta(0))
    name(sheet, (1.4, 0), f"GPIO {gpio}, pin {HEADER_PINS[gpio]}", "bottom")
    sheet.add(elm.Resistor().at((2.6, 0)).right().length(3.4).label("1 kOhm, if you like", "top"))
    sheet.add(elm.Line().right().length(0.6))
    sheet.add(
        elm.SwitchReed().down().length(2.6).label("A1, closed by\nthe piece's magnet", "bottom")
    )
    sheet.add(elm.Line().left().length(4.0))
    sheet.add(elm.Dot(open=True).theta(0))
    name(sheet, (4.8, -2.6), "ground, pin 9 or any other", "bottom")
    sheet.add(elm.Line().left().length(2.6))
    sheet.add(elm.Ground())
    frame(sheet, (-4.6, -4.3), (2.6, 3.8), "inside the Pi")
    return sheet


def expanders() -> Any:
    """Return the schematic of both chips with contacts, address pins and interrupts."""
    sheet = drawing()
    for number, called in enumerate(CHIP_NAMES):
        title = f"MCP23017, {called}, 0x{expander().addresses[number]:02X}"
        chip(sheet, title, _bus_side(number), _input_side(number), (number * 12.0, 0.0))
    return sheet


def matrix() -> Any:
    """Return the schematic of four switches in a matrix with diodes."""
    sheet = drawing()
    for row in range(2):
        for column in range(2):
            _crossing(sheet, row, column)
    return sheet


def _bus_side(number: int) -> Feet:
    address, gpio = expander().addresses[number], expander().interrupts[number]
    straps = [
        (foot, f"A{bit}", "3.3 V" if address >> bit & 1 else "GND")
        for bit, foot in enumerate(ADDRESS_FEET)
    ]
    return [
        (VDD_FOOT, "VDD", "3.3 V"),
        (RESET_FOOT, "RESET", "3.3 V"),
        (SDA_FOOT, "SDA", "GPIO 2, pin 3"),
        (SCL_FOOT, "SCL", "GPIO 3, pin 5"),
        (INTA_FOOT, "INTA", f"GPIO {gpio}, pin {HEADER_PINS[gpio]}"),
        *straps,
        (VSS_FOOT, "VSS", "GND"),
    ]


def _input_side(number: int) -> Feet:
    contacts = expander().of_chip(number)
    return [
        (foot_of(bit), f"GP{pin_text(number, bit)[2:]}", contacts.get(bit, "open"))
        for bit in range(16)
    ]


def _crossing(sheet: Any, row: int, column: int) -> None:
    """Draw a switch and its diode between a row and a column."""
    x, y = column * 4.0, -row * 3.6
    if column == 0:
        sheet.add(elm.Line().at((-1.5, y)).right().tox(4.0))
        sheet.add(elm.Dot(open=True).at((-1.5, y)).label(f"row {row + 1}", "left"))
    if row == 0:
        sheet.add(elm.Line().at((x + 2.6, 1.2)).down().toy(-6.9))
        sheet.add(elm.Dot(open=True).at((x + 2.6, 1.2)).label(f"column {column + 1}", "top"))
    sheet.add(elm.Dot().at((x, y)))
    sheet.add(elm.SwitchReed().at((x, y)).down().length(2.2))
    sheet.add(elm.Diode().down().length(1.1).label("1N4148", "bottom"))
    sheet.add(elm.Line().right().tox(x + 2.6))
    sheet.add(elm.Dot())
