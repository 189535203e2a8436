"""The panel's board on the Pi's header: both expanders, and a connector for everything else.

It has the outline and the holes of a HAT; the contacts are those of pins.toml's [expander].
"""

from typing import Final

from urpi.hardware.expander_map import CHIPS
from urpi.hardware.header import (
    GROUND_PINS,
    HEADER_PINS,
    POWER_3V3_PINS,
    POWER_5V_PINS,
    SCL_GPIO,
    SDA_GPIO,
)
from wiring.boards import library
from wiring.boards.design import Board, Part, Rules, Text, rectangle
from wiring.draw.sources import ROWS, expander

_CHIP: Final = "MCP23017_SO"
_HEADER: Final = "Raspberry_Pi_4"
SUPPLY: Final = "3V3"
_LEFT: Final = 0.52
_TOP: Final = 0.31
"""The corner of the outline: pin 1 of the header is at 8.37, 4.77 of a HAT, here on the grid."""

_ROWS: Final = {
    "A": ("J2", (37.465, 53.34, 90), (284.48, 63.5)),
    "B": ("J3", (10.16, 53.34, 90), (284.48, 96.52)),
    "C": ("J4", (62.23, 12.7, 0), (284.48, 132.08)),
}
_PAIRS: Final = {
    "light button": ("J5", (62.23, 40.64, 0), "light"),
    "dark button": ("J6", (62.23, 33.02, 0), "dark"),
    "light button 2": ("J7", (3.81, 39.0525, 0), "light 2"),
    "dark button 2": ("J8", (3.81, 45.4025, 0), "dark 2"),
    "light chute": ("J9", (3.81, 32.7025, 0), "chute l"),
    "dark chute": ("J10", (3.81, 26.3525, 0), "chute d"),
}
_OLED: Final = (3.81, 8.5725, 0)
_BUZZER: Final = (3.81, 20.0025, 0)


def panel() -> Board:
    """Return the panel's board."""
    supplied = {"1": SUPPLY, "2": "GND"}
    holes = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
    parts = (
        Part("J1", "Raspberry Pi", _HEADER, "PinHeader_2x20_P2.54mm_Vertical", _header(),
             (8.89, 5.08, 90), (78.74, 88.9), hidden=True),
        *(_chip(number) for number in range(CHIPS)),
        *(_row(row) for row in _ROWS),
        *(_pair(name, at) for at, name in enumerate(_PAIRS)),
        Part("J11", "OLED", "Conn_01x04", "PinHeader_1x04_P2.54mm_Vertical",
             {"1": "GND", "2": SUPPLY, "3": "SCL", "4": "SDA"}, _OLED,
             (368.3, 63.5), hidden=True),
        Part("J12", "piezo buzzer", "Conn_01x02", "PinHeader_1x02_P2.54mm_Vertical",
             {"1": "BUZZER_R", "2": "GND"}, _BUZZER, (368.3, 96.52), hidden=True),
        Part("R1", "100", "R", "R_0805_2012Metric_Pad1.20x1.40mm_HandSolder",
             {"1": "BUZZER", "2": "BUZZER_R"}, (13.335, 24.13, 270), (345.44, 132.08),
             label=(0, -1.8, 0)),
        *(
            Part(f"C{at}", "100n", "C", "C_0805_2012Metric_Pad1.18x1.45mm_HandSolder", supplied,
                 (13.335 + 22.86 * (at - 1), 30.48, 270), (345.44 + 20.32 * at, 132.08),
                 label=(0, -1.8, 0))
            for at in (1, 2)
        ),
        Part("C3", "10u 10V", "C", "C_1206_3216Metric_Pad1.33x1.80mm_HandSolder", supplied,
             (12.065, 15.24, 270), (345.44, 170.18), label=(0, -2, 0)),
        *(
            Part(f"H{at}", "M2.5", "MountingHole", "MountingHole_2.7mm_M2.5", {},
                 (_LEFT + x, _TOP + y, 0), (25.4 + 20.32 * at, 254.0), hidden=True)
            for at, (x, y) in enumerate(holes, 1)
        ),
    )  # fmt: skip
    return Board(
        "panel",
        "Board on the Pi's header, with both expanders",
        rectangle(_LEFT, _TOP, 65, 56.5),
        parts,
        supplied=(),
        texts=_texts(),
        notes=(
            ("Generated from wiring/pins.toml by make -C wiring/boards.", (25.4, 25.4)),
            ("The display is a module of four pins: GND, VCC, SCL, SDA.", (345.44, 50.8)),
        ),
        rules=Rules(track=0.25, clearance=0.2, via=0.7, drill=0.35),
        paper="A3",
    )


