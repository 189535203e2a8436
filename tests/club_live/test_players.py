"""The list of players follows from the verified games with published names."""

import json
import random
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.club_live.running import Database
from tests.page.client import Client
from urpi.club.server.database import connect, store_verdict
from urpi.club.server.entered_names import enter_name
from urpi.club.server.migrations import migrate
from urpi.club.server.players import PlayerList, prune_changes
from urpi.club.server.verification import Examined, SharedCopy, Verdict
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.rules import Side

if TYPE_CHECKING:
    from psycopg import Connection

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
BEFORE = datetime(2020, 1, 1, tzinfo=UTC)

INSERT = """
INSERT INTO histories (table_id, key, game, started, head, lines, chain, finished, current, verdict,
    result, rated, shared_id, shared_table, shared_side)
VALUES (%(table)s, %(key)s, %(game)s, %(started)s, %(head)s, 0, '', %(started)s, %(current)s,
    %(verdict)s, %(result)s, %(rated)s, %(shared_id)s, %(shared_table)s, %(shared_side)s)
"""


class Games:
    """Stores games as if they had been received and examined."""

    def __init__(self, database: Database) -> None:
        self.url = database.url
        self._number = 0

    def add(
        self, light: str, dark: str, result: str = "light", days: int = 1, **values: Any
    ) -> str:
        """Store a game that began some days ago; return its key."""
        self._number += 1
        started = NOW - timedelta(days=days)
        key, entered = f"{self._number:08x}", values.pop("entered", True)
        rules = values.pop("rules", "finkel")
        head = {"started": started.isoformat(), "rules": rules, "program": "1", "settings": {}}
        row = {
            "key": key,
            "game": self._number,
            "started": started,
            "head": json.dumps(head),
            "current": True,
            "verdict": "verified",
            "result": result,
            "rated": True,
            "table": "lisbon",
            "shared_id": None,
            "shared_table": None,
            "shared_side": None,
            **values,
        }
        with closing(connect(self.url)) as connection:
            connection.execute(
                "INSERT INTO tables (id) VALUES (%s) ON CONFLICT DO NOTHING", (row["table"],)
            )
            connection.execute(INSERT, row)
            for side, name in (("light", light), ("dark", dark)):
                if name:
                    connection.execute(
                        "INSERT INTO names VALUES (%s, %s, %s, %s)", (row["table"], key, side, name)
                    )
                    if entered:
                        enter_name(connection, name, row["table"], BEFORE)
        return key

    def add_copy(
        self, side: str, light: str, dark: str, result: str = "light", **values: Any
    ) -> str:
        """Store the copy of a game of two tables from Lisbon (light) or Porto; return its key."""
        table, other = ("lisbon", "porto") if side == "light" else ("porto", "lisbon")
        about = {"shared_id": "5f" * 16, "shared_table": other, "shared_side": side}
        return self.add(light, dark, result, **{"table": table, **about, **values})

    def withdraw(self, name: str) -> None:
        with closing(connect(self.url)) as connection:
            connection.execute("DELETE FROM names WHERE name = %s", (name,))


@pytest.fixture(scope="module")
def database(module_database: Database) -> Database:
    with closing(connect(module_database.url)) as connection:
        migrate(connection)
    return module_database


@pytest.fixture
def games(database: Database) -> Games:
    with closing(connect(database.url)) as connection:
        connection.execute("TRUNCATE tables, entered_names, player_pins CASCADE")
    return Games(database)


@pytest.fixture
def client(database: Database) -> Client:
    section = ClubServerSection(database=database.url)
    site = make_site(section, Wall(lambda: NOW))
    site.now = lambda: NOW
    return Client(make_club_app(site))


def players(client: Client) -> dict[str, dict[str, Any]]:
    response = client.get("/api/players")
    assert response.status == 200, response.text
    return {player["name"]: player for player in response.json["players"]}


def test_a_rated_game_raises_the_winner_and_lowers_the_loser(client: Client, games: Games) -> None:
    games.add("Ann", "Zoë")
    found = players(client)
    assert list(found) == ["Ann", "Zoë"]
    ann, zoe = found["Ann"]["rating"], found["Zoë"]["rating"]
    # Two new players: 1662.3 and a deviation of 290.3, which grew by a week without a game.
    assert (ann["value"], zoe["value"]) == (1662, 1338)
    assert ann["deviation"] == zoe["deviation"] == 291
    assert ann["provisional"]
    assert (found["Ann"]["won"], found["Ann"]["lost"], found["Ann"]["games"]) == (1, 0, 1)


