"""The service: the one place that joins devices, journal, referee and views.

Facts come in from any thread; one thread works on them: each goes through the referee, and
what was decided is on the disk before anybody sees it. While the disk fails it is held in
memory, and the players are told so (`urpi.journal.keeper`).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol, TypeVar

from urpi import __version__
from urpi.errors import UrpiError
from urpi.journal import (
    Keeper,
    resumed,
    settings_of,
    timing_of,
    timing_settings,
    unfinished_game,
)
from urpi.referee import Phase, Settings, Snapshot, State, begin, next_due, snapshot, step
from urpi.referee.decisions import Decision, Warned
from urpi.referee.facts import Abandon, Die, Fact, Game, Occupancy, Time
from urpi.referee.lines import decision_line, fact_line
from urpi.referee.settings import Say
from urpi.rules import Side, Squares
from urpi.service.notices import Notice, Notices
from urpi.service.outage import GameClock, UnseenDice

Clock = Callable[[], int]
"""Whole milliseconds, never decreasing."""
Show = Callable[[Snapshot, tuple[Decision, ...]], None]
"""Told of every change worth showing, after it is stored; without decisions too."""

EDGES_KEPT_MS: Final = 250
"""Facts that decided nothing are stored so long after they came, at most."""

_T = TypeVar("_T")
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Call:
    """Something to be done by the thread that works."""

    act: Callable[[], Any]
    done: Future[Any]

    def run(self) -> None:
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.act())
        except UrpiError as error:
            self.done.set_exception(error)
        except BaseException as error:
            # No order of anybody's: whoever waits is let go, and the program ends as it must.
            self.done.set_exception(error)
            raise


class Companion(Protocol):
    """What goes along with the game in the thread that works, such as the menu."""

    @property
    def next_due(self) -> int | None:
        """When it has something to do, in the game's milliseconds, None when it has not."""

    def tend(self, t: int) -> None:
        """Do what is due; the game may have gone on."""


