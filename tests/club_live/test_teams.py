"""Tournaments of teams, run by the commands and on the page; verified games bring the boards."""

import csv
import io
from contextlib import closing
from typing import Any

import pytest
import trf

from tests.club_live.running import Database
from tests.club_live.test_players import Games, database, games
from tests.club_live.test_roles import Page, command, page
from tests.club_live.test_tournaments import Arbiter, arbiter, client
from tests.page.client import Client
from urpi.club.server.database import connect
from urpi.club.server.forgotten_players import forget_player
from urpi.core.errors import UrpiError

__all__ = ["arbiter", "client", "command", "database", "games", "page"]

LINES = ("Lisbon:", "Ann", "Bea", "Cyd", "", "Porto:", "Dan", "Eve", "Faro: ", "Flo", "Gus")


def create(arbiter: Arbiter, *lines: str, form: str = "swiss", **options: str) -> str:
    return arbiter.create(form, *(lines or LINES), teams="2", **options)


def shown(client: Client, number: str) -> dict[str, Any]:
    return dict(client.get(f"/api/tournaments/{number}").json)


def results(client: Client, number: str) -> dict[str, tuple[float, int]]:
    board_results = shown(client, number)["board_results"]
    return {one["name"]: (one["points"], one["games"]) for one in board_results}


