"""The parts list and its totals, from wiring/parts.toml."""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from wiring.pages.markdown import table

PAGE: Final = Path(__file__).parents[1] / "parts.toml"


@dataclass(frozen=True, slots=True)
class Price:
    """Range of a price in EUR, from a cheap to an expensive shop."""

    low: float
    high: float

    def __add__(self, other: "Price") -> "Price":
        return Price(self.low + other.low, self.high + other.high)

    def times(self, count: float) -> "Price":
        """Return the price of that number of parts."""
        return Price(self.low * count, self.high * count)

    @property
    def text(self) -> str:
        """The range in whole EUR, or with cents if it starts below 1 EUR.

        >>> Price(0.15, 0.9).text, Price(3.6, 21.6).text
        ('0.15 to 0.90', '4 to 22')
        """
        digits = 2 if self.low < 1 else 0
        return f"{self.low:.{digits}f} to {self.high:.{digits}f}"


def groups() -> list[dict[str, Any]]:
    """Return the groups of the file."""
    found: list[dict[str, Any]] = tomllib.loads(PAGE.read_text("utf-8"))["group"]
    return found


def price(group: dict[str, Any]) -> Price:
    """Return the price of one group."""
    return total(Price(*part["each"]).times(part["count"]) for part in group["part"])


def whole(group: dict[str, Any]) -> Price:
    """Return the price of a group times the number of groups needed."""
    return price(group).times(group["times"])


def total(prices: Iterable[Price]) -> Price:
    """Return the sum of the prices."""
    return sum(prices, Price(0, 0))


def parts() -> dict[str, str]:
    """Return the list and the totals by the names of their markers."""
    return {"list": "\n\n".join(_lines()), "sums": _sums(), "ways": _ways()}


def _lines() -> Iterator[str]:
    for group in groups():
        yield f"### {group['name']}"
        if group["about"]:
            yield group["about"]
        rows = [
            (
                str(part["count"]),
                part["what"],
                Price(*part["each"]).times(part["count"]).text,
                part["instead"],
            )
            for part in group["part"]
        ]
        yield table(["number", "part", "EUR in total", "alternatives"], rows)


PATHS: Final = {
    "hand": ("Ordinary dice", "a day, a night for the glue, and an afternoon"),
    "bluetooth": ("Dice with Bluetooth", "the same, and half an hour"),
    "bought": ("Dice from one bought board each", "the same, and a day"),
    "own": ("Dice of your own", "the same, and two to three days"),
}
"""The ways to a board by the word in `paths` of parts.toml: name, and the hours as estimated."""


def _sums() -> str:
    """Return the table of the prices of each group, without and with tools."""
    rows = [
        (group["name"], str(group["times"]), price(group).text, whole(group).text)
        for group in groups()
    ]
    return table(["group", "number", "EUR each", "EUR"], rows)


def _ways() -> str:
    """Return the table of the ways to a board: prices of parts and of tools, and time."""
    rows = []
    for path, (name, hours) in PATHS.items():
        used = [group for group in groups() if path in group.get("paths", [])]
        parts_of, tools_of = (
            total(whole(group) for group in used if group["name"].startswith("Tools") == tools)
            for tools in (False, True)
        )
        rows.append((name, parts_of.text, tools_of.text, hours))
    heads = ["way", "parts, EUR", "tools, EUR", "time (estimated)"]
    return table(heads, rows)
