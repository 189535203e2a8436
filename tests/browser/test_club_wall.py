"""The club's wall on a projector and a phone: it fits, axe finds nothing, it follows a table."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from math import atan, degrees
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import EVIL, STILL_MS, Viewer, open_viewer
from tests.page.table import Table
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.http.addresses import Address
from urpi.http.reader import Reader
from urpi.http.server import PageServer
from urpi.link.broker.state_message import TableState, state_message
from urpi.referee import Phase
from urpi.referee.clock import parse_time_control
from urpi.referee.facts import Answer, Game, Occupancy
from urpi.referee.seats import SharedGame
from urpi.rules import RULE_SETS, Side, parse_square
from urpi.service.table_state import TableChange
from urpi.show.words import languages

LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"
NAMES = (("Ann", "Bob"), (LONG, LONG[::-1]), ("", ""), (EVIL, "Zoë"))
ONLINE = b'{"type":"online","format":1,"online":%s,"program":"1.0.0"}'
SCREENS = {
    "projector": {"viewport": {"width": 1920, "height": 1080}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}

OUTSIDE = """() => {
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  for (const card of document.querySelectorAll(".live")) {
    const { left, top, right, bottom } = card.getBoundingClientRect();
    const table = card.querySelector(".live-table").textContent;
    for (const part of card.querySelectorAll("h2, p, .plate, .name, .score, .board-frame, .die")) {
      const box = part.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      if (box.left < left || box.top < top || box.right > right + 1 || box.bottom > bottom + 1)
        faults.push(`${table}: ${part.className || part.tagName} ${JSON.stringify(box)}`);
    }
  }
  return faults;
}"""
"""Returns the parts of the cards that are outside their card, which would be cut."""

CUT = """() => {
  const texts = ".live-since, .live-offline .live-headline, .live-rules";
  const faults = [];
  for (const part of document.querySelectorAll(texts)) {
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = part;
    // The name of a rule set may end with an ellipsis, if most of it can be read.
    const least = part.className === "live-rules" ? 0.6 : 1;
    if (clientWidth < least * scrollWidth - 1 || clientHeight < scrollHeight - 2)
      faults.push(`${part.className}: ${part.textContent} ${clientWidth}/${scrollWidth}`);
  }
  return faults;
}"""
"""Returns the texts of the cards that are cut, except for headlines with long names."""

SILENCE = timedelta(minutes=12)
"""The time since the tables of the wall have published something."""
WIDTH_M = 1.5
"""The width of a projector's picture, and the distance of its viewers."""
DISTANCE_M = 5.0
CAPITALS = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(one);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const size = pen.measureText("H").actualBoundingBoxAscent;
  return [one.textContent, size, one.scrollWidth <= one.clientWidth];
})"""
"""Returns of each element its text, the height of its capitals in pixels, and if it is whole."""
FITS = "document.documentElement.scrollHeight <= innerHeight"
BOXES = "all => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"


class LiveTable:
    """A real service of which each state is published to a wall, as the broker's thread does."""

    def __init__(self, folder: Path, name: str, wall: Wall) -> None:
        self.name, self.wall = name, wall
        self.table = Table.at(folder / f"{name}.db")
        self.table.watching.append(self.publish)
        self.set_online(yes=True)

    def set_online(self, *, yes: bool) -> None:
        online = ONLINE % (b"true" if yes else b"false")
        self.wall.receive(self.name, "online", online, retained=False)

    def publish(self, change: TableChange) -> None:
        self._send(change, datetime.now(UTC), retained=False)

    def publish_retained(self, at: datetime) -> None:
        """Publish the state as the broker does to a club that starts later."""
        self._send(self.table.change(), at, retained=True)

    def _send(self, change: TableChange, at: datetime, *, retained: bool) -> None:
        shot = change.snapshot
        names = {"light": shot.light, "dark": shot.dark}
        message = state_message(TableState(change.game, shot), at.isoformat(), names)
        self.wall.receive(self.name, "state", message, retained=retained)

    def begin(self, rules: str, light: str, dark: str, **about: Any) -> None:
        opening = Game(self.table.t, rules, light, dark, first=Side.LIGHT, **about)
        self.table.service.new_game(opening)
        self.table.submit(Occupancy(self.table.t, 0))
        self.table.wait(STILL_MS)

    def play_until(self, phase: Phase, rng: Random) -> None:
        """Enter throws and moves until a phase."""
        while (shot := self.table.service.snapshot).phase not in {phase, Phase.OVER}:
            assert shot.position is not None
            match shot.phase:
                case Phase.MOVE:
                    answer = Answer(self.table.t, move=rng.choice(shot.legal))
                case Phase.CHOOSE_FIRST:
                    answer = Answer(self.table.t, first=Side.LIGHT)
                case _:
                    answer = Answer(
                        self.table.t, faces=shot.position.rules.dice.roll(rng.random()).faces
                    )
            self.table.submit(answer)


