"""The examination of a machine: run the probes the configuration requires, diagnose the result."""

import os
import pwd
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from pathlib import PurePath
from typing import Any, Final

from urpi.config import ClubSection, Config, DiceSection
from urpi.core.moments import milliseconds
from urpi.hardware import BluetoothDice, DiceSource, DieFaces, open_radio
from urpi.hardware.configured import advertised_dice, paired_dice
from urpi.hardware.expander import smbus
from urpi.hardware.finding import Finding, poor
from urpi.hardware.gpio import gpio_chips
from urpi.hardware.outputs.registry import OUTPUTS, places_on_i2c
from urpi.hardware.pins import PinMap
from urpi.hardware.serial_port import Port, open_serial
from urpi.hardware.wiring import faults
from urpi.install import failed_starts, running_parts
from urpi.install.doctor.facts import (
    BluetoothFacts,
    BrokerFacts,
    Bus,
    Facts,
    HubFacts,
    Machine,
    Node,
    Person,
    Software,
)
from urpi.install.doctor.findings import devices, machine, software
from urpi.install.doctor.findings.bluetooth import bluetooth
from urpi.install.doctor.findings.club import club
from urpi.install.doctor.findings.machine import header_chip, needs_pins, storage, user
from urpi.install.doctor.probes import bluetooth as radios
from urpi.install.doctor.probes import devices as device_files
from urpi.install.doctor.probes import hub as hubs
from urpi.install.doctor.probes import machine as machines
from urpi.install.doctor.probes import software as programs
from urpi.install.doctor.tree import Tree
from urpi.install.failed_starts import FailedStarts
from urpi.install.running_parts import NO_PARTS, RunningParts

_URL: Final = "://"


@dataclass(frozen=True)
class System:
    """Access to the machine being examined; tests replace single fields.

    Attributes:
        tree: the machine's files.
        kernel: kernel release, as `uname -r` prints it.
        word_bits: word size of the installed system, 32 or 64.
        labels: returns number and label of each gpiochip that this user may open.
        run: runs a program and returns its output, None if it fails.
        usable: returns whether this process may read and write a path.
        person: returns the user who runs the doctor.
        software: returns the Python version and the installed libraries.
        open_bus: opens an I2C bus by its number.
        open_port: opens a serial port by its path or URL.
        which: returns the path of a program, None if it is not installed.
        clock: monotonic time in milliseconds.
        try_broker: tries the club's broker, returns None if there is none.
        seconds: monotonic time in seconds, with the resolution to time a single write.
        open_dice: makes the source of the paired dice.
        sleep: waits for a number of seconds.
    """

    tree: Tree
    kernel: str
    word_bits: int
    labels: Callable[[], Iterable[tuple[int, str]]]
    run: machines.Run
    usable: device_files.Usable
    person: Callable[[Tree], Person]
    software: Callable[[], Software]
    open_bus: Callable[[int], Any]
    open_port: Callable[[str, int], Port]
    which: Callable[[str], str | None]
    clock: Callable[[], int]
    try_broker: Callable[[ClubSection], BrokerFacts | None]
    seconds: Callable[[], float]
    open_dice: Callable[[DiceSection], DiceSource]
    sleep: Callable[[float], None]


def this_system() -> System:
    """Return access to the machine that this process runs on."""
    return System(
        Tree(),
        os.uname().release,
        64 if sys.maxsize > 2**32 else 32,
        gpio_chips,
        machines.run,
        device_files.usable,
        _person,
        _software,
        smbus,
        open_serial,
        shutil.which,
        milliseconds,
        _try_broker,
        time.perf_counter,
        _open_dice,
        time.sleep,
    )


def examine(config: Config, pins: PinMap, system: System) -> Facts:
    """Run every probe that the configuration requires and return what they found."""
    # Opening a gpiochip is pointless, and on a laptop an error, when the pins are mock pins.
    labels = system.labels() if needs_pins(config) else ()
    found = machines.machine(system.tree, system.kernel, system.word_bits, labels)
    return Facts(
        found,
        machines.header_functions(system.tree),
        system.software(),
        system.person(system.tree),
        _gpio(config, found, system),
        {port: _bus(port, system) for port in sorted(_ports(config, pins))},
        _hub(config, system),
        machines.storage(config.journal.file, system.seconds),
        machines.throttled(system.run),
        tuple(one.program for one in OUTPUTS if one.program and system.which(one.program)),
        system.try_broker(config.club),
        _bluetooth(config.dice, system),
        tuple(
            one.file
            for one in OUTPUTS
            if one.file and device_files.node(system.tree, one.file, system.usable).usable
        ),
        FailedStarts.parse(system.tree.text(str(failed_starts.PATH))),
        _parts(system.tree, running_parts.PATH),
        _parts(system.tree, running_parts.CLUB_PATH),
    )


