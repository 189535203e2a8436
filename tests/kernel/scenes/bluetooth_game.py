"""Games with Pixels: `urpi serve` with real bleak, bluetoothd, D-Bus and Bluetooth controller."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tests.kernel.bluez import Bluetoothd, system_bus
from tests.kernel.board import BEHAVIOUR, RULES, SEED, SHORT_GAME, Place, Table, display
from tests.kernel.bumble_air import BumbleAir, Peripheral
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.latency import answers, of_type, percentile, summary
from tests.kernel.program import Program
from tests.kernel.whole_game import (
    READY_S,
    Played,
    check_journal,
    play_until,
    play_whole_game,
)
from urpi.devices.pixels import WHO_ARE_YOU
from urpi.journal import Entry, Journal, entries_of
from urpi.simulation import Behaviour, Equipment
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.bluetooth_rig import bluetooth_rig
from urpi.simulation.virtual_dice import DieReport

GOAL_MS: Final = 150.0
NEIGHBOUR: Final = 99
"""The number of a die of another table, which is not paired here."""
SOME_THROWS: Final = 6
FORGETFUL: Final = replace(BEHAVIOUR, die_dead=0.5)
"""Players whose die is often out of range when they throw it."""


@dataclass
class Room:
    """A table with Pixels, and a die of another table within range."""

    place: Place
    table: Table
    air: BumbleAir
    neighbour: Peripheral

    @property
    def are_dice_connected(self) -> bool:
        """Whether the program has greeted all dice of the table."""
        return all(WHO_ARE_YOU in one.received for one in self.air.own)


@contextmanager
def room(
    folder: Path, rules: str, configured: str, behaviour: Behaviour = BEHAVIOUR
) -> Iterator[Room]:
    """Set up a table, and configure its dice as paired."""
    folder.mkdir()
    place = Place(folder)
    with (
        BumbleAir() as air,
        Bluetoothd(folder) as bluetoothd,
        Chip(*PI_4) as chip,
        display(place.notes),
    ):
        bluetoothd.wait_for_adapter()
        equipment = Equipment(rig=bluetooth_rig("pixels", SEED, air))
        table = Table(chip, rules, equipment=equipment, behaviour=behaviour)
        die = SimulatedDie(NEIGHBOUR, "pixels", len(table.table.dice.shows))
        lies = DieReport(NEIGHBOUR, "settled", face=1, tumbles=5)
        neighbour = air.add(Peripheral(die, lambda _number, request: die.reply(request, lies)))
        place.configure(paired(tuple(one.die for one in air.own)), configured)
        yield Room(place, table, air, neighbour)


def paired(dice: tuple[SimulatedDie, ...]) -> str:
    """Return the configuration of paired dice."""
    lines = (
        f'{one.number} = {{ address = "{one.address}", brand = "{one.brand}", '
        f'faces = {one.faces}, owner = "both" }}'
        for one in dice
    )
    return "\n".join(('[dice]\nsource = "bluetooth"\n[dice.paired]', *lines))


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
        measure_latency(entries, played, findings)
        findings.figure("messages of the dice", str(len(at.air.sends)))
        used = at.neighbour.connections
        findings.check("the neighbour's die is never used", used == 0, used)
        lost = [one.connections for one in at.air.own]
        findings.check("each die was connected once", lost == [1, 1, 1, 1], lost)


def measure_latency(entries: tuple[Entry, ...], played: Played, findings: Findings) -> None:
    """Measure the delay from the last report of a throw to the changed bytes."""
    lines = [json.loads(entry.line) for entry in entries if entry.kind == "decision"]
    found = answers(of_type(lines, type="roll"), played.edges, played.seen.writes)
    first = [answer.first_ms for answer in found]
    findings.figure("last report to the decision", summary(a.decided_ms for a in found))
    findings.figure("last report to the first changed byte", summary(first))
    findings.figure("last report to the whole picture", summary(a.whole_ms for a in found))
    findings.check_time(
        f"the display shows a throw within {GOAL_MS:.0f} ms (p99)",
        bool(first) and percentile(first, 0.99) < GOAL_MS,
        [round(each) for each in sorted(first)],
    )


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


def rolls(journal: Path) -> list[str]:
    """Return what the throws that count showed."""
    return [line["faces"] for line in decisions(journal, "roll")]


def decisions(journal: Path, kind: str) -> list[dict[str, Any]]:
    """Return the stored decisions of a kind."""
    with Journal.read_only(journal) as reader:
        lines = [json.loads(e.line) for e in entries_of(reader, 1) if e.kind == "decision"]
    return [line for line in lines if line["type"] == kind]


def act(findings: Findings) -> None:
    """Play both games."""
    with system_bus(Path.cwd()):
        play_finkel(findings)
        play_ravensburger(findings)


if __name__ == "__main__":
    play("bluetooth_game", act)
