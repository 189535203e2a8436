"""The archive lists games in PostgreSQL with filters, and shows one with its verdict and replay."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.club_live.running import WAIT_S, Database
from tests.journal.games import store_game
from tests.page.client import Client
from tests.waiting import wait_until
from urpi.club.server.database import connect, next_to_verify, store_of, store_verdict
from urpi.club.server.migrations import migrate
from urpi.club.server.verification import examine
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.http.addresses import parse_address
from urpi.http.server import PageServer
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines
from urpi.rules.record import parse_record

DAYS = ("2026-11-18", "2026-11-19", "2026-11-20")


def with_another_winner(line: str) -> str:
    found = json.loads(line)
    if found["type"] != "won":
        return line
    found["side"] = "dark" if found["side"] == "light" else "light"
    return json.dumps(found, separators=(",", ":"))


@pytest.fixture(scope="module")
def client(module_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Client:
    """A club with a verified, a forged and a running game at each of two tables."""
    folder: Path = tmp_path_factory.mktemp("journal")
    with (
        Journal.open(folder / "j.db") as journal,
        closing(connect(module_database.url)) as connection,
    ):
        migrate(connection)
        number = store_game(journal, seed=5)
        lines = tuple(without_names(entry.line) for entry in entries_of(journal, number))
        forged = tuple(map(with_another_winner, lines))
        assert forged != lines
        settings = settings_of(journal, number)
        for table in ("lisbon", "porto"):
            for game, (day, sent) in enumerate(
                zip(DAYS, (lines, forged, lines[:40]), strict=True), 1
            ):
                started = f"{day}T12:00:00+00:00"
                head = GameHead(game, started, "1.0.0", "finkel", settings)
                names = {"light": "Ann"} if table == "lisbon" else {}
                ended = None if len(sent) == 40 else f"{day}T12:30:00+00:00"
                message = Lines(game, head.key, 1, head.key, sent, head, names, ended)
                with store_of(connection, table) as store:
                    assert isinstance(receive(store, message), Ack)
        while (waiting := next_to_verify(connection)) is not None:
            store_verdict(
                connection, waiting.table, waiting.history, examine(waiting.head, waiting.lines)
            )
    section = ClubServerSection(database=module_database.url)
    return Client(make_club_app(make_site(section, Wall(lambda: datetime.now(UTC)))))


def games(client: Client, query: str = "") -> list[dict[str, Any]]:
    response = client.get(f"/api/games{query}")
    assert response.status == 200, response.text
    return list(response.json["games"])


def keys(client: Client, query: str) -> set[tuple[str, int]]:
    return {(game["table"], game["number"]) for game in games(client, query)}


def test_the_newest_games_come_first(client: Client) -> None:
    assert [game["number"] for game in games(client)] == [3, 3, 2, 2, 1, 1]
    assert client.get("/api/tables").json == ["lisbon", "porto"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?table=porto", {("porto", 1), ("porto", 2), ("porto", 3)}),
        ("?verdict=verified", {("lisbon", 1), ("porto", 1)}),
        ("?verdict=differs&table=lisbon", {("lisbon", 2)}),
        ("?verdict=running", {("lisbon", 3), ("porto", 3)}),
        ("?verdict=waiting", set()),
        ("?since=2026-11-19&until=2026-11-19", {("lisbon", 2), ("porto", 2)}),
        ("?rules=finkel&player=aNN&until=2026-11-18", {("lisbon", 1)}),
        ("?rules=blitz", set()),
        ("?player=%25", set()),
        ("?table=%27%20OR%201%3D1", set()),
    ],
)
def test_games_are_filtered(client: Client, query: str, expected: set[tuple[str, int]]) -> None:
    assert keys(client, query) == expected


def test_pages_continue_without_a_gap_where_games_began_at_one_time(client: Client) -> None:
    seen: list[int] = []
    query = "?limit=1"
    while True:
        answer = client.get(f"/api/games{query}").json
        seen += [game["id"] for game in answer["games"]]
        if not answer["more"]:
            break
        query = f"?limit=1&before={seen[-1]}"
    assert seen == [game["id"] for game in games(client)]


@pytest.mark.parametrize(
    "query", ["?verdict=true", "?since=2026-02-31", "?limit=0", "?before=-1", "?colour=red"]
)
def test_a_wrong_filter_is_rejected(client: Client, query: str) -> None:
    assert client.get(f"/api/games{query}").status == 400


def test_a_game_has_its_replay_verdict_and_record(client: Client) -> None:
    (game,) = games(client, "?table=lisbon&verdict=verified")
    found = client.get(f"/api/games/{game['id']}").json
    assert found["game"]["verdict"] == "verified"
    assert found["game"]["result"] in {"light", "dark"}
    assert found["frames"][-1]["kind"] == "end"
    record = client.get(f"/api/games/{game['id']}/record.txt")
    assert '[Light "Ann"]' in record.text
    assert '[Time "12:00:00+00:00"]\n[Table "lisbon"]\n[Light' in record.text
    assert "attachment" in record.headers["content-disposition"]
    page = client.get(f"/api/games/{game['id']}/replay.html")
    assert "Ann" in page.text
    assert "sandbox" in page.headers["content-security-policy"]


def test_the_record_of_a_tournament_s_game_has_its_event_and_round(
    client: Client, module_database: Database
) -> None:
    (game,) = games(client, "?table=porto&verdict=verified")
    with closing(connect(module_database.url)) as connection, connection.transaction():
        connection.execute(
            "WITH made AS (INSERT INTO tournaments (name, format, rounds, tie_breaks)"
            " VALUES ('The \"Ur\" Cup', 'swiss', 3, '{}') RETURNING id),"
            " begun AS (INSERT INTO tournament_rounds (tournament, round)"
            " SELECT id, 1 FROM made RETURNING tournament)"
            " INSERT INTO pairings (tournament, round, board, light, dark, result, game)"
            " SELECT tournament, 1, 0, 0, 1, 'light', %s FROM begun",
            (game["id"],),
        )
    record = parse_record(client.get(f"/api/games/{game['id']}/record.txt").text)
    assert (record.tag("Event"), record.tag("Round")) == ('The "Ur" Cup', "2")


def test_the_first_difference_of_a_forged_game_is_shown(client: Client) -> None:
    (game,) = games(client, "?table=porto&verdict=differs")
    found = client.get(f"/api/games/{game['id']}").json["game"]
    assert found["verdict_text"]


@contextmanager
def served(database: Database) -> Iterator[str]:
    """The URL of the club's page."""
    wall = Wall(lambda: datetime.now(UTC))
    site = make_site(ClubServerSection(database=database.url), wall)
    address = parse_address("127.0.0.1:0")
    server = PageServer(make_club_app(site), wall, address, site.limits, site.section)
    server.open()
    try:
        yield server.url.rstrip("/")
    finally:
        server.close()


