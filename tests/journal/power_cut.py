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
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from urpi.journal import Journal, entries_of
from urpi.journal.repair import check_pages

SECTOR = 512
OK = 0
VFS_FIELDS = 22
"""Pointers of sqlite3_vfs behind xDelete, in version 3 and more."""
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
STARTED = "2026-11-21T19:02:11+01:00"

# The name as a bare address: SQLite keeps it, and it must not be Python's copy.
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(Structure):
    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("path_length", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        ("others", c_void_p * VFS_FIELDS),
    )


class Methods(Structure):
    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    )


@dataclass(frozen=True)
class Done:
    """What was done to a file: bytes written at a place, cut to a size, deleted, or synced."""

    name: str
    data: bytes | None = None
    place: int = 0
    size: int | None = None
    deleted: bool = False

    @property
    def is_sync(self) -> bool:
        return self.data is None and self.size is None and not self.deleted


@dataclass
class Disk:
    """What was done to files, in order, and how many transactions were promised by then."""

    done: list[tuple[Done, int]] = field(default_factory=list)
    promised: int = 0

    def note(self, done: Done) -> None:
        self.done.append((done, self.promised))


class WatchedVfs:
    """SQLite's own VFS, made the default one with every change noted."""

    def __init__(self, library: ctypes.CDLL, disk: Disk) -> None:
        library.sqlite3_vfs_find.restype = POINTER(Vfs)
        library.sqlite3_vfs_find.argtypes = (c_char_p,)
        library.sqlite3_vfs_register.argtypes = (POINTER(Vfs), c_int)
        self._library, self._disk = library, disk
        self._names: dict[int, str] = {}
        self._own = library.sqlite3_vfs_find(None)
        self._open_own = OPEN(self._own.contents.open)
        self._delete_own = DELETE(self._own.contents.delete)
        self._vfs = Vfs.from_buffer_copy(self._own.contents)
        self._kept: list[Any] = [OPEN(self._open)]
        self._vfs.name, self._vfs.next = b"watched", None
        self._vfs.open = ctypes.cast(self._kept[0], c_void_p)
        self._vfs.delete = self._keep(DELETE(self._delete))
        self._methods: dict[int, Methods] = {}
        assert library.sqlite3_vfs_register(byref(self._vfs), 1) == OK

    def end(self) -> None:
        """Let the own VFS be the default one again."""
        self._library.sqlite3_vfs_register(self._own, 1)

    def _open(self, _vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        # The lock's functions are looked up in the VFS that opens: it must be the own one.
        failed = self._open_own(ctypes.addressof(self._own.contents), name, file, flags, out)
        methods = ctypes.cast(file, POINTER(c_void_p))
        if not failed and name is not None and methods[0]:
            self._names[file] = Path(ctypes.string_at(name).decode()).name
            methods[0] = ctypes.addressof(self._watched(methods[0]))
        return int(failed)

    def _delete(self, _vfs: int, name: int, sync: int) -> int:
        self._disk.note(Done(Path(ctypes.string_at(name).decode()).name, deleted=True))
        return int(self._delete_own(ctypes.addressof(self._own.contents), name, sync))

    def _watched(self, address: int) -> Methods:
        if address not in self._methods:
            own = Methods.from_address(address)
            watched = Methods.from_buffer_copy(own)
            watched.write = self._keep(WRITE(self._write(WRITE(own.write))))
            watched.truncate = self._keep(TRUNCATE(self._truncate(TRUNCATE(own.truncate))))
            watched.sync = self._keep(SYNC(self._sync(SYNC(own.sync))))
            self._methods[address] = watched
        return self._methods[address]

    def _keep(self, function: Any) -> Any:
        self._kept.append(function)
        return ctypes.cast(function, c_void_p)

    def _write(self, own: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, size: int, place: int) -> int:
            self._disk.note(Done(self._names[file], ctypes.string_at(data, size), place))
            return own(file, data, size, place)

        return write

    def _truncate(self, own: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, size: int) -> int:
            self._disk.note(Done(self._names[file], size=size))
            return own(file, size)

        return truncate

    def _sync(self, own: Callable[..., int]) -> Callable[..., int]:
        def sync(file: int, flags: int) -> int:
            self._disk.note(Done(self._names[file]))
            return own(file, flags)

        return sync


def sqlite_library() -> ctypes.CDLL | None:
    """The library that Python's sqlite3 uses, None when it cannot be reached."""
    maps = Path("/proc/self/maps")
    paths = {
        line.split()[-1]
        for line in (maps.read_text().splitlines() if maps.exists() else ())
        if "libsqlite3" in line
    }
    return ctypes.CDLL(paths.pop()) if len(paths) == 1 else None


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
        """One more change. A file's first sync syncs its folder too, as SQLite does it."""
        if done.deleted:
            self.pending.pop(done.name, None)
            self.deleted[done.name] = self.synced.pop(done.name, bytearray())
        elif done.is_sync:
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


def play(path: Path, disk: Disk, transactions: int, synchronous: str) -> list[list[str]]:
    """Store that many transactions; the lines of each."""
    rng = Random(1)
    stored = []
    with Journal.open(path) as journal:
        if synchronous:
            journal.rows(f"PRAGMA synchronous = {synchronous}")
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


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    """Cut the power behind every change, in several ways each; say how often."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.power_cut")
    parser.add_argument("folder", type=Path, help="an empty one, best on a memory disk")
    parser.add_argument("--transactions", type=int, default=200)
    parser.add_argument("--ways", type=int, default=10, help="behind every change")
    parser.add_argument("--synchronous", default="", help="OFF shows that the test can fail")
    given = parser.parse_args()
    library = sqlite_library()
    if library is None:
        sys.exit("SQLite's library cannot be reached: Python has it built in.")
    disk = Disk()
    watched = WatchedVfs(library, disk)
    path = given.folder / "games.sqlite"
    stored = play(path, disk, given.transactions, given.synchronous)
    watched.end()
    after = given.folder / "after"
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
    say(f"{changes * given.ways} power cuts behind {changes} changes, {syncs} of them syncs:")
    say(f"each left all of {len(stored)} transactions that was promised, and whole")


if __name__ == "__main__":
    main()
