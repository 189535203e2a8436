"""Repair: a damaged journal is renamed, and every game that can be proved is saved."""

import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from tests.journal.disks import no_room
from tests.journal.games import store_game
from tests.slow import mostly_slow, slow_except
from urpi.core.errors import UrpiError
from urpi.journal import (
    CheckVerdict,
    DamagedError,
    Journal,
    Keeper,
    Preferences,
    check_contents,
    check_game,
    entries_of,
    list_games,
    load_preferences,
    prune_game,
    settings_of,
    store_preferences,
)
from urpi.journal.files import companion, set_aside
from urpi.journal.integrity import check_pages
from urpi.journal.migrations import MIGRATIONS, append_only
from urpi.journal.packing import DICTIONARY, pack
from urpi.journal.repair import replace_damaged
from urpi.journal.schema import migrate

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
ASIDE = "games.damaged-2026-11-21T190211.sqlite"
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
PAGE = 4096
GAMES = 6


def incompressible_line(t: int) -> str:
    return f'{{"t":{t},"type":"answer","move":"{Random(t).getrandbits(800):x}"}}'


def roll(t: int) -> str:
    return f'{{"t":{t},"type":"roll","side":"light","faces":"gs--","value":2,"legal":[]}}'


@pytest.fixture(scope="module")
def undamaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of six games, each of several pages, of which each test damages a copy."""
    path = tmp_path_factory.mktemp("undamaged") / "games.sqlite"
    with Journal.open(path) as journal:
        journal.rows("PRAGMA synchronous = OFF")
        for game in range(1, GAMES + 1):
            journal.new_game(GAME, NOW.isoformat(), "1", {"table": "board"})
            for t in range(120):
                journal.append(game, [incompressible_line(1000 * game + t)], [roll(t)])
            if game < GAMES:
                journal.finish(game, NOW.isoformat())
    return path


@pytest.fixture
def path(undamaged: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(undamaged, tmp_path))


@pytest.fixture
def whole(path: Path) -> dict[int, object]:
    """The games of the journal before it is damaged."""
    return games_of(path)


def games_of(path: Path) -> dict[int, object]:
    with Journal.open(path) as journal:
        return {
            game.id: (game, settings_of(journal, game.id), entries_of(journal, game.id))
            for game in list_games(journal)
        }


def damage(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(b"\xa5" * PAGE)


def pages(path: Path) -> range:
    return range(path.stat().st_size // PAGE)


def test_the_check_of_the_pages_names_the_damaged_one(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        ((root,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'batches'")
    with path.open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(b"\xa5" * PAGE)
    with Journal.open(path) as journal, pytest.raises(DamagedError) as found:
        check_pages(journal)
    assert re.search(rf"\b{root}\b", str(found.value))
    assert "***" not in str(found.value)


def test_an_undamaged_journal_passes_the_check(path: Path) -> None:
    with Journal.open(path) as journal:
        check_pages(journal)


def test_damage_is_detected_in_every_page(path: Path) -> None:
    fine = path.read_bytes()
    for page in pages(path):
        damage(path, page)
        with pytest.raises((DamagedError, UrpiError)), Journal.open(path) as journal:
            check_pages(journal)
        path.write_bytes(fine)


def test_the_damaged_file_is_renamed_with_the_date(path: Path) -> None:
    damage(path, pages(path)[-1])
    before = path.read_bytes()
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)

    assert keeper.damage is not None
    assert keeper.damage.aside == path.with_name(ASIDE)
    assert keeper.damage.aside.read_bytes() == before
    assert keeper.outage is None


def test_a_second_damaged_file_within_a_second_gets_another_name(path: Path) -> None:
    path.with_name(ASIDE).write_text("already here")
    damage(path, pages(path)[-1])
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert keeper.damage.aside.name == ASIDE.replace(".sqlite", "-2.sqlite")
    assert path.with_name(ASIDE).read_text() == "already here"


@pytest.mark.slow
def test_every_readable_game_is_saved_unchanged(path: Path, whole: dict[int, object]) -> None:
    fine = path.read_bytes()
    saved = []
    for page in pages(path)[1::4]:
        path.write_bytes(fine)
        damage(path, page)
        keeper = Keeper.open(path, NOW)
        keeper.close(NOW)
        assert keeper.damage is not None
        left = games_of(path)
        assert left.items() <= whole.items()
        assert keeper.damage.saved == len(left)
        saved.append(len(left))
        keeper.damage.aside.unlink()
    # Most pages contain a part of one game or of two.
    assert sorted(saved)[len(saved) // 2] >= GAMES - 2


def lose_batches(path: Path, game: int, after: int) -> None:
    """Remove the batches of a game after a seq, as a damaged page does that SQLite skips."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER batches_not_DELETE")
        db.execute("DELETE FROM batches WHERE game = ? AND seq > ?", (game, after))
        for text in append_only("batches")[1:]:
            db.execute(text)


