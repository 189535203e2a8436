"""The first program in the kernel: mounts the file systems and runs the scenes.

`python -m tests.kernel.guest FOLDER DEADLINE_S SCENE,...`: every scene is a program of its own,
`python -m tests.kernel.scenes.SCENE`, with a deadline. Its output is shown; its exit status and
figures are written to FOLDER on the host.
"""

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.output import print_line

PLACE: Final = Path("/dev/shm/urpi")
MEASURED: Final = PLACE / "measured"
"""The file system of the host's folder."""
_MOUNTS: Final = (
    ("proc", Path("/proc"), "proc", ""),
    ("sysfs", Path("/sys"), "sysfs", ""),
    ("cgroup2", Path("/sys/fs/cgroup"), "cgroup2", ""),
    ("configfs", Path("/sys/kernel/config"), "configfs", ""),
    ("devpts", Path("/dev/pts"), "devpts", "ptmxmode=0666"),
    ("tmpfs", Path("/dev/shm"), "tmpfs", ""),
)
_POWER_OFF: Final = 0x4321FEDC
"""LINUX_REBOOT_CMD_POWER_OFF."""
_UP: Final = 0x41
"""IFF_UP and IFF_RUNNING."""
_SET_FLAGS: Final = 0x8914
"""SIOCSIFFLAGS."""
_libc: Final = ctypes.CDLL(None, use_errno=True)


def mount(what: str, where: Path, kind: str, options: str) -> None:
    """Mount a file system; the folder is created if it does not exist."""
    where.mkdir(exist_ok=True)
    names = (text.encode() for text in (what, str(where), kind))
    if _libc.mount(*names, 0, options.encode()):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), str(where))


def set_up(folder: str) -> None:
    """Mount all file systems, and enable the loopback interface."""
    for one in _MOUNTS:
        mount(*one)
    PLACE.mkdir()
    mount("host", MEASURED, "hostfs", folder)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))


def play(scene: str, deadline_s: float) -> dict[str, object]:
    """Run a scene, and return its exit status."""
    began = time.monotonic()
    # Few folders are writable, and `import lgpio` creates a FIFO in the current one.
    folder = PLACE / scene
    folder.mkdir()
    command = [sys.executable, "-m", f"tests.kernel.scenes.{scene}"]
    environment = {**os.environ, "HOME": str(folder), "TMPDIR": str(folder)}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, timeout=deadline_s, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        print_line(f"{scene} has not ended after {deadline_s:.0f} s")
        done = -1
    return {"scene": scene, "status": done, "took_s": time.monotonic() - began}


def main() -> None:
    """Run the scenes and power the kernel off, even after an error."""
    # The kernel passes some of its own arguments after those of this program.
    folder, deadline_s, scenes, *_ = sys.argv[1:]
    try:
        set_up(folder)
        ended = [play(scene, float(deadline_s)) for scene in scenes.split(",")]
        file = MEASURED / "scenes.json"
        # A kernel that was started before may have run other scenes.
        before = json.loads(file.read_text()) if file.exists() else []
        file.write_text(json.dumps([*before, *ended]))
    finally:
        sys.stdout.flush()
        # Powering off does not wait for files that are still in memory.
        os.sync()
        _libc.reboot(_POWER_OFF)


if __name__ == "__main__":
    main()
