"""A whole die: the chip with the linked image, its sensor and cell, and a receiver."""

import random
import subprocess
import sys
from pathlib import Path

from .accelerometer import Accelerometer
from .air import Advertisement, Report, received
from .chip import SETTINGS_AT, SLEEP_AT, Chip
from .peripherals import Clock, Nvmc, Pins, Power, Rtc, Saadc, Twim, Watchdog
from .radio import Radio

FIRMWARE = Path(__file__).parents[2] / "firmware"
SET = 7
KEY = "000102030405060708090a0b0c0d0e0f"
ADDRESS = 0x123456789ABC
"""What the chip was given at the factory."""


def uf2_content(file: bytes) -> tuple[int, bytes]:
    """Return where a UF2 file is written, and what; its blocks are consecutive."""
    blocks = [file[at : at + 512] for at in range(0, len(file), 512)]
    first = int.from_bytes(blocks[0][12:16], "little")
    return first, b"".join(block[32:288] for block in blocks)


def settings(number: int = 2, kind: int = 4, key: str = KEY, set_number: int = SET) -> bytes:
    """Return the settings page that the tool writes into a file."""
    role = ("settings", str(number), "--kind", str(kind), "--set", str(set_number), "--key", key)
    made = subprocess.run(
        [sys.executable, FIRMWARE / "ble" / "uf2.py", *role], capture_output=True, check=True
    )
    at, page = uf2_content(made.stdout)
    assert at == SETTINGS_AT
    return page


def told_to_sleep(page: bytes) -> bytes:
    """Return the page after sleep.uf2 was copied, which the boot loader merges with what it has."""
    command = [sys.executable, FIRMWARE / "ble" / "uf2.py", "sleep"]
    file = subprocess.run(command, capture_output=True, check=True).stdout
    at, content = uf2_content(file)
    assert (at, len(file)) == (SLEEP_AT, 512)
    return page.ljust(SLEEP_AT - SETTINGS_AT, b"\xff") + content


class Die:
    """`counters` are the pages that it wrote in a former life."""

    def __init__(self, image: bytes, page: bytes, seed: int = 0, counters: bytes = b""):
        chance = random.Random(seed)
        self.chip = chip = Chip(image, page, seed)
        if counters:
            chip.pages[: len(counters)] = counters
        self.clock = Clock(chip)
        self.rtc = Rtc(chip, self.clock, chance)
        self.watchdog = Watchdog(chip)
        self.nvmc = Nvmc(chip)
        self.pins = Pins(chip)
        self.sensor = Accelerometer(chip, self.pins.accel_int1, chance)
        self.pins.power = self.sensor.power
        self.twim = Twim(chip, self.sensor)
        self.saadc = Saadc(chip, self.pins)
        self.radio = Radio(chip, self.clock)
        self.power = Power(
            chip,
            self.clock,
            self.pins,
            lambda: self.twim.busy or self.saadc.running or self.radio.busy,
        )
        self.power.supplied = lambda: self.sensor.powered
        chip.put("FICR", "DEVICEADDR0", ADDRESS & 0xFFFFFFFF)
        chip.put("FICR", "DEVICEADDR1", ADDRESS >> 32 | 0xFFFF0000)
        self._read = 0

    def run(self, ms: float) -> None:
        self.chip.run(ms)
        assert not self.chip.violations, self.chip.violations

    def advertisements(self, mhz: int | None = None) -> list[tuple[float, int, Advertisement]]:
        """Return when in ms, on which frequency and what was sent since the last call."""
        new = self.radio.sent[self._read :]
        self._read = len(self.radio.sent)
        return [
            (it.ns / 1e6, it.mhz, Advertisement.of(received(it)))
            for it in new
            if mhz in {None, it.mhz}
        ]

    def reports(self) -> list[Report]:
        """Return the different reports since the last call, in their order."""
        found = {}
        for _, _, it in self.advertisements():
            report = Report.of(it.frame, SET)
            found.setdefault((report.number, report.state), report)
        return list(found.values())
