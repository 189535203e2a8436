"""Pairings play at tables that are connected and free, or that an arbiter has chosen."""

from contextlib import closing

import pytest

from tests.club_live.running import Database
from tests.club_live.test_changed_pairings import pairs
from tests.club_live.test_players import Games, database, games
from tests.club_live.test_roles import Page, command, page
from tests.club_live.test_tournaments import Arbiter, arbiter, client
from tests.page.client import Client
from urpi.club.server.database import connect
from urpi.core.errors import UrpiError

__all__ = ["arbiter", "client", "command", "database", "games", "page"]


@pytest.fixture(autouse=True)
def tables(database: Database, games: Games) -> None:
    """Connect five tables, of which one has left and one has a game without an end.

    Another one has begun a game by itself, in which nothing was thrown.
    """
    lines = '{"t":0,"type":"game"}', '{"t":9,"type":"roll","side":"light"}'
    with closing(connect(database.url)) as connection:
        connection.execute("TRUNCATE presence, batches")
        for table, count in (("busy", 2), ("hall-2", 1)):
            games.add("", "", table=table, verdict=None, result=None, finished=None)
            connection.execute(
                "INSERT INTO batches (table_id, history, month, first, last, before, lines)"
                " SELECT table_id, id, month, 1, %s, '', %s FROM histories WHERE table_id = %s",
                (count, "\n".join(lines[:count]), table),
            )
        connection.execute("UPDATE histories SET finished = NULL")
        for table in ("", "hall-10", "hall-2", "left", "busy", "hall-1"):
            connection.execute("INSERT INTO presence VALUES (%s, now(), true)", (table,))
        connection.execute("INSERT INTO presence VALUES ('left', now() + interval '1s', false)")


def at(client: Client, number: str, round_: int = -1) -> list[str | None]:
    found = client.get(f"/api/tournaments/{number}").json["rounds"][round_]["pairings"]
    return [one["table"] for one in found]


def test_each_pairing_gets_a_free_table_in_the_order_of_the_boards(
    arbiter: Arbiter, games: Games, client: Client, database: Database
) -> None:
    number = arbiter.create("swiss", *"ABCDEFGHI", rules="finkel")
    with pytest.raises(UrpiError, match="The newest round is 0"):
        arbiter.run("tables", number)
    arbiter.run("pair", number)
    assert at(client, number) == [None] * 5
    out = arbiter.run("tables", number)
    assert "A - E  - (table hall-1)" in out
    # Neither one that has left, nor one with a game; the last one has a bye.
    assert at(client, number) == ["hall-1", "hall-2", "hall-10", None, None]
    with pytest.raises(UrpiError, match="No table is free"):
        arbiter.run("tables", number)
    assert client.get("/api/pairings").json["pairings"][0] == {
        "table": "hall-1",
        "tournament": int(number),
        "name": "Cup",
        "round": 1,
        "board": 1,
        "light": "A",
        "dark": "E",
        "rules": "finkel",
        "games": 1,
        "game": 1,
        "light_points": 0,
        "dark_points": 0,
    }
    # A result makes its table free, also for another tournament.
    arbiter.run("result", number, "1", "light")
    assert [one["table"] for one in client.get("/api/pairings").json["pairings"]] == [
        "hall-10",
        "hall-2",
    ]
    other = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", other)
    arbiter.run("tables", other)
    assert at(client, other) == ["hall-1"]
    # A game that was left on the board hours ago does not keep a table from others.
    with closing(connect(database.url)) as connection:
        connection.execute("UPDATE histories SET received = now() - interval '3 hours'")
    arbiter.run("tables", number)
    assert at(client, number) == ["hall-1", "hall-2", "hall-10", "busy", None]
    text = client.get(f"/api/tournaments/{number}/pairings.csv").text
    assert [line.rpartition(",")[2] for line in text.splitlines()] == [
        "table",
        "hall-1",
        "hall-2",
        "hall-10",
        "busy",
        "",
    ]
    # Where it was played remains known.
    arbiter.receive(games, "F", "B", "light")
    assert at(client, number)[1] == "hall-2"
    # One that is open again needs a table again: another pairing has its old one.
    arbiter.run("result", number, "1", "open")
    assert at(client, number)[0] is None
    arbiter.run("result", number, "3", "open")
    assert at(client, number)[2] == "hall-10"


