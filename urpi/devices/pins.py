"""The pin map: which GPIO, or which pin of an expander, each contact is on.

The facts stand in wiring/pins.toml, which goes with the package; this module reads and checks
them. Knows nothing of GPIO libraries.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from urpi.devices.contact_facts import button_name, chute_name
from urpi.devices.expander_map import ExpanderMap, parse_expander
from urpi.devices.header import HEADER_PINS, OTHER_USES, RESERVED, place
from urpi.devices.pin_tables import check_keys, check_number, number_of, table_of
from urpi.devices.wiring_fault import WiringFault
from urpi.errors import UrpiError
from urpi.inputs import read_text
from urpi.rules import SQUARE_NAMES, Side

HIGHEST_GPIO: Final = 27
LARGEST_BYTES: Final = 65_536
"""Of a pin map's file; wiring/pins.toml has a twentieth of that."""
_MAX_LISTED: Final = 6
"""Free GPIOs that a message names, at most."""
I2C_PORTS: Final = range(256)
I2C_ADDRESSES: Final = range(0x08, 0x78)
"""The 7-bit addresses that the I2C specification does not reserve."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """Where every wire goes.

    `squares` are BCM GPIO numbers by the square's bit number, `buttons` by side. The OLED is
    at `oled_address` (7 bits) of ``/dev/i2c-<oled_port>``. `chutes` are the GPIOs of the finish
    chutes by side, `expander` where the contacts are instead when they hang on two MCP23017;
    both for boards that have them.
    """

    squares: tuple[int, ...]
    buttons: Mapping[Side, int]
    oled_port: int
    oled_address: int
    chutes: Mapping[Side, int] = field(default_factory=lambda: MappingProxyType({}))
    expander: ExpanderMap | None = None

    def contacts(self, *, chutes: bool = False) -> dict[str, int]:
        """The GPIO of every contact by its name; the finish chutes' where they are wanted.

        >>> default_pins().contacts()["light button"]
        20
        """
        return {
            **dict(zip(SQUARE_NAMES, self.squares, strict=True)),
            **{button_name(side): gpio for side, gpio in self.buttons.items()},
            **({chute_name(side): gpio for side, gpio in self.chutes.items()} if chutes else {}),
        }


def default_pins() -> PinMap:
    """The map of the board as wiring/ builds it.

    >>> default_pins().squares[0]
    4
    """
    page = files("urpi.devices").joinpath("pins.toml").read_text(encoding="utf-8")
    return parse_pins(page, "wiring/pins.toml")


def read_pins(path: Path) -> PinMap:
    """The map in a file of one's own.

    Raises:
        UrpiError: when the file cannot be read or says something that cannot be.
    """
    advice = "wiring/pins.toml shows how one looks"
    return parse_pins(read_text(path, "pin map", LARGEST_BYTES, advice), str(path))


def changed_pins(pins: PinMap, changes: Mapping[str, int], *, chutes: bool = False) -> PinMap:
    """The map with those GPIOs, by square or by side (its button), in place of the usual ones.

    `chutes` says whether the finish chutes have their pins too.

    Raises:
        UrpiError: when two wires come to lie on one pin, or one on a reserved pin.
    """
    for fault in moved_clashes(pins, changes, chutes=chutes):
        raise UrpiError(fault.sentence)
    return moved_pins(pins, changes)


def moved_clashes(
    pins: PinMap, changes: Mapping[str, int], *, chutes: bool = False
) -> Iterator[WiringFault]:
    """What is wrong with those GPIOs; a wire that was moved is told, not the one it fell upon."""
    wires = moved_pins(pins, changes).contacts(chutes=chutes)
    moved = {name for name in wires if name.removesuffix(" button") in changes}
    yield from gpio_clashes(
        "gpio.pins", dict(sorted(wires.items(), key=lambda wire: wire[0] in moved))
    )


def moved_pins(pins: PinMap, changes: Mapping[str, int]) -> PinMap:
    """The same as `changed_pins`, whether or not it can be."""
    squares = dict(zip(SQUARE_NAMES, pins.squares, strict=True))
    buttons = {side.value: gpio for side, gpio in pins.buttons.items()}
    for name, gpio in changes.items():
        (squares if name in squares else buttons)[name] = gpio
    return replace(
        pins,
        squares=tuple(squares.values()),
        buttons=MappingProxyType({Side(side): gpio for side, gpio in buttons.items()}),
    )


def gpio_clashes(key: str, wires: Mapping[str, int]) -> Iterator[WiringFault]:
    """Every wire that is on a pin which another has, or which no contact can have.

    `wires` are GPIOs by the contact's name; `key` is what says them.
    """
    users: dict[int, str] = {}
    for wire, gpio in wires.items():
        taken = users.get(gpio) or RESERVED.get(gpio)
        if taken:
            yield WiringFault(
                key,
                f"{wire} is on {place(gpio)}, which is already {taken}",
                "every wire needs a GPIO of its own, and 0 to 3 are no contact's",
                f"give {wire} {free_gpios(wires.values())}",
            )
        users.setdefault(gpio, f"that of {wire}")


def free_gpios(taken: Collection[int]) -> str:
    """What to take instead, in words: first what nothing else can be switched on for.

    >>> free_gpios(range(4, 26))
    'one that is free: 26, 27'
    """
    free = [gpio for gpio in HEADER_PINS if gpio not in {*taken, *RESERVED}]
    free.sort(key=lambda gpio: any(gpio in use.gpios for use in OTHER_USES))
    if not free:
        return "another pin, or move all to expanders: none of the header's is free"
    return f"one that is free: {', '.join(map(str, free[:_MAX_LISTED]))}"


def parse_pins(page: str, name: str) -> PinMap:
    """The map that a TOML page says; `name` is what errors call it.

    Raises:
        UrpiError: when it is no TOML, a square, button or table is missing or unknown, a
            number is no GPIO, or two wires share one.
    """
    try:
        tables = tomllib.loads(page)
    except (ValueError, RecursionError) as error:
        message = f"{name} is not TOML: {error}."
        raise UrpiError(message) from error
    check_keys(name, tables, ("squares", "buttons", "oled"), ("chutes", "expander"))
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
        MappingProxyType({Side(side): gpio for side, gpio in chutes.items()}),
        expander,
    )


def _check_gpios(name: str, wires: Mapping[str, object]) -> None:
    for wire, gpio in wires.items():
        check_number(name, wire, gpio, range(HIGHEST_GPIO + 1))
    for fault in gpio_clashes(name, {wire: number_of(gpio) for wire, gpio in wires.items()}):
        raise UrpiError(fault.sentence)
