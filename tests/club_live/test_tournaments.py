"""Tournaments run by the commands; verified games bring their results, and the page shows them."""

import csv
import io
import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.club_live.running import Database
from tests.club_live.test_players import NOW, Games, database, games
from tests.journal.games import store_game
from tests.page.client import Client
from tests.waiting import wait_until
from urpi.cli.main import cli
from urpi.club.server.brought_results import apply_game
from urpi.club.server.database import connect, store_of
from urpi.club.server.verifier import make_verifier
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.errors import UrpiError
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines

__all__ = ["database", "games"]

SOON = -2 - (datetime.now(UTC) - NOW).days
"""Days before NOW of a game that begins after every round, which begins at the database's time."""


@pytest.fixture
def client(database: Database) -> Client:
    section = ClubServerSection(database=database.url)
    return Client(make_club_app(make_site(section, Wall(lambda: NOW))))


class Arbiter:
    """An arbiter at the club's machine."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.config = folder / "club.toml"
        self.config.write_text(f'[club_server]\ndatabase = "{database.url}"\n')

    def run(self, *words: str, typed: str | None = None) -> str:
        with closing(connect(self.database.url)):
            found = CliRunner(env={"URPI_CONFIG": str(self.config)}).invoke(
                cli, ["club", "tournament", *words], catch_exceptions=False, input=typed
            )
        assert found.exit_code == 0, found.output
        return found.output

    def create(self, form: str, *names: str, **options: str) -> str:
        """Create a tournament; return its number."""
        words = [f"--{name}={value}" for name, value in options.items()]
        typed = "\n".join(names)
        out = self.run("create", "Cup", f"--format={form}", "--players=-", *words, typed=typed)
        return out.split(":")[0].removeprefix("Tournament ")

    def receive(self, games: Games, light: str, dark: str, result: str, **values: Any) -> int:
        """Let the club receive and verify a game; return its number."""
        return self.apply(games.add(light, dark, result, **{"days": SOON, **values}))

    def apply(self, key: str) -> int:
        """Let a verified game bring its result; return its number."""
        with closing(connect(self.database.url)) as connection:
            row = connection.execute(
                "SELECT table_id, id FROM histories WHERE key = %s", (key,)
            ).fetchone()
            assert row is not None
            apply_game(connection, *row)
        return int(row[1])


@pytest.fixture
def arbiter(database: Database, tmp_path: Path) -> Arbiter:
    with closing(connect(database.url)) as connection:
        connection.execute("TRUNCATE tournaments CASCADE")
    return Arbiter(database, tmp_path)


def pairing(client: Client, number: str, round_: int = -1, board: int = 0) -> dict[str, Any]:
    found = client.get(f"/api/tournaments/{number}").json
    return dict(found["rounds"][round_]["pairings"][board])


def test_a_swiss_is_played_from_boards_and_by_the_arbiter(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Zoë", "", "Élise")
    out = arbiter.run("pair", number)
    assert "Round 1 of 3" in out
    assert "bye" in out
    first = pairing(client, number)
    game = arbiter.receive(games, first["light"].upper(), first["dark"], "dark")
    assert pairing(client, number) == {**first, "result": "dark", "game": game}
    with pytest.raises(UrpiError, match="1 results of this round are missing"):
        arbiter.run("pair", number)
    arbiter.run("result", number, "2", "draw")
    assert pairing(client, number, board=1)["result"] == "draw"
    assert "Round 2 of 3" in arbiter.run("pair", number)
    found = client.get(f"/api/tournaments/{number}").json
    assert (found["begun"], found["planned"], found["over"]) == (2, 3, False)
    points = {line["name"]: line["points"] for line in found["standings"]}
    assert points[first["dark"]] == 1
    # Two games, and a bye in each of the rounds that have begun.
    assert sum(points.values()) == 4
    assert "Cup" in arbiter.run("list")
    assert "Standings" in arbiter.run("show", number)


def test_players_who_exchanged_the_sides_get_those_of_the_game(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.receive(games, first["dark"], first["light"], "light")
    found = pairing(client, number)
    assert (found["light"], found["dark"]) == (first["dark"], first["light"])
    assert found["result"] == "light"


@pytest.mark.parametrize("order", [("light", "dark"), ("dark", "light")])
def test_a_game_of_two_tables_brings_its_result_with_the_second_copy(
    arbiter: Arbiter, games: Games, client: Client, order: tuple[str, str]
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    numbers = {}
    for side in order:
        assert pairing(client, number)["result"] is None
        names = {"light": "", "dark": "", side: first[side]}
        numbers[side] = arbiter.apply(games.add_copy(side, **names, result="dark", days=SOON))
    assert pairing(client, number) == {**first, "result": "dark", "game": numbers["light"]}


def test_a_copy_that_began_before_the_round_brings_no_result(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.apply(games.add_copy("light", first["light"], "", days=SOON))
    arbiter.apply(games.add_copy("dark", "", first["dark"], days=1))
    assert pairing(client, number)["result"] is None


@pytest.mark.parametrize(("minutes", "counts"), [(10, True), (20, False)])
def test_a_table_whose_clock_is_slow_loses_no_result(
    arbiter: Arbiter, games: Games, client: Client, minutes: int, counts: bool
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    began = datetime.now(UTC) - timedelta(minutes=minutes)
    arbiter.receive(games, first["light"], first["dark"], "light", started=began)
    assert pairing(client, number)["result"] == ("light" if counts else None)


def test_a_game_from_before_the_round_counts_by_no_clock(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    """The clock of its table is fast: the club had it before the round began."""
    number = arbiter.create("round-robin", "Ann", "Bob")
    key = games.add("Ann", "Bob", "light", days=SOON)
    arbiter.run("pair", number)
    arbiter.apply(key)
    assert pairing(client, number)["result"] is None


@pytest.mark.parametrize(
    "values",
    [
        {"days": 1},
        {"rated": False},
        {"current": False},
        {"light": "Eve"},
        {"dark": ""},
    ],
)
def test_other_games_bring_no_result(
    arbiter: Arbiter, games: Games, client: Client, values: dict[str, Any]
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob", rules="finkel")
    arbiter.run("pair", number)
    first = pairing(client, number)
    sides = {"light": first["light"], "dark": first["dark"]}
    arbiter.receive(games, **{**sides, "result": "light", **values})
    assert pairing(client, number)["result"] is None


def test_games_of_another_rule_set_bring_no_result(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob", rules="blitz")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.receive(games, first["light"], first["dark"], "light")
    assert pairing(client, number)["result"] is None


def test_only_the_first_game_counts_and_the_arbiter_may_replace_it(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.receive(games, first["light"], first["dark"], "light")
    arbiter.receive(games, first["light"], first["dark"], "dark")
    assert pairing(client, number)["result"] == "light"
    arbiter.run("result", number, "1", "none")
    none = {"result": "none", "game": None, "played": False}
    assert pairing(client, number) == {**first, **none}
    arbiter.run("result", number, "1", "open")
    arbiter.receive(games, first["light"], first["dark"], "dark")
    assert pairing(client, number)["result"] == "dark"


def test_a_knockout_waits_for_a_winner_and_keeps_what_was_paired_from(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("knockout", "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("pair", number)
    for board in (0, 1):
        first = pairing(client, number, board=board)
        arbiter.receive(games, first["light"], first["dark"], "draw")
        assert pairing(client, number, board=board)["result"] is None
        arbiter.receive(games, first["light"], first["dark"], "light")
    with pytest.raises(UrpiError, match="needs a winner"):
        arbiter.run("result", number, "1", "draw")
    arbiter.run("pair", number)
    with pytest.raises(UrpiError, match="Round 2 was paired from this result"):
        arbiter.run("result", number, "1", "dark", "--round=1")
    arbiter.run("result", number, "1", "light")
    found = client.get(f"/api/tournaments/{number}").json
    assert found["over"]
    assert [line["place"] for line in found["standings"]] == [1, 2, 3, 3]
    with pytest.raises(UrpiError, match="All 2 rounds have begun"):
        arbiter.run("pair", number)


def test_results_remain_when_a_name_is_withdrawn_and_can_be_renamed(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.receive(games, first["light"], first["dark"], "light")
    games.withdraw("Ann")
    assert pairing(client, number)["result"] == "light"
    arbiter.run("rename", number, "ann", "Player 1")
    assert "Ann" not in client.get(f"/api/tournaments/{number}").text


def test_a_player_wins_without_a_game(arbiter: Arbiter, games: Games, client: Client) -> None:
    number = arbiter.create("swiss", "Ann", "Bob")
    arbiter.run("pair", number)
    first = pairing(client, number)
    for wrong in ("draw", "open"):
        with pytest.raises(UrpiError, match="light, dark or none"):
            arbiter.run("result", number, "1", wrong, "--forfeit")
    out = arbiter.run("result", number, "1", "light", "--forfeit")
    assert "1 - 0 (without a game)" in out
    assert pairing(client, number) == {**first, "result": "light", "played": False}
    arbiter.run("result", number, "1", "open")
    arbiter.receive(games, first["light"], first["dark"], "dark")
    assert pairing(client, number)["played"]


def test_a_round_begun_by_mistake_is_removed_with_its_results(
    arbiter: Arbiter, games: Games, client: Client
) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("pair", number)
    first = pairing(client, number)
    arbiter.receive(games, first["light"], first["dark"], "dark")
    assert "Round 1 of Cup is removed" in arbiter.run("unpair", number, "--yes")
    assert client.get(f"/api/tournaments/{number}").json["rounds"] == []
    with pytest.raises(UrpiError, match="No round has begun"):
        arbiter.run("unpair", number, "--yes")
    arbiter.run("pair", number)
    assert pairing(client, number) == first
    # The game is still at the club, but another one brings the result.
    arbiter.receive(games, first["light"], first["dark"], "light")
    assert pairing(client, number)["result"] == "light"


@pytest.mark.parametrize("form", ["round-robin", "knockout", "swiss"])
def test_the_newest_round_of_every_format_can_be_removed(
    arbiter: Arbiter, client: Client, form: str
) -> None:
    number = arbiter.create(form, "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("pair", number)
    for board in ("1", "2"):
        arbiter.run("result", number, board, "light")
    before = client.get(f"/api/tournaments/{number}").json
    arbiter.run("pair", number)
    arbiter.run("unpair", number, "--yes")
    assert client.get(f"/api/tournaments/{number}").json == before


def test_a_player_pauses_in_a_swiss(arbiter: Arbiter, client: Client) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan", "Eve", rounds="3")
    assert "no further rounds" in arbiter.run("withdraw", number, "Ann")
    arbiter.run("pair", number)
    for board in ("1", "2"):
        arbiter.run("result", number, board, "light")
    assert "Ann plays again" in arbiter.run("withdraw", number, "ann", "--undo")
    assert "Ann" in arbiter.run("pair", number).replace("Ann: bye", "")
    (ann,) = (
        line
        for line in client.get(f"/api/tournaments/{number}").json["standings"]
        if line["name"] == "Ann"
    )
    assert (ann["points"], ann["withdrawn"]) == (0, False)


def test_late_players_join_a_swiss_only(arbiter: Arbiter, client: Client) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("pair", number)
    assert "5 players and 2 rounds" in arbiter.run("add", number, "Zoë")
    for board in ("1", "2"):
        arbiter.run("result", number, board, "light")
    assert "Zoë" in arbiter.run("pair", number)
    with pytest.raises(UrpiError, match="All 2 rounds have begun"):
        arbiter.run("add", number, "Eve")
    for form in ("round-robin", "knockout"):
        number = arbiter.create(form, "Ann", "Bob", "Cyd")
        arbiter.run("pair", number)
        with pytest.raises(UrpiError, match=f"The {form} has begun"):
            arbiter.run("add", number, "Eve")


def test_a_mistyped_player_is_removed_before_the_first_round(
    arbiter: Arbiter, client: Client
) -> None:
    number = arbiter.create("swiss", "Ann", "Bbo", "Cyd", "Dan", "Eve")
    arbiter.run("withdraw", number, "Eve")
    assert "4 players and 2 rounds" in arbiter.run("remove", number, "bbo")
    table = client.get(f"/api/tournaments/{number}").json["standings"]
    assert [line["name"] for line in table] == ["Ann", "Cyd", "Dan", "Eve"]
    assert [line["name"] for line in table if line["withdrawn"]] == ["Eve"]
    arbiter.run("pair", number)
    with pytest.raises(UrpiError, match="withdraw the player instead"):
        arbiter.run("remove", number, "Ann")
    # A chosen number of rounds remains if it is possible.
    other = arbiter.create("swiss", *"ABCDEFGH", rounds="4")
    assert "7 players and 4 rounds" in arbiter.run("remove", other, "H")
    assert "6 players and 3 rounds" in arbiter.run("remove", other, "G")
    pair = arbiter.create("swiss", "Ann", "Bob")
    with pytest.raises(UrpiError, match="2 to 128 players; found 1"):
        arbiter.run("remove", pair, "Ann")


def test_the_list_names_the_winners_of_finished_tournaments(
    arbiter: Arbiter, client: Client
) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob")
    arbiter.create("knockout", "Cyd", "Dan")
    arbiter.run("pair", number)
    arbiter.run("result", number, "1", "light")
    winner = pairing(client, number)["light"]
    listed = [
        (one["over"], one["winners"], one["begun"]) for one in client.get("/api/tournaments").json
    ]
    assert listed == [(False, [], 0), (True, [winner], 1)]
    assert "finished: Cup" in arbiter.run("list")


def test_a_withdrawn_player_is_not_paired_any_more(arbiter: Arbiter, client: Client) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd", "Dan")
    arbiter.run("withdraw", number, "dan")
    arbiter.run("pair", number)
    found = client.get(f"/api/tournaments/{number}").json
    names = {name for one in found["rounds"][0]["pairings"] for name in (one["light"], one["dark"])}
    assert names == {"Ann", "Bob", "Cyd", None}
    assert [line["name"] for line in found["standings"] if line["withdrawn"]] == ["Dan"]
    arbiter.run("delete", number, "--yes")
    assert client.get(f"/api/tournaments/{number}").status == 404


def test_csv_files_open_in_a_spreadsheet_without_formulas(arbiter: Arbiter, client: Client) -> None:
    number = arbiter.create("swiss", "=1+1", 'Zoë "Z", B', "Cyd")
    arbiter.run("pair", number)
    response = client.get(f"/api/tournaments/{number}/standings.csv")
    assert "attachment" in response.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text.removeprefix("\ufeff"))))
    assert {row["name"] for row in rows} == {"'=1+1", 'Zoë "Z", B', "Cyd"}
    assert {row["points"] for row in rows} == {"0", "1"}
    pairings = client.get(f"/api/tournaments/{number}/pairings.csv").text.removeprefix("\ufeff")
    (game, bye) = csv.DictReader(io.StringIO(pairings))
    assert (game["round"], game["board"], game["result"]) == ("1", "1", "")
    assert bye["result"] == "bye"


@pytest.mark.parametrize(
    ("words", "typed", "named"),
    [
        (
            ("create", "Cup", "--format=swiss", "--players=-"),
            "Ann\nann\n",
            "Line 2: 'ann' is given",
        ),
        (("create", "Cup", "--format=swiss", "--players=-"), "Ann\n", "2 to 128 players; found 1"),
        (("create", " ", "--format=swiss", "--players=-"), "Ann\nBob\n", "tournament's name must"),
        (("create", "Cup", "--format=swiss", "--players=-"), f"{'x' * 41}\nBob\n", "1 to 40"),
        (
            ("create", "Cup", "--format=swiss", "--players=-", *("--tie-break=wins",) * 2),
            "Ann\nBob\n",
            "given twice",
        ),
        (("pair", "99999"), None, "There is no tournament 99999"),
        (("result", "99999", "1", "light"), None, "There is no tournament 99999"),
    ],
)
def test_wrong_commands_are_reported(
    arbiter: Arbiter, words: tuple[str, ...], typed: str | None, named: str
) -> None:
    with pytest.raises(UrpiError, match=named):
        arbiter.run(*words, typed=typed)
    assert "no tournament" in arbiter.run("list")


def test_a_tournament_is_printed_as_json(arbiter: Arbiter) -> None:
    number = arbiter.create("round-robin", "Ann", "Bob", "Cy")
    arbiter.run("pair", number)
    shown = json.loads(arbiter.run("show", number, "--json"))
    assert {each["name"] for each in shown["standings"]} == {"Ann", "Bob", "Cy"}
    assert len(shown["rounds"]) == 1
    listed = json.loads(arbiter.run("list", "--json", "--limit", "1"))
    assert {name: shown[name] for name in listed} == listed


def test_a_result_needs_a_pairing(arbiter: Arbiter) -> None:
    number = arbiter.create("swiss", "Ann", "Bob", "Cyd")
    with pytest.raises(UrpiError, match="Round 1 has not begun"):
        arbiter.run("result", number, "1", "light", "--round=1")
    arbiter.run("pair", number)
    for board in ("2", "3"):
        with pytest.raises(UrpiError, match=f"no game at board {board}"):
            arbiter.run("result", number, board, "light")
    with pytest.raises(UrpiError, match="no player 'Eve'; it has Ann, Bob, Cyd"):
        arbiter.run("withdraw", number, "Eve")


def test_the_verifier_enters_the_result_of_a_game_that_it_verifies(
    arbiter: Arbiter, games: Games, client: Client, tmp_path: Path
) -> None:
    number = arbiter.create("round-robin", "Ann", "Zoë", rules="finkel")
    arbiter.run("pair", number)
    with Journal.open(tmp_path / "j.db") as journal:
        stored = store_game(journal, seed=5)
        lines = tuple(without_names(entry.line) for entry in entries_of(journal, stored))
        settings = settings_of(journal, stored)
    started = (datetime.now(UTC) + timedelta(minutes=1)).isoformat(timespec="seconds")
    head = GameHead(1, started, "1.0.0", "finkel", settings)
    names = {"light": "Ann", "dark": "Zoë"}
    message = Lines(1, head.key, 1, head.key, lines, head, names, started)
    with closing(connect(games.url)) as connection, store_of(connection, "lisbon") as store:
        assert isinstance(receive(store, message), Ack)
    verifier = make_verifier(games.url)
    verifier.open()
    try:
        wait_until(lambda: pairing(client, number)["result"], "the result of the game")
    finally:
        verifier.close()
    found = pairing(client, number)
    assert {found["light"], found["dark"]} == {"Ann", "Zoë"}
    players = client.get("/api/players").json["players"]
    assert [player["rated"] for player in players] == [1, 1]
    winner = found[found["result"]]
    assert players[0]["name"] == winner
