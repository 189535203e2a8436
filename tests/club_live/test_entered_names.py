"""A table moves the rating of a name only where an arbiter or its player has entered it."""

from contextlib import closing
from datetime import datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from tests.club_live.running import Database
from tests.club_live.test_corrected_games import rated
from tests.club_live.test_players import BEFORE, NOW, Games, client, database, games
from tests.club_live.test_roles import Page, command, page
from tests.page.client import Client, Response
from urpi.cli.main import cli
from urpi.club.server.corrected_games import exclude_game, move_game
from urpi.club.server.database import connect
from urpi.club.server.entered_names import enter_name
from urpi.club.server.entered_names_schema import ENTERED_NAMES
from urpi.club.server.forgotten_players import forget_player
from urpi.club.server.migrations import MIGRATIONS, migrate
from urpi.club.server.players import PlayerList
from urpi.rules import Side

__all__ = ["client", "command", "database", "games", "page"]

WRONG = {"name": "Ann", "table": "lisbon", "pin": "0000000000", "entered": True}


def enter(client: Client, name: str, table: str, *, entered: bool = True, **more: str) -> Response:
    return client.post("/api/names", {"name": name, "table": table, "entered": entered, **more})


def names(arbiter: Client, which: str) -> list[tuple[str, str]]:
    listed = arbiter.get("/api/names").json[which]
    return [(one["name"], one["table"]) for one in listed]


def test_a_hostile_table_moves_no_rating_of_a_name_until_an_arbiter_enters_it(
    client: Client, games: Games, page: Page
) -> None:
    games.add("Ann", "Zoë")
    before = rated(client)
    for _ in range(3):
        games.add("Eve", "ANN", table="hostile", entered=False)
    found = rated(client)
    assert {name: (value, number) for name, (value, _, number) in found.items()} == {
        # The spelling is that of the newest game.
        "ANN" if name == "Ann" else name: (value, number)
        for name, (value, _, number) in before.items()
    }
    listed = client.get("/api/games?table=hostile").json["games"]
    assert listed[0]["missing"] == [
        {"name": "Eve", "table": "hostile"},
        {"name": "ANN", "table": "hostile"},
    ]
    arbiter = page.client("Béla")
    assert names(arbiter, "missing") == [("ANN", "hostile"), ("Eve", "hostile")]
    # One of the two is not enough.
    assert enter(arbiter, "ann", "hostile", since="2020-01-01").status == 200
    assert rated(client) == found
    assert enter(arbiter, "Eve", "hostile", since="2020-01-01").status == 200
    assert rated(client)["Eve"][2] == 3
    assert names(arbiter, "missing") == []
    listed = client.get("/api/games?table=hostile").json["games"]
    assert [one["missing"] for one in listed] == [[], [], []]
    # Entered by mistake: removed from the beginning on, with the hostile table's games.
    assert enter(arbiter, "EVE", "hostile", entered=False, since="2020-01-01").status == 200
    assert rated(client) == found


def test_in_a_game_of_two_tables_each_name_is_entered_at_its_own(
    client: Client, games: Games, page: Page
) -> None:
    arbiter = page.client("Béla")
    games.add_copy("light", "Ann", "Eve", entered=False)
    games.add_copy("dark", "Eve", "Zoë", entered=False)
    for name, table in (("Ann", "porto"), ("Zoë", "lisbon"), ("Eve", "*"), ("Ann", "lisbon")):
        assert rated(client) == {}, (name, table)
        assert enter(arbiter, name, table, since="2020-01-01").status == 200
    missing = [one["missing"] for one in client.get("/api/games").json["games"]]
    assert missing == [[{"name": "Zoë", "table": "porto"}]] * 2
    assert enter(arbiter, "zoë", "porto", since="2020-01-01").status == 200
    assert list(rated(client)) == ["Ann", "Zoë"]


def test_a_club_that_trusts_its_tables_enters_everybody_with_one_command(
    client: Client, games: Games, database: Database, tmp_path: Any
) -> None:
    config = tmp_path / "club.toml"
    config.write_text(f'[club_server]\ndatabase = "{database.url}"\n')

    def run(*words: str) -> str:
        found = CliRunner(env={"URPI_CONFIG": str(config)}).invoke(cli, ["club", "player", *words])
        assert found.exit_code == 0, found.output
        return found.output

    games.add("Ann", "Zoë", entered=False)
    assert rated(client) == {}
    run("enter", "*", "*", "--since", "2020-01-01")
    assert list(rated(client)) == ["Ann", "Zoë"]
    assert "2020-01-01 -             *             *" in run("list")
    run("leave", "*", "*", "--since", "2020-01-01")
    assert rated(client) == {}
    assert "Zoë is entered at lisbon, from now on." in run("enter", "Zoë", "lisbon")
    assert len(run("pin", "Zoë").strip()) == 10


