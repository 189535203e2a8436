"""The statistics of the stored games, as the page receives them."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from tests.journal.games import store_game
from tests.page.client import Client
from tests.page.table import PageDesk, Table
from tests.slow import mostly_slow
from tests.waiting import DEADLINE_S
from urpi.cli.main import cli
from urpi.journal import Choice, GameSummary, Journal, list_games
from urpi.journal.stats import summarize, summarize_reviews
from urpi.page import statistics
from urpi.page.app import make_app
from urpi.page.journal_reader import JournalReader
from urpi.page.site import make_site
from urpi.page.statistics import MAX_ANSWERS, AnswerCache, FigureCache, statistics_body
from urpi.referee.orders import ChangeLanguage
from urpi.show.words import words_for


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table with two games by finkel and one by skiryuk that ended, and a running one."""
    path = tmp_path_factory.mktemp("statistics") / "games.sqlite"
    with Journal.open(path) as journal:
        for rules, seed in (("finkel", 1), ("finkel", 2), ("skiryuk", 3)):
            store_game(journal, rules, seed=seed, longest=60)
    table = Table.at(path)
    table.begin()
    yield table
    table.service.close()


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands that were started, which end at once without having done anything."""
    started: list[tuple[str, ...]] = []

    async def start(words: tuple[str, ...], _timeout_s: float) -> bytes:
        started.append(words)
        return b""

    monkeypatch.setattr(statistics, "output_of", start)
    return started


@pytest.fixture
def browser(played: Table) -> Client:
    return Client(make_app(make_site(PageDesk(played))))


def headings(found: dict) -> list[str]:
    return [table["heading"] for table in found["tables"]]


def test_players_pairs_rule_sets_and_dice_are_returned_as_tables(browser: Client) -> None:
    found = browser.get("/api/stats").json
    assert found["title"].startswith("4 games, 3 played to the end")
    assert headings(found)[:3] == ["Players", "Pairs", "Rule sets"]
    rule_sets = found["tables"][2]
    assert [column["heading"] for column in rule_sets["columns"]][:3] == [
        "Rules",
        "Games",
        "Won by light",
    ]
    assert [row[:2] for row in rule_sets["rows"]] == [["Finkel, four dice", "3"], ["Skiryuk", "1"]]
    for table in found["tables"]:
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
    values = found["values"]["rule_sets"]
    minutes = [f"{one['lasted_ms']['median'] / 60_000:.1f}" for one in values]
    assert [row[-1] for row in rule_sets["rows"]] == minutes
    assert sum(one["light_wins"] + one["dark_wins"] + one["draws"] for one in values) == 3


@pytest.mark.slow
def test_published_figures_stand_beside_those_of_the_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Journal.open(path) as journal:
        for seed in (1, 2, 3):
            store_game(journal, "finkel", seed=seed)
    table = Table.at(path)
    found = Client(make_app(make_site(PageDesk(table)))).get("/api/stats").json
    table.service.close()
    published = next(one for one in found["tables"] if one["heading"] == "Published figures")
    throws, first, luck = published["rows"]
    assert throws[:3] == ["Throws in a game", "209.8", "209.8"]
    assert first[1:3] == ["58.4%", "51.5%"]
    # Without a review nothing is known about the luck.
    assert luck[1:] == ["3.5%", "-", "-", "-", "0"]
    assert throws[-1] == first[-1] == "3"
    values = found["values"]["published"]
    mean, low, high = values["figures"]["throws"]["here"]
    assert low < mean < high
    assert mean <= found["values"]["longest"]["throws"]
    captures = next(one for one in found["tables"] if one["heading"].startswith("Captures in"))
    perfect = values["perfect_captures"]
    headings = [column["heading"] for column in captures["columns"]]
    assert headings == ["Square", "Perfect play", "95% range", "Here", "95% range"]
    # On every square that both sides pass but the rosette, where no piece is captured.
    assert [row[0] for row in captures["rows"]] == ["B1", "B2", "B3", "B5", "B6", "B7", "B8"]
    for square, shown, span, here, _ in captures["rows"]:
        mean, low, high = perfect[square]
        assert (shown, span) == (f"{mean:.2f}", f"{low:.2f}-{high:.2f}")
        assert here == f"{values['captures'].get(square, [0])[0]:.2f}"
    notes = " ".join(found["notes"])
    assert "github.com/jheled/royalur" in notes
    assert "Captures with perfect play: the average of 100000" in notes


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


@pytest.mark.parametrize(("kind", "usual"), [("board", [1]), ("virtual", [2, 1])])
def test_the_page_of_a_board_leaves_out_games_of_virtual_tables(
    tmp_path: Path, kind: str, usual: list[int]
) -> None:
    path = tmp_path / "games.sqlite"
    fact = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}'
    with Journal.open(path) as journal:
        for table in ("board", "virtual"):
            journal.new_game(fact, "2026-11-21T02:00:00+05:00", "1.0.0", {"table": table})
    table = Table.at(path)
    table.service.table = kind
    site = make_site(PageDesk(table))
    browser = Client(make_app(site))
    for query, games in (("", usual), ("?virtual=yes", [2, 1]), ("?virtual=no", [1])):
        listed = browser.get(f"/api/games{query}").json
        assert [game["id"] for game in listed["games"]] == games
        counted = browser.get(f"/api/stats{query}").json
        assert counted["values"]["games"] == len(games)
        assert listed["without_virtual"] is counted["without_virtual"] is (len(games) == 1)
    assert browser.get("/api/games?virtual=maybe").status == 400
    table.service.close()


def test_the_page_of_a_board_lists_the_games_of_a_journal_that_has_only_virtual_ones(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sqlite"
    fact = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}'
    with Journal.open(path) as journal:
        journal.new_game(fact, "2026-11-21T02:00:00+05:00", "1.0.0", {"table": "virtual"})
    table = Table.at(path)
    table.service.table = "board"
    browser = Client(make_app(make_site(PageDesk(table))))
    for query, games in (("", 1), ("?virtual=yes", 1), ("?virtual=no", 0)):
        assert len(browser.get(f"/api/games{query}").json["games"]) == games
        assert browser.get(f"/api/stats{query}").json["values"]["games"] == games
    table.service.close()


def test_an_invalid_filter_is_rejected(browser: Client) -> None:
    assert browser.get("/api/stats?since=2026-02-30").status == 400
    assert browser.get("/api/stats?limit=3").status == 400


def test_the_statistics_are_in_the_table_s_language(browser: Client, played: Table) -> None:
    assert headings(browser.get("/api/stats").json)[0] == "Players"
    desk = PageDesk(played)
    desk.order(ChangeLanguage("fr")).result(DEADLINE_S)
    french = Client(make_app(make_site(desk))).get("/api/stats").json
    desk.order(ChangeLanguage("en")).result(DEADLINE_S)
    assert headings(french)[0] == "Joueurs"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games whose figures were computed."""
    numbers: list[int] = []
    original = statistics.figures_of_game

    def counting(journal: Journal, game: int) -> object:
        numbers.append(game)
        return original(journal, game)

    monkeypatch.setattr(statistics, "figures_of_game", counting)
    return numbers


