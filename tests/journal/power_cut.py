"""A disk that forgets at a power cut what was not synced: `python -m tests.journal.power_cut`.

SQLite reaches files through a VFS. Here its own one is wrapped, by ctypes, so that every write,
truncation and sync is remembered; then the power is cut behind each of them in turn. Of what
was not synced yet, any part may have reached the disk, in any order, by sectors of 512 bytes: all
of it, none of it, or a random choice. Every such disk must hold a journal that SQLite finds
whole, with every transaction whose `append` had returned, and at most the one that was on its way.

It takes for granted what SQLite does too: that a sync is true, and that a sector's write does no
harm to its neighbours. A card that lies about either can lose more.
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
COPIED_AFTER = 5
"""Commits after which the log is copied here: both are to be interrupted often."""
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
STARTED = "2026-11-21T19:02:11+01:00"


@dataclass
class Disk:
    """What was done to files, in order, and how many transactions were promised by then."""

    done: list[tuple[Done, int]] = field(default_factory=list)
    promised: int = 0

    def before(self, done: Done) -> int:
        self.done.append((done, self.promised))
        return OK

    def after(self, _done: Done) -> int:
        return OK


def applied(content: bytearray, done: Done, sectors: Callable[[], bool]) -> None:
    """Let a change reach the disk; of a write, those sectors that do."""
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
    """The disk as a power cut may leave it."""

    def __init__(self) -> None:
        self.synced: dict[str, bytearray] = {}
        self.pending: dict[str, list[Done]] = {}
        self.deleted: dict[str, bytearray] = {}
        """Files that come back when the power goes before their folder is synced."""

    def take(self, done: Done) -> None:
        """One more change. SQLite syncs the folder at the first sync of a journal or a log."""
        if done.deleted:
            self.pending.pop(done.name, None)
            self.deleted[done.name] = self.synced.pop(done.name, bytearray())
        elif done.is_sync:
            if done.name not in self.synced and "-" in done.name:
                self.deleted.clear()
            self.deleted.pop(done.name, None)
            content = self.synced.setdefault(done.name, bytearray())
            for each in self.pending.pop(done.name, ()):
                applied(content, each, lambda: True)
        else:
            self.pending.setdefault(done.name, []).append(done)

    def cut(self, rng: Random) -> dict[str, bytes]:
        """What is left: of what was not synced none, all, or a random part in any order."""
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
                applied(content, each, lambda: rng.random() < chance)
        return {name: bytes(content) for name, content in left.items()}


class Promising(Protocol):
    """Counts the transactions that were promised."""

    promised: int


def play(
    path: Path, disk: Promising, transactions: int, synchronous: str, *, log_ahead: bool
) -> list[list[str]]:
    """Store that many transactions; the lines of each."""
    rng = Random(1)
    stored = []
    with Journal.open(path) as journal:
        if synchronous:
            journal.rows(f"PRAGMA synchronous = {synchronous}")
        if log_ahead:
            journal.connection.use_log()
        disk.promised = 1
        game = journal.new_game(GAME, STARTED, "1", {"language": "en"})
        disk.promised = 2
        for number in range(transactions):
            # Now and then more than a page, so that one transaction has several.
            facts = [
                f'{{"t":{number},"type":"answer","move":"{rng.getrandbits(400):x}"}}'
                for _ in range(rng.choice((1, 2, 3, 200)))
            ]
            journal.append(game, facts)
            disk.promised += 1
            journal.connection.checkpoint(max_writes=COPIED_AFTER)
            stored.append(facts)
    return stored


def judge(folder: Path, name: str, stored: list[list[str]], promised: int) -> None:
    """Open what is left, and find all that was promised.

    Raises:
        AssertionError: when something of it is missing, or half there.
    """
    if promised == 0 and not (folder / name).exists():
        return
    with Journal.open(folder / name) as journal:
        check_pages(journal)
        lines = [entry.line for entry in entries_of(journal, 1)][1:]
    found = 0
    while lines[: len(stored[found])] == stored[found] if found < len(stored) else False:
        lines = lines[len(stored[found]) :]
        found += 1
    assert not lines, "half a transaction"
    assert promised - 2 <= found <= max(0, promised - 1), (promised - 2, found)


def main() -> None:
    """Cut the power behind every change, in several ways each; say how often."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.power_cut")
    parser.add_argument("folder", type=Path, nargs="?", help="best on a memory disk")
    parser.add_argument("--transactions", type=int, default=60)
    parser.add_argument("--ways", type=int, default=4, help="behind every change")
    parser.add_argument("--synchronous", default="", help="OFF shows that the test can fail")
    parser.add_argument("--rollback-journal", action="store_true", help="no write-ahead log")
    given = parser.parse_args()
    library = sqlite_library()
    if library is None:
        sys.exit("SQLite's library cannot be reached: Python has it built in.")
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        run(library, Path(name), given)


def run(library: ctypes.CDLL, folder: Path, given: argparse.Namespace) -> None:
    """Store, cut the power behind every change, and judge what is left.

    Raises:
        AssertionError: if a promised transaction is missing, or one is half there.
    """
    disk = Disk()
    watched = WatchedVfs(library, disk)
    path = folder / "games.sqlite"
    stored = play(
        path, disk, given.transactions, given.synchronous, log_ahead=not given.rollback_journal
    )
    watched.end()
    after = folder / "after"
    after.mkdir()
    rng, power = Random(2), Power()
    for done, promised in disk.done:
        power.take(done)
        for _ in range(given.ways):
            for name in os.listdir(after):
                (after / name).unlink()
            for name, content in power.cut(rng).items():
                (after / name).write_bytes(content)
            judge(after, path.name, stored, promised)
    changes, syncs = len(disk.done), sum(done.is_sync for done, _ in disk.done)
    print_line(
        f"{changes * given.ways} power cuts behind {changes} changes, {syncs} of them syncs:"
    )
    print_line(f"each left all of {len(stored)} transactions that was promised, and whole")


if __name__ == "__main__":
    main()
