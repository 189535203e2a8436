"""Pairings of several games: verified games and arbiters bring their results, one game each."""

import csv
import io
from contextlib import closing
from typing import Any

import pytest

from tests.club_live.running import Database
from tests.club_live.test_players import Games, database, games
from tests.club_live.test_roles import Page, command, page
from tests.club_live.test_tournaments import SOON, Arbiter, arbiter, client, pairing
from tests.page.client import Client
from urpi.club.server.database import connect
from urpi.club.server.migrations import FIRST_VERSION, MIGRATIONS, migrate
from urpi.club.server.next_games import wanted_messages
from urpi.club.server.stored_games import tournament_round
from urpi.club.server.tournaments import find_tournament
from urpi.club.web.tournaments import report_of
from urpi.core.errors import UrpiError
from urpi.link.protocol.message_parsers import parse_next

__all__ = ["arbiter", "client", "command", "database", "games", "page"]

MATCHES = next(n for n, each in enumerate(MIGRATIONS) if "match_games" in each)


def points(client: Client, number: str) -> dict[str, tuple[float, ...]]:
    table = client.get(f"/api/tournaments/{number}").json["standings"]
    return {one["name"]: (one["points"], *one["tie_breaks"]) for one in table}


def test_each_game_of_the_pair_is_the_next_one_of_its_match(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bea", games="3", rules="finkel")
    arbiter.run("pair", number)
    first = pairing(client, number)
    one, other = first["light"], first["dark"]
    assert (first["score"], [game["light"] for game in first["games"]]) == (
        [0, 0],
        [one, other, one],
    )
    won = arbiter.receive(games, one, other, "light")
    # The players have not exchanged their sides, which counts as well.
    drawn = arbiter.receive(games, one, other.upper(), "draw")
    arbiter.receive(games, one, "Eve", "light")
    found = pairing(client, number)
    assert (found["result"], found["score"], found["game"]) == (None, [1.5, 0.5], None)
    assert [(game["light"], game["result"], game["game"]) for game in found["games"]] == [
        (one, "light", won),
        (one, "draw", drawn),
        (one, None, None),
    ]
    assert "1.5 - 0.5, game 3 of 3" in arbiter.run("show", number)
    last = arbiter.receive(games, one, other, "dark")
    found = pairing(client, number)
    assert (found["result"], found["score"], found["by_hand"]) == ("draw", [1.5, 1.5], False)
    # It is decided: a fourth game does not count.
    arbiter.receive(games, one, other, "dark")
    assert pairing(client, number) == found
    assert points(client, number) == dict.fromkeys((one, other), (0.5, 1.5, 0.5, 0.25, 0))
    assert f"game 2: {one} - {other}  ½ - ½" in arbiter.run("show", number)
    with closing(connect(arbiter.database.url)) as connection:
        assert tournament_round(connection, last) == ("Cup", "1.3")
        stored = find_tournament(connection, int(number))
        assert stored is not None
        lines = [line for line in report_of(stored).splitlines() if line.startswith("001")]
        assert [line.split()[-1] for line in lines] == ["=", "="]
    text = client.get(f"/api/tournaments/{number}/pairings.csv").text.removeprefix("\ufeff")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["result"], row["light_points"], row["dark_points"]) == ("draw", "1.5", "1.5")
    assert (row["games"], row["game"]) == ("1 0.5 0", f"{won} {drawn} {last}")


