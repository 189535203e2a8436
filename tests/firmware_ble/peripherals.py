"""The peripherals of the nRF52840 that the die uses, from its product specification 1.11."""

import random
from collections.abc import Callable

from .chip import COUNTERS_AT, COUNTERS_BYTES, PAGE, SLEEP_AT, Chip

US, MS = 1e3, 1e6
LF_HZ = 32768
ACCEL_INT1, ACCEL_POWER, DIVIDER = 11, 8, 14
SCL, SDA = 27, 7
FLASH_CS, FLASH_SCK, FLASH_IO0 = 25, 21, 20
DEEP_POWER_DOWN = 0xB9


class Clock:
    """CLOCK."""

    CRYSTAL_NS = 1500 * US
    """Longer than the specification's 0.36 ms, which is a typical one."""

    def __init__(self, chip: Chip):
        self.chip = chip
        self.runs = self.wanted = self.slow_runs = False
        self.started_ns = 0.0
        self.crystal_ns = 0.0
        chip.on_write["CLOCK", "TASKS_HFCLKSTART"] = self.start
        chip.on_write["CLOCK", "TASKS_HFCLKSTOP"] = self.stop
        chip.on_write["CLOCK", "TASKS_LFCLKSTART"] = self.start_slow
        chip.on_write["CLOCK", "LFCLKSRC"] = self.choose
        self.generation = 0

    def start(self, _value: int) -> None:
        self.generation += 1
        self.wanted = True
        self.started_ns = self.chip.now
        mine = self.generation

        def ready() -> None:
            if mine == self.generation:
                self.runs = True
                self.chip.event("CLOCK", "HFCLKSTARTED")

        self.chip.after(self.CRYSTAL_NS, ready)

    def stop(self, _value: int) -> None:
        self.generation += 1
        self.crystal_ns += self.chip.now - self.started_ns
        self.runs = self.wanted = False

    def choose(self, _value: int) -> None:
        if self.slow_runs:
            self.chip.violation("CLOCK.LFCLKSRC is written while the clock runs")

    def start_slow(self, _value: int) -> None:
        self.slow_runs = True
        if self.chip.get("CLOCK", "LFCLKSRC") != 1:
            self.chip.violation("the slow clock is not the crystal")


class Rtc:
    """RTC1. It may have counted before the program started."""

    def __init__(self, chip: Chip, clock: Clock, chance: random.Random):
        self.chip, self.clock = chip, clock
        self.counted = chance.randrange(1 << 24)
        self.since: float | None = None
        self.generation = 0
        for task in ("START", "STOP", "CLEAR"):
            chip.on_write["RTC1", f"TASKS_{task}"] = getattr(self, task.lower())
        chip.on_read["RTC1", "COUNTER"] = self.counter
        chip.on_write["RTC1", "CC0"] = self.compare
        chip.on_write["RTC1", "PRESCALER"] = self.prescale

    def ticks(self) -> int:
        return self.counted + (
            0 if self.since is None else int((self.chip.now - self.since) * LF_HZ / 1e9)
        )

    def counter(self) -> int:
        return self.ticks() & 0xFFFFFF

    def start(self, _value: int) -> None:
        if not self.clock.slow_runs:
            self.chip.violation("RTC1 is started without its clock")
        self.since = self.chip.now

    def stop(self, _value: int) -> None:
        self.counted, self.since = self.ticks(), None

    def clear(self, _value: int) -> None:
        self.counted = 0
        self.since = None if self.since is None else self.chip.now

    def prescale(self, value: int) -> None:
        if self.since is not None or value:
            self.chip.violation("RTC1.PRESCALER is written while it runs, or is not 0")

    def compare(self, value: int) -> None:
        """A value of this tick or the next is not compared until the counter comes round."""
        self.generation += 1
        mine = self.generation
        ahead = (value - self.ticks()) & 0xFFFFFF
        if ahead < 2:
            ahead += 1 << 24
        if self.since is None:
            return
        due = self.since + (self.ticks() - self.counted + ahead) * 1e9 / LF_HZ

        def hit() -> None:
            if mine == self.generation:
                self.chip.event("RTC1", "COMPARE0")

        self.chip.after(due - self.chip.now, hit)


