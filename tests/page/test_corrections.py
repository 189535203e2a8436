"""The operations that correct and delete stored games."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.journal.games import store_game
from tests.page.client import Client
from tests.page.table import Table
from urpi.journal import Journal, find_game


@pytest.fixture
def game(table: Table) -> int:
    """A game that has ended, older than the table's current one."""
    with Journal.open(table.path) as journal:
        return store_game(journal, longest=40)


def stored(client: Client, game: int) -> Any:
    return client.get(f"/api/games/{game}").json


def correct(client: Client, game: int, **body: Any) -> Any:
    return client.post(f"/api/games/{game}/correct", body)


def test_a_correction_is_shown_with_its_reason(client: Client, game: int) -> None:
    before = stored(client, game)
    assert before["corrections"] == []
    answer = correct(client, game, dark="Bea", note="In the garden", void=True, reason="a typo")
    assert answer.status == 200
    after = stored(client, game)
    assert (after["game"]["dark"], after["game"]["void"]) == ("Bea", True)
    assert [(one["text"], one["reason"]) for one in after["corrections"]] == [
        ("Dark: Zoë → Bea", "a typo"),
        ("In the garden", ""),
        ("The game does not count.", "a typo"),
    ]
    texts = {text for frame in after["frames"] for text in frame["texts"]}
    assert any("Bea" in text for text in texts)
    assert not any("Zoë" in text for text in texts)
    assert len(after["frames"]) == len(before["frames"])
    assert '[Dark "Bea"]' in client.get(f"/api/games/{game}/record.txt").text
    assert correct(client, game, void=False, reason="a mistake").status == 200
    assert stored(client, game)["corrections"][-1]["text"] == "The game counts again."


def test_the_statistics_leave_a_void_game_out_and_say_so(client: Client, game: int) -> None:
    games = client.get("/api/stats").json["values"]["games"]
    correct(client, game, void=True, reason="only a test")
    after = client.get("/api/stats").json
    assert after["values"]["games"] == games - 1
    assert "Void games, which do not count: 1." in after["notes"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 409),
        ({"void": True}, 409),
        ({"void": True, "reason": "x" * 501}, 400),
        ({"light": "x" * 41, "reason": "a typo"}, 400),
        ({"light": "\u200b", "reason": "a typo"}, 409),
        ({"valid": True, "reason": "a typo"}, 400),
    ],
)
def test_an_invalid_correction_is_refused(
    client: Client, game: int, body: dict[str, Any], status: int
) -> None:
    assert correct(client, game, **body).status == status
    assert stored(client, game)["corrections"] == []


def test_a_game_is_deleted_unless_it_is_the_newest_of_the_table(
    client: Client, table: Table, game: int
) -> None:
    assert client.post(f"/api/games/{game}/delete", {}).status == 400
    assert client.post(f"/api/games/{game}/delete", {"reason": "only a test"}).status == 200
    assert client.get(f"/api/games/{game}").status == 404
    answer = client.post("/api/games/1/delete", {"reason": "only a test"})
    assert (answer.status, answer.json["code"]) == (409, "newest-game")
    assert client.post("/api/games/99/delete", {"reason": "only a test"}).status == 404
    assert correct(client, 99, note="nothing").status == 404
    with Journal.open(table.path) as journal:
        assert find_game(journal, 1).corrections == ()


def test_only_who_may_act_corrects_a_game(guest: Client, table: Table) -> None:
    for address, body in (("correct", {"note": "hm"}), ("delete", {"reason": "hm"})):
        assert guest.post(f"/api/games/1/{address}", body).status == 401
    with closing(sqlite3.connect(table.path)) as db:
        assert db.execute("SELECT count(*) FROM corrections").fetchone() == (0,)
