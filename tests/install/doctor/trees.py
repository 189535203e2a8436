"""Machines to examine: the files that the doctor reads on real Raspberry Pis.

Kernel, model and chips are those that each Pi lists in /proc/device-tree/model, in
/sys/bus/gpio/devices and, as labels, in the output of `gpiodetect`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from urpi.config import Config, JournalSection
from urpi.hardware import default_pins
from urpi.install.doctor import System, diagnose, examine
from urpi.install.doctor.facts import Library, Node, Person, Software
from urpi.install.doctor.tree import Tree

EXPANDER = ("raspberrypi-exp-gpio", "raspberrypi,firmware-gpio")
BCM2835 = ("pinctrl-bcm2835", "brcm,bcm2835-gpio")
BCM2711 = ("pinctrl-bcm2711", "brcm,bcm2711-gpio")
RP1 = ("pinctrl-rp1", "raspberrypi,rp1-gpio")
POWER = ("gpio-brcmstb@107d508500", "brcm,bcm7445-gpio")
POWER_2 = ("gpio-brcmstb@107d517c00", "brcm,bcm7445-gpio")
MODEL_5 = "Raspberry Pi 5 Model B Rev 1.0"


@dataclass(frozen=True)
class Pi:
    model: str
    kernel: str
    chips: dict[int, tuple[str, str]]
    word_bits: int = 64
    system: str = "Debian GNU/Linux 12 (bookworm)"


PIS = {
    "zero 2 w": Pi("Raspberry Pi Zero 2 W Rev 1.0", "6.6.51+rpt-rpi-v8", {0: BCM2835, 1: EXPANDER}),
    "3": Pi("Raspberry Pi 3 Model B Plus Rev 1.3", "6.1.21-v7+", {0: BCM2835, 1: EXPANDER}, 32),
    "4": Pi("Raspberry Pi 4 Model B Rev 1.4", "6.12.25+rpt-rpi-v8", {0: BCM2711, 1: EXPANDER}),
    "5, chip 4": Pi(MODEL_5, "6.6.20+rpt-rpi-2712", {0: POWER, 1: POWER_2, 4: RP1}),
    "5, chip 0": Pi(MODEL_5, "6.6.62+rpt-rpi-2712", {0: RP1, 10: POWER, 11: POWER_2}),
    "5, chip 11": Pi(MODEL_5, "6.9.0-rc1-v8+", {0: POWER, 11: RP1}),
    "5, chip 15": Pi(
        MODEL_5,
        "6.12.34+rpt-rpi-2712",
        {11: POWER, 13: POWER_2, 15: RP1},
        system="Debian GNU/Linux 13 (trixie)",
    ),
}

GROUPS = "root:x:0:\ndialout:x:20:pi\ngpio:x:997:pi\ni2c:x:994:pi\npi:x:1000:\n"
LAPTOP = Pi("", "6.1.0-18-amd64", {})

GOOD = Software(
    python="3.11.2",
    venv=True,
    system_site=True,
    libraries={
        "gpiozero": Library("2.0.1.post3", True),
        "luma.oled": Library("3.14.0", True),
        "lgpio": Library("0.2.2.0", True),
    },
    floors={"gpiozero": "2.0.1.post3", "lgpio": "0.2.2"},
)
PI_USER = Person(
    "pi",
    False,
    frozenset({"gpio", "i2c", "dialout"}),
    frozenset({"gpio", "i2c", "dialout"}),
    frozenset({"gpio", "i2c", "dialout"}),
)


def put(root: Path, path: str, content: str | bytes = b"") -> None:
    place = root / path.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content.encode() if isinstance(content, str) else content)


def plant(root: Path, pi: Pi) -> Tree:
    """Write the files of a Pi below a folder."""
    if pi.model:
        put(root, "/proc/device-tree/model", f"{pi.model}\0")
    put(root, "/etc/os-release", f'PRETTY_NAME="{pi.system}"\nID=debian\n')
    put(root, "/etc/group", GROUPS)
    put(root, "/proc/cmdline", "console=tty1 root=PARTUUID=4e639091-02 rootfstype=ext4 rootwait\n")
    for number, (_, compatible) in pi.chips.items():
        device = f"/sys/bus/gpio/devices/gpiochip{number}"
        put(root, f"{device}/of_node/compatible", f"{compatible}\0brcm,other\0")
        put(root, f"/dev/gpiochip{number}")
    return Tree(root)


class FakeBus:
    """An I2C bus on which only the given addresses answer."""

    def __init__(self, *answering: int) -> None:
        self.answering = answering
        self.closed = False

    def read_byte(self, address: int) -> int:
        if address in self.answering:
            return 0
        raise OSError(121, "Remote I/O error")

    def close(self) -> None:
        self.closed = True


def no_port(url: str, _baud: int) -> None:
    raise FileNotFoundError(2, "No such file or directory", url)


def no_dice(_settings: object) -> None:
    raise AssertionError


def system(tree: Tree, pi: Pi, **changed: object) -> System:
    """Return access to a machine without faults, except for the changed fields."""
    labels = [(number, label) for number, (label, _) in pi.chips.items()]
    fields: dict[str, object] = {
        "tree": tree,
        "kernel": pi.kernel,
        "word_bits": pi.word_bits,
        "labels": lambda: labels,
        "run": lambda _command: None,
        "usable": lambda path: Path(path).exists(),
        "person": lambda _tree: PI_USER,
        "software": lambda: GOOD,
        "open_bus": lambda _port: FakeBus(0x3C),
        "open_port": no_port,
        "which": lambda _name: None,
        "clock": lambda: 0,
        "try_broker": lambda _section: None,
        "seconds": lambda: 0.0,
        "open_dice": no_dice,
        "sleep": lambda _seconds: None,
    }
    return System(**{**fields, **changed})  # type: ignore[arg-type]


def found_by(
    root: Path,
    pi: Pi,
    config: Config | None = None,
    files: Mapping[str, str] = MappingProxyType({}),
    **changed: object,
) -> list[tuple[str, str, str]]:
    """Return area, level and text of every finding on a Pi that also has the given files."""
    config = replace(config or Config(), journal=JournalSection(str(root / "games.db")))
    tree, pins = plant(root, pi), default_pins()
    for path, content in files.items():
        put(root, path, content)
    facts = examine(config, pins, system(tree, pi, **changed))
    return [
        (one.area, one.level.name.lower(), f"{one.found} -> {one.cure}")
        for one in diagnose(facts, config, pins)
    ]


def of_area(found: list[tuple[str, str, str]], area: str) -> list[tuple[str, str]]:
    return [(level, text) for where, level, text in found if where == area]


NODE = Node("/dev/x", exists=True, usable=True, group="dialout")
