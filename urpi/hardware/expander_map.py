"""The contacts' pins on the two MCP23017, from the pin map's TOML tables [expander].

Does not depend on the bus.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.hardware.contact_facts import button_name, chute_name
from urpi.rules import SQUARE_NAMES, Side


def table_of(name: str, tables: Mapping[str, Any], table: str, keys: Collection[str]) -> Any:
    """Return a TOML table that has exactly the given keys.

    Args:
        name: The pin map's name in error messages.
        tables: The pin map.
        table: The table's key.
        keys: The keys that it must have.

    Raises:
        UrpiError: If it is no TOML table, or a key is missing or unknown.
    """
    found = tables[table]
    if not isinstance(found, dict):
        message = f"{name}: {table} must be a TOML table, [{table}]; found {found!r}."
        raise UrpiError(message)
    check_keys(f"{name} [{table}]", found, keys)
    return found


def check_keys(
    name: str, found: Mapping[str, object], keys: Collection[str], optional: Collection[str] = ()
) -> None:
    """Check that a TOML table has every key of `keys`, and no others except `optional` ones.

    Raises:
        UrpiError: If a key is missing or unknown.
    """
    allowed = ", ".join((*keys, *optional))
    for key in found:
        if key not in keys and key not in optional:
            message = f"{name} has an unknown key {key!r}; its keys are {allowed}."
            raise UrpiError(message)
    for key in keys:
        if key not in found:
            message = f"{name} lacks {key}; its keys are {allowed}."
            raise UrpiError(message)


def check_number(name: str, key: str, found: object, allowed: range) -> None:
    """Check that a value is a whole number in a range; true and false are not numbers.

    Raises:
        UrpiError: If it is not.
    """
    if number_of(found) not in allowed:
        ends = f"{allowed.start} to {allowed.stop - 1}"
        message = f"{name}: {key} must be a whole number from {ends}; found {found!r}."
        raise UrpiError(message)


def number_of(found: object) -> int:
    """Return a whole number unchanged, and -1 for anything else."""
    return found if isinstance(found, int) and not isinstance(found, bool) else -1


CHIPS: Final = 2
CHIP_NAMES: Final = ("first chip", "second chip")
"""The chips' names in messages; the pin map counts them from 0."""
CHIP_ADDRESSES: Final = range(0x20, 0x28)
"""The addresses that the three address pins can select (DS20001952D, 3.3.1)."""
_PIN: Final = re.compile(r"([0-9])\.([AB])([0-7])")
_BUTTONS: Final = MappingProxyType(
    {
        f"{side.value}{'' if number == 1 else f'-{number}'}": button_name(side, number)
        for number in (1, 2)
        for side in Side
    }
)
_CHUTES: Final = MappingProxyType({side.value: chute_name(side) for side in Side})


@dataclass(frozen=True, slots=True)
class ExpanderMap:
    """The connections of all wires if the contacts are on expanders.

    The chips are at `addresses` (7 bits) of ``/dev/i2c-<port>``. Each chip's INTA is connected
    to its GPIO of `interrupts`, which can be the same for both. `inputs` are pairs of chip and
    bit by the contact's name: bit 0 is GPA0, bit 8 is GPB0. `buzzer` is a GPIO of the header.
    """

    port: int
    addresses: tuple[int, ...]
    interrupts: tuple[int, ...]
    buzzer: int
    inputs: Mapping[str, tuple[int, int]]

    def of_chip(self, chip: int) -> dict[int, str]:
        """Return the names of the contacts of a chip (0 or 1) by bit."""
        return {bit: name for name, (on, bit) in self.inputs.items() if on == chip}


def pin_text(chip: int, bit: int) -> str:
    """Return a chip's pin in the pin map's notation.

    >>> pin_text(1, 9)
    '1.B1'
    """
    return f"{chip}.{'AB'[bit // 8]}{bit % 8}"


def parse_expander(name: str, tables: Mapping[str, Any], gpios: range, ports: range) -> ExpanderMap:
    """Parse the TOML tables [expander] of a pin map.

    Args:
        name: The pin map's name in error messages.
        tables: The pin map.
        gpios: The valid GPIO numbers.
        ports: The valid I2C port numbers.

    Raises:
        UrpiError: If a key is missing or unknown, a number is out of range, or a contact is on
            a pin that is in use or cannot be an input.
    """
    where = f"{name} [expander]"
    keys = ("port", "addresses", "interrupts", "buzzer", "squares", "buttons", "chutes")
    found = table_of(name, tables, "expander", keys)
    check_number(where, "port", found["port"], ports)
    check_number(where, "buzzer", found["buzzer"], gpios)
    check_list(where, "addresses", found["addresses"], CHIP_ADDRESSES, CHIPS)
    check_list(where, "interrupts", found["interrupts"], gpios, CHIPS)
    if len(set(found["addresses"])) < CHIPS:
        message = f"{where}: both chips have the same address; give each its own."
        raise UrpiError(message)
    return ExpanderMap(
        found["port"],
        tuple(found["addresses"]),
        tuple(found["interrupts"]),
        found["buzzer"],
        MappingProxyType(_inputs(where, found)),
    )


def _inputs(where: str, found: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    squares = table_of(where, found, "squares", SQUARE_NAMES)
    chutes = table_of(where, found, "chutes", tuple(_CHUTES))
    buttons = found["buttons"]
    if not isinstance(buttons, dict):
        message = f"{where}: buttons must be a TOML table, [expander.buttons]; found {buttons!r}."
        raise UrpiError(message)
    check_keys(f"{where} [buttons]", buttons, ("light", "dark"), ("light-2", "dark-2"))
    wires = {
        **{square: squares[square] for square in SQUARE_NAMES},
        **{_CHUTES[side]: pin for side, pin in chutes.items()},
        **{_BUTTONS[button]: pin for button, pin in buttons.items()},
    }
    inputs: dict[str, tuple[int, int]] = {}
    for contact, pin in wires.items():
        place = _place(where, contact, pin)
        if place in inputs.values():
            message = f"{where}: {contact} is on {pin}, which is in use; give it its own pin."
            raise UrpiError(message)
        inputs[contact] = place
    return inputs


def _place(where: str, contact: str, pin: object) -> tuple[int, int]:
    parts = _PIN.fullmatch(pin) if isinstance(pin, str) else None
    if parts is None or int(parts[1]) >= CHIPS:
        message = f'{where}: {contact} is {pin!r}; write chip and pin as "0.A0" to "1.B6".'
        raise UrpiError(message)
    if parts[3] == "7":
        message = (
            f"{where}: {contact} is on {pin}, but GPA7 and GPB7 must not be inputs: they can"
            " disturb the bus (Microchip DS20001952D); use another pin."
        )
        raise UrpiError(message)
    return int(parts[1]), "AB".index(parts[2]) * 8 + int(parts[3])


def check_list(where: str, key: str, found: object, allowed: range, chips: int) -> None:
    """Check that a value is a list with a number in a range for each chip.

    Raises:
        UrpiError: If it is not.
    """
    if not isinstance(found, list) or len(found) != chips:
        message = (
            f"{where}: {key} must be a list of {chips} numbers, one per chip; found {found!r}."
        )
        raise UrpiError(message)
    for number in found:
        check_number(where, key, number, allowed)