class Pairings:
    """In place of the database, which has only pairings with tables."""

    def __init__(self, found: Sequence[tuple[str, str, str]], match: dict[str, float]) -> None:
        about = {"games": 1, "game": 1, "light_points": 0, "dark_points": 0, **match}
        pairings = [
            {"table": at, "light": light, "dark": dark, **about} for at, light, dark in found
        ]
        self._answer = json.dumps({"pairings": pairings}).encode()

    async def read(self, _work: object) -> bytes:
        return self._answer


@contextmanager
def served_wall(*pairings: tuple[str, str, str], **match: float) -> Iterator[tuple[Wall, str]]:
    """Serve the page of a club without a broker, and yield the wall and its URL.

    Args:
        *pairings: The tables and players of open pairings.
        **match: The state of their matches of several games.
    """
    wall = Wall(lambda: datetime.now(UTC))
    site = make_site(ClubServerSection(), wall)
    site.games = cast("Reader[Any]", Pairings(pairings, match))
    address = Address("127.0.0.1", 0)
    with PageServer(make_club_app(site), wall, address, site.limits, site.section) as server:
        wall.set_connected(True)
        yield wall, server.url


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[LiveTable]]]:
    """A wall with a table for each rule set; one has a warning, and one is offline."""
    folder, rng = tmp_path_factory.mktemp("club"), Random(3)
    with ExitStack() as stack:
        wall, url = stack.enter_context(served_wall())
        tables = []
        for number, rules in enumerate(RULE_SETS):
            one = LiveTable(folder, f"hall-{number + 1}", wall)
            stack.callback(one.table.service.close)
            one.begin(rules, *NAMES[number % len(NAMES)])
            one.play_until(Phase.MOVE, rng)
            tables.append(one)
        tables[0].play_until(Phase.THROW, rng)
        tables[1].table.submit(occupied(tables[1].table.t))
        tables[1].table.wait(STILL_MS)
        tables[2].set_online(yes=False)
        yield url, tables


def occupied(t: int) -> Occupancy:
    """Return a picture of a board on which there is a piece too many."""
    return Occupancy(t, 1 << parse_square("B5"))


def open_wall(viewer: Viewer, url: str, count: int) -> None:
    viewer.open(url, ".live .ur-piece")
    expect(viewer.page.locator(".live")).to_have_count(count)


