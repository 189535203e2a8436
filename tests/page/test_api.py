"""The API, with a real service and a real journal."""

import json
import re
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.page.client import Client
from tests.page.table import PageDesk, Table
from urpi.http.operations import NUMBER, InvalidRequestError, parse_body
from urpi.journal import Journal, build_record, entries_of, find_game
from urpi.journal.formats import GAME_FILES
from urpi.page.site import STATIC
from urpi.referee import Phase
from urpi.referee.facts import Answer, Resign
from urpi.rules import Side
from urpi.service.win_chances import WinChance
from urpi.show import words

CLOSED = {"additionalProperties": False}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/api/state", "application/json"),
        ("/api/oled.png", "image/png"),
        ("/api/board.svg", "image/svg+xml"),
        ("/api/words", "application/json"),
        ("/api/words?language=en", "application/json"),
        ("/api/rulesets", "application/json"),
        ("/api/languages", "application/json"),
        ("/api/settings", "application/json"),
        ("/api/value", "application/json"),
        ("/api/openapi.json", "application/json"),
        ("/api/games", "application/json"),
        ("/api/games/1", "application/json"),
        ("/api/games/1/turns/0", "application/json"),
        ("/api/games/1/minute", "application/json"),
        ("/api/games/1/dispute.html", "text/html; charset=utf-8"),
        ("/api/games/1/dispute.html?turn=0", "text/html; charset=utf-8"),
        ("/api/games/1/replay.html", "text/html; charset=utf-8"),
        ("/api/games/1/record.txt", "text/plain; charset=utf-8"),
        ("/api/games/1/record.rgn", "text/plain; charset=utf-8"),
        ("/api/games/1/turns.csv", "text/csv; charset=utf-8"),
        ("/api/games/1/turns.tsv", "text/tab-separated-values; charset=utf-8"),
        ("/api/games/1/archive.jsonl", "application/jsonl"),
    ],
)
def test_every_path_that_can_be_read_returns_its_content_type(
    reader: Client, path: str, kind: str
) -> None:
    answer = reader.get(path)
    assert (answer.status, answer.headers["content-type"]) == (200, kind)
    assert len(answer.body) > 1


def test_a_record_of_the_page_is_that_of_the_command(reader: Client) -> None:
    record = reader.get("/api/games/1/record.txt").text
    assert '[Game "' in record
    assert '[Time "' in record
    assert reader.get("/api/games/1/turns.csv").text.startswith("game,turn,throw,side,player,")


def test_a_replay_lists_the_files_that_its_rules_can_be_written_to(
    client: Client, reader: Client
) -> None:
    assert reader.get("/api/games/1").json["files"] == [*GAME_FILES]
    body = {"rules": "ravensburger", "options": {}, "light": "", "dark": ""}
    assert client.post("/api/new-game", body).json == {"game": 2}
    files = client.get("/api/games/2").json["files"]
    assert files == [name for name in GAME_FILES if name != "record.rgn"]


def test_the_probability_to_win_is_that_of_the_table(client: Client, desk: PageDesk) -> None:
    assert client.get("/api/value").json == {"value": None}
    desk.chance = WinChance(0.25, "estimated")
    expected = {"light": 0.25, "dark": 0.75, "kind": "estimated", "moves": []}
    assert client.get("/api/value").json == {"value": expected}


@pytest.mark.parametrize(
    ("header", "wanted"), [("hu-HU,hu;q=0.9,en;q=0.5", "hu"), ("nl", None), ("pt-BR", "pt")]
)
def test_the_browser_s_preferred_language_is_returned(
    reader: Client, header: str, wanted: str | None
) -> None:
    languages = reader.get("/api/languages", accept_language=header).json
    assert (languages["now"], languages["wanted"]) == ("en", wanted)


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/api/games/7", 404, "There is no game 7."),
        ("/api/games/0", 404, "There is no game 0."),
        ("/api/games/x", 404, "There is no game 'x'; it must be a number."),
        ("/api/games/-1", 404, "There is no game '-1'; it must be a number."),
        (f"/api/games/{'9' * 5000}", 404, "There is no game '99"),
        ("/api/games/1/turns/99", 404, "Game 1 has no turn 99"),
        ("/api/games/1/dispute.html?turn=99", 404, "Game 1 has no turn 99"),
        ("/api/games?limit=0", 400, "limit must be a number from 1 to 200; found 0."),
        ("/api/games?limit=many", 400, "limit must be a JSON integer; found 'many'."),
        ("/api/games?limit=1&limit=2", 400, "A query parameter is given twice."),
        (
            "/api/games?since=2026-02-30",
            400,
            "since must be a day such as 2026-11-20; found 2026-02-30.",
        ),
        (
            "/api/games?colour=red",
            400,
            "Unknown query parameter 'colour'; the parameters here are player, rules,",
        ),
        ("/api/words?language=xx", 400, "language must be one of en"),
        ("/api/nothing", 404, "Page not found"),
        ("/api/state/", 404, "Page not found"),
    ],
)
def test_a_read_that_fails_returns_the_reason_as_one_sentence(
    reader: Client, path: str, status: int, error: str
) -> None:
    answer = reader.get(path)
    assert answer.status == status
    assert answer.json["error"].startswith(error)


