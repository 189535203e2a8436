"""A Raspberry Pi 3 emulated by QEMU, with a display at its I2C bus and open contacts at its header.

QEMU 9.0 is the first version with the Pi's I2C controller. Debian 13 has 10.0, which is run from a
root directory of its own. Not emulated: the time that the card, the I2C bus and the caches take,
the interrupts of the pins, and the GPU, which loads the kernel of a real Pi.
"""

import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from tests.booted import wait_until
from tests.deb.boot.card import IMAGE, LOADED, SUITE
from tests.deb.boot.display_bus import TRACED
from tests.deb.roots import extracted
from tests.kernel.panel import ADDRESS, PORT

PACKAGE: Final = "qemu-system-arm"
KERNEL_ARGUMENTS: Final = (
    *("root=/dev/mmcblk0", "rootwait", "console=ttyS1,115200"),
    # A root shell at the serial console, in place of the login.
    *("systemd.debug_shell=ttyS1", "systemd.mask=serial-getty@ttyS1.service"),
    # The kernel's own record of the transfers, with its time.
    *("trace_event=i2c:i2c_write", "trace_clock=mono", "trace_buf_size=1M"),
)
_WORK: Final = "/work"
"""The machine's folder as QEMU sees it."""
TRACE, CONSOLE, _LEVELS = "trace", "console", "levels"
_SET_HIGH: Final = b"writel 0x3f20001c 0x0fffffff\n"
"""GPIO 0 to 27 are high, as the pull-ups of open contacts hold them.

QEMU's GPSET0 of the BCM2837 also sets the levels of inputs, which have no other source.
"""
_MACHINE: Final = (
    *("-M", "raspi3b", "-display", "none", "-monitor", "none", "-no-reboot"),
    *(word for name in LOADED for word in (f"-{name}", f"{_WORK}/{name}")),
    *("-append", " ".join(KERNEL_ARGUMENTS)),
    *("-drive", f"if=sd,format=raw,file={_WORK}/{IMAGE}"),
    *("-device", f"at24c-eeprom,bus=i2c-bus.{PORT},address={ADDRESS:#x},rom-size=256"),
    *("-msg", "timestamp=on", "-D", f"{_WORK}/{TRACE}"),
    *(word for event in TRACED for word in ("-trace", event)),
    *("-qtest", f"unix:{_WORK}/{_LEVELS},server=on,wait=off", "-qtest-log", "/dev/null"),
    # The mini-UART is the second one.
    *("-serial", "null", "-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console"),
)
COUNTED: Final = ("-icount", "shift=0,sleep=off")
"""The Pi's clock counts instructions, one per nanosecond, whatever the load of the host."""
_ENTER: Final = 'mount --bind "$1" "$2/work" && root=$2 && shift 2 && exec chroot "$root" "$@"'
_START_S: Final = 120.0
_COMMAND_S: Final = 1800.0
_ANSWER: Final = re.compile(rb"\x02(.*)\x03(\d+)\x03", re.DOTALL)


class EmulatedPi:
    """A Pi that is running.

    Args:
        folder: The folder with the card's files.
        process: QEMU, just started, with the serial console at its standard input.
        trace: What QEMU writes to `TRACE`.
    """

    def __init__(self, folder: Path, process: subprocess.Popen[bytes], trace: IO[str]) -> None:
        self._process, self._trace = process, trace
        self.switched_on_s = time.time()
        """The host's time in seconds since 1970."""
        _set_levels(folder / _LEVELS)
        self._console = folder / CONSOLE

    def wait_for(self, reached: Callable[[str], object], within_s: float, what: str) -> None:
        """Pass the trace of the display's bus to a function, part by part, until it returns True.

        Raises:
            TimeoutError: If it does not in time.
        """
        wait_until(lambda: self._runs() and reached(self._trace.read()), within_s, what)

    def run(self, command: str) -> str:
        """Run a command in the shell at the serial console, and return its output."""
        # The marks are octal here, so that the echo of the command does not contain them.
        line = rf"printf '\002'; {{ {command}; }} 2>&1; printf '\003%s\003' $?"
        begin = self._console.stat().st_size
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

        def answer() -> re.Match[bytes] | None:
            return _ANSWER.search(self._console.read_bytes(), begin)

        wait_until(lambda: self._runs() and answer(), _COMMAND_S, command)
        found = answer()
        assert found is not None
        output = found[1].decode().replace("\r\n", "\n").strip()
        assert int(found[2]) == 0, f"{command}: {output}"
        return output

    def _runs(self) -> bool:
        assert self._process.poll() is None, "QEMU has ended"
        assert b"Kernel panic" not in self._console.read_bytes()
        return True


@contextmanager
def switched_on(folder: Path) -> Iterator[EmulatedPi]:
    """A Pi with the card of a folder, until it is switched off."""
    root = extracted(PACKAGE, SUITE)
    (root / _WORK.removeprefix("/")).mkdir(exist_ok=True)
    enter = ("unshare", "--mount", "sh", "-c", _ENTER, "sh", folder, root)
    command = (*enter, "qemu-system-aarch64", *_MACHINE, *COUNTED)
    for name in (TRACE, CONSOLE):
        (folder / name).write_bytes(b"")
    with (
        (folder / CONSOLE).open("wb") as console,
        (folder / TRACE).open(encoding="utf-8") as trace,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=console) as process,
    ):
        try:
            yield EmulatedPi(folder, process, trace)
        finally:
            process.terminate()


def _set_levels(path: Path) -> None:
    """Set the levels of the pins through the socket on which QEMU accepts accesses to registers."""
    wait_until(path.is_socket, _START_S, f"QEMU listens at {path}")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(_SET_HIGH)
        assert connection.recv(100) == b"OK\n"
