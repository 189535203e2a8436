"""A table whose page is served, and a visitor who looks at it in Debian's Chromium."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Locator, Page

from tests.page.at_table import DEADLINE_S, LOOK_MS
from tests.web.table import PageDesk, Table
from urpi.referee import Phase
from urpi.referee.facts import Answer, Edge, Game, Occupancy
from urpi.rules import Side, parse_square
from urpi.web.app import make_app
from urpi.web.proxies import ProxySettings
from urpi.web.server import Address, PageServer
from urpi.web.site import make_site

EVIL: Final = '<img src=x onerror="window.hurt=1">'
"""A name that would run, were it ever read as markup."""
FORMS: Final = {
    "phone": {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 3},
    "tablet": {"viewport": {"width": 820, "height": 1180}},
    "desk": {"viewport": {"width": 1360, "height": 860}},
    "wall": {"viewport": {"width": 1920, "height": 1080}},
}
"""What the page is looked at on."""
STILL_MS: Final = 6000


class Served:
    """A real service with its page; the test is its hands, and its clock."""

    def __init__(self, table: Table, desk: PageDesk, url: str) -> None:
        self.table, self.desk, self.url = table, desk, url

    def new_game(self, rules: str = "finkel", light: str = "Ann", dark: str = "Bob") -> None:
        """Begin, with all pieces aside."""
        self.table.service.new_game(Game(self.table.t, rules, light, dark))
        self.table.take(Occupancy(self.table.t, 0))
        self.table.wait(STILL_MS)

    def play(self, entered: int, seed: int = 1) -> None:
        """Let so many throws and moves be entered, or as many as the game has."""
        rng = Random(seed)
        for _ in range(entered):
            if not self.table.over:
                self._enter(rng)

    def play_until_a_move(self, seed: int = 1) -> None:
        """Go on until there is a throw to play."""
        rng = Random(seed)
        while self.table.service.snapshot.phase is not Phase.MOVE:
            self._enter(rng)

    def _enter(self, rng: Random) -> None:
        """The next thing in the game, entered by a person."""
        shot, t = self.table.service.snapshot, self.table.t
        assert shot.position is not None
        match shot.phase:
            case Phase.MOVE:
                self.table.take(Answer(t, move=rng.choice(shot.legal)))
            case Phase.CHOOSE_FIRST:
                self.table.take(Answer(t, first=Side.LIGHT))
            case _:
                dice = shot.position.rules.dice
                self.table.take(Answer(t, faces=dice.roll(rng.random()).faces))

    def touch(self, square: str, *, on: bool) -> None:
        """Put something on a square or take it away, and let it stand still."""
        self.table.take(Edge(self.table.t, parse_square(square), on))
        self.table.wait(STILL_MS)


@contextmanager
def served(folder: Path, pin: str | None = None) -> Iterator[Served]:
    """A table with its page on this machine; with a PIN, only who knows it may act."""
    table = Table.at(folder / "games.sqlite")
    desk = PageDesk(table)
    page = make_site(desk, proxy=ProxySettings(trust_loopback=pin is None), pin=pin)
    table.watching.append(page.feed.tell)
    with PageServer(make_app(page), page.feed, Address("127.0.0.1", 0)) as server:
        yield Served(table, desk, server.url)
    table.service.close()


class Visitor:
    """Somebody who looks at a page; what the browser complains of is kept."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda told: self._note(told.type, told.text))

    def _note(self, kind: str, text: str) -> None:
        # A browser that is offline complains of nothing but that.
        if kind in {"error", "warning"} and "ERR_INTERNET_DISCONNECTED" not in text:
            self.wrong.append(text)

    def see(self, url: str, selector: str = ".ur-piece") -> None:
        """Open a page and wait until something is drawn on it."""
        self.page.goto(url)
        self.page.wait_for_selector(selector, state="attached")

    def until(self, wanted: Callable[[], Any], what: str) -> Any:
        """What is wanted, as soon as it is so."""
        deadline = time.monotonic() + DEADLINE_S
        while not (found := wanted()):
            assert time.monotonic() < deadline, f"never came: {what}; {self.wrong}"
            self.page.wait_for_timeout(LOOK_MS)
        return found

    def text(self, selector: str) -> str:
        """What stands there now."""
        return self.page.locator(selector).inner_text()

    def reads(self, selector: str, text: str) -> None:
        """Wait until it says that."""
        self.until(lambda: text in self.text(selector), f"{text!r} in {selector}")

    def square(self, name: str) -> Locator:
        """A square of the board."""
        return self.page.locator(f'[data-square="{name}"]')

    def stands(self) -> dict[str, int]:
        """How many pieces are drawn in each place."""
        places = self.page.locator(".ur-piece").evaluate_all("all => all.map(x => x.dataset.place)")
        return {place: places.count(place) for place in places}


@contextmanager
def visitor(browser: Browser, form: str = "desk", **options: Any) -> Iterator[Visitor]:
    """A visitor; in the end nothing may have gone wrong in the browser."""
    context = browser.new_context(**{**FORMS[form], **options})
    one = Visitor(context)
    yield one
    context.close()
    assert one.wrong == [], one.wrong