def test_a_wall_fits_a_projector_and_a_phone_in_every_language(
    viewer: Viewer, club: tuple[str, list[LiveTable]], shots: Screenshots
) -> None:
    url, tables = club
    for one in tables:
        one.publish_retained(datetime.now(UTC) - SILENCE)
    open_wall(viewer, url, len(tables))
    expect(viewer.page.locator(".live-since:not(:empty)")).to_have_count(len(tables) - 1)
    offline = viewer.page.locator(".live-offline .live-headline")
    expect(offline).to_have_text("Offline · 12 min. ago")
    for language in languages():
        open_wall(viewer, f"{url}?language={language}", len(tables))
        viewer.page.wait_for_selector(f"html[lang={language}]", state="attached")
        for screen, options in SCREENS.items():
            viewer.page.set_viewport_size(options["viewport"])
            for faults in (OUTSIDE, CUT):
                found = partial(viewer.page.evaluate, faults)
                viewer.until(lambda found=found: found() == [], f"{screen}, {language}")
            if screen == "projector":
                # No viewer scrolls on a projector.
                viewer.until(lambda: viewer.page.evaluate(FITS), f"all tables in {language}")
            shots(viewer.page, f"wall-{screen}-{language}.png")
        # A Latin name is cut at its own end.
        name = viewer.page.locator(".name", has_text=LONG[:20]).first
        expect(name).to_have_css("direction", "ltr")


def test_ten_tables_are_read_at_five_metres(
    viewer: Viewer, club: tuple[str, list[LiveTable]]
) -> None:
    url, tables = club
    open_wall(viewer, url, len(tables))
    size = SCREENS["projector"]["viewport"]
    viewer.page.set_viewport_size(size)
    viewer.until(lambda: viewer.page.evaluate(FITS), "all tables")

    def smallest(selector: str, longest: int) -> float:
        found = viewer.page.evaluate(CAPITALS, selector)
        shown = [(height, whole) for text, height, whole in found if 0 < len(text) <= longest]
        assert shown
        assert all(whole for _, whole in shown), found
        metres = min(height for height, _ in shown) * WIDTH_M / size["width"]
        return degrees(atan(metres / DISTANCE_M)) * 60

    sizes = {
        "names": smallest(".name", 11),
        "throws": smallest(".throw-value", 1),
        "next steps": smallest(".live-headline", 40),
    }
    # Minutes of arc: 16 is the least of ISO 9241-3.
    assert min(sizes["names"], sizes["throws"]) >= 16, sizes
    assert sizes["next steps"] >= 8, sizes


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_on_a_wall(
    browser: Browser, club: tuple[str, list[LiveTable]], screen: str
) -> None:
    url, tables = club
    with open_viewer(browser, bypass_csp=True, **SCREENS[screen]) as viewer:
        open_wall(viewer, url, len(tables))
        for scheme in ("light", "dark"):
            viewer.page.emulate_media(color_scheme=scheme)
            assert violations(viewer.page) == [], scheme
        viewer.open(f"{url}tables/hall-4", ".live .ur-piece")
        assert violations(viewer.page) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_a_throw_and_a_move_are_shown_without_moving_the_cards(
    browser: Browser, club: tuple[str, list[LiveTable]], screen: str
) -> None:
    url, tables = club
    one, rng = tables[0], Random(5)
    with open_viewer(browser, **SCREENS[screen]) as viewer:
        open_wall(viewer, url, len(tables))
        card = viewer.page.locator(".live", has=viewer.page.get_by_text(one.name, exact=True))
        boxes = partial(viewer.page.locator(".live").evaluate_all, BOXES)
        before = boxes()
        for _ in range(3):
            one.play_until(Phase.MOVE, rng)
            shot = one.table.service.snapshot
            assert shot.throw is not None
            expect(card.locator(".throw-value")).to_have_text(str(shot.throw.value))
            expect(card.locator(".die")).to_have_count(len(shot.throw.faces))
            assert shot.side is not None
            expect(card.locator(f".plate-{shot.side.value}.plate-turn")).to_have_count(1)
            one.play_until(Phase.THROW, rng)
            expect(card.locator(".throw-value")).to_have_text("")
        assert boxes() == before


def test_an_offline_table_and_a_warning_are_marked(
    viewer: Viewer, club: tuple[str, list[LiveTable]]
) -> None:
    url, tables = club
    open_wall(viewer, url, len(tables))
    expect(viewer.page.locator(".live-offline h2")).to_have_text(tables[2].name)
    expect(viewer.page.locator(".live-offline .live-headline")).to_contain_text("Offline")
    expect(viewer.page.locator(".live-warned h2")).to_have_text(tables[1].name)
    expect(viewer.page.locator(".live-warned .live-headline")).to_have_text(
        "Please correct the board"
    )


