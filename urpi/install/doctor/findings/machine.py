"""The machine: its model, chip of the header, power supply, pin conflicts, disk, access."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.hardware.configured import wires_on
from urpi.hardware.finding import Finding, broken, poor, right
from urpi.hardware.gpio import HEADER_LABELS
from urpi.hardware.header import CONSOLE, ONE_WIRE, SPI
from urpi.hardware.pins import PinMap
from urpi.install.doctor.facts import Facts, GpioChip, Machine, Node, Person, Storage
from urpi.install.systemd import STATE, UNIT

HEADER_COMPATIBLE: Final = ("raspberrypi,rp1-gpio", "brcm,bcm2711-gpio", "brcm,bcm2835-gpio")
"""Compatible strings of the 40-pin header's chip: Pi 5, Pi 4, and earlier models."""

_NOW: Final[Mapping[int, str]] = MappingProxyType(
    {0: "the voltage is too low", 2: "the processor is throttled", 3: "it is too hot"}
)
_SINCE_START: Final[Mapping[int, str]] = MappingProxyType(
    {16: "the voltage was too low", 18: "the processor was throttled", 19: "it was too hot"}
)
"""Bits of vcgencmd's get_throttled (raspberrypi.com, documentation, os: get_throttled)."""
_POWER_CURE: Final = (
    "Use the power supply made for this Pi and a short, thick cable; power nothing else from it."
)
_HEAT_CURE: Final = "Improve its ventilation, or fit a heat sink."
MINIMUM_MB: Final = 20
LOW_MB: Final = 200
SLOW_MS: Final = 100.0
"""Slow write in milliseconds. A decision is shown after it is stored: twice this is noticeable."""
DEVICE_GROUPS: Final = ("gpio", "i2c", "dialout")


def needs_pins(config: Config) -> bool:
    """Whether the configuration uses real pins, not mock pins."""
    return config.gpio.factory != "mock"


def is_pi(machine: Machine) -> bool:
    return machine.model.startswith("Raspberry Pi")


def machine(facts: Facts, config: Config) -> Iterator[Finding]:
    """Yield the model of the machine and the chip of its header."""
    yield _model(facts.machine, config)
    if not needs_pins(config):
        yield right("pins", "mock pins, as configured: no board is read")
    elif config.gpio.chip is not None:
        yield from _configured_chip(facts, config.gpio.chip)
    elif is_pi(facts.machine) or facts.machine.chips:
        yield _found_chip(facts, config)


def header_chip(machine: Machine) -> tuple[GpioChip, str] | None:
    """The chip of the 40-pin header and what identifies it, None if there is none.

    >>> header_chip(Machine(chips=(GpioChip(15, "pinctrl-rp1"),)))[0].number
    15
    """
    # The number differs between models and kernels, so it identifies nothing.
    for chip in machine.chips:
        if chip.label in HEADER_LABELS:
            return chip, f"its label {chip.label}"
    for chip in machine.chips:
        if chip.compatible in HEADER_COMPATIBLE:
            return chip, f"its device-tree name {chip.compatible}"
    return None


def power(facts: Facts) -> Iterator[Finding]:
    """Yield what the firmware reports about voltage and heat."""
    bits = facts.throttled
    if bits is None:
        return
    now = [text for bit, text in _NOW.items() if bits >> bit & 1]
    since = [text for bit, text in _SINCE_START.items() if bits >> bit & 1]
    cure = _HEAT_CURE if bits & 0x8 else _POWER_CURE
    if now:
        yield poor("power", f"right now {', '.join(now)} (0x{bits:X})", cure)
    elif since:
        cure = _POWER_CURE if bits & 1 << 16 else _HEAT_CURE
        yield poor("power", f"since the last start {', '.join(since)} (0x{bits:X})", cure)
    else:
        yield right("power", "the voltage has been good since the last start")


def conflicts(facts: Facts, config: Config, pins: PinMap) -> Iterator[Finding]:
    """Yield the contacts on pins that another enabled function of the header uses."""
    if not needs_pins(config):
        return
    enabled = facts.switched
    cases = ((enabled.spi, SPI), (enabled.one_wire, ONE_WIRE), (enabled.serial_console, CONSOLE))
    for on, use in cases:
        wires = wires_on(use, config, pins).items()
        hit = [f"{name} (GPIO {gpio})" for name, gpio in wires]
        if on and hit:
            yield broken(
                "pins",
                f"{use.what} is enabled and uses the pins of {', '.join(hit)}",
                f"Disable it with `{use.off}` and restart the Pi.",
            )


def _model(machine: Machine, config: Config) -> Finding:
    about = f"kernel {machine.kernel}, {machine.word_bits} bit"
    if machine.system:
        about = f"{about}, {machine.system}"
    if is_pi(machine):
        return right("machine", f"{machine.model}, {about}")
    what = machine.model or "not a Raspberry Pi"
    if not needs_pins(config) or header_chip(machine):
        return right("machine", f"{what}, {about}")
    return broken(
        "machine",
        f"{what}, {about}: it has no header for a board",
        "To try urpi, run `urpi demo`, which plays at a virtual table. For a board, run this on "
        "the Pi.",
    )