def test_the_games_are_listed_in_parts_newest_first(client: Client, table: Table) -> None:
    for _ in range(4):
        table.submit(Resign(table.t, Side.LIGHT))
        table.begin()
    first = client.get("/api/games?limit=2").json
    assert [game["id"] for game in first["games"]] == [5, 4]
    assert first["more"] is True
    rest = client.get("/api/games?limit=3&before=4").json
    assert [(game["id"], game["result"]) for game in rest["games"]] == [
        (3, "dark"),
        (2, "dark"),
        (1, "dark"),
    ]
    assert rest["more"] is False


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("player=Ann", 1),
        ("player=Nobody", 0),
        ("rules=finkel", 1),
        ("rules=murray", 0),
        ("since=2026-11-19", 1),
        ("since=2026-11-22", 0),
        ("until=2026-11-19", 0),
    ],
)
def test_games_are_found_by_player_rules_and_day(reader: Client, query: str, found: int) -> None:
    assert len(reader.get(f"/api/games?{query}").json["games"]) == found


def test_an_html_file_is_a_download_that_may_not_run_scripts(reader: Client) -> None:
    answer = reader.get("/api/games/1/dispute.html")
    assert answer.headers["content-disposition"] == 'attachment; filename="game-1-dispute.html"'
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none';")


def test_a_dispute_leads_to_a_game_from_the_position_of_each_throw(
    client: Client, table: Table
) -> None:
    table.throw("gg--")
    before = table.service.snapshot.position
    page = client.get("/api/games/1/dispute.html").text
    (address,) = re.findall(r'<a href="http://127.0.0.1:8011(/setup\?position=[^"]+)"', page)
    assert parse_qs(urlsplit(address).query) == {"position": [str(before)]}
    assert client.get(address).status == 200


def test_a_long_response_is_compressed_if_the_client_accepts_gzip(reader: Client) -> None:
    plain, short = reader.get("/api/state"), reader.get("/api/state", accept_encoding="gzip, br")
    assert "content-encoding" not in plain.headers
    assert short.headers["content-encoding"] == "gzip"
    assert int(short.headers["content-length"]) == len(short.body) < len(plain.body)
    assert short.json == plain.json


def test_a_static_file_is_compressed_only_if_the_client_accepts_gzip(reader: Client) -> None:
    path = "/static/js/board.js"
    plain, other = reader.get(path), reader.get(path, accept_encoding="br, deflate")
    short = reader.get(path, accept_encoding="gzip, br")
    contents = (STATIC / "js/board.js").read_bytes()
    for response in (plain, other):
        assert "content-encoding" not in response.headers
        assert response.body == contents
    assert short.headers["content-encoding"] == "gzip"
    assert len(short.body) < len(contents)
    assert short.text.encode() == contents


def test_a_static_file_that_the_browser_has_is_not_sent_again(reader: Client) -> None:
    etag = reader.get("/static/js/board.js").headers["etag"]
    unchanged = reader.get("/static/js/board.js", if_none_match=etag)
    assert (unchanged.status, unchanged.body) == (304, b"")
    changed = reader.get("/static/js/board.js", if_none_match='"0123"')
    assert changed.status == 200


def test_a_new_game_has_the_requested_rules_names_and_options(client: Client, table: Table) -> None:
    body = {
        "rules": "murray",
        "options": {"loop": "own-first"},
        "light": "Ada",
        "dark": "Bo",
        "first": "dark",
    }
    assert client.post("/api/new-game", body).json == {"game": 2}
    shot = table.service.snapshot
    assert shot.position is not None
    assert shot.position.rules.text == "murray[loop=own-first]"
    assert (shot.light, shot.dark, shot.side) == ("Ada", "Bo", Side.DARK)


