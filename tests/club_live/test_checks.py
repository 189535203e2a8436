"""What is changed in the database after a game was verified is found, with real psql."""

import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from psycopg import Connection

from tests.club_live.running import Database
from tests.club_live.test_backup import run
from tests.club_live.test_games import with_another_winner
from tests.journal.games import store_game
from tests.page.client import Client
from tests.waiting import wait_until
from urpi.club.server.database import connect, next_to_verify, read_lines, store_of, store_verdict
from urpi.club.server.migrations import migrate
from urpi.club.server.months import create_months
from urpi.club.server.security_log import newest_entries
from urpi.club.server.verification import examine
from urpi.club.server.verifier import make_verifier
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.archive import receive
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines

VERDICTS = "SELECT game, verdict FROM histories ORDER BY game"
ALL_VERIFIED: list[tuple[object, ...]] = [(1, "verified"), (2, "verified"), (3, "verified")]


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[Lines]:
    """Three games of one table, each in three messages."""
    found = []
    with Journal.open(tmp_path_factory.mktemp("games") / "j.db") as journal:
        for seed in (5, 6, 7):
            number = store_game(journal, seed=seed)
            lines = [without_names(entry.line) for entry in entries_of(journal, number)]
            started = f"2026-11-{seed:02}T12:00:00+00:00"
            head = GameHead(number, started, "1.0.0", "finkel", settings_of(journal, number))
            chain, first = head.key, 1
            for part in (lines[:40], lines[40:70], lines[70:]):
                begins = first == 1
                ended = None if part is not lines[70:] and part[-1] != lines[-1] else started
                names = {"light": "Ann", "dark": "Bo"} if begins else {}
                known = head if begins else None
                found.append(
                    Lines(number, head.key, first, chain, tuple(part), known, names, ended)
                )
                chain, first = next_chain(chain, part), first + len(part)
    return found


@pytest.fixture
def club(database: Database, messages: list[Lines]) -> Database:
    """A database with three verified games."""
    with closing(connect(database.url)) as connection:
        migrate(connection)
        create_months(connection, datetime.now(UTC).date())
        for message in messages:
            with store_of(connection, "lisbon") as store:
                assert isinstance(receive(store, message), Ack)
        while (game := next_to_verify(connection)) is not None:
            store_verdict(connection, game.table, game.history, examine(game.head, game.lines))
    assert database.rows(VERDICTS) == ALL_VERIFIED
    return database


def psql(database: Database, statement: str) -> None:
    subprocess.run(["psql", database.url, "-qc", statement], check=True, timeout=60)


OF_GAME_2 = "(SELECT id FROM histories WHERE game = 2)"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            (
                "UPDATE batches SET lines = regexp_replace(lines, '\"t\":[0-9]+', '\"t\":1')"
                f" WHERE history = {OF_GAME_2} AND first = 41"
            ),
            "Its lines 41 to 70 are not those",
        ),
        (
            (
                "UPDATE batches SET lines = regexp_replace(lines, '\"t\":[0-9]+', '\"t\":1')"
                f" WHERE history = {OF_GAME_2} AND first = 71"
            ),
            "Its lines 71 to",
        ),
        (f"DELETE FROM batches WHERE history = {OF_GAME_2} AND first = 41", "Its lines 1 to 70"),
        (f"DELETE FROM batches WHERE history = {OF_GAME_2}", "Its lines 1 to"),
        (f"DELETE FROM batches WHERE history = {OF_GAME_2} AND first = 1", "Its lines 1 to"),
        (
            (
                "UPDATE histories SET head = jsonb_set(head, '{started}', '\"2026-12-01\"')"
                " WHERE game = 2"
            ),
            "What was known at its beginning",
        ),
        ("UPDATE histories SET head = '{\"game\":2}' WHERE game = 2", "It cannot be read"),
        (
            (
                "UPDATE histories SET result = CASE result WHEN 'light' THEN 'dark' ELSE"
                " 'light' END, checked = 'infinity' WHERE game = 2"
            ),
            "another result",
        ),
        ("UPDATE histories SET shared_id = '5f' WHERE game = 2", "another result or opponent"),
    ],
)
def test_a_changed_game_is_no_longer_verified_until_it_is_restored(
    club: Database, tmp_path: Path, statement: str, reason: str
) -> None:
    names = ("histories", "batches")
    for name in names:
        psql(club, f"CREATE TABLE kept_{name} AS SELECT * FROM {name}")
    psql(club, statement)
    status, output = run(tmp_path, club.url, "check")
    assert status == 1
    assert "of table lisbon is altered." in output
    assert reason in output
    assert "3 games checked, 1 of them are not verified." in output
    assert club.rows(VERDICTS) == [(1, "verified"), (2, "altered"), (3, "verified")]
    assert club.rows("SELECT count(*) FROM counted_games") == [(2,)]
    with closing(connect(club.url)) as connection:
        (entry,) = newest_entries(connection)
    assert (entry.event, entry.who) == ("game-not-verified", "lisbon")
    assert reason in entry.about
    site = make_site(ClubServerSection(database=club.url), Wall(lambda: datetime.now(UTC)))
    if "head" not in statement:
        listed = Client(make_club_app(site)).get("/api/games?verdict=altered").json["games"]
        assert [reason in one["verdict_text"] for one in listed] == [True]

    psql(
        club,
        "DELETE FROM batches; INSERT INTO batches SELECT * FROM kept_batches;"
        " UPDATE histories h SET head = k.head FROM kept_histories k WHERE h.id = k.id",
    )
    status, output = run(tmp_path, club.url, "check")
    assert (status, output) == (0, "3 games checked, 0 of them are not verified.\n")
    assert club.rows(VERDICTS) == ALL_VERIFIED
    changed = (
        "SELECT count(*) FROM histories h JOIN kept_histories k USING (id)"
        " WHERE h.result != k.result OR h.rated != k.rated OR h.shared_id IS NOT NULL"
    )
    assert club.rows(changed) == [(0,)]


