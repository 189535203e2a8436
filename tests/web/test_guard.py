"""What stands before every route, as an attacker would try it; nothing of it reaches the game."""

import logging
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from starlette.requests import Request

from tests.web.client import Client
from tests.web.conftest import PIN
from tests.web.table import PageDesk, Table
from urpi.web.app import make_app
from urpi.web.events import last_event
from urpi.web.guard import MOST_BODY
from urpi.web.page import make_page
from urpi.web.proxies import Entrance

RESIGN = {"side": "light"}


def test_who_watches_on_the_network_needs_no_pin(guest: Client) -> None:
    assert guest.get("/api/state").json["may_act"] is False
    assert guest.get("/api/games").status == 200


def test_who_acts_on_the_network_enters_the_pin_first(guest: Client, table: Table) -> None:
    assert guest.post("/api/resign", RESIGN).status == 401
    assert table.service.snapshot.outcome is None

    entered = guest.post("/api/session", {"pin": PIN})
    assert entered.status == 200
    said = entered.headers["set-cookie"]
    assert said.partition("; ")[2] == "HttpOnly; SameSite=Strict; Path=/"
    assert guest.get("/api/state").json["may_act"] is True
    assert guest.post("/api/resign", RESIGN).status == 200
    assert table.service.snapshot.outcome is not None

    own = {"content-type": "application/json", "origin": f"http://{guest.host}"}
    token = dict(guest.cookies)
    assert guest.ask("DELETE", "/api/session", headers=own).status == 200
    assert guest.cookies == {}
    # The token itself is worth nothing any more.
    assert replace(guest, cookies=token).get("/api/state").json["may_act"] is False


def test_this_machine_needs_no_pin_where_it_is_trusted(client: Client) -> None:
    assert client.get("/api/state").json["may_act"] is True
    assert client.post("/api/resign", RESIGN).status == 200


def test_this_machine_needs_the_pin_too_unless_it_is_trusted(desk: PageDesk) -> None:
    here = Client(make_app(make_page(desk, pin=PIN)))
    assert here.get("/api/state").json["may_act"] is False
    assert here.post("/api/resign", RESIGN).status == 401


def test_a_name_that_leads_to_loopback_from_outside_needs_the_pin(
    desk: PageDesk, table: Table
) -> None:
    # A proxy on this machine hands the network's requests on, under a configured name.
    app = make_app(
        make_page(desk, names=("ur.example.org",), pin=PIN, entrance=Entrance(trust_loopback=True))
    )
    proxied = Client(app, host="ur.example.org")
    assert proxied.get("/api/state").json["may_act"] is False
    assert proxied.post("/api/resign", RESIGN).status == 401


def test_wrong_pins_are_refused_and_then_everybody_waits(guest: Client) -> None:
    answers = [guest.post("/api/session", {"pin": f"00000{n}"}) for n in range(7)]
    assert [one.status for one in answers] == [403] * 5 + [429] * 2
    assert 0 < int(answers[-1].headers["retry-after"]) <= 61
    assert guest.post("/api/session", {"pin": PIN}).status == 429
    assert guest.cookies == {}


@pytest.mark.parametrize(
    "pin", ["", "31415", "3141599", "31415a", "\uff13\uff11\uff14\uff11\uff15\uff19", 314159, None]
)
def test_what_is_no_pin_costs_no_try(guest: Client, pin: Any) -> None:
    assert guest.post("/api/session", {"pin": pin}).status == 400
    assert guest.post("/api/session", {"pin": PIN}).status == 200


def test_the_display_is_lent_to_the_pin_now_and_then_alone(guest: Client, desk: PageDesk) -> None:
    asked = [guest.post("/api/session/ask").status for _ in range(5)]
    assert asked == [200, 200, 200, 429, 429]
    assert desk.pins_shown == [(PIN, "192.168.1.20:8011")] * 3


def test_the_pin_and_the_session_stand_in_no_answer_and_no_log(
    guest: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    guest.post("/api/session", {"pin": "000000"})
    guest.post("/api/session/ask")
    guest.post("/api/session", {"pin": PIN})
    token = guest.cookies["urpi-session"]
    told = [guest.get(path) for path in ("/api/state", "/api/settings", "/api/openapi.json")]
    told.append(guest.post("/api/resign", {"side": "x"}))
    assert not any(PIN in one.text or token in one.text for one in told)
    assert PIN not in caplog.text
    assert token not in caplog.text


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"origin": "http://evil.example"}, 403, "cross-site"),
        ({"origin": "null"}, 403, "cross-site"),
        ({"origin": ""}, 403, "cross-site"),
        ({"origin": "", "sec_fetch_site": "cross-site"}, 403, "cross-site"),
        ({"sec_fetch_site": "same-site"}, 403, "cross-site"),
        ({"content_type": "text/plain"}, 415, "not-json"),
        ({"content_type": ""}, 415, "not-json"),
        ({"content_type": "application/x-www-form-urlencoded"}, 415, "not-json"),
        ({"content_type": "application/json; charset=utf-16"}, 415, "not-json"),
        ({"content_type": "text/plain; application/json"}, 415, "not-json"),
        ({"host": "evil.example:8011"}, 421, "unknown-host"),
        ({"host": "evil.example:8011", "origin": "http://evil.example:8011"}, 421, "unknown-host"),
        ({"host": ""}, 421, "unknown-host"),
        ({"content_length": str(MOST_BODY + 1)}, 413, "too-large"),
        ({"content_length": "9" * 400}, 413, "too-large"),
        ({"content_length": "-1"}, 413, "too-large"),
    ],
)
def test_a_request_that_is_not_the_page_s_own_is_refused(
    client: Client, table: Table, headers: dict[str, str], status: int, code: str
) -> None:
    answer = client.post("/api/resign", RESIGN, **headers)
    assert (answer.status, answer.json["code"]) == (status, code)
    # A connection is kept, but where a body may still be on its way.
    assert ("connection" in answer.headers) == (status == 413)
    assert table.service.snapshot.outcome is None


