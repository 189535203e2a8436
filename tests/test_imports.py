"""The packages import only what the design allows (see docs/how-it-works)."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "urpi"

PURE = frozenset(
    {"__future__", "abc", "array", "binascii", "bisect", "collections", "contextlib", "copy"}
    | {"dataclasses", "enum", "fractions", "functools", "heapq", "itertools", "json", "math"}
    | {"numbers", "operator", "re", "reprlib", "string", "textwrap", "types", "typing"}
)
"""Modules of the standard library without clock, files, randomness, processes and devices."""


@dataclass(frozen=True)
class Rule:
    """What the modules of a part may import besides themselves.

    `urpi` are parts of urpi. `standard` are modules of the standard library, None for all. `others`
    are other packages, None for all.
    """

    urpi: tuple[str, ...]
    standard: frozenset[str] | None = None
    others: tuple[str, ...] | None = None


RULES = {
    "urpi.rules": Rule(("urpi.core.errors",), PURE, ()),
    "urpi.referee.seats": Rule(("urpi.rules",), PURE, ()),
    "urpi.referee": Rule(
        ("urpi.core.errors", "urpi.rules", "urpi.referee.seats", "urpi.core.strict_json"), PURE, ()
    ),
    "urpi.journal.fairness": Rule(("urpi.core.errors",), PURE, ()),
    "urpi.engine": Rule(("urpi.core.errors", "urpi.rules"), PURE, ()),
    "urpi.engine.review": Rule(("urpi.engine", "urpi.core.errors", "urpi.rules"), PURE, ()),
    "urpi.show.review_report": Rule(
        ("urpi.engine.review", "urpi.rules", "urpi.show.svg", "urpi.show.words"), PURE, ()
    ),
    "urpi.engine.exact": Rule(
        (
            "urpi.core.atomic_file",
            "urpi.core.errors",
            "urpi.core.inputs",
            "urpi.rules",
            "urpi.engine",
        ),
        None,
        (),
    ),
    "urpi.engine.networks": Rule(
        (
            "urpi.core.atomic_file",
            "urpi.core.errors",
            "urpi.core.inputs",
            "urpi.rules",
            "urpi.engine",
        ),
        None,
        (),
    ),
    "urpi.engine.solver": Rule(
        (
            "urpi.core.atomic_file",
            "urpi.core.errors",
            "urpi.rules",
            "urpi.engine",
            "urpi.engine.exact",
        ),
        None,
        ("numpy", "numba"),
    ),
    "urpi.show.words": Rule(("urpi.core.errors", "urpi.referee.decisions", "urpi.rules"), None, ()),
    "urpi.show.views": Rule(
        (
            "urpi.__version__",
            "urpi.core.errors",
            "urpi.show.menu",
            "urpi.referee.decisions",
            "urpi.referee.snapshot",
            "urpi.rules",
            "urpi.referee.seats",
            "urpi.show.words",
        ),
        None,
        ("PIL",),
    ),
    "urpi.show.menu": Rule(
        (
            "urpi.referee.orders",
            "urpi.referee.decisions",
            "urpi.referee.facts",
            "urpi.referee.snapshot",
            "urpi.rules",
            "urpi.referee.seats",
        ),
        PURE,
        (),
    ),
    "urpi.simulation.players": Rule(("urpi.rules",), PURE | {"random"}, ()),
    "urpi.simulation": Rule(("urpi.core.errors", "urpi.rules", "urpi.config", "urpi.hardware")),
    "urpi.hardware": Rule(
        (
            "urpi.config",
            "urpi.core.errors",
            "urpi.core.extras",
            "urpi.core.inputs",
            "urpi.referee.facts",
            "urpi.rules",
        )
    ),
    "urpi.hardware.wiring": Rule(
        ("urpi.core.errors", "urpi.rules", "urpi.config", "urpi.hardware"), None, ()
    ),
    "urpi.install.card.values": Rule(
        ("urpi.install.card.countries", "urpi.core.errors"),
        PURE | {"base64", "hashlib", "struct"},
        (),
    ),
    "urpi.install.card.settings": Rule(("urpi.config", "urpi.install.systemd.files"), PURE, ()),
    "urpi.install.card.cloud_init": Rule(
        ("urpi.install.card.settings", "urpi.install.systemd.files"), PURE | {"hashlib"}, ()
    ),
    "urpi.install.card.boot_files": Rule((), PURE, ()),
    "urpi.install.card.first_boot": Rule((), None, ()),
    "urpi.install.card": Rule(
        ("urpi.config", "urpi.core.errors", "urpi.core.inputs", "urpi.install.systemd.files"),
        None,
        (),
    ),
    "urpi.install.doctor": Rule(
        (
            "urpi.__version__",
            "urpi.link.protocol",
            "urpi.link.broker",
            "urpi.config",
            "urpi.hardware",
            "urpi.core.errors",
            "urpi.core.extras",
            "urpi.rules",
            "urpi.hardware.wiring",
        )
    ),
    "urpi.journal": Rule(
        (
            "urpi.core.errors",
            "urpi.core.moments",
            "urpi.rules",
            "urpi.referee",
            "urpi.referee.seats",
        ),
        None,
        (),
    ),
    "urpi.config": Rule(
        (
            "urpi.core.atomic_file",
            "urpi.link.protocol.topics",
            "urpi.core.errors",
            "urpi.core.inputs",
            "urpi.core.names",
            "urpi.rules",
            "urpi.referee.seats",
            "urpi.show.words",
        ),
        None,
        (),
    ),
    "urpi.core.atomic_file": Rule((), PURE | {"os", "pathlib"}, ()),
    "urpi.core.json_schema": Rule(("urpi.core.errors",), PURE, ()),
    "urpi.core.loopback": Rule((), PURE | {"ipaddress"}, ()),
    "urpi.core.moments": Rule(("urpi.core.errors",), PURE | {"datetime"}, ()),
    "urpi.core.strict_json": Rule((), PURE, ()),
    "urpi.core.extras": Rule((), PURE | {"pathlib"}, ()),
    "urpi.core.names": Rule(("urpi.core.errors",), PURE | {"unicodedata"}, ()),
    "urpi.install.systemd": Rule(
        ("urpi.core.atomic_file", "urpi.core.errors", "urpi.config"), None, ()
    ),
    "urpi.install.update.installer": Rule((), None, ()),
    "urpi.install.update": Rule(
        (
            "urpi.install.card.packages",
            "urpi.core.errors",
            "urpi.core.extras",
            "urpi.core.inputs",
            "urpi.install.systemd.files",
        ),
        None,
        (),
    ),
    "urpi.journal.stats": Rule(
        ("urpi.journal.fairness", "urpi.referee", "urpi.engine.review", "urpi.rules"), PURE, ()
    ),
    "urpi.show.stats_report": Rule(
        (
            "urpi.journal.fairness",
            "urpi.journal",
            "urpi.referee",
            "urpi.engine.review",
            "urpi.show.review_report",
            "urpi.rules",
            "urpi.journal.stats",
            "urpi.show.svg",
            "urpi.show.words",
            "urpi.__version__",
        ),
        None,
        (),
    ),
    "urpi.link.protocol": Rule(
        (
            "urpi.core.errors",
            "urpi.core.json_schema",
            "urpi.referee",
            "urpi.rules",
            "urpi.core.strict_json",
        ),
        PURE | {"hashlib"},
        (),
    ),
    "urpi.link.remote": Rule(
        (
            "urpi.link.protocol.chain",
            "urpi.link.protocol.json_lines",
            "urpi.core.errors",
            "urpi.core.json_schema",
            "urpi.core.names",
            "urpi.referee",
            "urpi.rules",
        ),
        PURE,
        (),
    ),
    "urpi.club.ratings": Rule((), PURE, ()),
    "urpi.club.tournaments": Rule(("urpi.core.errors", "urpi.core.extras"), PURE, ("networkx",)),
    "urpi.club.server": Rule(
        (
            "urpi.core.atomic_file",
            "urpi.link.protocol",
            "urpi.link.broker",
            "urpi.config",
            "urpi.engine",
            "urpi.core.errors",
            "urpi.core.extras",
            "urpi.journal",
            "urpi.core.names",
            "urpi.engine.networks",
            "urpi.club.ratings",
            "urpi.referee",
            "urpi.engine.review",
            "urpi.rules",
            "urpi.referee.seats",
            "urpi.journal.stats",
            "urpi.engine.exact",
            "urpi.club.tournaments",
        ),
        None,
        ("argon2", "paho", "psycopg"),
    ),
    "urpi.club.web": Rule(
        (
            "urpi.__version__",
            "urpi.link.protocol",
            "urpi.club.server",
            "urpi.link.broker",
            "urpi.config",
            "urpi.core.errors",
            "urpi.core.json_schema",
            "urpi.journal",
            "urpi.core.moments",
            "urpi.club.ratings",
            "urpi.referee",
            "urpi.rules",
            "urpi.journal.stats",
            "urpi.show.stats_report",
            "urpi.club.tournaments",
            "urpi.page",
            "urpi.show.words",
        ),
        None,
        ("psycopg", "starlette"),
    ),
    "urpi.link.broker": Rule(
        (
            "urpi.__version__",
            "urpi.link.protocol",
            "urpi.config",
            "urpi.core.errors",
            "urpi.core.extras",
            "urpi.core.inputs",
            "urpi.journal",
            "urpi.core.loopback",
            "urpi.referee",
            "urpi.rules",
            "urpi.referee.seats",
        ),
        None,
        ("paho",),
    ),
    "urpi.show.svg": Rule(("urpi.rules",), PURE | {"html"}, ()),
    "urpi.show.pictures": Rule(("urpi.rules", "urpi.show.svg", "urpi.show.views"), None, ("PIL",)),
    "urpi.core.qr_code": Rule((), PURE, ("segno",)),
    "urpi.hardware.template": Rule(
        ("urpi.core.errors", "urpi.core.extras", "urpi.rules", "urpi.show.svg"), None, ("ezdxf",)
    ),
    "urpi.page.documents": Rule(
        (
            "urpi.core.errors",
            "urpi.journal",
            "urpi.referee",
            "urpi.link.remote",
            "urpi.rules",
            "urpi.referee.seats",
            "urpi.show.words",
        ),
        PURE,
        (),
    ),
    "urpi.show.evidence": Rule(
        (
            "urpi.__version__",
            "urpi.core.errors",
            "urpi.journal",
            "urpi.referee",
            "urpi.rules",
            "urpi.show.svg",
            "urpi.show.words",
        ),
        None,
        (),
    ),
}
"""The parts with rules. `service`, `commands` and `cli` connect the parts, and may import any."""


class Import(NamedTuple):
    """An imported module, and the line of the import."""

    line: int
    module: str


def imports_of(source: str) -> Iterator[Import]:
    """Yield every import of a file, including those in functions and type-checking blocks.

    `from package import name` counts as `package.name`, since the name may be a module.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (Import(node.lineno, f"{module}.{alias.name}") for alias in node.names)


