"""The dice hub on its serial port: a thread that reads, answers and opens again.

What lines mean is `urpi.devices.hub_link`'s; this module owns the port and the thread alone.
"""

from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Event, Thread
from typing import Final

from urpi.devices.die_faces import DieFaces
from urpi.devices.hub_link import HubHealth, HubLink, HubSettings, Outcome
from urpi.devices.protocol import Line, LineReader, line_bytes
from urpi.devices.serial_port import PORT_ERRORS, Port, port_failure
from urpi.errors import UrpiError
from urpi.referee.facts import Fact

DEFAULT_SETTINGS: Final = HubSettings()


def _ignore(_news: HubHealth | Line) -> None:
    pass


class DiceHub:
    """Facts from the dice, from the moment it is made until `close`.

    `open_port` is called whenever there is no port, after `retry_s` and then twice as long
    each time up to the second of `retry_s`. `clock` gives whole milliseconds, never
    decreasing. `emit` and `on_state` are called in the hub's thread; a report is
    acknowledged when `emit` has returned. `on_state` is told whenever the health changes,
    counts aside. `on_line` is called in the hub's thread too, with every line as it was said,
    repeats included, before its facts are emitted.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        open_port: Callable[[], Port],
        faces: DieFaces,
        clock: Callable[[], int],
        emit: Callable[[Fact], None],
        on_state: Callable[[HubHealth], None] = _ignore,
        *,
        on_line: Callable[[Line], None] = _ignore,
        settings: HubSettings = DEFAULT_SETTINGS,
        retry_s: tuple[float, float] = (0.25, 4.0),
    ) -> None:
        self._open_port, self._clock, self._emit, self._on_state = open_port, clock, emit, on_state
        self._on_line, self._retry_s = on_line, retry_s
        self._link = HubLink(faces, settings)
        self._reader = LineReader()
        self._outbox: deque[Line] = deque()
        self._told = self._health = self._link.health
        self._closing = Event()
        self._thread = Thread(target=self._run, name="urpi-hub", daemon=True)
        self._thread.start()

    @property
    def health(self) -> HubHealth:
        """How the hub is now."""
        return self._health

    def send(self, line: Line) -> None:
        """Send a line, such as a `CalLine`, within `serial_port.READ_S`.

        Raises:
            UrpiError: when the hub is not connected.
        """
        if not self._health.connected:
            message = f"The dice hub is not connected ({self._health.error}); plug it in first."
            raise UrpiError(message)
        self._outbox.append(line)

    def close(self) -> None:
        """Send what waits and give the port back, within a second; nothing is emitted after it."""
        self._closing.set()
        self._thread.join(timeout=1)

    def _run(self) -> None:
        first, longest = self._retry_s
        pause = 0.0
        while not self._closing.wait(pause):
            pause = min(max(2 * pause, first), longest)
            try:
                with closing(self._open_port()) as port:
                    pause = first
                    self._converse(port)
            except PORT_ERRORS as error:
                self._reader.reset()
                if not self._closing.is_set():
                    self._hand_on(self._link.on_close(port_failure(error), self._clock()))

    def _converse(self, port: Port) -> None:
        self._outbox.clear()
        self._answer(port, self._link.on_open(port.port or "", self._clock()))
        while not self._closing.is_set():
            for line in self._reader.feed(port.read(port.in_waiting or 1)):
                self._hear(port, line)
            self._answer(port, self._link.tick(self._clock()))
            self._send_waiting(port)
        self._send_waiting(port)

    def _send_waiting(self, port: Port) -> None:
        while self._outbox:
            port.write(line_bytes(self._outbox.popleft()))

    def _hear(self, port: Port, line: Line) -> None:
        if not self._closing.is_set():
            self._on_line(line)
        self._answer(port, self._link.on_line(line, self._clock()))

    def _answer(self, port: Port, outcome: Outcome) -> None:
        # Once closing, nothing is handed on, so nothing may be acknowledged either.
        if self._closing.is_set():
            return
        self._hand_on(outcome)
        for reply in outcome.replies:
            port.write(line_bytes(reply))

    def _hand_on(self, outcome: Outcome) -> None:
        for fact in outcome.facts:
            self._emit(fact)
        self._health = replace(self._link.health, counts=self._reader.counts)
        telling = replace(self._link.health, repeats=0)
        if telling != self._told:
            self._told = telling
            self._on_state(self._health)
