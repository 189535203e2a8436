"""The pin map: the GPIO, or the pin of an expander, that each contact is connected to,
or the input of a converter for a Hall sensor.

The map is wiring/pins.toml, which is part of the package; this module reads and checks it. It
does not depend on a GPIO library.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.hardware.contact_facts import button_name, chute_name
from urpi.hardware.converter_map import ConverterMap, parse_converters
from urpi.hardware.expander_map import (
    ExpanderMap,
    check_keys,
    check_number,
    number_of,
    parse_expander,
    table_of,
)
from urpi.hardware.header import HEADER_PINS, OTHER_USES, RESERVED, place
from urpi.rules import SQUARE_NAMES, Side

HIGHEST_GPIO: Final = 27
LARGEST_BYTES: Final = 65_536
"""Maximum size of a pin map's file; wiring/pins.toml has a twentieth of it."""
_MAX_LISTED: Final = 6
"""Maximum number of free GPIOs listed in a message."""
I2C_PORTS: Final = range(256)
I2C_ADDRESSES: Final = range(0x08, 0x78)
"""The 7-bit addresses that the I2C specification does not reserve."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A square's calibration: the reading without a piece, and how much a light piece adds.

    `piece` is negative if light's pole lowers the reading.
    """

    empty: int
    piece: int


@dataclass(frozen=True, slots=True)
class WiringFault:
    """A fault in the wiring: the key, what was found, what is allowed, and how to correct it.

    `key` is a configuration key, as ``section.name``, or the file name of a pin map. `found`,
    `allowed` and `cure` are parts of one sentence, without a full stop. `wrong` is True, the
    default, if the board does not work with the fault, False if it works but probably not as
    intended.
    """

    key: str
    found: str
    allowed: str
    cure: str
    wrong: bool = True

    @property
    def sentence(self) -> str:
        """The fault as a sentence.

        >>> WiringFault("oled.i2c_port", "it is 3", "pins 3 and 5 are 1", "set 1").sentence
        'oled.i2c_port: it is 3; pins 3 and 5 are 1; set 1.'
        """
        return f"{self.key}: {self.found}; {self.allowed}; {self.cure}."


@dataclass(frozen=True, slots=True)
class PinMap:
    """The connections of all wires.

    `squares` are BCM GPIO numbers in the order of the squares' bit numbers, empty if the squares
    have no contacts; `buttons` by side.
    The OLED is at `oled_address` (7 bits) of ``/dev/i2c-<oled_port>``. `chutes` are the finish
    chutes' GPIOs by side, for boards with chutes. `expander` is used in place of the GPIOs by
    boards whose contacts are on two MCP23017, None if the map has none. `converters` are those
    of Hall sensors in place of the squares' contacts.
    """

    squares: tuple[int, ...]
    buttons: Mapping[Side, int]
    oled_port: int
    oled_address: int
    converters: ConverterMap
    chutes: Mapping[Side, int] = field(default_factory=lambda: MappingProxyType({}))
    expander: ExpanderMap | None = None

    def contacts(self, *, chutes: bool = False) -> dict[str, int]:
        """Return the GPIO of every contact by its name, with the finish chutes if requested.

        >>> default_pins().contacts()["light button"]
        20
        """
        return {
            **dict(zip(SQUARE_NAMES, self.squares, strict=bool(self.squares))),
            **{button_name(side): gpio for side, gpio in self.buttons.items()},
            **({chute_name(side): gpio for side, gpio in self.chutes.items()} if chutes else {}),
        }


def default_pins() -> PinMap:
    """Return the pin map of the board described in wiring/.

    >>> default_pins().squares[0]
    4
    """
    text = Path(__file__).with_name("pins.toml").read_text(encoding="utf-8")
    return parse_pins(text, "wiring/pins.toml")


def read_pins(path: Path) -> PinMap:
    """Read a pin map from a file.

    Raises:
        UrpiError: If the file cannot be read, or is invalid as for `parse_pins`.
    """
    advice = "see wiring/pins.toml for an example"
    return parse_pins(read_text(path, "pin map", LARGEST_BYTES, advice), str(path))


def changed_pins(pins: PinMap, changes: Mapping[str, int], *, chutes: bool = False) -> PinMap:
    """Return a pin map with some GPIOs replaced.

    Args:
        pins: The pin map to change.
        changes: The new GPIOs, by square or by side (for its button).
        chutes: Whether the finish chutes' pins are in use as well. By default they are free for
            other wires.

    Raises:
        UrpiError: If two wires share a pin, or one is on a reserved pin.
    """
    for fault in moved_clashes(pins, changes, chutes=chutes):
        raise UrpiError(fault.sentence)
    return moved_pins(pins, changes)


