"""Each browser reads the table in its own language, whatever others and the table itself have."""

import asyncio
import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.page.client import Client
from tests.page.table import PageDesk, Table
from tests.page.test_feed import Browser, feeding
from tests.page.test_first_view import state_in
from tests.slow import mostly_slow, slow_except
from urpi.http.proxies import ProxySettings
from urpi.page.app import make_app
from urpi.page.site import LANGUAGE_COOKIE, make_site
from urpi.page.versions import Cursor
from urpi.referee.facts import Occupancy
from urpi.rules import squares_of
from urpi.show.words import languages, words_for

OTHERS = tuple(set(languages()) - {"en"})
WRONG_MS = 3_000


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Return a table with a warning, whose own language is English."""
    opened = Table.at(tmp_path / "games.sqlite")
    opened.begin()
    opened.submit(Occupancy(opened.t, squares_of((12, 13))))
    opened.wait(WRONG_MS)
    assert opened.service.snapshot.warning is not None
    yield opened
    opened.service.close()


def client_of(table: Table, language: str = "") -> Client:
    proxy = ProxySettings(trust_loopback=True)
    cookies = {LANGUAGE_COOKIE: language} if language else {}
    return Client(make_app(make_site(PageDesk(table), proxy=proxy)), cookies=cookies)


def texts_of(state: Any) -> list[str]:
    """Return the sentences of a state document."""
    return [state["warning"]["text"], state["last"]["text"]]


@pytest.mark.parametrize("language", slow_except(languages(), "fr", "ar"))
def test_the_state_is_in_the_language_of_the_browser_or_of_the_address(
    table: Table, language: str
) -> None:
    chosen = client_of(table, language)
    state = chosen.get("/api/state").json
    assert state["language"] == language
    assert state_in(chosen.get("/").text) == state
    assert client_of(table).get(f"/api/state?language={language}").json == state
    assert client_of(table, OTHERS[0]).get(f"/api/state?language={language}").json == state
    shot = table.service.snapshot
    assert shot.warning is not None
    expected = words_for(language).sentence(shot.warning.code, shot.warning_details)
    assert state["warning"]["text"] == expected
    assert chosen.get("/api/languages").json["now"] == language
    assert chosen.get("/api/languages").json["table"] == "en"


@pytest.mark.parametrize("language", slow_except(OTHERS, "ar"))
def test_nothing_that_a_viewer_reads_stays_in_the_table_s_language(
    table: Table, language: str
) -> None:
    english, other = client_of(table), client_of(table, language)
    mine, theirs = (one.get("/api/state").json for one in (english, other))
    assert not set(texts_of(mine)) & set(texts_of(theirs))
    for path in ("/api/rules", "/api/rulesets", "/api/rules.html", "/api/stats"):
        assert english.get(path).text != other.get(path).text, path
    refusals = {one.post("/api/draw", {"side": "light"}).json["error"] for one in (english, other)}
    assert len(refusals) == 2


@pytest.mark.parametrize(
    "language", mostly_slow(["xx", "", "EN", "en; path=/", "\u00e9", "../en", "e" * 4000], 2)
)
def test_an_unknown_language_of_a_browser_is_that_of_the_table(table: Table, language: str) -> None:
    assert client_of(table, language).get("/api/state").json["language"] == "en"


def test_viewers_of_several_languages_read_the_same_events(table: Table) -> None:
    async def run() -> dict[str, Browser]:
        async with feeding(table) as feed:
            found = {}
            for language in languages():
                page = Browser(Cursor(0, words_for(language)))
                page.receive(await feed.next_events(page.cursor, may_act=False))
                found[language] = page
            return found

    pages = asyncio.run(run())
    assert len({json.dumps(page.received()) for page in pages.values()}) == 1
    for one, other in permutations(languages(), 2):
        assert pages[one].state["language"] == one
        throws = [
            {each["text"] for each in page.decisions if each["type"] in {"start-roll", "starts"}}
            for page in (pages[one], pages[other])
        ]
        assert throws[0]
        assert not throws[0] & throws[1], (one, other)