def test_the_boards_of_a_round_robin_are_played_and_its_teams_ranked(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = create(arbiter, form="round-robin")
    assert "3 teams, 7 players" in arbiter.run("list")
    out = arbiter.run("pair", number)
    first = shown(client, number)["rounds"][0]
    (match, bye) = first["teams"]
    assert (bye["dark"], bye["score"], match["score"]) == (None, None, [0, 0])
    assert f"{match['light']} - {match['dark']}  0 - 0" in out
    one, other, *_ = first["pairings"]
    won = arbiter.receive(games, one["light"], one["dark"], "light")
    arbiter.receive(games, other["light"], other["dark"], "draw")
    after = shown(client, number)
    assert after["rounds"][0]["teams"][0] == {**match, "result": "light", "score": [1.5, 0.5]}
    assert after["rounds"][0]["pairings"][0]["game"] == won
    assert results(client, number)[one["light"]] == (1, 1)
    first_line = after["standings"][0]
    assert (first_line["name"], first_line["points"]) == (match["light"], 2)
    for _ in range(2):
        arbiter.run("pair", number)
        for board in ("1", "2"):
            arbiter.run("result", number, board, "light")
    found = shown(client, number)
    assert (found["over"], found["boards"], found["teams"], found["players"]) == (True, 2, 3, 7)
    table = [(line["points"], line["tie_breaks"][0]) for line in found["standings"]]
    # Both other matches were drawn, by a board for each side.
    assert sorted(table, reverse=True) == table == [(3, 2.5), (2, 2), (1, 1.5)]
    assert found["winners"] == [match["light"]]
    text = client.get(f"/api/tournaments/{number}/standings.csv").text.removeprefix("\ufeff")
    assert next(csv.DictReader(io.StringIO(text)))["name"] == match["light"]
    text = client.get(f"/api/tournaments/{number}/pairings.csv").text.removeprefix("\ufeff")
    row = next(csv.DictReader(io.StringIO(text)))
    assert (row["light_team"], row["dark_team"]) == (match["light"], match["dark"])
    report = trf.loads(arbiter.run("export", number))
    assert [team.name.strip() for team in report.teams] == ["Lisbon", "Porto", "Faro"]
    assert [team.startranks for team in report.teams] == [[1, 2, 3], [4, 5], [6, 7]]
    points = {player.name: player.points for player in report.players}
    assert points["Ann"] == sum(
        {"1": 1.0, "=": 0.5, "U": 0.0}.get(game.result, 0.0) for game in report.players[0].games
    )
    printed = arbiter.run("show", number)
    assert "Standings: match points" in printed
    assert "Cyd (Lisbon)  0   0" in printed


def test_a_reserve_plays_for_a_player_who_is_absent_in_a_round(
    arbiter: Arbiter, client: Client
) -> None:
    number = create(arbiter, *LINES[:8])
    arbiter.run("bye", number, "Ann")
    arbiter.run("pair", number)
    one, other = shown(client, number)["rounds"][0]["pairings"]
    assert {one["light"], one["dark"]} == {"Bea", "Dan"}
    assert {other["light"], other["dark"]} == {"Cyd", "Eve"}


def test_a_team_withdraws_is_renamed_and_comes_late(arbiter: Arbiter, client: Client) -> None:
    four = ("Braga:", "Hal", "Ida")
    number = create(arbiter, *LINES, *four)
    assert "Lisbon plays no further rounds" in arbiter.run("withdraw", number, "lisbon")
    arbiter.run("withdraw", number, "Lisbon", "--undo")
    arbiter.run("rename", number, "Porto", "Oporto")
    for taken in ("Ann", "faro", "Lisbon"):
        with pytest.raises(UrpiError, match="already"):
            arbiter.run("rename", number, "Oporto", taken)
    arbiter.run("pair", number)
    # A reserve of a team, and a team with half of the points of a round.
    assert "5 teams, 12 players" in arbiter.run(
        "add", number, "--half-points", "Oporto:", "Jon", "Évora:", "Kim", "Leo"
    )
    last = shown(client, number)["rounds"][0]["teams"][-1]
    assert (last["light"], last["dark"], last["result"]) == ("Évora", None, "draw")
    table = {each["name"]: each for each in shown(client, number)["standings"]}
    assert (table["Évora"]["points"], table["Évora"]["tie_breaks"][0]) == (1, 1)
    for board in ("1", "2", "3", "4"):
        arbiter.run("result", number, board, "draw")
    arbiter.run("withdraw", number, "Évora")
    arbiter.run("bye", number, "Faro")
    found = shown(client, number)["standings"]
    assert [each["name"] for each in found if each["withdrawn"]] == ["Évora"]
    assert [each["byes"] for each in found if each["name"] == "Faro"] == [[2]]
    arbiter.run("pair", number)
    teams = shown(client, number)["rounds"][1]["teams"]
    assert {"Évora"}.isdisjoint({one["light"] for one in teams} | {one["dark"] for one in teams})
    assert ("Faro", None, "draw") in [(one["light"], one["dark"], one["result"]) for one in teams]


def test_a_team_needs_a_player_for_each_board(arbiter: Arbiter) -> None:
    for lines, named in (
        (("Ann", "Lisbon:", "Bea", "Cyd"), "'Ann' is in no team"),
        ((*LINES, "Braga:", "Hal"), "Team 'Braga' needs 2 players; found 1"),
        ((*LINES, "Braga:", "Hal", "ANN"), "Line 14: 'ANN' is given twice"),
        ((*LINES, "Braga:", "Hal", "faro"), "given twice"),
        ((*LINES, ":", "Hal", "Ida"), "A team's name must have"),
        (LINES[:4], "2 to 128 players; found 1"),
    ):
        with pytest.raises(UrpiError, match=named):
            create(arbiter, *lines)
    with pytest.raises(UrpiError, match="may have 128 players; found 130"):
        create(arbiter, "A:", *(f"a{n}" for n in range(65)), "B:", *(f"b{n}" for n in range(65)))
    with pytest.raises(UrpiError, match="Teams play a Swiss or a round robin"):
        create(arbiter, form="knockout")
    number = create(arbiter)
    with pytest.raises(UrpiError, match="'Ann' is a player"):
        arbiter.run("add", number, "Ann:", "Hal", "Ida")
    with pytest.raises(UrpiError, match="needs a player for each"):
        arbiter.run("remove", number, "Dan")
    assert "3 teams, 6 players" in arbiter.run("remove", number, "Bea") + arbiter.run("list")
    with pytest.raises(UrpiError, match="no player 'Lisbon'"):
        arbiter.run("remove", number, "Lisbon")
    arbiter.run("pair", number)
    with pytest.raises(UrpiError, match="without teams"):
        arbiter.run("pair-by-hand", number, "Ann", "Flo", "--reason=Wish")


def test_a_board_is_a_match_of_several_games_and_names_are_forgotten(
    arbiter: Arbiter, games: Games, client: Client, database: Database
) -> None:
    number = create(arbiter, *LINES[:8], games="2")
    arbiter.run("pair", number)
    one = shown(client, number)["rounds"][0]["pairings"][0]
    for _ in range(2):
        arbiter.receive(games, one["light"], one["dark"], "light")
    arbiter.run("result", number, "2", "draw", "--game=1")
    found = shown(client, number)
    (match,) = found["rounds"][0]["teams"]
    assert (match["result"], match["score"]) == (None, [2.5, 0.5])
    assert results(client, number)[one["light"]] == (2, 2)
    arbiter.run("result", number, "2", "none")
    (match,) = shown(client, number)["rounds"][0]["teams"]
    assert (match["result"], match["score"]) == ("light", [2.5, 0.5])
    with closing(connect(database.url)) as connection:
        forget_player(connection, "Ann")
    assert "Ann" not in client.get(f"/api/tournaments/{number}").text


def test_teams_on_the_page_refuse_what_is_out_of_range(page: Page) -> None:
    arbiter = page.client("Béla")
    cup: dict[str, Any] = {"name": "Cup", "format": "swiss", "players": list(LINES)}
    for wrong in (-1, 9, 10**9, 1.5, "2", None, True):
        assert arbiter.post("/api/tournaments", {**cup, "boards": wrong}).status == 400
    for wrong in ({"boards": 1}, {"boards": 3}, {"boards": 2, "format": "knockout"}):
        assert arbiter.post("/api/tournaments", {**cup, **wrong}).status == 409
    # Without teams, a colon is part of a name.
    number = arbiter.post("/api/tournaments", {**cup, "boards": 0}).json["id"]
    assert arbiter.get(f"/api/tournaments/{number}").json["players"] == 10
    number = arbiter.post("/api/tournaments", {**cup, "boards": 2}).json["id"]
    one = f"/api/tournaments/{number}"
    assert arbiter.post(f"{one}/players", {"players": ["Hal"]}).status == 409
    assert arbiter.post(f"{one}/players", {"players": ["Faro:", "Hal"]}).status == 200
    assert arbiter.post(f"{one}/rounds", {"begun": 0}).json == {"begun": 1}
    assert (
        arbiter.post(
            f"{one}/pairings", {"begun": 1, "light": "Ann", "dark": "Flo", "reason": "x"}
        ).status
        == 409
    )
    assert arbiter.post(f"{one}/withdrawals", {"player": "Faro"}).status == 200
