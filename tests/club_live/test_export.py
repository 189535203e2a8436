"""An export has what the page shows, of one moment, as files; or there is no folder."""

import csv
import errno
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from psycopg import Connection

from tests.club_live.running import Database
from tests.club_live.test_backup import run
from tests.club_live.test_games import client as games_of_two_tables
from tests.club_live.test_players import Games
from tests.page.client import Client
from urpi.cli.main import cli
from urpi.club.server.database import connect
from urpi.club.server.new_tournaments import create_tournament
from urpi.club.web import export
from urpi.club.web.export import PART

pytestmark = pytest.mark.usefixtures("club")
client = games_of_two_tables


@pytest.fixture(scope="module")
def club(client: Client, module_database: Database) -> None:
    """A club with games in every state, of which some have no lines any more, and a tournament."""
    games = Games(module_database)
    games.add("Béla", "Zoë")
    games.add("=1+1", "Béla", "draw")
    with closing(connect(module_database.url)) as connection:
        create_tournament(connection, "Cup", "swiss", ["Béla", "Zoë", "Čez"])


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as opened:
        return list(csv.DictReader(opened))


@pytest.fixture
def folder(tmp_path: Path, module_database: Database) -> Path:
    found = tmp_path / "club"
    status, text = run(tmp_path, module_database.url, "export", str(found))
    assert (status, text) == (0, f"{found}: 8 games, 4 players, 1 tournaments.\n")
    assert not list(tmp_path.glob(f"*{PART}"))
    assert found.stat().st_mode & 0o077 == 0
    return found


def test_games_are_those_of_the_page_with_their_lines_and_records(
    folder: Path, client: Client, module_database: Database, tmp_path: Path
) -> None:
    listed = {one["id"]: one for one in client.get("/api/games?limit=50").json["games"]}
    found = {int(one["id"]): one for one in rows(folder / "games.csv")}
    assert found.keys() == listed.keys()
    stored = dict(
        module_database.rows(
            "SELECT history, string_agg(lines, E'\\n' ORDER BY first) FROM batches GROUP BY 1"
        )
    )
    for number, one in found.items():
        shown = listed[number]
        assert (one["table"], one["number"]) == (shown["table"], str(shown["number"]))
        assert one["verdict"] == ("" if shown["verdict"] == "running" else shown["verdict"])
        assert (one["lines"] != "") == (number in stored)
        if one["lines"]:
            assert (folder / one["lines"]).read_text("utf-8") == f"{stored[number]}\n"
        assert (one["record"] != "") == (number in stored and one["verdict"] == "verified")
        if one["record"]:
            record = client.get(f"/api/games/{number}/record.txt").text
            assert (folder / one["record"]).read_bytes() == record.encode()
    verified = next(one for one in found.values() if one["record"] and one["light"])
    assert verified["light"] == "Ann"
    config = tmp_path / "table.toml"
    config.write_text(f'[journal]\npath = "{tmp_path / "journal.db"}"\n')
    words = ["--config", str(config), "games", "import", str(folder / verified["record"])]
    imported = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert imported.exit_code == 0, imported.output
    assert {one.name for one in (folder / "games").iterdir()} == {
        Path(one[kind]).name for one in found.values() for kind in ("lines", "record") if one[kind]
    }


@pytest.mark.parametrize("altered", ["x", "{}", '{"type":"game","rules":"\\ud800"}', "[]"])
def test_a_game_with_altered_lines_has_them_without_a_record(
    tmp_path: Path, module_database: Database, altered: str
) -> None:
    with closing(connect(module_database.url)) as connection:
        ((number, before),) = connection.execute(
            "SELECT history, b.lines FROM batches b JOIN histories h ON h.id = history"
            " WHERE verdict = 'verified' AND b.table_id = 'porto'"
        ).fetchall()
        change = "UPDATE batches SET lines = %s WHERE history = %s"
        connection.execute(change, (altered, number))
        try:
            found = run(tmp_path, module_database.url, "export", str(tmp_path / "club"))
        finally:
            connection.execute(change, (before, number))
    assert found[0] == 0
    assert (tmp_path / f"club/games/{number}.jsonl").read_text("utf-8").startswith(altered)
    assert not (tmp_path / f"club/games/{number}.txt").exists()
    assert len(list((tmp_path / "club/games").glob("*.txt"))) == 1


