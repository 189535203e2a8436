"""A table with Pixels within range of the kernel's adapter, and the delay of its display."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.kernel.bluez import Bluetoothd
from tests.kernel.board import BEHAVIOUR, SEED, Place, Table, display
from tests.kernel.bumble_air import BumbleAir, Peripheral
from tests.kernel.bumble_dice import paired
from tests.kernel.findings import Findings
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.latency import answers, of_type, percentile, summary
from tests.kernel.panel import Shown
from tests.kernel.program import Program
from tests.kernel.whole_game import (
    Played,
    check_journal,
    play_whole_game,
    wait_until_ready,
)
from urpi.hardware.pixels import WHO_ARE_YOU
from urpi.journal import Entry, Journal, entries_of
from urpi.simulation import Behaviour, Equipment
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.bluetooth_rig import bluetooth_rig
from urpi.simulation.virtual_dice import DieReport

GOAL_MS: Final = 150.0
NEIGHBOUR: Final = 99
"""The number of a die of another table, which is not paired here."""


@dataclass
class Room:
    """A table with Pixels, and a die of another table within range."""

    place: Place
    table: Table
    chip: Chip
    bluetoothd: Bluetoothd
    air: BumbleAir
    neighbour: Peripheral

    @property
    def are_dice_connected(self) -> bool:
        """Whether the program has greeted all dice of the table."""
        return all(WHO_ARE_YOU in one.received for one in self.air.own)


@contextmanager
def room(
    folder: Path,
    rules: str,
    configured: str,
    behaviour: Behaviour = BEHAVIOUR,
    *,
    own_dice: bool = False,
) -> Iterator[Room]:
    """Set up a table, and configure its dice as paired; each side has its own with `own_dice`."""
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
        table = Table(chip, rules, equipment=equipment, behaviour=behaviour, own_dice=own_dice)
        die = SimulatedDie(NEIGHBOUR, "pixels", len(table.table.dice.shows))
        lies = DieReport(NEIGHBOUR, "settled", face=1, tumbles=5)
        neighbour = air.add(Peripheral(die, lambda _number, request: die.reply(request, lies)))
        _, dark = table.table.dice_of
        dice = [one.die for one in air.own]
        place.configure(paired(dice, dark=dark if own_dice else None), configured)
        yield Room(place, table, chip, bluetoothd, air, neighbour)


def play_game(at: Room, findings: Findings) -> Played:
    """Play a whole game with the service, and check what its journal contains."""
    with Program(at.place.config) as program:
        wait_until_ready(at.table, program, findings, lambda: at.are_dice_connected)
        program.slow_gpio_polls()
        seen = play_whole_game(at.table, program, at.place, findings)
    edges = tuple(t_ns for t_ns, _die, _message in at.air.sends)
    played = Played(at.table.table, seen, edges, percentile(at.table.late_ms, 0.99))
    with Journal.open(at.place.journal) as journal:
        check_journal(journal, 1, played, findings)
    return played


def measure_latency(
    entries: Sequence[Entry], air: BumbleAir, seen: Shown, findings: Findings
) -> None:
    """Measure the delay from the last report of a throw to the changed bytes."""
    lines = [json.loads(entry.line) for entry in entries if entry.kind == "decision"]
    sent = [t_ns for t_ns, _die, _message in air.sends]
    found = answers(of_type(lines, type="roll"), sent, seen.writes)
    first = [answer.first_ms for answer in found]
    findings.figure("last report to the decision", summary(a.decided_ms for a in found))
    findings.figure("last report to the first changed byte", summary(first))
    findings.figure("last report to the whole picture", summary(a.whole_ms for a in found))
    findings.check_time(
        f"the display shows a throw within {GOAL_MS:.0f} ms (p99)",
        bool(first) and percentile(first, 0.99) < GOAL_MS,
        [round(each) for each in sorted(first)],
    )


def rolls(journal: Path) -> list[str]:
    """Return what the throws that count showed."""
    return [line["faces"] for line in decisions(journal, "roll")]


def decisions(journal: Path, kind: str) -> list[dict[str, Any]]:
    """Return the stored decisions of a kind."""
    with Journal.read_only(journal) as reader:
        lines = [json.loads(e.line) for e in entries_of(reader, 1) if e.kind == "decision"]
    return [line for line in lines if line["type"] == kind]
