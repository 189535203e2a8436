"""The panel's board on the Pi's header: both expanders, and a connector for everything else.

It has the outline and the holes of a HAT; the contacts are those of pins.toml's [expander].
"""

from collections.abc import Iterator, Sequence
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
from wiring.boards.library import turned
from wiring.draw.sources import ROWS, expander

_CHIP: Final = "MCP23017_SO"
_HEADER: Final = "Raspberry_Pi_4"
SUPPLY: Final = "3V3"
REVISION: Final = 2
_LEFT: Final = 0.52
_TOP: Final = 0.31
"""The corner of the outline: pin 1 of the header is at 8.37, 4.77 of a HAT, here on the grid."""

_ROWS: Final = {
    "A": ("J2", 7, (38.1, 52.705, 0), (284.48, 63.5)),
    "B": ("J3", 9, (10.16, 52.705, 0), (284.48, 96.52)),
    "C": ("J4", 8, (61.595, 27.305, 90), (284.48, 132.08)),
}
_SIDES: Final = {
    "light": ("J5", 5, (4.445, 32.0675, 270), (284.48, 172.72)),
    "dark": ("J6", 6, (61.595, 46.6725, 90), (284.48, 205.74)),
}
_OLED: Final = (4.445, 9.8425, 270)
_BUZZER: Final = (4.445, 23.495, 270)
_PITCH: Final = 2.5
"""From contact to contact. No two connectors have the same number, so no plug fits another one."""


def panel() -> Board:
    """Return the panel's board."""
    supplied = {"1": SUPPLY, "2": "GND"}
    holes = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
    parts = (
        Part("J1", "Raspberry Pi", _HEADER, "PinSocket_2x20_P2.54mm_Vertical", _header(),
             (8.89, 5.08, 270), (78.74, 88.9), hidden=True, back=True),
        *(_chip(number) for number in range(CHIPS)),
        *(_row(row) for row in _ROWS),
        *(_side(side) for side in _SIDES),
        _plug("J7", "OLED", ["GND", SUPPLY, "SCL", "SDA"], _OLED, (368.3, 63.5)),
        _plug("J8", "piezo buzzer", ["BUZZER_R", "GND"], _BUZZER, (368.3, 96.52)),
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
        rails=("GND", SUPPLY, "5V"),
        supplied=(),
        texts=_texts(),
        notes=(
            ("Generated from wiring/pins.toml by make -C wiring/boards.", (25.4, 25.4)),
            ("The display is a module of four pins: GND, VCC, SCL, SDA.", (345.44, 50.8)),
        ),
        rules=Rules(track=0.25, clearance=0.2, via=0.7, drill=0.35),
        paper="A3",
        revision=REVISION,
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
    """Return the connector of a row's squares; its last contacts are ground."""
    reference, contacts, place, sheet = _ROWS[row]
    return _plug(reference, f"row {row}", _with_ground(ROWS[row], contacts), place, sheet)


def _side(side: str) -> Part:
    """Return the connector of a side's buttons and chute; its last contacts are ground."""
    reference, contacts, place, sheet = _SIDES[side]
    nets = _with_ground([net_of(contact) for contact in _contacts_of(side)], contacts)
    return _plug(reference, f"{side} side", nets, place, sheet)


def _contacts_of(side: str) -> list[str]:
    return [f"{side} button", f"{side} button 2", f"{side} chute"]


def _with_ground(nets: Sequence[str], contacts: int) -> list[str]:
    return [*nets, *["GND"] * (contacts - len(nets))]


def _plug(
    reference: str,
    value: str,
    nets: Sequence[str],
    place: tuple[float, float, float],
    sheet: tuple[float, float],
) -> Part:
    count = len(nets)
    footprint = f"JST_XH_B{count}B-XH-A_1x{count:02}_P2.50mm_Vertical"
    numbered = {str(at): net for at, net in enumerate(nets, 1)}
    return Part(reference, value, f"Conn_01x{count:02}", footprint, numbered, place, sheet,
                hidden=True)  # fmt: skip


def _texts() -> tuple[Text, ...]:
    found = [
        Text("urpi panel", (33.655, 43.5), 1.2),
        Text(f"rev {REVISION}", (33.655, 45.6), 1.0),
        Text("1", (6.7, 5.08), 1.0),
        Text("socket on the other side", (20.5, 8.0), 0.8),
    ]
    for row, (_, contacts, place, _) in _ROWS.items():
        found += _names(_with_ground(ROWS[row], contacts), place)
    for side, (_, contacts, place, _) in _SIDES.items():
        found += _names(_with_ground(["button", "button 2", "chute"], contacts), place)
        x, y, angle = place
        # Beside the first contact, or the last one, whichever is above.
        top = y if angle > 180 else y - _PITCH * (contacts - 1)
        found.append(Text(side.upper(), (x + (5.2 if angle > 180 else -5.2), top - 2.2), 1.0))
    found += _names(["GND", "VCC", "SCL", "SDA"], _OLED)
    return (*found, *_names(["buzzer", "GND"], _BUZZER))


def _names(names: Sequence[str], place: tuple[float, float, float]) -> Iterator[Text]:
    """Yield the names of a connector's contacts, on the side that is away from the edge."""
    x, y, angle = place
    for at, name in enumerate(names):
        printed = "G" if name == "GND" and names[0] != "GND" else name
        away = 2.75 + 0.35 * len(printed)
        dx, dy = turned(_PITCH * at, 0, angle)
        if angle == 0:
            yield Text(printed, (x + dx, y - 3.3), 0.8)
        else:
            yield Text(printed, (x + (away if angle > 180 else -away), y + dy), 0.8)
