"""A table whose page is served, and a viewer who opens it in Debian's Chromium."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Locator, Page

from tests.browser.player_page import DEADLINE_S, NO_WORKER, POLL_MS, show_face
from tests.page.table import PageDesk, Table
from urpi.http.addresses import Address
from urpi.http.proxies import ProxySettings
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.site import make_site
from urpi.referee import Phase
from urpi.referee.facts import Answer, Edge, Game, Occupancy
from urpi.rules import Side, parse_square

EVIL: Final = '<img src=x onerror="window.hurt=1">'
"""A name that would run a script if it were inserted as markup."""
FORMS: Final = {
    "phone": {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 3},
    "tablet": {"viewport": {"width": 820, "height": 1180}},
    "desk": {"viewport": {"width": 1360, "height": 860}},
    "wall": {"viewport": {"width": 1920, "height": 1080}},
}
"""The screens on which the page is tested."""
STILL_MS: Final = 6000
MAX_ENTRIES: Final = 40
"""Maximum number of entries in the log on the page."""


class ServedTable:
    """A real service with its page; the test moves the pieces and sets the clock."""

    def __init__(self, table: Table, desk: PageDesk, url: str) -> None:
        self.table, self.desk, self.url = table, desk, url

    def new_game(self, rules: str = "finkel", light: str = "Ann", dark: str = "Bob") -> None:
        """Begin a game with an empty board."""
        self.table.service.new_game(Game(self.table.t, rules, light, dark))
        self.table.submit(Occupancy(self.table.t, 0))
        self.table.wait(STILL_MS)

    def play(self, count: int, seed: int = 1) -> None:
        """Enter a number of throws and moves, fewer if the game ends before."""
        rng = Random(seed)
        for _ in range(count):
            if not self.table.over:
                self._enter(rng)

    def play_until_move(self, seed: int = 1) -> None:
        """Play until a throw must be played."""
        rng = Random(seed)
        while self.table.service.snapshot.phase is not Phase.MOVE:
            self._enter(rng)

    def _enter(self, rng: Random) -> None:
        """Enter the next throw or move of the game, as a person would."""
        shot, t = self.table.service.snapshot, self.table.t
        assert shot.position is not None
        match shot.phase:
            case Phase.MOVE:
                self.table.submit(Answer(t, move=rng.choice(shot.legal)))
            case Phase.CHOOSE_FIRST:
                self.table.submit(Answer(t, first=Side.LIGHT))
            case _:
                dice = shot.position.rules.dice
                self.table.submit(Answer(t, faces=dice.roll(rng.random()).faces))

    def touch(self, square: str, *, on: bool) -> None:
        """Put a piece on a square or remove it, and wait until it counts."""
        self.table.submit(Edge(self.table.t, parse_square(square), on))
        self.table.wait(STILL_MS)


@contextmanager
def served_table(folder: Path, pin: str | None = None) -> Iterator[ServedTable]:
    """Serve the page of a table on this machine; with a PIN, acting requires it."""
    table = Table.at(folder / "games.sqlite")
    desk = PageDesk(table)
    site = make_site(desk, proxy=ProxySettings(trust_loopback=pin is None), pin=pin)
    table.watching.append(site.feed.publish)
    with PageServer(make_app(site), site.feed, Address("127.0.0.1", 0)) as server:
        yield ServedTable(table, desk, server.url)
    site.engine.close()
    table.service.close()


class Viewer:
    """A viewer of a page. Errors and warnings in the browser are collected."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self._note(message.type, message.text))

    def _note(self, kind: str, text: str) -> None:
        # Chromium logs an error for each request while it is offline.
        ignored = ("ERR_INTERNET_DISCONNECTED", "Service Worker registration blocked")
        if kind in {"error", "warning"} and not any(part in text for part in ignored):
            self.errors.append(text)

    def open(self, url: str, selector: str = ".ur-piece") -> None:
        """Open a page and wait until an element exists."""
        self.page.goto(url)
        self.page.wait_for_selector(selector, state="attached")

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait until a condition holds, and return its value."""
        deadline = time.monotonic() + DEADLINE_S
        while not (found := condition()):
            assert time.monotonic() < deadline, f"never came: {what}; {self.errors}"
            self.page.wait_for_timeout(POLL_MS)
        return found

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return self.page.locator(selector).inner_text()

    def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until the text of an element contains another text."""
        self.until(lambda: text in self.text(selector), f"{text!r} in {selector}")

    def wait_for_log(self, table: ServedTable) -> None:
        """Wait until the log contains every decision, so that no earlier one arrives later."""
        entries = self.page.locator("#log-list li")
        count = min(len(table.table.lines("decision")), MAX_ENTRIES)
        self.until(lambda: entries.count() == count, "every decision")

    def square(self, name: str) -> Locator:
        """Return a square of the board."""
        return self.page.locator(f'[data-square="{name}"]')

    def piece_counts(self) -> dict[str, int]:
        """Return the number of pieces that are drawn on each place."""
        places = self.page.locator(".ur-piece").evaluate_all("all => all.map(x => x.dataset.place)")
        return {place: places.count(place) for place in places}


@contextmanager
def open_viewer(
    browser: Browser, form: str = "desk", face: str = "console", **options: Any
) -> Iterator[Viewer]:
    """Open a browser page with one of its faces, and check at the end that it logged no error."""
    context = browser.new_context(**{**FORMS[form], **NO_WORKER, **options})
    context.set_default_timeout(1000 * DEADLINE_S)
    show_face(context, face)
    one = Viewer(context)
    yield one
    context.close()
    assert one.errors == [], one.errors
