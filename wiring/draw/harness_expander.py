"""Diagrams of the board on two MCP23017: the bus with the display, and the contacts."""

from typing import Final

from urpi.hardware.expander_map import CHIP_NAMES, pin_text
from urpi.hardware.header import HEADER_PINS, POWER_3V3_PINS
from urpi.hardware.wiring import (
    INTA_FOOT,
    RESET_FOOT,
    SCL_FOOT,
    SDA_FOOT,
    VDD_FOOT,
    VSS_FOOT,
    foot_of,
)
from wiring.draw.colours import of_side, of_signal, of_square
from wiring.draw.harness_header import (
    bus_leads,
    bus_pins,
    buzzer_part,
    display,
    header_part,
    row_part,
)
from wiring.draw.plan import OURS, Lead, Pin, Plan, ground
from wiring.draw.sources import GROUND_OF, ROWS, expander

_FEET: Final = {
    "VDD": VDD_FOOT,
    "VSS": VSS_FOOT,
    "SDA": SDA_FOOT,
    "SCL": SCL_FOOT,
    "INTA": INTA_FOOT,
}
BUS_NOTES: Final = """3 and 5 are the bus of all three:
join their wires, or lead them
on from chip to chip."""
BUZZER_NOTES: Final = """If there is one.
100 Ohm in its green wire.
A piezo, no magnetic buzzer: a GPIO
gives 16 mA at most."""


def bus() -> Plan:
    """Return the diagram of the bus, the interrupts and the buzzer."""
    plan = Plan("Two MCP23017 and the display on the Pi's I2C bus")
    gpio = expander().buzzer
    piezo = header_part(plan, "Pi, buzzer", [gpio], "buzzer")
    leads = [Lead(of_signal("buzzer"), HEADER_PINS[gpio], "+"), ground(GROUND_OF["buzzer"], "-")]
    plan.cable("Cable, buzzer", piezo, buzzer_part(plan, "Piezo buzzer", BUZZER_NOTES), leads)
    for chip in reversed(range(len(CHIP_NAMES))):
        _chip(plan, chip)
    display(plan)
    return plan


def contacts() -> Plan:
    """Return the diagram of the contacts on both chips."""
    plan = Plan("The contacts on two MCP23017")
    inputs = expander().inputs
    buttons = {name: place for name, place in inputs.items() if "button" in name}
    _side_cable(plan, "buttons", buttons, "A pair a side of the table;\nthe second may be left out")
    chutes = {name: place for name, place in inputs.items() if "chute" in name}
    _side_cable(plan, "chutes", chutes, "A reed switch at each chute,\nif there are any")
    for row, squares in reversed(ROWS.items()):
        places = {name: inputs[name] for name in squares}
        here = _feet(plan, f"row {row}", places)
        leads = [Lead(of_square(name), foot_of(bit), name) for name, (_, bit) in places.items()]
        plan.cable(f"Cable {row}", here, row_part(plan, row), [*leads, ground(VSS_FOOT, "GND")])
    return plan


def _chip(plan: Plan, chip: int) -> None:
    gpio, name = expander().interrupts[chip], CHIP_NAMES[chip]
    vcc, gnd = POWER_3V3_PINS[1], GROUND_OF["chips"]
    pi = plan.part(
        f"Pi, {name}",
        "GPIO, header pin",
        [*bus_pins(vcc, gnd), Pin(HEADER_PINS[gpio], f"GPIO {gpio}")],
        BUS_NOTES,
    )
    feet = [Pin(foot, label) for label, foot in _FEET.items()]
    there = plan.part(
        name.capitalize(),
        "MCP23017, DIP pin",
        feet,
        _straps(expander().addresses[chip]),
        OURS,
    )
    leads = bus_leads(vcc, gnd, *list(_FEET.values())[:4])
    interrupt = Lead(of_signal(f"INTA-{chip}"), HEADER_PINS[gpio], INTA_FOOT)
    plan.cable(f"Cable, {name}", pi, there, [*leads, interrupt])


def _straps(address: int) -> str:
    """Return the notes about a chip's address pins and its other connections."""
    high = [f"A{bit}" for bit in range(3) if address >> bit & 1]
    low = [f"A{bit}" for bit in range(3) if not address >> bit & 1]
    straps = [f"{', '.join(names)} to {to}" for names, to in ((high, "VDD"), (low, "VSS")) if names]
    return (
        f"Address 0x{address:02X}: {'; '.join(straps)}\n"
        f"(A0 to A2 are pins 15 to 17).\nRESET, pin {RESET_FOOT}, to VDD.\n100 nF from VDD to VSS."
    )


def _feet(plan: Plan, cable: str, places: dict[str, tuple[int, int]]) -> str:
    (chip,) = {chip for chip, _ in places.values()}
    pins = [Pin(foot_of(bit), f"GP{pin_text(chip, bit)[2:]}") for chip, bit in places.values()]
    name = f"{CHIP_NAMES[chip].capitalize()}, {cable}"
    return plan.part(name, "MCP23017, DIP pin", [*pins, Pin(VSS_FOOT, "VSS")])


def _side_cable(plan: Plan, name: str, places: dict[str, tuple[int, int]], notes: str) -> None:
    here = _feet(plan, name, places)
    ends = {contact: contact.replace(" button", "").replace(" chute", "") for contact in places}
    there = plan.part(
        name.capitalize(),
        "contacts to ground",
        [*(Pin(end) for end in ends.values()), Pin("GND")],
        notes,
        OURS,
    )
    leads = [
        Lead(of_side(ends[contact].replace(" ", "-")), foot_of(bit), ends[contact])
        for contact, (_, bit) in places.items()
    ]
    plan.cable(f"Cable, {name}", here, there, [*leads, ground(VSS_FOOT, "GND")])
