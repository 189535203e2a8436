"""A whole game with four Pixels: `urpi serve` with real bleak, bluetoothd, D-Bus and controller."""

from pathlib import Path

from tests.kernel.bluez import system_bus
from tests.kernel.board import RULES, SHORT_GAME
from tests.kernel.bumble_room import measure_latency, play_game, room
from tests.kernel.findings import Findings, play
from urpi.journal import Journal, entries_of


def act(findings: Findings) -> None:
    """Play the game, then check its results."""
    with system_bus(Path.cwd()), room(Path.cwd() / "finkel", RULES, SHORT_GAME) as at:
        played = play_game(at, findings)
    with Journal.open(at.place.journal) as journal:
        entries = entries_of(journal, 1)
    measure_latency(entries, at.air, played.seen, findings)
    findings.figure("messages of the dice", str(len(at.air.sends)))
    used = at.neighbour.connections
    findings.check("the neighbour's die is never used", used == 0, used)
    connections = [one.connections for one in at.air.own]
    findings.check("each die was connected once", connections == [1, 1, 1, 1], connections)


if __name__ == "__main__":
    play("bluetooth_game", act)
