"""The pages of a table's players: who sees them, and exercises from the players' own games."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from tests.journal.games import store_game
from tests.page.client import Client
from tests.page.conftest import PIN
from tests.page.table import PageDesk, Table
from tests.slow import mostly_slow
from urpi.cli.main import cli
from urpi.engine.exact.folder import tables_folder
from urpi.journal import Journal, list_games, read_answers
from urpi.journal.study import Exercise, stack_of
from urpi.page import statistics
from urpi.page.app import make_app
from urpi.page.site import Site, make_site
from urpi.show.stats_report.figure_file import FigureFile, ends_of

ANN = f"player={quote('Ann')}"
ZOE = f"player={quote('Zoë')}"


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with reviewed games of Ann and Zoë."""
    path = tmp_path_factory.mktemp("players") / "games.sqlite"
    with Journal.open(path) as journal:
        for seed in (1, 2):
            store_game(journal, "blitz", seed=seed, longest=150)
    tables = str(tables_folder(path))
    arguments = ["games", "--journal", str(path), "figures", "--tables", tables]
    CliRunner().invoke(cli, arguments, catch_exceptions=False)
    return path


@pytest.fixture
def table(reviewed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table with a copy of that journal."""

    async def review_nothing(_words: tuple[str, ...], _timeout_s: float) -> bytes:
        return b""

    monkeypatch.setattr(statistics, "output_of", review_nothing)
    for file in (reviewed, reviewed.with_name(f"{reviewed.name}.figures")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    opened = Table.at(tmp_path / reviewed.name)
    yield opened
    opened.service.close()


@pytest.fixture
def exercises(table: Table) -> list[Exercise]:
    with Journal.open(table.path) as journal:
        games, ends = list_games(journal), ends_of(journal)
    found = FigureFile(table.path).read_exercises(games, ends)
    return [one for some in found.values() for one in some]


def answered(client: Client, one: dict[str, Any], move: str) -> Any:
    body = {"game": one["game"], "throw": one["throw"], "move": move}
    return client.post("/api/exercise", body)


def test_only_those_with_the_pin_see_players_until_a_player_agrees(
    client: Client, guest: Client
) -> None:
    listed = client.get("/api/players").json["players"]
    assert listed == [{"name": "Ann", "games": 2}, {"name": "Zoë", "games": 2}]
    assert guest.get("/api/players").json["players"] == []
    for path in (f"/api/player?{ANN}", f"/api/exercise?{ANN}"):
        refused = guest.get(path)
        assert (refused.status, refused.json["code"]) == (403, "not-shown")
    assert client.post("/api/player-shown", {"name": "Ann", "agreed": True}).json["shown"]
    assert [one["name"] for one in guest.get("/api/players").json["players"]] == ["Ann"]
    assert guest.get(f"/api/player?{ANN}").json["shown"] is True
    assert guest.get(f"/api/player?{ZOE}").status == 403
    # Nobody answers for a player without the PIN.
    one = guest.get(f"/api/exercise?{ANN}").json["exercise"]
    assert answered(guest, one, one["moves"][0]["move"]).status == 401
    client.post("/api/player-shown", {"name": "Ann", "agreed": False})
    assert guest.get(f"/api/player?{ANN}").status == 403
    guest.post("/api/session", {"pin": PIN})
    assert guest.get(f"/api/player?{ANN}").status == 200


def test_the_page_of_a_player_has_figures_charts_and_exercises(
    client: Client, exercises: list[Exercise]
) -> None:
    found = client.get(f"/api/player?{ANN}").json
    assert (found["name"], found["games"], found["shown"]) == ("Ann", 2, False)
    assert found["reviewed"].startswith("Reviewed games: 2 of 2")
    assert dict(found["figures"])["Games"] == "2"
    assert len(found["charts"]) == 2
    own = [one for one in exercises if one.side.value == "light"]
    assert own
    assert found["stack"]["new"] == len(stack_of(own, {}, 739_000).new)
    assert (found["stack"]["due"], found["answers"]) == (0, [])


@pytest.mark.parametrize("name", mostly_slow(["Nobody", "", "urpi hard"], 1))
def test_there_is_no_page_for_other_names(client: Client, name: str) -> None:
    missing = client.get(f"/api/player?player={quote(name)}")
    assert (missing.status, missing.json["code"]) == (404, "no-player")
    assert client.get(f"/api/exercise?player={quote(name)}").json["exercise"] is None


def test_an_exercise_has_every_legal_move_and_hides_what_they_are_worth(
    client: Client, exercises: list[Exercise]
) -> None:
    found = client.get(f"/api/exercise?{ANN}").json
    one = found["exercise"]
    stored = next(each for each in exercises if each.key == (one["game"], one["throw"]))
    own = [each.loss for each in exercises if each.side is stored.side]
    # The most expensive mistake is asked first.
    assert stored.loss == max(own)
    assert {move["move"] for move in one["moves"]} == set(dict(stored.choices))
    assert one["position"]["text"] == stored.position
    assert not one["again"]
    hidden = ("value", "loss", "good", "chance")
    assert not any(key in move for move in one["moves"] for key in hidden)


def test_answers_are_judged_stored_and_returned_with_the_values(
    client: Client, table: Table, exercises: list[Exercise]
) -> None:
    random = Random(5)
    number = client.get(f"/api/exercise?{ANN}").json["stack"]["new"]
    for done in range(number):
        one = client.get(f"/api/exercise?{ANN}").json["exercise"]
        stored = next(each for each in exercises if each.key == (one["game"], one["throw"]))
        move = random.choice(stored.choices).move
        result = answered(client, one, move).json
        assert result["good"] is stored.is_good(move)
        assert [each["move"] for each in result["moves"]] == [
            choice.move for choice in stored.choices
        ]
        assert [each["move"] for each in result["moves"] if each["answered"]] == [move]
        assert result["stack"]["new"] == number - done - 1
        assert result["stack"]["later"] == done + 1
        # The next one is another: this one returns on another day.
        table.now += 1000
    over = client.get(f"/api/exercise?{ANN}").json
    assert over["exercise"] is None
    assert over["stack"]["next_day"]
    with Journal.open(table.path) as journal:
        assert len(read_answers(journal)) == number
    listed = client.get(f"/api/player?{ANN}").json["answers"]
    assert len(listed) == number
    assert listed[0]["throw"] == one["throw"]


@pytest.mark.slow
def test_exercises_return_after_days_and_end_when_they_are_known(
    client: Client, table: Table
) -> None:
    day_ms, asked = 24 * 3_600_000, []
    first = client.get(f"/api/exercise?{ANN}").json["exercise"]
    best = answered(client, first, first["moves"][0]["move"]).json["moves"][0]["move"]
    key = first["game"], first["throw"]
    for day in range(1, 40):
        table.now += day_ms
        while one := client.get(f"/api/exercise?{ANN}").json["exercise"]:
            if not one["again"]:
                break
            assert (one["game"], one["throw"]) == key
            asked.append(day)
            result = answered(client, one, best).json
            assert result["good"]
    assert len(asked) in {4, 5}
    assert result["stack"]["known"] == 1
    assert result["sentences"][-1] == "You know it: it is not asked again."


def test_what_is_no_exercise_is_refused(client: Client) -> None:
    one = client.get(f"/api/exercise?{ANN}").json["exercise"]
    illegal = answered(client, one, "A1-A2-A3")
    assert (illegal.status, illegal.json["code"]) == (409, "illegal")
    assert one["moves"][0]["move"] in illegal.json["error"]
    for missing in ({"game": 99}, {"throw": 9999}):
        gone = answered(client, {**one, **missing}, one["moves"][0]["move"])
        assert (gone.status, gone.json["code"]) == (409, "no-exercise")


def test_texts_are_in_the_language_of_the_browser(site: Site) -> None:
    client = Client(make_app(site), cookies={"urpi-language": "de"})
    one = client.get(f"/api/exercise?{ANN}").json["exercise"]
    result = answered(client, one, one["moves"][0]["move"]).json
    assert "In the game" not in " ".join(result["sentences"])


def test_a_site_of_a_table_without_games_has_no_players(tmp_path: Path) -> None:
    empty = Table.at(tmp_path / "empty.sqlite")
    client = Client(make_app(make_site(PageDesk(empty))))
    assert client.get("/api/players").json == {"players": [], "may_act": False}
    empty.service.close()
