"""A match: one refereed game at the virtual table, of which both sides are observed.

The players read what a display would show them, as in `urpi.service.virtual`. The board is read
again every second, as by the service.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter_ns
from typing import Final

from tools.bench.cases import Case
from tools.bench.observer import GameObserver
from tools.bench.signal_facts import SignalFacts
from urpi.referee import Phase, Settings, State, begin, next_due, snapshot, step
from urpi.referee.decisions import Decision, Roll
from urpi.referee.facts import Answer, Edge, Fact, Game, Occupancy, Plan, Time
from urpi.referee.seats import Seat, Seats
from urpi.referee.settings import Timing
from urpi.referee.state import GameState
from urpi.rules import RuleSet, Side, Starter
from urpi.show.words import words_for
from urpi.simulation import Equipment, Player, ReedFault, SimulatedPlayers, VirtualTable
from urpi.simulation.display_state import DisplayState
from urpi.simulation.illegal_acts import Deviation
from urpi.simulation.schedule import Script

READING_MS: Final = 1000
STUCK_MS: Final = 15 * 60_000
"""Virtual time without a turn after which a game counts as stuck."""
_RUN_OUT_MS: Final = 90_000
"""Virtual time after the last act within which every timer expires."""
_THINK_MS: Final = (20, 400)
_PATIENCE_MS: Final = 20_000
"""Time after which players enter a move that the display does not accept from the board."""

Trace = Callable[[Fact | Decision | str], None]
"""Called with every fact and decision, and with descriptions of what the players truly did."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """One game: `player` chooses the moves, and it ends after at most `max_throws` throws.

    `timing` are the referee's waiting times. The engine has the seats of the sides `engine`: it
    chooses any legal move, and the players make it.
    """

    rules: RuleSet
    case: Case
    player: Player
    seed: int
    max_throws: int
    timing: Timing = Timing()  # noqa: RUF009 - frozen
    engine: frozenset[Side] = frozenset()


class Match:
    """Plays one game; `observer` has its figures then."""

    def __init__(self, settings: MatchSettings, trace: Trace | None = None) -> None:
        self._settings, self._trace = settings, trace
        case, rules = settings.case, settings.rules
        self._rng = Random(f"{settings.seed} bench")  # noqa: S311 - a game, no secret
        self._state = begin(Settings(words_for("en").sentence, settings.timing))
        self._plans = Random(f"{settings.seed} engine")  # noqa: S311 - a game, no secret
        self._listening = False
        self._turns = self._turn_t = 0
        self._traced = 0
        self._table: VirtualTable | None = None
        self._signals = SignalFacts(case, self._apply, self._now, self._rng)
        drawn = rules.starter in {Starter.DRAWN, Starter.CHOICE}
        self._first = self._rng.choice(list(Side)) if drawn else None
        self._seats: Seats = (_seat(settings, Side.LIGHT), _seat(settings, Side.DARK))
        players = SimulatedPlayers(
            settings.player,
            case.behaviour,
            case.own_dice,
            self._first,
            settings.engine,
        )
        outputs, equipment = (
            self._signals.outputs(self._power),
            Equipment(spare_dice=case.spare_dice),
        )
        self.table = self._table = VirtualTable(
            rules, settings.seed, outputs, players=players, equipment=equipment
        )
        self.observer = GameObserver(
            self.table.game,
            self.table.pieces,
            self.table.reeds,
            self.table.throws,
            settings.timing,
        )

    @property
    def phase(self) -> Phase:
        """The phase of the referee."""
        return self._state.phase

    def play(self) -> None:
        """Play until the game is over or has `max_throws` throws, and all timers have expired."""
        self._set_up()
        self.table.play(self._settings.max_throws)
        self._run(lambda: self.table.busy and not self._stuck)
        ended = self._now()
        self._run(lambda: self._waits and self._now() < ended + _RUN_OUT_MS)
        self.observer.observe(self._now(), self.table.deviation)
        self._trace_turns()

    def _set_up(self) -> None:
        rules, table = self._settings.rules, self.table
        dice = table.dice_of if self._settings.case.own_dice else None
        self._listening = True
        rng = Random(f"{self._settings.seed} transport")  # noqa: S311 - a game, no secret
        self._signals.connect(table.schedule, rng, table.reeds.levels)
        self._apply(
            Game(
                0,
                rules.id,
                options=rules.changed,
                first=self._first,
                dice=dice,
                seats=self._seats,
                start=rules.start_value,
            )
        )
        self._apply(Occupancy(0, table.reeds.levels))
        table.schedule.start(self._read_every_second())
        if self._settings.case.faults:
            table.schedule.start(self._enter_moves())
        for fault in self._settings.case.faults:
            table.schedule.start(self._break_a_switch(fault))

    def _power(self, on: bool) -> None:
        """Switch the program's power; when it is back, it reads the board and the dice."""
        self._listening = on
        if on:
            self._apply(Occupancy(self._now(), self.table.reeds.levels))
            self._signals.repeat_reports()

    def _read_every_second(self) -> Script:
        while True:
            yield READING_MS
            if self.table.reeds.levels != self._state.contacts.raw:
                self._apply(Occupancy(self._now(), self.table.reeds.levels))

    def _enter_moves(self) -> Script:
        """Enter the last move on the page if the display long asks to correct a correct board."""
        while True:
            yield _PATIENCE_MS
            state, game = self._state, self.table.game
            if not isinstance(state, GameState) or state.warning is None or game.throw is not None:
                continue
            told = self._now() - state.warning.t >= _PATIENCE_MS and state.phase is Phase.MOVE
            is_last = bool(game.turns) and game.turns[-1].before == state.position
            if told and is_last and self.table.pieces.shows(game.position):
                self._apply(Answer(self._now(), move=game.turns[-1].move))

    def _break_a_switch(self, fault: ReedFault) -> Script:
        yield self._rng.randint(*self._settings.case.breaks_ms)
        path = self._settings.rules.path(Side.LIGHT)
        square = self._rng.choice([each for each in path if each not in self.observer.broken])
        self.table.break_switch(square, fault)
        self.observer.broken.add(square)
        if self._settings.case.repaired_ms is not None:
            yield self._rng.randint(*self._settings.case.repaired_ms)
            self.table.break_switch(square, None)

    @property
    def _waits(self) -> bool:
        """Whether a timer of the referee runs, or the players still act on the display."""
        self.table.follow_display()
        return self.table.busy or next_due(self._state) is not None

    @property
    def _stuck(self) -> bool:
        turns = len(self.table.game.turns)
        if turns != self._turns:
            self._turns, self._turn_t = turns, self._now()
        return self._now() - self._turn_t > STUCK_MS

    def _run(self, condition: Callable[[], bool]) -> None:
        while condition():
            due, table_due = self._due, self.table.next_due
            if due is not None and (table_due is None or due < table_due):
                self.table.schedule.advance(due)
                self._signals.run_due()
                self._apply(Time(self._now()))
            else:
                self.table.run_next()
            self.observer.observe(self._now(), self.table.deviation)

    @property
    def _due(self) -> int | None:
        """The time of the next timer: of the referee, or of a button that is held down."""
        timers = (next_due(self._state) if self._listening else None, self._signals.next_due)
        return min((t for t in timers if t is not None), default=None)

    def _now(self) -> int:
        return self._table.schedule.now if self._table is not None else 0

    def _apply(self, fact: Fact) -> None:
        if not self._listening:
            # The switches send edges before the program has started.
            return
        self._trace_turns()
        self.observer.observe(fact.t, self.table.deviation)
        before = self._state
        if isinstance(fact, Edge) and fact.t < before.t:
            # A late edge: the times of facts never decrease.
            fact = replace(fact, t=before.t)
        began = perf_counter_ns()
        self._state, decisions = step(before, fact)
        self.observer.on_fact(fact, perf_counter_ns() - began)
        if self._trace is not None and (decisions or not isinstance(fact, Time)):
            self._trace(fact)
        for decision in decisions:
            if self._trace is not None:
                self._trace(decision)
            self.observer.on_decision(decision, self.table.deviation)
        if decisions or _prompts(before) != _prompts(self._state):
            self.table.show(DisplayState.of(snapshot(self._state)), decisions)
        for decision in decisions:
            if isinstance(decision, Roll) and decision.legal:
                self._choose(decision)

    def _choose(self, roll: Roll) -> None:
        if roll.side in self._settings.engine:
            self.table.schedule.start(self._plan(roll))

    def _plan(self, roll: Roll) -> Script:
        """Choose any move with a throw, as the engine does, after the time that it takes."""
        yield self._plans.randint(*_THINK_MS)
        self._apply(Plan(self._now(), roll.side, self._plans.choice(roll.legal)))

    def _trace_turns(self) -> None:
        """Trace what the players have truly done since the last call."""
        if self._trace is None:
            return
        deviation, turns = self.table.deviation, self.table.game.turns
        for turn in turns[self._traced :]:
            self._trace(f"{turn.side.value} plays {turn.faces} {turn.move} from {turn.before}")
        self._traced = len(turns)
        if deviation is not self.observer.deviation:
            self._trace(_about(deviation))


def _seat(settings: MatchSettings, side: Side) -> Seat:
    return "engine:best" if side in settings.engine else "person"


def _about(deviation: Deviation | None) -> str:
    if deviation is None:
        return "the players only play"
    if not deviation.act:
        return "the board is corrected"
    codes = ", ".join(sorted(deviation.codes))
    return f"an illegal act: {deviation.act}, explained by {codes}"


def _prompts(state: State) -> tuple[object, ...]:
    """Return what the display asks of the players and what may change without a decision."""
    return (state.question, state.warning) if isinstance(state, GameState) else ()