def test_a_verified_game_is_reviewed_with_the_names_at_the_club(
    client: Client, module_database: Database
) -> None:
    (game,) = games(client, "?table=lisbon&verdict=verified")
    replay = client.get(f"/api/games/{game['id']}").json
    with served(module_database) as url:

        def review() -> Any:
            with urlopen(f"{url}/api/games/{game['id']}/review", timeout=WAIT_S) as response:
                return json.load(response)["review"]

        wait_until(lambda: review() is not None, "the review")
        found = review()
    assert (found["game"], found["light"]) == (game["id"], "Ann")
    assert found["dark"] == "Player at table lisbon"
    for thrown in found["throws"]:
        frame = replay["frames"][thrown["steps"]["throw"]]
        assert (frame["kind"], frame["side"]) == ("roll", thrown["side"])
    assert len(found["throws"]) > 20


@pytest.mark.parametrize("verdict", ["differs", "running"])
def test_another_game_is_not_reviewed(client: Client, verdict: str) -> None:
    (game,) = games(client, f"?table=porto&verdict={verdict}")
    response = client.get(f"/api/games/{game['id']}/review")
    assert response.status == 409
    assert "not verified" in response.json["error"]


def test_a_player_without_consent_is_named_by_the_table_in_the_browsers_language(
    client: Client,
) -> None:
    named = client.get("/api/games?table=lisbon&limit=1", accept_language="pt").json["games"][0]
    assert (named["light"], named["dark"]) == ("Ann", "Jogador na mesa lisbon")
    assert named["published"] == ["light"]
    (unnamed, *_) = games(client, "?table=porto")
    assert (unnamed["light"], unnamed["dark"], unnamed["published"]) == ("", "", [])


@pytest.mark.parametrize("path", ["/api/games/999999", "/api/games/x", "/api/games/9/record.txt"])
def test_a_game_that_does_not_exist_is_reported(client: Client, path: str) -> None:
    assert client.get(path).status == 404


def test_a_database_that_does_not_respond_is_reported() -> None:
    section = ClubServerSection(database="postgresql://urpi@127.0.0.1:1/urpi")
    client = Client(make_club_app(make_site(section, Wall(lambda: datetime.now(UTC)))))
    response = client.get("/api/games")
    assert response.status == 503
    assert "does not respond" in response.json["error"]