def test_a_new_game_begins_from_the_requested_position(client: Client, table: Table) -> None:
    position = "murray[loop=own-first] A1:L',B7:D L6D6 L0D0 D"
    body = {"rules": "murray", "position": position, "light": "Ada"}
    assert client.post("/api/new-game", body).json == {"game": 2}
    shot = table.service.snapshot
    assert (str(shot.position), shot.light) == (position, "Ada")
    with Journal.open(table.service.path, create=False) as journal:
        record = build_record(entries_of(journal, 2), find_game(journal, 2).started)
    assert record.tag("Position") == position


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rules": "finkel"}, "rules are finkel, but its position is one of bell"),
        ({"options": {"pieces": "3"}}, "rules are bell[pieces=3], but its position is one of bell"),
        ({"first": "light"}, "dark is to throw; found light"),
        ({"position": "bell A1:L L6D7 L0D0 ="}, "turn must be = if and only if a side has won"),
        ({"position": "bell - L0D3 L7D4 ="}, "the game is over"),
        ({"position": "bell C1:L L6D7 L0D0 D"}, "a piece L cannot be on C1"),
        ({"position": "bell " + "A1:L," * 70}, "at most 300 characters"),
        ({"position": None}, "a JSON string"),
    ],
)
def test_a_position_from_which_no_such_game_can_begin_is_rejected(
    reader: Client, quiet_table: Table, change: dict[str, Any], reason: str
) -> None:
    body = {"rules": "bell", "position": "bell A1:L L6D7 L0D0 D", **change}
    answer = reader.post("/api/new-game", body)
    # The description says what is a text of at most so many characters.
    is_described = reason not in {"at most 300 characters", "a JSON string"}
    expected = (409, "no-position") if is_described else (400, "bad-request")
    assert (answer.status, answer.json["code"]) == expected
    assert reason in answer.json["error"]
    assert quiet_table.service.game == 1


def test_a_throw_and_a_move_can_be_entered(client: Client, table: Table) -> None:
    assert client.post("/api/answer", {"faces": "gg--"}).status == 200
    move = table.service.snapshot.legal[0]
    assert client.post("/api/answer", {"move": move}).status == 200
    assert table.service.snapshot.side is Side.DARK
    assert client.post("/api/answer", {"takeback": True, "agreed": True}).status == 200
    assert table.service.snapshot.phase is Phase.MOVE


@pytest.mark.parametrize(
    ("path", "body", "outcome"),
    [
        ("/api/resign", {"side": "light"}, "won"),
        ("/api/abandon", {}, "abandoned"),
        ("/api/abandon", {"side": "dark", "agreed": True}, "abandoned"),
    ],
)
def test_a_game_can_be_ended(
    client: Client, table: Table, path: str, body: dict[str, Any], outcome: str
) -> None:
    assert client.post(path, body).status == 200
    assert table.types("decision")[-1] == outcome


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/answer", {"move": "+A4"}, 409, "nothing-to-answer"),
        ("/api/answer", {"faces": "ggggg"}, 409, "wrong-faces"),
        ("/api/answer", {"takeback": True}, 409, "no-takeback"),
        ("/api/answer", {}, 400, "bad-request"),
        ("/api/answer", {"move": "+A4", "faces": "gggg"}, 400, "bad-request"),
        ("/api/answer", {"agreed": True}, 400, "bad-request"),
        ("/api/answer", {"takeback": False}, 400, "bad-request"),
        ("/api/draw", {"side": "light"}, 409, "no-draw"),
        ("/api/resign", {"side": "red"}, 400, "bad-request"),
        ("/api/resign", {"side": "light", "now": True}, 400, "bad-request"),
        ("/api/resign", {}, 400, "bad-request"),
        ("/api/button", {"side": "light", "press": "softly"}, 400, "bad-request"),
        ("/api/settings", {"language": "xx"}, 400, "bad-request"),
        ("/api/settings", {"sound": "speech"}, 409, "not-now"),
        ("/api/settings", {}, 400, "bad-request"),
        ("/api/new-game", {}, 400, "bad-request"),
        ("/api/new-game", {"rules": "chess"}, 400, "bad-request"),
        ("/api/new-game", {"rules": "murray", "options": {"loop": "x"}}, 400, "bad-request"),
        ("/api/new-game", {"rules": "murray", "options": {"loop": 3}}, 400, "bad-request"),
        ("/api/new-game", {"rules": "finkel", "light": "x" * 41}, 400, "bad-request"),
        ("/api/new-game", {"rules": "finkel", "clock": 10}, 400, "bad-request"),
        ("/api/new-game", {"rules": "finkel", "clock": None}, 400, "bad-request"),
        ("/api/new-game", {"rules": "finkel", "clock": "1" * 21}, 400, "bad-request"),
        ("/api/new-game", {"rules": "finkel", "clock": ""}, 409, "no-clock"),
        ("/api/new-game", {"rules": "finkel", "clock": "0"}, 409, "no-clock"),
        ("/api/new-game", {"rules": "finkel", "clock": "181"}, 409, "no-clock"),
        ("/api/new-game", {"rules": "finkel", "clock": "10+-5"}, 409, "no-clock"),
        ("/api/new-game", {"rules": "finkel", "clock": "10 5"}, 409, "no-clock"),
        ("/api/new-game", {"rules": "finkel", "light": "a\nb"}, 400, "bad-request"),
        ("/api/new-game", {"rules": "finkel", "light": None}, 400, "bad-request"),
    ],
)
def test_an_impossible_action_is_rejected_and_changes_nothing(
    reader: Client, quiet_table: Table, path: str, body: dict[str, Any], status: int, code: str
) -> None:
    before = quiet_table.service.snapshot.position, quiet_table.service.game
    answer = reader.post(path, body)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.json["error"][-1] in ".'}"
    assert (quiet_table.service.snapshot.position, quiet_table.service.game) == before


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe{\x00}\x00",
        b'{"side":"light","side":"dark"}',
        b'{"side":"light"}x',
        b'{"side":NaN}',
        b'{"side":"\\ud800"}',
        b"[" * 8000,
        b'{"a":' * 1500,
    ],
)
def test_a_malformed_body_is_rejected(reader: Client, data: bytes) -> None:
    assert reader.post("/api/resign", data).status == 400


