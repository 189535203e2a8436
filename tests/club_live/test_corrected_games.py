"""An arbiter excludes games from the ratings, or moves a side to another player."""

from contextlib import closing
from typing import Any

import pytest

from tests.club_live.running import Database
from tests.club_live.test_players import Games, client, database, games, players
from tests.club_live.test_roles import Page, command, page
from tests.page.client import Client, Response
from urpi.club.server import security_log
from urpi.club.server.database import connect

__all__ = ["client", "command", "database", "games", "page"]


class Correcting:
    """An arbiter's browser, in which games are found by their keys."""

    def __init__(self, arbiter: Client, database: Database) -> None:
        self.arbiter, self._database = arbiter, database

    def number(self, key: str) -> int:
        (row,) = self._database.rows(f"SELECT id FROM histories WHERE key = '{key}'")
        return int(row[0])

    def exclude(self, key: str, *, excluded: bool = True, reason: str = "By mistake") -> Response:
        body = {"excluded": excluded, "reason": reason}
        return self.arbiter.post(f"/api/games/{self.number(key)}/excluded", body)

    def move(self, key: str, side: str, player: str, reason: str = "It was she") -> Response:
        body = {"side": side, "player": player, "reason": reason}
        return self.arbiter.post(f"/api/games/{self.number(key)}/moved", body)


@pytest.fixture
def correcting(page: Page, database: Database) -> Correcting:
    return Correcting(page.client("Béla"), database)


def rated(client: Client) -> dict[str, tuple[int, int, int]]:
    found = players(client)
    return {
        name: (one["rating"]["value"], one["games"], one["rated"])
        for name, one in found.items()
        if one["rating"]
    }


def test_an_excluded_game_counts_for_no_rating_until_it_counts_again(
    client: Client, games: Games, correcting: Correcting
) -> None:
    games.add("Ann", "Bea", days=30)
    before = rated(client)
    key = games.add("Bea", "Ann", days=40)
    both = rated(client)
    assert both != before
    assert correcting.exclude(key).status == 200
    without = {name: (value, 2, 1) for name, (value, _, _) in before.items()}
    assert rated(client) == without
    assert correcting.exclude(key, excluded=False).status == 200
    assert rated(client) == both


@pytest.mark.parametrize("copy", [0, 1])
def test_a_game_of_two_tables_is_excluded_at_either_copy(
    client: Client, games: Games, correcting: Correcting, copy: int
) -> None:
    keys = games.add_copy("light", "Ann", ""), games.add_copy("dark", "", "Zoë")
    assert list(rated(client)) == ["Ann", "Zoë"]
    assert correcting.exclude(keys[copy]).status == 200
    assert rated(client) == {}
    listed = correcting.arbiter.get("/api/games").json["games"]
    assert [one["excluded"] for one in listed] == [True, True]


def test_a_moved_game_is_that_of_the_other_player(
    client: Client, games: Games, correcting: Correcting
) -> None:
    games.add("Cyd", "Dov", rated=False)
    key = games.add("Ann", "Bea")
    assert correcting.move(key, "light", "CYD").status == 200
    assert list(rated(client)) == ["Cyd", "Bea"]
    assert "Ann" not in players(client)
    game = correcting.arbiter.get("/api/games?player=cyd").json["games"]
    assert [(one["light"], one["dark"]) for one in game] == [("Cyd", "Bea"), ("Cyd", "Dov")]
    # Nobody plays against oneself.
    assert correcting.move(key, "dark", "Cyd").status == 200
    assert rated(client) == {}
    for side, name in (("dark", "Bea"), ("light", "ann")):
        assert correcting.move(key, side, name).status == 200
    assert list(rated(client)) == ["Ann", "Bea"]


def test_a_side_at_the_other_table_is_moved_too(
    client: Client, games: Games, correcting: Correcting
) -> None:
    games.add("Cyd", "Dov", rated=False)
    light = games.add_copy("light", "Ann", "")
    games.add_copy("dark", "", "Zoë")
    assert correcting.move(light, "dark", "Dov").status == 200
    assert list(rated(client)) == ["Ann", "Dov"]


def test_a_name_is_shown_only_while_its_player_agrees(
    client: Client, games: Games, correcting: Correcting
) -> None:
    games.add("Cyd", "Dov", rated=False)
    key = games.add("Ann", "Bea")
    assert correcting.move(key, "light", "Cyd").status == 200
    assert list(rated(client)) == ["Cyd", "Bea"]
    games.withdraw("Cyd")
    assert list(players(client)) == ["Bea", "Dov"]
    assert rated(client) == {}
    games.add("Cyd", "Dov", rated=False)
    assert list(rated(client)) == ["Cyd", "Bea"]
    games.withdraw("Ann")
    assert rated(client) == {}


@pytest.mark.parametrize("player", ["Nobody", "%", "x" * 100])
def test_no_game_is_moved_to_a_name_that_nobody_published(
    games: Games, correcting: Correcting, player: str
) -> None:
    key = games.add("Ann", "")
    assert correcting.move(key, "light", player).json["code"] == "not-published"
    assert correcting.move(key, "dark", "Ann").json["code"] == "not-published"


def test_only_arbiters_correct_games_with_a_reason_which_is_logged(
    games: Games, correcting: Correcting, page: Page, database: Database, command: Any
) -> None:
    key = games.add("Ann", "Bea")
    number = correcting.number(key)
    body = {"excluded": True, "reason": "Fun"}
    assert page.client().post(f"/api/games/{number}/excluded", body).status == 401
    assert correcting.exclude(key, reason=" ").json["code"] == "no-reason"
    assert correcting.move(key, "light", "Bea", " ").json["code"] == "no-reason"
    assert correcting.arbiter.post("/api/games/99999/excluded", body).status == 404
    assert correcting.exclude(key, reason="For  fun").status == 200
    assert correcting.move(key, "light", "Bea", "Mixed up").status == 200
    with closing(connect(database.url)) as connection:
        moved, excluded, *_ = security_log.newest_entries(connection)
    assert (moved.event, moved.who, moved.by) == ("game-moved", str(number), "Béla")
    assert moved.about == "Light: Ann > Bea. Mixed up"
    assert (excluded.event, excluded.about) == ("game-excluded", "Excluded. For fun")
