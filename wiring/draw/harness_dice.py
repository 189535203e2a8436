"""The hub's and a die's wires, as wiring/dice.toml has them."""

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
_CHIP_NOTES: Final = """100 nF from VCC to GND and
from AVCC to GND, close by.
AREF stays open."""


def hub() -> Plan:
    """An Arduino Nano, its radio and its lamp."""
    plan = Plan("The dice hub: an Arduino Nano with its radio")
    board, power = DICE["hub"], DICE["hub-supply"]
    wires = [*_RADIO, "RADIO_IRQ"]
    nano = plan.part(
        "Arduino Nano",
        "5 V, 16 MHz, ATmega328P",
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
    """A bare ATmega328P with sensor, radio and lamp."""
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
        f"RESET, pin {power['RESET']}: 10 kOhm to VCC.",
        OURS,
    )
    _die_sensor(plan, chip, board, power)
    leads = _radio_leads(board, power["AVCC"], power["AGND"])
    plan.cable("To the radio", chip, _radio_part(plan), leads)
    _lamp(plan, chip, board["LED"]["pin"], power["AGND"])
    return plan


def die_supply() -> Plan:
    """A die's cell, its regulator, and how the chip measures the cell."""
    plan = Plan("A die's supply: cell, regulator, and the cell's voltage")
    feet, power = DICE["regulator"], DICE["die-supply"]
    _charger(plan)
    cell = plan.part("LiPo cell", "150 mAh, with protection", [Pin("+"), Pin("-")], _CELL_NOTES)
    regulator = plan.part(
        "MCP1700-3302E",
        "regulator, TO-92 pins",
        [Pin(feet["VIN"], "VIN"), Pin(feet["GND"], "GND"), Pin(feet["VOUT"], "VOUT")],
        "1 uF from VIN to GND,\n1 uF from VOUT to GND.",
    )
    divider = plan.part(
        "Divider",
        "for the cell's voltage",
        [Pin("cell"), Pin("GND"), Pin("middle")],
        _DIVIDER,
        OURS,
    )
    orange, battery = of_signal("cell"), DICE["die"]["BATTERY"]
    start = [Lead(orange, "+", feet["VIN"]), ground("-", feet["GND"])]
    plan.cable("From the cell", cell, regulator, start)
    plan.cable("To measure", cell, divider, [Lead(orange, "+", "cell"), ground("-", "GND")])
    chip = plan.part(
        "ATmega328P",
        "pins of the 28-pin DIP",
        [
            Pin(power["GND"], "GND"),
            Pin(power["AGND"], "GND"),
            Pin(power["VCC"], "VCC"),
            Pin(power["AVCC"], "AVCC"),
            Pin(battery["pin"], battery["port"]),
        ],
        _CHIP_NOTES,
        OURS,
    )
    grounds = [ground(feet["GND"], power[name]) for name in ("GND", "AGND")]
    supplies = [supply(feet["VOUT"], power[name]) for name in ("VCC", "AVCC")]
    plan.cable("3V3", regulator, chip, [*grounds, *supplies])
    measured = Lead(of_signal("BATTERY"), "middle", battery["pin"])
    plan.cable("Measured", divider, chip, [measured])
    return plan


def _charger(plan: Plan) -> None:
    names = DICE["charger"]
    pins = [Pin("+"), Pin("-")]
    cell = plan.part("The same cell, to charge", "unplugged from the die", pins)
    charger = plan.part(
        "Charger", "for one LiPo cell", [Pin(names["PLUS"]), Pin(names["MINUS"])], _CHARGER_NOTES
    )
    leads = [Lead(of_signal("cell"), "+", names["PLUS"]), ground("-", names["MINUS"])]
    plan.cable("To charge", cell, charger, leads)


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
