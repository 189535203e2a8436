"""What the probes found on a machine: plain values, which `urpi.install.doctor.findings` diagnoses.

The field names are the keys of `urpi doctor --json`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from urpi.install.failed_starts import NO_FAILED_STARTS, FailedStarts
from urpi.install.running_parts import NO_PARTS, RunningParts


@dataclass(frozen=True, slots=True)
class GpioChip:
    """A GPIO controller, /dev/gpiochip`number`.

    Attributes:
        number: number of the device file; it differs between kernels.
        label: name that the kernel gives the chip, empty if this user may not open it.
        compatible: first compatible string of its device-tree node, empty if it has none.
    """

    number: int
    label: str = ""
    compatible: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine's model, kernel, operating system and GPIO controllers.

    Attributes:
        model: model name from the device tree, empty on a machine without one.
        kernel: kernel release.
        system: name of the distribution, from /etc/os-release.
        word_bits: word size of the installed system: 32 is possible on a 64-bit kernel.
        chips: GPIO controllers, ordered by number.
    """

    model: str = ""
    kernel: str = ""
    system: str = ""
    word_bits: int = 64
    chips: tuple[GpioChip, ...] = ()


@dataclass(frozen=True, slots=True)
class HeaderFunctions:
    """Functions of the 40-pin header that occupy GPIOs while they are enabled."""

    spi: bool = False
    one_wire: bool = False
    serial_console: bool = False


@dataclass(frozen=True, slots=True)
class Library:
    """An installed distribution: its version, and whether its module can be imported."""

    version: str
    importable: bool


@dataclass(frozen=True, slots=True)
class Software:
    """Python and the libraries installed for it.

    Attributes:
        python: version of Python.
        venv: whether Python runs in a virtual environment.
        system_site: whether that environment includes the system's packages.
        libraries: installed libraries by distribution name in lower case.
        floors: oldest version of each library that this program accepts.
        rpi: distribution that provides the module RPi.GPIO, empty if it is not installed.
        packaged: whether this program is the one of the Debian package.
    """

    python: str = ""
    venv: bool = False
    system_site: bool = False
    libraries: Mapping[str, Library] = field(default_factory=dict)
    floors: Mapping[str, str] = field(default_factory=dict)
    rpi: str = ""
    packaged: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """The user who runs the doctor.

    Attributes:
        name: login name.
        root: whether this is the superuser.
        groups: groups of the running process.
        listed: groups that /etc/group lists for the user; a new one applies after the next login.
        known: all groups of this machine.
    """

    name: str = ""
    root: bool = False
    groups: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Node:
    """A device file: whether it exists, may be read and written by this user, and its group."""

    path: str
    exists: bool = False
    usable: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Bus:
    """An I2C bus and the result of reading a byte from every address.

    Attributes:
        node: device file of the bus.
        answered: 7-bit addresses that acknowledged.
        held: 7-bit addresses that a kernel driver has claimed.
        error: why the bus could not be scanned, empty if it could.
        speed_hz: clock frequency, None if the device tree does not specify it.
    """

    node: Node
    answered: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    error: str = ""
    speed_hz: int | None = None


@dataclass(frozen=True, slots=True)
class DieFacts:
    """The last status that a die reported.

    Attributes:
        battery_mv: battery voltage in millivolts, None if the die did not report it.
        lost: whether the hub has lost contact with the die.
        error: fault code of the die, empty if it has none.
        battery_percent: charge in percent, None if the die did not report it.
        low: whether the die's battery is low, if it reports its charge.
    """

    battery_mv: int | None = None
    lost: bool = False
    error: str = ""
    battery_percent: int | None = None
    low: bool = False


@dataclass(frozen=True, slots=True)
class HubFacts:
    """The dice hub and the lines received from it within a few seconds.

    Attributes:
        node: device file of its serial port.
        users: processes that have the port open; if there are any, it was not opened.
        error: why the port could not be opened, or the fault that the hub reports.
        proto: protocol version of its greeting, None if no greeting arrived.
        firmware: version of its firmware.
        lines: number of valid lines received.
        broken: number of lines dropped for a wrong checksum or format.
        dice: last status of each die by its number.
        modem_manager: whether ModemManager runs and no udev rule keeps it off the port.
    """

    node: Node
    users: tuple[int, ...] = ()
    error: str = ""
    proto: int | None = None
    firmware: str = ""
    lines: int = 0
    broken: int = 0
    dice: Mapping[int, DieFacts] = field(default_factory=dict)
    modem_manager: bool = False


