"""An arbiter changes pairings by hand, grants byes, and gives late players points."""

from contextlib import closing

import pytest

from tests.club_live.test_players import Games, database, games
from tests.club_live.test_tournaments import SOON, Arbiter, arbiter, client, pairing
from tests.page.client import Client
from urpi.club.server.database import connect
from urpi.core.errors import UrpiError

__all__ = ["arbiter", "client", "database", "games"]


def pairs(client: Client, number: str, round_: int = -1) -> list[set[str | None]]:
    found = client.get(f"/api/tournaments/{number}").json["rounds"][round_]["pairings"]
    return [{one["light"], one["dark"]} for one in found]


def test_a_pairing_is_changed_before_its_game_and_takes_the_result_of_the_new_one(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan", "Eve")
    arbiter.run("pair", number)
    assert pairs(client, number) == [{"Ann", "Cyd"}, {"Bob", "Dan"}, {"Eve", None}]
    out = arbiter.run("pair-by-hand", number, "bob", "Ann", "--reason=Sisters")
    assert "Bob - Ann" in out
    assert pairs(client, number) == [{"Ann", "Bob"}, {"Cyd", "Dan"}, {"Eve", None}]
    # Board 2 has its game, and keeps it and its board.
    game = arbiter.receive(games, "Cyd", "Dan", "light")
    arbiter.run("pair-by-hand", number, "Ann", "--reason=Ill")
    assert pairs(client, number) == [{"Bob", "Eve"}, {"Cyd", "Dan"}, {"Ann", None}]
    assert pairing(client, number, board=1)["game"] == game
    assert "Ann: bye (half a point)" in arbiter.run("show", number)
    arbiter.receive(games, "Bob", "Eve", "light")
    points = {
        line["name"]: line["points"]
        for line in client.get(f"/api/tournaments/{number}").json["standings"]
    }
    assert points == {"Bob": 1, "Cyd": 1, "Ann": 0.5, "Dan": 0, "Eve": 0}
    with pytest.raises(UrpiError, match="has a result"):
        arbiter.run("pair-by-hand", number, "Ann", "Eve", "--reason=Well")
    text = client.get(f"/api/tournaments/{number}/pairings.csv").text
    assert "1,3,Ann,,half-point bye,,,\r\n" in text


def test_players_meet_again_only_if_the_arbiter_says_so(arbiter: Arbiter, client: Client) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("pair", number)
    for board in "12":
        arbiter.run("result", number, board, "light")
    arbiter.run("pair", number)
    with pytest.raises(UrpiError, match="Already played, or had a bye: Ann - Cyd, Bob - Dan"):
        arbiter.run("pair-by-hand", number, "Ann", "Cyd", "--reason=Wish")
    arbiter.run("pair-by-hand", number, "Ann", "Cyd", "--reason=Wish", "--again")
    assert pairs(client, number) == [{"Ann", "Cyd"}, {"Bob", "Dan"}]


@pytest.mark.parametrize("ended", [False, True])
def test_a_pairing_whose_game_has_begun_is_not_changed(
    arbiter: Arbiter, games: Games, client: Client, ended: bool
) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("pair", number)
    key = games.add("CYD", "Ann", "abandoned", days=SOON, rated=False)
    with closing(connect(arbiter.database.url)) as connection:
        if not ended:
            connection.execute("UPDATE histories SET verdict = NULL WHERE key = %s", (key,))
    if ended:
        arbiter.run("pair-by-hand", number, "Ann", "Bob", "--reason=Wish")
    else:
        with pytest.raises(UrpiError, match=r"The game has begun: .*Ann.* End it first"):
            arbiter.run("pair-by-hand", number, "Ann", "Bob", "--reason=Wish")
    assert ({"Ann", "Bob"} in pairs(client, number)) == ended


def test_a_player_has_byes_in_rounds_chosen_before(arbiter: Arbiter, client: Client) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan", rounds="2")
    assert "Ann has a bye in round 1" in arbiter.run("bye", number, "Ann")
    arbiter.run("bye", number, "Bob", "--round=2")
    arbiter.run("bye", number, "Cyd", "--round=2")
    assert "Cyd plays in round 2" in arbiter.run("bye", number, "Cyd", "--round=2", "--undo")
    arbiter.run("pair", number)
    assert {"Ann", None} in pairs(client, number)
    (full,) = (one for one in pairs(client, number) if None in one and "Ann" not in one)
    assert full == {"Dan", None}
    arbiter.run("result", number, "1", "draw")
    arbiter.run("pair", number)
    assert {"Bob", None} in pairs(client, number)
    with pytest.raises(UrpiError, match="Round 3 cannot have a bye"):
        arbiter.run("bye", number, "Ann")
    other = arbiter.create("round-robin", "Ann", "Bob")
    with pytest.raises(UrpiError, match="byes in a Swiss"):
        arbiter.run("bye", other, "Ann")


def test_a_late_player_has_half_a_point_for_each_round_that_has_begun(
    arbiter: Arbiter, client: Client
) -> None:
    number = arbiter.create("swiss", *"ABCDEF", rounds="3")
    for _ in range(2):
        arbiter.run("pair", number)
        for board in "123":
            arbiter.run("result", number, board, "light")
    arbiter.run("add", number, "Zoë", "--half-points")
    arbiter.run("add", number, "Yan")
    points = {
        line["name"]: line["points"]
        for line in client.get(f"/api/tournaments/{number}").json["standings"]
    }
    assert (points["Zoë"], points["Yan"]) == (1, 0)
    assert [{"Zoë", None} in pairs(client, number, round_) for round_ in (0, 1)] == [True, True]
    # No game is left to play in these rounds.
    assert "Round 3" in arbiter.run("pair", number)


def test_a_report_is_exported_and_its_players_begin_another_tournament(
    arbiter: Arbiter, client: Client
) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Zoë", "Dan", "Eve")
    arbiter.run("bye", number, "Ann")
    arbiter.run("pair", number)
    for board in "12":
        arbiter.run("result", number, board, "light")
    text = arbiter.run("export", number)
    response = client.get(f"/api/tournaments/{number}/report.trf")
    assert response.text == text
    assert "attachment" in response.headers["content-disposition"]
    (ann,) = (line for line in text.splitlines() if "Ann" in line)
    assert ann.endswith("0000 - H")
    other = arbiter.create("swiss", *text.splitlines())
    table = client.get(f"/api/tournaments/{other}").json["standings"]
    assert [line["name"] for line in table] == ["Ann", "Bob", "Zoë", "Dan", "Eve"]
