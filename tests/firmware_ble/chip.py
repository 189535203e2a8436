"""An nRF52840 that runs the linked image: unicorn's Cortex-M4, and peripherals as in the product
specification.

Where that is silent, the model does what is least convenient. What the specification forbids, or
leaves without a meaning, is a violation, which the tests do not accept. Time is in nanoseconds.
"""

import heapq
import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

unicorn = pytest.importorskip("unicorn", reason="runs the image of an nRF52840: needs unicorn")
arm_const = pytest.importorskip("unicorn.arm_const")

FLASH_AT, FLASH_END = 0x27000, 0xAA000
COUNTERS_AT, COUNTERS_BYTES = 0xAA000, 0x2000
SETTINGS_AT, SLEEP_AT, PAGE = 0xAC000, 0xAC100, 0x1000
RAM_AT, RAM_END = 0x20008000, 0x20040000
SYSTEM_AT = 0xE000E000
ICER0, ICPR0, ICPR1, VTOR, SCR = 0xE000E180, 0xE000E280, 0xE000E284, 0xE000ED08, 0xE000ED10
SEVONPEND = 0x10
WFE, DSB = b"\x20\xbf", b"\xbf\xf3\x4f\x8f"
CYCLE_NS = 15.625
CYCLES_PER_INSTRUCTION = 2
ACCESS_NS = 125
RESTLESS = 1000
"""Sleeps in a row that end at once."""


@dataclass(frozen=True)
class Register:
    peripheral: str
    name: str
    access: str
    reset: int
    bits: int


def registers() -> dict[int, Register]:
    """Return the vendor's registers by their address."""
    table = {}
    for line in (Path(__file__).parent / "registers.tsv").read_text("ascii").splitlines():
        if not line.startswith("#"):
            peripheral, name, at, access, reset, bits = line.split("\t")
            table[int(at, 16)] = Register(peripheral, name, access, int(reset, 16), int(bits, 16))
    for port, at in (("P0", 0x50000700), ("P1", 0x50000A00)):
        for pin in range(1, 32):
            table[at + 4 * pin] = Register(port, f"PIN_CNF{pin}", "read-write", 2, table[at].bits)
    return table