@dataclass(frozen=True, slots=True)
class BluetoothFacts:
    """Bluetooth, and the paired dice within a few seconds.

    Attributes:
        adapters: names of the adapters, such as hci0.
        blocked: whether an adapter is switched off by rfkill.
        running: whether bluetoothd runs.
        users: processes of `urpi serve`; if there are any, no die was connected.
        error: why Bluetooth is not available, empty if it is or was not used.
        paired: numbers of the paired dice.
        drives: what is wrong with the boards whose boot loaders' drives are mounted, by the drive.
        dice: last status of each paired die by its number, empty if none was connected.
    """

    adapters: tuple[str, ...] = ()
    blocked: bool = False
    running: bool = False
    users: tuple[int, ...] = ()
    error: str = ""
    paired: tuple[int, ...] = ()
    drives: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[int, DieFacts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Storage:
    """The folder of the journal.

    Attributes:
        path: path of the journal.
        error: why the folder cannot be written to, empty if it can.
        owner: user to whom the journal belongs, or the folder for it; empty if it can be written
            to, or belongs to root.
        free_mb: free space in megabytes.
        fsync_ms: median time in milliseconds until a small write is on the disk.
    """

    path: str
    error: str = ""
    free_mb: int = 0
    fsync_ms: float = 0.0
    owner: str = ""


@dataclass(frozen=True, slots=True)
class BrokerFacts:
    """The club's broker, and how it treats this table. The first problem ends the trial.

    Attributes:
        place: host and port of the broker.
        user: the table's id.
        password_file: path of the file with the password, empty if it is not stored yet.
        settings: why the configuration cannot be used, empty if it can.
        year: the year that this machine's clock shows, None if nothing was tried.
        tls: whether the connection is encrypted.
        unresolved: why the host's name is unknown, empty if it is known.
        unreachable: why there is no connection, empty if there is one.
        untrusted: why the broker's certificate is not trusted, empty if it is.
        certificate_days: number of days for which the certificate is valid, None without TLS.
        refused: why the broker refuses the table, empty if it accepts it.
        forbidden: the first topic that the broker forbids the table, empty if there is none.
        lacking: permissions that games on two boards need and the table lacks, as in mosquitto's
            access control list, such as `read urpi/tables/+/free`.
        answered: whether the club answered.
    """

    place: str
    user: str
    password_file: str = ""
    settings: str = ""
    year: int | None = None
    tls: bool = False
    unresolved: str = ""
    unreachable: str = ""
    untrusted: str = ""
    certificate_days: int | None = None
    refused: str = ""
    forbidden: str = ""
    lacking: tuple[str, ...] = ()
    answered: bool = False

    def with_(self, **values: Any) -> "BrokerFacts":
        """Return these facts with other values."""
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class Facts:
    """The results of all probes.

    Attributes:
        gpio: device file of the GPIO controller in use, None with mock pins.
        buses: I2C buses in use, by number.
        throttled: bits of `vcgencmd get_throttled`, None where the firmware has no such command.
        programs: those of the outputs' programs that are installed.
        files: those of the outputs' device files that this user may open.
        broker: the club's broker, None without one.
        bluetooth: state of Bluetooth and its dice, None if only the hub is used.
        failed_starts: starts of the service that have failed one after the other.
        parts: what the parts of the running service report.
        club_parts: what those of `urpi club serve` on this machine report.
    """

    machine: Machine
    switched: HeaderFunctions
    software: Software
    person: Person
    gpio: Node | None
    buses: Mapping[int, Bus]
    hub: HubFacts
    storage: Storage
    throttled: int | None = None
    programs: tuple[str, ...] = ()
    broker: BrokerFacts | None = None
    bluetooth: BluetoothFacts | None = None
    files: tuple[str, ...] = ()
    failed_starts: FailedStarts = NO_FAILED_STARTS
    parts: RunningParts = NO_PARTS
    club_parts: RunningParts = NO_PARTS
