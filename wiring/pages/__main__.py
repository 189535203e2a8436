"""Writes what is made from wiring/ into the pages of docs/build/. With --check it only compares."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from wiring.pages import magnets, parts, power, wires
from wiring.pages.markdown import filled
from wiring.stale import write_or_compare

FOLDER: Final = Path(__file__).parents[2] / "docs" / "build"
PARTS: Final[Mapping[str, Callable[[], dict[str, str]]]] = {
    "wiring.md": wires.parts,
    "parts.md": lambda: {**parts.parts(), "magnets": magnets.parts()["magnets"]},
    "power.md": power.parts,
    "jig.md": lambda: {"reach": magnets.parts()["reach"]},
}


def pages() -> dict[Path, Callable[[], str]]:
    """Every page, and what makes it from what stands there."""
    return {
        FOLDER / name: lambda name=name, make=make: filled(
            (FOLDER / name).read_text("utf-8"), make()
        )
        for name, make in PARTS.items()
    }


if __name__ == "__main__":
    sys.exit(write_or_compare(pages(), check="--check" in sys.argv[1:]))
