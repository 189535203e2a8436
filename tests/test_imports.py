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
    "urpi.rules": Rule(("urpi.errors",), PURE, ()),
    "urpi.seats": Rule(("urpi.rules",), PURE, ()),
    "urpi.referee": Rule(("urpi.errors", "urpi.rules", "urpi.seats", "urpi.strict_json"), PURE, ()),
    "urpi.dice": Rule(("urpi.errors",), PURE, ()),
    "urpi.engine": Rule(("urpi.errors", "urpi.rules"), PURE, ()),
    "urpi.review": Rule(("urpi.engine", "urpi.errors", "urpi.rules"), PURE, ()),
    "urpi.review_report": Rule(("urpi.review", "urpi.rules", "urpi.svg", "urpi.words"), PURE, ()),
    "urpi.tables": Rule(
        ("urpi.atomic_file", "urpi.errors", "urpi.inputs", "urpi.rules", "urpi.engine"), None, ()
    ),
    "urpi.networks": Rule(
        ("urpi.atomic_file", "urpi.errors", "urpi.inputs", "urpi.rules", "urpi.engine"), None, ()
    ),
    "urpi.solver": Rule(
        ("urpi.atomic_file", "urpi.errors", "urpi.rules", "urpi.engine", "urpi.tables"),
        None,
        ("numpy", "numba"),
    ),
    "urpi.words": Rule(("urpi.errors", "urpi.referee.decisions", "urpi.rules"), None, ()),
    "urpi.views": Rule(
        (
            "urpi.__version__",
            "urpi.errors",
            "urpi.menu",
            "urpi.referee.decisions",
            "urpi.referee.snapshot",
            "urpi.rules",
            "urpi.seats",
            "urpi.words",
        ),
        None,
        ("PIL",),
    ),
    "urpi.menu": Rule(
        (
            "urpi.orders",
            "urpi.referee.decisions",
            "urpi.referee.facts",
            "urpi.referee.snapshot",
            "urpi.rules",
            "urpi.seats",
        ),
        PURE,
        (),
    ),
    "urpi.simulation.players": Rule(("urpi.rules",), PURE | {"random"}, ()),
    "urpi.simulation": Rule(("urpi.errors", "urpi.rules", "urpi.config", "urpi.devices")),
    "urpi.devices": Rule(
        (
            "urpi.config",
            "urpi.errors",
            "urpi.extras",
            "urpi.inputs",
            "urpi.referee.facts",
            "urpi.rules",
        )
    ),
    "urpi.wiring": Rule(("urpi.errors", "urpi.rules", "urpi.config", "urpi.devices"), None, ()),
    "urpi.card.values": Rule(
        ("urpi.card.countries", "urpi.errors"),
        PURE | {"base64", "hashlib", "struct"},
        (),
    ),
    "urpi.card.settings": Rule(("urpi.config", "urpi.systemd.files"), PURE, ()),
    "urpi.card.cloud_init": Rule(
        ("urpi.card.settings", "urpi.systemd.files"), PURE | {"hashlib"}, ()
    ),
    "urpi.card.boot_files": Rule((), PURE, ()),
    "urpi.card.first_boot": Rule((), None, ()),
    "urpi.card": Rule(
        ("urpi.config", "urpi.errors", "urpi.inputs", "urpi.systemd.files"), None, ()
    ),
    "urpi.doctor": Rule(
        (
            "urpi.__version__",
            "urpi.club",
            "urpi.club_table",
            "urpi.config",
            "urpi.devices",
            "urpi.errors",
            "urpi.extras",
            "urpi.rules",
            "urpi.wiring",
        )
    ),
    "urpi.journal": Rule(
        ("urpi.errors", "urpi.moments", "urpi.rules", "urpi.referee", "urpi.seats"), None, ()
    ),
    "urpi.config": Rule(
        (
            "urpi.atomic_file",
            "urpi.club.topics",
            "urpi.errors",
            "urpi.inputs",
            "urpi.names",
            "urpi.rules",
            "urpi.seats",
            "urpi.words",
        ),
        None,
        (),
    ),
    "urpi.atomic_file": Rule((), PURE | {"os", "pathlib"}, ()),
    "urpi.json_schema": Rule(("urpi.errors",), PURE, ()),
    "urpi.loopback": Rule((), PURE | {"ipaddress"}, ()),
    "urpi.moments": Rule(("urpi.errors",), PURE | {"datetime"}, ()),
    "urpi.strict_json": Rule((), PURE, ()),
    "urpi.extras": Rule((), PURE | {"pathlib"}, ()),
    "urpi.names": Rule(("urpi.errors",), PURE | {"unicodedata"}, ()),
    "urpi.systemd": Rule(("urpi.atomic_file", "urpi.errors", "urpi.config"), None, ()),
    "urpi.update.installer": Rule((), None, ()),
    "urpi.update": Rule(
        (
            "urpi.card.packages",
            "urpi.errors",
            "urpi.extras",
            "urpi.inputs",
            "urpi.systemd.files",
        ),
        None,
        (),
    ),
    "urpi.stats": Rule(("urpi.dice", "urpi.referee", "urpi.review", "urpi.rules"), PURE, ()),
    "urpi.stats_report": Rule(
        (
            "urpi.dice",
            "urpi.journal",
            "urpi.referee",
            "urpi.review",
            "urpi.review_report",
            "urpi.rules",
            "urpi.stats",
            "urpi.svg",
            "urpi.words",
            "urpi.__version__",
        ),
        None,
        (),
    ),
    "urpi.club": Rule(
        ("urpi.errors", "urpi.json_schema", "urpi.referee", "urpi.rules", "urpi.strict_json"),
        PURE | {"hashlib"},
        (),
    ),
    "urpi.remote": Rule(
        (
            "urpi.club.chain",
            "urpi.club.json_lines",
            "urpi.errors",
            "urpi.json_schema",
            "urpi.names",
            "urpi.referee",
            "urpi.rules",
        ),
        PURE,
        (),
    ),
    "urpi.ratings": Rule((), PURE, ()),
    "urpi.tournaments": Rule(("urpi.errors", "urpi.extras"), PURE, ("networkx",)),
    "urpi.club_server": Rule(
        (
            "urpi.atomic_file",
            "urpi.club",
            "urpi.club_table",
            "urpi.config",
            "urpi.engine",
            "urpi.errors",
            "urpi.extras",
            "urpi.journal",
            "urpi.names",
            "urpi.networks",
            "urpi.ratings",
            "urpi.referee",
            "urpi.review",
            "urpi.rules",
            "urpi.seats",
            "urpi.stats",
            "urpi.tables",
            "urpi.tournaments",
        ),
        None,
        ("argon2", "paho", "psycopg"),
    ),
    "urpi.club_web": Rule(
        (
            "urpi.__version__",
            "urpi.club",
            "urpi.club_server",
            "urpi.club_table",
            "urpi.config",
            "urpi.errors",
            "urpi.json_schema",
            "urpi.journal",
            "urpi.moments",
            "urpi.ratings",
            "urpi.referee",
            "urpi.rules",
            "urpi.stats",
            "urpi.stats_report",
            "urpi.tournaments",
            "urpi.web",
            "urpi.words",
        ),
        None,
        ("psycopg", "starlette"),
    ),
    "urpi.club_table": Rule(
        (
            "urpi.__version__",
            "urpi.club",
            "urpi.config",
            "urpi.errors",
            "urpi.extras",
            "urpi.inputs",
            "urpi.journal",
            "urpi.loopback",
            "urpi.referee",
            "urpi.rules",
            "urpi.seats",
        ),
        None,
        ("paho",),
    ),
    "urpi.svg": Rule(("urpi.rules",), PURE | {"html"}, ()),
    "urpi.pictures": Rule(("urpi.rules", "urpi.svg", "urpi.views"), None, ("PIL",)),
    "urpi.qr_code": Rule((), PURE, ("segno",)),
    "urpi.template": Rule(
        ("urpi.errors", "urpi.extras", "urpi.rules", "urpi.svg"), None, ("ezdxf",)
    ),
    "urpi.web.documents": Rule(
        (
            "urpi.errors",
            "urpi.journal",
            "urpi.referee",
            "urpi.remote",
            "urpi.rules",
            "urpi.seats",
            "urpi.words",
        ),
        PURE,
        (),
    ),
    "urpi.evidence": Rule(
        (
            "urpi.__version__",
            "urpi.errors",
            "urpi.journal",
            "urpi.referee",
            "urpi.rules",
            "urpi.svg",
            "urpi.words",
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
        return inside(module, (part, "urpi.lazy", *rule.urpi))
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
        ("urpi.views", "from urpi.referee.snapshot import Snapshot", True),
        ("urpi.views", "from urpi.referee.step import step", False),
        ("urpi.views", "from luma.core.render import canvas", False),
        ("urpi.simulation", "from urpi.journal import open_journal", False),
        ("urpi.devices", "from urpi.referee.facts import Edge", True),
        ("urpi.devices", "from urpi.simulation import hub", False),
    ],
)
def test_an_import_is_checked_against_the_rule(part: str, line: str, kept: bool) -> None:
    assert (violations(line, "file.py", part) == []) == kept


def test_a_violation_is_reported_with_file_and_line() -> None:
    found = violations("import re\n\nimport time\n", "urpi/rules/x.py", "urpi.rules")
    assert found == ["urpi/rules/x.py:3 imports time, which urpi.rules must not know"]
