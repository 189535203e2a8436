"""Games of simulated hands that are left for explorations, compared with the same games without.

The facts of a whole game are those of a match of `tools.bench`. They are sent to a service with a
journal on disk, once straight and once with explorations between them: other hands then play a line
from the position, with their habits, until they are stopped at any moment; the power may fail; and
the pieces go back square by square, with mistakes and bounces.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from tests.service_desk import Desk
from tools.bench.cases import Case
from tools.bench.match import Match, MatchSettings
from tools.bench.signal_facts import SignalFacts
from urpi.journal import Journal, entries_of, stored_record
from urpi.referee import Phase
from urpi.referee.decisions import Decision
from urpi.referee.exploring import exploration_of
from urpi.referee.facts import Answer, Edge, Fact, Game, Occupancy
from urpi.rules import RuleSet, each_square
from urpi.simulation import Equipment, SimulatedPlayers, VirtualTable
from urpi.simulation.behaviour import any_move
from urpi.simulation.display_state import DisplayState

MAX_THROWS = 24
LINE_MS = (2_000, 60_000)
STEP_MS = 400
BOUNCE_MS = 2
GAP_MS = 200
"""Shortest time between a fact of the game and the next one, if an exploration comes between them:
the board must have stood still.
"""
OFTEN = 0.3
MISTAKE = 0.2
POWER_CUT = 0.3


def facts_of(rules: RuleSet, case: Case, seed: int) -> list[Fact]:
    """Return the facts of a game that hands play with some habits, its `Game` fact first."""
    found: list[Fact] = []

    def trace(one: Fact | Decision | str) -> None:
        if not isinstance(one, str | Decision):
            found.append(one)

    Match(MatchSettings(rules, case, any_move, seed, MAX_THROWS), trace).play()
    return found


@dataclass
class Played:
    """What a journal has of the game: its lines, and its record."""

    lines: list[str]
    record: str


class ExploredGame:
    """Sends a game's facts to a service, and explores between them up to `explorations` times."""

    def __init__(self, path: Path, case: Case, seed: int, explorations: int) -> None:
        self.desk, self.case, self.seed = Desk.at(path), case, seed
        self.rng = Random(f"{seed} explorations")
        self.left = explorations
        self.made = self.power_cuts = 0
        self.shift = 0
        """By how much the clock is before the game's time."""
        self.levels = 0

    def play(self, facts: list[Fact]) -> Played:
        game, *others = facts
        assert isinstance(game, Game)
        self.desk.service.new_game(game)
        for fact, following in zip(others, [*others[1:], None], strict=True):
            self._at(fact.t + self.shift)
            self._note(fact)
            self.desk.submit(replace(fact, t=self.desk.t))
            has_gap = following is not None and following.t - fact.t > GAP_MS
            if has_gap and self.left and self.rng.random() < OFTEN:
                self._explore(fact.t + GAP_MS - 2)
        self._at(others[-1].t + self.shift + 100_000)
        self.desk.service.close()
        with Journal.open(self.desk.path) as journal:
            entries = entries_of(journal, 1)
            return Played([one.line for one in entries], str(stored_record(journal, 1)))

    def _at(self, t: int) -> None:
        if t > self.desk.t:
            self.desk.wait(t - self.desk.t)

    def _note(self, fact: Fact) -> None:
        if isinstance(fact, Edge):
            bit = 1 << fact.square
            self.levels = self.levels | bit if fact.on else self.levels & ~bit
        elif isinstance(fact, Occupancy):
            self.levels = fact.squares

    def _explore(self, t: int) -> None:
        """Explore at `t` in the game's time, if that is allowed then."""
        self._at(t + self.shift)
        if self.desk.service.why_not_explore(rated=False) is not None:
            return
        self.left -= 1
        self.made += 1
        service, shot = self.desk.service, self.desk.service.snapshot
        assert service.opening is not None
        assert shot.position is not None
        line = exploration_of(service.opening, self.desk.t, shot.position, "line")
        service.explore(line, None if shot.throw is None else shot.throw.faces)
        if service.snapshot.phase is not Phase.OVER:
            self._play_line()
        self._power_cut()
        self.desk.service.go_back()
        self._power_cut()
        self._go_back()
        assert self.desk.service.snapshot == shot
        # No time has passed in the game but one millisecond.
        self.shift = self.desk.t - (t + 1)

    def _play_line(self) -> None:
        desk = self.desk
        if desk.service.snapshot.legal:
            # The hands of a new table begin with a throw.
            move = self.rng.choice(desk.service.snapshot.legal)
            desk.submit(Answer(desk.t, move=move))
        shot, begun = desk.service.snapshot, desk.t
        if shot.position is None or shot.position.turn is None:
            return

        def pass_on(fact: Fact) -> None:
            desk.wait(max(begun + fact.t - desk.t, 0))
            desk.submit(replace(fact, t=desk.t))
            table.show(DisplayState.of(desk.service.snapshot), ())

        rng = Random(f"{self.seed} {self.made}")
        signals = SignalFacts(self.case, pass_on, lambda: table.schedule.now, rng)
        players = SimulatedPlayers(
            any_move, self.case.behaviour, self.case.own_dice, position=shot.position
        )
        table = VirtualTable(
            shot.position.rules,
            f"{self.seed} {self.made}",
            signals.outputs(lambda _on: None),
            players=players,
            equipment=Equipment(spare_dice=self.case.spare_dice),
        )
        signals.connect(table.schedule, rng, table.reeds.levels)
        pass_on(Occupancy(0, table.reeds.levels))
        table.play()
        until = rng.randint(*LINE_MS)
        while table.busy and table.schedule.now < until:
            table.run_next()
            signals.run_due()

    def _power_cut(self) -> None:
        if self.rng.random() > POWER_CUT:
            return
        if self.desk.service.exploring is None:
            # The board showed the position already.
            return
        self.power_cuts += 1
        before, boot_ms = self.desk, self.rng.randint(0, 10**6)
        before.service.abort()
        self.desk = Desk.at(before.path, boot_ms)
        assert self.desk.service.resume() == 1
        before.drop()
        assert self.desk.service.exploring is not None

    def _go_back(self) -> None:
        """Put the pieces back as the game left them, one square after the other."""
        service = self.desk.service
        wrong = [*each_square(service.current.state.contacts.raw ^ self.levels)]
        # What stands on a switch that is left out is not verified, so it must be right before.
        self.rng.shuffle(wrong)
        wrong.sort(key=lambda square: not service.current.state.mask >> square & 1)
        for square in wrong:
            on = bool(self.levels >> square & 1)
            # After the last square the game has continued.
            if square != wrong[-1] and self.rng.random() < MISTAKE:
                self._move(square, on=on)
                self._move(square, on=not on)
            self._move(square, on=on)
        self._wait_in_line()
        assert service.exploring is None, (service.snapshot.fill, service.snapshot.clear)

    def _move(self, square: int, *, on: bool) -> None:
        for level in (on, not on, on):
            self.desk.submit(Edge(self.desk.t, square, level))
            self.desk.wait(BOUNCE_MS)
        self._wait_in_line()

    def _wait_in_line(self) -> None:
        """Wait a while, but not any longer once the game continues."""
        for _ in range(STEP_MS):
            if self.desk.service.exploring is None:
                return
            self.desk.wait(1)
