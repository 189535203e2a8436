"""Live dice: the hub's reports as changes in one queue, for the thread of a command."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Final, Self, TypeAlias

from urpi.cli.dice.roster import DieView, Roster
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.hardware import (
    AskLine,
    DiceHub,
    DieFaces,
    DieLine,
    HubHealth,
    HubLine,
    HubSettings,
    Line,
    open_serial,
)
from urpi.hardware.configured import configured_faces
from urpi.hardware.hub_link import WRAP
from urpi.hardware.protocol_constants import BAUD
from urpi.referee.facts import Die, Fact, NotThrown

CONNECT_S: Final = 10.0
"""Seconds that the hub has to respond; an Arduino takes two to start."""
_POLL_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class DieChange:
    """A report of a die, or the loss of its signal, with the die's status after and before it.

    `line` is the report, None if the hub itself does not respond. `thrown` is whether the reported
    throw counts, and `why` the reason if it does not, None if it is unknown.
    """

    now: DieView
    before: DieView
    line: DieLine | None = None
    thrown: bool = False
    why: NotThrown | None = None

    @property
    def repeated(self) -> bool:
        """Whether the report repeats an earlier one."""
        return self.now.repeats > self.before.repeats


@dataclass(frozen=True, slots=True)
class HubChange:
    """A change of the hub's health."""

    health: HubHealth


Change: TypeAlias = DieChange | HubChange


@dataclass(frozen=True, slots=True)
class HubPort:
    """The hub's serial port, what its dice's faces show, and the limits for throws."""

    port: str
    faces: DieFaces
    settings: HubSettings
    baud: int = BAUD


def configured_port(config: Config, port: str | None) -> HubPort:
    """The configured hub, or the same at another port."""
    hub = config.hub
    settings = HubSettings(hub.tumbled_faces, hub.free_fall_ms, strictness=config.dice.strictness)
    return HubPort(port or hub.port, configured_faces(hub), settings, hub.baud)


def is_since(line: DieLine, hub_ms: int) -> bool:
    """Whether a report was made at a time of the hub or later, however late it is received."""
    return (line.t_ms - hub_ms) % WRAP < WRAP // 2


def _news(greeting: HubLine) -> tuple[str | None, int | None]:
    return greeting.error, greeting.renewed


class LiveDice:
    """The dice of a hub. Use it in a ``with`` statement; it opens and closes the port."""

    def __init__(self, hub: HubPort) -> None:
        self.hub = hub
        self.roster = Roster()
        self.greeting: HubLine | None = None
        """The last report of the hub about itself, None before the first."""
        self._queue: Queue[Line | Fact | HubHealth] = Queue()

    def __enter__(self) -> Self:
        self._hub = DiceHub(
            lambda: open_serial(self.hub.port, self.hub.baud),
            self.hub.faces,
            milliseconds,
            on_line=self._queue.put,
            settings=self.hub.settings,
        )
        self._hub.start(self._queue.put, self._queue.put)
        return self

    def __exit__(self, *_: object) -> None:
        self._hub.close()

    @property
    def health(self) -> HubHealth:
        return self._hub.health

    @property
    def waiting(self) -> tuple[str, ...]:
        """What identifies dice in range that are not paired; a hub receives none."""
        return ()

    def check_testable(self, _die: int | None) -> None:
        """Check that the throws of a die, or of all dice, can be tested; the hub's always can."""

    def battery_percent(self, _die: int) -> int | None:
        """The charge of a die's battery, None if it reports its voltage instead."""
        return None

    def send(self, line: Line) -> None:
        """Send a line.

        Raises:
            UrpiError: If the hub is not connected.
        """
        self._hub.send(line)

    def hub_time(self) -> int:
        """Return the hub's time in milliseconds, between the call and the return.

        The changes received until then are applied to the roster.

        Raises:
            UrpiError: If the hub does not respond.
        """
        # The hub may have sent the first greeting before it received the request.
        for _ in range(2):
            known = self.greeting
            self.send(AskLine())
            deadline = time.monotonic() + CONNECT_S
            while self.greeting is known:
                if (left_s := deadline - time.monotonic()) <= 0:
                    raise self._unavailable()
                for _ in self.changes(left_s):
                    pass
        assert self.greeting is not None
        return self.greeting.t_ms

    def changes(self, wait_s: float) -> Iterator[Change]:
        """Yield the changes received, waiting up to `wait_s` seconds for the first."""
        queue = self._queue
        try:
            yield from self._apply(queue.get(timeout=wait_s) if wait_s > 0 else queue.get_nowait())
            while True:
                yield from self._apply(queue.get_nowait())
        except Empty:
            return

    def wait_for(self, matches: Callable[[Change], bool], within_s: float) -> bool:
        """Wait for a change that matches; return False after `within_s` seconds without one."""
        deadline = time.monotonic() + within_s
        while (left_s := deadline - time.monotonic()) > 0:
            for change in self.changes(left_s):
                if matches(change):
                    return True
        return False

    def _await(self, reached: Callable[[], bool]) -> None:
        """Wait for at most `CONNECT_S`. Changes that are received meanwhile are yielded later."""
        deadline = time.monotonic() + CONNECT_S
        while not reached() and time.monotonic() < deadline:
            time.sleep(_POLL_S)

    def wait_for_hub(self) -> None:
        """Wait until the hub responds.

        Raises:
            UrpiError: If its port cannot be opened, or it does not respond for `CONNECT_S`.
        """
        self._await(lambda: self.health.alive or bool(self.health.error))
        if not self.health.alive:
            raise self._unavailable()

    def wait_for_port(self) -> None:
        """Wait until the port is open. Its hub may be silent, which is reported later.

        Raises:
            UrpiError: If it cannot be opened.
        """
        self._await(lambda: self.health.connected or bool(self.health.error))
        if not self.health.connected:
            raise self._unavailable()

    def _unavailable(self) -> UrpiError:
        return UrpiError(
            f"The dice hub at {self.hub.port} is not available: "
            f"{self.health.error or 'it does not respond'}; plug it in, or set its --port."
        )

    def shows(self, line: DieLine) -> str | None:
        """What the face of a report shows, ``g s -`` or ``1`` to ``6``, None without one."""
        if line.kind is None or line.face is None:
            return None
        return self.hub.faces.shown(line.die, line.kind, line.face)

    def _apply(self, report: Line | Fact | HubHealth) -> Iterator[Change]:
        match report:
            case DieLine():
                before = self.roster[report.die]
                now = self.roster.on_line(report, milliseconds())
                settings = self.hub.settings
                yield DieChange(now, before, report, settings.thrown(report), settings.why(report))
            case Die(state="lost", die=die) if not self.roster[die].lost:
                before = self.roster[die]
                yield DieChange(self.roster.on_lost(die), before)
            case HubLine():
                known, self.greeting = self.greeting, report
                if known is None or _news(report) != _news(known):
                    yield HubChange(self.health)
            case HubHealth():
                yield HubChange(report)
            case _:
                pass
