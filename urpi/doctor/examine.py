"""The examination: every probe that the configuration makes sense of, and every finding."""

import os
import pwd
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from typing import Any, Final

from urpi.config import Config
from urpi.devices.expander import smbus
from urpi.devices.gpio import gpio_chips
from urpi.devices.pins import PinMap
from urpi.devices.serial_port import Port, open_serial
from urpi.doctor.facts import Bus, Facts, Hub, Machine, Node, Person, Software
from urpi.doctor.finding import Finding
from urpi.doctor.findings import devices, machine, software
from urpi.doctor.findings.access import user
from urpi.doctor.findings.machine import header_chip, needs_pins
from urpi.doctor.findings.storage import speech, storage
from urpi.doctor.findings.wiring import wiring
from urpi.doctor.probes import access, buses
from urpi.doctor.probes import hub as hubs
from urpi.doctor.probes import machine as machines
from urpi.doctor.probes import software as programs
from urpi.doctor.probes import storage as disks
from urpi.doctor.tree import Tree

_URL: Final = "://"


@dataclass(frozen=True)
class Openers:
    """How this machine is asked; every one can be another's.

    `labels` are number and name of the gpiochips that may be asked. `clock` is in milliseconds,
    `seconds` for what is quicker.
    """

    tree: Tree
    kernel: str
    word_bits: int
    labels: Callable[[], Iterable[tuple[int, str]]]
    run: machines.Run
    usable: access.Usable
    person: Callable[[Tree], Person]
    software: Callable[[], Software]
    open_bus: Callable[[int], Any]
    open_port: Callable[[str], Port]
    which: Callable[[str], str | None]
    clock: Callable[[], int]
    seconds: Callable[[], float]


def this_machine() -> Openers:
    """The machine that this runs on."""
    return Openers(
        Tree(),
        os.uname().release,
        64 if sys.maxsize > 2**32 else 32,
        gpio_chips,
        machines.run,
        access.usable,
        _person,
        _software,
        smbus,
        open_serial,
        shutil.which,
        lambda: time.monotonic_ns() // 1_000_000,
        time.perf_counter,
    )


def examine(config: Config, pins: PinMap, ask: Openers) -> Facts:
    """What the probes find out that the configuration asks for."""
    labels = ask.labels() if needs_pins(config) else ()
    found = machines.machine(ask.tree, ask.kernel, ask.word_bits, labels)
    return Facts(
        found,
        machines.switched(ask.tree),
        ask.software(),
        ask.person(ask.tree),
        _gpio(config, found, ask),
        {port: _bus(port, ask) for port in sorted(_ports(config, pins))},
        _hub(config.hub.port, ask),
        disks.storage(config.journal.file, ask.seconds),
        machines.throttled(ask.run),
        ask.which("espeak-ng") is not None,
    )


def findings(facts: Facts, config: Config, pins: PinMap) -> Iterator[Finding]:
    """What it all means, area by area."""
    yield from machine.machine(facts, config)
    yield from machine.conflicts(facts, config, pins)
    yield from wiring(config, pins)
    yield from machine.power(facts)
    yield user(facts)
    yield from software.software(facts, config)
    yield from devices.buses(facts, config, pins)
    yield from devices.hub(facts)
    yield from storage(facts)
    yield from speech(facts, config)


def _gpio(config: Config, found: Machine, ask: Openers) -> Node | None:
    if not needs_pins(config):
        return None
    header = header_chip(found)
    number = config.gpio.chip
    if number is None and header is not None:
        number = header[0].number
    return None if number is None else access.node(ask.tree, f"/dev/gpiochip{number}", ask.usable)


def _ports(config: Config, pins: PinMap) -> set[int]:
    ports = set() if config.oled.driver == "none" else {config.oled.i2c_port}
    if config.gpio.wiring == "expander" and pins.expander is not None:
        ports.add(pins.expander.port)
    return ports


def _bus(port: int, ask: Openers) -> Bus:
    node = access.node(ask.tree, f"/dev/i2c-{port}", ask.usable)
    return buses.bus(ask.tree, node, port, ask.open_bus)


def _hub(port: str, ask: Openers) -> Hub:
    # A socket is no file: whether it is there shows when it is opened.
    node = (
        Node(port, exists=True, usable=True)
        if _URL in port
        else access.node(ask.tree, port, ask.usable)
    )
    return hubs.hub(ask.tree, node, lambda: ask.open_port(port), ask.clock)


def _person(tree: Tree) -> Person:
    user = os.geteuid()
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = str(user)
    return access.person(tree, name, user, {os.getegid(), *os.getgroups()})


def _software() -> Software:
    version = ".".join(map(str, sys.version_info[:3]))
    try:
        asked = requires("urpi") or []
    except PackageNotFoundError:
        asked = []
    return programs.software(sys.path, version, (sys.prefix, sys.base_prefix), asked)