def test_a_player_enters_the_own_name_with_a_pin_which_nobody_can_guess(
    client: Client, games: Games, page: Page
) -> None:
    arbiter, player = page.client("Béla"), page.client()
    games.add("Ann", "Zoë", entered=False)
    assert arbiter.post("/api/names/pin", {"name": "*"}).json["code"] == "invalid-name"
    old = arbiter.post("/api/names/pin", {"name": "ann"}).json["pin"]
    pin = arbiter.post("/api/names/pin", {"name": "Ann"}).json["pin"]

    def own(name: str, pin: str, table: str = "lisbon", *, entered: bool = True) -> Response:
        body = {"name": name, "table": table, "pin": pin, "entered": entered}
        return player.post("/api/names/own", body)

    for wrong in (own("Ann", old), own("Zoë", pin), own("*", pin), own("Nobody", "")):
        assert (wrong.status, wrong.json["code"]) == (403, "wrong-pin")
    assert own("Ann", pin, "*").json["code"] == "one-table"
    assert own("Ann", pin, "atlantis").json["code"] == "no-table"
    assert names(arbiter, "entered") == []
    assert own("Ann", f"{pin[:5]} {pin[5:]}").status == 200
    assert names(arbiter, "entered") == [("Ann", "lisbon")]
    # Only games from now on: those before could be anybody's.
    assert ("Ann", "lisbon") in names(arbiter, "missing")
    # Guesses from one address have an end, those of one name as well.
    for pause in (0, 61, 61):
        page.clock += pause
        while (answer := own("Ann", old)).status == 403:
            pass
        assert answer.status == 429
    assert own("Ann", pin).status == 429
    page.clock += 300
    assert own("Ann", pin, entered=False).status == 200
    assert arbiter.get("/api/names").json["entered"][0]["until"]


def test_only_arbiters_enter_names(games: Games, page: Page) -> None:
    games.add("Ann", "Zoë", entered=False)
    anyone, arbiter = page.client(), page.client("Béla")
    assert anyone.get("/api/names").status == 401
    assert enter(anyone, "Ann", "lisbon").status == 401
    assert anyone.post("/api/names/pin", {"name": "Ann"}).status == 401
    assert anyone.post("/api/names/own", WRONG).status == 403
    assert enter(arbiter, "Ann", "atlantis").json["code"] == "no-table"
    assert enter(arbiter, "\u200b", "lisbon").json["code"] == "invalid-name"
    assert enter(arbiter, "x" * 41, "lisbon").json["code"] == "invalid-name"


def test_an_arbiter_who_types_a_name_is_offered_those_that_the_club_knows(
    database: Database, games: Games, page: Page
) -> None:
    games.add("Zoë", "Ann-Marie", entered=False)
    arbiter = page.client("Béla")
    cup = {"name": "Cup", "format": "swiss", "players": ["Marianne", "ANN-marie", "Élise <b>"]}
    assert arbiter.post("/api/tournaments", cup).status == 200
    assert enter(arbiter, "Mara", "lisbon").status == 200
    assert enter(arbiter, "*", "*").status == 200

    def known(like: str, **more: str) -> list[str]:
        query = urlencode({"like": like, **more})
        return list(arbiter.get(f"/api/players/known?{query}").json["names"])

    # Names of which a word begins so come first, and one spelling of each, that of the games.
    assert known("mar") == ["Mara", "Marianne", "Ann-Marie"]
    assert known("ANN") == ["Ann-Marie", "Marianne"]
    assert known(" elise") == ["Élise <b>"]
    assert known("zoe") == known("ZOË", of="listed") == ["Zoë"]
    assert known("mar", of="listed") == ["Ann-Marie"]
    assert known("*") == known("%") == []
    assert arbiter.get("/api/players/known?of=some").status == 400
    # Nobody else is offered any, and a player who is forgotten is not offered.
    anyone = page.client()
    assert anyone.get("/api/players/known?like=mar").status == 401
    with closing(connect(database.url)) as connection:
        for name in ("ann-marie", "Mara"):
            forget_player(connection, name)
    assert known("mar") == ["Marianne"]
    assert known("ann", of="listed") == []
    # However many there are.
    more = {**cup, "players": [f"Max {number:03}" for number in range(128)]}
    assert arbiter.post("/api/tournaments", more).status == 200
    assert known("max") == [f"Max {number:03}" for number in range(20)]


def test_an_upgrade_keeps_the_ratings_and_new_names_have_to_be_entered(
    database: Database, client: Client
) -> None:
    with closing(connect(database.url)) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
        migrate(connection, MIGRATIONS[: MIGRATIONS.index(ENTERED_NAMES)])
        games = Games(database)
        games.add("Ann", "Zoë", entered=False)
        games.add("ann", "Zoë", entered=False)
        games.add("Ann", "Bea", entered=False, verdict="differs")
        migrate(connection)
    assert {name.casefold(): found[2] for name, found in rated(client).items()} == {
        "ann": 2,
        "zoë": 2,
    }
    games.add("Zoë", "ANN", entered=False)
    games.add("Ann", "Bea", entered=False)
    games.add("Ann", "Zoë", entered=False, table="porto")
    assert {name.casefold(): found[2] for name, found in rated(client).items()} == {
        "ann": 3,
        "zoë": 3,
    }


