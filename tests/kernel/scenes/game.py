"""A whole game: `urpi serve` on a real GPIO chip, a real I2C bus and a serial port."""

import json
import shutil
from pathlib import Path
from typing import Final

from tests.kernel.board import HubWire, Place, Table, display
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.guest import MEASURED
from tests.kernel.latency import answers, of_type, percentile, summary
from tests.kernel.program import Program
from tests.kernel.whole_game import (
    Played,
    check_journal,
    play_whole_game,
    wait_until_ready,
)
from urpi.journal import Entry, Journal, entries_of
from urpi.referee import snapshot
from urpi.show.views import draw
from urpi.show.words import words_for

GOAL_MS: Final = 200.0


def play_game(place: Place, findings: Findings) -> Played:
    """Play and referee a whole game."""
    with Chip(*PI_4) as chip, display(place.notes):
        wire = HubWire(place.folder)
        table = Table(chip, wire=wire)
        place.configure(f'[hub]\nport = "{wire.address}"')
        with Program(place.config) as program:
            wait_until_ready(table, program, findings, lambda: wire.is_connected)
            seen = play_whole_game(table, program, place, findings)
        edges = tuple(t for t, _, _ in chip.pulls)
    return Played(table.table, seen, edges, percentile(table.late_ms, 0.99))


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
        "the glass shows what the views draw",
        played.seen.picture.tobytes() == picture.tobytes(),
    )
    measure_latency(entries, played, findings)


if __name__ == "__main__":
    play("game", act)