def test_an_arbiter_chooses_a_table_and_two_pairings_exchange_theirs(
    arbiter: Arbiter, client: Client
) -> None:
    number = arbiter.create("swiss", *"ABCDEFG")
    arbiter.run("pair", number)
    arbiter.run("tables", number)
    assert "A - D  - (table hall-10)" in arbiter.run("table", number, "1", "hall-10")
    assert at(client, number) == ["hall-10", "hall-2", "hall-1", None]
    arbiter.run("table", number, "2")
    assert at(client, number) == ["hall-10", None, "hall-1", None]
    # The other one has no table then.
    arbiter.run("table", number, "2", "hall-1")
    assert at(client, number) == ["hall-10", "hall-1", None, None]
    # One that has left, or where a game is running, may be chosen.
    arbiter.run("table", number, "3", "left")
    with pytest.raises(UrpiError, match="has been connected"):
        arbiter.run("table", number, "3", "atlantis")
    for board in ("4", "9"):
        with pytest.raises(UrpiError, match="no game at board"):
            arbiter.run("table", number, board, "busy")
    other = arbiter.create("swiss", "Ann", "Bob")
    arbiter.run("pair", other)
    with pytest.raises(UrpiError, match=f"that of a pairing of tournament {number}"):
        arbiter.run("table", other, "1", "left")
    arbiter.run("result", number, "3", "light")
    with pytest.raises(UrpiError, match="needs no table"):
        arbiter.run("table", number, "3", "busy")
    arbiter.run("table", other, "1", "left")


def test_who_is_paired_anew_by_hand_has_no_table_and_others_keep_theirs(
    arbiter: Arbiter, client: Client
) -> None:
    number = arbiter.create("swiss", *"ABCDEF")
    arbiter.run("pair", number)
    arbiter.run("tables", number)
    arbiter.run("pair-by-hand", number, "A", "B", "--reason=Wish")
    assert dict(zip(map(frozenset, pairs(client, number)), at(client, number), strict=True)) == {
        frozenset("AB"): None,
        frozenset("DE"): None,
        frozenset("CF"): "hall-10",
    }
    arbiter.run("tables", number)
    assert at(client, number) == ["hall-1", "hall-2", "hall-10"]


def test_only_arbiters_assign_tables_and_what_is_impossible_is_a_conflict(page: Page) -> None:
    arbiter, anyone = page.client("Béla"), page.client()
    cup = {"name": "Cup", "format": "swiss", "players": ["Ann", "Bob", "Cyd"]}
    one = f"/api/tournaments/{arbiter.post('/api/tournaments', cup).json['id']}"
    assert arbiter.post(f"{one}/tables", {"begun": 0}).status == 409
    arbiter.post(f"{one}/rounds", {"begun": 0})
    chosen = {"round": 1, "board": 1, "table": "hall-2"}
    for path, body in ((f"{one}/tables", {"begun": 1}), (f"{one}/tables/chosen", chosen)):
        assert anyone.post(path, body).status == 401
    assert arbiter.post(f"{one}/tables", {"begun": 2}).status == 409
    # A second click changes nothing.
    for _ in range(2):
        assert arbiter.post(f"{one}/tables", {"begun": 1}).json == {"tables": 1}
    assert arbiter.post(f"{one}/tables/chosen", chosen).json == {"table": "hall-2"}
    for status, wrong in (
        (409, {"board": 2}),
        (409, {"round": 2}),
        (404, {"table": "atlantis"}),
        (404, {"table": ""}),
        (400, {"table": "é"}),
        (400, {"board": 0}),
    ):
        assert arbiter.post(f"{one}/tables/chosen", {**chosen, **wrong}).status == status
    two = f"/api/tournaments/{arbiter.post('/api/tournaments', cup).json['id']}"
    arbiter.post(f"{two}/rounds", {"begun": 0})
    answer = arbiter.post(f"{two}/tables/chosen", chosen)
    assert (answer.status, answer.json["code"]) == (409, "taken")
    for table in ("hall-1", "hall-10"):
        more = f"/api/tournaments/{arbiter.post('/api/tournaments', cup).json['id']}"
        arbiter.post(f"{more}/rounds", {"begun": 0})
        assert arbiter.post(f"{more}/tables/chosen", {**chosen, "table": table}).status == 200
    answer = arbiter.post(f"{two}/tables", {"begun": 1})
    assert (answer.status, answer.json["code"]) == (409, "no-free-table")
    assert arbiter.post(f"{one}/tables/chosen", {**chosen, "table": None}).json == {"table": None}
    assert arbiter.post(f"{two}/tables", {"begun": 1}).json == {"tables": 1}