def inside(module: str, parts: tuple[str, ...]) -> bool:
    return any(module == part or module.startswith(f"{part}.") for part in parts)


def allowed(module: str, part: str, rule: Rule) -> bool:
    top = module.partition(".")[0]
    if top == "urpi":
        return inside(module, (part, "urpi.core.lazy", *rule.urpi))
    if top in sys.stdlib_module_names:
        return rule.standard is None or top in rule.standard
    return rule.others is None or top in rule.others


def violations(source: str, name: str, part: str) -> list[str]:
    """Yield the imports of a part's file that violate its rule, as `FILE:LINE imports MODULE`."""
    return [
        f"{name}:{line} imports {module}, which {part} must not know"
        for line, module in imports_of(source)
        if not allowed(module, part, RULES[part])
    ]


@pytest.mark.parametrize("part", RULES)
def test_a_part_imports_only_allowed_modules(part: str) -> None:
    path = ROOT / part.replace(".", "/")
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    assert files
    found = [
        trespass
        for file in files
        for trespass in violations(file.read_text(), str(file.relative_to(ROOT)), part)
    ]
    assert found == []


def test_every_part_has_a_rule_or_connects_others() -> None:
    joining = {
        "__init__",
        "bench",
        "cli",
        "commands",
        "errors",
        "inputs",
        "lazy",
        "orders",
        "service",
        "web",
    }
    names = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    bound = {part.removeprefix("urpi.") for part in RULES}
    assert names - joining - bound - {"__pycache__"} == set()


