"""A Debian booted with systemd inside the kernel: the host's files below a writable overlay.

This module starts the machine and runs programs on it; the tests are in the scene
(`tests/kernel/scenes/service.py`).
"""

import os
import shlex
import signal
import site
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.kernel.board import wait_for
from tests.kernel.guest import mount

ROOT: Final = Path(__file__).parents[2]
BOOT_S: Final = 120.0
COMMAND_S: Final = 90.0
PROGRAM: Final = "/usr/local/bin/urpi"
"""The folder in which the machine has urpi installed."""

_SYSTEMD: Final = "/lib/systemd/systemd"
_NOT_STARTED: Final = ("etc/systemd/system", "lib/systemd/system", "usr/lib/systemd/system")
"""The host's folders of unit links, below which its own services are enabled."""
# systemd is the first process of its own PID namespace, with a root of its own, as on a card.
_BOOT: Final = f"""
mount -t proc proc {{root}}/proc
mount --rbind /sys {{root}}/sys
mount -t cgroup2 cgroup2 {{root}}/sys/fs/cgroup
mount --rbind /dev {{root}}/dev
mount -t tmpfs run {{root}}/run
mount -t tmpfs tmp {{root}}/tmp
mkdir -p {{root}}/was
cd {{root}}
pivot_root . was
umount -l /was
exec env -i container=kernel-test {_SYSTEMD} --unit=multi-user.target --log-target=null \
    --show-status=0
"""


class Machine:
    """A machine with its own files above the host's, which can be booted repeatedly."""

    def __init__(self, place: Path) -> None:
        """Create the files below a folder, which must be on a tmpfs."""
        self.root = place / "root"
        upper, work = place / "upper", place / "work"
        for folder in (place, self.root, upper, work):
            folder.mkdir()
        mount("overlay", self.root, "overlay", f"lowerdir=/,upperdir={upper},workdir={work}")
        self._take_services_away()
        self._install()
        self._first = 0

    def _take_services_away(self) -> None:
        for folder in _NOT_STARTED:
            links = (self.root / folder).glob("*.target.wants/*")
            for link in links:
                if link.parent.name.startswith(("multi-user", "graphical", "timers", "sockets")):
                    link.unlink()

    def _install(self) -> None:
        """Install the program with this environment's packages where every user can read it."""
        libraries = os.environ.get("PYTHONPATH", "").split(":")
        found: list[str] = []
        for number, path in enumerate([*libraries, *site.getsitepackages()]):
            inside = Path("/opt/urpi") / str(number)
            if Path(path).is_dir():
                (self.root / inside.relative_to("/")).mkdir(parents=True)
                _bind(Path(path), self.root / inside.relative_to("/"))
                found.append(str(inside))
        python = Path(os.path.realpath(sys.executable))
        for folder in python.parents[:-1]:
            inside = self.root / folder.relative_to("/")
            inside.chmod(inside.stat().st_mode | 0o055)
        program = self.root / PROGRAM.removeprefix("/")
        program.write_text(
            f"#!{python} -B\nimport sys\nsys.path[:0] = {found}\n"
            "from urpi.cli import main\nmain()\n"
        )
        program.chmod(0o755)

    @contextmanager
    def running(self) -> Iterator[None]:
        """A booted machine, until it is powered off."""
        script = "set -e\n" + _BOOT.format(root=shlex.quote(str(self.root)))
        unshare = ("unshare", "--fork", "--pid", "--mount", "--propagation", "private")
        outer = subprocess.Popen([*unshare, "sh", "-c", script], stdin=subprocess.DEVNULL)
        try:
            wait_for(lambda: self._is_booting(outer.pid), BOOT_S, "systemd begins")
            wait_for(self._is_up, BOOT_S, "systemd has booted")
            yield
        finally:
            if self._first:
                os.kill(self._first, signal.SIGKILL)
            outer.wait(BOOT_S)

    def _is_booting(self, outer: int) -> bool:
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                _, _, rest = stat.read_text().rpartition(") ")
                program = os.readlink(stat.with_name("exe"))
            except OSError:
                continue
            if int(rest.split()[1]) == outer and program.endswith("/systemd"):
                self._first = int(stat.parent.name)
                return True
        return False

    def _is_up(self) -> bool:
        state = self.run("systemctl", "is-system-running").stdout.strip()
        return state in {"running", "degraded"}

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command on the machine as root."""
        enter = ("nsenter", "--target", str(self._first), "--mount", "--pid", "--root", "--wd")
        return subprocess.run(
            [*enter, "env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )

    def output_of(self, *command: str) -> str:
        """Return the output of such a command, from both streams."""
        done = self.run(*command)
        return (done.stdout + done.stderr).strip()


def _bind(what: Path, where: Path) -> None:
    subprocess.run(["mount", "--bind", str(what), str(where)], check=True, timeout=COMMAND_S)


def seconds_until(reached: object, within_s: float, what: str) -> float:
    """Return the seconds until a condition holds."""
    assert callable(reached)
    began = time.monotonic()
    wait_for(reached, within_s, what)
    return time.monotonic() - began
