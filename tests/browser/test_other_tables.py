"""Notices about other tables: invitations, what became of them, and a game that cannot continue."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import EVIL, ServedTable, open_viewer, served_table
from tests.club_live.pages import PageTable, invite, two_pages
from tests.club_live.running import Broker, shared_folder
from tests.club_live.test_permissions import attacker
from tests.club_live.two_boards import TABLES
from tests.waiting import wait_until
from urpi.link.protocol.messages import NextGame
from urpi.link.remote.messages import Invited
from urpi.link.remote.tables_view import ClaimNotice, PairingView, TablesView
from urpi.referee.facts import Game, Occupancy
from urpi.referee.orders import Pairing
from urpi.referee.seats import SharedGame
from urpi.rules import Side, parse_rules
from urpi.show.words import languages, words_for

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
LONG = "wolfeschlegelsteinhausenbergerdo"
FORTY = "A name of forty letters, which is a lot!"
INVITED = Invited("5f" * 16, "masters[pieces=3]", Side.LIGHT, EVIL, Side.DARK, "2026.11.20")
PAIRING = Pairing("5f" * 16, FORTY, 2, EVIL, FORTY, parse_rules("masters[pieces=3]"), agreed=False)
VIEWS = {
    "invitation": TablesView(invitation=(LONG, INVITED, FORTY)),
    "next": TablesView(next=PairingView(PAIRING)),
    "next-unknown": TablesView(next=PairingView(None)),
    "joining": TablesView(joining=LONG),
    "waiting": TablesView(sent=(LONG, "waiting")),
    "declined": TablesView(sent=(LONG, "declined")),
    "busy": TablesView(sent=(LONG, "busy")),
    "no-answer": TablesView(sent=(LONG, "no-answer")),
    "take-back": TablesView(proposed="takeback", move="B4-B6"),
    "draw": TablesView(proposed="draw"),
    "abandon": TablesView(proposed="abandon"),
    "proposing": TablesView(proposing="draw"),
    "refused": TablesView(declined=True),
    "diverged": TablesView(problem="diverged"),
    "unknown": TablesView(problem="unknown"),
    "no-contact": TablesView(problem="no-contact"),
    "may-claim": TablesView(claim=ClaimNotice("may-claim", "19:07")),
    "may-lose": TablesView(problem="no-broker", claim=ClaimNotice("may-lose", "19:07")),
    "two": TablesView(sent=(LONG, "declined"), problem="no-contact", proposed="draw"),
}
OUTSIDE = """() => {
  const place = document.getElementById("tables");
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  for (const part of place.querySelectorAll("p, button, input, label, .table-note")) {
    const box = part.getBoundingClientRect();
    const text = part.textContent || part.tagName;
    if (box.left < 0 || box.right > innerWidth) faults.push(`${text} is outside the window`);
    if (part.scrollWidth > part.clientWidth + 1 && part.tagName !== "INPUT")
      faults.push(`${text} is cut`);
  }
  return faults;
}"""
"""Returns the parts of the notices that are outside the window or cut."""


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[ServedTable]:
    """A game with another table, whose id is as long as possible."""
    with served_table(tmp_path) as table:
        at = table.table
        game = Game(
            at.t,
            "finkel",
            EVIL,
            "Zoë",
            first=Side.LIGHT,
            seats=("person", "remote"),
            shared=SharedGame("5f" * 16, LONG, "2026.11.20"),
        )
        at.service.new_game(game)
        at.submit(Occupancy(at.t, 0))
        yield table


def show(table: ServedTable, view: TablesView) -> None:
    """Publish what concerns other tables, as the service does."""
    for watch in table.table.watching:
        watch(replace(table.table.change(), tables=view))


@pytest.mark.parametrize("form", SIZES)
def test_notices_fit_in_every_language(
    browser: Browser, shared: ServedTable, form: str, shots: Screenshots
) -> None:
    for language in languages():
        shared.desk.words = words_for(language)
        with open_viewer(browser, viewport=SIZES[form], locale=language) as viewer:
            viewer.open(shared.url, f"html[lang={language}] .plate-turn")
            for name, view in VIEWS.items():
                show(shared, TablesView())
                expect(viewer.page.locator("#tables")).to_be_hidden()
                show(shared, view)
                expect(viewer.page.locator("#tables .table-note").first).to_be_visible()
                found = viewer.page.evaluate(OUTSIDE)
                assert found == [], f"{name}, {language}"
                if language == "de":
                    shots(viewer.page, f"tables-{name}-{form}.png")


@pytest.mark.parametrize("form", SIZES)
def test_axe_finds_nothing_in_notices(browser: Browser, shared: ServedTable, form: str) -> None:
    with open_viewer(browser, viewport=SIZES[form], bypass_csp=True) as viewer:
        viewer.open(shared.url, ".plate-turn")
        for name in ("invitation", "next", "waiting", "two"):
            show(shared, VIEWS[name])
            expect(viewer.page.locator("#tables .table-note").first).to_be_visible()
            assert violations(viewer.page) == [], name
            assert too_small(viewer.page) == [], name


@pytest.fixture
def world() -> Iterator[tuple[Broker, PageTable, PageTable]]:
    """Two tables of `urpi demo` that mosquitto connects."""
    with shared_folder() as folder:
        broker = Broker(folder, TABLES)
        broker.start()
        try:
            with two_pages(folder, broker, TABLES) as (lisbon, porto):
                yield broker, lisbon, porto
        finally:
            broker.kill()


PUBLISHED = "async () => (await (await fetch('/api/settings')).json()).published"
"""Returns the names that the club may show."""


def press(page: Page, name: str) -> None:
    page.locator("#tables").get_by_role("button", name=name, exact=True).click()


def invite_when_free(table: PageTable, other: str) -> None:
    """Invite another table as soon as this one knows that it is free again."""
    wait_until(lambda: invite(table, other) == "", f"{other} to be free")


@pytest.mark.timeout(600)
def test_players_of_two_tables_meet_on_their_pages(
    browser: Browser, world: tuple[Broker, PageTable, PageTable]
) -> None:
    broker, lisbon, porto = world
    with open_viewer(browser) as here, open_viewer(browser, viewport=SIZES["phone"]) as there:
        here.page.goto(lisbon.url)
        there.page.goto(porto.url)
        mine, theirs = here.page.locator("#tables"), there.page.locator("#tables")

        invite_when_free(lisbon, "porto")
        expect(mine).to_contain_text("Porto")
        expect(theirs).to_contain_text("Ann (Lisbon)")
        press(there.page, "Decline")
        expect(theirs).to_be_hidden()
        expect(mine.get_by_role("button", name="Close")).to_be_visible()
        press(here.page, "Close")
        expect(mine).to_be_hidden()

        invite_when_free(lisbon, "porto")
        expect(theirs).to_contain_text("Ann (Lisbon)")
        press(here.page, "End invitation")
        expect(theirs).to_be_hidden()
        expect(mine).to_be_hidden()

        invite_when_free(lisbon, "porto")
        consent = theirs.get_by_label("The club may show your name")
        expect(consent).to_be_hidden()
        theirs.get_by_label("Your name", exact=True).fill("Zoë")
        expect(consent).to_have_value("no")
        consent.select_option("yes")
        press(there.page, "Accept")
        for viewer in (here, there):
            expect(viewer.page.locator("#plate-dark")).to_contain_text("Zoë")
        assert there.page.evaluate(PUBLISHED) == ["Zoë"]
        expect(theirs).to_be_hidden()

        broker.kill()
        expect(mine).to_contain_text("not connected to the club", timeout=90_000)
        expect(theirs).to_contain_text("not connected to the club", timeout=90_000)
        broker.start()
        expect(mine).to_be_hidden(timeout=90_000)
        expect(theirs).to_be_hidden(timeout=90_000)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("form", SIZES)
def test_players_begin_the_next_game_on_the_page(
    browser: Browser, world: tuple[Broker, PageTable, PageTable], form: str, shots: Screenshots
) -> None:
    broker, lisbon, _ = world
    with (
        attacker(broker, "club") as club,
        open_viewer(browser, bypass_csp=True, viewport=SIZES[form]) as viewer,
    ):
        viewer.page.goto(lisbon.url)
        place = viewer.page.locator("#tables")
        topic, game = "urpi/tables/lisbon/next", NextGame(3, "Cup", 2, 1, "Ann", EVIL, "masters")
        unknown = game.encode().replace(b"masters", b"chess")
        club.client.publish(topic, unknown, 1, retain=True)
        expect(place).to_contain_text("this program cannot play")
        club.client.publish(topic, game.encode(), 1, retain=True)
        expect(place).to_contain_text(f"Ann (light) and {EVIL} (dark), Masters")
        expect(place).to_contain_text("Cup, Round 2. If you begin, the club may show both names.")
        assert violations(viewer.page) == []
        assert viewer.page.evaluate(OUTSIDE) == []
        shots(viewer.page, f"next-game-{form}.png")
        club.client.publish(topic, b"", 1, retain=True)
        expect(place).to_be_hidden()
        club.client.publish(topic, game.encode(), 1, retain=True)
        press(viewer.page, "Begin")
        expect(viewer.page.locator("#plate-light")).to_contain_text("Ann")
        expect(viewer.page.locator("#plate-dark")).to_contain_text(EVIL)
        expect(place).to_be_hidden()
        assert set(viewer.page.evaluate(PUBLISHED)) == {"Ann", EVIL}


def test_who_watches_has_no_buttons(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path, pin="123456") as table, open_viewer(browser) as viewer:
        table.new_game()
        viewer.open(table.url, ".plate")
        show(table, VIEWS["invitation"])
        expect(viewer.page.locator("#tables p")).to_have_count(1)
        expect(viewer.page.locator("#tables button")).to_have_count(0)
