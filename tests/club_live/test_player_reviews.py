"""The page of a player has luck and loss from the reviews of verified games."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.club_live.running import Database
from tests.journal.games import store_game
from tests.page.client import Client
from tests.waiting import wait_until
from urpi.club.server.database import connect, next_to_verify, store_of, store_verdict
from urpi.club.server.migrations import migrate
from urpi.club.server.reviewer import make_reviewer
from urpi.club.server.verification import Examined, Verdict, examine
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines

NAMES = ({"light": "Ann", "dark": "Zoë"}, {"light": "zoë", "dark": "ANN"}, {"light": "Bob"})
"""The names of three games, of which the last one is not verified."""


@pytest.fixture
def client(database: Database) -> Client:
    site = make_site(ClubServerSection(database=database.url), Wall(lambda: datetime.now(UTC)))
    return Client(make_club_app(site))


def store_games(database: Database, folder: Path) -> None:
    with Journal.open(folder / "j.db") as journal, closing(connect(database.url)) as connection:
        migrate(connection)
        for number, names in enumerate(NAMES, 1):
            stored = store_game(journal, seed=number)
            lines = tuple(without_names(entry.line) for entry in entries_of(journal, stored))
            started = f"2026-11-2{number}T12:00:00+00:00"
            settings = settings_of(journal, stored)
            head = GameHead(number, started, "1.0.0", "finkel", settings)
            message = Lines(number, head.key, 1, head.key, lines, head, names, started)
            with store_of(connection, "lisbon") as store:
                assert isinstance(receive(store, message), Ack)
        while (game := next_to_verify(connection)) is not None:
            examined = examine(game.head, game.lines)
            assert examined.verdict.code == "verified"
            if game.head.number == 3:
                examined = Examined(Verdict("differs"), examined.result, rated=False)
            store_verdict(connection, game.table, game.history, examined)


def review(client: Client, name: str, language: str = "en") -> dict[str, Any]:
    response = client.get(f"/api/player?name={name}", accept_language=language)
    assert response.status == 200, response.text
    return dict(response.json["review"])


def test_luck_and_loss_follow_from_the_verified_games(
    database: Database, client: Client, tmp_path: Path
) -> None:
    store_games(database, tmp_path)
    before = review(client, "Ann")
    assert before["about"] == "Reviewed games: 0 of 2; with exact values: 0."
    assert not before["figures"]
    assert not before["notes"]
    reviewer = make_reviewer(database.url, tmp_path)
    reviewer.open()
    try:
        wait_until(lambda: "games: 2 of 2" in review(client, "Ann")["about"], "the reviews")
    finally:
        reviewer.close()
    ann, zoe = dict(review(client, "Ann")["figures"]), dict(review(client, "Zo%C3%AB")["figures"])
    assert list(ann) == [
        "Games", "Decisions", "Given away", "95% range", "Mistakes", "Luck", "Fair dice",
    ]  # fmt: skip
    assert ann["Games"] == zoe["Games"] == "2"
    # Random moves give something away.
    assert min(float(ann["Given away"]), float(zoe["Given away"])) > 0
    assert ann != zoe
    assert review(client, "Ann", "fr")["about"].startswith("Parties")
    rows = database.rows("SELECT game FROM histories WHERE review IS NOT NULL ORDER BY game")
    assert rows == [(1,), (2,)]
