"""Files of an attacker: headers that lie, sparse files, archives above their limits."""

import io
import json
import os
import random
import shutil
import time
import tracemalloc
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.engine.exact.made import made_table
from tests.journal.games import store_game
from urpi.core.errors import UrpiError
from urpi.engine.exact.values import FORMAT, HEADER_BYTES, ValuesHeader, read_header
from urpi.journal import Journal, list_games, write_archive
from urpi.journal.archive import ARCHIVE_LIMITS, ArchiveLimits
from urpi.journal.import_archive import import_archive

MAX_MEMORY = 64 * 1024**2
SPARSE = 2**40
WRONG = (
    *(True, False, None, -1, 0, 1, 2**31, 2**63, 10**300, 0.5, 1e308, -0.0),
    *("", "finkel", "finkel[pieces=999999999]", "bell[pieces=3]", "\0", "\ud800", "x" * 9999),
    *([], {}, [[[]]]),
)


def test_headers_of_tables_that_lie_are_refused_with_little_memory(
    tmp_path: Path, chance: random.Random, seconds: float
) -> None:
    path, end, seen = tmp_path / "table.exact", time.monotonic() + seconds / 4, 0
    tracemalloc.start()
    while time.monotonic() < end or seen < 100:
        fields = dict.fromkeys(ValuesHeader.__slots__, "x")
        fields |= {"format": FORMAT, "rules": "finkel", "positions": 1, "start": 0.5}
        for name in chance.sample(sorted(fields), chance.randrange(1, 4)):
            fields[name] = chance.choice(WRONG)
        content = json.dumps(fields).encode()
        for _ in range(chance.choice([0, 0, 1, 3])):
            place = chance.randrange(len(content))
            content = content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]
        with path.open("wb") as file:
            file.write(content[:HEADER_BYTES].ljust(HEADER_BYTES))
            # It takes no room on the disk.
            file.truncate(HEADER_BYTES + chance.choice([0, 2, 2**20, SPARSE]))
        with suppress(UrpiError):
            read_header(path)
        seen += 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MAX_MEMORY


def test_archives_that_are_longer_than_they_may_be_are_refused_with_little_memory(
    tmp_path: Path, chance: random.Random
) -> None:
    lines: list[str] = []
    with Journal.open(tmp_path / "from.db") as journal:
        game = store_game(journal, "finkel", seed=1, longest=40)
        write_archive(journal, [game], lines.append, "1.0.0")
    archive = "".join(lines).encode().splitlines(keepends=True)
    with Journal.open(tmp_path / "to.db") as journal:
        for _ in range(6):
            grown = list(archive)
            place = chance.randrange(len(grown))
            if chance.random() < 0.5:
                grown[place] = grown[place].rstrip(b"\n") + b" " * 20_000_000 + b"\n"
            else:
                grown[place : place + 1] = [grown[place]] * 100_000
            file = io.BytesIO(b"".join(grown))
            tracemalloc.start()
            with suppress(UrpiError):
                import_archive(journal, file, datetime.now(UTC), ARCHIVE_LIMITS)
                raise AssertionError(place)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 3 * MAX_MEMORY
        assert journal.rows("SELECT count(*) FROM games")[0][0] == 0


def test_an_archive_at_its_limits_is_imported_and_one_above_leaves_nothing(
    tmp_path: Path, chance: random.Random
) -> None:
    lines: list[str] = []
    with Journal.open(tmp_path / "from.db") as journal:
        games = [store_game(journal, "blitz", seed=chance.randrange(99), longest=30) for _ in "12"]
        write_archive(journal, games, lines.append, "1.0.0")
        longest = max(len(list(journal.entries(game))) for game in games)
    archive = "".join(lines).encode()
    limits = ArchiveLimits(len(games), longest, len(archive))
    for number, (below, is_taken) in enumerate(
        [
            (limits, True),
            (replace(limits, games=len(games) - 1), False),
            (replace(limits, lines=longest - 1), False),
            (replace(limits, size_bytes=len(archive) - 1), False),
        ]
    ):
        with Journal.open(tmp_path / f"to-{number}.db") as journal:
            with nullcontext() if is_taken else pytest.raises(UrpiError):
                import_archive(journal, io.BytesIO(archive), datetime.now(UTC), below)
            assert len(list_games(journal)) == (len(games) if is_taken else 0)


def test_a_table_is_read_only_at_the_size_that_its_header_states(
    tmp_path: Path, chance: random.Random
) -> None:
    whole = made_table(tmp_path / "whole.exact", "finkel[pieces=3]")
    size = whole.stat().st_size
    read_header(whole)
    for delta in (-1, 1, -2, 2, *(chance.randrange(-size, size) or 3 for _ in range(20))):
        other = Path(shutil.copy(whole, tmp_path / "other.exact"))
        os.truncate(other, size + delta)
        with pytest.raises(UrpiError, match=r"instead of|table of exact values"):
            read_header(other)
