"""Kinds of values: what is allowed for a key, and the parsing of its value.

A kind does not know its key. `parse` raises `ValueError` for an invalid value; the caller adds the
key, the file and the line to the message.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.names import LAST_DIE, MAX_NAME, InvalidNameError, normalised_name
from urpi.rules import SQUARE_NAMES, TIP_LETTERS, Side

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def toml_text(value: object) -> str:
    """A value in TOML: a text, a whole number, a list or an inline TOML table.

    >>> toml_text({"pieces": "5"})
    '{ pieces = "5" }'
    """
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        # TOML forbids control characters, and others that cannot be seen would not be noticed.
        return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'
    if isinstance(value, dict):
        pairs = ", ".join(f"{name} = {toml_text(item)}" for name, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(toml_text(item) for item in value)}]"
    return str(value)


class ValueKind:
    """A kind of values."""

    @property
    def allowed(self) -> str:
        """The allowed values, in words that follow "must be"."""
        raise NotImplementedError

    def parse(self, value: object) -> object:
        """The value in the form that the program uses.

        Raises:
            ValueError: If it is not allowed.
        """
        raise NotImplementedError

    def text(self, value: object) -> str:
        """The value in TOML."""
        return toml_text(value)

    def from_text(self, text: str) -> object:
        """The value of an environment variable's text, which must still be parsed.

        Raises:
            ValueError: If no text can represent such a value.
        """
        return text


@dataclass(frozen=True)
class Text(ValueKind):
    """A text in one line that is not empty; `what` describes it."""

    what: str = "a text"

    @property
    def allowed(self) -> str:
        return self.what

    def parse(self, value: object) -> str:
        if not isinstance(value, str) or not value or _CONTROL.search(value):
            raise ValueError(self.allowed)
        return value


@dataclass(frozen=True)
class PlayerName(ValueKind):
    """A player's name, empty for none, by default of up to 40 characters."""

    max_length: int = MAX_NAME
    """Maximum length, the same as on the page; the display shows about ten characters."""

    @property
    def allowed(self) -> str:
        return f"a name of {self.max_length} letters at most, in one line"

    def parse(self, value: object) -> str:
        """The name as `normalised_name`."""
        if not isinstance(value, str) or len(value) > self.max_length or _CONTROL.search(value):
            raise ValueError(self.allowed)
        try:
            return normalised_name(value)
        except InvalidNameError as error:
            message = "a name with a visible character, or an empty text"
            raise ValueError(message) from error


@dataclass(frozen=True)
class ClockWord(ValueKind):
    """The time of each side in a game, empty for no limit."""

    @property
    def allowed(self) -> str:
        # Most commands need the defaults of all keys, and no clock.
        from urpi.referee.clock import CLOCK_WORD  # noqa: PLC0415

        return f"{CLOCK_WORD}; or an empty text for no clock"

    def parse(self, value: object) -> str:
        if not isinstance(value, str):
            raise ValueError(self.allowed)
        if not value:
            return value
        from urpi.referee.clock import parse_time_control  # noqa: PLC0415

        try:
            return str(parse_time_control(value))
        except UrpiError as error:
            raise ValueError(self.allowed) from error


