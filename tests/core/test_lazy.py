"""Packages that load their public names on first use."""

import ast
import py_compile
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = [
    ".".join(file.parent.relative_to(ROOT).parts)
    for file in sorted([*(ROOT / "urpi").rglob("__init__.py"), ROOT / "tools/bench/__init__.py"])
    if "export(" in file.read_text("utf-8")
]
PACKAGE = """from typing import TYPE_CHECKING
from urpi.core.lazy import export
if TYPE_CHECKING:
    from fractions import Fraction
export(__name__)
"""


def typed(package: str) -> dict[str, str]:
    """Return the module of each name that the type checker sees imported."""
    source = (ROOT / package.replace(".", "/") / "__init__.py").read_text("utf-8")
    return {
        alias.asname or alias.name: node.module or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module not in {"typing", "urpi.core.lazy"}
        for alias in node.names
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_loads_what_the_type_checker_sees(package: str) -> None:
    module = import_module(package)
    names = typed(package)
    assert names
    assert sorted(module.__all__) == sorted(names)
    for name, home in names.items():
        assert getattr(module, name) is getattr(import_module(home), name)
        assert name in dir(module)
    imported: dict[str, object] = {}
    exec(f"from {package} import *", imported)
    assert imported.keys() - {"__builtins__"} == names.keys()


@pytest.mark.parametrize(
    ("code", "loaded", "not_loaded"),
    [
        ("import urpi.journal", "urpi.journal", "urpi.journal.journal"),
        ("from urpi.rules import Side", "urpi.rules.board", "urpi.rules.race"),
        ("from urpi.config import Config", "urpi.config.sections", "tomllib"),
    ],
)
def test_a_module_is_loaded_when_a_name_of_it_is_used(
    code: str, loaded: str, not_loaded: str
) -> None:
    show = f"import sys; {code}; print({loaded!r} in sys.modules, {not_loaded!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"


@pytest.mark.parametrize("first", ["import urpi.journal.replay", "from urpi.journal import Replay"])
def test_a_public_name_wins_over_the_submodule_of_the_same_name(first: str) -> None:
    show = f"{first}; from urpi.journal import replay; print(callable(replay))"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_an_unknown_name_raises_python_s_own_error() -> None:
    with pytest.raises(ImportError, match=r"cannot import name 'nothing' from 'urpi.rules'"):
        exec("from urpi.rules import nothing")
    with pytest.raises(AttributeError, match=r"module 'urpi.rules' has no attribute 'nothing'"):
        _ = import_module("urpi.rules").nothing


def test_an_exported_name_can_be_replaced() -> None:
    package = import_module("urpi.journal.fairness")
    before = package.empty_tally
    try:
        package.empty_tally = None
        assert import_module("urpi.journal.fairness").empty_tally is None
    finally:
        package.empty_tally = before


def imported_from(path: Path) -> subprocess.CompletedProcess[str]:
    """Import the package `parts` from a folder or a zip file, and show a public name of it."""
    code = (
        f"import sys; sys.path.insert(0, {str(path)!r}); import parts; print(parts.Fraction(3, 6))"
    )
    return subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)


def test_a_package_without_readable_source_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    source = tmp_path / "parts/__init__.py"
    source.write_text(PACKAGE)
    assert imported_from(tmp_path).stdout == "1/2\n"

    with ZipFile(tmp_path / "parts.zip", "w") as file:
        file.write(source, "parts/__init__.py")
    zipped = imported_from(tmp_path / "parts.zip")
    py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")), doraise=True)
    source.unlink()
    compiled = imported_from(tmp_path)

    for done, path in ((zipped, "parts.zip/parts/__init__.py"), (compiled, "parts/__init__.pyc")):
        *_, error = done.stderr.splitlines()
        assert error.startswith(
            "ImportError: the public names of parts are read from its source, and "
            f"{tmp_path / path} is not readable as that ("
        )
