"""The board's contacts on two MCP23017: a thread that looks at them when they tell, and besides.

Emits the same facts as `urpi.devices.switches`. Owns the thread, the buses and the interrupt
wires; what a look finds is `urpi.devices.watched_chip`'s.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Event, Thread
from typing import Any, Final

from gpiozero import DigitalInputDevice

from urpi.devices.contact_facts import DEFAULT_TIMING, ContactFacts
from urpi.devices.expander_map import ExpanderMap
from urpi.devices.gpio import contact_input, reclaim_later
from urpi.devices.mcp23017 import I2cBus
from urpi.devices.presses import PressTiming
from urpi.devices.watched_chip import OnFault, WatchedChip
from urpi.errors import UrpiError
from urpi.referee.facts import Fact, Occupancy
from urpi.rules import SQUARE_NAMES, squares_of

POLL_MS: Final = 5
"""The chips are looked at so often where no interrupt is wired."""
SAFETY_MS: Final = 100
"""And so often where one is: a lost interrupt costs no more."""
REST_MS: Final = 2
"""Between two looks, whatever tells: time for a bouncing contact."""
BURST: Final = 50
STORM_REST_MS: Final = 20
"""And so long after so many looks in a row with no pause but that: a contact or a wire that never
rests is broken, and must leave the bus to others."""


def smbus(port: int) -> I2cBus:
    """The bus ``/dev/i2c-<port>``.

    Raises:
        UrpiError: when smbus2 is missing.
        OSError: when there is no such bus, or it may not be opened.
    """
    try:
        from smbus2 import SMBus  # noqa: PLC0415 - needed by boards with expanders alone
    except ImportError as error:
        message = f"The library smbus2 is missing ({error}); install urpi[expander]."
        raise UrpiError(message) from error
    bus: I2cBus = SMBus(port)
    return bus


def _ignore(_fault: UrpiError | None) -> None:
    pass


class ExpanderSwitches:
    """Facts from the contacts, from the moment it is made until `close`.

    `emit` is called in a thread of our own: it must be quick, thread-safe, and not call back.
    `clock` gives whole milliseconds, never decreasing. `open_bus` opens the bus, and may be
    called again. `factory` is gpiozero's, for the interrupt wires; None where there are none,
    and then the chips are looked at every `poll_ms`. A chip that does not answer is no error:
    `on_fault` is told in our thread, and None when all are back.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        pins: ExpanderMap,
        open_bus: Callable[[], I2cBus],
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        *,
        factory: Any | None = None,
        timing: PressTiming = DEFAULT_TIMING,
        poll_ms: int = POLL_MS,
        on_fault: OnFault = _ignore,
    ) -> None:
        """Open the interrupt wires, and look once.

        Raises:
            PinsUnavailableError: when an interrupt's pin cannot be opened.
            UrpiError: when smbus2 is missing.
        """
        self._clock, self._on_fault = clock, on_fault
        self._facts = ContactFacts(clock, emit, timing)
        self._wait_ms = (poll_ms if factory is None else SAFETY_MS) - REST_MS
        self._chips = [
            WatchedChip(open_bus, address, pins.of_chip(chip), self._facts.changed, self._fault)
            for chip, address in enumerate(pins.addresses)
        ]
        self._wake = Event()
        self._interrupted_at: int | None = None
        self._closing = False
        self._poll()
        self._wires = self._open_wires(pins, factory)
        self._thread = Thread(target=self._run, name="urpi-expander", daemon=True)
        self._facts.start()
        self._thread.start()
        self._claiming = [reclaim_later(wire, self._wake.set) for wire in self._wires[-1:]]

    @property
    def lost(self) -> bool:
        """Whether a chip does not answer."""
        return any(chip.lost for chip in self._chips)

    def read(self) -> Occupancy | None:
        """Every square's contact as the last look found it; buttons are looked at too.

        A look is at most a tenth of a second old; a lost chip's contacts are as they were. None
        while a chip has not been there yet.
        """
        if not all(chip.seen for chip in self._chips):
            return None
        t = self._clock()
        levels = self.levels()
        for name, on in levels.items():
            self._facts.is_now(name, on)
        return Occupancy(t, squares_of(n for n, name in enumerate(SQUARE_NAMES) if levels[name]))

    def levels(self) -> dict[str, bool]:
        """Every contact by its name: whether it was closed when last looked at."""
        return {name: on for chip in self._chips for name, on in chip.levels.items()}

    def close(self) -> None:
        """Give pins and bus back; nothing is emitted afterwards."""
        for timer in self._claiming:
            timer.cancel()
            timer.join()
        self._closing = True
        self._facts.close()
        self._wake.set()
        self._thread.join()
        for wire in self._wires:
            wire.close()
        for chip in self._chips:
            chip.close()

    def _open_wires(self, pins: ExpanderMap, factory: Any | None) -> list[DigitalInputDevice]:
        try:
            return [] if factory is None else list(_wires(pins, factory, self._on_interrupt))
        except UrpiError:
            for chip in self._chips:
                chip.close()
            raise

    def _fault(self, fault: UrpiError | None) -> None:
        if fault is not None or not self.lost:
            self._on_fault(fault)

    def _on_interrupt(self) -> None:
        self._interrupted_at = self._clock()
        self._wake.set()

    def _run(self) -> None:
        rest, in_a_row = Event(), 0
        while not self._closing:
            in_a_row = in_a_row + 1 if self._wake.is_set() else 0
            self._wake.wait(self._wait_ms / 1000)
            self._wake.clear()
            if not self._closing:
                self._poll()
            rest.wait((REST_MS if in_a_row < BURST else STORM_REST_MS) / 1000)
            if self._still_active():
                self._wake.set()

    def _poll(self) -> None:
        changed_at, self._interrupted_at = self._interrupted_at, None
        now = self._clock()
        for chip in self._chips:
            chip.poll(now, changed_at)

    def _still_active(self) -> bool:
        """Whether a wire is low: told again too soon after the look to make an edge."""
        try:
            return any(wire.is_active for wire in self._wires)
        # A pin library's own errors share no base; the chips are looked at soon anyway.
        except Exception:
            return False


def _wires(
    pins: ExpanderMap, factory: Any, told: Callable[[], None]
) -> Iterator[DigitalInputDevice]:
    """The interrupt wires, each GPIO once: open drain, so that chips may share one."""
    with ExitStack() as opened:
        for gpio in dict.fromkeys(pins.interrupts):
            wire = contact_input("The interrupt wire", gpio, factory)
            opened.callback(wire.close)
            wire.when_activated = told
            yield wire
        opened.pop_all()