@pytest.mark.parametrize(
    ("light", "dark", "shown"),
    [
        ("Ann", "", "Waiting for Player at table porto-1"),
        ("Ann", "Zoë", "Waiting for Zoë (porto-1)"),
        ("", "", "Waiting for Dark (porto-1)"),
    ],
)
def test_a_table_that_waits_for_another_one_names_it(
    browser: Browser, tmp_path: Path, light: str, dark: str, shown: str
) -> None:
    with served_wall() as (wall, url), open_viewer(browser) as viewer:
        one = LiveTable(tmp_path, "lisbon-2", wall)
        one.begin(
            "blitz",
            light,
            dark,
            seats=("person", "remote"),
            shared=SharedGame("5f" * 16, "porto-1", "2026.11.20"),
        )
        one.play_until(Phase.THROW, Random(1))
        while one.table.service.snapshot.side is Side.LIGHT:
            one.play_until(Phase.MOVE, Random(1))
            one.play_until(Phase.THROW, Random(1))
        open_wall(viewer, url, 1)
        expect(viewer.page.locator(".live-headline")).to_have_text(shown)
        one.table.service.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_table_without_a_game_shows_who_plays_there_next(
    browser: Browser, tmp_path: Path, screen: str, shots: Screenshots
) -> None:
    pairings = (
        ("lisbon", "Zoë", "ann"),
        ("porto", EVIL, LONG),
        # Of two rounds, the earlier one comes first.
        ("porto", "Ann", "Bob"),
        ("rome", "Eve", "Flo"),
    )
    with (
        served_wall(*pairings) as (wall, url),
        ExitStack() as stack,
        open_viewer(browser, bypass_csp=True, **SCREENS[screen]) as viewer,
    ):
        tables = [LiveTable(tmp_path, name, wall) for name in ("lisbon", "porto", "rome")]
        for one in tables:
            stack.callback(one.table.service.close)
        tables[0].begin("finkel", "Ann", "Zoë")
        tables[1].begin("finkel", "Cyd", "Dan")
        headline = viewer.page.locator(".live-headline")
        open_wall(viewer, url, 3)
        expect(headline.nth(2)).to_have_text("Next: Eve \N{EN DASH} Flo")
        # A game that a table has begun by itself waits for players; one with a throw is running.
        expect(headline.nth(1)).to_have_text(f"Next: {EVIL} \N{EN DASH} {LONG}")
        tables[1].play_until(Phase.MOVE, Random(3))
        expect(headline.nth(1)).not_to_contain_text("Next")
        for one in tables[:2]:
            one.play_until(Phase.OVER, Random(3))
        expect(headline.nth(1)).to_have_text(f"Next: {EVIL} \N{EN DASH} {LONG}")
        # The game of these two has just been played; the club stores its result.
        expect(headline.nth(0)).to_contain_text("won")
        assert violations(viewer.page) == []
        assert viewer.page.evaluate(OUTSIDE) == []
        shots(viewer.page, f"wall-next-{screen}.png")


