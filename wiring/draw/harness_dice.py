"""Diagrams of the hub and of a die, from wiring/dice.toml."""

from typing import Any, Final

from wiring.draw.colours import of_signal
from wiring.draw.plan import BOUGHT, OURS, Lead, Pin, Plan, ground, supply
from wiring.draw.sources import DICE

_RADIO: Final = ("SCK", "MISO", "MOSI", "CSN", "CE")
_RADIO_NOTES: Final = "10 uF between VCC and GND, close to\nthe module. 3.3 V: 5 V kills it."
_NANO_NOTES: Final = """10 uF from RST to GND keep it running
when its port is opened; take them
out to flash it."""
_CELL_NOTES: Final = """On a plug, which is its switch too.
Charge it outside the die."""
_CHARGER_NOTES: Final = """Set to 100 or 130 mA: 10 kOhm at PROG.
Modules come set to 1 A, and that
is too much for this cell."""
_DIVIDER: Final = """1 MOhm from cell to middle.
220 kOhm and 100 nF,
both from middle to GND."""
_SUPPLIES: Final = ("VCC", "AVCC", "GND", "AGND")
_CHIP_NOTES: Final = """100 nF from VCC to GND and
from AVCC to GND, close by.
AREF stays open."""


def hub() -> Plan:
    """Return the diagram of the hub: Arduino Nano, radio and LED."""
    plan = Plan("The dice hub: an Arduino Nano with its radio")
    board, power = DICE["hub"], DICE["hub-supply"]
    wires = [*_RADIO, "RADIO_IRQ"]
    nano = plan.part(
        "Nano",
        "Arduino, 5 V, 16 MHz",
        [
            Pin(power["VCC"]),
            Pin(power["GND"]),
            *(Pin(board[name]["pin"]) for name in (*wires, "LED")),
            Pin("USB"),
        ],
        _NANO_NOTES,
        OURS,
    )
    plan.cable(
        "Cable, radio", nano, _radio_part(plan), _radio_leads(board, power["VCC"], power["GND"])
    )
    _lamp(plan, nano, board["LED"]["pin"], power["GND"])
    pi = plan.part("Raspberry Pi", "any USB port", [Pin("USB-A")])
    plan.cable("USB cable", nano, pi, [Lead("GY", "USB", "USB-A")], "With data wires, up to 2 m")
    return plan


def die() -> Plan:
    """Return the diagram of a die: ATmega328P, sensor, radio and LED."""
    plan = Plan("A die's signals: ATmega328P, LIS3DH, nRF24L01+ and a lamp")
    board, power = DICE["die"], DICE["die-supply"]
    signals = ("SDA", "SCL", "ACCEL_INT", *_RADIO, "RADIO_IRQ", "LED")
    pins = [Pin(board[name]["pin"], board[name]["port"]) for name in signals]
    supplies = [
        Pin(power["VCC"], "VCC"),
        Pin(power["GND"], "GND"),
        Pin(power["AVCC"], "AVCC"),
        Pin(power["AGND"], "GND"),
    ]
    chip = plan.part(
        "ATmega328P",
        "port, pin of the 28-pin DIP",
        [*supplies[:2], *pins[:3], *supplies[2:], *pins[3:]],
        f"RESET, pin {power['RESET']}, and CSN, pin {board['CSN']['pin']}:\n10 kOhm each to VCC.",
        OURS,
    )
    _die_sensor(plan, chip, board, power)
    leads = _radio_leads(board, power["AVCC"], power["AGND"])
    plan.cable("To the radio", chip, _radio_part(plan), leads)
    _lamp(plan, chip, board["LED"]["pin"], power["AGND"])
    return plan


def die_supply() -> Plan:
    """Return the diagram of a die's cell, regulator, voltage divider and charger."""
    plan = Plan("A die's supply: cell, regulator, the cell's voltage, and the charger")
    _charger(plan)
    _divider(plan)
    _regulator(plan)
    return plan


def die_programmer() -> Plan:
    """Return the diagram of the programmer's connector and the chip's pins."""
    plan = Plan("A die's programmer: its six-pin connector and the ATmega328P")
    pins = DICE["die-isp"]
    ends = {name: wire["pin"] for name, wire in DICE["die"].items()} | DICE["die-supply"]
    programmer = plan.part(
        "Programmer",
        "six pins in two rows, 3.3 V",
        [Pin(number, name) for name, number in pins.items()],
        "Pin 1 is at the mark; 1, 3 and 5 are in its row.\n5 V destroys radio and sensor.",
    )
    chip = plan.part(
        "ATmega328P",
        "pin of the 28-pin DIP",
        [Pin(ends[name], name) for name in pins],
        "Unplug the cell if the programmer\nsupplies the die.",
        OURS,
    )
    leads = [Lead(_isp_colour(name), number, ends[name]) for name, number in pins.items()]
    plan.cable("ISP", programmer, chip, leads)
    return plan


def _isp_colour(name: str) -> str:
    return of_signal({"VCC": "supply", "GND": "ground"}.get(name, name))