def test_a_session_does_not_help_another_site(guest: Client, table: Table) -> None:
    guest.post("/api/session", {"pin": PIN})
    assert guest.post("/api/resign", RESIGN, origin="http://evil.example").status == 403
    assert table.service.snapshot.outcome is None


def test_two_hosts_are_none(client: Client) -> None:
    scope = client._scope("GET", "/api/state", {"host": client.host})
    scope["headers"].append((b"host", b"evil.example"))
    client._scope = lambda *_: scope  # type: ignore[method-assign]
    assert client.get("/api/state").status == 421


@pytest.mark.parametrize("path", ["/api/resign", "/api/new-game", "/api/session", "/api/settings"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_nothing_acts_on_get(client: Client, table: Table, path: str, method: str) -> None:
    before = len(table.lines("fact"))
    answer = client.ask(method, path + "?side=light")
    assert answer.status in {400, 405}
    assert len(table.lines("fact")) == before


@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "GE T", "X" * 99]
)
def test_other_methods_are_none(client: Client, method: str) -> None:
    answer = client.ask(method, "/api/state")
    assert answer.status == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}
    # So no other site is ever allowed anything.
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_body_that_comes_in_pieces_is_as_long_as_all_of_them(client: Client) -> None:
    own = {"content-type": "application/json", "origin": f"http://{client.host}"}
    pieces = [b" " * 1000] * (MOST_BODY // 1000 + 1)
    assert client.ask("POST", "/api/resign", headers=own, body=pieces).status == 413
    assert (
        client.ask("POST", "/api/resign", headers=own, body=[b'{"side":', b'"dark"}']).status == 200
    )


def test_who_reads_sends_no_body(client: Client) -> None:
    assert client.get("/api/state", content_length="4").status == 400
    assert client.get("/api/state", transfer_encoding="chunked").status == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/%252e%252e/app.py",
        "/static/..%2fapp.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/index.html%00.js",
        "/static/%00",
        "/static/",
        "/static/index.html/",
        "/static/./index.html",
        "/static/INDEX.HTML",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//evil.example/",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/games/1%00",
        "/games/../api/state/x",
    ],
)
def test_no_path_leads_out_of_the_page_s_own_files(reader: Client, path: str) -> None:
    answer = reader.get(path)
    assert answer.status == 404
    assert "location" not in answer.headers
    assert b"root:" not in answer.body
    assert b"import" not in answer.body


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/state", "/api/nothing", "/static/nothing"])
def test_every_answer_says_what_a_browser_may_do_with_it(reader: Client, path: str) -> None:
    headers = reader.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'; form-action 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "cache-control" in headers


SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>'\""[:40]


def test_a_script_in_a_name_is_text_wherever_it_stands(client: Client, table: Table) -> None:
    body = {"rules": "finkel", "light": SCRIPT, "dark": "&lt;b&gt;", "first": "light"}
    assert client.post("/api/new-game", body).status == 200
    table.play_on(Random(1))
    assert client.get("/api/games").json["games"][0]["light"] == SCRIPT
    listed = client.get("/api/games")
    assert listed.headers["content-type"] == "application/json"
    page = client.get("/api/games/2/dispute.html").text
    assert "<script" not in page
    assert "onerror=alert" not in page.replace("onerror=alert(2)&gt;", "")
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("after", ["-1", "1e9", "x", "9" * 99, "1\r\nset-cookie: a=b", "\u0663"])
def test_nonsense_in_last_event_id_is_as_if_nothing_was_said(after: str) -> None:
    request = Request({"type": "http", "headers": [(b"last-event-id", after.encode())]})
    assert last_event(request) is None


def test_who_orders_too_often_is_told_to_wait(guest: Client) -> None:
    statuses = [guest.post("/api/session", {"pin": "x"}).status for _ in range(70)]
    assert statuses == [400] * 60 + [429] * 10


def test_who_asks_too_often_is_told_to_wait_and_others_are_not(guest: Client) -> None:
    statuses = [guest.get("/api/languages").status for _ in range(410)]
    assert statuses == [200] * 400 + [429] * 10
    other = replace(guest, address="192.168.1.78")
    assert other.get("/api/languages").status == 200
