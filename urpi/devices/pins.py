"""The pin map: which GPIO each square's switch and each player's button is on.

The facts stand in wiring/pins.toml, which goes with the package; this module reads and checks
them. Knows nothing of GPIO libraries.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.rules import SQUARE_NAMES, Side

RESERVED: Final[Mapping[int, str]] = MappingProxyType(
    {0: "the EEPROM's", 1: "the EEPROM's", 2: "the OLED's", 3: "the OLED's"}
)
"""GPIO numbers that a switch cannot have: 2 and 3 have pull-ups soldered to the Pi too."""
HIGHEST_GPIO: Final = 27
I2C_PORTS: Final = range(256)
I2C_ADDRESSES: Final = range(0x08, 0x78)
"""The 7-bit addresses that the I2C specification does not reserve."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """Where every wire goes.

    `squares` are BCM GPIO numbers by the square's bit number, `buttons` by side. The OLED is
    at `oled_address` (7 bits) of ``/dev/i2c-<oled_port>``.
    """

    squares: tuple[int, ...]
    buttons: Mapping[Side, int]
    oled_port: int
    oled_address: int


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
    try:
        page = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"The pin map {path} cannot be read: {error}."
        raise UrpiError(message) from error
    return parse_pins(page, str(path))


def parse_pins(page: str, name: str) -> PinMap:
    """The map that a TOML page says; `name` is what errors call it.

    Raises:
        UrpiError: when it is no TOML, a square, button or table is missing or unknown, a
            number is no GPIO, or two wires share one.
    """
    try:
        tables = tomllib.loads(page)
    except tomllib.TOMLDecodeError as error:
        message = f"{name} is no TOML: {error}."
        raise UrpiError(message) from error
    _check_keys(name, tables, ("squares", "buttons", "oled"))
    squares = _table(name, tables, "squares", SQUARE_NAMES)
    buttons = _table(name, tables, "buttons", [side.value for side in Side])
    oled = _table(name, tables, "oled", ("port", "address"))
    _check_gpios(name, {**squares, **{f"{side} button": gpio for side, gpio in buttons.items()}})
    _check_number(name, "oled.port", oled["port"], I2C_PORTS)
    _check_number(name, "oled.address", oled["address"], I2C_ADDRESSES)
    return PinMap(
        tuple(squares[square] for square in SQUARE_NAMES),
        MappingProxyType({side: buttons[side.value] for side in Side}),
        oled["port"],
        oled["address"],
    )


def _table(name: str, tables: Mapping[str, Any], table: str, keys: Any) -> dict[str, Any]:
    found = tables[table]
    if not isinstance(found, dict):
        message = f"{name}: {table} is {found!r}; make it a table, [{table}]."
        raise UrpiError(message)
    _check_keys(f"{name} [{table}]", found, keys)
    return found


def _check_keys(name: str, found: Mapping[str, object], keys: Any) -> None:
    for key in found:
        if key not in keys:
            message = f"{name} has an unknown key {key!r}; its keys are {', '.join(keys)}."
            raise UrpiError(message)
    for key in keys:
        if key not in found:
            message = f"{name} lacks {key}; its keys are {', '.join(keys)}."
            raise UrpiError(message)


def _check_gpios(name: str, wires: Mapping[str, object]) -> None:
    users: dict[object, str] = {}
    for wire, gpio in wires.items():
        _check_number(name, wire, gpio, range(HIGHEST_GPIO + 1))
        taken = users.get(gpio) or RESERVED.get(_number(gpio))
        if taken:
            message = f"{name}: GPIO {gpio} of {wire} is already {taken}; give it one of its own."
            raise UrpiError(message)
        users[gpio] = f"that of {wire}"


def _check_number(name: str, key: str, found: object, allowed: range) -> None:
    if _number(found) not in allowed:
        ends = f"{allowed.start} to {allowed.stop - 1}"
        message = f"{name}: {key} is {found!r}; it is a whole number from {ends}."
        raise UrpiError(message)


def _number(found: object) -> int:
    return found if isinstance(found, int) and not isinstance(found, bool) else -1
