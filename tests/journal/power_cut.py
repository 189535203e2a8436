"""A disk that loses unsynced data at a power cut: `python -m tests.journal.power_cut`.

SQLite accesses files through a VFS. Here its default one is wrapped by ctypes, so that every write,
truncation and sync is recorded; then a power cut is simulated after each of them in turn. Of what
had not been synced, any sectors of 512 bytes may have reached the disk, in any order: all of them,
none, or a random choice. The files must be a journal that SQLite finds undamaged, with every
transaction whose `append` had returned, and at most one more, complete.

The simulation assumes what SQLite assumes: a sync is not reported before the data is on the disk,
and writing a sector does not damage others. A card without these properties can lose more.
"""

import argparse
import ctypes
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from tests.journal.vfs import OK, Done, WatchedVfs, sqlite_library
from tests.output import print_line
from urpi.journal import Journal, entries_of
from urpi.journal.integrity import check_pages

SECTOR = 512
CHECKPOINT_AFTER = 5
"""Commits after which a checkpoint is made: few, so that many are interrupted."""
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
STARTED = "2026-11-21T19:02:11+01:00"


@dataclass
class Disk:
    """The changes of files in their order, each with the number of commits before it."""

    done: list[tuple[Done, int]] = field(default_factory=list)
    committed: int = 0

    def before(self, done: Done) -> int:
        self.done.append((done, self.committed))
        return OK

    def after(self, _done: Done) -> int:
        return OK


def apply(content: bytearray, done: Done, sectors: Callable[[], bool]) -> None:
    """Apply a change to a file; of a write, only the sectors for which a function returns True."""
    if done.size is not None:
        del content[done.size :]
        content.extend(bytes(done.size - len(content)))
    elif done.data is not None:
        begin = done.place
        end = begin + len(done.data)
        while begin < end:
            stop = min(end, (begin // SECTOR + 1) * SECTOR)
            if sectors():
                content.extend(bytes(max(0, stop - len(content))))
                content[begin:stop] = done.data[begin - done.place : stop - done.place]
            begin = stop


class Power:
    """The files, as a power cut may leave them."""

    def __init__(self) -> None:
        self.synced: dict[str, bytearray] = {}
        self.pending: dict[str, list[Done]] = {}
        self.deleted: dict[str, bytearray] = {}
        """Deleted files, which reappear if the power fails before their folder is synced."""

    def record(self, done: Done) -> None:
        """Record a change. SQLite syncs the folder at the first sync of a journal or a log."""
        if done.deleted:
            self.pending.pop(done.name, None)
            self.deleted[done.name] = self.synced.pop(done.name, bytearray())
        elif done.is_sync:
            if done.name not in self.synced and "-" in done.name:
                self.deleted.clear()
            self.deleted.pop(done.name, None)
            content = self.synced.setdefault(done.name, bytearray())
            for each in self.pending.pop(done.name, ()):
                apply(content, each, lambda: True)
        else:
            self.pending.setdefault(done.name, []).append(done)

    def cut(self, rng: Random) -> dict[str, bytes]:
        """Return what is left: none, all, or a random part of what was not synced, in any order."""
        chance = rng.choice((0.0, 1.0, 0.5, 0.9, 0.1))
        left = {name: bytearray(content) for name, content in self.synced.items()}
        for name, content in self.deleted.items():
            if name not in self.pending and rng.random() < chance:
                left[name] = bytearray(content)
        for name, changes in self.pending.items():
            content = left.setdefault(name, bytearray())
            some = [each for each in changes if each.size is None or rng.random() < chance]
            if chance not in {0.0, 1.0}:
                rng.shuffle(some)
            for each in some:
                apply(content, each, lambda: rng.random() < chance)
        return {name: bytes(content) for name, content in left.items()}


class CommitCounter(Protocol):
    """Counts the transactions that were committed."""

    committed: int


def store_transactions(
    path: Path, disk: CommitCounter, transactions: int, synchronous: str, *, log_ahead: bool
) -> list[list[str]]:
    """Store transactions; return the lines of each."""
    rng = Random(1)
    stored = []
    with Journal.open(path) as journal:
        if synchronous:
            journal.rows(f"PRAGMA synchronous = {synchronous}")
        if log_ahead:
            journal.connection.use_log()
        disk.committed = 1
        game = journal.new_game(GAME, STARTED, "1", {"language": "en"})
        disk.committed = 2
        for number in range(transactions):
            # Sometimes more than a page, so that a transaction changes several.
            facts = [
                f'{{"t":{number},"type":"answer","move":"{rng.getrandbits(400):x}"}}'
                for _ in range(rng.choice((1, 2, 3, 200)))
            ]
            journal.append(game, facts)
            disk.committed += 1
            journal.connection.checkpoint(max_writes=CHECKPOINT_AFTER)
            stored.append(facts)
    return stored


def check_files(folder: Path, name: str, stored: list[list[str]], committed: int) -> None:
    """Open what is left, and check that it contains everything that was committed.

    Raises:
        AssertionError: If a transaction is missing, or partially stored.
    """
    if committed == 0 and not (folder / name).exists():
        return
    with Journal.open(folder / name) as journal:
        check_pages(journal)
        lines = [entry.line for entry in entries_of(journal, 1)][1:]
    found = 0
    while lines[: len(stored[found])] == stored[found] if found < len(stored) else False:
        lines = lines[len(stored[found]) :]
        found += 1
    assert not lines, "a transaction is partially stored"
    assert committed - 2 <= found <= max(0, committed - 1), (committed - 2, found)


def main() -> None:
    """Simulate several power cuts after every change; report their number."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.power_cut")
    parser.add_argument("folder", type=Path, nargs="?", help="best on a memory disk")
    parser.add_argument("--transactions", type=int, default=60)
    parser.add_argument("--ways", type=int, default=4, help="power cuts after every change")
    parser.add_argument("--synchronous", default="", help="OFF shows that the test can fail")
    parser.add_argument("--rollback-journal", action="store_true", help="no write-ahead log")
    given = parser.parse_args()
    library = sqlite_library()
    if library is None:
        sys.exit("SQLite's library cannot be reached: Python has it built in.")
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        run(library, Path(name), given)


def run(library: ctypes.CDLL, folder: Path, given: argparse.Namespace) -> None:
    """Store transactions, simulate power cuts after every change, and check what is left.

    Raises:
        AssertionError: If a committed transaction is missing, or another one partially stored.
    """
    disk = Disk()
    watched = WatchedVfs(library, disk)
    path = folder / "games.sqlite"
    stored = store_transactions(
        path, disk, given.transactions, given.synchronous, log_ahead=not given.rollback_journal
    )
    watched.end()
    after = folder / "after"
    after.mkdir()
    rng, power = Random(2), Power()
    for done, committed in disk.done:
        power.record(done)
        for _ in range(given.ways):
            for name in os.listdir(after):
                (after / name).unlink()
            for name, content in power.cut(rng).items():
                (after / name).write_bytes(content)
            check_files(after, path.name, stored, committed)
    changes, syncs = len(disk.done), sum(done.is_sync for done, _ in disk.done)
    print_line(f"{changes * given.ways} power cuts after {changes} changes, {syncs} of them syncs:")
    print_line(f"every committed one of {len(stored)} transactions is stored")


if __name__ == "__main__":
    main()