class Watchdog:
    def __init__(self, chip: Chip):
        self.chip = chip
        self.generation = 0
        chip.on_write["WDT", "TASKS_START"] = self.start
        chip.on_write["WDT", "RR0"] = self.feed

    def start(self, _value: int) -> None:
        self.chip.put("WDT", "RUNSTATUS", 1)
        if not self.chip.get("WDT", "CONFIG") & 1:
            self.chip.violation("the watchdog stands still during sleep")
        self.feed(0x6E524635)

    def feed(self, value: int) -> None:
        if value != 0x6E524635 or not self.chip.get("WDT", "RUNSTATUS"):
            self.chip.violation("the watchdog is fed with another value, or does not run")
        self.generation += 1
        mine = self.generation

        def bark() -> None:
            if mine == self.generation:
                self.chip.violation("the watchdog resets the chip")

        self.chip.after((self.chip.get("WDT", "CRV") + 1) * 1e9 / LF_HZ, bark)


class Nvmc:
    """The pages that the program writes. A word may be written twice before it is erased again."""

    WRITE_NS, ERASE_NS = 41 * US, 85 * MS

    def __init__(self, chip: Chip):
        self.chip = chip
        self.writes: dict[int, int] = {}
        self.erased = 0
        chip.page_written = self.write
        chip.on_write["NVMC", "ERASEPAGE"] = self.erase

    def write(self, at: int, value: int) -> None:
        if self.chip.get("NVMC", "CONFIG") != 1:
            self.chip.violation("flash is written without NVMC.CONFIG")
            return
        if COUNTERS_BYTES <= at < SLEEP_AT - COUNTERS_AT:
            self.chip.violation("the settings are written")
        self.writes[at] = self.writes.get(at, 0) + 1
        if self.writes[at] > 2:
            self.chip.violation("a word of flash is written a third time")
        old = int.from_bytes(self.chip.pages[at : at + 4], "little")
        self.chip.pages[at : at + 4] = (old & value).to_bytes(4, "little")
        self.chip.halt(self.WRITE_NS)

    def erase(self, at: int) -> None:
        if self.chip.get("NVMC", "CONFIG") != 2 or at % PAGE:
            self.chip.violation("flash is erased without NVMC.CONFIG, or not a page")
        first = at - COUNTERS_AT
        if not 0 <= first < COUNTERS_BYTES:
            self.chip.violation(f"the page at {at:#x} is erased")
            return
        self.erased += 1
        self.chip.pages[first : first + PAGE] = b"\xff" * PAGE
        self.writes = {word: n for word, n in self.writes.items() if word // PAGE != first // PAGE}
        self.chip.halt(self.ERASE_NS)


class Pins:
    """P0, P1 and GPIOTE's PORT event, with what is connected to them on the board."""

    def __init__(self, chip: Chip):
        self.chip = chip
        self.out = {"P0": 0, "P1": 0}
        self.high = False
        self.power: Callable[[bool], None] = lambda _on: None
        self.flash_asleep = False
        self._shifted, self._bits = 0, 0
        for port in ("P0", "P1"):
            for name, on in (("OUTSET", True), ("OUTCLR", False)):
                chip.on_write[port, name] = lambda bits, port=port, on=on: self.drive(
                    port, bits, on
                )
        chip.on_read["P0", "IN"] = lambda: (
            (self.high and not self.config("P0", 11) & 2) << ACCEL_INT1
        )

    def config(self, port: str, pin: int) -> int:
        return self.chip.get(port, f"PIN_CNF{pin}")

    def level(self, port: str, pin: int) -> int | None:
        """Return what the chip drives, or nothing."""
        return self.out[port] >> pin & 1 if self.config(port, pin) & 1 else None

    def drive(self, port: str, bits: int, on: bool) -> None:
        before = self.level("P0", FLASH_SCK)
        self.out[port] = self.out[port] | bits if on else self.out[port] & ~bits
        if port == "P1":
            strong = self.config("P1", ACCEL_POWER) >> 8 & 7 in (1, 3)
            high = self.level("P1", ACCEL_POWER) == 1
            if high and not strong:
                self.chip.violation("the sensor's supply is a pin that drives weakly")
            self.power(high)
        else:
            self._follow_flash(before)

    def _follow_flash(self, clock_before: int | None) -> None:
        if self.level("P0", FLASH_CS) != 0:
            if (self._bits, self._shifted) == (8, DEEP_POWER_DOWN):
                self.flash_asleep = True
            self._bits = self._shifted = 0
        elif not clock_before and self.level("P0", FLASH_SCK):
            self._shifted = self._shifted << 1 | (self.level("P0", FLASH_IO0) or 0)
            self._bits += 1

    def accel_int1(self, high: bool) -> None:
        sensed = self.config("P0", ACCEL_INT1) >> 16 == 2
        rises = high and not self.high
        self.high = high
        if rises and sensed:
            self.chip.event("GPIOTE", "PORT")


class Twim:
    """TWIM0, with the only chip on the bus."""

    BYTE_NS = 9 * 1e9 / 390e3
    START_NS, STOP_NS = 2.4 * US, 10 * US
    """From a START, also a repeated one, to the first bit (tTWIM,HD_STA,400kbps), and to STOPPED:
    the stop condition comes after 1.25 us (tTWIM,SU_STO,400kbps), and the event at an unknown time.
    Both from Nordic's specifications of the nRF5340 and nRF54LM20A, for the same peripheral."""

    def __init__(self, chip: Chip, sensor):
        self.chip, self.sensor = chip, sensor
        self.stuck = False
        self.busy = False
        chip.on_write["TWIM0", "TASKS_STARTTX"] = self.start
        chip.on_write["TWIM0", "TASKS_STOP"] = self.stop
        chip.on_write["TWIM0", "ERRORSRC"] = lambda _value: chip.put("TWIM0", "ERRORSRC", 0)

    def start(self, _value: int) -> None:
        get = self.chip.get
        if get("TWIM0", "ENABLE") != 6 or self.busy:
            self.chip.violation("TWIM0 is started while it is off or busy")
        if get("TWIM0", "FREQUENCY") not in (0x01980000, 0x04000000, 0x06200000):
            self.chip.violation("TWIM0.FREQUENCY: the low time is too short (anomaly 219)")
        for name, pin in (("SCL", SCL), ("SDA", SDA)):
            if get("TWIM0", f"PSEL_{name}") != pin or get("P0", f"PIN_CNF{pin}") & 0x703 != 0x600:
                self.chip.violation(f"{name} is not an open-drain input of P0.{pin}")
        if self.stuck:
            return
        self.busy = True
        sent = self.chip.ram(get("TWIM0", "TXD_PTR"), get("TWIM0", "TXD_MAXCNT"), "TWIM0.TXD")
        address = get("TWIM0", "ADDRESS")
        ns = self.START_NS + self.BYTE_NS * (1 + len(sent))
        self.chip.after(ns, lambda: self.sent(address, sent))

    def sent(self, address: int, sent: bytes) -> None:
        if not self.sensor.is_there(address):
            self.chip.put("TWIM0", "TXD_AMOUNT", 0)
            self.chip.put("TWIM0", "ERRORSRC", 2)
            self.chip.event("TWIM0", "ERROR")
            return
        self.sensor.write(sent)
        self.chip.put("TWIM0", "TXD_AMOUNT", len(sent))
        shorts = self.chip.get("TWIM0", "SHORTS")
        if shorts & 1 << 7:
            size = self.chip.get("TWIM0", "RXD_MAXCNT")
            ns = self.START_NS + self.BYTE_NS * (1 + size)
            self.chip.after(ns, lambda: self.received(size))
        elif shorts & 1 << 9:
            self.stop(1)

    def received(self, size: int) -> None:
        self.chip.store(self.chip.get("TWIM0", "RXD_PTR"), self.sensor.read(size), "TWIM0.RXD")
        self.chip.put("TWIM0", "RXD_AMOUNT", size)
        if self.chip.get("TWIM0", "SHORTS") & 1 << 12:
            self.stop(1)

    def stop(self, _value: int) -> None:
        def stopped() -> None:
            self.busy = False
            self.chip.event("TWIM0", "STOPPED")

        if not self.stuck:
            self.chip.after(self.STOP_NS, stopped)


class Saadc:
    """SAADC, with the cell behind the board's divider."""

    ACQUISITION = ((3, 10), (5, 40), (10, 100), (15, 200), (20, 400), (40, 800))
    """Microseconds, and the source in kOhm for which they suffice, by the register's values: table
    "Acquisition time" of Nordic's specifications, the same for the nRF5340 and the nRF54L15."""
    UPPER_KOHM, LOWER_KOHM = 1000, 510
    CONVERSION_NS, START_NS, STOP_NS = 2 * US, 10 * US, 5 * US
    """Estimated: no public page that was found states them, and the firmware awaits the events."""

    def __init__(self, chip: Chip, pins: Pins):
        self.chip, self.pins = chip, pins
        self.cell_mv = 3900
        self.running = self.ready = False
        self.on_ns = self._since = 0.0
        for task in ("START", "SAMPLE", "STOP"):
            chip.on_write["SAADC", f"TASKS_{task}"] = getattr(self, task.lower())
        chip.on_write["SAADC", "ENABLE"] = self.enable

    def enable(self, value: int) -> None:
        if value:
            self._since = self.chip.now
        else:
            self.on_ns += self.chip.now - self._since
            if self.running:
                self.chip.violation("SAADC is switched off before it has stopped")

    def start(self, _value: int) -> None:
        if not self.chip.get("SAADC", "ENABLE"):
            self.chip.violation("SAADC is started while it is off")
        self.running = True

        def ready() -> None:
            self.ready = True
            self.chip.event("SAADC", "STARTED")

        self.chip.after(self.START_NS, ready)

    def sample(self, _value: int) -> None:
        if not self.ready:
            self.chip.violation("SAADC samples before it has started")
        config = self.chip.get("SAADC", "CH0_CONFIG")
        gain = (1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 1, 2, 4)[config >> 8 & 7]
        acquire_us, enough_kohm = self.ACQUISITION[config >> 16 & 7]
        whole_kohm = self.UPPER_KOHM + self.LOWER_KOHM
        if enough_kohm < self.UPPER_KOHM * self.LOWER_KOHM / whole_kohm:
            self.chip.violation("SAADC: the acquisition is too short for the divider")
        if self.chip.get("SAADC", "CH0_PSELP") != 8 or self.pins.level("P0", DIVIDER) != 0:
            self.chip.violation("SAADC does not measure the cell")
        bits = (8, 10, 12, 14)[self.chip.get("SAADC", "RESOLUTION")]
        pin_v = self.cell_mv / 1000 * self.LOWER_KOHM / whole_kohm
        code = min((1 << bits) - 1, int(pin_v * gain / 0.6 * (1 << bits)))

        def done() -> None:
            if self.chip.get("SAADC", "RESULT_MAXCNT"):
                result = code.to_bytes(2, "little")
                self.chip.store(self.chip.get("SAADC", "RESULT_PTR"), result, "SAADC.RESULT")
            self.chip.event("SAADC", "END")

        self.chip.after(acquire_us * US + self.CONVERSION_NS, done)

    def stop(self, _value: int) -> None:
        self.running = self.ready = False
        self.chip.after(self.STOP_NS, lambda: self.chip.event("SAADC", "STOPPED"))


class Power:
    """POWER: what ends System OFF, and what must not be so when it begins.

    The manual is silent on whether USB that is connected then, or a reason of the last reset that
    is left, ends it at once, and on whether the crystal stops.
    """

    BUTTON, PROGRAM = 1, 4
    """Reasons of a reset that the boot loader leaves."""

    def __init__(self, chip: Chip, clock: Clock, pins: Pins, busy: Callable[[], bool]):
        self.chip, self.clock, self.pins, self.busy = chip, clock, pins, busy
        self.usb = False
        self.supplied: Callable[[], bool] = lambda: True
        self.reasons = self.BUTTON | self.PROGRAM
        chip.on_read["POWER", "USBREGSTATUS"] = lambda: int(self.usb)
        chip.on_read["POWER", "RESETREAS"] = lambda: self.reasons
        chip.on_write["POWER", "RESETREAS"] = self.forget
        chip.on_write["POWER", "SYSTEMOFF"] = self.off

    def forget(self, reasons: int) -> None:
        self.reasons &= ~reasons

    def off(self, value: int) -> None:
        reasons = {
            "it is not asked for": value != 1,
            "USB is connected": self.usb,
            "a reason of the last reset is left": self.reasons,
            "the crystal runs": self.clock.wanted,
            "EasyDMA is at work": self.busy(),
            "flash can be written": self.chip.get("NVMC", "CONFIG"),
            "a pin that nothing drives can wake it": not self.supplied()
            and self.pins.config("P0", ACCEL_INT1) >> 16,
            "pins supply a sensor that is off": not self.supplied()
            and any(self.pins.config("P0", pin) & 0xC for pin in (SCL, SDA)),
        }
        for reason, is_so in reasons.items():
            if is_so:
                self.chip.violation(f"System OFF, but {reason}")
        self.chip.turn_off()
