"""The page of the serial protocol's constants, from their single source firmware/protocol.toml."""

import tomllib
from pathlib import Path
from typing import Any, Final

from docs.generator import markdown

SOURCE: Final = "firmware/protocol.toml"
_FILE: Final = Path(__file__).parents[2] / SOURCE
_INTRODUCTION: Final = """\
The dice hub and the Pi exchange lines of ASCII, readable in any terminal at {baud} baud. [The text
formats](../design/FORMATS.md#serial-lines-hub-and-pi-protocol-1) specify what each line means and
when it is sent and repeated. This page lists the constants; the C header of the firmware and the
Python module are generated from the same file."""


def page() -> str:
    """Return the contents of docs/reference/serial-protocol.md."""
    protocol = tomllib.loads(_FILE.read_text("utf-8"))
    return markdown.page(
        "The serial protocol",
        SOURCE,
        _INTRODUCTION.format(baud=protocol["constants"]["BAUD"]["value"]),
        "## Types of lines",
        _words("type", protocol["types"]),
        "## States of a die",
        _words("`st`", protocol["states"]),
        "## Hardware errors",
        _words("`err`", protocol["errors"]),
        "## Keys and their ranges",
        markdown.table(
            ["key", "from", "to", "description"], map(_range, protocol["ranges"].items())
        ),
        "## Constants",
        markdown.table(
            ["name", "value", "description"], map(_constant, protocol["constants"].items())
        ),
    )


def _words(head: str, table: dict[str, str]) -> str:
    return markdown.table(
        [head, "meaning"], ((f"`{word}`", about) for word, about in table.items())
    )


def _range(entry: tuple[str, dict[str, Any]]) -> tuple[str, str, str, str]:
    key, limits = entry
    return f"`{key}`", str(limits["low"]), str(limits["high"]), limits["doc"]


def _constant(entry: tuple[str, dict[str, Any]]) -> tuple[str, str, str]:
    name, constant = entry
    value, digits = constant["value"], constant.get("digits")
    return f"`{name}`", f"0x{value:0{digits}X}" if digits else str(value), constant["doc"]
