"""Where a thing lives: every part of the program by the first line that it says of itself."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs.generator import markdown

_ROOT: Final = Path(__file__).parents[2]
_INTRODUCTION: Final = """\
Each part says in its first line what it owns. Which part may import which is held by
`tests/test_imports.py`; what the layers must not know of each other stands in
[how it works](index.md#the-layers)."""
_BESIDES: Final = """\
- `firmware/`: dice and hub for the ATmega328P: `die/`, `hub/`, `common/` for both, and `sim/`, a
  simulator of the very images; `protocol.toml` is the serial line's single source
- `wiring/`: which wire goes where (`pins.toml`, `dice.toml`), and what is drawn and counted from
  it
- `tests/`: as `urpi/`; `perft/`, `golden/` and `vectors/` hold what must come out, `second/` is a
  second, plain implementation of the rules to check the first one with
- `docs/`: these pages; `generator/` writes those that come from code
- `tools/`: what make uses"""


def page() -> str:
    """docs/how-it-works/layout.md."""
    return markdown.page(
        "Where a thing lives",
        "the first line of each part's docstring",
        _INTRODUCTION,
        "## The packages of `urpi/`",
        markdown.table(["", "what it owns"], _packages()),
        "## What joins them",
        markdown.table(["", "what it owns"], _modules()),
        "## Besides",
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
    told = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    assert told is not None, file
    return told.partition("\n")[0]
