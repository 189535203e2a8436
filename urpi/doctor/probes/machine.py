"""What this machine is, what of its header is in use, and whether its power is good."""

import re
import subprocess
from collections.abc import Callable, Iterable
from typing import Final

from urpi.doctor.facts import GpioChip, Machine, Switched
from urpi.doctor.tree import Tree

Run = Callable[[list[str]], str | None]
"""What a program prints; None when there is none, or it fails."""

_GPIO_DEVICES: Final = "/sys/bus/gpio/devices"
_SERIAL_CONSOLE: Final = re.compile(r"\bconsole=(serial|ttyS|ttyAMA)\d")
RUN_S: Final = 3.0


def run(command: list[str]) -> str | None:
    """What a program of this machine prints."""
    try:
        done = subprocess.run(  # noqa: S603 - programs named in this package
            command, capture_output=True, text=True, timeout=RUN_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def machine(tree: Tree, kernel: str, word_bits: int, labels: Iterable[tuple[int, str]]) -> Machine:
    """What it is; `labels` are the chips' that can be asked."""
    found = dict(labels)
    numbers = {_number(name) for name in tree.names(_GPIO_DEVICES, "gpiochip*")} | set(found)
    chips = (GpioChip(n, found.get(n, ""), _compatible(tree, n)) for n in sorted(numbers))
    return Machine(
        tree.text("/proc/device-tree/model"),
        kernel,
        _value(tree.text("/etc/os-release"), "PRETTY_NAME"),
        word_bits,
        tuple(chips),
    )


def switched(tree: Tree) -> Switched:
    """What of the header's other uses is on, as the running kernel has it."""
    return Switched(
        spi=bool(tree.names("/dev", "spidev0.*")),
        one_wire=bool(tree.names("/sys/bus/w1/devices", "w1_bus_master*")),
        serial_console=bool(_SERIAL_CONSOLE.search(tree.text("/proc/cmdline"))),
    )


def throttled(ask: Run) -> int | None:
    """The firmware's bits about power and heat, None where there is no such firmware."""
    said = ask(["vcgencmd", "get_throttled"])
    bits = re.search(r"throttled=(0x[0-9a-fA-F]+)", said or "")
    return int(bits[1], 16) if bits else None


def _number(name: str) -> int:
    return int(name.removeprefix("gpiochip"))


def _compatible(tree: Tree, number: int) -> str:
    listed = tree.text(f"{_GPIO_DEVICES}/gpiochip{number}/of_node/compatible")
    return listed.partition("\0")[0]


def _value(page: str, key: str) -> str:
    found = re.search(rf'^{key}="?([^"\n]*)', page, re.MULTILINE)
    return found[1] if found else ""
