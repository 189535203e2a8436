"""A chip that is looked at again and again: its contacts' edges, and whether it is there.

Told the time, it knows no thread; who looks how often is `urpi.devices.expander`'s.
"""

from collections.abc import Callable, Mapping
from errno import EIO
from typing import Final

from urpi.devices.mcp23017 import I2cBus, Mcp23017, Reading
from urpi.errors import UrpiError

OnEdge = Callable[[str, bool, int], None]
"""Told of an edge: the contact's name, whether it closed, and when."""
OnFault = Callable[[UrpiError | None], None]
"""Told that the chip is lost, and None when it is back."""

RETRY_MS: Final = 1000
"""A lost chip is looked for so often."""
MAX_FAILURES: Final = 3
"""So many transfers in a row must fail: a single one may, on a long cable."""


class WatchedChip:
    """The chip at `address`, opened and opened again by `open_bus`, and its contacts by bit.

    A chip that loses its power, or its plug, is set up anew when it is back. Until then its
    contacts stay as they were; what changed meanwhile is no edge, it is in `levels` alone.
    """

    def __init__(
        self,
        open_bus: Callable[[], I2cBus],
        address: int,
        contacts: Mapping[int, str],
        on_edge: OnEdge,
        on_fault: OnFault,
    ) -> None:
        self._open_bus, self._address, self._contacts = open_bus, address, contacts
        self._on_edge, self._on_fault = on_edge, on_fault
        self._chip: Mcp23017 | None = None
        self._levels = 0
        self.seen = False
        """Whether it has ever been looked at: before, nobody knows its levels."""
        self._failures = 0
        self._retry_at: int | None = None
        self._last_edge_at = 0

    @property
    def lost(self) -> bool:
        """Whether it does not answer."""
        return self._failures >= MAX_FAILURES

    @property
    def levels(self) -> dict[str, bool]:
        """Every contact by its name: whether it was closed when last seen."""
        return {name: bool(self._levels >> bit & 1) for bit, name in self._contacts.items()}

    def poll(self, now: int, changed_at: int | None = None) -> None:
        """OnEdge what changed; `changed_at` is when the interrupt came, where one did.

        A lost chip is looked for when it is time to.
        """
        if self._retry_at is not None and now < self._retry_at:
            return
        try:
            self._read(now, now if changed_at is None else changed_at)
        except OSError as error:
            self._fail(error, now)
        else:
            self._succeed()

    def close(self) -> None:
        """Give the bus back."""
        if self._chip is not None:
            self._chip.close()
            self._chip = None

    def _read(self, now: int, changed_at: int) -> None:
        if self._chip is None:
            self._chip = Mcp23017(self._open_bus(), self._address)
            self._chip.set_up()
            self._set_levels(self._chip.read())
        reading = self._chip.read()
        if reading is None:
            self._chip.set_up()
            self._set_levels(self._chip.read())
        else:
            # Both in this order: a contact that closed and opened again has two edges.
            self._report_edges(reading.first, min(changed_at, now))
            self._report_edges(reading.levels, now)

    def _set_levels(self, reading: Reading | None) -> None:
        if reading is None:
            raise OSError(EIO, "it does not keep what is written to it")
        self._levels, self.seen = reading.levels, True

    def _report_edges(self, levels: int, t: int) -> None:
        changed, self._levels = self._levels ^ levels, levels
        self._last_edge_at = max(self._last_edge_at, t)
        for bit, name in self._contacts.items():
            if changed >> bit & 1:
                self._on_edge(name, bool(levels >> bit & 1), self._last_edge_at)

    def _succeed(self) -> None:
        was_lost, self._failures, self._retry_at = self.lost, 0, None
        if was_lost:
            self._on_fault(None)

    def _fail(self, error: OSError, now: int) -> None:
        was_lost = self.lost
        self._failures += 1
        self.close()
        if self.lost:
            self._retry_at = now + RETRY_MS
        if self.lost and not was_lost:
            self._on_fault(self._no_answer(error))

    def _no_answer(self, error: OSError) -> UrpiError:
        return UrpiError(
            f"The MCP23017 at 0x{self._address:02X} does not answer: {error}; check its power, SDA,"
            " SCL and address pins, and that I2C is switched on (raspi-config)."
        )
