"""The database's host loses its power under load: nothing that was acknowledged is lost."""

import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.club_live.conftest import TABLES, World
from tests.club_live.running import Broker, Club, Database, shared_folder
from tests.club_live.test_delivery import stored, truth
from tests.club_live.test_full_disk import acknowledged, stored_lines
from tests.output import print_line
from tests.waiting import wait_until

SIZE_MB: Final = 400
"""Of the disk; only what is written takes space."""
CUTS: Final = 3
MORE_LINES: Final = (20, 200)
"""Range of the number of lines that are stored between two power cuts."""


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


class Disk:
    """A file system on a disk of its own.

    The system writes what is not synced after half a minute at the earliest, and its metadata only
    at a sync (`commit`), so that the image has what was synced, and little more.
    """

    def __init__(self, folder: Path) -> None:
        self.place, self._image = folder / "disk", folder / "disk.image"
        self.place.mkdir()
        with self._image.open("wb") as image:
            image.truncate(SIZE_MB << 20)
        made = run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", self._image)
        if made.returncode:
            pytest.skip(f"a disk cannot be made: {made.stderr.strip()}")
        self._mount()

    def _mount(self) -> None:
        options = "loop,noatime,commit=300"
        mounted = run("mount", "-o", options, self._image, self.place)
        if mounted.returncode:
            pytest.skip(f"a disk cannot be mounted: {mounted.stderr.strip()}")

    def unmount(self) -> None:
        """Unmount it, when nothing uses it any more."""
        wait_until(lambda: run("umount", self.place).returncode == 0, "an unused disk")

    def copy(self) -> Path:
        """Copy what has reached the disk."""
        copy = self._image.with_suffix(".copy")
        assert run("cp", "--sparse=always", self._image, copy).returncode == 0
        return copy

    def restore(self, copy: Path) -> None:
        """Mount a copy in place of the disk."""
        self.unmount()
        copy.replace(self._image)
        self._mount()


@contextmanager
def disk(folder: Path) -> Iterator[Disk]:
    if os.geteuid() != 0:
        pytest.skip("mounting a disk needs root")
    found = Disk(folder)
    try:
        yield found
    finally:
        run("umount", "--lazy", found.place)


class CutDatabase(Database):
    """A PostgreSQL whose data are on a disk of their own."""

    def __init__(self, folder: Path, own: Disk) -> None:
        own.place.chmod(0o711)
        super().__init__(own.place)
        self.log = folder / "postgresql.log"
        self._disk = own
        # `initdb` has not done that.
        assert run("sync", "--file-system", own.place).returncode == 0

    def cut_power(self) -> None:
        """End all processes at the same time, and lose what has not reached the disk."""
        assert self.pid is not None
        # First the one that starts the others.
        os.kill(self.pid, signal.SIGSTOP)
        processes = [self.pid, *children(self.pid)]
        for process in processes[1:]:
            os.kill(process, signal.SIGSTOP)
        copy = self._disk.copy()
        for process in processes[1:]:
            os.kill(process, signal.SIGKILL)
        self.kill()
        self._disk.restore(copy)


def children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = stat.read_text().rpartition(") ")
        except OSError:
            continue
        if int(rest.split()[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def test_a_power_cut_of_the_database_loses_nothing_that_was_acknowledged() -> None:
    seed = random.randrange(10**6)
    print_line(f"seed {seed}")
    chance = random.Random(seed)
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        own = stack.enter_context(disk(folder))
        broker, database = Broker(folder, TABLES), CutDatabase(folder, own)
        world = World(folder, broker, database, Club(folder, broker, database), stack)
        for one in (broker, database, world.club):
            world.run(one)
        tables = [world.table(name, number) for number, name in enumerate(TABLES)]
        for table in tables:
            world.run(table)
        wait_until(lambda: database.rows("SELECT to_regclass('histories')") != [(None,)], "tables")
        for _ in range(CUTS):
            least = sum(stored_lines(world).values()) + chance.randint(*MORE_LINES)
            wait_until(
                lambda least=least: sum(stored_lines(world).values()) > least,  # type: ignore[misc]
                f"{least} lines",
            )
            database.cut_power()
            # Nothing is sent again until it has been compared.
            world.club.kill()
            promised = acknowledged(tables)
            database.start()
            kept = stored_lines(world)
            lost = {game: n for game, n in promised.items() if kept.get(game, 0) < n}
            assert promised
            assert not lost
            world.club.start()
        for table in tables:
            assert table.finish() == 0, table.log.read_text()[-2000:]
        for table, name in zip(tables, TABLES, strict=True):
            assert stored(world, name) == list(truth(table).items())
        pending = "SELECT 1 FROM histories WHERE finished IS NOT NULL AND verdict IS NULL"
        wait_until(lambda: not database.rows(pending), "verification")
        verdicts = database.rows(
            "SELECT DISTINCT verdict FROM histories WHERE finished IS NOT NULL"
        )
        assert verdicts == [("verified",)]
