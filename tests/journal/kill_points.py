"""SIGKILL at every change of a file: `python -m tests.journal.kill_points`.

A child process stores transactions, copies its log and closes, as a keeper does, and kills itself
before its nth write, truncation, deletion or sync; then for the next n, until it survives. What
it leaves, with log and shared memory, must be whole and hold every transaction that was promised.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tests.journal.power_cut import judge, play
from tests.journal.vfs import OK, Done, WatchedVfs, sqlite_library
from tests.output import print_line


class KillingDisk:
    """Kills its process at one change, and tells its parent how much was promised by then."""

    def __init__(self, at: int, pipe: int) -> None:
        self._at, self._pipe, self._changes = at, pipe, 0
        self.promised = 0

    def before(self, _done: Done) -> int:
        self._changes += 1
        if self._changes == self._at:
            os.write(self._pipe, bytes((self.promised,)))
            os.kill(os.getpid(), signal.SIGKILL)
        return OK

    def after(self, _done: Done) -> int:
        return OK


def killed_at(change: int, path: Path, transactions: int, *, log_ahead: bool) -> int | None:
    """Run a child until that change; what it had promised by then, None if it survived."""
    ours, its = os.pipe()
    child = os.fork()
    if child == 0:
        library = sqlite_library()
        assert library is not None
        disk = KillingDisk(change, its)
        watched = WatchedVfs(library, disk)
        play(path, disk, transactions, "", log_ahead=log_ahead)
        watched.end()
        os._exit(0)
    os.close(its)
    promised = os.read(ours, 1)
    os.close(ours)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        return None
    assert os.WTERMSIG(status) == signal.SIGKILL
    return promised[0]


def run(folder: Path, transactions: int, *, log_ahead: bool) -> int:
    """Kill at every change; how many there are.

    Raises:
        AssertionError: when a promised transaction is missing, or one is half there.
    """
    stored = play(folder / "model.sqlite", KillingDisk(0, 0), transactions, "OFF", log_ahead=False)
    kills = 0
    while True:
        place = folder / "killed"
        place.mkdir()
        path = place / "games.sqlite"
        promised = killed_at(kills + 1, path, transactions, log_ahead=log_ahead)
        if promised is None:
            return kills
        kills += 1
        judge(place, path.name, stored, promised)
        shutil.rmtree(place)


def main() -> None:
    """Kill, and report how often; an assertion ends it if a promise did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.kill_points")
    parser.add_argument("folder", type=Path, nargs="?", help="best on a memory disk")
    parser.add_argument("--transactions", type=int, default=6)
    given = parser.parse_args()
    if sqlite_library() is None:
        sys.exit("SQLite's library cannot be reached: Python has it built in.")
    for name, log_ahead in (("write-ahead log", True), ("rollback journal", False)):
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            kills = run(Path(folder), given.transactions, log_ahead=log_ahead)
        print_line(
            f"{kills} kills at every change, {name}: every promised transaction is there, whole"
        )


if __name__ == "__main__":
    main()
