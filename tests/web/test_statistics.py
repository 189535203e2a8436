"""The statistics of the stored games, as the page receives them."""

from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest

from tests.journal.games import store_game
from tests.web.client import Client
from tests.web.table import PageDesk, Table
from urpi.journal import Journal
from urpi.orders import ChangeLanguage
from urpi.web import statistics
from urpi.web.app import make_app
from urpi.web.site import make_site


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table with two games by finkel and one by skiryuk that ended, and a running one."""
    path = tmp_path_factory.mktemp("statistics") / "games.sqlite"
    with Journal.open(path) as journal:
        for rules, seed in (("finkel", 1), ("finkel", 2), ("skiryuk", 3)):
            store_game(journal, rules, seed=seed)
    table = Table.at(path)
    table.begin()
    yield table
    table.service.close()


@pytest.fixture
def browser(played: Table) -> Client:
    return Client(make_app(make_site(PageDesk(played))))


def headings(found: dict) -> list[str]:
    return [table["heading"] for table in found["tables"]]


def test_players_pairs_rule_sets_and_dice_are_returned_as_tables(browser: Client) -> None:
    found = browser.get("/api/stats").json
    assert found["title"].startswith("4 games, 3 played to an end")
    assert headings(found)[:3] == ["Players", "Pairs", "Rule sets"]
    rule_sets = found["tables"][2]
    assert [column["heading"] for column in rule_sets["columns"]][:3] == [
        "Rules",
        "Games",
        "Light won",
    ]
    assert [row[:2] for row in rule_sets["rows"]] == [["Finkel, four dice", "3"], ["Skiryuk", "1"]]
    for table in found["tables"]:
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
    values = found["values"]["rule_sets"]
    assert sum(one["light_wins"] + one["dark_wins"] + one["draws"] for one in values) == 3


def test_a_chart_is_an_svg_document_with_its_values_in_words(browser: Client) -> None:
    charts = browser.get("/api/stats").json["charts"]
    assert charts
    for one in charts:
        assert ET.fromstring(one["svg"]).tag == "{http://www.w3.org/2000/svg}svg"
        assert one["text"].startswith(f"{one['title']}. ")
        assert ": " in one["text"]


@pytest.mark.parametrize(
    ("query", "games"),
    [
        ("rules=skiryuk", 1),
        ("rules=finkel", 3),
        ("player=Nobody", 0),
        ("since=2999-01-01", 0),
        ("until=2999-01-01", 4),
        (f"player={quote('Zoë')}&rules=bell", 0),
    ],
)
def test_the_filters_select_games(browser: Client, query: str, games: int) -> None:
    found = browser.get(f"/api/stats?{query}").json
    assert found["values"]["games"] == games
    if not games:
        assert (found["charts"], found["tables"]) == ([], [])


def test_an_invalid_filter_is_rejected(browser: Client) -> None:
    assert browser.get("/api/stats?since=2026-02-30").status == 400
    assert browser.get("/api/stats?limit=3").status == 400


def test_the_statistics_are_in_the_table_s_language(browser: Client, played: Table) -> None:
    assert headings(browser.get("/api/stats").json)[0] == "Players"
    desk = PageDesk(played)
    desk.order(ChangeLanguage("fr")).result(5)
    french = Client(make_app(make_site(desk))).get("/api/stats").json
    desk.order(ChangeLanguage("en")).result(5)
    assert headings(french)[0] == "Joueurs"


def test_a_game_that_has_ended_is_read_once_and_a_running_one_every_time(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    original = statistics.figures_of_game

    def counting(journal: Journal, game: int) -> object:
        read.append(game)
        return original(journal, game)

    monkeypatch.setattr(statistics, "figures_of_game", counting)
    first = browser.get("/api/stats").json
    assert read == [1, 2, 3, 4]
    assert browser.get("/api/stats").json == first
    assert read == [1, 2, 3, 4, 4]
