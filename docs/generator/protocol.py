"""The serial protocol's constants, from firmware/protocol.toml, the one place where they stand."""

import tomllib
from pathlib import Path
from typing import Any, Final

from docs.generator import markdown

SOURCE: Final = "firmware/protocol.toml"
_FILE: Final = Path(__file__).parents[2] / SOURCE
_INTRODUCTION: Final = """\
Lines of ASCII between the dice hub and the Pi, readable in any terminal at {baud} baud: what each
line means, when it is said and said again, is told with [the text
formats](../design/FORMATS.md#serial-lines-hub-and-pi-protocol-1). These are the numbers and words;
the C header of the firmware and the Python module are made from the same file."""


def page() -> str:
    """docs/reference/serial-protocol.md."""
    told = tomllib.loads(_FILE.read_text("utf-8"))
    return markdown.page(
        "The serial protocol",
        SOURCE,
        _INTRODUCTION.format(baud=told["constants"]["BAUD"]["value"]),
        "## Types of lines",
        _words("type", told["types"]),
        "## States of a die",
        _words("`st`", told["states"]),
        "## What is broken",
        _words("`err`", told["errors"]),
        "## Keys, and what each may be",
        markdown.table(["key", "from", "to", "what it is"], map(_range, told["ranges"].items())),
        "## Constants",
        markdown.table(["name", "value", "what it is"], map(_constant, told["constants"].items())),
    )


def _words(head: str, table: dict[str, str]) -> str:
    return markdown.table(
        [head, "meaning"], ((f"`{word}`", about) for word, about in table.items())
    )


def _range(entry: tuple[str, dict[str, Any]]) -> tuple[str, str, str, str]:
    key, told = entry
    return f"`{key}`", str(told["low"]), str(told["high"]), told["doc"]


def _constant(entry: tuple[str, dict[str, Any]]) -> tuple[str, str, str]:
    name, told = entry
    value, digits = told["value"], told.get("digits")
    return f"`{name}`", f"0x{value:0{digits}X}" if digits else str(value), told["doc"]
