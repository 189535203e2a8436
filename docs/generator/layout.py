"""The page of the domains and their picture, from `.importlinter` and the docstrings."""

import ast
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Final

from docs.generator import markdown
from urpi.show.svg.elements import element, escaped

_ROOT: Final = Path(__file__).parents[2]
_PACKAGE: Final = _ROOT / "urpi"
_CONTRACT: Final = "importlinter:contract:"

_FIRST: Final = {
    "core": "errors.py",
    "rules": "finkel.py",
    "referee": "step.py",
    "engine": "evaluator.py",
    "journal": "journal.py",
    "show": "words/sentences.py",
    "config": "sections.py",
    "hardware": "dice_source.py",
    "simulation": "interactive_table.py",
    "link": "protocol/messages.py",
    "service": "service.py",
    "http": "operations.py",
    "page": "app.py",
    "club": "server/game_worker.py",
    "install": "doctor/facts.py",
    "cli": "main.py",
}
"""The file to read first in each domain."""

_INTRODUCTION: Final = """\
![The domains: each imports only those below it; the pure ones are shaded](../pictures/domains.svg)

The program is in sixteen domains. A domain imports only those above it in this table, which are
below it in the picture. `make check` verifies that with `.importlinter`, the one list from which
this page and the picture are made, and also which modules are pure and which need no library. The
tests mirror the domains."""
_BESIDES: Final = """\
- `firmware/`: dice and hub for the ATmega328P: `die/`, `hub/`, `common/` for both, `sim/`, a
  simulator that runs the built images, and `second_model/`, a second one for tests;
  `protocol.toml` is the single source of the serial protocol
- `wiring/`: the pin maps (`pins.toml`, `dice.toml`), and the drawings and lists made from them
- `tests/`: mirrors `urpi/`; `browser/` tests the page in Chromium; `perft/`, `golden/` and
  `vectors/` contain expected results, `second/` an independent, simple implementation of the rules
- `deploy/`: a club as containers
- `docs/`: these pages; `generator/` writes those that are made from code
- `tools/`: scripts used by make; they also measure the referee, train the networks, play with the
  built firmware (`firmware_demo/`), and build packages"""


def page() -> str:
    """Return the contents of docs/how-it-works/layout.md."""
    return markdown.page(
        "The domains",
        "`.importlinter` and the first line of each part's docstring",
        _INTRODUCTION,
        markdown.table(["", "contents", "read first", "besides, must not import"], _domains()),
        "## Parts of the domains",
        markdown.table(["", "contents"], _parts()),
        "## Other folders",
        _BESIDES,
    )


def picture() -> str:
    """Return the contents of docs/pictures/domains.svg."""
    width, height, step = 900, 34, 40
    domains = list(reversed(_order()))
    boxes = []
    for row, name in enumerate(domains):
        y = 12 + row * step
        kind = "pure" if name in _listed("pure") else "box"
        boxes += [
            element("rect", x=12, y=y, width=width - 24, height=height, rx=6, **{"class": kind}),
            element("text", escaped(name), x=28, y=y + 22, **{"class": "head"}),
            element("text", escaped(_first_line(name)), x=140, y=y + 22),
        ]
    style = (
        "text { font: 14px system-ui, sans-serif; fill: #2b2118; } .head { font-weight: 700; } "
        ".box { fill: #fff; stroke: #1f4e8c; } .pure { fill: #e7eef8; stroke: #1f4e8c; "
        "stroke-width: 2.5; }"
    )
    total = 24 + len(domains) * step
    ground = element("rect", width=width, height=total, fill="#fbf4e4")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" '
        'role="img" aria-label="The domains of the program; a domain imports only those below it">'
        f"<style>{style}</style>{ground}{''.join(boxes)}</svg>\n"
    )


def _contracts() -> ConfigParser:
    parser = ConfigParser()
    parser.read(_ROOT / ".importlinter", "utf-8")
    return parser


def _order() -> list[str]:
    """Return the domains, each after all that it may import."""
    layers = _contracts()[f"{_CONTRACT}domains"]["layers"].split()
    return list(reversed(layers))


def _listed(contract: str) -> set[str]:
    """Return the domains that a contract concerns as a whole."""
    modules = _contracts()[f"{_CONTRACT}{contract}"]["modules"].split()
    return {name for name in _order() if f"urpi.{name}" in modules}


def _excluded(contract: str) -> list[str]:
    return _contracts()[f"{_CONTRACT}{contract}"]["excluded"].split()


def _domains() -> Iterator[tuple[str, str, str, str]]:
    pure, bare = _listed("pure"), _listed("bare")
    for name in _order():
        first = f"urpi/{name}/{_FIRST[name]}"
        assert (_ROOT / first).is_file(), first
        besides = ""
        if name in pure:
            besides = "clock, files, randomness, processes, devices, libraries"
            excluded = [part for part in _excluded("pure") if part.startswith(f"urpi.{name}.")]
            if excluded:
                parts = ", ".join(map(_entry, excluded))
                besides += f" (outside of {parts})"
        elif name in bare:
            besides = "libraries"
        yield f"`{name}/`", _first_line(name), f"`{_FIRST[name]}`", besides


def _entry(part: str) -> str:
    """Return the name of a package or a module in its domain's folder."""
    name = part.rpartition(".")[2]
    return f"`{name}/`" if (_ROOT / part.replace(".", "/")).is_dir() else f"`{name}.py`"


def _parts() -> Iterator[tuple[str, str]]:
    for name in _order():
        for file in sorted((_PACKAGE / name).glob("*/__init__.py")):
            part = file.parent.relative_to(_PACKAGE).as_posix()
            yield f"`{part}/`", _first_line(part)


def _first_line(part: str) -> str:
    file = _PACKAGE / part / "__init__.py"
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    assert docstring is not None, file
    return docstring.partition("\n")[0]
