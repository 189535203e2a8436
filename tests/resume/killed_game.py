"""One simulated game, and the program killed in it at random moments.

The table, its pieces, dice and hub, live here, and go on while the program is down.
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

from tests.resume.life import PATIENCE_S, KilledError, Life, WrongError
from urpi.journal import Journal, build_record, entries_of, find_game
from urpi.journal.check import Verdict, check_game
from urpi.journal.files import companion
from urpi.rules import Side, Starter, each_square, parse_rules, parse_square, squares_of
from urpi.simulation import PLAYERS, Outputs, SimulatedPlayers, VirtualTable, behaviour, open_wire

MOST_TURNS = 250
"""A game that is not over by then is left: so every rule set has its share of the kills."""
RESENT_S = 0.05
"""What a killed program has read is not acknowledged in this time: the hub will say it again."""
KILL_WITHIN_S = 0.2
"""A turn takes some tens of milliseconds here."""
UNSEEN_CHANCE = 0.02
"""Before a turn, of each of the outages in which something else happens at the table."""
MOVES_ON_CHANCE = 0.5
OUTAGE_MS = 1500
STILL_MS = 16_000
"""The referee has said by then what is wrong on the board."""


class OverError(Exception):
    """The program was killed when the end of the game was stored: there is nothing to resume."""


@dataclass
class Figures:
    """What happened."""

    kills: Counter[str] = field(default_factory=Counter)
    games: int = 0
    finished: int = 0
    shown: int = 0
    stored_unseen: int = 0
    logs: int = 0
    """Kills that left a write-ahead log to be read."""
    resumed_ms: list[float] = field(default_factory=list)


class LivingTable(VirtualTable):
    """A table that goes on while the program is down."""

    @property
    def reeds_now(self) -> int:
        """The squares whose contacts are closed, once they have come to rest."""
        return self.pieces.occupancy


class KilledGame:
    """One game, and the program killed in it."""

    def __init__(self, rules: str, seed: int, path: Path, figures: Figures, rng: Random) -> None:
        self.rules, self.path, self.figures, self.rng = parse_rules(rules), path, figures, rng
        drawn = self.rules.starter in {Starter.DRAWN, Starter.CHOICE}
        self.first = Side.DARK if drawn else None
        self.wire = open_wire("pty", path.parent)
        self.life: Life | None = None
        outputs = Outputs(self._square, self._button, wire=self.wire)
        players = SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"), first=self.first)
        self.table = LivingTable(self.rules, seed, outputs, players=players)
        self.stored: list[str] = []
        self.life = Life(self)

    def _square(self, square: int, on: bool) -> None:
        if self.life is not None:
            self.life.tell("square", square, on)

    def _button(self, side: Side, down: bool) -> None:
        if self.life is not None:
            self.life.tell("button", side.value, down)

    # Letting things happen

    def run(self) -> dict[str, Any]:
        """The next thing happens, at the table or in the program; it is killed when that is due."""
        try:
            state = self._heard()
            self._show(state)
            if state["choices"]:
                # Blind hands would press on, where a person sees that the choice was forgotten.
                self._life.kill_at = None
            due = state["due"]
            now, table_due = self.table.schedule.now, self.table.next_due
            assert table_due is not None
            if due is not None and now + due < table_due:
                self.table.schedule.advance(max(now + due, now + 1))
            else:
                self.table.run_next()
            return self._work()
        except KilledError:
            self._mourn()
            if self.stored and '"type":"won"' in self.stored[-1]:
                self.figures.kills["when it was won"] += 1
                raise OverError from None
            self._revive_after_outage()
            return self._life.state

    @property
    def _life(self) -> Life:
        assert self.life is not None
        return self.life

    def _work(self) -> dict[str, Any]:
        return self._life.work()

    def _heard(self) -> dict[str, Any]:
        """The state when the program has heard all that was said."""
        began = time.monotonic()
        while True:
            self.table.poll()
            acknowledged, drained = self.table.acknowledged, self.wire.drained
            state = self._work()
            waited = time.monotonic() - began
            if drained and state["idle"] and state["alive"] and (acknowledged or waited > RESENT_S):
                return state
            if waited > PATIENCE_S:
                raise WrongError(f"the program does not hear the hub: {state}")
            time.sleep(0.0002)

    def _show(self, state: dict[str, Any]) -> None:
        """The people at the table read the OLED."""
        fill, clear = (squares_of(map(parse_square, state[key])) for key in ("fill", "clear"))
        self.table.show_corrections(fill, clear)
        self.table.show_move_question(tuple(state["choices"]))

    def play(self, enough: Any) -> None:
        """Play until the game is over; there are no more kills when there were `enough`."""
        with suppress(OverError):
            while self.table.game.position.turn is not None:
                if len(self.table.game.turns) >= MOST_TURNS:
                    return
                if enough():
                    self._life.kill_at = None
                else:
                    self._prepare_kill()
                self._turn()
        self.figures.finished += 1

    def _turn(self) -> None:
        """One throw and its move."""
        self.table.play(max_turns=len(self.table.game.turns) + 1)
        deadline = time.monotonic() + PATIENCE_S
        while self.table.busy or self._life.state["position"] != str(self.table.game.position):
            if not self.table.busy and (self.table.prompts.choices or self.table.prompts.wrong):
                # What was lost with the program may be asked for when the hands rest already.
                self.table._act(self.table._conductor.follow_display())
            self.run()
            if time.monotonic() > deadline:
                raise WrongError(f"{self._life.state} but truly {self.table.game.position}")

    def _prepare_kill(self) -> None:
        """A kill at a random moment of the next turns, or one between two of them."""
        chance = self.rng.random()
        if chance < UNSEEN_CHANCE:
            self._displace_while_down()
        elif chance < 2 * UNSEEN_CHANCE:
            self._throw_while_down()
        if self._life.kill_at is None:
            self._life.kill_at = time.monotonic() + self.rng.uniform(0.0, KILL_WITHIN_S)

    # Kills

    def _mourn(self) -> None:
        """After a kill: not one decision that was shown is missing, none is doubled."""
        life, self.life = self._life, None
        stored = self._read_stored()
        before = len(self.stored)
        if stored[:before] != self.stored:
            raise WrongError("what was stored before is no longer so")
        seen = stored[before : before + len(life.shown)]
        if seen != life.shown:
            raise WrongError(f"shown {life.shown[-3:]}, stored {seen[-3:]}")
        self.figures.shown += len(life.shown)
        self.figures.stored_unseen += len(stored) - before - len(life.shown)
        self.stored = stored

    def _read_stored(self) -> list[str]:
        """The decisions that a copy of the journal holds; the program's own is not touched."""
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

    def _revive_after_outage(self) -> None:
        """Start the program again; the hands may have gone on with the move in the meantime."""
        # The players have chosen their move, and the program waits to see it.
        moving = self._owed_throw() is not None and self.table.game.throw is None
        if self.table.busy and moving and self.rng.random() < MOVES_ON_CHANCE:
            self.figures.kills["while a move went on"] += 1
            self._go_on_unseen()
        else:
            self.figures.kills["at once again"] += 1
        self._revive()

    def _go_on_unseen(self) -> None:
        until = self.table.schedule.now + self.rng.randint(1, OUTAGE_MS)
        while self.table.busy and self.table.schedule.now < until:
            due = self.table.schedule.next_due
            if due is None or due > until:
                break
            self.table.schedule.run_next()

    def _revive(self) -> None:
        self.life = life = Life(self)
        state = life.state
        if state["lives"]:
            self.figures.resumed_ms.append(state["took_ms"])
            owed = self._owed_throw()
            if (state["phase"] == "move", state["faces"]) != (owed is not None, owed):
                raise WrongError(f"came back with {state['faces']} in {state['phase']}, not {owed}")
        elif self.stored:
            raise WrongError("the game was not resumed")

    def _owed_throw(self) -> str | None:
        """The faces that are to be played, by what is stored."""
        owed = None
        thrown: list[str] = []
        for line in self.stored:
            told = json.loads(line)
            if told["type"] == "roll":
                owed = told["faces"]
                thrown.append(owed)
            elif told["type"] in {"move", "pass", "won"}:
                owed = None
            elif told["type"] == "takeback":
                owed = thrown[-1]
        return owed

    def _kill_now(self, how: str) -> None:
        self._life.kill_at = None
        self._heard()
        self._life.kill()
        self._mourn()
        self.figures.kills[how] += 1

    def _displace_while_down(self) -> None:
        """Somebody moves a piece while nobody watches: it is noticed, and put right."""
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
        self._revive()
        self._let_pass(STILL_MS)
        state = self._life.state
        # The hands may have corrected the board by now.
        warned = any('"type":"warning"' in line for line in self._life.shown)
        guided = warned or bool(state["fill"] or state["clear"])
        if guided != moved and not self._may_be_taken_back():
            raise WrongError(f"displaced {moved}, guided {guided}: {state}")
        self.table.restore_board()
        self._run_while_busy()

    def _may_be_taken_back(self) -> bool:
        """Whether the displaced board is one from before, which is a take-back."""
        before = {turn.before.occupancy for turn in self.table.game.turns[-4:]}
        return self.table.pieces.occupancy in before or self.table.pieces.occupancy.bit_count() < 1

    def _spare_side(self) -> Side | None:
        return next((side for side in Side if self.table.pieces.reserve[side.number]), None)

    def _throw_while_down(self) -> None:
        """Dice are thrown while nobody watches: that throw does not count."""
        self._kill_now("dice thrown unseen")
        dice = self.table.dice_of[(self.table.game.to_throw or Side.LIGHT).number]
        rolls = sum('"type":"roll"' in line for line in self.stored)
        self.table.schedule.start(self.table.dice.throw(dice))
        self.table.schedule.advance(self.table.schedule.now + 2000)
        self._revive()
        self._let_pass(STILL_MS)
        shown = sum('"type":"roll"' in line for line in [*self.stored, *self._life.shown])
        if shown != rolls:
            raise WrongError("a throw counted that nobody saw")

    def _let_pass(self, ms: int) -> None:
        until = self.table.schedule.now + ms
        while self.table.schedule.now < until:
            self.run()

    def _run_while_busy(self) -> None:
        while self.table.busy:
            self.run()
        self._let_pass(1000)

    # The end

    def close(self) -> None:
        """Everything is stored; replay it, and hold the record against what truly happened."""
        if self.life is not None:
            self._life.kill_at = None
            self._heard()
            self._life.kill()
            self._mourn()
        self.wire.unplug()
        with Journal.open(self.path) as journal:
            game = journal.latest_game()
            assert game is not None
            checked = check_game(journal, game)
            summary = find_game(journal, game)
            record = build_record(entries_of(journal, game), summary.started)
        if checked.verdict is not Verdict.SAME:
            raise WrongError(f"the replay differs: {checked}")
        told = [
            (turn.side, thrown.faces, play.move)
            for turn in record.turns
            for thrown in turn.throws
            for play in thrown.plays
            if not play.taken_back
        ]
        true = [(t.side, t.faces, t.move) for t in self.table.game.turns if not t.taken_back]
        if told != true:
            raise WrongError(f"the record is {told[-3:]}, truly it was {true[-3:]}")
        winner = self.table.game.winner
        if (summary.result, summary.finished is not None) != (
            winner.value if winner else None,
            winner is not None,
        ):
            raise WrongError(f"the result is {summary.result}, truly it was {winner}")