def test_a_game_without_its_last_batches_is_not_saved(path: Path) -> None:
    lose_batches(path, game=2, after=400)
    journal, damage = replace_damaged(path, NOW)
    with journal:
        assert [game.id for game in list_games(journal)] == [6, 5, 4, 3, 1]
    assert (damage.saved, damage.lost) == (5, 1)


def test_the_check_reports_a_game_without_its_last_batches(path: Path) -> None:
    with Journal.open(path) as journal:
        before = check_game(journal, 2)
    lose_batches(path, game=2, after=400)
    with Journal.open(path) as journal:
        checked = check_game(journal, 2)
    assert (before.verdict, checked.verdict) == (CheckVerdict.DIFFERS, CheckVerdict.UNREADABLE)
    assert checked.why == "The game continues to entry 482, but only entries up to 400 can be read."


def downgrade(path: Path) -> None:
    """Convert a file to that of urpi 0.1.0, without checksums."""
    old = path.with_name("old.sqlite")
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:1])
        db.execute("ATTACH ? AS new", (str(path),))
        db.execute("DROP TRIGGER packing_not_UPDATE")
        db.execute("UPDATE packing SET words = (SELECT words FROM new.packing)")
        for table, columns in COLUMNS_OF_VERSION_3.items():
            db.execute(f"INSERT INTO main.{table} SELECT {columns} FROM new.{table}")
    old.replace(path)


