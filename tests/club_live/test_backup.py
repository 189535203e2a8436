"""Backup and restore of the club's database, also into a running club and from older versions."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.club_live.conftest import World
from tests.club_live.running import Database
from tests.waiting import wait_until
from urpi.cli.main import cli
from urpi.club.server.database import connect
from urpi.club.server.migrations import VERSION, migrate
from urpi.core.errors import UrpiError

GAMES_S = 900.0
"""Longest time for two short games."""


def run(folder: Path, database: str, *arguments: str) -> tuple[int, str]:
    config = folder / "backup.toml"
    config.write_text(f'[club_server]\ndatabase = "{database}"\n')
    found = CliRunner().invoke(cli, ["--config", str(config), "club", *arguments])
    if isinstance(found.exception, UrpiError):
        return 2, str(found.exception)
    return found.exit_code, found.output


@pytest.mark.slow
@pytest.mark.timeout(3 * GAMES_S)
def test_a_club_that_is_restored_from_a_backup_gets_the_later_games_again(world: World) -> None:
    table = world.table("lisbon", 1)
    table.longest = 30
    world.run(table)
    games = "SELECT count(*) FROM histories WHERE finished IS NOT NULL"

    def finished() -> int:
        if world.database.rows("SELECT to_regclass('histories')") == [(None,)]:
            return 0
        ((count,),) = world.database.rows(games)
        return int(str(count))

    wait_until(lambda: finished() > 0, "the first game", GAMES_S)
    backup = world.folder / "club.backup"
    assert run(world.folder, world.database.url, "backup", str(backup))[0] == 0
    early = finished()
    wait_until(lambda: finished() > early + 1, "later games", GAMES_S)
    world.club.end()
    assert run(world.folder, world.database.url, "restore", "--yes", str(backup))[0] == 0
    assert finished() <= early + 1
    world.club.start()
    assert table.finish() == 0
    played = world.database.rows("SELECT count(*), count(DISTINCT key) FROM histories")
    ((histories, keys),) = played
    assert histories == keys
    assert finished() > early + 1
    gaps = (
        "SELECT count(*) FROM (SELECT first, lag(last, 1, 0::bigint) OVER"
        " (PARTITION BY table_id, history ORDER BY first) AS before FROM batches) b"
        " WHERE first != before + 1"
    )
    assert world.database.rows(gaps) == [(0,)]


def test_a_folder_keeps_the_newest_backups_and_everything_else(
    database: Database, tmp_path: Path
) -> None:
    with connect(database.url) as connection:
        migrate(connection)
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [folder / f"club-2026-01-0{day}-021500.backup" for day in (1, 2, 3)]
    others = [folder / name for name in ("club-before-the-move.backup", "club.backup", "notes")]
    for file in (*old, *others):
        file.touch()
    assert run(tmp_path, database.url, "backup", "--keep", "2", str(folder))[0] == 0
    (new,) = {*folder.iterdir()} - {*old, *others}
    assert {*folder.iterdir()} == {new, old[2], *others}
    assert run(tmp_path, database.url, "restore", "--yes", str(new))[0] == 0
    # Without a new backup, the old ones remain.
    for url, where in (("postgresql:///no-such", folder), (database.url, tmp_path / "none")):
        assert run(tmp_path, url, "backup", "--keep", "1", str(where))[0] == 2
    assert {*folder.iterdir()} == {new, old[2], *others}


def test_a_backup_replaces_the_whole_database(database: Database, tmp_path: Path) -> None:
    with connect(database.url) as connection:
        migrate(connection)
        connection.execute("INSERT INTO tables (id) VALUES ('lisbon')")
    backup = tmp_path / "club.backup"
    assert run(tmp_path, database.url, "backup", str(backup))[0] == 0
    # A later version may have tables that the backup does not contain.
    with connect(database.url) as connection:
        connection.execute("DELETE FROM tables")
        connection.execute("CREATE TABLE later (id integer)")
        connection.execute("CREATE FUNCTION later(a integer) RETURNS integer RETURN a")
    status, output = run(tmp_path, database.url, "restore", "--yes", str(backup))
    assert status == 0, output
    assert database.rows("SELECT id FROM tables") == [("lisbon",)]
    assert database.rows("SELECT version FROM schema_version") == [(VERSION,)]
    assert database.rows("SELECT to_regclass('later'), to_regproc('later')") == [(None, None)]


def test_a_file_that_is_no_backup_changes_nothing(database: Database, tmp_path: Path) -> None:
    with connect(database.url) as connection:
        migrate(connection)
        connection.execute("INSERT INTO tables (id) VALUES ('lisbon')")
    backup = tmp_path / "club.backup"
    assert run(tmp_path, database.url, "backup", str(backup))[0] == 0
    whole = backup.read_bytes()
    for damaged in (b"", b"no backup", whole[: len(whole) // 2]):
        backup.write_bytes(damaged)
        status, output = run(tmp_path, database.url, "restore", "--yes", str(backup))
        assert status == 2, output
        assert "\n" not in output
        assert database.rows("SELECT id FROM tables") == [("lisbon",)]


def test_an_existing_file_is_not_replaced(database: Database, tmp_path: Path) -> None:
    backup = tmp_path / "club.backup"
    backup.write_text("precious")
    status, output = run(tmp_path, database.url, "backup", str(backup))
    assert status == 2
    assert "exists" in output
    assert backup.read_text() == "precious"


def test_a_backup_into_a_missing_folder_leaves_no_file(database: Database, tmp_path: Path) -> None:
    status, output = run(tmp_path, database.url, "backup", str(tmp_path / "none" / "club.backup"))
    assert status == 2
    assert "No such file" in output


def test_without_a_database_nothing_is_written(tmp_path: Path) -> None:
    backup = tmp_path / "club.backup"
    url = "postgresql://urpi@127.0.0.1:1/none"
    assert run(tmp_path, url, "backup", str(backup))[0] == 2
    assert not list(tmp_path.glob("club.backup*"))
