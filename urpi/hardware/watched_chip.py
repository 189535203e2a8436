"""A polled MCP23017: its contacts' edges, and whether it responds.

The time is passed in, and there is no thread here: `urpi.hardware.expander` decides when to poll.
"""

from collections.abc import Callable, Mapping
from errno import EIO
from typing import Final

from urpi.core.errors import UrpiError
from urpi.hardware.mcp23017 import I2cBus, Mcp23017, Reading

OnEdge = Callable[[str, bool, int], None]
"""Called with the contact's name, whether it closed, and the time in milliseconds."""
OnFault = Callable[[UrpiError | None], None]
"""Called with the error when a device becomes unavailable, and with None when it is available
again."""

RETRY_MS: Final = 1000
"""Milliseconds between two attempts to reach a chip that does not respond."""
MAX_FAILURES: Final = 3
"""Number of failed transfers in a row after which a chip counts as lost.

A single transfer can fail on a long cable.
"""
_CURE: Final = (
    "check its power, SDA, SCL and address pins, and that I2C is switched on (raspi-config)"
)


class BusWatch:
    """Transfers with a chip that may not respond: its bus, its failures, and its next attempt.

    Args:
        open_bus: Opens the I2C bus; called again after a failure.
        name: The chip's name and address in messages.
        cure: What to check if it does not respond.
        on_fault: Called when the chip is lost, and when it responds again.
    """

    def __init__(
        self, open_bus: Callable[[], I2cBus], name: str, cure: str, on_fault: OnFault
    ) -> None:
        self._open_bus, self._name, self._cure, self._on_fault = open_bus, name, cure, on_fault
        self._bus: I2cBus | None = None
        self._failures = 0
        self._retry_at: int | None = None

    @property
    def lost(self) -> bool:
        """Whether the chip does not respond."""
        return self._failures >= MAX_FAILURES

    def attempt(self, now: int, transfer: Callable[[I2cBus, bool], object]) -> None:
        """Make transfers; skipped for a lost chip until the next retry.

        Args:
            now: The time in milliseconds.
            transfer: Called with the bus, and whether it has just been opened, so that the chip
                may have lost its settings. It raises `OSError` if the chip does not respond.
        """
        if self._retry_at is not None and now < self._retry_at:
            return
        try:
            is_new = self._bus is None
            self._bus = self._bus or self._open_bus()
            transfer(self._bus, is_new)
        except OSError as error:
            self._fail(error, now)
        else:
            self._succeed()

    def close(self) -> None:
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _succeed(self) -> None:
        was_lost, self._failures, self._retry_at = self.lost, 0, None
        if was_lost:
            self._on_fault(None)

    def _fail(self, error: OSError, now: int) -> None:
        was_lost = self.lost
        self._failures += 1
        # The next attempt begins with the set-up: a chip may have lost its settings with its power.
        self.close()
        if self.lost:
            self._retry_at = now + RETRY_MS
        if self.lost and not was_lost:
            self._on_fault(UrpiError(f"{self._name} does not respond: {error}; {self._cure}."))


class WatchedChip:
    """A chip whose contacts are polled for edges.

    A chip that loses its power or its connection is set up again once it responds. Until then
    its contacts keep their levels. Changes in the meantime are not reported as edges; only
    `levels` shows them.

    Args:
        open_bus: Opens the I2C bus; called again after a failure.
        address: The chip's 7-bit address.
        contacts: The contacts' names by bit.
        on_edge: Called with each edge.
        on_fault: Called when the chip is lost, and when it responds again.
    """

    def __init__(
        self,
        open_bus: Callable[[], I2cBus],
        address: int,
        contacts: Mapping[int, str],
        on_edge: OnEdge,
        on_fault: OnFault,
    ) -> None:
        name = f"The MCP23017 at 0x{address:02X}"
        self._watch = BusWatch(open_bus, name, _CURE, on_fault)
        self._address, self._contacts, self._on_edge = address, contacts, on_edge
        self._levels = 0
        self.seen = False
        """Whether the chip has responded once; `levels` is not valid before."""
        self._last_edge_at = 0

    @property
    def lost(self) -> bool:
        """Whether the chip does not respond."""
        return self._watch.lost

    @property
    def levels(self) -> dict[str, bool]:
        """Whether each contact was closed at the last successful poll, by its name."""
        return {name: bool(self._levels >> bit & 1) for bit, name in self._contacts.items()}

    def poll(self, now: int, changed_at: int | None = None) -> None:
        """Read the chip and report the edges; skipped for a lost chip until the next retry.

        Args:
            now: The time in milliseconds.
            changed_at: The time of the interrupt, None without one.
        """
        at = now if changed_at is None else changed_at
        self._watch.attempt(now, lambda bus, is_new: self._read(bus, now, at, is_new=is_new))

    def close(self) -> None:
        self._watch.close()

    def _read(self, bus: I2cBus, now: int, changed_at: int, *, is_new: bool) -> None:
        chip = Mcp23017(bus, self._address)
        if is_new:
            chip.set_up()
            self._set_levels(chip.read())
        reading = chip.read()
        if reading is None:
            # The chip has lost its settings, as after a short loss of power, but responds already
            # again.
            chip.set_up()
            self._set_levels(chip.read())
        else:
            # A contact that closed and opened again between two polls has two edges.
            # `first` is what the chip captured at the interrupt, `levels` is what it reads now.
            self._report_edges(reading.first, min(changed_at, now))
            self._report_edges(reading.levels, now)

    def _set_levels(self, reading: Reading | None) -> None:
        if reading is None:
            raise OSError(EIO, "it does not keep the values written to its registers")
        self._levels, self.seen = reading.levels, True

    def _report_edges(self, levels: int, t: int) -> None:
        changed, self._levels = self._levels ^ levels, levels
        # Facts must not go back in time; the interrupt's time can precede that of the last poll.
        self._last_edge_at = max(self._last_edge_at, t)
        for bit, name in self._contacts.items():
            if changed >> bit & 1:
                self._on_edge(name, bool(levels >> bit & 1), self._last_edge_at)
