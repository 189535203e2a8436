"""A whole game: `urpi serve` on a real GPIO chip, a real I2C bus and a serial port."""

import json
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.kernel.board import Place, Table, display
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.guest import MEASURED
from tests.kernel.latency import MS, answers, of_type, percentile, summary
from tests.kernel.panel import Shown, shown
from tests.kernel.program import Program
from urpi.journal import (
    Entry,
    Journal,
    build_record,
    entries_of,
    find_game,
    replay,
    settings_of,
    timing_of,
)
from urpi.referee import Settings, State, begin, snapshot, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.simulation import VirtualTable
from urpi.views import draw
from urpi.words import words_for

GOAL_MS: Final = 200.0
STOP_S: Final = 2.0
READY_S: Final = 60.0
GAME_S: Final = 240.0
END_S: Final = 20.0
"""Seconds until a last move that only seems made is accepted, and more."""


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


def play_game(place: Place, findings: Findings) -> Played:
    """Play and referee a whole game."""
    with Chip(*PI_4) as chip, display(place.notes):
        table = Table(chip, place.folder)
        place.configure(table.hub)
        with Program(place.config) as program:
            seen = _play(table, program, place, findings)
        edges = tuple(t for t, _, _ in chip.pulls)
    return Played(table.table, seen, edges, percentile(table.late_ms, 0.99))


def _play(table: Table, program: Program, place: Place, findings: Findings) -> Shown:
    def ready() -> bool:
        assert program.running, "\n".join(program.lines)
        return table.is_connected and bool(program.lines)

    table.run(ready, READY_S, "the service is ready")
    findings.figure(
        "from start to ready", f"{(time.monotonic_ns() - program.started_ns) / 1e9:.1f} s"
    )
    findings.figure("resident", f"{program.resident_mib:.0f} MiB")
    began = time.monotonic()
    table.table.play()
    table.run(lambda: not table.table.busy, GAME_S, "the game is played")
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


def measure_latency(entries: tuple[Entry, ...], played: Played, findings: Findings) -> None:
    """Measure the delay from the last edge to the changed bytes."""
    lines = [json.loads(entry.line) for entry in entries if entry.kind == "decision"]
    plain = of_type(lines, type="move", confidence="sensed")
    found = answers(plain, played.edges, played.seen.writes)
    first = [answer.first_ms for answer in found]
    findings.figure("last edge to the decision", summary(a.decided_ms for a in found))
    findings.figure("last edge to the first changed byte", summary(first))
    findings.figure("last edge to the whole picture", summary(a.whole_ms for a in found))
    seems = answers(of_type(lines, type="seems"), played.edges, played.seen.writes)
    findings.figure("the same to a move that seems made", summary(a.first_ms for a in seems))
    findings.figure("a nap of the table was longer than meant by", f"p99 {played.late_ms:.1f} ms")
    findings.check_time(
        f"the display answers an edge within {GOAL_MS:.0f} ms (p99)",
        bool(first) and percentile(first, 0.99) < GOAL_MS,
        [round(each) for each in sorted(first)],
    )


def act(findings: Findings) -> None:
    """Play the game, then check its results."""
    place = Place(Path.cwd())
    played = play_game(place, findings)
    findings.figure("edges pulled", str(len(played.edges)))
    (MEASURED / "edges.json").write_text(json.dumps(played.edges))
    for left in (place.journal, place.notes):
        shutil.copy(left, MEASURED)
    with Journal.open(place.journal) as journal:
        entries = entries_of(journal, 1)
        state = check_journal(journal, 1, played, findings)
    edges = sum(json.loads(e.line)["type"] == "square" for e in entries if e.kind == "fact")
    findings.figure("edges stored", str(edges))
    findings.figure("writes to the display", str(len(played.seen.writes)))
    picture = draw(snapshot(state), words_for("en"))
    findings.check(
        "the glass shows what the views draw", played.seen.picture.tobytes() == picture.tobytes()
    )
    measure_latency(entries, played, findings)


if __name__ == "__main__":
    play("game", act)