@dataclass(frozen=True)
class Whole(ValueKind):
    """A whole number from `low` to `high`, both included, in `unit`."""

    low: int
    high: int
    unit: str = ""
    hexadecimal: bool = False
    """Whether it is written as 0x3C, as in data sheets."""

    @property
    def allowed(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"a whole number from {self.text(self.low)} to {self.text(self.high)}{unit}"

    def parse(self, value: object) -> int:
        """Return the number; true and false are rejected."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(self.allowed)
        if not self.low <= value <= self.high:
            raise ValueError(self.allowed)
        return value

    def text(self, value: object) -> str:
        """The number, decimal or hexadecimal."""
        return f"0x{value:02X}" if self.hexadecimal else str(value)

    def from_text(self, text: str) -> int:
        """The number, decimal or with the prefix 0x."""
        return int(text, 0)


@dataclass(frozen=True)
class OneOf(ValueKind):
    """One of a few values, all texts or all whole numbers."""

    values: tuple[str | int, ...]

    @property
    def allowed(self) -> str:
        return " or ".join(toml_text(value) for value in self.values)

    def parse(self, value: object) -> object:
        """Return the value; true is not accepted for 1."""
        if isinstance(value, bool) or value not in self.values:
            raise ValueError(self.allowed)
        return value

    def from_text(self, text: str) -> str | int:
        """The value with this text, or the text itself if there is none."""
        return next((value for value in self.values if str(value) == text), text)


class Flag(ValueKind):
    """True or false."""

    allowed = "true or false"

    def parse(self, value: object) -> bool:
        """Return the value; 1 is not accepted for true."""
        if not isinstance(value, bool):
            raise ValueError(self.allowed)
        return value

    def text(self, value: object) -> str:
        return str(value).lower()

    def from_text(self, text: str) -> bool | str:
        """The value with this text, or the text itself if there is none."""
        return {"true": True, "false": False}.get(text, text)


class FileOnly(ValueKind):
    """A value of several parts, which an environment variable cannot represent."""

    def from_text(self, text: str) -> object:
        """Raise an error, because the value can be set in a file only."""
        raise ValueError(text)


@dataclass(frozen=True)
class Tips(FileOnly):
    """The tips of a tetrahedron, in the order of the die's faces 1 to 4."""

    count: int = 4

    @property
    def allowed(self) -> str:
        *names, last = (f'"{name}"' for name in TIP_LETTERS)
        return f"a list of {self.count} of {', '.join(names)} and {last}"

    def parse(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) != self.count:
            raise ValueError(self.allowed)
        if any(tip not in tuple(TIP_LETTERS) for tip in value):
            raise ValueError(self.allowed)
        return tuple(value)


@dataclass(frozen=True)
class TipsByDie(FileOnly):
    """The tips of single dice, by the die's number from 1."""

    tips: Tips = Tips()

    @property
    def allowed(self) -> str:
        return f"a TOML table of die numbers from 1, each with {self.tips.allowed}"

    def parse(self, value: object) -> dict[int, tuple[str, ...]]:
        if not isinstance(value, dict) or not all(map(_is_die, value)):
            raise ValueError(self.allowed)
        try:
            return {int(die): self.tips.parse(tips) for die, tips in value.items()}
        except ValueError:
            raise ValueError(self.allowed) from None


BRANDS: Final = ("pixels", "godice", "urpi")
# The bodies that these brands sell.
FACES: Final = (4, 6, 8, 10, 12, 20)
BUILT_FACES: Final = (4, 6)
"""The numbers of faces of a die that is built from a bought board."""
OWNERS: Final = ("both", "light", "dark")
MAX_BUILT: Final = 8
"""Highest number of a die that is built: its firmware has three bits for it."""
_KEY: Final = re.compile(r"[0-9a-f]{32}")
_ADDRESS: Final = re.compile(r"[0-9A-F]{2}(:[0-9A-F]{2}){5}")


class PairedDice(FileOnly):
    """Dice with Bluetooth that belong to this table, by the die's number from 1."""

    @property
    def allowed(self) -> str:
        *faces, last = map(str, FACES)
        return (
            f"a TOML table of die numbers from 1 to {LAST_DIE}, no address twice, each with "
            'address (such as "C4:00:11:22:33:44"), '
            f"brand ({' or '.join(toml_text(brand) for brand in BRANDS)}), "
            f"faces ({', '.join(faces)} or {last}) and owner "
            f"({' or '.join(toml_text(owner) for owner in OWNERS)}); those of the brand urpi "
            "have a number up to 8, 4 or 6 faces, and a key of 32 hexadecimal digits"
        )

    def parse(self, value: object) -> dict[int, dict[str, str | int]]:
        """The dice by number, in ascending order, with all their keys."""
        if not isinstance(value, dict) or not all(map(_is_die, value)):
            raise ValueError(self.allowed)
        # Four digits suffice to see that a number is too high; `int` is slow for thousands of them.
        dice = {int(number[:4]): self._die(die) for number, die in value.items()}
        addresses = {die["address"] for die in dice.values()}
        if len(addresses) < len(value) or max(dice, default=0) > LAST_DIE:
            raise ValueError(self.allowed)
        if any("key" in die and number > MAX_BUILT for number, die in dice.items()):
            raise ValueError(self.allowed)
        return dict(sorted(dice.items()))

    def _die(self, value: object) -> dict[str, str | int]:
        keys = {"address", "brand", "faces", "owner"}
        if isinstance(value, dict) and value.get("brand") == "urpi":
            keys |= {"key"}
        if not isinstance(value, dict) or set(value) - keys or keys - {"owner"} - set(value):
            raise ValueError(self.allowed)
        address, faces = value["address"], value["faces"]
        brand, owner = value["brand"], value.get("owner", "both")
        right = (
            isinstance(address, str)
            and bool(_ADDRESS.fullmatch(address.upper()))
            and brand in BRANDS
            and isinstance(faces, int)
            and not isinstance(faces, bool)
            and faces in FACES
            and owner in OWNERS
        )
        if not right:
            raise ValueError(self.allowed)
        die = {"address": address.upper(), "brand": brand, "faces": faces, "owner": owner}
        if brand != "urpi":
            return die
        key = value["key"]
        if faces not in BUILT_FACES or not isinstance(key, str) or not _KEY.fullmatch(key.lower()):
            raise ValueError(self.allowed)
        return die | {"key": key.lower()}


@dataclass(frozen=True)
class Readings(FileOnly):
    """A whole number from `low` to `high` for each square, none of them 0, or an empty list."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        count = len(SQUARE_NAMES)
        return f"a list of {count} whole numbers from {self.low} to {self.high} except 0, or []"

    def parse(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, list | tuple) or len(value) not in {0, len(SQUARE_NAMES)}:
            raise ValueError(self.allowed)
        number = Whole(self.low, self.high)
        readings = tuple(number.parse(each) for each in value)
        if 0 in readings:
            raise ValueError(self.allowed)
        return readings


class HouseRules(FileOnly):
    """House rules by name; the rule set defines the names and values."""

    allowed = 'a TOML table of texts such as { pieces = "5" }'

    def parse(self, value: object) -> dict[str, str]:
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise ValueError(self.allowed)
        return dict(value)


class Pins(FileOnly):
    """GPIO numbers by the name of a square, or of the side whose button is on the pin."""

    @property
    def allowed(self) -> str:
        return (
            "a TOML table of GPIO numbers from 0 to 27 by square (A1 .. C8) or by side "
            "(light, dark: the button), no number twice, such as { B4 = 17 }"
        )

    def parse(self, value: object) -> dict[str, int]:
        if not isinstance(value, dict):
            raise ValueError(self.allowed)
        for name, number in value.items():
            if not (_is_wired(name) and _is_pin(number)):
                raise ValueError(self.allowed)
        if len(set(value.values())) < len(value):
            raise ValueError(self.allowed)
        return dict(value)


def _is_die(name: str) -> bool:
    # Each number in one form only, so that no die is there twice; `isdecimal` accepts other
    # scripts.
    return name.isascii() and name.isdecimal() and not name.startswith("0")


def _is_pin(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= 27


def _is_wired(name: str) -> bool:
    return name in SQUARE_NAMES or name in {side.value for side in Side}
