"""The LSM6DS3TR-C, from its data sheet (DocID030071) and AN5130, and not from the driver.

Unfavourable where these are silent: after a change of its mode the first samples are wrong, the
wake-up filter compares with one of them, the rate is off by up to 4 %, and the mode must not change
while it measures.
"""

import random
from collections import deque
from collections.abc import Callable, Sequence

from .chip import Chip

ADDRESS, WHO = 0x6A, 0x6A
FIFO_CTRL1, FIFO_CTRL3, FIFO_CTRL5 = 0x06, 0x08, 0x0A
INT1_CTRL, WHO_AM_I, CTRL1_XL, CTRL3_C, CTRL6_C = 0x0D, 0x0F, 0x10, 0x12, 0x15
WAKE_UP_SRC, OUTX, FIFO_STATUS, FIFO_OUT = 0x1B, 0x28, 0x3A, 0x3E
TAP_CFG, WAKE_UP_THS, WAKE_UP_DUR, MD1_CFG = 0x58, 0x5B, 0x5C, 0x5E
# The bits that have a meaning, from the vendor's lsm6ds3tr_c_reg.h.
BITS = {
    FIFO_CTRL1: 0xFF, 0x07: 0xCF, FIFO_CTRL3: 0x3F, 0x09: 0xFF, FIFO_CTRL5: 0x7F,
    INT1_CTRL: 0xFF, CTRL1_XL: 0xFF, CTRL3_C: 0xFF, CTRL6_C: 0xFB, TAP_CFG: 0xFF,
    WAKE_UP_THS: 0xBF, WAKE_UP_DUR: 0xFF, MD1_CFG: 0xFF,
}  # fmt: skip
RESET = {CTRL3_C: 0x04, WHO_AM_I: WHO}
RATES = {1: 12.5, 2: 26, 3: 52, 4: 104, 5: 208, 6: 416}
FULL_G = {0: 2, 1: 16, 2: 4, 3: 8}
FIFO_WORDS = 2048
BOOT_NS = 15e6
WRONG_SAMPLES = 2
"""Linux discards as many from 104 Hz on, and one below (st_lsm6dsx_core.c, samples_to_discard)."""
NOISE_UG_PER_ROOT_HZ = 90
LOW_POWER_NOISE_G = 0.002

Source = Callable[[float, float], Sequence[float]]
"""The mean acceleration in g from a time to another, each axis limited to so many g."""


