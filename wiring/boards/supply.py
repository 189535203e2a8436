"""Makers and order numbers of the boards' parts, from orders.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from wiring.boards import library
from wiring.boards.design import Part
from wiring.boards.sexpr import children

_ORDERS: Final = Path(__file__).with_name("orders.toml")


@dataclass(frozen=True)
class Order:
    """What is ordered as a part.

    Attributes:
        maker: the manufacturer.
        number: its order number.
        lcsc: number at LCSC; "" if it is not known.
        also: what also fits; "" for nothing else.
        hand: True if the part is soldered by hand.
        mate: what it is plugged into, or what is plugged into it.
        turn: degrees by which JLCPCB's drawing of the package is turned against KiCad's.
    """

    maker: str
    number: str
    lcsc: str = ""
    also: str = ""
    hand: bool = False
    mate: str = ""
    turn: float = 0.0


@cache
def orders() -> Mapping[str, Order]:
    """Return the orders by the keys of orders.toml."""
    names = {"or": "also", "with": "mate"}
    tables: dict[str, dict[str, Any]] = tomllib.loads(_ORDERS.read_text("utf-8"))
    return {
        key: Order(**{names.get(name, name): value for name, value in table.items()})
        for key, table in tables.items()
    }


def key_of(part: Part) -> str | None:
    """Return the key of a part in orders.toml; None for a mere hole or pad of the board.

    Raises:
        LookupError: if a part that must be ordered is missing there.
    """
    if not is_listed(part):
        return None
    words = part.footprint.split("_")
    for count in range(len(words), 0, -1):
        package = "_".join(words[:count])
        for key in (f"{package} {part.value}", package):
            if key in orders():
                return key
    raise LookupError(
        f"{_ORDERS.name} has no part for {part.reference}, {part.value!r} in {part.footprint}; add "
        f"its maker and order number."
    )


def order_of(part: Part) -> Order | None:
    """Return what is ordered as a part; None for a mere hole or pad of the board."""
    key = key_of(part)
    return None if key is None else orders()[key]


def is_listed(part: Part) -> bool:
    """Return True if the part is bought, and not a mere hole or pad of the board."""
    kinds = children(library.footprint(part.footprint), "attr")
    return not any("exclude_from_bom" in kind for kind in kinds)


def is_placed(part: Part) -> bool:
    """Return True if an assembler solders the part."""
    order = order_of(part)
    return order is not None and not order.hand