def diagnose(facts: Facts, config: Config, pins: PinMap) -> Iterator[Finding]:
    """Yield every finding, area by area."""
    yield from machine.machine(facts, config)
    yield from machine.conflicts(facts, config, pins)
    yield from _wiring(config, pins)
    yield from machine.power(facts)
    yield user(facts)
    yield from software.software(facts, config)
    yield from software.starts(facts)
    yield from software.parts(facts)
    yield from devices.buses(facts, config, pins)
    yield from devices.outputs(facts, config)
    if config.dice.source in {"hub", "both"}:
        yield from devices.hub(facts)
    if facts.bluetooth is not None:
        yield from bluetooth(facts.bluetooth, config)
    yield from storage(facts)
    yield from club(facts)


def _wiring(config: Config, pins: PinMap) -> Iterator[Finding]:
    """Yield the wiring keys that have no effect; `urpi check-wiring` lists them in more detail.

    An impossible wiring raises an error before the examination starts.
    """
    for fault in faults(config, pins):
        cure = f"{fault.cure[0].upper()}{fault.cure[1:]}: {fault.allowed}."
        yield poor("wiring", f"{fault.key}: {fault.found}", cure)


def _gpio(config: Config, found: Machine, system: System) -> Node | None:
    if not needs_pins(config):
        return None
    header = header_chip(found)
    number = config.gpio.chip
    if number is None and header is not None:
        number = header[0].number
    if number is None:
        return None
    return device_files.node(system.tree, f"/dev/gpiochip{number}", system.usable)


def _parts(tree: Tree, path: PurePath) -> RunningParts:
    found = RunningParts.parse(tree.text(str(path)))
    # The file of a process that was killed stays until the next start.
    return found if found.pid and tree.exists(f"/proc/{found.pid}") else NO_PARTS


def _ports(config: Config, pins: PinMap) -> set[int]:
    ports = {port for port, _ in places_on_i2c(config).values()}
    if config.gpio.wiring == "expander" and pins.expander is not None:
        ports.add(pins.expander.port)
    if config.squares.sensor == "hall":
        ports.add(config.squares.i2c_port)
    return ports


def _bus(port: int, system: System) -> Bus:
    node = device_files.node(system.tree, f"/dev/i2c-{port}", system.usable)
    return device_files.bus(system.tree, node, port, system.open_bus)


def _bluetooth(settings: DiceSection, system: System) -> BluetoothFacts | None:
    if settings.source not in {"bluetooth", "both"}:
        return None
    return radios.bluetooth(
        system.tree, settings, lambda: system.open_dice(settings), system.clock, system.sleep
    )


def _open_dice(settings: DiceSection) -> DiceSource:
    adapter = settings.adapter
    return BluetoothDice(
        paired_dice(settings),
        DieFaces(),
        milliseconds,
        lambda: open_radio(adapter),
        advertised=advertised_dice(settings),
    )


def _hub(config: Config, system: System) -> HubFacts:
    port = config.hub.port
    if config.dice.source not in {"hub", "both"}:
        return HubFacts(Node(port))
    # A socket URL has no file, so only opening it shows whether it exists.
    node = (
        Node(port, exists=True, usable=True)
        if _URL in port
        else device_files.node(system.tree, port, system.usable)
    )
    return hubs.hub(
        system.tree, node, lambda: system.open_port(port, config.hub.baud), system.clock
    )


def _try_broker(section: ClubSection) -> BrokerFacts | None:
    if section.broker is None:
        return None
    # Imported here: without a broker no library of MQTT is needed.
    from urpi.install.doctor.probes.broker import broker  # noqa: PLC0415

    return broker(section)


def _person(tree: Tree) -> Person:
    user = os.geteuid()
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = str(user)
    # os.getgroups() need not include the effective group (POSIX getgroups).
    return device_files.person(tree, name, user, {os.getegid(), *os.getgroups()})


def _software() -> Software:
    version = ".".join(map(str, sys.version_info[:3]))
    try:
        requirements = requires("urpi") or []
    except PackageNotFoundError:
        requirements = []
    return programs.software(sys.path, version, (sys.prefix, sys.base_prefix), requirements)
