"""A virtual table of a demo, at which simulated players play one game after the other.

It is the program of a real table with simulated devices, and a process of its own.
"""

import json
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from urpi.cli.club_demo.programs import Broker, Program
from urpi.cli.demo_game import first_side
from urpi.config import ClubSection, Config
from urpi.journal import Journal
from urpi.journal.consents import CONSENTS, NO_CONSENTS, with_consent
from urpi.link.broker.club_link import ClubLink
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.rules import Side, parse_rules
from urpi.service.board import BoardService, club_state
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers

TABLE: Final = "virtual"
PAUSE_S: Final = 6.0
"""Time for which the end of a game is shown."""


class DemoTable(NamedTuple):
    """A table of a demo.

    Attributes:
        id: Its id.
        rules: The rule set.
        light: The name of light, who agrees that the club shows it; empty for none.
        dark: The name of dark.
        seed: The seed of its first game; each game adds 1.
        speed: The factor between virtual and real time.
    """

    id: str
    rules: str
    light: str
    dark: str
    seed: int
    speed: float = 1.0


_TABLES: Final = (
    ("lisbon-1", "finkel", "Ann", "Zoë"),
    ("lisbon-2", "blitz", "Bob", "Chloé"),
    ("porto-1", "masters", "Duarte", ""),
    ("porto-2", "bell", "", ""),
    ("paris", "finkel", "Élise", "Farid"),
    ("budapest", "finkel3", "Gergő", "Hanna"),
    ("ljubljana", "skiryuk", "Iva", "Jan"),
    ("london", "murray", "Kit", "Lou"),
)


def demo_tables(count: int, seed: int, speed: float) -> tuple[DemoTable, ...]:
    """Return the tables of a demo; from the ninth on, ids have a further number."""
    found = []
    for number in range(count):
        lap, place = divmod(number, len(_TABLES))
        table, rules, light, dark = _TABLES[place]
        name = f"{table}-{lap + 1}" if lap else table
        found.append(DemoTable(name, rules, light, dark, seed + 1000 * number, speed))
    return tuple(found)


class TableProgram(Program):
    """A virtual table as a process.

    Args:
        folder: The folder of its journal.
        broker: The broker.
        table: The table.
    """

    def __init__(self, folder: Path, broker: Broker, table: DemoTable) -> None:
        super().__init__(table.id, folder)
        self._journal, self._table = folder / f"{table.id}.db", table
        self._section = broker.section(table.id)

    def command(self) -> Sequence[str]:
        values = {**self._table._asdict(), "journal": str(self._journal)}
        values |= {"broker": self._section.broker, "password_file": self._section.password_file}
        return [sys.executable, "-m", __name__, json.dumps(values)]


class _Publisher:
    """Publishes a board's state from its first game on."""

    def __init__(self, link: ClubLink) -> None:
        self._link = link
        self.board: BoardService | None = None

    def publish(self, snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
        if self.board is not None:
            self._link.publish(club_state(self.board, snapshot))


def play(table: DemoTable, section: ClubSection, path: Path) -> None:
    """Let simulated players play until SIGTERM."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: stopped.append(number))
    config = Config(club=section)
    config = replace(config, table=replace(config.table, light=table.light, dark=table.dark))
    link = ClubLink(section, path, TABLE)
    rules = parse_rules(table.rules)
    seed = table.seed
    with Journal.open(path) as journal, link.opened():
        consents = NO_CONSENTS
        for name in (table.light, table.dark):
            consents = with_consent(consents, name, 0)
        journal.store_preferences([(TABLE, CONSENTS, consents, NO_CONSENTS)])
        while not stopped:
            seed += 1
            first = first_side(rules, list(Side)[seed % 2].value, seed)
            players = SimulatedPlayers(PLAYERS["greedy"], first=first)
            setting = Setting(rules, seed, table.speed, first, players=players)

            publisher = _Publisher(link)
            with VirtualService(setting, config, journal, publisher.publish) as service:
                publisher.board = service.board
                service.begin()
                service.table.play()
                while not (stopped or service.over):
                    service.run()
                until = time.monotonic() + PAUSE_S / table.speed
                while not stopped and time.monotonic() < until:
                    time.sleep(0.1)


def main(text: str) -> None:
    """Play at the table that the argument describes, a JSON object."""
    values = json.loads(text)
    journal = Path(values.pop("journal"))
    broker, password_file = values.pop("broker"), values.pop("password_file")
    table = DemoTable(**values)
    play(table, ClubSection(broker, table.id, password_file), journal)


if __name__ == "__main__":
    main(sys.argv[1])
