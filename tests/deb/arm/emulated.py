"""A root directory of another architecture, whose programs QEMU's user emulation executes.

The kernel is this machine's, and starts QEMU by the registered format of the programs
(`binfmt_misc`). systemd is not started there.
"""

import subprocess
from pathlib import Path
from typing import Final

from tests.deb.roots import ENTER, archive, unpack

ARCHITECTURES: Final = {"arm64": "aarch64", "armhf": "arm"}
"""Debian's names of the architectures of a Raspberry Pi, and QEMU's."""
SYSTEM: Final = "iproute2", "systemd-standalone-sysusers"
"""The packages of the system besides the essential ones, without those that are of no use here."""
COMMAND_S: Final = 1800.0
_ENTER: Final = """\
set -e
{enter}
exec env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
"""
_NAMESPACES: Final = ("--pid", "--mount", "--net", "--uts", "--ipc", "--cgroup")


class EmulatedRoot:
    """A root directory in which single commands are run; nothing runs between them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._script = _ENTER.format(enter=ENTER.format(root=root))

    def run(self, *command: str, within_s: float = COMMAND_S) -> subprocess.CompletedProcess[str]:
        """Run a command as root, in processes and a network of its own."""
        apart = ("unshare", "--fork", "--kill-child", *_NAMESPACES, "--propagation", "private")
        return subprocess.run(
            (*apart, "sh", "-c", self._script, "sh", *command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=max(within_s, COMMAND_S),
            check=False,
        )

    def output_of(self, *command: str) -> str:
        """Return the output of such a command, from both streams."""
        done = self.run(*command)
        return (done.stdout + done.stderr).strip()


def unpacked(suite: str, architecture: str, folder: Path) -> EmulatedRoot:
    """Unpack a fresh root directory into an empty folder, and return it."""
    enable(architecture)
    unpack(archive(suite, system=SYSTEM, architecture=architecture), folder)
    return EmulatedRoot(folder)


def enable(architecture: str) -> None:
    """Let the kernel execute programs of another architecture.

    A system with systemd does so when the package qemu-user-static is installed, and when it is
    booted.
    """
    name = f"qemu-{ARCHITECTURES[architecture]}"
    if not Path("/proc/sys/fs/binfmt_misc", name).exists():
        subprocess.run(("update-binfmts", "--enable", name), check=True)
