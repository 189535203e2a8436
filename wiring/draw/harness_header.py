"""Diagrams of the board on the Pi's header: the rows of switches, and the panel."""

from typing import Final

from urpi.hardware.header import HEADER_PINS, POWER_3V3_PINS, SCL_GPIO, SDA_GPIO
from urpi.rules import SQUARE_NAMES, Side
from wiring.draw.colours import of_side, of_signal, of_square
from wiring.draw.plan import OURS, Lead, Pin, Plan, ground, supply
from wiring.draw.sources import GROUND_OF, PINS, ROWS

LEGS: Final = """One leg of each to its own wire, the
other to the black wire, which runs
from switch to switch. Any way round."""
OLED_NOTES: Final = """Go by the names: some modules
have VCC and GND changed."""
CHUTE_NOTES: Final = """A reed switch at each chute,
if there are any, and then no buzzer:
chutes = true in [gpio]"""
BUZZER_NOTES: Final = """On the header in place of chutes.
100 Ohm in its green wire.
A piezo, no magnetic buzzer: a GPIO
gives 16 mA at most."""


def board() -> Plan:
    """Return the diagram of the twenty switches."""
    plan = Plan("The board on the Pi's header: twenty reed switches")
    gpios = dict(zip(SQUARE_NAMES, PINS.squares, strict=True))
    for row, squares in reversed(ROWS.items()):
        here = header_part(plan, f"Pi, row {row}", [gpios[name] for name in squares], row)
        there = row_part(plan, row)
        leads = [Lead(of_square(name), HEADER_PINS[gpios[name]], name) for name in squares]
        plan.cable(f"Cable {row}", here, there, [*leads, ground(GROUND_OF[row], "GND")])
    return plan


def panel() -> Plan:
    """Return the diagram of display, buttons, and chutes or buzzer."""
    plan = Plan("The panel on the Pi's header: display, buttons, chutes or buzzer")
    _buzzer(plan)
    _pair(plan, "chutes", dict(PINS.chutes), CHUTE_NOTES)
    _pair(plan, "buttons", dict(PINS.buttons), "One a player, closed while pressed")
    display(plan)
    return plan


def header_part(plan: Plan, name: str, gpios: list[int], cable: str) -> str:
    """Add the header's pins of a cable, in its order."""
    pins = [Pin(HEADER_PINS[gpio], f"GPIO {gpio}") for gpio in gpios]
    return plan.part(name, "GPIO, header pin", [*pins, Pin(GROUND_OF[cable], "ground")])


def row_part(plan: Plan, row: str) -> str:
    """Add the switches of a row."""
    pins = [Pin(name) for name in ROWS[row]]
    return plan.part(f"Row {row}", "reed switches", [*pins, Pin("GND")], LEGS, OURS)


def oled_part(plan: Plan) -> str:
    """Add the display."""
    return plan.part(
        "OLED",
        "128 x 64, SSD1306 or SH1106, I2C",
        [Pin(name) for name in ("VCC", "GND", "SDA", "SCL")],
        f"Address 0x{PINS.oled_address:02X}. {OLED_NOTES}",
        OURS,
    )


def display(plan: Plan) -> None:
    """Add the display and its cable to the header."""
    vcc, gnd = POWER_3V3_PINS[0], GROUND_OF["OLED"]
    here = plan.part("Pi, display", "GPIO, header pin", bus_pins(vcc, gnd))
    leads = bus_leads(vcc, gnd, "VCC", "GND", "SDA", "SCL")
    plan.cable("Cable, display", here, oled_part(plan), leads, "Up to 30 cm")


def bus_pins(vcc: int, gnd: int) -> list[Pin]:
    """Return the header's pins of an I2C device."""
    return [
        Pin(vcc, "3.3 V"),
        Pin(gnd, "ground"),
        Pin(HEADER_PINS[SDA_GPIO], f"GPIO {SDA_GPIO}, SDA"),
        Pin(HEADER_PINS[SCL_GPIO], f"GPIO {SCL_GPIO}, SCL"),
    ]


def bus_leads(vcc: int, gnd: int, *ends: int | str) -> list[Lead]:
    """Return the wires of an I2C device; `ends` are its supply, ground, SDA and SCL."""
    return [
        supply(vcc, ends[0]),
        ground(gnd, ends[1]),
        Lead(of_signal("SDA"), HEADER_PINS[SDA_GPIO], ends[2]),
        Lead(of_signal("SCL"), HEADER_PINS[SCL_GPIO], ends[3]),
    ]


def _pair(plan: Plan, name: str, gpios: dict[Side, int], notes: str) -> None:
    here = header_part(plan, f"Pi, {name}", list(gpios.values()), name)
    pins = [Pin(side.value) for side in gpios]
    there = plan.part(name.capitalize(), "contacts to ground", [*pins, Pin("GND")], notes, OURS)
    leads = [
        Lead(of_side(side.value), HEADER_PINS[gpio], side.value) for side, gpio in gpios.items()
    ]
    plan.cable(f"Cable, {name}", here, there, [*leads, ground(GROUND_OF[name], "GND")])


def _buzzer(plan: Plan) -> None:
    gpio = min(PINS.chutes.values())
    here = header_part(plan, "Pi, buzzer", [gpio], "buzzer")
    there = buzzer_part(plan, "Piezo buzzer", BUZZER_NOTES)
    leads = [Lead(of_signal("buzzer"), HEADER_PINS[gpio], "+"), ground(GROUND_OF["buzzer"], "-")]
    plan.cable("Cable, buzzer", here, there, leads, f"buzzer_pin = {gpio} in [sound]")


def buzzer_part(plan: Plan, name: str, notes: str) -> str:
    """Add a passive piezo buzzer."""
    return plan.part(name, "passive piezo", [Pin("+"), Pin("-")], notes, OURS)