def moved_clashes(
    pins: PinMap, changes: Mapping[str, int], *, chutes: bool = False
) -> Iterator[WiringFault]:
    """Yield the faults of changed GPIOs. Of two wires on one pin, the changed one is named."""
    wires = moved_pins(pins, changes).contacts(chutes=chutes)
    moved = {name for name in wires if name.removesuffix(" button") in changes}
    yield from gpio_clashes(
        "gpio.pins", dict(sorted(wires.items(), key=lambda wire: wire[0] in moved))
    )


def moved_pins(pins: PinMap, changes: Mapping[str, int]) -> PinMap:
    """Return a pin map with some GPIOs replaced, as `changed_pins` but without checks."""
    squares = dict(zip(SQUARE_NAMES, pins.squares, strict=bool(pins.squares)))
    buttons = {side.value: gpio for side, gpio in pins.buttons.items()}
    for name, gpio in changes.items():
        (squares if name in squares else buttons)[name] = gpio
    return replace(
        pins,
        squares=tuple(squares.values()),
        buttons=MappingProxyType({Side(side): gpio for side, gpio in buttons.items()}),
    )


def gpio_clashes(key: str, wires: Mapping[str, int]) -> Iterator[WiringFault]:
    """Yield a fault for every wire on a pin that is reserved or used by an earlier wire.

    Args:
        key: The configuration key or file that assigns the GPIOs.
        wires: The GPIOs by the contact's name.
    """
    users: dict[int, str] = {}
    for wire, gpio in wires.items():
        taken = users.get(gpio) or RESERVED.get(gpio)
        if taken:
            yield WiringFault(
                key,
                f"{wire} is on {place(gpio)}, which is already {taken}",
                "every wire needs a GPIO of its own, and 0 to 3 are not for contacts",
                f"give {wire} {free_gpios(wires.values())}",
            )
        users.setdefault(gpio, f"that of {wire}")


def free_gpios(taken: Collection[int]) -> str:
    """Return a phrase that suggests free GPIOs, those without another function first.

    >>> free_gpios(range(4, 26))
    'one that is free: 26, 27'
    """
    free = [gpio for gpio in HEADER_PINS if gpio not in {*taken, *RESERVED}]
    free.sort(key=lambda gpio: any(gpio in use.gpios for use in OTHER_USES))
    if not free:
        return "another pin, or move all to expanders: none of the header's is free"
    return f"one that is free: {', '.join(map(str, free[:_MAX_LISTED]))}"


def parse_pins(text: str, name: str) -> PinMap:
    """Parse a pin map in TOML.

    Args:
        text: The TOML document.
        name: Its name in error messages.

    Raises:
        UrpiError: If it is not valid TOML, a square, button or TOML table is missing or unknown, a
            number is not a GPIO, or two wires share one.
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"{name} is not TOML: {error}."
        raise UrpiError(message) from error
    check_keys(name, tables, ("squares", "buttons", "oled", "converters"), ("chutes", "expander"))
    sides = [side.value for side in Side]
    squares = table_of(name, tables, "squares", SQUARE_NAMES)
    buttons = table_of(name, tables, "buttons", sides)
    oled = table_of(name, tables, "oled", ("port", "address"))
    chutes = table_of(name, tables, "chutes", sides) if "chutes" in tables else {}
    wires = {f"{side} button": gpio for side, gpio in buttons.items()}
    _check_gpios(name, {**squares, **wires, **{f"{side} chute": n for side, n in chutes.items()}})
    check_number(name, "oled.port", oled["port"], I2C_PORTS)
    check_number(name, "oled.address", oled["address"], I2C_ADDRESSES)
    expander = None
    if "expander" in tables:
        expander = parse_expander(name, tables, range(HIGHEST_GPIO + 1), I2C_PORTS)
    return PinMap(
        tuple(squares[square] for square in SQUARE_NAMES),
        MappingProxyType({side: buttons[side.value] for side in Side}),
        oled["port"],
        oled["address"],
        parse_converters(name, tables),
        MappingProxyType({Side(side): gpio for side, gpio in chutes.items()}),
        expander,
    )


def _check_gpios(name: str, wires: Mapping[str, object]) -> None:
    for wire, gpio in wires.items():
        check_number(name, wire, gpio, range(HIGHEST_GPIO + 1))
    for fault in gpio_clashes(name, {wire: number_of(gpio) for wire, gpio in wires.items()}):
        raise UrpiError(fault.sentence)
