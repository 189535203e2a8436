"""Eight Pixels, four of each side: reconnections, and the delay of throws."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.kernel.bluez import system_bus
from tests.kernel.bumble_room import Room, measure_latency, rolls, room
from tests.kernel.findings import Findings, play
from tests.kernel.panel import shown
from tests.kernel.program import Program
from tests.kernel.whole_game import READY_S, play_until
from urpi.hardware.pixels import WHO_ARE_YOU
from urpi.journal import Journal, entries_of

THROWS: Final = 100
RECONNECT_S: Final = 5.0
RECONNECTS: Final = 3


def reconnect(at: Room, findings: Findings) -> None:
    """Move a die out of range and back."""
    die, took = at.air.own[-1], []
    for _ in range(RECONNECTS):
        greetings = die.received.count(WHO_ARE_YOU)
        at.air.move(die, in_range=False)
        at.air.move(die, in_range=True)
        began = time.monotonic()
        is_back: Callable[[], bool] = lambda n=greetings: die.received.count(WHO_ARE_YOU) > n  # noqa: E731
        at.table.run(is_back, READY_S, "the die is back")
        took.append(time.monotonic() - began)
    findings.figure("reconnected within", ", ".join(f"{one:.1f} s" for one in took))
    limit = f"a die is reconnected within {RECONNECT_S:.0f} s"
    findings.check_time(limit, max(took) < RECONNECT_S, took)


def act(findings: Findings) -> None:
    """Play many throws."""
    with (
        system_bus(Path.cwd()),
        room(Path.cwd() / "table", "finkel", 'rules = "finkel"', own_dice=True) as at,
        Program(at.place.config) as program,
    ):
        table = at.table
        is_ready = lambda: at.are_dice_connected and bool(program.lines)  # noqa: E731
        table.run(is_ready, READY_S, "it is ready")
        findings.check("eight dice are connected", len(at.air.own) == 8, at.air.own)
        reconnect(at, findings)
        display = table.read_display(at.place.journal)
        table.run(lambda: display.asks_for_throw, READY_S, "the display asks for a throw")
        table.table.play(THROWS)
        play_until(table, lambda: not table.table.busy)
        turns = table.table.game.turns

        def are_stored() -> bool:
            return rolls(at.place.journal) == [turn.faces for turn in turns]

        table.run(are_stored, READY_S, "the throws are stored")
        findings.check("each throw is stored", len(turns) == THROWS, len(turns))
        seen = shown(at.place.notes, time.monotonic_ns())
        program.stop()
    with Journal.open(at.place.journal) as journal:
        measure_latency(entries_of(journal, 1), at.air, seen, findings)


if __name__ == "__main__":
    play("bluetooth_eight", act)
