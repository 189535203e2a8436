"""An interactive table connected directly to a referee, in virtual time."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from urpi.hardware import DieFaces
from urpi.referee import Phase, Settings, Snapshot, begin, next_due, snapshot, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Die, Edge, Fact, Game, Occupancy, Time
from urpi.rules import RuleSet, Side, Starter, parse_rules
from urpi.show.words import words_for
from urpi.simulation import Outputs
from urpi.simulation.display_state import DisplayState
from urpi.simulation.interactive_table import InteractiveOptions, InteractiveTable
from urpi.simulation.table_orders import Act
from urpi.simulation.virtual_dice import DieReport

LONG_MS = 800
THROWN_MS = 80


@dataclass
class InteractiveSession:
    """A table with a game. Simulated players play the sides in `plays`."""

    rules: RuleSet
    seed: int = 1
    plays: Iterable[Side] = ()
    decided: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listening = False
        self._down: dict[Side, int] = {}
        outputs = Outputs(self._edge, self._button, die=self._die)
        options = InteractiveOptions(plays=frozenset(self.plays))
        self.table = InteractiveTable(self.rules, self.seed, outputs, options=options)
        self.state = begin(Settings(words_for("en").sentence))
        self.begin(self.rules)

    def begin(self, rules: RuleSet) -> None:
        """Begin a new game."""
        drawn = rules.starter in {Starter.DRAWN, Starter.CHOICE}
        self.begin_with(
            Game(
                self.now,
                rules.id,
                options=rules.changed,
                first=_first(drawn=drawn),
                start=rules.start_value,
            )
        )

    def begin_with(self, game: Game) -> None:
        """Begin the game of a fact."""
        self.decided.clear()
        self._listening = True
        self._apply(game)
        self.read()

    @property
    def now(self) -> int:
        return self.table.schedule.now

    @property
    def shown(self) -> Snapshot:
        return snapshot(self.state)

    def do(self, *acts: Act, wait_ms: int = 0) -> None:
        """Do acts one after another, and wait after each."""
        for act in acts:
            act.carry_out(self.table)
            self.wait(wait_ms)

    def read(self) -> None:
        """Let the program read every switch."""
        self._apply(Occupancy(self.now, self.table.reeds.levels))

    def wait(self, ms: int) -> None:
        """Advance the time."""
        until = self.now + ms
        while (due := self._next_due) is not None and due <= until:
            self._run_to(due)
        self._run_to(until)

    def until(self, reached: Callable[[], bool], within_ms: int = 120_000) -> None:
        """Advance the time until a condition is true; fail after a limit."""
        latest = self.now + within_ms
        while not reached():
            assert self.now < latest, (self.shown, self.table.layout)
            due = self._next_due
            assert due is not None
            self._run_to(due)

    @property
    def over(self) -> bool:
        return self.shown.phase is Phase.OVER

    @property
    def _next_due(self) -> int | None:
        dues = (next_due(self.state), self.table.schedule.next_due)
        return min((due for due in dues if due is not None), default=None)

    def _run_to(self, due: int) -> None:
        self.table.schedule.advance(due)
        mine = next_due(self.state)
        if mine is not None and mine <= due:
            self._apply(Time(due))

    def _edge(self, square: int, on: bool) -> None:
        self._apply_if_listening(lambda: Edge(self.now, square, on))

    def _button(self, side: Side, down: bool) -> None:
        if down:
            self._down[side] = self.now
            return
        press = "long" if self.now - self._down[side] >= LONG_MS else "short"
        self._apply_if_listening(lambda: Button(self.now, side, press))

    def _die(self, report: DieReport) -> None:
        self._apply_if_listening(lambda: self._die_fact(report))

    def _die_fact(self, report: DieReport) -> Die:
        if report.state != "settled" or report.kind is None or report.face is None:
            return Die(self.now, report.die, report.state)
        face = DieFaces().shown(report.die, report.kind, report.face)
        thrown = (report.fall_ms or 0) >= THROWN_MS
        return Die(self.now, report.die, report.state, face, thrown)

    def _apply_if_listening(self, fact: Callable[[], Fact]) -> None:
        if self._listening:
            self._apply(fact())

    def _apply(self, fact: Fact) -> None:
        self.state, decisions = step(self.state, fact)
        self.decided += decisions
        self.table.show(DisplayState.of(self.shown))


def _first(*, drawn: bool) -> Side | None:
    return Side.LIGHT if drawn else None


def session(rules: str = "finkel", seed: int = 1, plays: Iterable[Side] = ()) -> InteractiveSession:
    """Return a session with a rule set."""
    return InteractiveSession(parse_rules(rules), seed, plays)
