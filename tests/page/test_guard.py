"""Requests of an attacker: the guard rejects them before they reach the game."""

import logging
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from starlette.requests import Request

from tests.page.client import Client
from tests.page.conftest import PIN
from tests.page.table import PageDesk, Table
from tests.slow import mostly_slow
from urpi.http.guard import MAX_BODY
from urpi.http.proxies import ProxySettings
from urpi.http.reader import MAX_OF_CLIENT
from urpi.page.app import make_app
from urpi.page.events import last_event_id
from urpi.page.site import Site, make_site

RESIGN = {"side": "light"}


def test_watching_from_the_network_requires_no_pin(guest: Client) -> None:
    assert guest.get("/api/state").json["may_act"] is False
    assert guest.get("/api/games").status == 200


def test_acting_from_the_network_requires_the_pin(guest: Client, table: Table) -> None:
    assert guest.post("/api/resign", RESIGN).status == 401
    assert table.service.snapshot.outcome is None

    entered = guest.post("/api/session", {"pin": PIN})
    assert entered.status == 200
    cookie = entered.headers["set-cookie"]
    assert cookie.partition("; ")[2] == "HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000"
    assert guest.get("/api/state").json["may_act"] is True
    assert guest.post("/api/resign", RESIGN).status == 200
    assert table.service.snapshot.outcome is not None

    # No content type: the request has no body.
    own = {"origin": f"http://{guest.host}"}
    token = dict(guest.cookies)
    assert guest.request("DELETE", "/api/session", headers=own).status == 200
    assert guest.cookies == {}
    # The token itself is invalid now.
    assert replace(guest, cookies=token).get("/api/state").json["may_act"] is False


def test_a_trusted_machine_requires_no_pin(client: Client) -> None:
    assert client.get("/api/state").json["may_act"] is True
    assert client.post("/api/resign", RESIGN).status == 200


def test_by_default_this_machine_requires_the_pin_too(desk: PageDesk) -> None:
    here = Client(make_app(make_site(desk, pin=PIN)))
    assert here.get("/api/state").json["may_act"] is False
    assert here.post("/api/resign", RESIGN).status == 401


def test_a_proxied_request_requires_the_pin_although_it_comes_from_loopback(
    desk: PageDesk, table: Table
) -> None:
    # A proxy on this machine forwards requests from the network, under a configured name.
    proxy = ProxySettings(trust_loopback=True)
    app = make_app(make_site(desk, names=("ur.example.org",), pin=PIN, proxy=proxy))
    proxied = Client(app, host="ur.example.org")
    assert proxied.get("/api/state").json["may_act"] is False
    assert proxied.post("/api/resign", RESIGN).status == 401


def test_after_too_many_wrong_pins_every_client_must_wait(guest: Client) -> None:
    answers = [guest.post("/api/session", {"pin": f"00000{n}"}) for n in range(7)]
    assert [one.status for one in answers] == [403] * 5 + [429] * 2
    assert 0 < int(answers[-1].headers["retry-after"]) <= 61
    assert guest.post("/api/session", {"pin": PIN}).status == 429
    assert guest.cookies == {}


@pytest.mark.parametrize(
    "pin",
    mostly_slow(
        ["", "31415", "3141599", "31415a", "\uff13\uff11\uff14\uff11\uff15\uff19", 314159, None], 3
    ),
)
def test_a_malformed_pin_is_not_counted_as_an_attempt(guest: Client, pin: Any) -> None:
    assert guest.post("/api/session", {"pin": pin}).status == 400
    assert guest.post("/api/session", {"pin": PIN}).status == 200


