"""docs/contribute/device.md: its steps add an output, and the tests notice each step left out."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.how_to import ROOT, copy_project

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs/contribute/device.md").read_text("utf-8")
BLOCK = re.compile(r"(?ms)^```\{code-block\} (\w+)\n:caption: (\S+)\n(.*?)^```$")
CHECKS = ("tests/hardware/outputs", "tests/docs/test_findings.py")
GENERATED = (
    "docs/operate/outputs.md",
    "docs/reference/configuration.md",
    "docs/trouble/findings.md",
)
MOST_FILES = 5


class Step(NamedTuple):
    """A block of the page: a new file, or changed lines of a file."""

    kind: str
    file: str
    text: str


STEPS = [Step(*found) for found in BLOCK.findall(PAGE)]
CHANGED = sorted({step.file for step in STEPS if step.kind == "diff"})


def perform(step: Step, root: Path) -> None:
    file = root / step.file
    if step.kind != "diff":
        assert not file.exists()
        file.write_text(step.text, "utf-8")
        return
    text = file.read_text("utf-8")
    for hunk in step.text.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] != "+")
        assert text.count(old) == 1, f"{step.file}: {old}"
        text = text.replace(old, "".join(line[1:] for line in lines if line[0] != "-"))
    file.write_text(text, "utf-8")


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", *words)
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def check(root: Path, *files: str) -> subprocess.CompletedProcess[str]:
    return run(root, "pytest", "-q", "-x", "-n", "0", *files)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project in which all steps have been performed."""
    root = tmp_path_factory.mktemp("copy")
    copy_project(root)
    for step in STEPS:
        perform(step, root)
    assert run(root, "docs.generator").returncode == 0
    yield root
    shutil.rmtree(root)


def test_few_files_have_to_be_changed_by_hand() -> None:
    assert len({*CHANGED, "CHANGELOG.md"}) <= MOST_FILES


def test_the_new_output_shows_a_played_game_and_is_known_everywhere(copy: Path) -> None:
    done = check(copy, *CHECKS)
    assert done.returncode == 0, done.stdout
    table = copy / "table.toml"
    table.write_text('[gpio]\nwiring = "expander"\n[lamp]\non = true\n', "utf-8")
    wires = run(copy, "urpi", "--config", str(table), "check-wiring", "--table").stdout
    assert re.search(r"^the lamp's data +10 +19 +DI of the LED$", wires, re.MULTILINE)


@pytest.mark.parametrize("file", [*CHANGED, *GENERATED])
def test_a_step_left_out_is_noticed(copy: Path, file: str) -> None:
    performed = (copy / file).read_bytes()
    shutil.copy(ROOT / file, copy / file)
    try:
        assert check(copy, "tests/hardware/outputs/test_outputs.py").returncode in {1, 2}
    finally:
        (copy / file).write_bytes(performed)
