"""One simulated game, in which the program is killed at random moments.

The table with its pieces, dice and hub is simulated here, and continues while the program is down.
"""

import json
import shutil
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.resume.program_process import PATIENCE_S, FailedError, KilledError, ProgramProcess
from urpi.journal import Journal, build_record, entries_of, find_game
from urpi.journal.check import CheckVerdict, check_game
from urpi.journal.files import companion
from urpi.referee.seats import PERSONS, Seats, engine_sides
from urpi.rules import Side, Starter, each_square, parse_rules, parse_square, squares_of
from urpi.simulation import PLAYERS, Outputs, SimulatedPlayers, VirtualTable, behaviour, open_wire
from urpi.simulation.display_state import DisplayState

MAX_TURNS = 250
"""Maximum number of turns of a game, so that every rule set gets its share of the kills."""
RESENT_S = 0.5
"""Time after which a report that a killed program had read is known to be unacknowledged."""
KILL_WITHIN_S = 0.2
"""A kill is scheduled within this time. A turn takes some tens of milliseconds here."""
PLAN_EVENTS = 12
"""Number of events after the engine's plan, such as edges and reports, one of which is chosen."""
AFTER_PLAN_S = 0.02
"""A kill during the engine's turn follows that event within this time."""
UNSEEN_CHANCE = 0.02
"""Chance before each turn that the program is killed for each of two special cases."""
MOVES_ON_CHANCE = 0.5
"""Chance that a move in progress continues while the program is down."""
OUTAGE_MS = 1500
STILL_MS = 16_000
"""Time after which the referee has reported what is wrong on the board."""


class OverError(Exception):
    """The program was killed after the end of the game was stored, so nothing can be resumed."""


@dataclass
class Figures:
    """The figures of a measurement."""

    kills: Counter[str] = field(default_factory=Counter)
    games: int = 0
    finished: int = 0
    shown: int = 0
    stored_unseen: int = 0
    logs: int = 0
    """Number of kills that left a write-ahead log."""
    plans: int = 0
    """Number of kills in the engine's turn, with its plan stored."""
    resumed_ms: list[float] = field(default_factory=list)


class LivingTable(VirtualTable):
    """A table that continues while the program is down."""

    @property
    def reeds_now(self) -> int:
        """The squares whose contacts are closed when they have settled."""
        return self.pieces.occupancy


