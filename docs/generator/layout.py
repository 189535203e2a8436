"""The page that lists every package and top-level module with the first line of its docstring."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs.generator import markdown

_ROOT: Final = Path(__file__).parents[2]
_INTRODUCTION: Final = """\
The first line of each docstring. `.importlinter` specifies which domain may import which;
[how it works](index.md#layers) describes what each layer must not depend on."""
_BESIDES: Final = """\
- `firmware/`: dice and hub for the ATmega328P: `die/`, `hub/`, `common/` for both, `sim/`, a
  simulator that runs the built images, and `second_model/`, a second one for tests;
  `protocol.toml` is the single source of the serial protocol
- `wiring/`: the pin maps (`pins.toml`, `dice.toml`), and the drawings and lists made from them
- `tests/`: mirrors `urpi/`; `perft/`, `golden/` and `vectors/` contain expected results,
  `second/` an independent, simple implementation of the rules
- `deploy/`: a club as containers
- `docs/`: these pages; `generator/` writes those that are made from code
- `tools/`: scripts used by make; they also train the networks and build packages"""


def page() -> str:
    """Return the contents of docs/how-it-works/layout.md."""
    return markdown.page(
        "The packages",
        "the first line of each part's docstring",
        _INTRODUCTION,
        "## The packages of `urpi/`",
        markdown.table(["", "contents"], _packages()),
        "## Top-level modules",
        markdown.table(["", "contents"], _modules()),
        "## Other folders",
        _BESIDES,
    )


def _packages() -> Iterator[tuple[str, str]]:
    for file in sorted((_ROOT / "urpi").glob("*/__init__.py")):
        yield f"`{file.parent.name}/`", _first_line(file)


def _modules() -> Iterator[tuple[str, str]]:
    for file in sorted((_ROOT / "urpi").glob("*.py")):
        if file.stem != "__init__":
            yield f"`{file.name}`", _first_line(file)


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    assert docstring is not None, file
    return docstring.partition("\n")[0]
