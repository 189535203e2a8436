"""A whole game at the simulated board, and whether the journal has what happened."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.kernel.board import Place, Table
from tests.kernel.findings import Findings
from tests.kernel.latency import MS
from tests.kernel.panel import Shown, shown
from tests.kernel.program import Program
from urpi.journal import (
    Journal,
    build_record,
    entries_of,
    find_game,
    replay,
    settings_of,
    timing_of,
)
from urpi.referee import Settings, State, begin, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.show.words import words_for
from urpi.simulation import VirtualTable

STOP_S: Final = 2.0
READY_S: Final = 180.0
THROW_S: Final = 180.0
"""Longest time for one throw and its move, on a machine with other work."""
END_S: Final = 120.0
"""Longest time until a last move that only seems made is accepted, and the result is drawn."""


def finished(journal: Path) -> bool:
    """Return whether the game is finished in the journal."""
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        return bool(database.execute("SELECT count(*) FROM finished").fetchone()[0])


@dataclass(frozen=True)
class Played:
    """The results of a game."""

    table: VirtualTable
    seen: Shown
    edges: tuple[int, ...]
    late_ms: float
    """The 99th percentile of the table's own delays."""


def wait_until_ready(
    table: Table, program: Program, findings: Findings, are_dice_connected: Callable[[], bool]
) -> None:
    """Wait until the service has started and its dice are connected."""

    def ready() -> bool:
        assert program.running, "\n".join(program.lines)
        return are_dice_connected() and bool(program.lines)

    table.run(ready, READY_S, "the service is ready")
    findings.figure(
        "from start to ready", f"{(time.monotonic_ns() - program.started_ns) / 1e9:.1f} s"
    )
    findings.figure("resident", f"{program.resident_mib:.0f} MiB")


def play_whole_game(table: Table, program: Program, place: Place, findings: Findings) -> Shown:
    """Play a whole game with a service that is ready, and return what the display showed."""
    display = table.read_display(place.journal)
    table.run(lambda: display.asks_for_throw, READY_S, "the display asks for a throw")
    began = time.monotonic()
    table.table.play()
    play_until(table, lambda: not table.table.busy)
    table.run(lambda: finished(place.journal), END_S, "the game is finished in the journal")
    findings.figure("the game", f"{time.monotonic() - began:.0f} s")
    finished_ns = time.monotonic_ns()
    table.run(lambda: _is_drawn(place.notes, finished_ns), END_S, "the result is drawn")
    ended_ns = time.monotonic_ns()
    status, took = program.stop()
    findings.check("SIGTERM stops the service", status == 0, status)
    findings.check_time(f"SIGTERM stops it within {STOP_S:.0f} s", took < STOP_S, took)
    findings.figure("from SIGTERM to the end", f"{took:.2f} s")
    return shown(place.notes, ended_ns)


def play_until(table: Table, reached: Callable[[], bool]) -> None:
    """Run the table until a condition holds, with a limit for each throw."""
    while not reached():
        turns = len(table.table.game.turns)

        def progressed(before: int = turns) -> bool:
            return reached() or len(table.table.game.turns) != before

        table.run(progressed, THROW_S, f"throw {turns + 1} is played")


def _is_drawn(notes: Path, since_ns: int) -> bool:
    """Return whether the display was written to since a time, and not for a second now.

    The journal stores a result before it is drawn. If it was drawn before `since_ns`, the next
    write is the probe of the same thread, at most two seconds later.
    """
    *_, last = notes.read_text().splitlines()
    last_ns: int = json.loads(last)[0]
    return last_ns > since_ns and time.monotonic_ns() - last_ns > 1_000 * MS


def check_journal(journal: Journal, number: int, played: Played, findings: Findings) -> State:
    """Check that the journal contains the moves really made; return the final state."""
    entries = entries_of(journal, number)
    state = begin(Settings(words_for("en").sentence, timing_of(settings_of(journal, number))))

    def process(fact: Fact) -> tuple[Decision, ...]:
        nonlocal state
        state, decisions = step(state, fact)
        return decisions

    again = replay(entries, process)
    findings.check(
        "the journal replays exactly", not again.differences and not again.unstored, again
    )
    findings.figure("decisions", str(again.decisions))
    summary = find_game(journal, number)
    game = played.table.game
    true = [(turn.side, turn.faces, turn.move, turn.taken_back) for turn in game.turns]
    record = build_record(entries, summary.started)
    stored = [
        (turn.side, thrown.faces, one.move, one.taken_back)
        for turn in record.turns
        for thrown in turn.throws
        for one in thrown.plays
    ]
    findings.check("the record is what truly happened", stored == true, (stored, true))
    won = game.winner is not None and summary.result == game.winner.value
    findings.check("the winner is the same", won, (summary.result, game.winner))
    findings.figure("plays", str(len(true)))
    return state