def figure_file(table: Table) -> Path:
    return table.path.with_name(f"{table.path.name}.figures")


def restarted(table: Table) -> Client:
    """A client of a page that was started again."""
    return Client(make_app(make_site(PageDesk(table))))


def test_a_game_that_has_ended_is_read_once_and_a_running_one_every_time(
    played: Table, read: list[int]
) -> None:
    figure_file(played).unlink(missing_ok=True)
    browser = restarted(played)
    first = browser.get("/api/stats").json
    assert read == [1, 2, 3, 4]
    assert browser.get("/api/stats").json["values"] == first["values"]
    assert read == [1, 2, 3, 4, 4]
    assert restarted(played).get("/api/stats").json == first
    assert read == [1, 2, 3, 4, 4, 4]


def test_many_games_are_read_while_there_is_time_the_newest_first(
    played: Table, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    figure_file(played).unlink(missing_ok=True)
    monkeypatch.setattr(statistics, "AT_ONCE", 1)

    async def figures_twice() -> list[tuple[list[int], int]]:
        reader = JournalReader(played.path)
        games = (await reader.read(list_games))[::-1]
        cache = FigureCache(reader, reading_s=1.0, clock=count(0.0, 0.4).__next__)
        found = [await cache.figures(games), await cache.figures(games)]
        return [([one.game for one in figures], unread) for figures, unread in found]

    assert asyncio.run(figures_twice()) == [([2, 3, 4], 1), ([1, 2, 3, 4], 0)]
    assert read == [4, 3, 2, 4, 1]


def test_the_number_of_games_not_read_yet_is_shown(browser: Client) -> None:
    whole = browser.get("/api/stats").json
    assert (whole["unread"], whole["not_read"]) == (0, "")
    nothing = summarize_reviews((), {})
    body = statistics_body(summarize([]), nothing, words_for("en"), running=False, unread=1)
    part = json.loads(body)
    assert part["unread"] == 1
    assert part["not_read"] == "Games still being read, the oldest ones: 1."


def damage(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def change(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE computed SET figures = replace(figures, '1', '2')")


def change_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE computed SET version = '0.1 1'")


def change_end(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE computed SET checksum = checksum + 1")


@pytest.mark.parametrize(
    "hurt", mostly_slow([damage, cut, change, change_version, change_end, Path.unlink], 2)
)
def test_figures_whose_file_is_damaged_or_old_are_computed_and_stored_again(
    played: Table, read: list[int], hurt: Callable[[Path], None]
) -> None:
    first = restarted(played).get("/api/stats").json
    hurt(figure_file(played))
    read.clear()
    assert restarted(played).get("/api/stats").json == first
    assert read == [1, 2, 3, 4]
    assert restarted(played).get("/api/stats").json == first
    assert read == [1, 2, 3, 4, 4]


def test_figures_that_cannot_be_stored_are_computed_every_time(
    played: Table, read: list[int]
) -> None:
    file = figure_file(played)
    file.unlink(missing_ok=True)
    file.mkdir()
    first = restarted(played).get("/api/stats").json
    assert restarted(played).get("/api/stats").json == first
    assert read == [1, 2, 3, 4] * 2
    file.rmdir()


def test_a_file_that_another_process_has_locked_is_not_waited_for(
    played: Table, read: list[int]
) -> None:
    first = restarted(played).get("/api/stats").json
    read.clear()
    with closing(sqlite3.connect(figure_file(played), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert restarted(played).get("/api/stats").json == first
    assert read == [1, 2, 3, 4]


def test_the_file_contains_no_names(played: Table) -> None:
    restarted(played).get("/api/stats")
    found = figure_file(played).read_bytes()
    assert b"finkel" in found
    assert b"Ann" not in found
    assert "Zoë".encode() not in found


def test_missing_reviews_are_computed_by_one_process_and_shown(
    tmp_path: Path, commands: list[tuple[str, ...]]
) -> None:
    path = tmp_path / "games.sqlite"
    with Journal.open(path) as journal:
        for seed in (1, 2):
            store_game(journal, "blitz", seed=seed, longest=30)
    table = Table.at(path)
    browser = Client(make_app(make_site(PageDesk(table))))
    first = browser.get("/api/stats").json
    assert first["reviewing"]
    assert first["reviewed"] == (
        "Reviewed games: 0 of 2; with exact values: 0. "
        "The others are being reviewed now, the newest first."
    )
    assert "Reviewed games" not in headings(first)
    # It has ended without a review: it is not started for the same games again.
    second = browser.get("/api/stats").json
    assert not second["reviewing"]
    (command,) = commands
    CliRunner().invoke(cli, command, catch_exceptions=False)
    found = browser.get("/api/stats").json
    assert not found["reviewing"]
    assert found["reviewed"] == "Reviewed games: 2 of 2; with exact values: 0."
    assert {"Reviewed games", "Most expensive mistakes"} <= set(headings(found))
    # Words are left-aligned, numbers right-aligned.
    columns = {table["heading"]: table["columns"] for table in found["tables"]}
    for heading in ("Reviewed games", "Most expensive mistakes"):
        first, *others = (column["right"] for column in columns[heading])
        assert not first
        assert all(others)
    assert "Given away in a decision, by player" in {one["title"] for one in found["charts"]}
    values = found["values"]["reviews"]
    assert (values["games"], values["missing"]) == (2, 0)
    assert {one["name"] for one in values["players"]} == {"Ann", "Zoë"}
    assert browser.get("/api/stats?player=Nobody").json["reviewed"] == ""
    assert len(commands) == 1
    table.service.close()


def test_an_answer_is_computed_again_only_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[bytes] = []
    original = statistics.statistics_body

    def counting(*args: Any, **keywords: Any) -> bytes:
        computed.append(original(*args, **keywords))
        return computed[-1]

    monkeypatch.setattr(statistics, "statistics_body", counting)
    path = tmp_path / "games.sqlite"
    with Journal.open(path) as journal:
        for seed, rules in enumerate(("finkel", "finkel", "skiryuk")):
            store_game(journal, rules, seed=seed, longest=60)
    table = Table.at(path)
    browser = restarted(table)
    queries = ["", "?rules=finkel", "?rules=skiryuk"]
    # The first answer starts the review, and the second one reports that it has ended.
    for query in queries * 2:
        browser.get(f"/api/stats{query}")
    before = len(computed)
    answers = [browser.get(f"/api/stats{query}").json["values"]["games"] for query in queries * 3]
    assert answers == [3, 2, 1] * 3
    assert len(computed) == before
    table.begin()
    answers = [browser.get(f"/api/stats{query}").json["values"]["games"] for query in queries]
    assert answers == [4, 3, 1]
    table.service.close()


def test_only_the_newest_answers_are_kept() -> None:
    answers, computed = AnswerCache(), []

    def answer(key: int) -> bytes:
        def compute() -> bytes:
            computed.append(key)
            return bytes([key])

        return answers.answer(key, "version", compute)

    keys = [*range(MAX_ANSWERS + 1), *range(1, MAX_ANSWERS + 1), 0]
    assert [answer(key) for key in keys] == [bytes([key]) for key in keys]
    assert computed == [*range(MAX_ANSWERS + 1), 0]


def test_requests_of_the_same_statistics_at_once_share_one_answer(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = []

    def counted(journal: Journal, choice: Choice) -> Sequence[GameSummary]:
        lists.append(choice)
        return list_games(journal, choice)

    monkeypatch.setattr(statistics, "list_games", counted)

    def at_once(*paths: str) -> list[dict[str, Any]]:
        return [answer.json for answer in browser.get_all(paths)]

    first, *others = at_once(*["/api/stats"] * 8)
    assert len(lists) == 1
    assert others == [first] * 7
    assert first["values"]["games"] > 0
    # Other filters have answers of their own, and later requests a new one.
    at_once("/api/stats", "/api/stats?rules=bell", "/api/stats")
    assert len(lists) == 3
