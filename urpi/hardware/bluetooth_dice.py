"""Dice with Bluetooth: a thread with an event loop that connects, receives and reconnects.

This module has only the connections and the thread; `urpi.hardware.bluetooth_link` and
`urpi.hardware.advertised_dice` interpret the reports of dice that are connected and of those that
advertise them, and `urpi.hardware.bleak_radio` is the radio. `BluetoothDice` implements
`urpi.hardware.dice_source.DiceSource`. Only the paired dice are connected.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, Protocol

from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread, beat, raise_if_cancelled
from urpi.hardware import godice, pixels
from urpi.hardware.advertised_dice import AdvertisedDice, AdvertisedDie
from urpi.hardware.bluetooth_link import BluetoothHealth, BluetoothLink, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import Report
from urpi.hardware.hub_link import HubSettings
from urpi.hardware.protocol import DieLine
from urpi.hardware.throw_evidence import Strictness
from urpi.referee.facts import Fact
from urpi.show.menu.status import DieStatus

# Scanning shares the radio with the open connections, so it is not continuous.
SCAN_S: Final = 3.0
"""Longest scan in seconds. It ends as soon as a die is found."""
PAUSE_S: Final = 1.0
"""Default pause in seconds between two scans in which no die was found."""
BATTERY_S: Final = 300.0
"""Interval in seconds at which a GoDice is requested to report its battery."""
CLOSE_S: Final = 1.0
"""Longest time in seconds to wait for the end of the connections.