def test_the_display_shows_the_pin_at_most_three_times_in_a_row(
    guest: Client, desk: PageDesk
) -> None:
    statuses = [guest.post("/api/session/ask").status for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert desk.pins_shown == [(PIN, "192.168.1.20:8011")] * 3


def test_a_new_pin_ends_all_other_sessions_and_is_shown_on_the_display(
    guest: Client, desk: PageDesk
) -> None:
    assert guest.post("/api/new-pin").status == 401
    other = replace(guest, cookies={})
    for one in (guest, other):
        assert one.post("/api/session", {"pin": PIN}).status == 200
    assert guest.post("/api/new-pin").status == 200
    assert [one.get("/api/state").json["may_act"] for one in (guest, other)] == [True, False]
    ((shown, _),) = desk.pins_shown
    assert shown != PIN
    assert other.post("/api/session", {"pin": PIN}).status == 403
    assert other.post("/api/session", {"pin": shown}).status == 200


def test_responses_and_logs_contain_neither_the_pin_nor_the_session(
    guest: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    guest.post("/api/session", {"pin": "000000"})
    guest.post("/api/session/ask")
    guest.post("/api/session", {"pin": PIN})
    token = guest.cookies["urpi-session-8011"]
    responses = [guest.get(path) for path in ("/api/state", "/api/settings", "/api/openapi.json")]
    responses.append(guest.post("/api/resign", {"side": "x"}))
    assert not any(PIN in one.text or token in one.text for one in responses)
    assert PIN not in caplog.text
    assert token not in caplog.text


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    mostly_slow(
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
            (
                {"host": "evil.example:8011", "origin": "http://evil.example:8011"},
                421,
                "unknown-host",
            ),
            ({"host": ""}, 421, "unknown-host"),
            ({"content_length": str(MAX_BODY + 1)}, 413, "too-large"),
            ({"content_length": "9" * 400}, 413, "too-large"),
            ({"content_length": "-1"}, 413, "too-large"),
        ],
        6,
    ),
)
def test_a_request_that_the_page_would_not_send_is_rejected(
    client: Client, table: Table, headers: dict[str, str], status: int, code: str
) -> None:
    answer = client.post("/api/resign", RESIGN, **headers)
    assert (answer.status, answer.json["code"]) == (status, code)
    # The connection is closed only if a body may still be arriving.
    assert ("connection" in answer.headers) == (status == 413)
    assert table.service.snapshot.outcome is None


def test_a_session_does_not_help_another_site(guest: Client, table: Table) -> None:
    guest.post("/api/session", {"pin": PIN})
    assert guest.post("/api/resign", RESIGN, origin="http://evil.example").status == 403
    assert table.service.snapshot.outcome is None


def test_two_tables_on_one_machine_keep_their_sessions(guest: Client, desk: PageDesk) -> None:
    other_site = make_site(desk, pin="271828")
    other = replace(guest, app=make_app(other_site), host="192.168.1.20:8012")
    assert other.cookies is guest.cookies
    assert guest.post("/api/session", {"pin": PIN}).status == 200
    assert other.post("/api/session", {"pin": "271828"}).status == 200
    assert guest.get("/api/state").json["may_act"] is True
    assert other.get("/api/state").json["may_act"] is True
    own = {"origin": f"http://{other.host}"}
    assert other.request("DELETE", "/api/session", headers=own).status == 200
    assert other.get("/api/state").json["may_act"] is False
    assert guest.get("/api/state").json["may_act"] is True


def test_a_malformed_cookie_header_is_ignored(guest: Client) -> None:
    answer = guest.get("/api/state", cookie="a,b=1; urpi-session-8011=x")
    assert answer.status == 200
    assert answer.json["may_act"] is False


def test_two_host_headers_are_rejected(client: Client) -> None:
    scope = client._scope("GET", "/api/state", {"host": client.host})
    scope["headers"].append((b"host", b"evil.example"))
    client._scope = lambda *_: scope  # type: ignore[method-assign]
    assert client.get("/api/state").status == 421