@pytest.mark.parametrize("screen", SCREENS)
def test_a_table_shows_the_match_that_is_played_there(
    browser: Browser, tmp_path: Path, screen: str, shots: Screenshots
) -> None:
    pairings = (("lisbon", "Ann", "Bea"), ("porto", "Ann", "Bea"), ("rome", LONG, "Ann"))
    match = {"games": 4, "game": 3, "light_points": 1.5, "dark_points": 0.5}
    shown = "Ann 1.5 \N{EN DASH} 0.5 Bea, game 3 of 4"
    with (
        served_wall(*pairings, **match) as (wall, url),
        ExitStack() as stack,
        open_viewer(browser, bypass_csp=True, **SCREENS[screen]) as viewer,
    ):
        tables = [LiveTable(tmp_path, name, wall) for name in ("lisbon", "porto", "rome")]
        for one in tables:
            stack.callback(one.table.service.close)
        for one in tables[:2]:
            one.begin("finkel", "Bea", "Ann")
        tables[0].play_until(Phase.OVER, Random(3))
        headline = viewer.page.locator(".live-headline")
        rules = viewer.page.locator(".live-rules")
        open_wall(viewer, url, 3)
        # The game that ended before this page was opened is the second one.
        expect(headline.nth(0)).to_have_text(shown)
        expect(rules.nth(1)).to_have_text(shown)
        expect(headline.nth(2)).to_contain_text("1.5 \N{EN DASH} 0.5 Ann, game 3 of 4")
        assert violations(viewer.page) == []
        assert viewer.page.evaluate(OUTSIDE) == []
        shots(viewer.page, f"wall-match-{screen}.png")
        tables[1].play_until(Phase.OVER, Random(3))
        # The third game has ended; the club stores its result.
        expect(headline.nth(1)).to_contain_text("won")


def test_a_jump_of_the_browsers_clock_hides_no_table(browser: Browser, tmp_path: Path) -> None:
    """As that of a Pi without a battery, once it has found the time in the network."""
    with served_wall() as (wall, url), open_viewer(browser) as viewer:
        one = LiveTable(tmp_path, "lisbon", wall)
        one.begin("finkel", "Ann", "Bob")
        one.set_online(yes=False)
        open_wall(viewer, url, 1)
        viewer.page.evaluate("() => { const now = Date.now(); Date.now = () => now + 86_400_000 }")
        wall.set_storage("full")
        expect(viewer.page.locator("#connection")).to_contain_text("is full")
        expect(viewer.page.locator(".live-offline h2")).to_have_text("lisbon")
        one.table.service.close()


def test_a_wall_of_some_tables_shows_only_these(
    viewer: Viewer, club: tuple[str, list[LiveTable]]
) -> None:
    url, _tables = club
    viewer.open(f"{url}?tables=hall-1*,hall-4", ".live .ur-piece")
    expect(viewer.page.locator(".live h2")).to_have_text(["hall-1", "hall-4", "hall-10"])
    viewer.open(f"{url}?tables=gym-*", "#none:not([hidden])")
    expect(viewer.page.locator("#none")).to_contain_text("gym-*")


def test_a_wall_reports_that_games_are_not_stored(browser: Browser) -> None:
    with served_wall() as (wall, url), open_viewer(browser) as viewer:
        viewer.open(url, "#none:not([hidden])")
        shown = viewer.page.locator("#connection")
        expect(shown).to_have_text("")
        wall.set_storage("full")
        expect(shown).to_contain_text("the database's disk is full")
        wall.set_storage("unavailable")
        expect(shown).to_contain_text("the database does not answer")
        wall.set_storage("works")
        expect(shown).to_have_text("")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_clocks_of_a_table_are_counted_down(
    browser: Browser, tmp_path: Path, screen: str, shots: Screenshots
) -> None:
    with served_wall() as (wall, url), open_viewer(browser, **SCREENS[screen]) as viewer:
        one = LiveTable(tmp_path, "hall-1", wall)
        one.begin("finkel", "Ann", LONG, clock=parse_time_control("1+5"))
        one.play_until(Phase.MOVE, Random(3))
        viewer.open(url)
        clock = viewer.page.locator(".plate-light .clock")
        expect(clock).to_have_class("clock clock-runs")
        expect(clock).to_have_text(re.compile("0:5[0-9]"))
        expect(viewer.page.locator(".plate-dark .clock")).to_have_text("1:00")
        viewer.until(lambda: viewer.text(".plate-light .clock") < "0:55", "time passes")
        assert viewer.page.evaluate(OUTSIDE) == []
        assert viewer.page.evaluate(CUT) == []
        assert violations(viewer.page) == []
        shots(viewer.page, f"wall-clock-{screen}.png")
        one.table.service.close()
