"""`tools/once` runs a command again only if something has changed that it depends on."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from tests.slow import slow_except

ROOT = Path(__file__).parents[2]
ONCE = ROOT / "tools" / "once"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two files, where packages of Debian are those in another file."""
    place = tmp_path / "checkout"
    (place / "folder").mkdir(parents=True)
    (place / "folder" / "file").write_text("one")
    (place / "beside").write_text("one")
    (place / ".gitignore").write_text("ran\n")
    subprocess.run(["git", "init", "-q", "--template=", place], check=True)
    write_lister(tmp_path / "bin" / "dpkg-query", "bash 5.2")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("HOME", str(tmp_path))
    # A pytest that is run below loads those of `PLUGINS` alone.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.chdir(place)
    return place


def write_lister(program: Path, versions: str) -> None:
    """Write a program that prints the versions of packages."""
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\necho {versions}\n")
    program.chmod(0o755)


@cache
def program() -> CodeType:
    return compile(ONCE.read_text("utf-8"), str(ONCE), "exec")


def loaded(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return `tools/once` as a new module, which has read no file yet."""
    once = ModuleType("once")
    monkeypatch.setitem(sys.modules, "once", once)
    exec(program(), once.__dict__)
    return once


@pytest.fixture
def run(checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `tools/once` in this process: a start would take longer."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "argv", [str(ONCE), *words])
        status = loaded(monkeypatch).main()
        return subprocess.CompletedProcess(words, status, *capfd.readouterr())

    return run


@pytest.fixture
def start(checkout: Path) -> Run:
    """Return a function that runs `tools/once` as a process."""

    def start(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ONCE, *words], capture_output=True, text=True, check=False)

    return start


PASSES = ("--", "sh", "-c", "echo once more >> ran")


def times_run(tmp_path: Path) -> int:
    return len((tmp_path / "checkout" / "ran").read_text().splitlines())


def test_it_is_run_again_after_a_change_of_what_it_depends_on(run: Run, tmp_path: Path) -> None:
    for _ in range(2):
        assert run("target", "folder", *PASSES).returncode == 0
    assert times_run(tmp_path) == 1
    (tmp_path / "checkout" / "beside").write_text("two")
    assert "passed with the same files" in run("target", "folder", *PASSES).stdout
    (tmp_path / "checkout" / "folder" / "file").write_text("two")
    run("target", "folder", *PASSES)
    assert times_run(tmp_path) == 2


def test_names_alone_count_where_it_depends_on_names(run: Run, tmp_path: Path) -> None:
    words = ("target", "--names", "folder", "beside", *PASSES)
    run(*words)
    (tmp_path / "checkout" / "folder" / "file").write_text("two")
    run(*words)
    assert times_run(tmp_path) == 1
    (tmp_path / "checkout" / "folder" / "new").touch()
    run(*words)
    assert times_run(tmp_path) == 2


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("from .beside import name", 1),
        ("import urpi.beside, json", 1),
        ("def later(): import numpy.random", 2),
        ("from numpy import array", 2),
    ],
)
def test_packages_from_elsewhere_count_where_it_depends_on_what_is_outside(
    run: Run, tmp_path: Path, text: str, times: int
) -> None:
    module = tmp_path / "checkout/urpi/module.py"
    module.parent.mkdir()
    module.write_text("import sys")
    words = ("target", "--outside", "urpi", "beside", *PASSES)
    run(*words)
    module.write_text(text)
    run(*words)
    assert times_run(tmp_path) == times


@pytest.mark.parametrize("lister", ["bin/dpkg-query", "checkout/.venv/bin/python"])
def test_it_is_run_again_after_a_change_of_a_package(run: Run, tmp_path: Path, lister: str) -> None:
    for number, versions in enumerate(["one 1", "one 2", "one 2"]):
        write_lister(tmp_path / lister, versions)
        run("target", "folder", *PASSES)
        assert times_run(tmp_path) == (1, 2, 2)[number]


def test_what_is_not_in_python_counts_below_a_folder_of_others(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "checkout" / "folder"
    (folder / "module.py").touch()
    words = ("target", "--others", "folder", "beside", *PASSES)
    run(*words)
    (folder / "module.py").write_text("import sys")
    run(*words)
    assert times_run(tmp_path) == 1
    (folder / "file").write_text("two")
    run(*words)
    assert times_run(tmp_path) == 2


MODULES = {
    "urpi/__init__.py": "",
    "urpi/lazy/__init__.py": "if TYPE_CHECKING:\n    from urpi.lazy.deep import name",
    "urpi/lazy/deep.py": "def later(): import urpi.late",
    "urpi/late.py": "",
    "urpi/worker.py": "",
    "urpi/entry.py": "",
    "urpi/sets/one.py": "",
    "urpi/beside.py": "",
    "tests/shared.py": "from . import sibling",
    "tests/sibling.py": "",
    "tests/live/test_it.py": (
        "from tests import shared\nfrom urpi.lazy import name\n"
        "RUN = ('-m', 'urpi.worker', 'urpi.entry:main')\n"
        "SET = f'urpi.sets.{name}:found'"
    ),
}


@pytest.mark.parametrize(
    "changed",
    slow_except(MODULES, "urpi/late.py", "urpi/sets/one.py", "urpi/beside.py", "tests/sibling.py"),
)
def test_what_is_imported_counts_also_through_others(
    run: Run, tmp_path: Path, changed: str
) -> None:
    place = tmp_path / "checkout"
    for name, text in MODULES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    words = ("target", "--imports", "tests/live", "beside", *PASSES)
    assert run(*words).returncode == 0
    (place / changed).write_text(f"{MODULES[changed]}\n# changed")
    run(*words)
    assert times_run(tmp_path) == (1 if changed == "urpi/beside.py" else 2)


def test_each_file_with_tests_runs_after_a_change_of_what_it_imports(
    run: Run, tmp_path: Path
) -> None:
    place = tmp_path / "checkout"
    files = MODULES | {
        "tests/conftest.py": "import urpi.beside",
        "tests/test_early.py": "import urpi.worker",
        "tests/test_late.py": "from urpi.lazy import name",
        "tests/test_reader.py": "SOURCES = ROOT / 'urpi'",
        "tests/test_command.py": "RUN = '-c', 'from urpi.cli.main import main; main()', 'show'",
        "urpi/cli/main.py": "LAZY = 'urpi.cli.'",
        "urpi/cli/show.py": "",
        "urpi/documented.py": "'>>> 1'",
    }
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    words = ("target", "--each", "tests", "--each", "urpi", "--")
    assert run(*words, "sh", "-c", 'echo "$@" > ran', "sh").returncode == 0
    assert (place / "ran").read_text().startswith("--passed=")
    others = {"tests/live/test_it.py", *(name for name in files if "/test_" in name)}
    others.add("urpi/documented.py")
    for changed, again in {
        "urpi/worker.py": {"tests/test_early.py", "tests/live/test_it.py", "tests/test_reader.py"},
        "urpi/late.py": {"tests/test_late.py", "tests/live/test_it.py", "tests/test_reader.py"},
        "urpi/cli/show.py": {"tests/test_command.py", "tests/test_reader.py"},
        "urpi/beside.py": others - {"urpi/documented.py"},
        "tests/test_late.py": {"tests/test_late.py"},
    }.items():
        (place / changed).write_text(f"{files[changed]}\n# changed")
        assert run(*words, "sh", "-c", 'echo "$@" > ran', "sh").returncode == 0
        ignored = {one.removeprefix("--ignore=") for one in (place / "ran").read_text().split()}
        assert others - ignored == again, changed
    assert "passed with the same files" in run(*words, "sh", "-c", 'echo "$@" > ran', "sh").stdout


@pytest.mark.parametrize(
    ("changed", "has_slow"),
    slow_except(
        [
            ("urpi/rules/module.py", {"tests/service/test_it.py"}),
            ("urpi/service/module.py", set()),
            ("tests/service/test_it.py", set()),
            ("tests/conftest.py", set()),
            ("folder/file", set()),
        ],
        ("urpi/rules/module.py", {"tests/service/test_it.py"}),
        ("urpi/service/module.py", set()),
    ),
)
def test_slow_tests_are_left_out_if_other_domains_alone_have_changed(
    run: Run, tmp_path: Path, changed: str, has_slow: set[str]
) -> None:
    place = tmp_path / "checkout"
    files = {
        "tests/conftest.py": "",
        "tests/rules/test_it.py": "import urpi.rules.module",
        "tests/service/test_it.py": "import urpi.rules.module, urpi.service.module",
        "urpi/rules/module.py": "",
        "urpi/service/module.py": "",
    }
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    words = ("target", "--each", "tests", "--others", "folder", "beside", "--")
    command = ("sh", "-c", 'echo "$@" > ran', "sh")
    assert run(*words, *command).returncode == 0
    (place / changed).write_text(f"{files.get(changed, '')}\n# changed")
    assert run(*words, *command).returncode == 0
    given = (place / "ran").read_text().split()
    everyday = {one.removeprefix("--everyday=") for one in given if "--everyday" in one}
    assert everyday == has_slow
    assert "passed with the same files" in run(*words, *command).stdout


def test_a_file_of_no_module_counts_for_the_tests_that_name_its_folder(
    run: Run, tmp_path: Path
) -> None:
    place = tmp_path / "checkout"
    files = {
        "tests/show/data.py": "PAGES = ROOT / 'docs'",
        "tests/show/test_pages.py": "from tests.show.data import PAGES",
        "tests/show/test_module.py": "import urpi.module, re; PARTS = '*/words'",
        "tests/rules/test_vectors.py": "(HERE.parent / 'show/words.toml').read_text()",
        "tests/rules/test_any.py": "ROOT.rglob('*.md')",
        "urpi/module.py": "'docs'",
        "docs/index.md": "",
        "CHANGELOG.md": "",
        "tests/show/words.toml": "",
        "urpi/pins.toml": "",
    }
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    words = ("target", "--each", "tests", "--others", "urpi", "--named", ".", "--")
    command = ("sh", "-c", 'echo "$@" > ran', "sh")
    assert run(*words, *command).returncode == 0
    others = {name for name in files if "/test_" in name}
    anywhere = "tests/rules/test_any.py"
    for changed, again in {
        "docs/index.md": {"tests/show/test_pages.py", anywhere},
        "CHANGELOG.md": {anywhere},
        "tests/show/words.toml": others,
        "urpi/pins.toml": others,
    }.items():
        (place / changed).write_text("changed")
        assert run(*words, *command).returncode == 0
        ignored = {one.removeprefix("--ignore=") for one in (place / "ran").read_text().split()}
        assert others - ignored == again, changed
    assert "passed with the same files" in run(*words, *command).stdout


def test_a_failure_is_not_remembered(start: Run, tmp_path: Path) -> None:
    for _ in range(2):
        done = start("target", "folder", "--", "sh", "-c", "echo once more >> ran; exit 3")
        assert done.returncode == 3
    assert times_run(tmp_path) == 2


def write_tests(tmp_path: Path, **bodies: str) -> Path:
    """Write files with a test each, and the options that all tests of this project have."""
    tests = tmp_path / "checkout" / "tests"
    # Without a browser, the options of all tests look for what needs one in these folders.
    for folder in ("bench_page", "mutation"):
        (tests / folder).mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "conftest.py", tests)
    for name, body in bodies.items():
        (tests / f"test_{name}.py").write_text(f"def test_it():\n    {body}\n")
    return tests


PLUGINS = ("-p", "hypothesispytest", "-p", "xdist")
PYTEST = ("target", "--each", "tests", "--", sys.executable, "-m", "pytest", *PLUGINS, "-n")


@pytest.mark.slow
@pytest.mark.parametrize("processes", slow_except(["0", "2"], "0"))
def test_a_file_that_passed_beside_one_that_failed_is_not_run_again(
    run: Run, tmp_path: Path, processes: str
) -> None:
    tests = write_tests(tmp_path, good="assert True", bad="assert False")
    assert "1 failed, 1 passed" in run(*PYTEST, processes).stdout
    again = run(*PYTEST, processes)
    assert again.returncode == 1
    assert "1 failed in" in again.stdout
    (tests / "test_bad.py").write_text("def test_it():\n    pass\n")
    assert "1 passed in" in run(*PYTEST, processes).stdout
    assert "passed with the same files" in run(*PYTEST, processes).stdout


@pytest.mark.slow
def test_a_file_that_passed_before_the_machine_stopped_is_not_run_again(
    start: Run, run: Run, tmp_path: Path
) -> None:
    stop = "import os; os.kill(os.getppid(), 9); os._exit(9)"
    tests = write_tests(tmp_path, first="pass", second=stop, third="pass")
    for _ in range(2):
        assert start(*PYTEST, "0").returncode == -9
    (tests / "test_second.py").write_text("def test_it():\n    pass\n")
    assert "2 passed in" in run(*PYTEST, "0").stdout
    assert "passed with the same files" in run(*PYTEST, "0").stdout
    (tests / "test_first.py").write_text("def test_it():\n    assert False\n")
    assert "1 failed in" in run(*PYTEST, "0").stdout


def test_a_path_that_no_longer_exists_is_an_error(start: Run) -> None:
    done = start("target", "moved", *PASSES)
    assert (done.returncode, done.stdout) == (1, "")
    assert "moved does not exist; correct the list in .ci/run" in done.stderr


@pytest.mark.slow
def test_after_a_change_of_the_club_no_test_of_a_table_in_a_browser_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    once = loaded(monkeypatch)
    monkeypatch.chdir(ROOT)
    names = ("conftest.py", "browser/conftest.py", "browser/test_tap.py", "page/api_run.py")
    used = once.imported([f"tests/{name}" for name in names])
    assert "urpi/cli/demo.py" in used
    assert not [name for name in used if name.startswith("urpi/club/")]
