"""The club tells whether it works, and which tables are silent or have unusual dice."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from tests.club_live.running import Database
from tests.club_live.test_backup import run
from tests.club_live.test_players import NOW, database
from tests.club_live.test_roles import PASSWORD, hashed, log_in
from tests.page.client import Client
from urpi.club.server.database import connect
from urpi.club.server.dice import COUNTS, NEWEST
from urpi.club.server.presence import PresenceLog
from urpi.club.web.app import make_club_app
from urpi.club.web.site import ClubSite, make_site, reading
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.supervision import Part
from urpi.link.protocol.messages import Online

__all__ = ["database"]

INSERT = (
    "INSERT INTO histories (table_id, key, game, current, verdict, dice, started, head,"
    " lines, chain) VALUES (%s, %s, %s, %s, %s, %s, now(), '{}', 0, '')"
)
NAMES = ("lisbon", "porto", "faro", "évora")


@pytest.fixture
def site(database: Database) -> ClubSite:
    with closing(connect(database.url)) as connection:
        connection.execute("TRUNCATE users, presence, tables CASCADE")
        connection.execute(
            "INSERT INTO users (name, identity, role, password)"
            " VALUES ('Béla', 'béla', 'arbiter', %s)",
            (hashed(),),
        )
    made = make_site(ClubServerSection(database=database.url), Wall(lambda: NOW))
    # Without those of other tests.
    return replace(made, faults=lambda: ())


def club_state(site: ClubSite) -> dict[str, Any]:
    """Return what an arbiter reads."""
    arbiter = Client(make_club_app(site))
    assert log_in(arbiter, "Béla", PASSWORD).status == 200
    found: dict[str, Any] = arbiter.get("/api/connections").json
    return found


def connections(site: ClubSite) -> list[dict[str, Any]]:
    """Return what an arbiter reads of the tables."""
    found: list[dict[str, Any]] = club_state(site)["tables"]
    return found


def health(site: ClubSite) -> tuple[int, str]:
    """Return what a monitor reads: the status, and the code with the message."""
    response = Client(make_club_app(site)).get("/api/health")
    found = response.json
    return response.status, f"{found.get('code')} {found.get('error', '')}"


@pytest.mark.parametrize("seed", range(8))
def test_silent_tables_come_first_with_the_time_since(
    site: ClubSite, database: Database, seed: int
) -> None:
    random, log = Random(seed), PresenceLog()
    with closing(connect(database.url)) as connection:
        connection.execute("INSERT INTO tables (id) VALUES ('mute')")
        for _ in range(40):
            if random.random() < 0.1:
                log.connect()
            message = Online(random.random() < 0.5, "1.0.0").encode()
            log.note(random.choice(NAMES), message, retained=random.random() < 0.3)
            log.store(connection)
        changes = connection.execute("SELECT table_id, online, at FROM presence ORDER BY at")
        since: dict[str, tuple[bool, str | None]] = {"mute": (False, None)}
        for table, online, at in changes:
            if table and since.get(table, (None,))[0] is not online:
                since[table] = online, at.isoformat()
    found = connections(site)
    assert {one["table"]: (one["online"], one["since"]) for one in found} == since
    silent = [one["since"] or "" for one in found if not one["online"]]
    assert [one["online"] for one in found] == sorted(one["online"] for one in found)
    assert silent == sorted(silent, reverse=True)


def test_only_arbiters_read_the_connections(site: ClubSite) -> None:
    assert Client(make_club_app(site)).get("/api/connections").status == 401


def test_a_monitor_learns_which_part_does_not_work(site: ClubSite, database: Database) -> None:
    assert health(site)[1].startswith("broker")
    site.wall.set_connected(True)
    assert health(site) == (200, "None ")
    site.wall.set_storage("full")
    assert health(site)[0] == 503
    assert health(site)[1].startswith("database")
    site.wall.set_storage("works")
    database.kill()
    try:
        status, code = health(site)
        assert (status, code.split()[0]) == (503, "database")
    finally:
        database.start()
    assert health(site) == (200, "None ")


def test_a_part_that_fails_again_and_again_is_reported_to_monitor_and_arbiter(
    site: ClubSite,
) -> None:
    site.wall.set_connected(True)
    verifier = Part("verified", clock=lambda: 0.0, chance=lambda: 0.0)
    site = replace(site, faults=lambda: (verifier.fault,) if verifier.fault else ())
    assert health(site)[0] == 200
    for _ in range(3):
        verifier.start()
        verifier.fail(ValueError("secret"))
    status, message = health(site)
    assert (status, message.split()[0]) == (503, "parts")
    assert "verified" in message
    # What an exception contains is not for everyone.
    assert "secret" not in message
    assert club_state(site)["faults"] == [{"part": "verified", "problem": "ValueError: secret"}]
    verifier.end()
    assert health(site)[0] == 200


def test_a_backup_that_fails_or_no_longer_happens_is_reported(
    site: ClubSite, database: Database, tmp_path: Path
) -> None:
    site.wall.set_connected(True)
    with closing(connect(database.url)) as connection:
        connection.execute("DELETE FROM last_backup")
    assert club_state(site)["backup"] == {"written": None, "problem": "", "old": False}
    # A single one does not promise any others.
    single = tmp_path / "single.backup"
    assert run(tmp_path, database.url, "backup", str(single))[0] == 0
    assert club_state(site)["backup"]["written"] is None
    assert run(tmp_path, database.url, "backup", "--keep", "3", str(tmp_path / "none"))[0] == 2
    assert health(site)[1].startswith("backup")
    found = club_state(site)["backup"]
    assert (found["written"], "cannot be written" in found["problem"]) == (None, True)
    assert run(tmp_path, database.url, "backup", "--keep", "3", str(tmp_path))[0] == 0
    assert health(site)[0] == 200
    found = club_state(site)["backup"]
    assert datetime.fromisoformat(found["written"]) <= datetime.now(UTC)
    with closing(connect(database.url)) as connection:
        for hours, status in ((35, 200), (37, 503)):
            connection.execute(
                "UPDATE last_backup SET written = now() - make_interval(hours => %s)", (hours,)
            )
            assert health(site)[0] == status
    assert club_state(site)["backup"]["old"]
    # A later failure leaves the time of the last complete one.
    assert run(tmp_path, database.url, "backup", "--keep", "3", str(tmp_path / "none"))[0] == 2
    found = club_state(site)["backup"]
    assert found["old"]
    assert found["problem"]
    # The database contains what the file does.
    (kept,) = tmp_path.glob("club-*.backup")
    assert run(tmp_path, database.url, "restore", "--yes", str(kept))[0] == 0
    assert health(site)[0] == 200


@pytest.mark.usefixtures("site")
def test_no_query_of_the_page_is_compiled(database: Database) -> None:
    """Compiling the one for unusual dice took 2.3 s, and found nothing in 0.2 ms then."""
    with reading(database.url) as connection:
        plan = connection.execute(f"EXPLAIN (ANALYZE) {COUNTS}".encode(), (NEWEST,)).fetchall()
    assert not any("JIT" in line for (line,) in plan)


@pytest.mark.parametrize("seed", range(2))
def test_dice_are_unusual_by_the_newest_verified_games_of_a_table(
    site: ClubSite, database: Database, seed: int
) -> None:
    random = Random(seed)

    def game(loaded: bool) -> list[dict[str, Any]]:
        """What four dice show in a game, of which the third one may favour gold."""
        found = []
        for die in range(1, 5):
            shares = (9, 1, 10) if loaded and die == 3 else (1, 1, 2)
            shown = random.choices(("g", "s", "--"), shares, k=100)
            counts = [shown.count(one) for one in ("g", "s", "--")]
            found.append({"die": die, "outcomes": ["g", "s", "--"], "counts": counts})
        return found

    # The table, whether its die is loaded in older and newer games, and what else is unlike porto.
    played = [
        ("porto", False, True, True, "verified"),
        ("lisbon", True, False, True, "verified"),
        ("faro", True, True, False, "verified"),
        ("évora", True, True, True, "differs"),
    ]
    newest: dict[str, list[list[dict[str, Any]]]] = {}
    with closing(connect(database.url)) as connection, connection.cursor() as cursor:
        for table, older, newer, current, verdict in played:
            connection.execute("INSERT INTO tables (id) VALUES (%s)", (table,))
            games = [game(older) for _ in range(40)] + [game(newer) for _ in range(NEWEST)]
            newest[table] = games[-NEWEST:]
            cursor.executemany(
                INSERT,
                [
                    (table, f"{table}-{number}", number, current, verdict, Jsonb(dice))
                    for number, dice in enumerate(games)
                ],
            )
    counted = [sum(one[2]["counts"][place] for one in newest["porto"]) for place in range(3)]
    expected = [{"die": 3, "outcomes": ["g", "s", "--"], "counts": counted}]
    found = {one["table"]: one["dice"] for one in connections(site)}
    assert found == {"porto": expected, "lisbon": [], "faro": [], "évora": []}