@pytest.mark.parametrize(
    "path", mostly_slow(["/api/resign", "/api/new-game", "/api/session", "/api/settings"], 2)
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_nothing_acts_on_get(client: Client, table: Table, path: str, method: str) -> None:
    before = len(table.lines("fact"))
    answer = client.request(method, path + "?side=light")
    assert answer.status in {400, 405}
    assert len(table.lines("fact")) == before


@pytest.mark.parametrize(
    "method", mostly_slow(["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "GE T", "X" * 99], 2)
)
def test_other_methods_are_not_allowed(client: Client, method: str) -> None:
    answer = client.request(method, "/api/state")
    assert answer.status == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}
    # Without CORS headers, no other site may read a response.
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_length_limit_applies_to_all_pieces_of_a_body_together(client: Client) -> None:
    own = {"content-type": "application/json", "origin": f"http://{client.host}"}
    pieces = [b" " * 1000] * (MAX_BODY // 1000 + 1)
    assert client.request("POST", "/api/resign", headers=own, body=pieces).status == 413
    assert (
        client.request("POST", "/api/resign", headers=own, body=[b'{"side":', b'"dark"}']).status
        == 200
    )


def test_a_request_that_only_reads_must_not_have_a_body(client: Client) -> None:
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
        "/static/index.html",
        "/static/overlay.html",
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
def test_no_path_escapes_from_the_static_files(reader: Client, path: str) -> None:
    answer = reader.get(path)
    assert answer.status == 404
    assert "location" not in answer.headers
    assert b"root:" not in answer.body
    assert b"import" not in answer.body


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/state", "/api/nothing", "/static/nothing"])
def test_every_response_has_the_security_headers(reader: Client, path: str) -> None:
    headers = reader.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
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


def test_a_script_in_a_name_is_always_escaped(client: Client, table: Table) -> None:
    body = {"rules": "finkel", "light": SCRIPT, "dark": "&lt;b&gt;", "first": "light"}
    assert client.post("/api/new-game", body).status == 200
    table.play_on(Random(1))
    assert client.get("/api/games").json["games"][0]["light"] == SCRIPT
    listed = client.get("/api/games")
    assert listed.headers["content-type"] == "application/json"
    html = client.get("/api/games/2/dispute.html").text
    assert "<script" not in html
    assert "onerror=alert" not in html.replace("onerror=alert(2)&gt;", "")
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("after", ["-1", "1e9", "x", "9" * 99, "1\r\nset-cookie: a=b", "\u0663"])
def test_an_invalid_last_event_id_is_ignored(after: str) -> None:
    request = Request({"type": "http", "headers": [(b"last-event-id", after.encode())]})
    assert last_event_id(request) is None


def test_too_many_actions_are_rejected(guest: Client) -> None:
    statuses = [guest.post("/api/session", {"pin": "x"}).status for _ in range(70)]
    assert statuses == [400] * 60 + [429] * 10


def test_too_many_requests_of_one_address_are_rejected_and_others_are_not(guest: Client) -> None:
    statuses = [guest.get("/api/languages").status for _ in range(410)]
    assert statuses == [200] * 400 + [429] * 10
    other = replace(guest, address="192.168.1.78")
    assert other.get("/api/languages").status == 200


def test_one_client_cannot_occupy_the_reader_of_stored_games(
    guest: Client, network_site: Site
) -> None:
    network_site.journal._waiting[guest.address] = MAX_OF_CLIENT
    statuses = [
        replace(guest, address=f"192.168.1.{last}").get("/api/games").status for last in (77, 78)
    ]
    assert statuses == [503, 200]
    network_site.journal._waiting["127.0.0.1"] = MAX_OF_CLIENT
    assert replace(guest, address="127.0.0.1").get("/api/games").status == 200


@pytest.mark.parametrize("headers", [{}, {"if_none_match": "current"}])
def test_only_the_overlay_may_be_framed(reader: Client, headers: dict[str, str]) -> None:
    if headers:
        headers = {"if_none_match": reader.get("/overlay").headers["etag"]}
    answer = reader.get("/overlay", **headers)
    assert answer.status == (304 if headers else 200)
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "x-frame-options" not in answer.headers
    for path in ("/", "/games", "/games/1", "/overlay/", "/api/state", "/static/icon.svg"):
        other = reader.get(path).headers
        assert "frame-ancestors 'none'" in other["content-security-policy"]
        assert other["x-frame-options"] == "DENY"
    rest = reader.get("/games").headers["content-security-policy"]
    assert policy.replace("frame-ancestors *", "") == rest.replace("frame-ancestors 'none'", "")
