"""The machine itself: what it is, which chip is the header's, its power, what else is on."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.devices.contacts import header_wires
from urpi.devices.gpio import HEADER_LABELS
from urpi.devices.header import CONSOLE, ONE_WIRE, SPI
from urpi.devices.pins import PinMap
from urpi.doctor.facts import Facts, GpioChip, Machine
from urpi.doctor.finding import Finding, broken, poor, right
from urpi.doctor.findings.access import may_not_use

HEADER_COMPATIBLE: Final = ("raspberrypi,rp1-gpio", "brcm,bcm2711-gpio", "brcm,bcm2835-gpio")
"""What the device tree calls the chip of the 40-pin header: on a Pi 5, a Pi 4, and before."""

_NOW: Final[Mapping[int, str]] = MappingProxyType(
    {0: "the voltage is too low", 2: "the processor is slowed down", 3: "it is too hot"}
)
_SINCE_START: Final[Mapping[int, str]] = MappingProxyType(
    {16: "the voltage was too low", 18: "the processor was slowed down", 19: "it was too hot"}
)
"""Bits of vcgencmd's get_throttled (raspberrypi.com, documentation, os: get_throttled)."""
_POWER_CURE: Final = (
    "Use the power supply made for this Pi and a short, thick cable; feed nothing else from it."
)
_HEAT_CURE: Final = "Give it air, or a heat sink."


def needs_pins(config: Config) -> bool:
    """Whether the configured pins are real ones."""
    return config.gpio.factory != "mock"


def is_pi(machine: Machine) -> bool:
    """Whether it is a Raspberry Pi."""
    return machine.model.startswith("Raspberry Pi")


def machine(facts: Facts, config: Config) -> Iterator[Finding]:
    """What this machine is, and which of its chips is the header's."""
    yield _model(facts.machine, config)
    if not needs_pins(config):
        yield right("pins", "mock pins, by the configuration: for trying out, no board is read")
    elif config.gpio.chip is not None:
        yield from _told_chip(facts, config.gpio.chip)
    elif is_pi(facts.machine) or facts.machine.chips:
        yield _found_chip(facts, config)


def header_chip(machine: Machine) -> tuple[GpioChip, str] | None:
    """The header's chip, and how it was found; None when there is none.

    >>> header_chip(Machine(chips=(GpioChip(15, "pinctrl-rp1"),)))[0].number
    15
    """
    for chip in machine.chips:
        if chip.label in HEADER_LABELS:
            return chip, f"its name {chip.label}"
    for chip in machine.chips:
        if chip.compatible in HEADER_COMPATIBLE:
            return chip, f"its device-tree name {chip.compatible}"
    return None


def power(facts: Facts) -> Iterator[Finding]:
    """What the firmware says of voltage and heat."""
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
        yield poor("power", f"since it was started {', '.join(since)} (0x{bits:X})", cure)
    else:
        yield right("power", "the voltage has been good since the start")


def conflicts(facts: Facts, config: Config, pins: PinMap) -> Iterator[Finding]:
    """Contacts on pins that something else on the header has."""
    if not needs_pins(config):
        return
    wires = header_wires(config, pins)
    switched = facts.switched
    cases = ((switched.spi, SPI), (switched.one_wire, ONE_WIRE), (switched.serial_console, CONSOLE))
    for on, use in cases:
        hit = [f"{name} (GPIO {gpio})" for name, gpio in wires.items() if gpio in use.gpios]
        if on and hit:
            yield broken(
                "pins",
                f"{use.what} is switched on and has the pins of {', '.join(hit)}",
                f"Switch it off with `{use.off}` and start the Pi again.",
            )


def _model(machine: Machine, config: Config) -> Finding:
    about = f"kernel {machine.kernel}, {machine.word_bits} bit"
    if machine.system:
        about = f"{about}, {machine.system}"
    if is_pi(machine):
        return right("machine", f"{machine.model}, {about}")
    what = machine.model or "no Raspberry Pi"
    if not needs_pins(config) or header_chip(machine):
        return right("machine", f"{what}, {about}")
    return broken(
        "machine",
        f"{what}, {about}: nothing to wire a board to",
        "That is fine for trying out: `urpi demo` plays at a virtual table. For a board, run this "
        "on the Pi.",
    )


def _found_chip(facts: Facts, config: Config) -> Finding:
    found = header_chip(facts.machine)
    if found is None:
        seen = ", ".join(f"{chip.number} {chip.label}".strip() for chip in facts.machine.chips)
        return broken(
            "pins",
            f"no gpiochip is a Raspberry Pi's header (seen: {seen or 'none'})",
            "On a Pi, install its own kernel and look again; elsewhere use `urpi demo`, or "
            '`factory = "mock"` in [gpio].',
        )
    chip, how = found
    node = facts.gpio
    if config.gpio.factory == "lgpio" and node is not None and not node.usable:
        return may_not_use("pins", node, f"the header's chip by {how}", "gpio", facts.person)
    return right("pins", f"/dev/gpiochip{chip.number} is the header's, by {how}")


def _told_chip(facts: Facts, told: int) -> Iterator[Finding]:
    found = header_chip(facts.machine)
    node = facts.gpio
    if node is None or not node.exists:
        yield broken(
            "pins",
            f"chip = {told} is told, but there is no /dev/gpiochip{told}",
            "Leave `chip` out of [gpio]; it is found by its name.",
        )
    elif not node.usable:
        yield may_not_use("pins", node, "the chip that is told", "gpio", facts.person)
    elif found and found[0].number != told:
        yield poor(
            "pins",
            f"chip = {told} is told, but the header's is {found[0].number}, by {found[1]}",
            "Leave `chip` out of [gpio], unless you know better.",
        )
    else:
        yield right("pins", f"/dev/gpiochip{told}, as the configuration tells")