def test_the_first_game_of_a_match_decides_who_begins(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bea", games="2")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.receive(games, first["dark"], first["light"], "light")
    found = pairing(client, number)
    assert (found["light"], found["score"]) == (first["dark"], [1, 0])
    assert [game["light"] for game in found["games"]] == [first["dark"], first["light"]]


def test_the_second_copy_of_a_game_and_another_course_of_it_count_once(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bea", games="2")
    arbiter.run("pair", number)
    first = pairing(client, number)
    for side in ("light", "dark"):
        names = {"light": "", "dark": "", side: first[side]}
        key = games.add_copy(side, **names, result="dark", days=SOON)
        arbiter.apply(key)
    arbiter.apply(key)
    assert pairing(client, number)["score"] == [0, 1]


def test_a_knockout_match_ends_early_and_goes_on_while_it_is_level(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("knockout", "Ann", "Bea", games="2")
    arbiter.run("pair", number)
    for result in ("draw", "draw", "draw"):
        arbiter.receive(games, "Ann", "Bea", result)
    found = pairing(client, number)
    assert (found["result"], found["score"], len(found["games"])) == (None, [1.5, 1.5], 4)
    assert "game 4 of 4" in arbiter.run("show", number)
    with pytest.raises(UrpiError, match="needs a winner"):
        arbiter.run("result", number, "1", "draw")
    with pytest.raises(UrpiError, match="has 3 games; found game 5"):
        arbiter.run("result", number, "1", "light", "--game=5")
    arbiter.run("result", number, "1", "light", "--game=4")
    found = pairing(client, number)
    assert (found["result"], found["score"]) == ("dark", [1.5, 2.5])
    assert client.get(f"/api/tournaments/{number}").json["winners"] == [found["dark"]]
    with pytest.raises(UrpiError, match="decided after 4 games"):
        arbiter.run("result", number, "1", "light", "--game=5")
    short = arbiter.create("knockout", "Cyd", "Dan", games="4")
    arbiter.run("pair", short)
    for game in ("1", "3", "4"):
        arbiter.run("result", short, "1", "light" if game != "4" else "dark", f"--game={game}")
    found = pairing(client, short)
    assert (found["result"], found["score"]) == ("light", [3, 0])


def test_an_arbiter_corrects_a_game_and_the_whole_match(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("swiss", "Ann", "Bea", "Cyd", games="2")
    arbiter.run("pair", number)
    first = pairing(client, number)
    kept = arbiter.receive(games, first["light"], first["dark"], "light")
    arbiter.receive(games, first["dark"], first["light"], "light")
    assert pairing(client, number)["result"] == "draw"
    # The sides of the second game are the other ones.
    arbiter.run("result", number, "1", "dark", "--game=2")
    assert pairing(client, number)["score"] == [2, 0]
    arbiter.run("result", number, "1", "open", "--game=2")
    found = pairing(client, number)
    assert (found["result"], found["score"]) == (None, [1, 0])
    arbiter.run("result", number, "1", "dark", "--forfeit")
    found = pairing(client, number)
    assert (found["result"], found["played"], found["score"]) == ("dark", True, [1, 1])
    assert (found["by_hand"], found["games"][0]["game"]) == (True, kept)
    assert "1 - 1 (entered: 0 - 1)\n" in arbiter.run("show", number)
    with pytest.raises(UrpiError, match="entered for the whole match"):
        arbiter.run("result", number, "1", "light", "--game=2")
    arbiter.run("result", number, "1", "open")
    assert pairing(client, number)["score"] == [1, 0]
    # Now there is none for the whole match: the games are removed.
    arbiter.run("result", number, "1", "open")
    assert pairing(client, number) == first
    single = arbiter.create("swiss", "Ann", "Bea")
    arbiter.run("pair", single)
    with pytest.raises(UrpiError, match="one game each"):
        arbiter.run("result", single, "1", "light", "--game=1")


def test_a_match_that_has_begun_keeps_its_games_when_others_are_paired_by_hand(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("swiss", *"ABCDEF", games="2")
    arbiter.run("pair", number)
    first = pairing(client, number)
    game = arbiter.receive(games, first["light"], first["dark"], "light")
    others = [pairing(client, number, board=board)["light"] for board in (1, 2)]
    arbiter.run("pair-by-hand", number, *others, "--reason=Wish")
    kept = pairing(client, number)
    assert (kept["score"], kept["games"][0]["game"]) == ([1, 0], game)
    with pytest.raises(UrpiError, match="has a result"):
        arbiter.run("pair-by-hand", number, first["light"], others[0], "--reason=Wish")


def test_a_table_stays_with_a_match_until_it_is_decided(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    with closing(connect(arbiter.database.url)) as connection:
        connection.execute("TRUNCATE presence")
        connection.execute("INSERT INTO presence VALUES ('hall-1', now(), true)")
    number = arbiter.create("knockout", "Ann", "Bea", games="2")
    arbiter.run("pair", number)
    arbiter.run("tables", number)
    first = pairing(client, number)
    for points in ([0, 0], [0.5, 0.5], [1, 1], [1.5, 1.5]):
        (shown,) = client.get("/api/pairings").json["pairings"]
        assert [shown["light_points"], shown["dark_points"]] == points
        assert (shown["game"], shown["games"]) == (sum(points) + 1, max(2, sum(points) + 1))
        with closing(connect(arbiter.database.url)) as connection:
            told = parse_next(wanted_messages(connection)["hall-1"])
        # The sides alternate.
        sides = ["Ann", "Bea"] if shown["game"] % 2 else ["Bea", "Ann"]
        assert [told.light, told.dark] == sides
        arbiter.receive(games, "Ann", "Bea", "draw")
    arbiter.receive(games, "Ann", "Bea", "light")
    assert client.get("/api/pairings").json["pairings"] == []
    # A game that is open again may have lost its table to another pairing.
    assert pairing(client, number)["table"] == "hall-1"
    arbiter.run("result", number, "1", "open", "--game=5")
    assert pairing(client, number)["table"] is None
    assert first["table"] == "hall-1"


def test_a_removed_round_and_a_deleted_tournament_leave_no_games(
    arbiter: Arbiter, database: Database
) -> None:
    number = arbiter.create("swiss", "Ann", "Bea", games="2")
    arbiter.run("pair", number)
    arbiter.run("result", number, "1", "light", "--game=1")
    arbiter.run("unpair", number, "--yes")
    arbiter.run("pair", number)
    assert "game 1 of 2" in arbiter.run("show", number)
    arbiter.run("result", number, "1", "light", "--game=2")
    arbiter.run("delete", number, "--yes")
    with closing(connect(database.url)) as connection:
        assert connection.execute("SELECT FROM match_games").fetchall() == []


def test_a_match_on_the_page_refuses_what_is_out_of_range(page: Page) -> None:
    arbiter = page.client("Béla")
    cup: dict[str, Any] = {"name": "Cup", "format": "swiss", "players": ["Ann", "Bea"]}
    for wrong in (0, -1, 9, 10**9, 1.5, "2", None, True):
        assert arbiter.post("/api/tournaments", {**cup, "games": wrong}).status == 400
    number = arbiter.post("/api/tournaments", {**cup, "games": 8}).json["id"]
    one = f"/api/tournaments/{number}"
    arbiter.post(f"{one}/rounds", {"begun": 0})
    entry = {"round": 1, "board": 1, "result": "light", "known": None, "game": 8}
    for field, values in {
        "game": (0, -1, 129, 10**9, 1.5, "1", None),
        "result": ("win", 1, "", "abandoned"),
        "known": ("win", 0),
    }.items():
        for wrong in values:
            assert arbiter.post(f"{one}/results", {**entry, field: wrong}).status == 400
    for wrong in (9, 128):
        assert arbiter.post(f"{one}/results", {**entry, "game": wrong}).status == 409
    assert arbiter.post(f"{one}/results", entry).status == 200
    answer = arbiter.post(f"{one}/results", entry)
    assert (answer.status, answer.json["code"]) == (409, "outdated")
    again = {**entry, "known": "light", "result": "dark"}
    assert arbiter.post(f"{one}/results", again).json["code"] == "no-reason"
    # So does a result for the whole match, once it has begun.
    whole = {"round": 1, "board": 1, "known": None}
    for result in ("light", None):
        assert (
            arbiter.post(f"{one}/results", {**whole, "result": result}).json["code"] == "no-reason"
        )
    reason = {"reason": "Mistyped"}
    assert arbiter.post(f"{one}/results", {**again, **reason}).status == 200
    assert arbiter.post(f"{one}/results", {**whole, **reason, "result": "light"}).status == 200
    newest = arbiter.get(f"{one}/log").json["entries"]
    assert [(each["game"], each["before"], each["result"]) for each in newest] == [
        (None, None, "light"),
        (8, "light", "dark"),
        (8, None, "light"),
    ]
    found = page.client().get(one).json
    assert (found["games"], found["rounds"][0]["pairings"][0]["by_hand"]) == (8, True)


def test_an_existing_database_is_upgraded_and_its_tournaments_have_one_game(
    arbiter: Arbiter, database: Database, client: Client
) -> None:
    with closing(connect(database.url)) as connection:
        connection.execute("CREATE SCHEMA old; SET search_path = old")
        migrate(connection, MIGRATIONS[:MATCHES])
        connection.execute(
            "INSERT INTO tournaments (name, format, rounds, tie_breaks)"
            " VALUES ('Old', 'swiss', 1, '{buchholz}');"
            " INSERT INTO tournament_players (tournament, number, name)"
            " VALUES (1, 0, 'Ann'), (1, 1, 'Bea');"
            " INSERT INTO tournament_rounds (tournament, round) VALUES (1, 0);"
            " INSERT INTO pairings (tournament, round, board, light, dark, result, game)"
            " VALUES (1, 0, 0, 0, 1, 'light', 7)"
        )
        migrate(connection)
        version = connection.execute("SELECT version FROM schema_version").fetchone()
        found = find_tournament(connection, 1)
        connection.execute("RESET search_path; DROP SCHEMA old CASCADE")
    assert version == (FIRST_VERSION + len(MIGRATIONS) - 1,)
    assert found is not None
    assert (found.games, found.rounds[0].games) == (1, {(0, 0): 7})