class Model:
    """Who is rated, by the last decision about each name and table at the time of a game."""

    def __init__(self) -> None:
        self.decisions: list[tuple[str, str, datetime, bool]] = []
        self.games: list[dict[str, Any]] = []

    def is_entered(self, name: str, table: str, at: datetime) -> bool:
        def last(of: str, where: str) -> bool:
            found = [
                yes for n, t, since, yes in self.decisions if (n, t) == (of, where) and since <= at
            ]
            return bool(found) and found[-1]

        return any(last(of, where) for of in (name, "*") for where in (table, "*"))

    def rated(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for game in self.games:
            entered = all(
                moved is not None
                or self.is_entered(own.casefold(), game["table"], game["received"])
                for own, moved in zip(game["names"], game["moved"], strict=True)
            )
            shown = [
                (moved or own).casefold()
                for own, moved in zip(game["names"], game["moved"], strict=True)
            ]
            if entered and not game["excluded"] and "" not in shown and shown[0] != shown[1]:
                for name in shown:
                    found[name] = found.get(name, 0) + 1
        return found

    def forget(self, name: str) -> None:
        self.decisions = [one for one in self.decisions if one[0] != name.casefold()]
        for game in self.games:
            for side in (0, 1):
                if game["names"][side].casefold() == name.casefold():
                    game["names"][side], game["moved"][side] = "", None
                elif (game["moved"][side] or "").casefold() == name.casefold():
                    game["moved"][side] = None


@pytest.mark.parametrize("seed", range(6))
def test_who_is_rated_follows_from_what_was_entered_when(
    database: Database, games: Games, seed: int
) -> None:
    """Names are entered and removed, games come late, and are corrected, in any order."""
    rng, model, following = Random(seed), Model(), PlayerList()
    people, tables = ["Ann", "ANN", "Bea", "Zoë"], ["lisbon", "porto"]
    for table in tables:
        games.add("", "", table=table)
    with closing(connect(database.url)) as connection:
        for step in range(70):
            at = BEFORE + timedelta(days=rng.randrange(20))
            match rng.randrange(10):
                case 0 | 1 | 2 | 3:
                    pair, table = [rng.choice(people), rng.choice(people)], rng.choice(tables)
                    key = games.add(*pair, days=rng.randrange(60), table=table, entered=False)
                    connection.execute(
                        "UPDATE histories SET received = %s, current = NOT current WHERE key = %s",
                        (at, key),
                    )
                    connection.execute("UPDATE histories SET current = true WHERE key = %s", (key,))
                    row = connection.execute("SELECT id FROM histories WHERE key = %s", (key,))
                    (number,) = row.fetchone() or (0,)
                    about = {"names": pair, "moved": [None, None], "excluded": False}
                    model.games.append({"id": number, "table": table, "received": at, **about})
                case 4 | 5 | 6 | 7:
                    name = rng.choice([*people, "*"])
                    table, yes = rng.choice([*tables, "*"]), rng.random() < 0.6
                    enter_name(connection, name, table, at, entered=yes)
                    model.decisions.append((name.casefold(), table, at, yes))
                case 8 if model.games:
                    game, side = rng.choice(model.games), rng.randrange(2)
                    others = {n for one in model.games for n in one["names"] if n}
                    if rng.random() < 0.4:
                        game["excluded"] = not game["excluded"]
                        exclude_game(
                            connection, game["id"], excluded=game["excluded"], user="", reason="r"
                        )
                    elif game["names"][side] and others:
                        other, own = rng.choice(sorted(others)), game["names"][side]
                        move_game(connection, game["id"], [*Side][side], other, user="", reason="r")
                        # Of two spellings, the own one is preferred, else any.
                        row = connection.execute(
                            "SELECT moved FROM names n JOIN histories h USING (table_id, key)"
                            " WHERE h.id = %s AND side = %s",
                            (game["id"], [*Side][side].value),
                        )
                        (game["moved"][side],) = row.fetchone() or (None,)
                        moved = game["moved"][side] or own
                        assert moved.casefold() == other.casefold()
                case 9 if rng.random() < 0.2 and any("Bea" in one["names"] for one in model.games):
                    forget_player(connection, "bea")
                    model.forget("Bea")
                case _:
                    pass
            found = following.read(connection, NOW)
            counted = {name: one.rated for name, one in found.items() if one.rated}
            assert counted == model.rated(), (seed, step)
            assert found == PlayerList().read(connection, NOW), (seed, step)


def test_a_forgotten_player_has_no_entry_and_no_pin(
    database: Database, games: Games, page: Page
) -> None:
    arbiter = page.client("Béla")
    games.add("", "")
    assert enter(arbiter, "Ann", "lisbon").status == 200
    arbiter.post("/api/names/pin", {"name": "Ann"})
    with closing(connect(database.url)) as connection:
        forget_player(connection, "ANN")
        for query in (
            "SELECT FROM entered_names",
            "SELECT FROM player_pins",
            "SELECT FROM security_log WHERE who = 'Ann'",
        ):
            assert connection.execute(query.encode()).fetchall() == []