def test_each_rule_set_has_ratings_of_its_own(client: Client, games: Games) -> None:
    games.add("Ann", "Zoë")
    games.add("Ann", "Zoë", "dark", rules="blitz")
    games.add("Ann", "Bea", rules="blitz[safe=no]", days=400)

    def rated(query: str) -> dict[str, tuple[int, int]]:
        found = client.get(f"/api/players{query}").json["players"]
        return {one["name"]: (one["rating"]["value"], one["games"]) for one in found}

    assert rated("?rules=finkel") == {"Ann": (1662, 1), "Zoë": (1338, 1)}
    assert list(rated("?rules=blitz")) == ["Zoë", "Ann", "Bea"]
    assert rated("?rules=masters") == {}
    assert {name: number for name, (_, number) in rated("").items()} == {
        "Ann": 3,
        "Zoë": 2,
        "Bea": 1,
    }
    ann = client.get("/api/player?name=ann").json["rule_sets"]
    assert [(one["rules"], one["name"], one["won"], one["lost"]) for one in ann] == [
        ("blitz", "Blitz", 1, 1),
        ("finkel", "Finkel, four dice", 1, 0),
    ]


def test_ratings_follow_every_change_in_the_database(database: Database, games: Games) -> None:
    """The list that follows changes is always the one that a new process reads."""
    seed = 39
    rng = random.Random(seed)
    following, keys = PlayerList(), list[str]()

    def change(connection: "Connection") -> None:
        what = rng.randrange(9)
        if what < 3 or not keys:
            light, dark = rng.sample(["Ann", "Bea", "Cyd", "Dov"], 2)
            result = rng.choice(["light", "dark", "draw"])
            rules = rng.choice(["finkel", "blitz"])
            keys.append(games.add(light, dark, result, rng.randrange(60), rules=rules))
        elif what == 3:
            number = f"{len(keys):032x}"
            sides = rng.sample([("light", "Ann", ""), ("dark", "", "Bea")], 2)
            keys.extend(games.add_copy(*side, shared_id=number, days=3) for side in sides)
        else:
            statement = (
                "UPDATE histories SET verdict = 'altered', shared_id = NULL WHERE key = %s",
                "UPDATE histories SET verdict = 'verified', current = NOT current WHERE key = %s",
                "DELETE FROM names WHERE key = %s",
                "UPDATE histories SET excluded = NOT excluded WHERE key = %s",
                "UPDATE names SET moved = 'Dov' WHERE key = %s AND side = 'light'",
            )[what - 4]
            connection.execute(statement, (rng.choice(keys),))

    with closing(connect(database.url)) as connection, closing(connect(database.url)) as late:
        for step in range(150):
            if step == 50:
                # A transaction that began before others, and is committed after them.
                late.execute("BEGIN")
                late.execute("UPDATE histories SET result = 'draw' WHERE key = %s", (keys[0],))
            if step == 70:
                late.execute("COMMIT")
            change(connection) if not 50 <= step < 70 else games.add("Ann", "Bea")
            fresh, now = PlayerList(), NOW + timedelta(days=step // 10)
            # One of the lists is asked for when many games have changed already.
            for rules in ("", "finkel", "blitz")[: 2 + (step >= 60)]:
                found = following.read(connection, now, rules)
                assert found == fresh.read(connection, now, rules), (seed, step, rules)
    assert len(found) > 1


@pytest.mark.parametrize("kept", [1, 7, 20])
def test_old_changes_are_removed_and_no_list_misses_one(
    database: Database, games: Games, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However seldom a process reads, it has what a new one has."""
    monkeypatch.setattr("urpi.club.server.players.MAX_CHANGES", kept)
    rng, count = random.Random(kept), "SELECT count(*) FROM changed_games"
    with closing(connect(database.url)) as connection:
        often, seldom = PlayerList(), PlayerList()
        seldom.read(connection, NOW)
        for step in range(60):
            games.add(*rng.sample(["Ann", "Bea", "Cyd"], 2), days=rng.randrange(40))
            if rng.random() < 0.3:
                # As of a backup of another server, whose transactions had higher numbers.
                connection.execute(
                    "INSERT INTO changed_games (table_id, key, change) SELECT 'a', 'b',"
                    " (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8"
                )
            prune_changes(connection)
            rows = connection.execute(count).fetchone()
            # The changes of one transaction are removed together.
            assert rows is not None
            assert rows[0] <= kept + 10
            fresh = PlayerList().read(connection, NOW)
            assert often.read(connection, NOW) == fresh
            if step % 25 == 24:
                assert seldom.read(connection, NOW) == fresh


@pytest.mark.parametrize(
    "values",
    [
        {"rated": False},
        {"verdict": "differs"},
        {"verdict": None},
        {"current": False},
        {"result": "abandoned", "rated": False},
    ],
)
def test_other_games_change_no_rating(client: Client, games: Games, values: dict[str, Any]) -> None:
    games.add("Ann", "Zoë")
    before = players(client)["Ann"]["rating"]
    games.add("Ann", "Zoë", **values)
    assert players(client)["Ann"]["rating"] == before


def test_a_game_of_two_tables_counts_once_with_the_name_that_each_player_agreed_to(
    client: Client, games: Games
) -> None:
    games.add_copy("dark", "", "Zoë")
    assert players(client)["Zoë"]["rating"] is None
    # A name of the player at the other table is not that table's to publish.
    games.add_copy("light", "Ann", "Eve")
    found = players(client)
    assert list(found) == ["Ann", "Zoë"]
    assert (found["Ann"]["rating"]["value"], found["Zoë"]["rating"]["value"]) == (1662, 1338)
    assert [(one["games"], one["rated"]) for one in found.values()] == [(1, 1), (1, 1)]
    games.withdraw("Zoë")
    assert [(one["games"], one["rated"]) for one in players(client).values()] == [(1, 0)]


def test_the_list_of_games_has_the_name_that_each_player_agreed_to(
    client: Client, games: Games
) -> None:
    games.add_copy("light", "Ann", "Eve")
    games.add_copy("dark", "", "Zoë")

    def listed() -> list[tuple[str, str, str]]:
        found = client.get("/api/games").json["games"]
        return sorted((one["table"], one["light"], one["dark"]) for one in found)

    assert listed() == [("lisbon", "Ann", "Zoë"), ("porto", "Ann", "Zoë")]
    assert len(client.get("/api/games?player=zo%C3%AB").json["games"]) == 2
    games.withdraw("Zoë")
    assert listed() == [
        ("lisbon", "Ann", "Player at table porto"),
        ("porto", "Ann", "Player at table porto"),
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"result": "dark"},
        {"shared_id": "6f" * 16},
        {"shared_table": "faro"},
        {"shared_side": "light"},
        {"table": "faro"},
        {"rated": False},
        {"current": False},
        {"verdict": "differs", "rated": False},
    ],
)
def test_a_game_of_two_tables_is_rated_only_if_both_copies_agree(
    client: Client, games: Games, values: dict[str, Any]
) -> None:
    games.add_copy("light", "Ann", "")
    games.add_copy("dark", "", "Zoë", **values)
    found = players(client)
    assert found["Ann"]["rating"] is None
    assert found["Ann"]["games"] == 1


def test_a_second_copy_from_one_table_is_not_rated(games: Games) -> None:
    shared = SharedCopy("5f" * 16, "porto", Side.LIGHT)
    verified = Examined(Verdict("verified"), "light", rated=True, shared=shared)
    keys = [games.add("Ann", "", verdict=None, rated=False) for _ in range(2)]
    with closing(connect(games.url)) as connection:
        # The first copy remains rated when it is verified again.
        for key in (*keys, keys[0]):
            query = "SELECT id FROM histories WHERE key = %s"
            (history,) = connection.execute(query, (key,)).fetchone() or (0,)
            store_verdict(connection, "lisbon", history, verified)
        rows = connection.execute("SELECT rated FROM histories ORDER BY key").fetchall()
    assert rows == [(True,), (False,)]


def test_a_game_against_an_unnamed_player_counts_as_a_game_only(
    client: Client, games: Games
) -> None:
    games.add("Ann", "")
    games.add("Ann", "ANN", "dark")
    ann = players(client)["Ann"]
    assert ann["rating"] is None
    assert (ann["games"], ann["rated"], ann["won"], ann["lost"]) == (2, 0, 1, 0)


def test_a_withdrawn_name_disappears_from_lists_pages_and_ratings(
    client: Client, games: Games
) -> None:
    games.add("Ann", "Zoë")
    games.add("Ann", "Bob", "dark")
    alone = players(client)["Bob"]["rating"]
    games.withdraw("Zoë")
    assert client.get("/api/player?name=Zo%C3%AB").status == 404
    found = players(client)
    assert "Zoë" not in found
    assert "Zoë" not in client.get("/api/player?name=Ann").text
    # The win against a withdrawn player no longer makes Ann a stronger opponent.
    assert found["Ann"]["rated"] == 1
    assert found["Bob"]["rating"] == alone
    games.withdraw("Ann")
    assert players(client)["Bob"]["rating"] is None


def test_a_player_has_weeks_and_results_against_each_opponent(client: Client, games: Games) -> None:
    games.add("Ann", "Zoë", days=30)
    games.add("zoë", "Ann", "draw", days=2)
    games.add("Bob", "Ann", "light", days=1)
    found = client.get("/api/player?name=aNN").json
    assert found["name"] == "Ann"
    assert [week["monday"] for week in found["weeks"]] == ["2026-10-19", "2026-11-16"]
    assert found["opponents"] == [
        {"name": "zoë", "won": 1, "drawn": 1, "lost": 0},
        {"name": "Bob", "won": 0, "drawn": 0, "lost": 1},
    ]
    assert found["weeks"][0]["value"] == 1662
    # A week has passed since the last games.
    assert found["rating"]["deviation"] >= found["weeks"][1]["deviation"]


@pytest.mark.parametrize("query", ["", "?name=", "?name=Nobody", "?name=%27%3B--"])
def test_an_unknown_player_is_reported(client: Client, games: Games, query: str) -> None:
    games.add("", "")
    assert client.get(f"/api/player{query}").status == 404
