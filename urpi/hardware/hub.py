"""The dice hub on its serial port: a thread that reads, replies and reconnects.

This module has only the port and the thread; `urpi.hardware.hub_link` interprets the lines.
`DiceHub` implements `urpi.hardware.dice_source.DiceSource`.
"""

from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Event
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.supervision import Quarantine, SupervisedThread
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import DieStatuses, HubHealth, HubLink, HubSettings, Outcome
from urpi.hardware.protocol import Line, LineReader, line_bytes
from urpi.hardware.serial_port import PORT_ERRORS, Port, port_failure
from urpi.referee.facts import Fact
from urpi.show.menu.status import DieStatus

DEFAULT_SETTINGS: Final = HubSettings()


class DiceHub:
    """A dice hub at a serial port, which emits facts from `start` until `close`.

    All callbacks are called in a thread of this object.

    Args:
        open_port: Opens the port; called again whenever it fails or closes.
        faces: What the dice's faces show.
        clock: Returns the time in whole milliseconds, never decreasing.
        on_line: Called with every line received, repeats included, before its facts are
            emitted.
        settings: The limits for throws, silence and batteries.
        retry_s: The first and the longest pause before the port is opened again, in seconds.
            The pause doubles with each failure.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        open_port: Callable[[], Port],
        faces: DieFaces,
        clock: Callable[[], int],
        *,
        on_line: Callable[[Line], None] = lambda _update: None,
        settings: HubSettings = DEFAULT_SETTINGS,
        retry_s: tuple[float, float] = (0.25, 4.0),
    ) -> None:
        self._open_port, self._clock, self._retry_s = open_port, clock, retry_s
        self._on_line = on_line
        self._on_fact: Callable[[Fact], None] = lambda _update: None
        self._on_health: Callable[[HubHealth], None] = lambda _update: None
        self._link = HubLink(faces, settings)
        self._statuses = DieStatuses(faces)
        self._reader = LineReader()
        self._outbox: deque[Line] = deque()
        self._broken = Quarantine("line of the hub")
        self._reported = self._health = self._link.health
        self._closing = Event()
        self._thread = SupervisedThread(self._run, "hub", affects_players=True)

    def start(
        self,
        on_fact: Callable[[Fact], None],
        on_health: Callable[[HubHealth], None] = lambda _update: None,
    ) -> None:
        """Start the thread that connects and reconnects.

        Args:
            on_fact: Called with each fact. The report is acknowledged after the call has
                returned, so that the hub repeats it if the program ends before.
            on_health: Called when the health changes, except for its counts and repeats.
        """
        self._on_fact, self._on_health = on_fact, on_health
        self._thread.start()

    @property
    def health(self) -> HubHealth:
        """The hub's current health. Thread-safe."""
        return self._health

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return the status of every die that has reported, by number. Thread-safe."""
        return self._statuses.statuses(self._health)

    def send(self, line: Line) -> None:
        """Queue a line, such as a `CalLine`, to be sent within `serial_port.READ_S` seconds.

        Raises:
            UrpiError: If the hub is not connected.
        """
        if not self._health.connected:
            message = f"The dice hub is not connected ({self._health.error}); plug it in first."
            raise UrpiError(message)
        self._outbox.append(line)

    def close(self) -> None:
        """Send queued lines and close the port, within a second. No fact is emitted afterwards."""
        self._closing.set()
        self._thread.end(timeout_s=1)

    def _run(self) -> None:
        first, longest = self._retry_s
        pause = 0.0
        while not self._closing.wait(pause):
            self._thread.part.alive()
            pause = min(max(2 * pause, first), longest)
            try:
                with closing(self._open_port()) as port:
                    pause = first
                    self._serve(port)
            except PORT_ERRORS as error:
                self._lose(port_failure(error))
            except Exception as error:
                self._lose(f"an error in the program: {error}")
                raise

    def _lose(self, reason: str) -> None:
        self._reader.reset()
        if not self._closing.is_set():
            self._deliver(self._link.on_close(reason, self._clock()))

    def _serve(self, port: Port) -> None:
        # Lines queued for a connection that failed may be obsolete by now.
        self._outbox.clear()
        self._process(port, self._link.on_open(port.port or "", self._clock()))
        while not self._closing.is_set():
            self._thread.part.alive()
            for line in self._reader.feed(port.read(port.in_waiting or 1)):
                self._receive(port, line)
            self._process(port, self._link.tick(self._clock()))
            self._send_queued(port)
        self._send_queued(port)

    def _send_queued(self, port: Port) -> None:
        while self._outbox:
            port.write(line_bytes(self._outbox.popleft()))

    def _receive(self, port: Port, line: Line) -> None:
        if line in self._broken:
            return
        # The hub repeats what is not acknowledged.
        with self._broken.trying(line, PORT_ERRORS):
            if not self._closing.is_set():
                self._statuses.on_line(line)
                self._on_line(line)
            self._process(port, self._link.on_line(line, self._clock()))

    def _process(self, port: Port, outcome: Outcome) -> None:
        # Once closing, facts are not delivered, so their reports must not be acknowledged.
        if self._closing.is_set():
            return
        self._deliver(outcome)
        for reply in outcome.replies:
            port.write(line_bytes(reply))

    def _deliver(self, outcome: Outcome) -> None:
        for fact in outcome.facts:
            self._on_fact(fact)
        self._health = replace(self._link.health, counts=self._reader.counts)
        # Each repeat would be a change of its own: they are left out of the comparison.
        health = replace(self._link.health, repeats=0)
        if health != self._reported:
            self._reported = health
            self._on_health(self._health)