def test_an_integer_may_be_written_as_a_float() -> None:
    schema = {"type": "object", "properties": {"n": NUMBER}, "required": [], **CLOSED}
    assert parse_body(b'{"n": 2.0}', schema) == {"n": 2}
    assert parse_body(b'{"n": 2e1}', schema) == {"n": 20}
    for data in (b'{"n": 2.5}', b'{"n": 1e999}', b'{"n": true}', b'{"n": "2"}'):
        with pytest.raises(InvalidRequestError):
            parse_body(data, schema)


def test_an_action_after_the_end_of_the_game_is_rejected(client: Client, table: Table) -> None:
    table.submit(Resign(table.t, Side.LIGHT))
    answer = client.post("/api/resign", {"side": "dark"})
    assert (answer.status, answer.json["code"]) == (409, "game-over")


def test_the_press_of_a_button_is_forwarded(client: Client, table: Table) -> None:
    assert client.post("/api/button", {"side": "light", "press": "short"}).json == {"done": True}
    table.wait(300)
    assert table.types("fact")[-1] == "button"


def test_changing_settings_returns_the_settings(client: Client) -> None:
    assert client.post("/api/settings", {"sound": "tones", "language": "en"}).json == {
        "language": "en",
        "languages": list(words.display_languages()),
        "sound": "off",
        "sounds": ["off", "tones"],
        "rules": "finkel",
        "players": {"light": "", "dark": ""},
        "published": None,
    }


def test_a_table_has_no_language_that_its_display_cannot_show(client: Client) -> None:
    answer = client.post("/api/settings", {"language": "ar"})
    assert (answer.status, "language" in answer.json["error"]) == (400, True)
    assert "ar" in client.get("/api/languages").json["languages"]


def test_names_are_published_as_the_players_choose(client: Client, desk: PageDesk) -> None:
    desk.has_club = True
    assert client.get("/api/settings").json["published"] == []
    body = {"rules": "finkel", "light": " Ann ", "dark": "Bob"}
    client.post("/api/new-game", {**body, "publish": {"light": True, "dark": False}})
    assert client.get("/api/settings").json["published"] == ["Ann"]
    client.post("/api/new-game", {**body, "dark": "Zoë"})
    assert client.get("/api/settings").json["published"] == ["Ann"]
    found = client.post("/api/publish", {"name": "Zoë", "agreed": True}).json
    assert found["published"] == ["Ann", "Zoë"]
    client.post("/api/new-game", {**body, "publish": {"light": False}})
    assert client.get("/api/settings").json["published"] == ["Zoë"]


def test_the_state_contains_the_game_and_the_display(client: Client, table: Table) -> None:
    table.play_on(Random(5))
    state = client.get("/api/state").json
    shot = table.service.snapshot
    # The feed is not running here, so that its state is that of its creation.
    assert state["players"] == {"light": "Ann", "dark": "Bob"}
    assert state["rules"]["id"] == "finkel"
    assert state["oled"].startswith("data:image/png;base64,")
    assert shot.phase is Phase.MOVE


def test_a_game_s_archive_ends_with_its_digest(client: Client, table: Table) -> None:
    table.submit(Answer(table.t, faces="gs--"))
    lines = client.get("/api/games/1/archive.jsonl").text.splitlines()
    assert json.loads(lines[0])["type"] == "urpi-games"
    assert json.loads(lines[-1])["type"] == "end"


def test_the_settings_contain_the_sounds_of_the_desk(client: Client, desk: PageDesk) -> None:
    assert client.get("/api/settings").json["sounds"] == list(desk.sounds)
