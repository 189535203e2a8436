"""A root directory whose systemd is booted as the first process of its own PID namespace."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

BOOT_S: Final = 600.0
COMMAND_S: Final = 300.0
_POLL_S: Final = 0.05
COMMAND_POLL_S: Final = 0.25
"""The time between two checks that run a command on the machine."""


def wait_until(
    reached: Callable[[], object], within_s: float, what: str, pause_s: float = _POLL_S
) -> float:
    """Wait until a condition holds, and return the seconds that took.

    Args:
        reached: The condition.
        within_s: The longest time to wait.
        what: What is awaited, for the error.
        pause_s: The time between two checks; longer if each starts programs, which need the
            processor that the machine is waiting for.

    Raises:
        TimeoutError: If it does not hold in time.
    """
    began = time.monotonic()
    while not reached():
        if time.monotonic() - began > within_s:
            message = f"not within {within_s:.0f} s: {what}"
            raise TimeoutError(message)
        time.sleep(pause_s)
    return time.monotonic() - began


@contextmanager
def own_cgroup() -> Iterator[str]:
    """Create a control group below that of this process, and remove it when it is empty.

    Two systemds in one group remove each other's groups and kill each other's services: a start
    then fails with "unavailable resources".
    """
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    tree = next(place for _, place, kind, *_ in mounts if kind == "cgroup2")
    groups = Path("/proc/self/cgroup").read_text().splitlines()
    mine = next(line.removeprefix("0::") for line in groups if line.startswith("0::"))
    group = tempfile.mkdtemp(prefix="urpi-", dir=f"{tree}{mine}")
    try:
        yield group
    finally:
        for folder, _, _ in os.walk(group, topdown=False):
            os.rmdir(folder)


class BootedRoot:
    """A root directory that can be booted repeatedly, and in which commands are run.

    Args:
        root: The directory.
        boot: A shell script, run in namespaces of its own, that prepares the directory and replaces
            itself by systemd.
        namespaces: Options of unshare(1) besides those of processes and mounts.
    """

    def __init__(self, root: Path, boot: str, namespaces: Sequence[str] = ()) -> None:
        self.root = root
        self._boot, self._namespaces = f"set -e\n{boot}", tuple(namespaces)
        self._first = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """A booted machine, until it is powered off."""
        unshare = ("unshare", "--fork", "--pid", "--mount", "--propagation", "private")
        enter = ("sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"')
        command = (*unshare, *self._namespaces, "sh", "-c", self._boot)
        with (
            own_cgroup() as group,
            subprocess.Popen((*enter, group, *command), stdin=subprocess.DEVNULL) as outer,
        ):
            try:
                wait_until(
                    lambda: outer.poll() is not None or self._is_booting(outer.pid),
                    BOOT_S,
                    "systemd begins",
                )
                assert self._first, "the boot script failed"
                wait_until(self._is_up, BOOT_S, "systemd has booted", COMMAND_POLL_S)
                yield
            finally:
                if self._first:
                    os.kill(self._first, signal.SIGKILL)
                    self._first = 0
                else:
                    outer.kill()
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

    def run(self, *command: str, within_s: float = COMMAND_S) -> subprocess.CompletedProcess[str]:
        """Run a command on the machine as root."""
        spaces = ("--mount", "--pid", *({"--net", "--uts"} & {*self._namespaces}))
        enter = ("nsenter", "--target", str(self._first), *spaces, "--root", "--wd")
        return subprocess.run(
            [*enter, "env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=within_s,
            check=False,
        )

    def output_of(self, *command: str) -> str:
        """Return the output of such a command, from both streams."""
        done = self.run(*command)
        return (done.stdout + done.stderr).strip()