class KilledGame:
    """One game in which the program is killed."""

    def __init__(
        self,
        rules: str,
        seed: int,
        path: Path,
        figures: Figures,
        rng: Random,
        seats: Seats = PERSONS,
    ) -> None:
        self.seats = seats
        self.rules, self.path, self.figures, self.rng = parse_rules(rules), path, figures, rng
        drawn = self.rules.starter in {Starter.DRAWN, Starter.CHOICE}
        self.first = Side.DARK if drawn else None
        self.wire = open_wire("pty", path.parent)
        self.process: ProgramProcess | None = None
        outputs = Outputs(self._square, self._button, wire=self.wire)
        players = SimulatedPlayers(
            PLAYERS["greedy"], behaviour("calm"), first=self.first, engine=engine_sides(seats)
        )
        self.table = LivingTable(self.rules, seed, outputs, players=players)
        self.stored: list[str] = []
        self.events_to_kill: int | None = None
        """Events with a plan until the program is killed, None if that is not scheduled so."""
        self.process = ProgramProcess(self)

    def _square(self, square: int, on: bool) -> None:
        if self.process is not None:
            self.process.send("square", square, on)

    def _button(self, side: Side, down: bool) -> None:
        if self.process is not None:
            self.process.send("button", side.value, down)

    # Events

    def run(self) -> dict[str, Any]:
        """Let the next event happen, at the table or in the program; kill it if that is due."""
        try:
            state = self._quiet_state()
            self._show(state)
            self._kill_during_plan(state)
            if state["choices"]:
                # Simulated players would not notice that their choice was lost.
                self._process.kill_at = None
            due = state["due"]
            now, table_due = self.table.schedule.now, self.table.next_due
            assert table_due is not None
            if due is not None and now + due < table_due:
                self.table.schedule.advance(max(now + due, now + 1))
            else:
                self.table.run_next()
            return self._work()
        except KilledError:
            self._check_stored()
            if self.stored and '"type":"won"' in self.stored[-1]:
                self.figures.kills["when it was won"] += 1
                raise OverError from None
            self._restart_after_outage()
            return self._process.state

    def _kill_during_plan(self, state: dict[str, Any]) -> None:
        """Schedule the kill once the chosen event after the engine's plan has come."""
        if self.events_to_kill is None or state["planned"] is None:
            return
        self.events_to_kill -= 1
        if self.events_to_kill < 0:
            self.events_to_kill = None
            self._process.kill_at = time.monotonic() + self.rng.uniform(0.0, AFTER_PLAN_S)

    @property
    def _process(self) -> ProgramProcess:
        assert self.process is not None
        return self.process

    def _work(self) -> dict[str, Any]:
        return self._process.work()

    def _quiet_state(self) -> dict[str, Any]:
        """Return the program's state when it has processed everything that was sent."""
        began = time.monotonic()
        while True:
            self.table.rig.poll()
            acknowledged, drained = self.table.rig.acknowledged, self.wire.drained
            state = self._work()
            waited = time.monotonic() - began
            if drained and state["idle"] and state["alive"] and (acknowledged or waited > RESENT_S):
                return state
            if waited > PATIENCE_S:
                raise FailedError(f"the program does not receive from the hub: {state}")
            time.sleep(0.0002)

    def _show(self, state: dict[str, Any]) -> None:
        """Show the players at the table what the OLED shows."""
        fill, clear = (squares_of(map(parse_square, state[key])) for key in ("fill", "clear"))
        choices, planned = tuple(state["choices"]), state["planned"]
        self.table.show(
            DisplayState(
                throw=self.table.game.throw,
                fill=fill,
                clear=clear,
                ask="move" if choices else "",
                choices=choices,
                planned=planned,
                thinking=planned is None,
            )
        )

    def play(self, enough: Any) -> None:
        """Play until the game is over, without further kills once `enough` returns True."""
        with suppress(OverError):
            while self.table.game.position.turn is not None:
                if len(self.table.game.turns) >= MAX_TURNS:
                    return
                if enough():
                    self._process.kill_at = self.events_to_kill = None
                else:
                    self._prepare_kill()
                self._turn()
        self.figures.finished += 1

    def _turn(self) -> None:
        """One throw and its move."""
        self.table.play(max_turns=len(self.table.game.turns) + 1)
        deadline = time.monotonic() + PATIENCE_S
        while self.table.busy or self._process.state["position"] != str(self.table.game.position):
            # After a kill, the program may ask when the players have finished their turn.
            self.table.follow_display()
            self.run()
            if time.monotonic() > deadline:
                raise FailedError(f"{self._process.state} but in fact {self.table.game.position}")

    def _prepare_kill(self) -> None:
        """Schedule a kill at a random moment of the next turns, or kill between two turns.

        In a game of the engine it is a moment between its plan and the end of its move.
        """
        if engine_sides(self.seats):
            # A displaced piece can look like two moves taken back, which hands cannot play again.
            if self.events_to_kill is None:
                self.events_to_kill = self.rng.randrange(PLAN_EVENTS)
            return
        chance = self.rng.random()
        if chance < UNSEEN_CHANCE:
            self._displace_while_down()
        elif chance < 2 * UNSEEN_CHANCE:
            self._throw_while_down()
        if self._process.kill_at is None:
            self._process.kill_at = time.monotonic() + self.rng.uniform(0.0, KILL_WITHIN_S)

    # Kills

    def _check_stored(self) -> None:
        """Check after a kill that no displayed decision is missing or stored twice."""
        process, self.process = self._process, None
        stored = self._read_stored()
        before = len(self.stored)
        if stored[:before] != self.stored:
            raise FailedError("what was stored before is no longer so")
        seen = stored[before : before + len(process.shown)]
        if seen != process.shown:
            raise FailedError(f"shown {process.shown[-3:]}, stored {seen[-3:]}")
        self.figures.shown += len(process.shown)
        self.figures.stored_unseen += len(stored) - before - len(process.shown)
        self.stored = stored

    def _read_stored(self) -> list[str]:
        """Read the decisions from a copy of the journal, so that the journal is not changed."""
        log = companion(self.path, "-wal")
        with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
            copy = Path(folder) / self.path.name
            shutil.copyfile(self.path, copy)
            if log.exists():
                self.figures.logs += log.stat().st_size > 0
                shutil.copyfile(log, companion(copy, "-wal"))
            with Journal.open(copy) as opened:
                game = opened.latest_game()
                if game is None:
                    return []
                entries = entries_of(opened, game)
        return [entry.line for entry in entries if entry.kind == "decision"]

    def _restart_after_outage(self) -> None:
        """Start the program again; the players may have continued their move before."""
        # The players have chosen their move, and the program waits for it.
        moving = self._pending_faces() is not None and self.table.game.throw is None
        if self.table.busy and moving and self.rng.random() < MOVES_ON_CHANCE:
            self.figures.kills["while a move continued"] += 1
            self._continue_unseen()
        else:
            self.figures.kills["restarted at once"] += 1
        self._restart()

    def _continue_unseen(self) -> None:
        until = self.table.schedule.now + self.rng.randint(1, OUTAGE_MS)
        while self.table.busy and self.table.schedule.now < until:
            due = self.table.schedule.next_due
            if due is None or due > until:
                break
            self.table.schedule.run_next()

    def _restart(self) -> None:
        self.process = process = ProgramProcess(self)
        state = process.state
        if state["resumed"]:
            self.figures.resumed_ms.append(state["took_ms"])
            pending = self._pending_faces()
            if (state["phase"] == "move", state["faces"]) != (pending is not None, pending):
                raise FailedError(
                    f"resumed with {state['faces']} in {state['phase']}, not {pending}"
                )
            plan = self._pending_plan()
            self.figures.plans += plan is not None
            if plan is not None and state["planned"] != plan:
                raise FailedError(f"resumed with the plan {state['planned']}, not {plan}")
        elif self.stored:
            raise FailedError("the game was not resumed")

    def _pending_faces(self) -> str | None:
        """Return the faces still to be played according to the stored decisions."""
        pending = None
        played: list[str | None] = []
        for line in self.stored:
            decision = json.loads(line)
            if decision["type"] == "roll":
                pending = decision["faces"]
            elif decision["type"] == "move":
                played.append(pending)
                pending = None
            elif decision["type"] in {"pass", "won"}:
                pending = None
            elif decision["type"] == "takeback":
                pending = played.pop()
        return pending

    def _pending_plan(self) -> str | None:
        """Return the engine's move for the throw still to be played, by the stored decisions."""
        plan = None
        played: list[str | None] = []
        for line in self.stored:
            decision = json.loads(line)
            if decision["type"] == "planned":
                plan = decision.get("move")
            elif decision["type"] == "move":
                played.append(plan)
                plan = None
            elif decision["type"] in {"roll", "won"}:
                plan = None
            elif decision["type"] == "takeback":
                plan = played.pop()
        return plan

    def _kill_now(self, how: str) -> None:
        self._process.kill_at = None
        self._quiet_state()
        self._process.kill()
        self._check_stored()
        self.figures.kills[how] += 1

    def _displace_while_down(self) -> None:
        """Displace a piece while the program is down: it must be reported, and is corrected."""
        standing = list(each_square(self.table.pieces.occupancy))
        empty = [s for s in range(20) if s not in standing]
        if not standing or self.table.game.turns == []:
            return
        self._kill_now("piece displaced")
        lifted = self.rng.choice(standing)
        self.table.lift(lifted)
        if self.rng.random() < 0.5 and (side := self._spare_side()) is not None:
            self.table.put(self.rng.choice(empty), side)
        moved = self.table.pieces.occupancy != self.table.game.position.occupancy
        self._restart()
        self._run_for(STILL_MS)
        state = self._process.state
        # The hands may have corrected the board by now.
        warned = any('"type":"warning"' in line for line in self._process.shown)
        guided = warned or bool(state["fill"] or state["clear"])
        if guided != moved and not self._may_be_taken_back():
            raise FailedError(f"displaced {moved}, guided {guided}: {state}")
        self.table.restore_board()
        self._run_while_busy()

    def _may_be_taken_back(self) -> bool:
        """Whether the board shows an earlier position, which is a take-back."""
        before = {turn.before.occupancy for turn in self.table.game.turns[-4:]}
        return self.table.pieces.occupancy in before or self.table.pieces.occupancy.bit_count() < 1

    def _spare_side(self) -> Side | None:
        return next((side for side in Side if self.table.pieces.reserve[side.number]), None)

    def _throw_while_down(self) -> None:
        """Throw dice while the program is down: that throw must not count."""
        self._kill_now("dice thrown unseen")
        dice = self.table.dice_of[(self.table.game.to_throw or Side.LIGHT).number]
        rolls = sum('"type":"roll"' in line for line in self.stored)
        self.table.schedule.start(self.table.dice.throw(dice))
        self.table.schedule.advance(self.table.schedule.now + 2000)
        self._restart()
        self._run_for(STILL_MS)
        shown = sum('"type":"roll"' in line for line in [*self.stored, *self._process.shown])
        if shown != rolls:
            raise FailedError("a throw counted although the program was down")

    def _run_for(self, ms: int) -> None:
        until = self.table.schedule.now + ms
        while self.table.schedule.now < until:
            self.run()

    def _run_while_busy(self) -> None:
        while self.table.busy:
            self.run()
        self._run_for(1000)

    # The end

    def close(self) -> None:
        """Replay the stored game, and compare its record with what really happened."""
        if self.process is not None:
            self._process.kill_at = None
            self._quiet_state()
            self._process.kill()
            self._check_stored()
        self.wire.unplug()
        with Journal.open(self.path) as journal:
            game = journal.latest_game()
            assert game is not None
            checked = check_game(journal, game)
            summary = find_game(journal, game)
            record = build_record(entries_of(journal, game), summary.started)
        if checked.verdict is not CheckVerdict.SAME:
            raise FailedError(f"the replay differs: {checked}")
        self._check_plans()
        recorded = [
            (turn.side, thrown.faces, play.move)
            for turn in record.turns
            for thrown in turn.throws
            for play in thrown.plays
            if not play.taken_back
        ]
        played = [(t.side, t.faces, t.move) for t in self.table.game.turns if not t.taken_back]
        if recorded != played:
            raise FailedError(f"the record is {recorded[-3:]}, in fact it was {played[-3:]}")
        winner = self.table.game.winner
        if (summary.result, summary.finished is not None) != (
            winner.value if winner else None,
            winner is not None,
        ):
            raise FailedError(f"the result is {summary.result}, in fact it was {winner}")

    def _check_plans(self) -> None:
        """Check that the engine has chosen once for each throw, however often it was killed."""
        chosen = 0
        for line in self.stored:
            kind = json.loads(line)["type"]
            chosen = 0 if kind == "roll" else chosen + (kind == "planned")
            if chosen > 1:
                raise FailedError("the engine has chosen twice for a throw")
