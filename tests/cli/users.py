"""Ordinary users of this machine: commands run as one, with a home of its own.

The users have no entry in /etc/passwd; a process needs none. Only root can start them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import DEADLINE_S

REPOSITORY: Final = Path(__file__).parents[2]
PROGRAM: Final = """
import sys
from pathlib import Path
from urpi.config import reading
reading.SYSTEM_FILE = Path(sys.argv.pop(1))
from urpi.cli.main import main
main()
"""
"""The program with another path than /etc/urpi/config.toml, which belongs to this machine."""
FIRST_UID: Final = 61_000


@dataclass(frozen=True)
class User:
    """A user, whose number is also that of its group."""

    uid: int
    home: Path
    system_config: Path
    groups: tuple[int, ...] = ()

    def urpi(self, *words: str | Path, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run `urpi` until it ends."""
        return self.python(PROGRAM, self.system_config, *words, typed=typed)

    def python(
        self, code: str, *words: str | Path, typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run Python code until it ends."""
        with self.started(code, *words) as process:
            output, errors = process.communicate(typed, timeout=DEADLINE_S)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    @contextmanager
    def started(self, code: str, *words: str | Path) -> Iterator[subprocess.Popen[str]]:
        """Yield running Python code, which is killed in the end."""
        with subprocess.Popen(
            [_python(), "-c", code, *words],
            env=_environment(self.home),
            cwd=self.home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            user=self.uid,
            group=self.uid,
            extra_groups=self.groups,
            umask=0o027,
        ) as process:
            try:
                yield process
            finally:
                process.kill()


class Machine:
    """A folder with homes, and the path of the system's configuration, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.toml"

    def user(self, number: int, *groups: int) -> User:
        """Return a user with a new home, which only this user and its group may enter."""
        uid = FIRST_UID + number
        home = self.folder / f"home-{number}"
        home.mkdir(mode=0o750)
        os.chown(home, uid, uid)
        return User(uid, home, self.config, groups)


@contextmanager
def machine() -> Iterator[Machine]:
    """Yield a machine; skip the test where there can be no other users."""
    if os.geteuid() != 0:
        pytest.skip("only root may run commands as another user")
    if _python() is None:
        pytest.skip("no Python here can be run by another user with the libraries of urpi")
    # Other users may not enter the folder of `tmp_path`.
    folder = Path(tempfile.mkdtemp(prefix="urpi-users-"))
    folder.chmod(0o755)
    try:
        yield Machine(folder)
    finally:
        shutil.rmtree(folder)


def _environment(home: Path) -> dict[str, str]:
    libraries = (str(REPOSITORY), *(place for place in sys.path if "site-packages" in place))
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(libraries),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@cache
def _python() -> str | None:
    """Return a Python that other users can run, None if there is none.

    The one of these tests may be in root's home; the system's can have the same version.
    """
    system = f"/usr/bin/python{sys.version_info[0]}.{sys.version_info[1]}"
    return next(filter(_runs_for_others, (sys.executable, system)), None)


def _runs_for_others(python: str) -> bool:
    try:
        tried = subprocess.run(
            [python, "-c", "import urpi, click, gpiozero, luma.oled, PIL.Image"],
            env=_environment(Path("/")),
            cwd="/",
            user=FIRST_UID,
            group=FIRST_UID,
            extra_groups=(),
            capture_output=True,
            timeout=DEADLINE_S,
            check=False,
        )
    except OSError:
        return False
    return tried.returncode == 0
