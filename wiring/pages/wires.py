"""Pin tables: the wires of the board, on the header or on expanders, of the hub and of a die."""

from urpi.config import Config, GpioSection, SoundSection
from urpi.hardware.expander_map import CHIP_NAMES
from urpi.hardware.wiring import GROUND, Wire, shared_pins, wire_list, wires_of
from urpi.rules import SQUARE_NAMES
from wiring.draw.colours import NAMES, of_side, of_signal, of_square
from wiring.draw.sources import DICE, PINS
from wiring.pages.markdown import table

_PARTS = {
    "header": Config(gpio=GpioSection(chutes=True)),
    "expander": Config(
        gpio=GpioSection(wiring="expander", chutes=True), sound=SoundSection(buzzer=True)
    ),
}

_SUPPLY = {
    "die": {
        "VCC": "3.3 V of the regulator; 100 nF to ground, close by",
        "AVCC": "3.3 V of the regulator; 100 nF to ground, close by",
        "GND": "ground",
        "AGND": "ground",
        "RESET": "10 kOhm to 3.3 V",
    },
    "hub": {
        "VCC": "nRF24L01+ VCC; 10 uF to ground, close to the module",
        "GND": "nRF24L01+ GND, and the LED's other end",
        "RESET": "10 uF to ground; removed while it is flashed",
    },
}
"""Other ends of the supply and reset pins."""


def parts() -> dict[str, str]:
    """Return every table by the name of its marker."""
    return {
        "header": _header(),
        "expander": _expander(),
        "disabled": _disabled(),
        "die": _dice("die"),
        "hub": _dice("hub"),
        "isp": _isp(),
    }


def colour_of(name: str) -> str:
    """Return the name of a wire's colour, empty if any colour will do."""
    first, _, rest = name.partition(" ")
    if name in SQUARE_NAMES:
        return NAMES[of_square(name)]
    if rest.startswith(("button", "chute")):
        return NAMES[of_side(f"{first}-2" if rest.endswith(" 2") else first)]
    if first == "INTA":
        return NAMES[of_signal(f"INTA-{CHIP_NAMES.index(rest.removeprefix('of '))}")]
    signal = name.removeprefix("OLED ").removeprefix("the ").partition(" of ")[0]
    known = {"VCC": "supply", "VDD": "supply", "RESET": "supply", "GND": "ground", "VSS": "ground"}
    kind = known.get(signal, signal)
    return NAMES[of_signal(kind)] if kind in {*known.values(), "SDA", "SCL", "buzzer"} else ""


def _header() -> str:
    rows = [
        (wire.name, _number(wire.pin), _gpio(wire), colour_of(wire.name), _to(wire))
        for wire in wires_of(_PARTS["header"], PINS)
    ]
    return table(["wire", "header pin", "GPIO", "colour", "other end"], rows)


def _expander() -> str:
    rows = [
        (
            wire.name,
            "" if wire.chip is None else CHIP_NAMES[wire.chip].removesuffix(" chip"),
            _number(wire.foot),
            f"`{wire.chip_pin}`" if wire.chip_pin else "",
            _number(wire.pin),
            colour_of(wire.name),
            _to(wire),
        )
        for wire in wires_of(_PARTS["expander"], PINS)
    ]
    heads = ["wire", "chip", "DIP pin", "in pins.toml", "header pin", "colour", "other end"]
    return table(heads, rows)


def _disabled() -> str:
    shared = shared_pins(_PARTS["header"], PINS)
    rows = [(use.what, wire_list(wires), f"`{use.off}`") for use, wires in shared.items()]
    return table(["must be disabled", "because of", "how"], rows)


def _dice(board: str) -> str:
    rows = [
        (name.replace("_", " "), wire["port"], str(wire["pin"]), wire["to"], _signal_colour(name))
        for name, wire in DICE[board].items()
    ]
    rows += [
        (name, "", str(DICE[f"{board}-supply"][name]), to, _supply_colour(name))
        for name, to in _SUPPLY[board].items()
    ]
    pin = "pin of the DIP" if board == "die" else "on the Nano"
    return table(["wire", "port", pin, "other end", "colour"], rows)


def _isp() -> str:
    signals = {name: wire["pin"] for name, wire in DICE["die"].items()} | DICE["die-supply"]
    rows = [(str(pin), name, str(signals[name])) for name, pin in DICE["die-isp"].items()]
    return table(["pin of the connector", "signal", "pin of the DIP"], rows)


def _signal_colour(name: str) -> str:
    return "" if name in {"RXD", "TXD"} else NAMES[of_signal(name)]


def _supply_colour(name: str) -> str:
    kinds = {"VCC": "supply", "AVCC": "supply", "GND": "ground", "AGND": "ground"}
    return NAMES[of_signal(kinds[name])] if name in kinds else ""


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _gpio(wire: Wire) -> str:
    return _number(wire.gpio)


def _to(wire: Wire) -> str:
    is_contact = wire.to == GROUND and (wire.gpio is not None or wire.chip_pin)
    return "contact, its other lead to ground" if is_contact else wire.to
