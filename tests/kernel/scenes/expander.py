"""Contacts on two MCP23017: real transfers on ``/dev/i2c-1``, real interrupts on the header."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Final

from tests.hardware.expander_bus import ChipModel
from tests.kernel.apart import apart
from tests.kernel.cuse import serve
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.i2c import I2C_MAJOR, Adapter
from tests.kernel.latency import percentile, summary
from urpi.core.errors import UrpiError
from urpi.hardware import default_pins, pin_factory
from urpi.hardware.expander import ExpanderSwitches, smbus
from urpi.hardware.expander_map import ExpanderMap
from urpi.referee.facts import Edge, Fact
from urpi.rules import SQUARE_NAMES

WITHIN_S: Final = 60.0
REST_S: Final = 0.03
SAFETY_MS: Final = 5_000
"""The interval at which the chips are polled besides, long enough for a busy machine: a fact that
arrives much earlier came by an interrupt."""
APART_S: Final = 300.0


class Registers:
    """A chip's registers on the bus: the first byte written selects the register."""

    def __init__(self, chip: ChipModel) -> None:
        self._chip, self._at = chip, 0

    def write(self, data: bytes) -> None:
        """Set registers."""
        for place, value in enumerate(data[1:]):
            self._chip.write(data[0] + place, value)
        self._at = data[0] if data else self._at

    def read(self, count: int) -> bytes:
        """Return the registers from the selected one."""
        return bytes(self._chip.read(self._at + place) for place in range(count))


@dataclass
class Board:
    """The facts of the switches, with the time at which each was received."""

    facts: list[tuple[int, Fact]] = field(default_factory=list)
    faults: list[UrpiError | None] = field(default_factory=list)

    def on_fact(self, fact: Fact) -> None:
        """Record a fact."""
        self.facts.append((time.monotonic_ns(), fact))


@dataclass(frozen=True)
class Found:
    """The facts received, their delays, and whether a lost chip and its return were reported."""

    received: tuple[str, ...]
    after_ms: tuple[float, ...]
    reported: bool


def wait(reached: Callable[[], bool]) -> bool:
    """Return whether a condition comes to hold in time."""
    deadline = time.monotonic() + WITHIN_S
    while not reached():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


def _chips(header: Chip, pins: ExpanderMap) -> list[ChipModel]:
    def wire(gpio: int) -> Callable[[bool], None]:
        return lambda low: header.pull(gpio, closed=low)

    models = [ChipModel(wire(gpio)) for gpio in pins.interrupts]
    chips = dict(zip(pins.addresses, map(Registers, models), strict=True))
    cuse = os.open("/dev/cuse", os.O_RDWR)
    number = (I2C_MAJOR, pins.port)
    adapter = Adapter(chips, time.sleep)
    Thread(target=serve, args=(cuse, f"i2c-{pins.port}", number, adapter), daemon=True).start()
    assert wait(Path(f"/dev/i2c-{pins.port}").exists)
    return models


def watch(header: Chip) -> Found:
    """Close each contact, and disconnect and reconnect a chip."""
    pins = default_pins().expander
    assert pins is not None
    models, board = _chips(header, pins), Board()
    switches = ExpanderSwitches(
        pins,
        partial(smbus, pins.port),
        lambda: time.monotonic_ns() // 1_000_000,
        board.on_fact,
        factory=pin_factory("lgpio"),
        safety_ms=SAFETY_MS,
        on_fault=board.faults.append,
    )
    # The single interrupt wires are claimed again after a while; no public state shows when.
    time.sleep(0.3)
    received, after_ms = [], []
    for name in SQUARE_NAMES:
        chip, bit = pins.inputs[name]
        # A hand is slower than the kernel's tick, within which one interrupt masks another.
        time.sleep(REST_S)
        board.facts.clear()
        began = time.monotonic_ns()
        models[chip].contact(bit, True)
        if wait(lambda: bool(board.facts)):
            came, fact = board.facts[0]
            received.append(SQUARE_NAMES[fact.square] if isinstance(fact, Edge) else str(fact))
            after_ms.append((came - began) / 1e6)
    models[0].unplug()
    missed = wait(lambda: bool(board.faults))
    models[0].plug()
    back = missed and wait(lambda: board.faults[-1] is None)
    switches.close()
    return Found(tuple(received), tuple(after_ms), back)


def act(findings: Findings) -> None:
    """Test the expanders."""
    with Chip(*PI_4) as header:
        found = apart(partial(watch, header), APART_S)
    findings.check(
        "all squares are reported under their names with two MCP23017",
        found.received == SQUARE_NAMES,
        found.received,
    )
    findings.figure("from the contact to the fact", summary(found.after_ms))
    sooner = bool(found.after_ms) and percentile(found.after_ms, 0.5) < SAFETY_MS / 4
    findings.check("their interrupts are used", sooner, [round(each) for each in found.after_ms])
    findings.check("the loss of a chip and its end are reported", found.reported)


if __name__ == "__main__":
    play("expander", act)