@pytest.mark.parametrize(
    ("forge", "verdict"), [(with_another_winner, "differs"), (lambda _line: "{", "altered")]
)
def test_new_checksums_do_not_hide_a_changed_game(
    club: Database, tmp_path: Path, forge: Any, verdict: str
) -> None:
    with closing(connect(club.url)) as connection:
        _forge(connection, forge)
    assert run(tmp_path, club.url, "check")[0] == 1
    assert club.rows(VERDICTS) == [(1, "verified"), (2, verdict), (3, "verified")]


def _forge(connection: "Connection", forge: Any) -> None:
    rows = connection.execute("SELECT id, key FROM histories WHERE game = 2").fetchall()
    ((number, chain),) = rows
    lines = [forge(line) for line in read_lines(connection, "lisbon", number)]
    connection.execute("DELETE FROM batches WHERE history = %s AND first > 1", (number,))
    connection.execute(
        "UPDATE batches SET lines = %s, last = %s WHERE history = %s",
        ("\n".join(lines), len(lines), number),
    )
    connection.execute(
        "UPDATE histories SET chain = %s WHERE id = %s", (next_chain(chain, lines), number)
    )


def test_the_faces_of_dice_are_counted_of_games_that_were_verified_before(
    club: Database, tmp_path: Path
) -> None:
    assert club.rows("SELECT dice FROM histories") == [([],)] * 3
    psql(club, "UPDATE histories SET dice = NULL WHERE game != 2")
    psql(club, "UPDATE histories SET dice = '[{\"die\": 1}]' WHERE game = 2")
    status, output = run(tmp_path, club.url, "check")
    assert (status, output) == (0, "3 games checked, 0 of them are not verified.\n")
    assert club.rows(VERDICTS) == ALL_VERIFIED
    assert club.rows("SELECT dice FROM histories") == [([],)] * 3


def test_the_running_club_finds_it_in_the_night(club: Database) -> None:
    psql(club, "UPDATE histories SET checked = now() - interval '25 hours'")
    psql(club, f"UPDATE batches SET lines = lines || ' ' WHERE history = {OF_GAME_2}")
    verifier = make_verifier(club.url)
    verifier.open()
    unchecked = "SELECT count(*) FROM histories WHERE checked < now() - interval '24 hours'"
    try:
        wait_until(lambda: club.rows(unchecked) == [(0,)], "the check")
    finally:
        verifier.close()
    assert club.rows(VERDICTS) == [(1, "verified"), (2, "altered"), (3, "verified")]


def test_removed_months_remain_verified(club: Database, tmp_path: Path) -> None:
    ((name,),) = club.rows("SELECT 'batches_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')")
    psql(club, f"ALTER TABLE batches DETACH PARTITION {name}; DROP TABLE {name}")
    assert run(tmp_path, club.url, "check")[0] == 0
    assert club.rows(VERDICTS) == ALL_VERIFIED
