"""SIGKILL at every change of a file: `python -m tests.journal.kill_points`.

A child process stores transactions, makes checkpoints and closes, as a keeper does, and kills
itself before its nth write, truncation, deletion or sync; then the same for the next n, until it
survives. The files it leaves, log and shared memory included, must be undamaged and contain every
transaction that was committed.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tests.journal.power_cut import check_files, store_transactions
from tests.journal.vfs import OK, Done, WatchedVfs, sqlite_library
from tests.output import print_line


class KillingDisk:
    """Kills its process at one change, after sending the number of commits to its parent."""

    def __init__(self, at: int, pipe: int) -> None:
        self._at, self._pipe, self._changes = at, pipe, 0
        self.committed = 0

    def before(self, _done: Done) -> int:
        self._changes += 1
        if self._changes == self._at:
            os.write(self._pipe, bytes((self.committed,)))
            os.kill(os.getpid(), signal.SIGKILL)
        return OK

    def after(self, _done: Done) -> int:
        return OK


def killed_at(change: int, path: Path, transactions: int, *, log_ahead: bool) -> int | None:
    """Run a child until a change; return its number of commits, None if it survived."""
    reading_end, writing_end = os.pipe()
    child = os.fork()
    if child == 0:
        library = sqlite_library()
        assert library is not None
        disk = KillingDisk(change, writing_end)
        watched = WatchedVfs(library, disk)
        store_transactions(path, disk, transactions, "", log_ahead=log_ahead)
        watched.end()
        os._exit(0)
    os.close(writing_end)
    committed = os.read(reading_end, 1)
    os.close(reading_end)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        return None
    assert os.WTERMSIG(status) == signal.SIGKILL
    return committed[0]


def run(folder: Path, transactions: int, *, log_ahead: bool) -> int:
    """Kill at every change; return the number of changes.

    Raises:
        AssertionError: If a committed transaction is missing, or another one partially stored.
    """
    stored = store_transactions(
        folder / "model.sqlite", KillingDisk(0, 0), transactions, "OFF", log_ahead=False
    )
    kills = 0
    while True:
        place = folder / "killed"
        place.mkdir()
        path = place / "games.sqlite"
        committed = killed_at(kills + 1, path, transactions, log_ahead=log_ahead)
        if committed is None:
            return kills
        kills += 1
        check_files(place, path.name, stored, committed)
        shutil.rmtree(place)


def main() -> None:
    """Kill, and report the number of kills; an assertion fails if a transaction is lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.kill_points")
    parser.add_argument("folder", type=Path, nargs="?", help="best on a memory disk")
    parser.add_argument("--transactions", type=int, default=6)
    given = parser.parse_args()
    if sqlite_library() is None:
        sys.exit("SQLite's library cannot be reached: Python has it built in.")
    for name, log_ahead in (("write-ahead log", True), ("rollback journal", False)):
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            kills = run(Path(folder), given.transactions, log_ahead=log_ahead)
        print_line(f"{kills} kills at every change, {name}: every committed transaction is stored")


if __name__ == "__main__":
    main()
