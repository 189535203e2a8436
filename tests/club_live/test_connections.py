"""The club tells whether it works, and which tables are silent."""

from contextlib import closing
from random import Random
from typing import Any

import pytest

from tests.club_live.running import Database
from tests.club_live.test_players import NOW, database
from tests.club_live.test_roles import PASSWORD, hashed, log_in
from tests.page.client import Client
from urpi.club.server.database import connect
from urpi.club.server.presence import PresenceLog
from urpi.club.web.app import make_club_app
from urpi.club.web.site import ClubSite, make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.link.protocol.messages import Online

__all__ = ["database"]

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
    return make_site(ClubServerSection(database=database.url), Wall(lambda: NOW))


def connections(site: ClubSite) -> list[dict[str, Any]]:
    """Return what an arbiter reads."""
    arbiter = Client(make_club_app(site))
    assert log_in(arbiter, "Béla", PASSWORD).status == 200
    found: list[dict[str, Any]] = arbiter.get("/api/connections").json["tables"]
    return found


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
    monitor = Client(make_club_app(site))

    def health() -> tuple[int, Any]:
        response = monitor.get("/api/health")
        return response.status, response.json.get("code")

    assert health() == (503, "broker")
    site.wall.set_connected(True)
    assert monitor.get("/api/health").json == {"healthy": True}
    site.wall.set_storage("full")
    assert health() == (503, "database")
    site.wall.set_storage("works")
    database.kill()
    try:
        assert health() == (503, "database")
    finally:
        database.start()
    assert health() == (200, None)
