"""Games between two virtual tables through mosquitto, with random cuts.

``python -m tests.club_live.two_boards --games 200`` plays many, and compares both records of each
and what the displays showed.
Each game has its own tables and journals; all share one broker, which is killed, too.
"""

import argparse
import random
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.club_live.guest import Guest, shown_path
from tests.club_live.running import ROOT, Broker, shared_folder
from tests.output import print_line
from tests.waiting import wait_until
from urpi.cli.club_demo.programs import Program
from urpi.core.errors import UrpiError
from urpi.journal import Journal, entries_of, list_games
from urpi.journal.backup import back_up, restore_backup
from urpi.journal.build_record import stored_record
from urpi.link.remote.events import SharedEvent, SharedMove, events_of
from urpi.referee.lines import parse_decision
from urpi.rules import Side
from urpi.rules.record import record_text

TABLES = ("lisbon", "porto")
RULES = ("finkel[pieces=3]", "blitz", "masters[pieces=3]")
PLAY_S = 600.0
SPEED = 20.0
SPEED_OF_INVITATION = 4.0
"""Low enough that a slow machine answers an invitation before it expires, in 60 s of a table."""
CUT_S = (0.5, 6.0)
"""Shortest and longest time between two cuts."""


class GuestTable(Program):
    """A table of a game as a process."""

    def __init__(self, folder: Path, guest: Guest) -> None:
        super().__init__(guest.table, folder, cwd=ROOT)
        self.guest, self.path = guest, Path(guest.journal)

    def command(self) -> list[str]:
        return [sys.executable, "-m", "tests.club_live.guest", self.guest.arguments()]

    def events(self) -> list[SharedEvent]:
        """Return the events of the shared game that are stored, none if it has not begun."""
        try:
            with Journal.read_only(self.path) as journal:
                found = next((one for one in list_games(journal) if one.light), None)
                entries = [] if found is None else entries_of(journal, found.id)
                lines = [one for one in entries if one.kind == "decision"]
                return [*events_of(parse_decision(one.line, one.seq) for one in lines)]
        except UrpiError:
            # The file is just being created.
            return []

    def shown(self) -> list[str]:
        """Return the throws and moves that the display has shown, as text."""
        return shown_path(self.guest.journal).read_text("utf-8").splitlines()

    def record(self) -> str:
        """Return the record of the shared game, empty if it has not begun or not ended."""
        try:
            with Journal.read_only(self.path) as journal:
                found = next((one for one in list_games(journal) if one.light), None)
                if found is None or found.finished is None:
                    return ""
                return record_text(stored_record(journal, found.id))
        except UrpiError:
            # It was killed while it created the file or wrote to it.
            return ""


def guests(folder: Path, broker: Broker, seed: int, *, invites: bool = False) -> list[GuestTable]:
    """Return both tables of a game; `invites` as in `Guest`."""
    rng = random.Random(f"game {seed}")
    game, first = f"{rng.getrandbits(128):032x}", rng.choice(list(Side)).value
    rules = RULES[seed % len(RULES)]
    found = []
    for number, (me, side) in enumerate(zip(TABLES, Side, strict=True)):
        section = broker.section(me)
        assert section.broker is not None
        guest = Guest(
            str(folder / f"{me}-{seed}.db"),
            section.broker,
            me,
            section.password_file,
            TABLES[1 - number],
            game,
            side.value,
            first,
            rules,
            2 * seed + number,
            SPEED_OF_INVITATION if invites else SPEED,
            invites,
        )
        found.append(GuestTable(folder, guest))
    return found


def play_with_cuts(folder: Path, broker: Broker, seed: int, cuts: int) -> list[str]:
    """Play a game during which tables and the broker are killed, and return what is wrong.

    Both records must be equal, and everything that a display showed must be stored there in the
    same order. What was stored right before a kill need not have been shown.
    """
    rng = random.Random(f"cuts {seed}")
    tables = guests(folder, broker, seed)
    try:
        for table in tables:
            table.start()
        for _ in range(cuts):
            time.sleep(rng.uniform(*CUT_S))
            for one in rng.choice([[tables[0]], [tables[1]], tables, [broker]]):
                one.kill()
                one.start()
        wait_until(
            lambda: all(table.record() for table in tables), f"the end of game {seed}", PLAY_S
        )
        light, dark = (table.record() for table in tables)
        wrong = [] if light == dark else [f"The records differ:\n{light}\n{dark}"]
        for table in tables:
            shown, stored = table.shown(), [str(event) for event in table.events()]
            left = iter(stored)
            if not shown or not all(event in left for event in shown):
                wrong.append(f"{table.guest.table} showed {shown}, and stored {stored}")
        return wrong
    finally:
        for table in tables:
            table.kill()


def play_after_a_restore(folder: Path, broker: Broker, seed: int) -> list[str]:
    """Play a game in which one table's journal is restored from a backup, as `play_with_cuts`."""
    tables = guests(folder, broker, seed)
    table, other = Random(f"restore {seed}").sample(tables, 2)
    backup = folder / f"{table.guest.table}-{seed}.backup"

    def has(one: GuestTable, events: int) -> bool:
        return len(one.events()) >= events or bool(one.record())

    try:
        for one in tables:
            one.start()
        wait_until(lambda: has(table, 4), "the first moves", PLAY_S)
        back_up(table.path, backup)
        kept = len(table.events())
        wait_until(lambda: has(other, kept + 6), "more moves", PLAY_S)
        table.kill()
        before = other.events()
        restore_backup(backup, table.path, datetime.now(UTC), replace=True)
        wrong = [] if len(table.events()) == kept < len(before) else ["Nothing was lost."]
        table.start()
        wait_until(lambda: all(one.record() for one in tables), f"the end of game {seed}", PLAY_S)
        found = [one.events() for one in tables]
        if found[0] != found[1] or found[0][: len(before)] != before:
            wrong.append(f"The events differ: {before}, {found}")
        records = [one.record() for one in tables]
        return wrong if records[0] == records[1] else [*wrong, "\n".join(records)]
    finally:
        for one in tables:
            one.kill()


def begin_by_invitation(
    folder: Path, broker: Broker, seed: int
) -> tuple[list[SharedEvent], list[SharedEvent]]:
    """Play a game to which one table invites the other one, until both sides have moved.

    Returns:
        The events that each table has stored.
    """

    def has_moves(table: GuestTable) -> bool:
        found = {one.side for one in table.events() if isinstance(one, SharedMove)}
        return found == set(Side)

    tables = guests(folder, broker, seed, invites=True)
    try:
        for table in tables:
            table.start()
        wait_until(lambda: all(map(has_moves, tables)), "moves of both sides", PLAY_S)
        light, dark = (table.events() for table in tables)
        return light, dark
    finally:
        for table in tables:
            table.kill()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cuts", type=int, default=4)
    chosen = parser.parse_args()
    games_with_faults = []
    with shared_folder() as folder:
        broker = Broker(folder, TABLES)
        broker.start()
        try:
            for seed in range(chosen.first, chosen.first + chosen.games):
                wrong = play_with_cuts(folder, broker, seed, chosen.cuts)
                print_line(f"game {seed}: {'; '.join(wrong) or 'right'}")
                if wrong:
                    games_with_faults.append(seed)
        finally:
            broker.kill()
    faults = games_with_faults or 0
    print_line(f"{chosen.games} games, {chosen.cuts} cuts in each; with faults: {faults}")
    sys.exit(bool(games_with_faults))


if __name__ == "__main__":
    main()
