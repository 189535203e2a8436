"""The service: the one place that joins devices, journal, referee and views.

Facts come in from any thread; one thread works on them: each goes through the referee, and
what was decided is on the disk before anybody sees it.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from datetime import datetime
from queue import Empty, SimpleQueue
from typing import Final

from urpi import __version__
from urpi.config import Config
from urpi.journal import Journal, timing_settings
from urpi.referee import Phase, Settings, Snapshot, State, Timing, begin, next_due, snapshot, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game, Occupancy, Time
from urpi.referee.lines import decision_line, fact_line
from urpi.words import words_for

Clock = Callable[[], int]
"""Whole milliseconds, never decreasing."""
Show = Callable[[Snapshot, tuple[Decision, ...]], None]
"""Told of every change worth showing, after it is stored."""

EDGES_KEPT_MS: Final = 250
"""Facts that decided nothing are stored so long after they came, at most."""


class Service:
    """A table's program: take facts with `emit` from any thread, `work` on them in one.

    `show` is told after every fact that changed what the players see.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        journal: Journal,
        settings: Settings,
        clock: Clock,
        show: Show,
        *,
        language: str,
        now: Callable[[], datetime],
    ) -> None:
        self._journal, self._settings, self._clock, self._show = journal, settings, clock, show
        self._language, self._now = language, now
        self._inbox: SimpleQueue[Fact] = SimpleQueue()
        self._state = begin(settings)
        self._number: int | None = None
        self._unstored: list[str] = []
        self._store_at = 0
        self._finished = False
        self._read: Callable[[], Occupancy] | None = None
        self._reading_ms = self._read_at = 0

    @property
    def snapshot(self) -> Snapshot:
        """The game as it stands."""
        return snapshot(self._state)

    @property
    def game(self) -> int | None:
        """The running game's number in the journal, None before the first."""
        return self._number

    @property
    def idle(self) -> bool:
        """Whether every fact that was emitted has been worked on."""
        return self._inbox.empty()

    def emit(self, fact: Fact) -> None:
        """Hand in a fact; from any thread."""
        self._inbox.put(fact)

    def read_board(self, read: Callable[[], Occupancy], every_ms: int) -> None:
        """Read all squares anew so often from now on: an edge can be lost."""
        self._read, self._reading_ms = read, every_ms
        self._read_at = self._clock() + every_ms

    def new_game(self, game: Game) -> int:
        """Begin a game; its number in the journal.

        Raises:
            UrpiError: when the rules, an option or the position is wrong, or the disk fails;
                the game before then goes on.
        """
        game = replace(game, t=max(game.t, self._state.t))
        begun, _ = step(self._state, game)
        self._store()
        self._number = self._journal.new_game(
            fact_line(game), _stamp(self._now()), __version__, self._stored_settings()
        )
        self._state, self._finished = begun, False
        self._show(self.snapshot, ())
        return self._number

    def _stored_settings(self) -> Mapping[str, str]:
        return {**timing_settings(self._settings.timing), "language": self._language}

    @property
    def next_due(self) -> int | None:
        """When there is something to do even if no fact comes, None when there is not."""
        due = [next_due(self._state)]
        if self._unstored:
            due.append(self._store_at)
        if self._reads:
            due.append(self._read_at)
        return min((t for t in due if t is not None), default=None)

    @property
    def _reads(self) -> bool:
        return self._read is not None and not self._finished

    def work(self, wait_s: float = 0.0) -> None:
        """Work on every fact that has come, or comes within `wait_s`, and on what is due.

        Raises:
            UrpiError: when the disk fails; what it could not keep is not shown, and the
                service is to be closed.
        """
        try:
            self._take(self._inbox.get(timeout=wait_s) if wait_s else self._inbox.get_nowait())
            while True:
                self._take(self._inbox.get_nowait())
        except Empty:
            pass
        self._run_due()

    def close(self) -> None:
        """Store what is left."""
        self._store()

    def _run_due(self) -> None:
        now = self._clock()
        due = next_due(self._state)
        if due is not None and due <= now:
            self._take(Time(now))
        if self._reads and self._read_at <= now:
            self._look_for_lost_edges(now)
        if self._unstored and self._store_at <= now:
            self._store()

    def _look_for_lost_edges(self, now: int) -> None:
        assert self._read is not None
        self._read_at = now + self._reading_ms
        reading = self._read()
        # What says nothing new is not worth its place on the disk.
        if reading.squares != self._state.contacts.raw:
            self._take(reading)

    def _take(self, fact: Fact) -> None:
        if self._number is None or self._finished:
            return
        fact = replace(fact, t=max(fact.t, self._state.t))
        before = self._state
        after, decisions = step(before, fact)
        # Time that decided nothing passes again by itself when the facts are stepped anew.
        if decisions or not isinstance(fact, Time):
            if not self._unstored:
                self._store_at = fact.t + EDGES_KEPT_MS
            self._unstored.append(fact_line(fact))
        if decisions:
            self._store(decisions)
        # Behind the storing: whoever asks for the snapshot sees no more than the disk has.
        self._state = after
        if after.phase is Phase.OVER:
            self._journal.finish(self._number, _stamp(self._now()))
            self._finished = True
        if decisions or _looks_different(before, after):
            self._show(self.snapshot, decisions)

    def _store(self, decisions: tuple[Decision, ...] = ()) -> None:
        if self._number is None or not (self._unstored or decisions):
            return
        self._journal.append(self._number, self._unstored, map(decision_line, decisions))
        self._unstored = []


def _looks_different(before: State, after: State) -> bool:
    """Whether the players may see a difference that no decision told of."""
    return (before.dice, before.seems, before.chosen, before.warning) != (
        after.dice,
        after.seems,
        after.chosen,
        after.warning,
    )


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def referee_settings(config: Config, language: str | None = None) -> Settings:
    """What a referee is made with, from the configuration.

    Raises:
        UrpiError: when there are no words in that language.
    """
    known = {field.name for field in fields(Timing)}
    timing = {name: ms for name, ms in asdict(config.timing).items() if name in known}
    return Settings(words_for(language or config.table.language).say, Timing(**timing))
