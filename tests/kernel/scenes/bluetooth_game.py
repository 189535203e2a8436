"""Games with Pixels: `urpi serve` with real bleak, bluetoothd, D-Bus and Bluetooth controller."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kernel.bluez import system_bus
from tests.kernel.board import BEHAVIOUR, RULES, SHORT_GAME
from tests.kernel.bumble_room import decisions, measure_latency, rolls, room
from tests.kernel.findings import Findings, play
from tests.kernel.latency import percentile
from tests.kernel.program import Program
from tests.kernel.whole_game import (
    READY_S,
    Played,
    check_journal,
    play_until,
    play_whole_game,
)
from urpi.journal import Journal, entries_of

SOME_THROWS: Final = 6
FORGETFUL: Final = replace(BEHAVIOUR, die_dead=0.5)
"""Players whose die is often out of range when they throw it."""


def play_finkel(findings: Findings) -> None:
    """Play a whole game with four dice."""
    with room(Path.cwd() / "finkel", RULES, SHORT_GAME) as at:
        with Program(at.place.config) as program:
            seen = play_whole_game(
                at.table, program, at.place, findings, lambda: at.are_dice_connected
            )
        edges = tuple(t_ns for t_ns, _die, _message in at.air.sends)
        late_ms = percentile(at.table.late_ms, 0.99)
        played = Played(at.table.table, seen, edges, late_ms)
        with Journal.open(at.place.journal) as journal:
            entries = entries_of(journal, 1)
            check_journal(journal, 1, played, findings)
        measure_latency(entries, at.air, seen, findings)
        findings.figure("messages of the dice", str(len(at.air.sends)))
        used = at.neighbour.connections
        findings.check("the neighbour's die is never used", used == 0, used)
        lost = [one.connections for one in at.air.own]
        findings.check("each die was connected once", lost == [1, 1, 1, 1], lost)


def play_ravensburger(findings: Findings) -> None:
    """Play some throws with one die of six faces, some of them entered by hand."""
    folder, configured = Path.cwd() / "ravensburger", 'rules = "ravensburger"'
    with room(folder, "ravensburger", configured, FORGETFUL) as at:
        table = at.table
        with Program(at.place.config) as program:

            def are_stored() -> bool:
                return rolls(at.place.journal) == [turn.faces for turn in table.table.game.turns]

            table.run(
                lambda: at.are_dice_connected and bool(program.lines),
                READY_S,
                "it is ready",
            )
            display = table.read_display(at.place.journal)
            table.run(lambda: display.asks_for_throw, READY_S, "the display asks for a throw")
            table.table.play(SOME_THROWS)
            play_until(table, lambda: not table.table.busy)
            table.run(are_stored, READY_S, "the throws are stored")
            stored = rolls(at.place.journal)
            questions = decisions(at.place.journal, "question")
            program.stop()
        findings.check("in ravensburger a d6 counts as itself", len(stored) == SOME_THROWS, stored)
        asked = [one for one in questions if one["ask"] == "faces"]
        findings.check("a throw of a die out of range is entered by hand", bool(asked), questions)


def act(findings: Findings) -> None:
    """Play both games."""
    with system_bus(Path.cwd()):
        play_finkel(findings)
        play_ravensburger(findings)


if __name__ == "__main__":
    play("bluetooth_game", act)