COLUMNS_OF_VERSION_3 = {
    "games": "*",
    "settings": "*",
    "batches": "game, seq, facts, lines",
    "milestones": "*",
    "finished": "game, at",
    "preferences": '"table", name, value, "instead"',
}


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of version 3 with four refereed games, the second one pruned."""
    path = tmp_path_factory.mktemp("older") / "games.sqlite"
    with Journal.open(path) as journal:
        for seed in range(4):
            game = store_game(journal, "ravensburger", seed, longest=150)
            journal.finish(game, NOW.isoformat())
        store_preferences(journal, "board", PREFERENCES, replace(PREFERENCES, language="fr"))
        prune_game(journal, 2, "2026-11-22")
    downgrade(path)
    return path


@pytest.fixture
def old(older: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(older, tmp_path))


PREFERENCES = Preferences("en", "off", "finkel")


def test_a_file_without_checksums_gets_them_and_keeps_everything(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db:
        ((lines,),) = db.execute("SELECT group_concat(hex(lines)) FROM batches")
    with Journal.open(old) as journal:
        check_pages(journal)
        check_contents(journal)
        assert journal.rows("SELECT group_concat(hex(lines)) FROM batches") == [(lines,)]
        verdicts = [check_game(journal, game).verdict.value for game in (1, 2, 3, 4)]
        assert load_preferences(journal, "board", PREFERENCES).language == "fr"
        assert [game.finished for game in list_games(journal)] == [NOW] * 4
    assert verdicts == ["same", "pruned", "same", "same"]


def damage_freelist(path: Path) -> None:
    """Damage the file in a way that every check of the pages reports and that affects no game."""
    with path.open("r+b") as file:
        file.seek(36)
        file.write(b"\0\0\0\x63")


def test_a_damaged_file_without_checksums_is_replaced_instead_of_upgraded(old: Path) -> None:
    before = games_of(Path(shutil.copy(old, old.with_name("copy.sqlite"))))
    damage_freelist(old)
    keeper = Keeper.open(old, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert (keeper.damage.saved, keeper.damage.lost) == (4, 0)
    assert games_of(old) == before


CHANGES = (
    "DELETE FROM batches WHERE seq = (SELECT seq FROM batches WHERE game = 3 LIMIT 1 OFFSET 9)",
    "UPDATE batches SET facts = 2 WHERE seq = (SELECT max(seq) FROM batches WHERE game = 3)",
    "UPDATE games SET id = 9 WHERE id = 3",
    "UPDATE settings SET value = 'soon' WHERE game = 3 AND name = 'still_ms'",
)


@pytest.mark.parametrize("change", slow_except(CHANGES, CHANGES[0]))
def test_a_game_without_checksums_that_was_changed_is_not_saved(old: Path, change: str) -> None:
    with closing(sqlite3.connect(old)) as db, db:
        for name in ("batches", "games", "settings"):
            db.execute(f"DROP TRIGGER {name}_not_UPDATE")
            db.execute(f"DROP TRIGGER {name}_not_DELETE")
        assert db.execute(change).rowcount == 1
    damage_freelist(old)
    keeper = Keeper.open(old, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert {*games_of(old)} == {1, 2, 4}
    assert keeper.damage.saved == 3
    assert keeper.damage.lost >= 1


def test_a_game_without_checksums_that_lacks_lines_is_not_saved(old: Path) -> None:
    """The missing one is a reading of the same squares, on which no decision depends."""
    with closing(sqlite3.connect(old)) as db, db:
        reading = '{"t":999999,"type":"occupancy","squares":[]}'
        packed = pack([reading], DICTIONARY)
        ((last,),) = db.execute("SELECT max(seq) FROM batches").fetchall()
        db.execute("INSERT INTO batches VALUES (3, ?, 1, ?)", (last + 2, packed))
    damage_freelist(old)
    keeper = Keeper.open(old, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert {*games_of(old)} == {1, 2, 4}


def test_games_without_checksums_that_were_played_at_the_same_time_are_saved(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sqlite"
    with Journal.open(path) as journal:
        one, two = (journal.new_game(GAME, NOW.isoformat(), "1", {}) for _ in range(2))
        for t in range(3):
            journal.append(one, [f'{{"t":{t},"type":"time"}}'] * 2)
            journal.append(two, [f'{{"t":{t},"type":"time"}}'] * 3)
    before = games_of(path)
    downgrade(path)
    damage_freelist(path)
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert games_of(path) == before


def replace_bytes(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    mostly_slow(
        [
            (b"CREATE TABLE games", b"CREATE TXBLE games"),
            (b"CREATE TABLE batches", b"CREATE TABLE bXtches"),
            (b"tablemilestonesmilestones", b"tableXilestonesmilestones"),
            (b"tablefinishedfinished", b"tablefinishedXinished"),
            # SQLite quotes the name in its message, and Python fails to decode that.
            (b"tablesettingssettings", b"tables\xffttingssettings"),
            (b"tablepreferencespreferences", b"taXlepreferencespreferences"),
            (b"CREATE TRIGGER games_not_DELETE", b"CREATE TRIGGEX games_not_DELETE"),
            (b"triggerpacking_not_UPDATE", b"triggexpacking_not_UPDATE"),
        ],
        3,
    ),
)
def test_no_game_is_lost_when_a_definition_in_the_schema_is_damaged(
    path: Path, whole: dict[int, object], old: bytes, new: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    replace_bytes(path, old, new)
    keeper = Keeper.open(path, NOW)
    assert keeper.damage is not None
    assert (keeper.damage.saved, keeper.damage.lost) == (GAMES, 0)
    assert keeper.damage.all_counted
    assert new in keeper.damage.aside.read_bytes()
    assert f"set aside as {keeper.damage.aside}; {GAMES} games were saved" in caplog.text
    assert games_of(path) == whole

    number = keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW)
    keeper.append([incompressible_line(1)], [], NOW)
    assert keeper.outage is None
    keeper.close(NOW)
    with Journal.open(path) as journal:
        assert [entry.line for entry in entries_of(journal, number)] == [
            GAME,
            incompressible_line(1),
        ]


def test_damaged_definitions_of_an_older_version_are_not_replaced(old: Path) -> None:
    replace_bytes(old, b"CREATE TABLE games", b"CREATE TXBLE games")
    keeper = Keeper.open(old, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert (keeper.damage.saved, keeper.damage.all_counted) == (0, False)
    assert b"CREATE TXBLE games" in keeper.damage.aside.read_bytes()


@pytest.mark.parametrize(("offset", "field"), [(68, "application id"), (60, "user version")])
def test_no_game_is_lost_when_the_header_is_damaged(
    path: Path, whole: dict[int, object], offset: int, field: str
) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(b"\0\0\0\1")
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None, field
    assert games_of(path) == whole


def test_a_text_that_is_not_utf_8_is_reported_as_damage(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.rows("DROP TRIGGER games_not_UPDATE")
        journal.rows("UPDATE games SET light = CAST(x'ff' AS TEXT) WHERE id = 2")
        with pytest.raises(DamagedError):
            list_games(journal)


def test_an_invalid_query_is_not_reported_as_damage(path: Path) -> None:
    with Journal.open(path) as journal, pytest.raises(UrpiError) as caught:
        journal.rows("SELECT nothing FROM nowhere")
    assert not isinstance(caught.value, DamagedError)


def test_a_changed_comment_in_the_schema_is_reported_as_damage(path: Path) -> None:
    replace_bytes(path, b"JSON texts, packed", b"JSON texts, picked")
    with pytest.raises(DamagedError, match="the definition of batches is damaged"):
        Journal.open(path)


def test_a_game_with_a_changed_player_is_reported_and_not_saved(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER games_not_UPDATE")
        db.execute("UPDATE games SET light = 'Ann?' WHERE id = 2")
        for text in append_only("games")[:1]:
            db.execute(text)
    with Journal.open(path) as journal:
        assert check_game(journal, 2).verdict is CheckVerdict.UNREADABLE
        with pytest.raises(DamagedError, match="game 2 up to entry"):
            entries_of(journal, 2)
    journal, damage = replace_damaged(path, NOW)
    journal.close()
    assert (damage.saved, damage.lost, damage.all_counted) == (GAMES - 1, 1, True)


def test_games_to_leave_out_are_neither_saved_nor_lost(path: Path) -> None:
    journal, damage = replace_damaged(path, NOW, without=[2, GAMES + 1])
    with journal:
        assert [game.id for game in list_games(journal)] == [6, 5, 4, 3, 1]
    assert (damage.saved, damage.lost, damage.all_counted) == (GAMES - 1, 0, True)


def test_an_unknown_number_of_lost_games_is_reported_as_unknown(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xa5" * (len(content) - 100))
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert not keeper.damage.all_counted
    assert "there may be others" in str(keeper.damage)


def test_a_full_disk_does_not_lose_what_can_be_saved(path: Path, whole: dict[int, object]) -> None:
    damage(path, pages(path)[-1])
    small = path.with_name("small")
    small.write_bytes(bytes(PAGE))
    with no_room(small):
        keeper = Keeper.open(path, NOW)
        assert keeper.outage is not None
        assert not [*path.parent.glob("*.damaged-*")]
    keeper.tick(1, NOW)
    keeper.tick(60_000, NOW)
    keeper.close(NOW)
    assert keeper.outage is None
    assert keeper.damage is not None
    assert len(games_of(path)) >= GAMES - 2
    assert games_of(path).items() <= whole.items()


def test_a_file_of_zeros_is_replaced_by_an_empty_journal(path: Path) -> None:
    """A card that lost its power may leave pages of zeros."""
    size = path.stat().st_size
    path.write_bytes(bytes(size))
    keeper = Keeper.open(path, NOW)
    assert keeper.damage is not None
    assert keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW) == 1
    keeper.close(NOW)
    assert len(games_of(path)) == 1


def test_a_file_of_another_kind_is_rejected_and_unchanged(path: Path) -> None:
    path.write_text("Dear Ann, " * 1000)
    with pytest.raises(UrpiError, match="file is not a database"):
        Keeper.open(path, NOW)
    assert path.read_text().startswith("Dear Ann")
    assert not [*path.parent.glob("*.damaged-*")]


def test_the_current_game_continues_in_a_new_file_when_its_file_is_found_damaged(
    path: Path, whole: dict[int, object]
) -> None:
    keeper = Keeper.open(path, NOW)
    keeper.continue_game(GAMES, NOW)
    path.write_bytes(bytes(path.stat().st_size))

    for t in range(200):
        keeper.append([incompressible_line(t)], [], NOW)

    assert keeper.damage is not None
    assert keeper.outage is None
    assert keeper.game is not None
    with Journal.open(path) as journal:
        lines = [entry.line for entry in entries_of(journal, keeper.game)]
        assert settings_of(journal, keeper.game) == {"table": "board"}
    assert len(lines) == 241 + 200
    assert lines[-200:] == [incompressible_line(t) for t in range(200)]
    keeper.close(NOW)


@pytest.mark.parametrize("ending", ["-journal", "-wal"])
def test_the_companions_of_a_file_are_set_aside_with_it(path: Path, ending: str) -> None:
    """Beside the new file, SQLite would apply them to that one."""
    companion(path, ending).write_bytes(b"half a transaction")
    aside = set_aside(path, "games.damaged-2026-11-21T190211")
    assert aside.name == ASIDE
    assert not companion(path, ending).exists()
    assert companion(aside, ending).read_bytes() == b"half a transaction"


def test_games_are_saved_from_a_damaged_file_and_its_log(
    path: Path, whole: dict[int, object]
) -> None:
    """The log is as a killed program leaves it."""
    with Journal.open(path) as journal:
        journal.connection.use_log()
        journal.append(GAMES, [incompressible_line(1)])
        before = games_of(path)
        killed = path.with_name("killed.sqlite")
        shutil.copy(path, killed)
        shutil.copy(companion(path, "-wal"), companion(killed, "-wal"))
    assert before != whole
    damage(killed, pages(killed)[len(pages(killed)) // 2])
    keeper = Keeper.open(killed, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert {file.name for file in path.parent.glob("killed.sqlite*")} == {"killed.sqlite"}
    left = games_of(killed)
    assert left.items() <= before.items()
    assert GAMES in left
