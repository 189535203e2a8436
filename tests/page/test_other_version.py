"""The page of a journal with a game whose rules only another version of the program has."""

from pathlib import Path

import pytest

from tests.journal.other_version import SKIRMISH, store_games
from tests.page.client import Client
from tests.page.table import PageDesk, Table
from tests.slow import mostly_slow
from urpi.page import statistics
from urpi.page.app import make_app
from urpi.page.site import make_site


@pytest.fixture
def browser(tmp_path: Path) -> Client:
    path = tmp_path / "games.sqlite"
    store_games(path)
    table = Table.at(path)
    table.begin()
    return Client(make_app(make_site(PageDesk(table))))


def test_it_is_listed_with_its_id_and_can_be_exported(browser: Client) -> None:
    listed = browser.get("/api/games").json["games"]
    assert [(game["id"], game["name"]) for game in listed[1:]] == [
        (2, SKIRMISH),
        (1, "Finkel, four dice"),
    ]
    assert SKIRMISH in browser.get("/api/games/2/archive.jsonl").text


@pytest.mark.parametrize(
    "what",
    mostly_slow(
        [
            *("", "/turns/0", "/minute", "/dispute.html"),
            *("/replay.html", "/record.txt", "/picture.png"),
        ],
        2,
    ),
)
def test_what_needs_its_rules_is_refused_with_the_reason(browser: Client, what: str) -> None:
    found = browser.get(f"/api/games/2{what}")
    assert found.status in {404, 409}
    assert "Game 2 in " in found.json["error"]
    assert f"There is no rule set '{SKIRMISH}'" in found.json["error"]


def test_the_statistics_leave_it_out_and_say_so(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start(_words: tuple[str, ...], _timeout_s: float) -> bytes:
        return b""

    monkeypatch.setattr(statistics, "output_of", start)
    found = browser.get("/api/stats").json
    assert found["values"]["games"] == 2
    assert found["notes"][0] == "Games by rules that this version does not have: 1."