def net_of(contact: str) -> str:
    """Return the net of a contact: "A1", or "BUTTON_LIGHT_2" for "light button 2"."""
    if contact[0].isupper():
        return contact
    side, kind, *number = contact.split()
    return "_".join([kind, side, *number]).upper()


def _header() -> dict[str, str]:
    wires = expander()
    nets = {HEADER_PINS[SDA_GPIO]: "SDA", HEADER_PINS[SCL_GPIO]: "SCL"}
    nets |= {HEADER_PINS[wires.buzzer]: "BUZZER"}
    nets |= {HEADER_PINS[gpio]: _interrupt(chip) for chip, gpio in enumerate(wires.interrupts)}
    nets |= dict.fromkeys(GROUND_PINS, "GND") | dict.fromkeys(POWER_3V3_PINS, SUPPLY)
    return {str(pin): net for pin, net in (nets | dict.fromkeys(POWER_5V_PINS, "5V")).items()}


def _interrupt(chip: int) -> str:
    """Return the net of a chip's INTA; both can share a GPIO, and then a net."""
    return f"INTA_{expander().interrupts.index(expander().interrupts[chip]) + 1}"


def _chip(number: int) -> Part:
    wires = expander()
    names = {
        f"GP{'AB'[bit // 8]}{bit % 8}": net_of(name) for bit, name in wires.of_chip(number).items()
    }
    names |= {"VDD": SUPPLY, "VSS": "GND", "~{RESET}": SUPPLY, "SDA": "SDA", "SCK": "SCL"}
    names |= {"INTA": _interrupt(number)}
    for line in range(3):
        names[f"A{line}"] = SUPPLY if wires.addresses[number] >> line & 1 else "GND"
    nets = {pin.number: names[pin.name] for pin in library.pins(_CHIP) if pin.name in names}
    place = (22.86 + 22.86 * number, 27.305, 0)
    return Part(f"U{number + 1}", "MCP23017-E/SO", _CHIP, "SOIC-28W_7.5x17.9mm_P1.27mm", nets,
                place, (165.1 + 66.04 * number, 88.9), label=(0, 0, 0))  # fmt: skip


def _row(row: str) -> Part:
    """Return the connector of a row's squares; its last pin is ground."""
    reference, place, sheet = _ROWS[row]
    nets = {str(at): name for at, name in enumerate([*ROWS[row], "GND"], 1)}
    return Part(reference, f"row {row}", f"Conn_01x{len(nets):02}",
                f"PinHeader_1x{len(nets):02}_P2.54mm_Vertical", nets, place, sheet,
                hidden=True)  # fmt: skip


def _pair(contact: str, at: int) -> Part:
    reference, place, _ = _PAIRS[contact]
    nets = {"1": net_of(contact), "2": "GND"}
    sheet = (284.48 + 43.18 * (at % 2), 172.72 + 17.78 * (at // 2))
    return Part(reference, contact, "Conn_01x02", "PinHeader_1x02_P2.54mm_Vertical", nets,
                place, sheet, hidden=True)  # fmt: skip


def _texts() -> tuple[Text, ...]:
    found = [Text("urpi panel", (33.655, 44.45), 1.2), Text("pin 1", (12.7, 8.0), 0.8)]
    for row in _ROWS:
        x, y, angle = _ROWS[row][1]
        for at, name in enumerate([*ROWS[row], "G"]):
            place = (x + 2.54 * at, y - 2.3) if angle else (x - 2.6, y + 2.54 * at)
            found.append(Text(name, place, 0.8))
    for _, (x, y, _), name in _PAIRS.values():
        found.append(Text(name, (x + (4.7 if x < 30 else -4.2), y + 1.27), 0.8))
    for at, name in enumerate(("GND", "VCC", "SCL", "SDA")):
        found.append(Text(name, (6.9, _OLED[1] + 2.54 * at), 0.8))
    return (*found, Text("buzzer", (8.4, _BUZZER[1] + 1.27), 0.8))