class Service:
    """A table's program: take facts with `emit` from any thread, `work` on them in one.

    `show` is told after every fact that changed what the players see.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        keeper: Keeper,
        settings: Settings,
        clock: Clock,
        show: Show,
        *,
        language: str,
        now: Callable[[], datetime],
        table: str = "board",
    ) -> None:
        self.clock = GameClock(clock)
        """The game's time; the devices' too, so that their facts follow those that are stored."""
        self._keeper, self._settings, self._show = keeper, settings, show
        self._language, self._now, self._table = language, now, table
        self._notices = Notices(keeper)
        self._inbox: SimpleQueue[Fact | _Call] = SimpleQueue()
        self._closed = self._dropped = False
        self._state = begin(settings)
        self._dice: UnseenDice | None = None
        self._begun = False
        self._unstored: list[str] = []
        self._passed: Time | None = None
        self._store_at = 0
        self._finished = False
        self._companion: Companion | None = None
        self._read: Callable[[], Occupancy | None] | None = None
        self._reading_ms = self._read_at = 0

    @property
    def snapshot(self) -> Snapshot:
        """The game as it stands."""
        return snapshot(self._state)

    @property
    def game(self) -> int | None:
        """The running game's number in the journal, None before the first."""
        return self._keeper.game if self._begun else None

    @property
    def seq(self) -> int | None:
        """The running game's newest entry in the journal, None while some of it is not stored."""
        return self._keeper.seq if self._begun else None

    @property
    def away(self) -> tuple[str, ...]:
        """The devices that do not answer, as codes of `NOTICES`; from any thread."""
        return self._notices.all_away

    @property
    def failing(self) -> str | None:
        """Why nothing is stored, as a code of `NOTICES`, None while all is; from any thread."""
        failing = self._keeper.failing
        return None if failing is None else failing.code

    @property
    def occupied(self) -> Squares | None:
        """Where something stands by the switches that count; None while that changes."""
        contacts, timing = self._state.contacts, self._state.settings.timing
        if self.clock() - contacts.last_edge < timing.still_ms:
            return None
        return contacts.picture() & ~self._state.mask

    @property
    def rolling(self) -> frozenset[int]:
        """The dice in the air, whatever they are thrown for."""
        dice = self._state.dice.items()
        return frozenset(die for die, one in dice if one.state == "rolling" and not one.lost)

    def accompany(self, companion: Companion) -> None:
        """Have that tended from now on, whenever there was something to work on or it is due."""
        self._companion = companion

    @property
    def notice(self) -> Notice | None:
        """What the players are to be told besides the game, None when there is nothing."""
        return self._notices.now

    def device_away(self, code: str) -> None:
        """A device does not answer (a code of `NOTICES`); from any thread."""
        self._notices.away(code, self.clock())

    def device_back(self, code: str) -> None:
        """It answers again; from any thread."""
        self._notices.back(code)

    def dice_low(self, dice: tuple[int, ...]) -> None:
        """The batteries of those dice are low, of no others; from any thread."""
        self.call(lambda: self._notices.low(dice, self.clock()))

    @property
    def idle(self) -> bool:
        """Whether every fact that was emitted has been worked on."""
        return self._inbox.empty()

    def emit(self, fact: Fact) -> None:
        """Hand in a fact; from any thread."""
        self._inbox.put(fact)

    def call(self, act: Callable[[], _T]) -> Future[_T]:
        """Have something done by the thread that works, in its turn among the facts.

        From any thread. The future gets what it gives or raises; it is cancelled when the
        service is closed before.
        """
        done: Future[_T] = Future()
        self._inbox.put(_Call(act, done))
        if self._closed:
            done.cancel()
        return done

    def speak(self, language: str, say: Say) -> None:
        """Say everything in another language from now on; in the thread that works."""
        self._language = language
        self._settings = replace(self._settings, say=say)
        self._state = replace(self._state, settings=replace(self._state.settings, say=say))

    def decide(self, fact: Fact) -> tuple[Decision, ...]:
        """Take a fact at once, in the thread that works; what was decided on it."""
        return self._take(fact)

    def read_board(self, read: Callable[[], Occupancy | None], every_ms: int) -> None:
        """Read all squares anew so often from now on: an edge can be lost.

        `read` gives None while nobody can look.
        """
        self._read, self._reading_ms = read, every_ms
        self._read_at = self.clock() + every_ms

    def new_game(self, game: Game) -> int:
        """Begin a game; its number in the journal.

        Raises:
            UrpiError: when the rules, an option or the position is wrong, or the disk fails;
                the game before then goes on.
        """
        game = replace(game, t=max(game.t, self._state.t))
        begun, _ = step(replace(self._state, settings=self._settings), game)
        self._store()
        number = self._keeper.begin(
            fact_line(game), _stamp(self._now()), __version__, self._stored_settings(), self._now()
        )
        self._state, self._begun, self._finished, self._dice = begun, True, False, None
        self._passed = None
        self._show(self.snapshot, ())
        return number

    def _stored_settings(self) -> Mapping[str, str]:
        timing = timing_settings(self._settings.timing)
        return {**timing, "language": self._language, "table": self._table}

    def resume(self) -> int | None:
        """Go on with this table's last game as it stood; its number, None when it was finished.

        To be called before the devices are opened, for the clock is moved.

        Raises:
            UrpiError: when what is stored cannot be understood.
        """
        keeper, now = self._keeper, self._now()
        number = keeper.read(lambda journal: unfinished_game(journal, self._table), now)
        entries = keeper.go_on(number, now) if number is not None else ()
        if number is None or not entries:
            return None
        stored = keeper.read(lambda journal: settings_of(journal, number), now)
        timing = timing_of(stored or {})
        back = resumed(entries, replace(self._settings, timing=timing))
        for difference in back.differences[:1]:
            _log.warning("%d decisions differ now. %s", len(back.differences), difference)
        self.clock.follow(back.state.t)
        self._state, self._begun, self._dice = back.state, True, UnseenDice(back.state.dice)
        self._finished = back.state.phase is Phase.OVER
        if back.unstored or self._finished:
            self._keep((), back.unstored, over=self._finished)
        self._notices.tell("resumed", self.clock())
        self._show(self.snapshot, ())
        return number

    def abandon(self) -> None:
        """Break the running game off, and store that."""
        self._take(Abandon(self.clock(), Side.LIGHT))

    @property
    def next_due(self) -> int | None:
        """When there is something to do even if no fact comes, None when there is not."""
        waits = None if self._keeper.paused else next_due(self._state)
        due = [waits, self._keeper.next_due(), self._notices.next_due]
        if self._unstored:
            due.append(self._store_at)
        if self._reads:
            due.append(self._read_at)
        if self._companion is not None:
            due.append(self._companion.next_due)
        return min((t for t in due if t is not None), default=None)

    @property
    def _reads(self) -> bool:
        return self._read is not None and not self._finished

    def work(self, wait_s: float = 0.0) -> None:
        """Work on every fact that has come, or comes within `wait_s`, and on what is due.

        Raises:
            UrpiError: when something cannot be stored that no disk could; it is not shown, and
                the service is to be closed.
        """
        try:
            self._do(self._inbox.get(timeout=wait_s) if wait_s else self._inbox.get_nowait())
            while True:
                self._do(self._inbox.get_nowait())
        except Empty:
            pass
        self._run_due()

    def close(self) -> None:
        """Store what is left, if the disk takes it; what was to be done is not done any more."""
        if self._dropped:
            return
        self._closed = True
        self._cancel_calls()
        self._store()
        self._keeper.close(self._now())

    def drop(self) -> None:
        """End without storing anything more, as a power cut does; `close` does nothing then."""
        self._closed = self._dropped = True
        self._cancel_calls()

    def _cancel_calls(self) -> None:
        with suppress(Empty):
            while True:
                item = self._inbox.get_nowait()
                if isinstance(item, _Call):
                    item.done.cancel()

    def _do(self, item: Fact | _Call) -> None:
        if isinstance(item, _Call):
            item.run()
        else:
            self._take(item)

    def _run_due(self) -> None:
        now = self.clock()
        due = next_due(self._state)
        if due is not None and due <= now:
            self._take(Time(now))
        if self._reads and self._read_at <= now:
            self._look_for_lost_edges(now)
        if self._unstored and self._store_at <= now:
            self._store()
        self._keeper.tend(now, self._now())
        if self._companion is not None:
            self._companion.tend(now)
        if self._notices.changed(now):
            self._show(self.snapshot, ())

    def _look_for_lost_edges(self, now: int) -> None:
        assert self._read is not None
        self._read_at = now + self._reading_ms
        reading = self._read()
        # What says nothing new is not worth its place on the disk.
        if reading is not None and reading.squares != self._state.contacts.raw:
            self._take(reading)

    def _take(self, fact: Fact) -> tuple[Decision, ...]:
        if isinstance(fact, Die) and self._dice is not None:
            return tuple(made for seen in self._dice.taken(fact) for made in self._step(seen))
        return self._step(fact)

    def _step(self, fact: Fact) -> tuple[Decision, ...]:
        if not self._begun or self._finished or self._keeper.paused:
            return ()
        fact = replace(fact, t=max(fact.t, self._state.t))
        before = self._state
        after, decisions = step(before, fact)
        if decisions or not isinstance(fact, Time):
            if not self._unstored:
                self._store_at = fact.t + EDGES_KEPT_MS
            self._unstored += self._passed_before(fact)
            self._unstored.append(fact_line(fact))
        self._passed = fact if isinstance(fact, Time) and not decisions else None
        over = after.phase is Phase.OVER
        if decisions:
            self._store(decisions, over=over)
        if any(isinstance(decision, Warned) for decision in decisions):
            # A lost edge may be all that is wrong.
            self._read_at = fact.t
        # Behind the storing: whoever asks for the snapshot sees no more than the disk has.
        self._state, self._finished = after, over
        if decisions or _looks_different(before, after):
            self._show(self.snapshot, decisions)
        return decisions

    def _passed_before(self, fact: Fact) -> list[str]:
        """The time that passed at this fact's very time, if it did, and decided nothing.

        Other such time passes again by itself when the facts are stepped anew; but what is due
        at a fact's own time is looked at behind it then, and here it was before.
        """
        passed = self._passed
        return [fact_line(passed)] if passed is not None and passed.t == fact.t else []

    def _store(self, decisions: tuple[Decision, ...] = (), *, over: bool = False) -> None:
        if self._begun and (self._unstored or decisions):
            self._keep(self._unstored, tuple(map(decision_line, decisions)), over=over)
            self._unstored = []

    def _keep(self, facts: Sequence[str], decisions: Sequence[str], *, over: bool) -> None:
        now = self._now()
        self._keeper.append(facts, decisions, now, _stamp(now) if over else None)


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
