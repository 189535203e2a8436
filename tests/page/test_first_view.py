"""The first response: the page's HTML with the board, the state and what the scripts need."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.page.client import Client
from tests.page.table import PageDesk, Table
from tests.slow import mostly_slow
from urpi.http.proxies import ProxySettings
from urpi.page.app import make_app
from urpi.page.site import make_site
from urpi.referee.facts import Game
from urpi.referee.seats import PERSONS, Seats
from urpi.rules import RULE_SETS, Side, parse_position, parse_rules
from urpi.show.svg import table_svg

PIECE = re.compile(r'<g class="ur-piece ([^"]+)"[^>]*data-place="([^"]+)" data-level="(\d+)"')
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
STATE = re.compile(r'<script type="application/json" id="first-state">(.*?)</script>', re.DOTALL)
EVIL = '</script><img src=x onerror="alert(1)"><!--'


def state_in(html: str) -> Any:
    (found,) = STATE.findall(html)
    return json.loads(found)


def page_of(table: Table) -> Client:
    proxy = ProxySettings(trust_loopback=True)
    return Client(make_app(make_site(PageDesk(table), proxy=proxy)))


def test_the_page_contains_the_state_and_its_board(reader: Client) -> None:
    html, state = reader.get("/").text, reader.get("/api/state").json
    assert state_in(html) == state
    position = parse_position(state["position"]["text"])
    assert table_svg(position) in html
    assert f'data-phase="{state["phase"]}"' in html
    assert state["oled"] in unescape(html)
    for side in ("light", "dark"):
        assert (
            f'<strong dir="auto" id="name-{side}" class="name">{state["players"][side]}</strong>'
            in html
        )


def test_the_page_contains_its_styles_which_its_policy_permits(reader: Client) -> None:
    answer = reader.get("/")
    (style,) = STYLE.findall(answer.text)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}';" in answer.headers["content-security-policy"]
    assert 'rel="stylesheet"' not in answer.text
    for name in ("page", "board", "themes", "watch", "rules", "play", "faces"):
        assert reader.get(f"/static/css/{name}.css").text in style
    assert reader.get("/static/css/table.css").text not in style


def test_the_page_of_a_table_before_its_first_game_has_an_empty_board(tmp_path: Any) -> None:
    table = Table.at(tmp_path / "games.sqlite")
    try:
        html = page_of(table).get("/").text
        assert state_in(html)["position"] is None
        assert table_svg(None) in html
        assert '<strong dir="auto" id="name-dark" class="name">Dark</strong>' in html
    finally:
        table.service.close()


def test_names_cannot_inject_markup(tmp_path: Any) -> None:
    table = Table.at(tmp_path / "games.sqlite")
    try:
        table.service.new_game(Game(table.t, "finkel", EVIL, "Bob"))
        html = page_of(table).get("/").text
        assert EVIL not in html
        assert "<img src=x" not in html
        assert state_in(html)["players"]["light"] == table.service.snapshot.light
    finally:
        table.service.close()


def test_the_page_is_not_sent_again_while_nothing_has_changed(reader: Client) -> None:
    first = reader.get("/", accept_encoding="gzip")
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "accept-encoding, cookie"
    assert first.headers["content-encoding"] == "gzip"
    again = reader.get("/", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert again.headers["cache-control"] == "private, no-cache"


def test_a_browser_that_may_not_act_receives_another_page(quiet_table: Table) -> None:
    app = make_app(make_site(PageDesk(quiet_table), pin="314159"))
    viewer = Client(app)
    before = viewer.get("/")
    assert state_in(before.text)["may_act"] is False
    assert viewer.post("/api/session", {"pin": "314159"}).status < 300
    after = viewer.get("/", if_none_match=before.headers["etag"])
    assert after.status == 200
    assert state_in(after.text)["may_act"] is True


def test_the_page_of_a_replay_has_the_empty_board(reader: Client) -> None:
    assert table_svg(None) in reader.get("/games/1").text


def test_every_piece_of_every_rule_set_is_drawn_once() -> None:
    for name in RULE_SETS:
        rules = parse_rules(name)
        drawn = PIECE.findall(table_svg(rules.start(Side.LIGHT)))
        assert len(drawn) == len(set(drawn)) == 2 * rules.pieces


@pytest.mark.parametrize(
    ("seats", "choice", "shown"),
    mostly_slow(
        [
            (PERSONS, "", False),
            (PERSONS, "engine", False),
            (PERSONS, "always", True),
            (("person", "engine:easy"), "", True),
            (("person", "engine:easy"), "no such choice", True),
            (("person", "engine:easy"), "never", False),
        ],
        2,
    ),
)
@pytest.mark.parametrize("hints", [True, False])
def test_the_place_of_the_chances_to_win_is_reserved(
    tmp_path: Path, seats: Seats, choice: str, shown: bool, hints: bool
) -> None:
    table = Table.at(tmp_path / "games.sqlite")
    try:
        reader = page_of(table)
        cookie = f"urpi-win={choice}"
        assert "data-win" not in body_of(reader.get("/", cookie=cookie).text)
        table.service.new_game(Game(table.t, "finkel", seats=seats, hints=hints))
        answer = page_of(table).get("/", cookie=cookie)
        assert ("data-win" in body_of(answer.text)) is (shown and hints)
        assert "cookie" in answer.headers["vary"]
    finally:
        table.service.close()


def body_of(html: str) -> str:
    """Return the start tag of a page's body."""
    return html[html.index("<body") :].partition(">")[0]
