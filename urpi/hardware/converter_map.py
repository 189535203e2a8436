"""The Hall sensors' inputs on the three converters, from the pin map's TOML table [converters].

Does not depend on the bus.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.hardware.expander_map import check_list, table_of
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Square

CONVERTERS: Final = 3
CONVERTER_ADDRESSES: Final = range(0x48, 0x4C)
"""The addresses that the pins A1 and A0 can select (SBAS181, address byte)."""
_INPUT: Final = re.compile(r"([0-2])\.([0-7])")


@dataclass(frozen=True, slots=True)
class ConverterMap:
    """The connections of the Hall sensors.

    The converters are at `addresses` (7 bits). `inputs` are pairs of converter and channel in the
    order of the squares' bit numbers.
    """

    addresses: tuple[int, ...]
    inputs: tuple[tuple[int, int], ...]

    def of_chip(self, chip: int) -> dict[Square, int]:
        """Return the channels of a converter (0, 1 or 2) by square."""
        channels = zip(ALL_SQUARES, self.inputs, strict=True)
        return {square: channel for square, (on, channel) in channels if on == chip}


def parse_converters(name: str, tables: Mapping[str, Any]) -> ConverterMap:
    """Parse the TOML table [converters] of a pin map.

    Args:
        name: The pin map's name in error messages.
        tables: The pin map.

    Raises:
        UrpiError: If a key is missing or unknown, a number is out of range, or two squares share an
            input or two converters an address.
    """
    where = f"{name} [converters]"
    found = table_of(name, tables, "converters", ("addresses", "squares"))
    check_list(where, "addresses", found["addresses"], CONVERTER_ADDRESSES, CONVERTERS)
    if len(set(found["addresses"])) < CONVERTERS:
        message = f"{where}: two converters have the same address; give each its own."
        raise UrpiError(message)
    squares = table_of(where, found, "squares", SQUARE_NAMES)
    inputs: list[tuple[int, int]] = []
    for square in SQUARE_NAMES:
        text = squares[square]
        parts = _INPUT.fullmatch(text) if isinstance(text, str) else None
        if parts is None:
            message = f'{where}: {square} is {text!r}; write converter and input as "0.0" to "2.7".'
            raise UrpiError(message)
        place = int(parts[1]), int(parts[2])
        if place in inputs:
            message = f"{where}: {square} is on {text}, which is in use; give it its own input."
            raise UrpiError(message)
        inputs.append(place)
    return ConverterMap(tuple(found["addresses"]), tuple(inputs))