@pytest.mark.parametrize(
    ("part", "line", "kept"),
    [
        ("urpi.rules", "import time", False),
        ("urpi.rules", "from os import path", False),
        ("urpi.rules", "import random as r", False),
        ("urpi.rules", "from urpi.referee import facts", False),
        ("urpi.rules", "from urpi import config", False),
        ("urpi.rules", "import attrs", False),
        ("urpi.rules", "from .board import Side", False),
        ("urpi.rules", "def f():\n    import sqlite3", False),
        ("urpi.rules", "from fractions import Fraction", True),
        ("urpi.referee", "from urpi.rules import Side", True),
        ("urpi.referee", "import datetime", False),
        ("urpi.show.views", "from urpi.referee.snapshot import Snapshot", True),
        ("urpi.show.views", "from urpi.referee.step import step", False),
        ("urpi.show.views", "from luma.core.render import canvas", False),
        ("urpi.simulation", "from urpi.journal import open_journal", False),
        ("urpi.hardware", "from urpi.referee.facts import Edge", True),
        ("urpi.hardware", "from urpi.simulation import hub", False),
    ],
)
def test_an_import_is_checked_against_the_rule(part: str, line: str, kept: bool) -> None:
    assert (violations(line, "file.py", part) == []) == kept


def test_a_violation_is_reported_with_file_and_line() -> None:
    found = violations("import re\n\nimport time\n", "urpi/rules/x.py", "urpi.rules")
    assert found == ["urpi/rules/x.py:3 imports time, which urpi.rules must not know"]