def test_players_have_the_ratings_of_the_page_and_no_name_is_a_formula(
    folder: Path, client: Client
) -> None:
    listed = client.get("/api/players").json["players"]
    found = rows(folder / "players.csv")
    assert [one["name"].removeprefix("'") for one in found] == [one["name"] for one in listed]
    assert "'=1+1" in {one["name"] for one in found}
    for one, shown in zip(found, listed, strict=True):
        assert int(one["games"]) == shown["games"]
        rating = shown["rating"] and shown["rating"]["value"]
        assert (round(float(one["rating"])) if one["rating"] else None) == rating
    weekly = [one for one in rows(folder / "ratings.csv") if one["name"] == "Béla"]
    weeks = client.get("/api/player?name=B%C3%A9la").json["weeks"]
    assert [one["monday"] for one in weekly] == [one["monday"] for one in weeks]


def test_a_tournament_is_a_report_and_a_document(folder: Path, client: Client) -> None:
    (tournament,) = client.get("/api/tournaments").json
    number = tournament["id"]
    names = {one.name for one in (folder / "tournaments").iterdir()}
    assert names == {f"{number}.trf", f"{number}.json"}
    document = json.loads((folder / f"tournaments/{number}.json").read_text("utf-8"))
    assert document == client.get(f"/api/tournaments/{number}").json
    report = client.get(f"/api/tournaments/{number}/report.trf")
    assert (folder / f"tournaments/{number}.trf").read_bytes() == report.body


def fail_of_space(_connection: Connection) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def end_session(connection: Connection) -> None:
    connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.mark.parametrize(
    ("fail", "reason"), [(fail_of_space, "No space left"), (end_session, "cannot be read")]
)
def test_a_failed_export_leaves_nothing(
    tmp_path: Path,
    module_database: Database,
    monkeypatch: pytest.MonkeyPatch,
    fail: Callable[[Connection], None],
    reason: str,
) -> None:
    original = export._export_tournaments

    def failing(connection: Connection, folder: Path) -> int:
        original(connection, folder)
        fail(connection)
        return 0

    monkeypatch.setattr(export, "_export_tournaments", failing)
    status, text = run(tmp_path, module_database.url, "export", str(tmp_path / "club"))
    assert status == 2
    assert reason in text
    assert {one.name for one in tmp_path.iterdir()} == {"backup.toml"}


@pytest.mark.parametrize("name", ["club", f"club{PART}"])
def test_nothing_that_exists_is_replaced(
    tmp_path: Path, module_database: Database, name: str
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "kept").touch()
    status, text = run(tmp_path, module_database.url, "export", str(tmp_path / "club"))
    assert status == 2
    assert f"{name} exists" in text
    assert (tmp_path / name / "kept").exists()


def test_a_folder_that_cannot_be_created_is_named(
    tmp_path: Path, module_database: Database
) -> None:
    status, text = run(tmp_path, module_database.url, "export", str(tmp_path / "no" / "club"))
    assert (status, "club cannot be written: No such file" in text) == (2, True)


def test_what_is_stored_meanwhile_is_in_no_file(
    tmp_path: Path, module_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = export._export_players

    def players(connection: Connection, *others: Any) -> int:
        with closing(connect(module_database.url)) as other:
            other.execute("UPDATE names SET name = 'Later' WHERE name = 'Zoë'")
            found = original(connection, *others)
            other.execute("UPDATE names SET name = 'Zoë' WHERE name = 'Later'")
        return found

    monkeypatch.setattr(export, "_export_players", players)
    assert run(tmp_path, module_database.url, "export", str(tmp_path / "club"))[0] == 0
    assert "Later" not in (tmp_path / "club/players.csv").read_text("utf-8")
