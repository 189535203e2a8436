"""The steps of a page that shows how to change the code, applied to a copy of the project.

The steps are fenced blocks. A block `diff` changes files, and a block `sh` contains commands of
make. Any other block is a new file, which the paragraph above it names first.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple, Self

import pytest

from tests.shared import shared

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^(?:`([^`\n]+)`[^\n]*\n\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGED = re.compile(r"^\+\+\+ b/(.+)$", re.MULTILINE)
WORDS = "make words TRANSLATIONS="


class Step(NamedTuple):
    """A fenced block: the name of a new file, or "" if it is none; its language; its text."""

    file: str
    language: str
    text: str


class HowTo(NamedTuple):
    """A page with steps."""

    text: str
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, path: Path) -> Self:
        text = path.read_text("utf-8")
        return cls(text, tuple(Step(*block) for block in BLOCK.findall(text)))

    @property
    def changed(self) -> set[str]:
        """The files that exist already and are changed."""
        return {name for step in self.steps for name in CHANGED.findall(step.text)}

    def follow(self, folder: Path) -> str:
        """Perform the steps in a copy of the project, and return what the commands print."""
        return "".join(perform(step, folder) for step in self.steps)


def perform(step: Step, folder: Path) -> str:
    match step.language:
        case "diff":
            return run(["git", "apply", "-"], folder, step.text)
        case "sh":
            # make would set up an environment.
            assert step.text.startswith(WORDS), step.text
            file = step.text.removeprefix(WORDS).strip()
            return run([sys.executable, "-m", "tools.catalogues", file], folder)
    assert step.file, f"no file name above the block:\n{step.text}"
    assert not (folder / step.file).exists(), f"{step.file} is not new"
    (folder / step.file).parent.mkdir(parents=True, exist_ok=True)
    (folder / step.file).write_text(step.text, "utf-8")
    return ""


def run(command: list[str], folder: Path, text: str = "") -> str:
    """Run a command in a folder, and return its output."""
    done = subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


def copy_project(folder: Path) -> None:
    """Copy the files under version control, as they are now, and the bytecode that exists."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs git and a clone")
    for name in filter(None, run(["git", "ls-files", "-z"], ROOT).split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
            compiled = Path(cache_from_source(name))
            if name.endswith(".py") and (ROOT / compiled).is_file():
                (folder / compiled).parent.mkdir(exist_ok=True)
                shutil.copy2(ROOT / compiled, folder / compiled)


def made_once(factory: pytest.TempPathFactory, name: str, change: Callable[[Path], object]) -> Path:
    """Return a changed copy of the project, which the first of several processes makes.

    Args:
        factory: That of the processes.
        name: The name of the folder that they share.
        change: Changes the copy.
    """
    with shared(factory, name) as folder:
        project, made = folder / "project", folder / "made"
        if not made.exists():
            shutil.rmtree(project, ignore_errors=True)
            copy_project(project)
            change(project)
            made.touch()
        return project


def facts(target: str) -> str:
    """Return the facts of a game in which light throws 2, and moves A4 to another square."""
    game = {"type": "game", "rules": "finkel", "options": {}, "light": "", "dark": ""}
    lines: list[dict[str, object]] = [
        game | {"t": 0, "position": "finkel A4:L L6D7 L0D0 L"},
        {"t": 0, "type": "occupancy", "squares": ["A4"]},
    ]
    dice = range(1, 5)
    lines += [{"t": 1000, "type": "die", "die": die, "state": "rolling"} for die in dice]
    settled = {"t": 1500, "type": "die", "state": "settled", "tumbled": True}
    lines += [settled | {"die": die, "face": "gs--"[die - 1]} for die in dice]
    lines += [
        {"t": 2500, "type": "square", "square": "A4", "on": False},
        {"t": 3500, "type": "square", "square": target, "on": True},
        {"t": 7000, "type": "time"},
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)
