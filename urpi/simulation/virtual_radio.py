"""A radio in memory: simulated dice at one end, the program's `BluetoothDice` at the other.

The table's thread calls the methods of `Air`, the program's event loop those of `Radio`.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

from urpi.hardware.bleak_radio import POWERED_OFF
from urpi.hardware.bluetooth_dice import Connection, Radio, RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.bluetooth_rig import Air, Reply


class VirtualRadio(Air, Radio):
    """The air between dice and program. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._dice: dict[int, SimulatedDie] = {}
        self._in_range: set[int] = set()
        self._connections: dict[int, _VirtualConnection] = {}
        self._searches: set[_Search] = set()
        self._on = True
        self._sent = 0
        self.received = 0
        """The number of messages that the program has received."""
        self.reply: Reply = lambda _die, _message: ()
        """Returns what a die replies."""

    @property
    def paired(self) -> tuple[PairedDie, ...]:
        """The dice, as a configuration would have them."""
        return tuple(
            PairedDie(one.number, one.brand, one.address, one.faces) for one in self._dice.values()
        )

    @property
    def sent(self) -> int:
        return self._sent

    @property
    def idle(self) -> bool:
        """Whether all dice in range are connected, and all their messages received."""
        with self._lock:
            connections = self._connections
            connected = not self._on or self._in_range <= connections.keys()
            return connected and all(one.is_idle for one in connections.values())

    def place(self, dice: Mapping[int, SimulatedDie], reply: Reply) -> None:
        """Put dice in range."""
        with self._lock:
            self._dice, self._in_range = dict(dice), set(dice)
            self.reply = reply

    def send(self, die: int, message: bytes) -> None:
        """Send a message of a die; it is lost if the die is not connected."""
        connection = self._connections.get(die)
        if connection is not None:
            connection.send(message)

    def set_range(self, die: int, *, in_range: bool) -> None:
        """Move a die out of range, or back into range."""
        with self._lock:
            if in_range:
                self._in_range.add(die)
            else:
                self._in_range.discard(die)
        if in_range:
            self._wake()
        else:
            self._lose(die)

    def switch(self, *, on: bool) -> None:
        """Switch the program's adapter on or off."""
        with self._lock:
            self._on = on
            connected = () if on else tuple(self._connections)
        self._wake()
        for die in connected:
            self._lose(die)

    async def find(self, addresses: frozenset[str], within_s: float) -> dict[str, Any]:
        """Return the dice in range with these addresses, as soon as one is found."""
        search = _Search()
        with self._lock:
            self._searches.add(search)
        try:
            if not self._found(addresses):
                with suppress(TimeoutError):
                    await asyncio.wait_for(search.changed.wait(), within_s)
            return self._found(addresses)
        finally:
            with self._lock:
                self._searches.discard(search)

    async def listen(
        self, _on_advertisement: Callable[[str, bytes], None], within_s: float
    ) -> None:
        """Wait: no simulated die advertises its reports."""
        await asyncio.sleep(within_s)

    async def connect(
        self, device: Any, die: PairedDie, on_disconnect: Callable[[], None]
    ) -> Connection:
        connection = _VirtualConnection(self, die.number, on_disconnect)
        with self._lock:
            if not self._on or die.number not in self._in_range:
                message = f"{die.address} does not answer; bring the die closer, and shake it"
                raise RadioError(message)
            self._connections[device] = connection
        return connection

    def remove(self, connection: "_VirtualConnection") -> None:
        """Remove a connection that the program has closed."""
        with self._lock:
            if self._connections.get(connection.die) is connection:
                del self._connections[connection.die]

    def count_sent(self, connection: "_VirtualConnection") -> None:
        """Count a message that is sent to the program."""
        with self._lock:
            self._sent += 1
            connection.pending += 1

    def count_received(self, connection: "_VirtualConnection") -> None:
        """Count a message that the program has received."""
        with self._lock:
            self.received += 1
            connection.pending -= 1

    def _found(self, addresses: frozenset[str]) -> dict[str, Any]:
        with self._lock:
            if not self._on:
                raise RadioError(POWERED_OFF)
            return {
                one.address: number
                for number, one in self._dice.items()
                if one.address in addresses and number in self._in_range
            }

    def _lose(self, die: int) -> None:
        with self._lock:
            connection = self._connections.pop(die, None)
        if connection is not None:
            connection.lose()

    def _wake(self) -> None:
        with self._lock:
            searches = tuple(self._searches)
        for search in searches:
            search.wake()


class _Search:
    """A search of the program's, which ends when a die comes into range."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def wake(self) -> None:
        # The loop may have ended.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.changed.set)


class _VirtualConnection(Connection):
    """A connection of the program with a die. `pending` messages are not received yet."""

    def __init__(self, radio: VirtualRadio, die: int, on_disconnect: Callable[[], None]) -> None:
        self.die, self.pending = die, 0
        self._radio, self._on_disconnect = radio, on_disconnect
        self._on_data: Callable[[bytes], None] | None = None
        self._loop = asyncio.get_running_loop()

    @property
    def is_idle(self) -> bool:
        """Whether the program receives messages, and has received all."""
        return self._on_data is not None and not self.pending

    async def notify(self, on_data: Callable[[bytes], None]) -> None:
        self._on_data = on_data

    async def write(self, data: bytes) -> None:
        for message in self._radio.reply(self.die, data):
            self.send(message)

    async def close(self) -> None:
        self._radio.remove(self)

    def send(self, message: bytes) -> None:
        self._radio.count_sent(self)
        # The loop may have ended: then no program is left to receive it.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._receive, message)

    def lose(self) -> None:
        """End the connection, as when the die is out of range."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._on_disconnect)

    def _receive(self, message: bytes) -> None:
        # Without notifications, the die's message is not sent at all.
        if self._on_data is not None:
            self._on_data(message)
        self._radio.count_received(self)