class Chip:
    """The processor, its memories, and what the peripherals share. Peripherals add themselves."""

    def __init__(self, image: bytes, settings: bytes = b"", seed: int = 0):
        self.now = 0.0
        self.violations: list[str] = []
        self.asleep = False
        self.asleep_ns = 0.0
        self.wakes = 0
        self.table = registers()
        self.value = {at: it.reset for at, it in self.table.items()}
        self.enabled: dict[str, int] = {}
        self.on_write: dict[tuple[str, str], Callable[[int], None]] = {}
        self.on_read: dict[tuple[str, str], Callable[[], int]] = {}
        self.at = {(it.peripheral, it.name): at for at, it in self.table.items()}
        self.number = {it.peripheral: at >> 12 & 0x3F for at, it in self.table.items()}
        self.events: dict[str, list[int]] = {}
        for (peripheral, name), at in self.at.items():
            if name.startswith("EVENTS_"):
                self.events.setdefault(peripheral, []).append(at)
        # The pages that it writes: two of counters, and in that of its settings whether it slept.
        self.pages = bytearray(b"\xff" * COUNTERS_BYTES + settings.ljust(PAGE, b"\xff"))
        self.page_written: Callable[[int, int], None] = lambda _at, _value: None
        self.off = False
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._pending: set[int] = set()
        self._remembered = False
        self._restless = 0
        self._scr = 0
        self._until = 0.0
        chance = random.Random(seed)
        self.cpu = cpu = unicorn.Uc(
            unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
        )
        cpu.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M4)
        code = unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC
        cpu.mem_map(FLASH_AT, FLASH_END - FLASH_AT, code)
        cpu.mem_write(FLASH_AT, image.ljust(FLASH_END - FLASH_AT, b"\xff"))
        cpu.mem_map(RAM_AT, RAM_END - RAM_AT, unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE)
        cpu.mem_write(RAM_AT, chance.randbytes(RAM_END - RAM_AT))
        for base, size in ((0x10000000, PAGE), (0x40000000, 0x20000), (0x50000000, PAGE)):
            cpu.mmio_map(base, size, self._read, base, self._write, base)
        cpu.mmio_map(SYSTEM_AT, PAGE, self._read_system, None, self._write_system, None)
        pages = COUNTERS_AT, COUNTERS_BYTES + PAGE
        cpu.mmio_map(*pages, self._read_flash, None, self._write_flash, None)
        cpu.hook_add(unicorn.UC_HOOK_BLOCK, self._block)
        self.wfe = FLASH_AT + image.index(DSB + WFE) + len(DSB)
        assert image.count(DSB + WFE) == 1, "the image must sleep at one place"
        stack, start = struct.unpack("<2I", image[:8])
        cpu.reg_write(arm_const.UC_ARM_REG_SP, stack)
        self._pc = start & ~1

    @property
    def counters(self) -> bytes:
        """The two pages that a die writes at each start."""
        return bytes(self.pages[:COUNTERS_BYTES])

    @property
    def settings(self) -> bytes:
        """The page of its settings."""
        return bytes(self.pages[COUNTERS_BYTES:])

    # --- for peripherals ---

    def violation(self, text: str) -> None:
        if text not in self.violations:
            self.violations.append(text)

    def after(self, ns: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._due, (self.now + ns, next(self._order), action))

    def get(self, peripheral: str, name: str) -> int:
        return self.value[self.at[peripheral, name]]

    def put(self, peripheral: str, name: str, value: int) -> None:
        self.value[self.at[peripheral, name]] = value

    def event(self, peripheral: str, name: str) -> None:
        """Set an event, which may interrupt."""
        self.put(peripheral, f"EVENTS_{name}", 1)
        self._interrupt(peripheral)

    def ram(self, at: int, size: int, what: str) -> bytes:
        """Return what EasyDMA reads."""
        if not (at >= RAM_AT and at + size <= RAM_END):
            self.violation(f"{what}: EasyDMA reads at {at:#x}, which is not RAM")
            return bytes(size)
        return bytes(self.cpu.mem_read(at, size))

    def store(self, at: int, data: bytes, what: str) -> None:
        if not (at >= RAM_AT and at + len(data) <= RAM_END):
            self.violation(f"{what}: EasyDMA writes at {at:#x}, which is not RAM")
            return
        self.cpu.mem_write(at, data)

    # --- registers ---

    def _read(self, _uc, offset: int, size: int, base: int) -> int:
        at = base + offset
        self._spend(ACCESS_NS)
        it = self.table.get(at)
        if it is None or size != 4:
            self.violation(f"{at:#x} is read, {size} bytes")
            return 0
        if it.access == "write-only":
            self.violation(f"{it.peripheral}.{it.name} is read")
        read = self.on_read.get((it.peripheral, it.name))
        if it.name == "INTENSET":
            return self.enabled.get(it.peripheral, 0)
        return (read() if read else self.value[at]) & 0xFFFFFFFF

    def _write(self, _uc, offset: int, size: int, value: int, base: int) -> None:
        at = base + offset
        self._spend(ACCESS_NS)
        it = self.table.get(at)
        if it is None or size != 4 or it.access == "read-only":
            self.violation(f"{it.name if it else hex(at)} is written, {size} bytes")
            return
        if value & ~it.bits & 0xFFFFFFFF:
            self.violation(f"{it.peripheral}.{it.name}: {value:#x} has bits without a meaning")
        if it.name == "INTENSET":
            self.enabled[it.peripheral] = self.enabled.get(it.peripheral, 0) | value
            self._interrupt(it.peripheral)
            return
        if it.name.startswith("EVENTS_") and value:
            self.violation(f"{it.peripheral}.{it.name} is set by the program")
        before = self.value[at]
        self.value[at] = value
        action = self.on_write.get((it.peripheral, it.name))
        if action:
            action(value)
        elif it.name.startswith("TASKS_"):
            self.violation(f"{it.peripheral}.{it.name} does nothing in the model")
        if it.name.startswith("EVENTS_") and before:
            self._interrupt(it.peripheral)

    def _line(self, peripheral: str) -> bool:
        """Return whether it asks for an interrupt: bit n is the event at 0x100 + 4 n."""
        enabled = self.enabled.get(peripheral, 0)
        return any(
            self.value[at] and enabled >> ((at & 0xFFF) - 0x100) // 4 & 1
            for at in self.events[peripheral]
        )

    def _interrupt(self, peripheral: str) -> None:
        number = self.number[peripheral]
        if number not in self._pending and self._line(peripheral):
            self._pending.add(number)
            self._remembered |= bool(self._scr & SEVONPEND)

    def _read_system(self, _uc, offset: int, _size: int, _data) -> int:
        self.violation(f"{SYSTEM_AT + offset:#x} of the processor is read")
        return 0

    def _write_system(self, _uc, offset: int, _size: int, value: int, _data) -> None:
        at = SYSTEM_AT + offset
        if at == SCR:
            self._scr = value
        elif at in (ICPR0, ICPR1):
            first = 0 if at == ICPR0 else 32
            self._pending -= {
                number for number in range(first, first + 32) if value >> number % 32 & 1
            }
            for peripheral in self.enabled:
                self._interrupt(peripheral)
        elif at == VTOR and value != FLASH_AT:
            self.violation(f"the vectors are said to be at {value:#x}")
        elif at not in (VTOR, ICER0):
            self.violation(f"{at:#x} of the processor is written")

    # --- the pages that the program writes ---

    def _read_flash(self, _uc, offset: int, size: int, _data) -> int:
        return int.from_bytes(self.pages[offset : offset + size], "little")

    def _write_flash(self, _uc, offset: int, size: int, value: int, _data) -> None:
        if size != 4 or offset % 4:
            self.violation("flash is written, but not a whole word")
        self.page_written(offset, value)

    # --- time ---

    def _spend(self, ns: float) -> None:
        self.now += ns
        while self._due and self._due[0][0] <= self.now:
            heapq.heappop(self._due)[2]()

    def _block(self, _uc, _at: int, size: int, _data) -> None:
        self.now += size / 2 * CYCLES_PER_INSTRUCTION * CYCLE_NS
        if self.now >= self._until + 30e9:
            self.violation("the program does not sleep any more")
            self.cpu.emu_stop()

    def turn_off(self) -> None:
        """Nothing happens any more: whatever ends System OFF is a reset."""
        self.off = True
        self._due.clear()
        self.cpu.emu_stop()

    def halt(self, ns: float) -> None:
        """The processor stands still while it writes flash."""
        self._spend(ns)

    def run(self, ms: float) -> None:
        """Advance by so many milliseconds."""
        self._until = until = self.now + ms * 1e6
        while self.now < until:
            if self.off:
                self.now = until
            elif not self.asleep:
                self.cpu.emu_start(self._pc | 1, self.wfe)
                if self.off:
                    continue
                if self.cpu.reg_read(arm_const.UC_ARM_REG_PC) & ~1 != self.wfe:
                    return
                self._pc = self.wfe + len(WFE)
                self.asleep = not self._remembered
                self._remembered = False
                self._spend(0)
                self._restless = 0 if self.asleep else self._restless + 1
                if self._restless == RESTLESS:
                    self.violation("an event that stays set ends every sleep")
                    return
            elif self._due and self._due[0][0] <= until:
                self._sleep_to(self._due[0][0])
            else:
                self._sleep_to(until)

    def _sleep_to(self, ns: float) -> None:
        self.asleep_ns += max(0.0, ns - self.now)
        self.now = max(self.now, ns)
        self._spend(0)
        if self._remembered:
            self._remembered = self.asleep = False
            self.wakes += 1
