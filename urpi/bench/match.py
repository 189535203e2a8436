"""A match: one game at the virtual table, refereed, and everything seen of both.

The players read what a display would show them, as in `urpi.service.virtual`, and the board
is read anew every second, as the service does.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter_ns
from typing import Final

from urpi.bench.cases import Case
from urpi.bench.observer import GameObserver
from urpi.bench.signal_facts import SignalFacts
from urpi.referee import Phase, Settings, State, begin, next_due, snapshot, step
from urpi.referee.decisions import Decision, Roll, RollRefused
from urpi.referee.facts import Edge, Fact, Game, Occupancy, Time
from urpi.referee.settings import Timing
from urpi.rules import RuleSet, Side, Starter
from urpi.simulation import Equipment, Player, ReedFault, SimulatedPlayers, VirtualTable
from urpi.simulation.prompts import Deviation
from urpi.simulation.schedule import Script
from urpi.words import words_for

READING_MS: Final = 1000
STUCK_MS: Final = 15 * 60_000
"""A game in which nobody comes to play a throw for so long of virtual time is stuck."""
_RUN_OUT_MS: Final = 90_000
"""So long after the last act every timer has run out."""
_SEEN_BY_PLAYERS: Final = ("cocked", "not-tumbled", "missing-die")
"""Throws that the players see for themselves not to count."""

Trace = Callable[[Fact | Decision | str], None]
"""Told of every fact and decision, and in words of what the players truly did."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """One game to be played: any legal moves by `player`, so many throws at most.

    `timing` is how long the referee waits.
    """

    rules: RuleSet
    case: Case
    player: Player
    seed: int
    max_throws: int
    timing: Timing = Timing()  # noqa: RUF009 - frozen


class Match:
    """Plays one game when it is told to; `witness` has seen it."""

    def __init__(self, setting: MatchSettings, trace: Trace | None = None) -> None:
        self._setting, self._trace = setting, trace
        case, rules = setting.case, setting.rules
        self._rng = Random(f"{setting.seed} bench")  # noqa: S311 - a game, no secret
        self._state = begin(Settings(words_for("en").sentence, setting.timing))
        self._listening = False
        self._turns = self._turn_t = 0
        self._told = 0
        self._table: VirtualTable | None = None
        self._plugs = SignalFacts(case, self._take, self._now, self._rng)
        drawn = rules.starter in {Starter.DRAWN, Starter.CHOICE}
        self._first = self._rng.choice(list(Side)) if drawn else None
        players = SimulatedPlayers(setting.player, case.behaviour, case.own_dice, self._first)
        outputs, equipment = self._plugs.outputs(self._power), Equipment(spare_dice=case.spare_dice)
        self.table = self._table = VirtualTable(
            rules, setting.seed, outputs, players=players, equipment=equipment
        )
        self.observer = GameObserver(
            self.table.game, self.table.pieces, self.table.reeds, setting.timing
        )

    @property
    def phase(self) -> Phase:
        """What the referee waits for."""
        return self._state.phase

    def play(self) -> None:
        """Play until the game is over or was played long enough, and the timers have run out."""
        self._set_up()
        self.table.play(self._setting.max_throws)
        self._run(lambda: self.table.busy and not self._stuck)
        ended = self._now()
        self._run(lambda: self._waits and self._now() < ended + _RUN_OUT_MS)
        self.observer.watch(self._now(), self.table.deviation)
        self._tell_of_turns()

    def _set_up(self) -> None:
        rules, table = self._setting.rules, self.table
        dice = table.dice_of if self._setting.case.own_dice else None
        self._listening = True
        rng = Random(f"{self._setting.seed} transport")  # noqa: S311 - a game, no secret
        self._plugs.connect(table.schedule, rng, table.reeds.levels)
        self._take(Game(0, rules.id, options=rules.changed, first=self._first, dice=dice))
        self._take(Occupancy(0, table.reeds.levels))
        table.schedule.start(self._read_every_second())
        for fault in self._setting.case.faults:
            table.schedule.start(self._break_a_switch(fault))

    def _power(self, on: bool) -> None:
        """The program loses its power, or is back and reads the board and the dice."""
        self._listening = on
        if on:
            self._take(Occupancy(self._now(), self.table.reeds.levels))
            self._plugs.ask_dice()

    def _read_every_second(self) -> Script:
        while True:
            yield READING_MS
            if self.table.reeds.levels != self._state.contacts.raw:
                self._take(Occupancy(self._now(), self.table.reeds.levels))

    def _break_a_switch(self, fault: ReedFault) -> Script:
        yield self._rng.randint(*self._setting.case.breaks_ms)
        path = self._setting.rules.path(Side.LIGHT)
        square = self._rng.choice([each for each in path if each not in self.observer.broken])
        self.table.break_switch(square, fault)
        self.observer.broken.add(square)
        if self._setting.case.mended_ms is not None:
            yield self._rng.randint(*self._setting.case.mended_ms)
            self.table.break_switch(square, None)

    @property
    def _waits(self) -> bool:
        """Whether the referee waits for its timers, or the players are still answering it."""
        self.table.follow_display()
        return self.table.busy or next_due(self._state) is not None

    @property
    def _stuck(self) -> bool:
        turns = len(self.table.game.turns)
        if turns != self._turns:
            self._turns, self._turn_t = turns, self._now()
        return self._now() - self._turn_t > STUCK_MS

    def _run(self, wanted: Callable[[], bool]) -> None:
        while wanted():
            due, table_due = self._due, self.table.next_due
            if due is not None and (table_due is None or due < table_due):
                self.table.schedule.advance(due)
                self._plugs.run_due()
                self._take(Time(self._now()))
            else:
                self.table.run_next()
            self.observer.watch(self._now(), self.table.deviation)

    @property
    def _due(self) -> int | None:
        """When a timer is due next, of the referee's or of a button that is held."""
        timers = (next_due(self._state) if self._listening else None, self._plugs.next_due)
        return min((t for t in timers if t is not None), default=None)

    def _now(self) -> int:
        return self._table.schedule.now if self._table is not None else 0

    def _take(self, fact: Fact) -> None:
        if not self._listening:
            # The switches speak before anybody listens.
            return
        self._tell_of_turns()
        self.observer.watch(fact.t, self.table.deviation)
        before = self._state
        if isinstance(fact, Edge) and fact.t < before.t:
            # It was on its way while time went on, and what is told never goes back.
            fact = replace(fact, t=before.t)
        began = perf_counter_ns()
        self._state, decisions = step(before, fact)
        self.observer.took(fact, perf_counter_ns() - began)
        if self._trace is not None and (decisions or not isinstance(fact, Time)):
            self._trace(fact)
        for decision in decisions:
            if self._trace is not None:
                self._trace(decision)
            self.observer.decided(decision, self.table.deviation)
        if decisions or _prompts(before) != _prompts(self._state):
            self._tell_the_players(decisions)

    def _tell_the_players(self, decisions: tuple[Decision, ...]) -> None:
        seen = snapshot(self._state)
        self.table.show_corrections(seen.fill, seen.clear)
        self.table.show_throw(seen.position, seen.throw)
        asked = seen.question.ask if seen.question is not None else None
        choices = seen.choices[seen.chosen :] + seen.choices[: seen.chosen]
        self.table.show_move_question(choices if asked == "move" else ())
        self.table.show_faces_question(choices if asked == "faces" else ())
        for decision in decisions:
            if isinstance(decision, RollRefused) and decision.code not in _SEEN_BY_PLAYERS:
                self.table.show_rejected_throw(decision.dice)
            elif isinstance(decision, Roll):
                self.table.show_roll(decision.faces)

    def _tell_of_turns(self) -> None:
        """Say in the trace what the players have truly done since it was last said."""
        if self._trace is None:
            return
        deviation, turns = self.table.deviation, self.table.game.turns
        for turn in turns[self._told :]:
            self._trace(f"{turn.side.value} plays {turn.faces} {turn.move} from {turn.before}")
        self._told = len(turns)
        if deviation is not self.observer.deviation:
            self._trace(_about(deviation))


def _about(deviation: Deviation | None) -> str:
    if deviation is None:
        return "nothing wrong is done now"
    if not deviation.act:
        return "the board is mended"
    codes = ", ".join(sorted(deviation.codes))
    return f"wrong on purpose: {deviation.act}, rightly warned of by {codes}"


def _prompts(state: State) -> tuple[object, ...]:
    """Return what the display asks of the players and what may change without a decision."""
    return state.question, state.chosen, state.warning