BlueZ ends a requested one after two seconds (src/device.c), also if the program has ended."""
DISCONNECTED: Final = "the die ended the connection; bring it closer, and shake it"


class RadioError(UrpiError):
    """Bluetooth is unavailable, or a connection failed; the message contains the remedy."""


class Connection(Protocol):
    """A connection with a die."""

    async def notify(self, on_data: Callable[[bytes], None]) -> None:
        """Call `on_data` with each message from now on.

        Raises:
            RadioError: If the connection is lost.
        """

    async def write(self, data: bytes) -> None:
        """Send a message.

        Raises:
            RadioError: If the connection is lost.
        """

    async def close(self) -> None:
        """Disconnect. Errors are ignored."""


class Radio(Protocol):
    """A Bluetooth adapter. Its methods are called in one event loop."""

    async def find(self, addresses: frozenset[str], within_s: float) -> dict[str, Any]:
        """Return the devices with these addresses, as soon as one is found.

        Args:
            addresses: Bluetooth addresses in upper case.
            within_s: Longest time in seconds.

        Raises:
            RadioError: If there is no usable adapter.
        """

    async def listen(self, on_advertisement: Callable[[str, bytes], None], within_s: float) -> None:
        """Report the address and data of each advertisement with urpi's company number.

        Args:
            on_advertisement: Called with the address in upper case and the manufacturer data.
            within_s: The time in seconds.

        Raises:
            RadioError: If there is no usable adapter.
        """

    async def connect(
        self, device: Any, die: PairedDie, on_disconnect: Callable[[], None]
    ) -> Connection:
        """Connect to a found device.

        Raises:
            RadioError: If it fails, or the device is not a die of that brand.
        """


class BluetoothDice:
    """The paired dice, which emit facts from `start` until `close`.

    All callbacks are called in a thread of this object.

    Args:
        dice: The paired dice that are connected.
        faces: What the faces of tetrahedral dice show.
        clock: Returns the time in whole milliseconds, never decreasing.
        open_radio: Opens the radio, in the thread of this object; raises `RadioError`.
        advertised: The paired dice that advertise their reports.
        listens: Whether to listen to dice that advertise also if none is paired.
        strictness: How strictly to judge whether those were thrown.
        numbers: The numbers of their last reports, see `AdvertisedDice`.
        on_line: Called with every new report of those dice, before its facts are emitted.
        on_message: Called with every message of a die, before its reports.
        on_report: Called with every report of a die, before its facts are emitted.
        on_failure: Called with a sentence when Bluetooth becomes unavailable, and when a connection
            with a die fails.
        retry_s: The first and the longest pause after a failure, in seconds. The pause doubles
            with each failure.
        pause_s: The pause between two scans in which no die was found, in seconds.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        dice: Iterable[PairedDie],
        faces: DieFaces,
        clock: Callable[[], int],
        open_radio: Callable[[], Radio],
        *,
        advertised: Iterable[AdvertisedDie] = (),
        listens: bool = False,
        strictness: Strictness = "home",
        numbers: MutableMapping[str, int] | None = None,
        on_line: Callable[[DieLine], None] = lambda _line: None,
        on_message: Callable[[PairedDie, bytes], None] = lambda _die, _data: None,
        on_report: Callable[[PairedDie, Report], None] = lambda _die, _report: None,
        on_failure: Callable[[str], None] = lambda _text: None,
        retry_s: tuple[float, float] = (0.5, 4.0),
        pause_s: float = PAUSE_S,
    ) -> None:
        self._link = BluetoothLink(dice, faces)
        limits = HubSettings(strictness=strictness)
        self._advertised = AdvertisedDice(
            advertised, faces, limits, {} if numbers is None else numbers
        )
        self._on_line, self._listens = on_line, listens or bool(self._advertised.dice)
        self._radio: Radio | None = None
        self._clock, self._open_radio, self._retry_s = clock, open_radio, retry_s
        self._on_message, self._on_report = on_message, on_report
        self._on_failure, self._pause_s = on_failure, pause_s
        self._on_fact: Callable[[Fact], None] = lambda _update: None
        self._on_health: Callable[[BluetoothHealth], None] = lambda _update: None
        self._health = BluetoothHealth()
        self._statuses = self._all_statuses()
        self._connections: dict[int, Connection] = {}
        # By die: the time before which it is not tried again, and the pause that led to it.
        self._retries: dict[int, tuple[float, float]] = {}
        self._closing = False
        # A task without a reference may be collected before it ends.
        self._closing_tasks: set[asyncio.Task[None]] = set()
        self._thread = SupervisedThread(self._run, "bluetooth", affects_players=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(
        self,
        on_fact: Callable[[Fact], None],
        on_health: Callable[[BluetoothHealth], None] = lambda _update: None,
    ) -> None:
        """Start the thread that connects and reconnects.

        Args:
            on_fact: Called with each fact.
            on_health: Called when the health changes.
        """
        self._on_fact, self._on_health = on_fact, on_health
        self._thread.start()

    @property
    def health(self) -> BluetoothHealth:
        """The current health. Thread-safe."""
        return self._health

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return the status of every paired die, by number. Thread-safe."""
        return self._statuses

    @property
    def waiting(self) -> tuple[str, ...]:
        """The addresses of dice in range that have no settings yet, if it listens. Thread-safe."""
        return tuple(sorted(self._advertised.waiting.copy()))

    def close(self) -> None:
        """Disconnect all dice, within two seconds. No fact is emitted afterwards."""
        self._closing = True
        loop = self._loop
        if loop is not None:
            # The loop may have ended by itself.
            with suppress(RuntimeError):
                # asyncio's events belong to the loop's thread.
                loop.call_soon_threadsafe(self._stop.set)
        self._thread.end(timeout_s=CLOSE_S + 1)

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._stop, self._lost = asyncio.Event(), asyncio.Event()
        self._loop, self._radio = asyncio.get_running_loop(), None
        # `close` may have been called before the loop existed, which it could not stop then.
        if self._closing:
            return
        tasks = [
            # First: what blocks the loop may do so at once.
            asyncio.create_task(beat(self._thread.part)),
            asyncio.create_task(self._poll_batteries()),
        ]
        if self._listens:
            tasks.append(asyncio.create_task(self._supervise(self._listen)))
        if self._link.dice or not self._advertised.dice:
            tasks.append(asyncio.create_task(self._supervise(self._connect_missing)))
        stopped = asyncio.create_task(self._stop.wait())
        await asyncio.wait([*tasks, stopped], return_when=asyncio.FIRST_COMPLETED)
        for task in (*tasks, stopped):
            task.cancel()
        # A task that failed ended the wait above; its error is raised below, after disconnecting.
        results = await asyncio.gather(*tasks, stopped, return_exceptions=True)
        closing = [connection.close() for connection in self._connections.values()]
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*closing, return_exceptions=True), CLOSE_S)
        # After a failure this is called again, and connects them again.
        for number in list(self._connections):
            del self._connections[number]
            self._on_disconnect(number)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _supervise(self, work: Callable[[Radio], Awaitable[None]]) -> None:
        """Do something with the radio again and again, for ever."""
        first, longest = self._retry_s
        pause = 0.0
        while True:
            try:
                # One radio for all: bluetoothd allows a program a single scan.
                self._radio = self._radio or self._open_radio()
                await work(self._radio)
                pause = 0.0
            except RadioError as error:
                raise_if_cancelled(error)
                # The adapter may have been unplugged, or bluetoothd restarted: open it again.
                self._radio = None
                self._emit(self._advertised.on_failure(str(error), self._clock()))
                self._update_health(str(error))
                pause = min(max(2 * pause, first), longest)
                await asyncio.sleep(pause)

    async def _listen(self, radio: Radio) -> None:
        within_s = self._advertised.begin_scan(self._clock())
        await radio.listen(self._on_advertisement, within_s)
        self._take(self._advertised.tick(self._clock()))
        self._update_health("")

    def _on_advertisement(self, address: str, data: bytes) -> None:
        self._take(self._advertised.on_advertisement(address, data, self._clock()))

    def _take(self, found: Iterable[DieLine | Fact]) -> None:
        # Most advertisements are repeats, and change nothing.
        for one in found:
            if isinstance(one, DieLine):
                if not self._closing:
                    self._on_line(one)
            else:
                self._emit([one])
            self._update_health("")

    async def _connect_missing(self, radio: Radio) -> None:
        now = asyncio.get_running_loop().time()
        missing = [die for die in self._link.dice.values() if not self._link.connected(die.number)]
        due = {
            die.address: die for die in missing if self._retries.get(die.number, (0, 0))[0] <= now
        }
        if not missing:
            self._lost.clear()
            self._update_health("")
            await self._lost.wait()
        # All missing dice failed a moment ago: wait for the first pause that ends.
        elif not due:
            await asyncio.sleep(min(self._retries[die.number][0] for die in missing) - now)
        else:
            found = await radio.find(frozenset(due), SCAN_S)
            self._update_health("")
            for address, device in found.items():
                await self._connect(radio, device, due[address])
            if not found:
                await asyncio.sleep(self._pause_s)

    async def _connect(self, radio: Radio, device: Any, die: PairedDie) -> None:
        number = die.number
        first, longest = self._retry_s
        _, pause = self._retries.get(number, (0.0, 0.0))
        pause = min(max(2 * pause, first), longest)
        connection = None
        early: list[bytes] = []

        def on_data(data: bytes) -> None:
            if self._link.connected(number):
                self._on_data(die, data)
            else:
                early.append(data)

        try:
            connection = await radio.connect(device, die, lambda: self._on_disconnect(number))
            self._connections[number] = connection
            await connection.notify(on_data)
            if self._connections.get(number) is not connection:
                raise RadioError(DISCONNECTED)
            # Not before its messages arrive: a throw of a die that is reported as connected must
            # not be missed.
            self._emit(self._link.on_connect(number, self._clock()))
            for data in early:
                self._on_data(die, data)
            for request in _REQUESTS[die.brand]:
                await connection.write(request)
        except RadioError as error:
            self._on_failure(f"Die {number}: {error}.")
            # A pause for each die: one that is out of reach must not delay the others.
            self._retries[number] = asyncio.get_running_loop().time() + pause, pause
            if connection is not None:
                await connection.close()
            self._on_disconnect(number)
            raise_if_cancelled(error)
        else:
            self._retries.pop(number, None)
        self._update_health("")

    def _on_disconnect(self, number: int) -> None:
        connection = self._connections.pop(number, None)
        if connection is not None:
            # A lost connection must be closed, too: bleak keeps its D-Bus connection until then,
            # and bluetoothd would deliver each later message of the die once more.
            task = asyncio.get_running_loop().create_task(connection.close())
            self._closing_tasks.add(task)
            task.add_done_callback(self._closing_tasks.discard)
        if self._link.connected(number):
            self._emit(self._link.on_disconnect(number, self._clock()))
            self._update_health(self._health.error)
        # Ends the wait of `_connect_missing`, which has nothing to do while all dice are connected.
        self._lost.set()

    def _on_data(self, die: PairedDie, data: bytes) -> None:
        if not self._closing:
            self._on_message(die, data)
        for report in self._link.parse(die.number, data):
            if not self._closing:
                self._on_report(die, report)
            self._emit(self._link.on_report(die.number, report, self._clock()))
        self._update_health(self._health.error)

    async def _poll_batteries(self) -> None:
        while True:
            await asyncio.sleep(BATTERY_S)
            for number, connection in list(self._connections.items()):
                if self._link.dice[number].brand == "godice":
                    # A lost connection is reported by its own callback.
                    with suppress(RadioError):
                        await connection.write(godice.REQUEST_BATTERY)

    def _emit(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if not self._closing:
                self._on_fact(fact)
        self._statuses = self._all_statuses()

    def _all_statuses(self) -> tuple[DieStatus, ...]:
        both = (*self._link.statuses(), *self._advertised.statuses())
        return tuple(sorted(both, key=lambda one: one.die))

    def _update_health(self, error: str) -> None:
        health, other = self._link.health(error), self._advertised.health()
        if self._advertised.dice:
            dice = tuple(sorted((*health.dice, *other.dice)))
            low = tuple(sorted((*health.low, *other.low)))
            health = replace(health, dice=dice, low=low, twins=other.twins)
        if error and error != self._health.error:
            self._on_failure(f"Bluetooth is not available: {error}.")
        self._statuses = self._all_statuses()
        if health != self._health:
            self._health = health
            if not self._closing:
                self._on_health(health)


_REQUESTS: Final = {
    "pixels": (pixels.WHO_ARE_YOU,),
    "godice": (godice.REQUEST_BATTERY,),
}
"""The messages at the start of a connection."""
