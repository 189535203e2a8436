"""The parts list with its sums, from wiring/parts.toml."""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from wiring.pages.markdown import table

PAGE: Final = Path(__file__).parents[1] / "parts.toml"


@dataclass(frozen=True, slots=True)
class Price:
    """From a cheap to a dear shop, in EUR."""

    low: float
    high: float

    def __add__(self, other: "Price") -> "Price":
        return Price(self.low + other.low, self.high + other.high)

    def times(self, count: float) -> "Price":
        """So many of it."""
        return Price(self.low * count, self.high * count)

    @property
    def text(self) -> str:
        """In whole EUR, or with cents where it begins below one.

        >>> Price(0.15, 0.9).text, Price(3.6, 21.6).text
        ('0.15 to 0.90', '4 to 22')
        """
        digits = 2 if self.low < 1 else 0
        return f"{self.low:.{digits}f} to {self.high:.{digits}f}"


def groups() -> list[dict[str, Any]]:
    """The groups as they are written."""
    found: list[dict[str, Any]] = tomllib.loads(PAGE.read_text("utf-8"))["group"]
    return found


def price(group: dict[str, Any]) -> Price:
    """A group once."""
    return total(Price(*part["each"]).times(part["count"]) for part in group["part"])


def whole(group: dict[str, Any]) -> Price:
    """A group as often as it is needed."""
    return price(group).times(group["times"])


def total(prices: Iterable[Price]) -> Price:
    """Their sum."""
    return sum(prices, Price(0, 0))


def parts() -> dict[str, str]:
    """The list by its marker's name."""
    return {"list": "\n\n".join(_lines()), "sums": _sums()}


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
        yield table(["how many", "what", "EUR in all", "what may replace it"], rows)


def _sums() -> str:
    rows = [
        (group["name"], str(group["times"]), price(group).text, whole(group).text)
        for group in groups()
    ]
    needed = total(whole(group) for group in groups() if not group.get("optional"))
    rows.append(("**All but the expanders**", "", "", f"**{needed.text}**"))
    return table(["group", "times", "EUR each", "EUR"], rows)