def _found_chip(facts: Facts, config: Config) -> Finding:
    found = header_chip(facts.machine)
    if found is None:
        seen = ", ".join(f"{chip.number} {chip.label}".strip() for chip in facts.machine.chips)
        return broken(
            "pins",
            f"no gpiochip belongs to a Raspberry Pi's header (found: {seen or 'none'})",
            "On a Pi, install the Raspberry Pi kernel; elsewhere use `urpi demo`, or "
            '`factory = "mock"` in [gpio].',
        )
    chip, how = found
    node = facts.gpio
    if config.gpio.factory == "lgpio" and node is not None and not node.usable:
        return no_access(
            "pins", node, f"the header's chip according to {how}", "gpio", facts.person
        )
    return right("pins", f"/dev/gpiochip{chip.number} is the header's, according to {how}")


def _configured_chip(facts: Facts, number: int) -> Iterator[Finding]:
    found = header_chip(facts.machine)
    node = facts.gpio
    if node is None or not node.exists:
        yield broken(
            "pins",
            f"chip = {number} is configured, but there is no /dev/gpiochip{number}",
            "Remove `chip` from [gpio]; it is found by its label.",
        )
    elif not node.usable:
        yield no_access("pins", node, "the configured chip", "gpio", facts.person)
    elif found and found[0].number != number:
        yield poor(
            "pins",
            f"chip = {number} is configured, but the header's is {found[0].number}, according to "
            f"{found[1]}",
            "Remove `chip` from [gpio], unless this is intended.",
        )
    else:
        yield right("pins", f"/dev/gpiochip{number}, as configured")


def storage(facts: Facts) -> Iterator[Finding]:
    """Yield whether games can be stored."""
    found = facts.storage
    state = f"{found.path}: {found.free_mb} MB free, {found.fsync_ms:.1f} ms for a safe write"
    if found.error:
        yield _unwritable(found, facts.person, has_board=bool(facts.machine.model))
    elif found.free_mb < MINIMUM_MB:
        yield broken("journal", state, "Free some disk space.")
    elif found.free_mb < LOW_MB:
        yield poor("journal", state, "Free some disk space; a game needs far less than 1 MB.")
    elif found.fsync_ms > SLOW_MS:
        yield poor("journal", state, "Use a faster card, of application class A1 or A2.")
    else:
        yield right("journal", state)


def _unwritable(found: Storage, person: Person, *, has_board: bool) -> Finding:
    """The finding for a journal that cannot be written, by whose journal it is."""
    error = f"{found.path} cannot be written: {found.error}"
    if found.owner not in {"", person.name}:
        # No fault of the machine: the journal's user may write to it. Its path must stay, because
        # the service can write below `STATE` only.
        return poor(
            "journal",
            f"{found.path} belongs to {found.owner}, and {person.name} cannot examine it",
            f"Run `sudo -u {found.owner} urpi doctor`.",
        )
    if not found.owner and PurePosixPath(found.path).is_relative_to(STATE):
        if not has_board:
            # There the package's service does not start; its configuration is for a Pi.
            return poor(
                "journal",
                f"{found.path} is the journal of a Pi's service, which this machine does not run",
                "`urpi demo` has a journal of its own; nothing is to be done.",
            )
        cure = (
            f"Run `sudo systemctl start {UNIT.removesuffix('.service')}`, which makes the folder."
        )
        return broken("journal", error, cure)
    return broken("journal", error, "Set [journal] path to a place that this user may write to.")


def user(facts: Facts) -> Finding:
    """The user and the user's device groups.

    A missing group is no fault by itself: the device that needs it has its own finding.
    """
    person = facts.person
    if person.root:
        return right("user", f"{person.name}, who may open every device")
    groups = [group for group in DEVICE_GROUPS if group in person.groups]
    return right("user", f"{person.name}, in {', '.join(groups) or 'none'} of the device groups")


def no_access(area: str, node: Node, what: str, usual_group: str, person: Person) -> Finding:
    """The finding for a device file that this user may not open.

    Args:
        area: area of the finding.
        node: the device file.
        what: the device, such as `the I2C bus`.
        usual_group: group that normally has access; used when the file belongs to root's.
        person: the user.
    """
    group = usual_group if node.group in {"", "root"} else node.group
    return broken(
        area, f"{node.path}, {what}, may not be opened by {person.name}", _cure(group, node, person)
    )


def _cure(group: str, node: Node, person: Person) -> str:
    if group in person.groups:
        return f"Its mode forbids it: check `ls -l {node.path}` and correct the udev rule."
    if group in person.listed:
        return f"{person.name} was added to the group {group} recently: log out and in again."
    if group in person.known:
        return f"Run `sudo usermod -aG {group} {person.name}`, then log out and in again."
    return f"There is no group {group} here: allow access with a udev rule, or run as root."
