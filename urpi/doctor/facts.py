"""What the probes found out about a machine. Values alone; what they mean is the findings'."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GpioChip:
    """A /dev/gpiochip`number`.

    `label` is the kernel's name of it, empty when this user may not ask; `compatible` the
    device tree's, empty when there is none.
    """

    number: int
    label: str = ""
    compatible: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """What this machine is.

    `model` is the device tree's, empty on what has none; `word_bits` is the system's, which may
    be 32 under a kernel of 64.
    """

    model: str = ""
    kernel: str = ""
    system: str = ""
    word_bits: int = 64
    chips: tuple[GpioChip, ...] = ()


@dataclass(frozen=True, slots=True)
class Switched:
    """What of the header's other uses is on: SPI, 1-Wire, a console on the serial port."""

    spi: bool = False
    one_wire: bool = False
    serial_console: bool = False


@dataclass(frozen=True, slots=True)
class Library:
    """An installed distribution: its version, and whether its module is there, too."""

    version: str
    importable: bool


@dataclass(frozen=True, slots=True)
class Software:
    """Python and what is installed for it.

    `libraries` are by the distribution's name in lower case, `floors` the oldest versions that
    this program takes. `rpi` says which distribution the module RPi.GPIO is really from, empty
    where there is none.
    """

    python: str = ""
    venv: bool = False
    system_site: bool = False
    libraries: Mapping[str, Library] = field(default_factory=dict)
    floors: Mapping[str, str] = field(default_factory=dict)
    rpi: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Who runs this: the groups in force, and those that /etc/group has since."""

    name: str = ""
    root: bool = False
    groups: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    """The groups that this machine has at all."""


@dataclass(frozen=True, slots=True)
class Node:
    """A device's file: whether it is there, may be read and written, and its group."""

    path: str
    exists: bool = False
    usable: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Bus:
    """An I2C bus that was asked at every address.

    `answered` are the 7-bit addresses that did, `held` those that a kernel driver has. `error`
    is why it could not be asked. `speed_hz` is None where the device tree does not say.
    """

    node: Node
    answered: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    error: str = ""
    speed_hz: int | None = None


@dataclass(frozen=True, slots=True)
class HeardDie:
    """What a die last said. Its battery is in millivolts, None where it did not say."""

    battery_mv: int | None = None
    lost: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Hub:
    """The dice hub, listened to for a while.

    `proto` is None when it never greeted. `users` are the processes that have its port open:
    then it was not listened to. `error` is why it could not be, or what the hub itself says.
    """

    node: Node
    users: tuple[int, ...] = ()
    error: str = ""
    proto: int | None = None
    firmware: str = ""
    lines: int = 0
    broken: int = 0
    dice: Mapping[int, HeardDie] = field(default_factory=dict)
    modem_manager: bool = False
    """ModemManager runs, and no rule keeps it from the hub."""


@dataclass(frozen=True, slots=True)
class Storage:
    """The journal's folder. `fsync_ms` is the time in which a small write is on the disk."""

    path: str
    error: str = ""
    free_mb: int = 0
    fsync_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Facts:
    """All of it. What was not asked for is None."""

    machine: Machine
    switched: Switched
    software: Software
    person: Person
    gpio: Node | None
    buses: Mapping[int, Bus]
    hub: Hub
    storage: Storage
    throttled: int | None = None
    """vcgencmd's get_throttled, None where there is no such thing."""
    speech: bool = False
    """Whether espeak-ng is installed."""
