"""The service: passes facts to the referee, stores its decisions, then publishes them.

Facts are submitted from any thread and processed in one (`urpi.service.fact_loop`). A decision is
on the disk before it is shown. While the disk fails, decisions are kept in memory and a notice is
shown (`urpi.journal.keeper`).
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.journal import (
    GameSummary,
    Keeper,
    check_rules,
    last_game,
    resume_game,
    settings_of,
    timing_of,
    timing_settings,
    unfinished_game,
)
from urpi.journal.failures import DiskCode
from urpi.referee import Settings, Snapshot, begin, step
from urpi.referee.decisions import Decision, Warned
from urpi.referee.exploring import (
    ExploreRefusal,
    explores_game,
    is_back,
    why_not_explore,
)
from urpi.referee.facts import Abandon, Answer, Die, Explore, Fact, Game, Time
from urpi.referee.lines import fact_line
from urpi.referee.settings import Sentence
from urpi.referee.state import GameState
from urpi.referee.warn import in_language
from urpi.rules import Position, Side
from urpi.service.explorations import Explorations
from urpi.service.fact_loop import Clock, FactLoop
from urpi.service.machine_clock import ClockWatch, MachineClock
from urpi.service.refereed import Refereed, is_visible_change, stamp
from urpi.service.restart import DiceAfterRestart

OnChange = Callable[[Snapshot, tuple[Decision, ...]], None]
"""Called after every visible change, with the decisions that caused it, if any; both are stored."""

_log: Final = logging.getLogger(__name__)


class Service(FactLoop):
    """The program of one table: what is played, stored and shown.

    Args:
        keeper: Stores the games.
        settings: The referee's settings for new games.
        clock: The machine's clock; its origin is arbitrary.
        show: Called after every visible change.
        language: The code of the players' language, which is stored with each game.
        now: Returns the local time.
        table: The name of the table in the journal.
        machine: Reads whether the machine's clock is set; by default it is.
        lights: Whether a piece that is lifted or put down during a move is a visible change: only
            lights show it, and a switch that bounces makes up to nine.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        keeper: Keeper,
        settings: Settings,
        clock: Clock,
        show: OnChange,
        *,
        language: str,
        now: Callable[[], datetime],
        table: str = "board",
        machine: Callable[[], MachineClock] = MachineClock,
        lights: bool = False,
    ) -> None:
        super().__init__(keeper, clock, now)
        self._settings, self._show = settings, show
        self._language, self._lights = language, lights
        self.table = table
        """The name of the table in the journal."""
        self._aborted = False
        self._game = Refereed(keeper, begin(settings), self.clock, begun=False)
        self._explorations = Explorations(keeper.path, table, self.clock)
        self._dice: DiceAfterRestart | None = None
        self._machine = machine
        self.add_task(ClockWatch(keeper, machine, now))
        self.resumed = False
        """Whether the game was continued when the program started."""

    @property
    def current(self) -> Refereed:
        """What is refereed now: the game, or an exploration beside it."""
        return self._explorations.line or self._game

    @property
    def snapshot(self) -> Snapshot:
        """The current state of the game or the exploration."""
        return self.current.snapshot

    @property
    def opening(self) -> Game | None:
        """The fact that began the current game, None before the first game."""
        state = self._game.state
        return state.game if isinstance(state, GameState) else None

    @property
    def seen_positions(self) -> tuple[Position, ...]:
        """The positions before the moves up to now, none in rule sets without draws."""
        state = self.current.state
        if not isinstance(state, GameState) or not state.position.rules.draws:
            return ()
        return tuple(position for position, _side, _move in state.past)

    @property
    def game(self) -> int | None:
        """The number of the current game in the journal, None before the first game."""
        return self._keeper.game if self._game.begun else None

    @property
    def seq(self) -> int | None:
        """The seq of the game's newest entry, None while some of it is not stored."""
        return self._keeper.seq if self._game.begun else None

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._keeper.path

    @property
    def failing(self) -> DiskCode | None:
        """The reason why nothing is stored, None if all is. Thread-safe."""
        outage = self._keeper.outage
        return None if outage is None else outage.code

    @property
    def held(self) -> bool:
        """Whether facts of the devices wait, and no time passes in the game.

        Facts that the program finds are processed. To be set in the service's thread.
        """
        return self._game.held

    @held.setter
    def held(self, held: bool) -> None:
        self._game.held = self._inbox.holds = held

    def last_game(self) -> GameSummary | None:
        """Return this table's last game, None if there is none or it is unknown."""
        return self.read(lambda journal: last_game(journal, self.table))

    def change_language(self, language: str, sentence: Sentence) -> None:
        """Use another language from now on. Call it in the service's thread."""
        self._language = language
        self._settings = replace(self._settings, sentence=sentence)
        for one in {self._game, self.current}:
            one.state = in_language(one.state, sentence)
        self.refresh()

    def process(self, fact: Fact) -> tuple[Decision, ...]:
        """Process a fact at once and return its decisions. Call it in the service's thread."""
        if isinstance(fact, Die) and self._dice is not None:
            facts = self._dice.interpret(fact)
            return tuple(decision for one in facts for decision in self._step(one))
        return self._step(fact)

    def new_game(self, game: Game, settings: Mapping[str, str] | None = None) -> int:
        """Begin a game and return its number in the journal.

        Args:
            game: The fact that begins it.
            settings: What is stored with it besides the usual settings, by default nothing.

        Raises:
            UrpiError: If the rules, an option or the position is invalid, or the disk fails. The
                game before it then continues.
        """
        fields = self.current.state.fields.now
        self._leave_exploration()
        before = self._game.state
        game = replace(game, t=max(game.t, before.t))
        # Before anything is stored: an invalid game raises here and leaves the current one
        # untouched.
        begun, _ = step(replace(before, settings=self._settings), game)
        now = self.now()
        self._game.store(now)
        stored = {**self._settings_of(game), **(settings or {})}
        number = self._keeper.begin(fact_line(game), stamp(now), __version__, stored, now)
        self._game, self._dice = Refereed(self._keeper, begun, self.clock), None
        self.resumed = False
        self.refresh()
        # A game's stored facts begin with it, and pieces that stand are not read again.
        for field in filter(None, fields):
            self.process(replace(field, t=game.t))
        return number

    def _settings_of(self, game: Game) -> Mapping[str, str]:
        timing = timing_settings(self._settings.timing)
        # By it the game is found when the other table sends for what it lacks.
        shared = {"shared": game.shared.id} if game.shared is not None else {}
        return {
            **timing,
            "language": self._language,
            "table": self.table,
            **shared,
            **self._machine().settings,
        }

    def resume(self) -> int | None:
        """Continue this table's last game and return its number, None if there is none.

        A game that this program cannot continue, such as one by rules that it does not have, is set
        aside: it stays in the journal as it is, and a notice is shown.

        Call it before the devices are opened, because it changes `clock`.
        """
        number = self._resume_game()
        self._resume_exploration(number)
        return number

    def _resume_game(self) -> int | None:
        number = self.read(lambda journal: unfinished_game(journal, self.table))
        entries = self._keeper.continue_game(number, self.now()) if number is not None else ()
        if number is None or not entries:
            return None
        stored = self.read(lambda journal: settings_of(journal, number))
        try:
            self.read(lambda journal: check_rules(journal, number))
            timing = timing_of(stored or {})
            back = resume_game(entries, replace(self._settings, timing=timing))
        except UrpiError as error:
            _log.warning("Game %d is set aside. %s", number, error)
            self._keeper.set_aside()
            self.notices.announce("set-aside", self.clock())
            return None
        for difference in back.differences[:1]:
            _log.warning("%d decisions differ now. %s", len(back.differences), difference)
        # Times of a game never decrease, though the machine's clock was reset with this start.
        self.clock.continue_after(back.state.t)
        self._game = Refereed(self._keeper, back.state, self.clock)
        self._dice, self.resumed = DiceAfterRestart(back.state.dice), True
        if back.unstored or self._game.finished:
            self._game.append((), back.unstored, self.now(), over=self._game.finished)
        self.notices.announce("resumed", self.clock())
        self.refresh()
        return number

    def refresh(self) -> None:
        """Show the current state again: something besides the game has changed."""
        self._show(self.snapshot, ())

    def abandon(self) -> None:
        """End the current game without a winner."""
        self._leave_exploration()
        self.process(Abandon(self.clock(), Side.LIGHT))

    @property
    def exploring(self) -> Explore | None:
        """What is done of an exploration beside the game, None if there is none."""
        return self.snapshot.explore

    @property
    def game_snapshot(self) -> Snapshot:
        """The state of the game, also while it is left for an exploration."""
        return self._game.snapshot

    @property
    def explores_game(self) -> bool:
        """Whether a game waits for the exploration, and continues after the way back."""
        line = self._explorations.line
        return line is not None and explores_game(self._game.state, line.state)

    def why_not_explore(self, *, rated: bool) -> ExploreRefusal | None:
        """Return why the players may not explore from the game's position now, None if they may."""
        self.process(Time(self.clock()))
        return why_not_explore(self.current.state, rated=rated)

    @property
    def exploration_settings(self) -> Mapping[str, str]:
        """The settings that are stored with the exploration, none if there is none."""
        return self._explorations.settings

    def explore(
        self, game: Game, faces: str | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """Leave the game, and begin an exploration.

        Args:
            game: The fact that begins it.
            faces: The throw to begin with, by default none.
            settings: What is stored with it besides the usual settings, by default nothing.
        """
        self._leave_exploration()
        if self._read is not None and (self._game.finished or not self._game.begun):
            # Without a game nothing has read the board lately.
            reading = self._read()
            if reading is not None:
                self.process(reading)
        now = self.now()
        self._game.store(now)
        stored = {**self._settings_of(game), **(settings or {})}
        self._explorations.begin(self._game, game, self._settings, stored, now)
        self.process(Time(self.clock()))
        if faces is not None:
            self.process(Answer(self.clock(), faces=faces))
        self.refresh()

    def go_back(self) -> None:
        """Begin the way back from a line to the position from which it was tried.

        The game that was left continues when the board shows the position; without one, another
        line can be tried then.
        """
        line = self.current.state
        assert isinstance(line, GameState)
        # The line began with the position that was left.
        explore: Explore = "back" if self.explores_game else "line"
        self.process(replace(line.game, t=self.clock(), explore=explore))
        self.process(Time(self.clock()))
        self.refresh()

    def end_exploration(self) -> None:
        """Continue the game that was left, or none, where it was."""
        self._explorations.end(self.now())
        # No time has passed in the game, and the dice were thrown for something else.
        self._game.continue_at(self.clock())
        self._dice = DiceAfterRestart(self._game.state.dice)
        self._read_at = self.clock()
        self.refresh()

    def _leave_exploration(self) -> None:
        if self._explorations.line is not None:
            self.end_exploration()

    def _resume_exploration(self, game: int | None) -> None:
        line = self._explorations.resume(self._game, game, self._settings, self.now())
        if line is None:
            return
        self.clock.continue_after(line.state.t)
        self._dice = DiceAfterRestart(line.state.dice)
        self.notices.announce("resumed", self.clock())
        if is_back(line.state):
            self.end_exploration()
        self.refresh()

    def close(self) -> None:
        """Store what is left, if the disk allows it. Queued calls are cancelled."""
        if self._aborted:
            return
        self._inbox.close()
        now = self.now()
        self.current.store(now)
        self._explorations.close(now)
        self._keeper.close(now)

    def abort(self) -> None:
        """End without storing anything more, as a power cut does. `close` then has no effect."""
        self._aborted = True
        self._inbox.close()

    def _step(self, fact: Fact) -> tuple[Decision, ...]:
        current = self.current
        if current.held:
            if isinstance(fact, Time):
                return ()
            current.continue_at(self.clock())
        # While the memory is full nothing is decided, because no decision could be kept.
        if current.keeper.paused:
            return ()
        if not current.begun or (current.finished and not isinstance(fact, Game)):
            current.follow(fact)
            return ()
        before = current.state
        decisions = current.process(fact, self.now())
        if any(isinstance(decision, Warned) for decision in decisions):
            # The only fault may be a lost edge, which a reading corrects.
            self._read_at = self.clock()
        self._reads_on = self._reads_on and not current.finished
        if decisions or is_visible_change(before, current.state, lights=self._lights):
            self._show(self.snapshot, decisions)
        if current is self._explorations.line and is_back(current.state):
            self.end_exploration()
        return decisions
