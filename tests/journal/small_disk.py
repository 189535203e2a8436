"""A journal on a file system that becomes full, gets room, becomes read-only and writable again."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from urpi.journal import Journal, Keeper, entries_of

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'


def time_line(t: int) -> str:
    return f'{{"t":{t},"type":"time"}}'


def incompressible_line(t: int) -> str:
    """Return a line that cannot be packed well."""
    return f'{{"t":{t},"type":"answer","move":"{(t + 7) ** 900 % 10**600}"}}'


def remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


def times(path: Path) -> list[str]:
    with Journal.open(path) as journal:
        return [entry.line for entry in entries_of(journal, 1)][1:]


def main() -> None:
    folder = Path(sys.argv[1])
    path = folder / "games.sqlite"
    keeper = Keeper.open(path, NOW)
    assert keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW) == 1
    appended: list[str] = []

    def append(line: str) -> None:
        keeper.append([line], [], NOW)
        appended.append(line)

    # Another file fills most of the disk, and the game fills the rest. Opening the file again may
    # make room, because the log is then copied into the file; so fill it until that does not help.
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(90_000))
    now = 0
    while keeper.outage is None:
        while keeper.outage is None:
            append(incompressible_line(len(appended)))
        assert keeper.outage.code == "disk-full", keeper.outage
        for _ in range(2):
            now += 20_000
            keeper.tick(now, NOW)
    for t in range(5):
        append(time_line(t))
    keeper.tick(now + 20_000, NOW)
    assert keeper.outage is not None, "there is still no room"

    ballast.unlink()
    keeper.tick(now + 40_000, NOW)
    assert keeper.outage is None
    assert times(path) == appended

    keeper.close(NOW)
    remount(folder, "ro")
    keeper = Keeper.open(path, NOW)
    assert keeper.outage is None, "a read-only file can be read"
    assert len(keeper.continue_game(1, NOW)) == len(appended) + 1
    append(time_line(6))
    assert keeper.outage is not None
    assert keeper.outage.code == "disk-read-only", keeper.outage
    append(time_line(7))

    remount(folder, "rw")
    keeper.tick(1000, NOW)
    keeper.tick(20_000, NOW)
    assert keeper.outage is None
    assert times(path) == appended
    keeper.close(NOW)


if __name__ == "__main__":
    main()