class Accelerometer:
    def __init__(self, chip: Chip, int1: Callable[[bool], None], chance: random.Random):
        self.chip, self.int1, self.chance = chip, int1, chance
        self.rate_off = chance.uniform(0.96, 1.04)
        self.offset_g = [chance.uniform(-0.04, 0.04) for _ in range(3)]
        self.source: Source = lambda _until_ns, _limit_g: (0.577, 0.577, 0.577)
        self.broken = self.silent = False
        self.powered = False
        self.on_ns = {"low": 0.0, "high": 0.0}
        self.generation = 0
        self.samples = 0
        self.power(False)

    def power(self, on: bool) -> None:
        if on == self.powered:
            return
        self.powered = on
        self.ready_ns = self.chip.now + BOOT_NS
        self.value = dict.fromkeys(range(0x80), 0) | RESET
        self.fifo: deque[int] = deque()
        self.lost = self.latched = False
        self.place = 0
        self.previous = [self.chance.uniform(-4, 4) for _ in range(3)]
        self.generation += 1
        self.int1(False)

    def is_there(self, address: int) -> bool:
        booted = self.powered and self.chip.now >= self.ready_ns
        if self.powered and not booted:
            self.chip.violation("the sensor is addressed before it has booted")
        return booted and not self.broken and address == ADDRESS

    # --- registers ---

    def write(self, data: bytes) -> None:
        self.place = data[0]
        for byte in data[1:]:
            self._write(self.place, byte)
            self.place += 1 if self.value[CTRL3_C] & 4 else 0

    def _write(self, at: int, value: int) -> None:
        if at not in BITS or value & ~BITS[at]:
            self.chip.violation(f"the sensor's register {at:#x} is written with {value:#x}")
            return
        before, self.value[at] = self.value[at], value
        if at == CTRL6_C and before != value and self.value[CTRL1_XL] >> 4:
            self.chip.violation("the sensor's power mode changes while it measures")
        if at == CTRL1_XL:
            self._restart()
        if at == FIFO_CTRL5 and not value & 7:
            self.fifo.clear()
            self.lost = False
        if at in (TAP_CFG, MD1_CFG) and not self.value[TAP_CFG] & 0x80:
            self.latched = False if at == TAP_CFG and not value & 1 else self.latched
        self._drive()

    def read(self, size: int) -> bytes:
        data = bytearray()
        for _ in range(size):
            data.append(self._read(self.place))
            if self.place == FIFO_OUT + 1:
                self.place = FIFO_OUT
            elif self.value[CTRL3_C] & 4:
                self.place += 1
        return bytes(data)

    def _read(self, at: int) -> int:
        if at == FIFO_STATUS:
            return len(self.fifo) & 0xFF
        if at == FIFO_STATUS + 1:
            full = len(self.fifo) >= self._watermark()
            return len(self.fifo) >> 8 & 7 | (not self.fifo) << 4 | self.lost << 6 | full << 7
        if at == FIFO_STATUS + 2:
            return -len(self.fifo) % 3
        if at == FIFO_STATUS + 3:
            return 0
        if at == FIFO_OUT:
            if not self.fifo:
                self.chip.violation("an empty FIFO is read")
            return self.fifo[0] & 0xFF if self.fifo else 0
        if at == FIFO_OUT + 1:
            word = self.fifo.popleft() if self.fifo else 0
            self._drive()
            return word >> 8
        if at == WAKE_UP_SRC:
            value = self.latched << 3
            self.latched = False
            self._drive()
            return value
        if at not in BITS and at not in RESET and not OUTX <= at < OUTX + 6:
            self.chip.violation(f"the sensor's register {at:#x} is read")
        return self.value[at]

    # --- samples ---

    def _watermark(self) -> int:
        return self.value[FIFO_CTRL1] | (self.value[FIFO_CTRL1 + 1] & 7) << 8

    def _drive(self) -> None:
        woken = self.latched and self.value[MD1_CFG] & 0x20 and self.value[TAP_CFG] & 0x80
        watermark = self.value[INT1_CTRL] & 0x08 and len(self.fifo) >= self._watermark() > 0
        self.int1(bool(self.powered and (woken or watermark)))

    def _restart(self) -> None:
        self.generation += 1
        self.samples = 0
        code = self.value[CTRL1_XL] >> 4
        if code not in RATES:
            if code:
                self.chip.violation(f"the sensor has no rate {code}")
            return
        mine = self.generation
        period_ns = 1e9 / RATES[code] / self.rate_off

        def tick() -> None:
            if mine == self.generation and self.powered:
                self.on_ns["low" if self.value[CTRL6_C] & 0x10 else "high"] += period_ns
                if not self.silent:
                    self._measure(RATES[code])
                self.chip.after(period_ns, tick)

        self.chip.after(period_ns, tick)

    def _measure(self, rate: float) -> None:
        full = FULL_G[self.value[CTRL1_XL] >> 2 & 3]
        low = self.value[CTRL6_C] & 0x10
        noise = LOW_POWER_NOISE_G if low else NOISE_UG_PER_ROOT_HZ * 1e-6 * (rate / 2) ** 0.5
        felt = self.source(self.chip.now, 2 * full)
        g = [
            a + off + self.chance.gauss(0, noise)
            for a, off in zip(felt, self.offset_g, strict=True)
        ]
        self.samples += 1
        if self.samples <= WRONG_SAMPLES:
            g = [self.chance.uniform(-full, full) for _ in range(3)]
        words = [max(-32768, min(32767, round(a / (full * 0.0305 / 1000)))) for a in g]
        for axis, word in enumerate(words):
            self.value[OUTX + 2 * axis] = word & 0xFF
            self.value[OUTX + 2 * axis + 1] = word >> 8 & 0xFF
        self._store(words)
        self._compare(g, full)
        self._drive()

    def _store(self, words: list[int]) -> None:
        if self.value[FIFO_CTRL5] & 7 != 6 or self.value[FIFO_CTRL3] & 7 != 1:
            return
        if self.value[FIFO_CTRL5] >> 3 & 15 != self.value[CTRL1_XL] >> 4:
            self.chip.violation("the FIFO has another rate than the sensor")
        self.fifo.extend(word & 0xFFFF for word in words)
        while len(self.fifo) > FIFO_WORDS:
            self.lost = True
            self.fifo.popleft()

    def _compare(self, g: list[float], full: int) -> None:
        """Half the difference of two samples (AN5130, 5.4)."""
        threshold = (self.value[WAKE_UP_THS] & 0x3F) * full / 64
        if self.value[TAP_CFG] & 0x80:
            over = any(abs(a - b) / 2 > threshold for a, b in zip(g, self.previous, strict=True))
            self.latched = over or (self.latched and bool(self.value[TAP_CFG] & 1))
        self.previous = g
