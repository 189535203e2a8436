"""What runs in the kernel as its first program: it mounts what is needed, and lets scenes play.

`python -m tests.kernel.guest FOLDER DEADLINE_S SCENE,...`: every scene is a program of its own,
`python -m tests.kernel.scenes.SCENE`, that ends within that time; what it prints is seen, and
its exit status and what it measured end in FOLDER on the host.
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
"""A folder of the host's."""
_MOUNTS: Final = (
    ("proc", Path("/proc"), "proc", ""),
    ("sysfs", Path("/sys"), "sysfs", ""),
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
    """Mount it; the folder is made where the kernel has none."""
    where.mkdir(exist_ok=True)
    names = (text.encode() for text in (what, str(where), kind))
    if _libc.mount(*names, 0, options.encode()):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), str(where))


def set_up(folder: str) -> None:
    """Mount everything, and switch the loopback on."""
    for one in _MOUNTS:
        mount(*one)
    PLACE.mkdir()
    mount("host", MEASURED, "hostfs", folder)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))


def play(scene: str, deadline_s: float) -> dict[str, object]:
    """Let a scene play; how it ended."""
    began = time.monotonic()
    # Next to nothing can be written elsewhere, and `import lgpio` makes a FIFO where it is.
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
    """Play the scenes and switch the kernel off, whatever happens."""
    # The kernel hands on some words of its own behind ours.
    folder, deadline_s, scenes, *_ = sys.argv[1:]
    try:
        set_up(folder)
        ended = [play(scene, float(deadline_s)) for scene in scenes.split(",")]
        (MEASURED / "scenes.json").write_text(json.dumps(ended))
    finally:
        sys.stdout.flush()
        os.sync()
        _libc.reboot(_POWER_OFF)


if __name__ == "__main__":
    main()