def _regulator(plan: Plan) -> None:
    feet, power = DICE["regulator"], DICE["die-supply"]
    out = plan.part(
        "MCP1700, out",
        "regulator, TO-92 pin",
        [Pin(feet["VOUT"], "VOUT"), Pin(feet["GND"], "GND")],
        "1 uF from VOUT to GND",
    )
    chip = plan.part(
        "ATmega328P",
        "pin of the 28-pin DIP",
        [
            Pin(power[name], name.removeprefix("A") if name == "AGND" else name)
            for name in _SUPPLIES
        ],
        _CHIP_NOTES,
        OURS,
    )
    supplies = [supply(feet["VOUT"], power[name]) for name in _SUPPLIES[:2]]
    grounds = [ground(feet["GND"], power[name]) for name in _SUPPLIES[2:]]
    plan.cable("3V3", out, chip, [*supplies, *grounds])
    cell = _cell(plan, "LiPo cell", "150 mAh, with protection", _CELL_NOTES)
    regulator = plan.part(
        "MCP1700, in",
        "regulator, TO-92 pin",
        [Pin(feet["VIN"], "VIN"), Pin(feet["GND"], "GND")],
        "1 uF from VIN to GND",
    )
    _from_cell(plan, "From the cell", cell, regulator, (feet["VIN"], feet["GND"]))


def _divider(plan: Plan) -> None:
    battery = DICE["die"]["BATTERY"]
    middle = plan.part("Divider, middle", "for the cell's voltage", [Pin("middle")], _DIVIDER, OURS)
    chip = plan.part(
        "ATmega, ADC", "pin of the 28-pin DIP", [Pin(battery["pin"], battery["port"])], "", OURS
    )
    plan.cable("Measured", middle, chip, [Lead(of_signal("BATTERY"), "middle", battery["pin"])])
    cell = _cell(plan, "Cell, measured", "the same cell")
    ends = plan.part("Divider, ends", "for the cell's voltage", [Pin("cell"), Pin("GND")], "", OURS)
    _from_cell(plan, "To measure", cell, ends, ("cell", "GND"))


def _charger(plan: Plan) -> None:
    names = DICE["charger"]
    cell = _cell(plan, "Cell, charging", "unplugged from the die")
    ends = (names["PLUS"], names["MINUS"])
    charger = plan.part("Charger", "for one LiPo cell", [Pin(end) for end in ends], _CHARGER_NOTES)
    _from_cell(plan, "To charge", cell, charger, ends)


def _cell(plan: Plan, name: str, about: str, notes: str = "") -> str:
    return plan.part(name, about, [Pin("+"), Pin("-")], notes)


def _from_cell(
    plan: Plan, name: str, cell: str, there: str, ends: tuple[int | str, int | str]
) -> None:
    plan.cable(name, cell, there, [Lead(of_signal("cell"), "+", ends[0]), ground("-", ends[1])])


def _die_sensor(plan: Plan, chip: str, board: dict[str, Any], power: dict[str, Any]) -> None:
    names = DICE["sensor"]
    sensor = plan.part(
        "LIS3DH",
        "accelerometer",
        [Pin(names[name]) for name in ("VCC", "GND", "SDA", "SCL", "INT1")],
        f"{names['SA0']} to GND (address 0x18), {names['CS']} to VCC.\n"
        "4.7 kOhm from SDA to VCC and from SCL\nto VCC, unless the module has them.\n"
        "In the middle of the die.",
    )
    leads = [
        supply(power["VCC"], names["VCC"]),
        ground(power["GND"], names["GND"]),
        *(Lead(of_signal(name), board[name]["pin"], names[name]) for name in ("SDA", "SCL")),
        Lead(of_signal("ACCEL_INT"), board["ACCEL_INT"]["pin"], names["INT1"]),
    ]
    plan.cable("To the sensor", chip, sensor, leads)


def _radio_part(plan: Plan) -> str:
    names = ("VCC", "GND", *_RADIO, "IRQ")
    pins = [Pin(DICE["radio"][name], name) for name in names]
    return plan.part("nRF24L01+", "radio module", pins, _RADIO_NOTES, BOUGHT)


def _radio_leads(board: dict[str, Any], vcc: int | str, gnd: int | str) -> list[Lead]:
    radio = DICE["radio"]
    return [
        supply(vcc, radio["VCC"]),
        ground(gnd, radio["GND"]),
        *(Lead(of_signal(name), board[name]["pin"], radio[name]) for name in _RADIO),
        Lead(of_signal("RADIO_IRQ"), board["RADIO_IRQ"]["pin"], radio["IRQ"]),
    ]


def _lamp(plan: Plan, start: str, pin: int | str, gnd: int | str) -> None:
    lamp = plan.part(
        "Lamp",
        "LED",
        [Pin("anode"), Pin("cathode")],
        "1 kOhm in series.\nThe longer leg is the anode.",
        OURS,
    )
    leads = [Lead(of_signal("LED"), pin, "anode"), ground(gnd, "cathode")]
    plan.cable("To the lamp", start, lamp, leads)
