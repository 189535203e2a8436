"""Write the generated parts of docs/build/ from wiring/. With --check, only compare them."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from wiring.pages import boards, hall, magnets, parts, power, wires
from wiring.pages.markdown import filled
from wiring.stale import write_or_compare

FOLDER: Final = Path(__file__).parents[2] / "docs" / "build"
PARTS: Final[Mapping[str, Callable[[], dict[str, str]]]] = {
    "wiring.md": wires.parts,
    "index.md": lambda: {"ways": parts.parts()["ways"]},
    "parts.md": lambda: {
        **{name: parts.parts()[name] for name in ("list", "sums")},
        **{name: magnets.parts()[name] for name in ("magnets", "lots")},
    },
    "power.md": power.parts,
    "boards.md": lambda: _boards("die", "hub", "panel"),
    "squares.md": lambda: _boards("squares"),
    "hall.md": hall.parts,
    "jig.md": lambda: {"reach": magnets.parts()["reach"]},
}


def _boards(*names: str) -> dict[str, str]:
    found = boards.parts()
    return {f"{name}-parts": found[f"{name}-parts"] for name in names}


def pages() -> dict[Path, Callable[[], str]]:
    """Return every page with the function that generates it from its present text."""
    return {
        FOLDER / name: lambda name=name, make=make: filled(
            (FOLDER / name).read_text("utf-8"), make()
        )
        for name, make in PARTS.items()
    }


if __name__ == "__main__":
    sys.exit(write_or_compare(pages(), check="--check" in sys.argv[1:]))
