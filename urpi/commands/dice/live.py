"""The dice live: what the hub says, as events in one queue for a command's own thread."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, Self, TypeAlias

from urpi.commands.dice.roster import DieView, Roster
from urpi.config import Hub
from urpi.devices import (
    DiceHub,
    DieFaces,
    DieLine,
    HubHealth,
    HubLine,
    HubSettings,
    Line,
    open_serial,
)
from urpi.errors import UrpiError
from urpi.referee.facts import Die, Fact
from urpi.service.backends import configured_faces

CONNECT_S: Final = 10.0
"""The hub is given so long to be heard; an Arduino takes two seconds to start."""


@dataclass(frozen=True, slots=True)
class DieNews:
    """A die said something, or fell silent: how it is now, and how it was before.

    `line` is what was said, None when the hub itself fell silent; `thrown` whether the throw
    that it tells of counts as one.
    """

    now: DieView
    before: DieView
    line: DieLine | None = None
    thrown: bool = False

    @property
    def repeated(self) -> bool:
        """Whether it says nothing new."""
        return self.now.repeats > self.before.repeats


@dataclass(frozen=True, slots=True)
class HubNews:
    """The hub's health has changed."""

    health: HubHealth


News: TypeAlias = DieNews | HubNews


@dataclass(frozen=True, slots=True)
class HubPort:
    """Where the hub is, what its dice show, and when a die was thrown."""

    port: str
    faces: DieFaces
    settings: HubSettings


def configured_port(hub: Hub, port: str | None) -> HubPort:
    """The configured hub, at another port when one is given."""
    settings = HubSettings(hub.tumbled_faces, hub.free_fall_ms)
    return HubPort(port or hub.port, configured_faces(hub), settings)


def milliseconds() -> int:
    """The clock of everything here."""
    return time.monotonic_ns() // 1_000_000


class LiveDice:
    """The dice of a hub. Use it in a ``with``; it opens the port and gives it back."""

    def __init__(self, hub: HubPort) -> None:
        self.hub = hub
        self.roster = Roster()
        self.greeting: HubLine | None = None
        """What the hub last said of itself."""
        self._came: SimpleQueue[Line | Fact | HubHealth] = SimpleQueue()

    def __enter__(self) -> Self:
        self._hub = DiceHub(
            lambda: open_serial(self.hub.port),
            self.hub.faces,
            milliseconds,
            on_line=self._came.put,
            settings=self.hub.settings,
        )
        self._hub.start(self._came.put, self._came.put)
        return self

    def __exit__(self, *_: object) -> None:
        self._hub.close()

    @property
    def health(self) -> HubHealth:
        """How the hub is now."""
        return self._hub.health

    def send(self, line: Line) -> None:
        """Send a line.

        Raises:
            UrpiError: when the hub is not connected.
        """
        self._hub.send(line)

    def news(self, wait_s: float) -> Iterator[News]:
        """What has come, or comes within `wait_s`, in order."""
        came = self._came
        try:
            yield from self._taken(came.get(timeout=wait_s) if wait_s > 0 else came.get_nowait())
            while True:
                yield from self._taken(came.get_nowait())
        except Empty:
            return

    def wait_for(self, wanted: Callable[[News], bool], within_s: float) -> bool:
        """Whether such news came in time; what comes before it is taken in, too."""
        deadline = time.monotonic() + within_s
        while (left_s := deadline - time.monotonic()) > 0:
            for news in self.news(left_s):
                if wanted(news):
                    return True
        return False

    def wait_for_hub(self) -> None:
        """Return when the hub is heard.

        Raises:
            UrpiError: when its port cannot be opened, or it is silent for `CONNECT_S`.
        """
        self.wait_for(lambda _: self.health.alive or bool(self.health.error), CONNECT_S)
        if not self.health.alive:
            message = (
                f"The dice hub at {self.hub.port} is not heard: "
                f"{self.health.error or 'it is silent'}; plug it in, or give its --port."
            )
            raise UrpiError(message)

    def shows(self, line: DieLine) -> str | None:
        """What the face of a report shows: ``g s -`` or ``1`` to ``6``; None without one."""
        if line.kind is None or line.face is None:
            return None
        return self.hub.faces.shown(line.die, line.kind, line.face)

    def _taken(self, came: Line | Fact | HubHealth) -> Iterator[News]:
        match came:
            case DieLine():
                before = self.roster[came.die]
                now = self.roster.heard(came, milliseconds())
                yield DieNews(now, before, came, self.hub.settings.thrown(came))
            case Die(state="lost", die=die) if not self.roster[die].lost:
                before = self.roster[die]
                yield DieNews(self.roster.lost(die), before)
            case HubLine():
                told = self.greeting.error if self.greeting else None
                self.greeting = came
                if came.error != told:
                    yield HubNews(self.health)
            case HubHealth():
                yield HubNews(came)
            case _:
                pass
