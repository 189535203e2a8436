"""Each table is told the pairing that it has, and only that table, whatever happens meanwhile."""

import time
from pathlib import Path

import pytest

from tests.club_live.conftest import World
from tests.club_live.pages import PageTable
from tests.club_live.running import Club, Database, accepts
from tests.club_live.test_permissions import Attacker, attacker
from tests.club_live.test_tournaments import Arbiter
from tests.waiting import wait_until
from urpi.club.server.next_games import POLL_S
from urpi.link.protocol.message_parsers import parse_next
from urpi.link.protocol.messages import NextGame, Online


@pytest.fixture
def arbiter(world: World, tmp_path: Path) -> Arbiter:
    wait_until(lambda: accepts(world.club.page_port), "the club's page")
    return Arbiter(world.database, tmp_path)


def connect(one: Attacker, table: str) -> None:
    one.client.publish(f"urpi/tables/{table}/online", Online(True, "1").encode(), 1, retain=True)


def known(database: Database, *tables: str) -> None:
    """Wait until the club knows tables."""
    query = "SELECT DISTINCT table_id FROM presence"
    wait_until(lambda: {*tables} <= {one for (one,) in database.rows(query)}, "the tables")


def told(one: Attacker, table: str) -> NextGame | None:
    found = one.newest.get(f"urpi/tables/{table}/next", b"")
    return parse_next(found) if found else None


def test_a_table_is_told_its_pairing_until_it_has_a_result(world: World, arbiter: Arbiter) -> None:
    with attacker(world.broker, "lisbon") as lisbon, attacker(world.broker, "porto") as porto:
        connect(lisbon, "lisbon")
        connect(porto, "porto")
        known(world.database, "lisbon", "porto")
        number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Zoë", rules="finkel")
        arbiter.run("pair", number)
        arbiter.run("table", number, "1", "lisbon")
        first = NextGame(int(number), "Cup", 1, 1, "Ann", "Cyd", "finkel")
        wait_until(lambda: told(lisbon, "lisbon") == first, "the pairing")
        arbiter.run("table", number, "2", "lisbon")
        arbiter.run("table", number, "1", "porto")
        wait_until(lambda: told(porto, "porto") == first, "the pairing at another table")
        second = NextGame(int(number), "Cup", 1, 2, "Zoë", "Bob", "finkel")
        wait_until(lambda: told(lisbon, "lisbon") == second, "the other pairing")
        # Each only what is its own.
        for one, other in ((lisbon, "porto"), (porto, "lisbon")):
            assert f"urpi/tables/{other}/next" not in one.received
        # Results that are entered while the club is down, and a broker that keeps its messages.
        world.club.kill()
        arbiter.run("result", number, "1", "light")
        arbiter.run("table", number, "2")
        world.club.start()
        for one, table in ((lisbon, "lisbon"), (porto, "porto")):
            wait_until(lambda one=one, table=table: told(one, table) is None, "the end")  # type: ignore[misc]


@pytest.mark.slow
def test_two_clubs_and_a_new_broker_come_to_the_same(world: World, arbiter: Arbiter) -> None:
    other = Club(world.folder, world.broker, world.database, "other")
    world.run(other)
    wait_until(lambda: accepts(other.page_port), "the other club's page")
    with attacker(world.broker, "lisbon") as lisbon:
        connect(lisbon, "lisbon")
        known(world.database, "lisbon")
        number = arbiter.create("swiss", "Ann", "Bob")
        arbiter.run("pair", number)
        arbiter.run("table", number, "1", "lisbon")
        wait_until(lambda: told(lisbon, "lisbon"), "the pairing")
        time.sleep(5 * POLL_S)
        # Each of them once, at most.
        assert lisbon.received.count("urpi/tables/lisbon/next") <= 2
        found = told(lisbon, "lisbon")
        # Without its store, it has forgotten what it retained.
        world.broker.kill()
        lisbon.newest.clear()
        world.broker.start()
        wait_until(lambda: told(lisbon, "lisbon") == found, "the pairing, again")
        world.database.kill()
        world.database.start()
        arbiter.run("result", number, "1", "light")
        wait_until(lambda: told(lisbon, "lisbon") is None, "the end")


@pytest.mark.timeout(600)
def test_players_begin_what_is_assigned_and_its_result_arrives(
    world: World, arbiter: Arbiter
) -> None:
    table = PageTable(world.folder, world.broker, "lisbon")
    world.run(table)
    wait_until(lambda: table.url, "the page")
    known(world.database, "lisbon")
    number = arbiter.create("swiss", "Ann", "Zoë", rules="blitz")
    arbiter.run("pair", number)
    assert "(table lisbon)" in arbiter.run("tables", number)
    wait_until(lambda: table.note("next"), "the next game")
    found = table.note("next")
    for text in ("Ann (light) and Zoë (dark)", "Cup, Round 1.", "both names"):
        assert text in found["text"]
    # The game is played while the club is down.
    world.club.kill()
    assert table.post("/api/tables/begin-next", game=found["game"]) == ""
    wait_until(lambda: table.state["players"]["light"] == "Ann", "the game")
    state = table.state
    assert (state["players"], state["rules"]["id"]) == ({"light": "Ann", "dark": "Zoë"}, "blitz")
    assert table.note("next") is None
    assert table.post("/api/table/players", light="simulated", dark="simulated") == ""
    wait_until(lambda: table.state["last"] and table.state["last"]["type"] == "move", "a move")
    assert table.post("/api/resign", side="dark") == ""
    wait_until(lambda: table.state["phase"] == "over", "the end")
    world.club.start()
    query = f"SELECT result, game IS NOT NULL FROM pairings WHERE tournament = {number}"
    wait_until(lambda: world.database.rows(query) == [("light", True)], "the result")
    wait_until(lambda: "next" not in topics(world, "lisbon"), "the end of the retained message")
    assert table.note("next") is None


def topics(world: World, table: str) -> set[str]:
    """Return what the broker retains for a table, and sends it within two looks of the club."""
    with attacker(world.broker, table) as one:
        time.sleep(2 * POLL_S)
        return {topic.rpartition("/")[2] for topic, data in one.newest.items() if data}
