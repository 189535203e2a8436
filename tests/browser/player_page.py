"""A player's browser page at the virtual table, with real drags and key presses in Chromium."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    Locator,
    Page,
    sync_playwright,
)
from playwright.sync_api import (
    TimeoutError as PlaywrightTimeoutError,
)

from urpi.page.site import LANGUAGE_COOKIE
from urpi.show.words import display_languages

CHROMIUM = "/usr/bin/chromium"
SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
"""Chromium without windows: the same engine, which opens pages in half the processor time."""
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()", "demo")
DEADLINE_S = 150.0
AT_REST = """() => [...document.querySelectorAll(".ur-piece")].every(
  (piece) => piece.getAnimations().length === 0)"""
"""Returns whether no piece slides."""
COVERED = """(all) => all
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, { left, top, width, height, bottom }]) => bottom > innerHeight ||
    !one.contains(document.elementFromPoint(left + width / 2, top + height / 2)))
  .map(([one]) => one.id || one.className)"""
"""Returns what is not whole in the window, or below something else."""
POLL_MS = 25
THROW_MS = 4000
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 800}
NO_WORKER: dict[str, Any] = {"service_workers": "block"}
"""A page that is open for three seconds registers its service worker, and what it then sends passes
by `Page.route`: a slow machine reaches that in the middle of a test."""
STEPS = 6
"""Number of moves of the pointer in a drag, so that it crosses the squares on the way."""

CENTRE = """
(node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return node.isConnected ? [x + width / 2, y + height / 2] : null;
}
"""
"""Returns the centre of an element; null if it was replaced meanwhile."""

KEEP_SHOWN = """
document.addEventListener("urpi-state", ({ detail }) => (window.shownState = detail));
"""
"""Keeps the last state that the page has drawn."""
TURN = ("game", "phase", "side", "throw", "seems", "warning", "position")
"""The parts of a state that change in a turn."""


@contextmanager
def chromium(program: str = SHELL) -> Iterator[Browser]:
    """Run Debian's Chromium, without its sandbox, in which it does not run as root."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def demo(folder: Path, *words: str) -> Iterator[str]:
    """Run a demo that trusts this machine, with its journal in a folder, and yield its URL."""
    with demo_link(folder, *words, trust_loopback=True) as link:
        yield link.partition("#")[0]


@contextmanager
def demo_link(folder: Path, *words: str, trust_loopback: bool = False) -> Iterator[str]:
    """Run a demo and yield the link that it prints, which contains the PIN."""
    table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", str(folder / "games.db"))
    process = subprocess.Popen(
        [*URPI, *table, *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"URPI_PAGE_TRUST_LOOPBACK": str(trust_loopback).lower()},
    )
    assert process.stdout is not None
    try:
        link = re.search(r"http://\S+", process.stdout.readline())
        assert link is not None
        yield link[0]
    finally:
        process.terminate()
        process.wait(DEADLINE_S)
        process.stdout.close()


class Screenshots:
    """Pictures of pages for review, which are taken only with the option `--screenshots`."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def __call__(self, page: Page, name: str, **options: Any) -> None:
        """Save a picture of a page."""
        if self._folder is not None:
            page.screenshot(path=self._folder / name, **options)

    def save(self, picture: Image.Image, name: str) -> None:
        """Save a picture that a test has made itself."""
        if self._folder is not None:
            picture.save(self._folder / name)


class PlayerPage:
    """One page of a table, as a player uses it. Errors in the browser are collected."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))
        page.add_init_script(KEEP_SHOWN)
        self.open()

    def _note(self, kind: str, text: str) -> None:
        # Chromium logs responses with status 409, to impossible actions, as errors.
        if kind == "error" and "409" not in text:
            self.errors.append(text)

    def open(self) -> None:
        """Open the page, or reload it."""
        self.page.goto(self.url)
        self.page.wait_for_selector(".felt [data-die]", state="attached")

    @property
    def state(self) -> dict[str, Any]:
        """The state as returned by the server."""
        return self.get("state")

    @property
    def headlines(self) -> list[str]:
        """The texts above the board, including the state of the connection."""
        return self.page.locator("header, .now").all_inner_texts()

    def get(self, path: str) -> dict[str, Any]:
        """Return the JSON response to a GET request without a session."""
        with urlopen(f"{self.url}api/{path}", timeout=DEADLINE_S) as answer:
            return json.load(answer)

    def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until a condition holds, and return its value."""
        deadline = time.monotonic() + DEADLINE_S
        while not (found := condition()):
            assert time.monotonic() < deadline, (self.headlines, self.errors, self.state)
            self.page.wait_for_timeout(POLL_MS)
        return found

    def until_phase(self, *phases: str) -> dict[str, Any]:
        """Wait for one of some phases, and return the state."""
        return self.until(lambda: (now := self.state)["phase"] in phases and now)

    def until_shown(self) -> None:
        """Wait until the page shows the turn of the server's state, which it receives later."""
        self.until(lambda: self.is_shown(self.state))

    def is_shown(self, state: dict[str, Any]) -> bool:
        """Whether the page shows the turn of a state."""
        shown = self.page.evaluate("window.shownState") or {}
        return all(shown.get(part) == state[part] for part in TURN)

    def reset_table(self) -> None:
        """Undo what a failed test may have left on a shared table, except its game."""
        for path, body in (
            ("table/power", {"on": True}),
            ("table/hub", {"plugged": True}),
            ("table/players", {"light": "hands", "dark": "hands"}),
        ):
            # A power that is on already cannot be restored, and so on.
            assert self.post(path, body).status in {200, 204, 409}, path
        self.show_language("en")
        for broken in self.page.locator("[data-repair]").evaluate_all(
            "all => all.map((one) => one.dataset.repair)"
        ):
            assert self.post("table/switch", {"square": broken, "fault": None}).ok, broken

    def begin_game(self, rules: str, **order: Any) -> None:
        """Begin a game, and wait until the page shows it with its board set up."""
        body = {"rules": rules, "options": {}, "light": "", "dark": ""} | order
        answer = self.post("new-game", body)
        assert answer.ok, answer.text()
        number = answer.json()["game"]
        about = self.page.locator("#about")
        self.until(lambda: re.search(rf"\b{number}\b", about.inner_text()))
        self.until(lambda: self._is_set_up(self.state, number))
        self.until_shown()

    @staticmethod
    def _is_set_up(now: dict[str, Any], number: int) -> bool:
        set_up = now["phase"] != "set-up" and not now["fill"] + now["clear"]
        return bool(now["game"] == number and set_up)

    def throw(self) -> None:
        """Press the button that throws all dice, if it is still there."""
        with suppress(PlaywrightTimeoutError):
            self.page.get_by_role("button", name="Throw", exact=True).click(timeout=THROW_MS)

    def throw_until_move(self, *sides: str) -> dict[str, Any]:
        """Throw for some sides, by default light, until the page shows one a legal move.

        Returns:
            The state.
        """
        sides = sides or ("light",)

        def throw_or_move() -> Any:
            now = self.state
            if now["phase"] == "move" and now["side"] in sides and now["legal"]:
                return now if self.is_shown(now) else None
            if now["phase"] in {"throw", "start-throw"} and now["side"] in sides and self.may_throw:
                self.throw()
                self.page.wait_for_timeout(4 * POLL_MS)
            return None

        return self.until(throw_or_move)

    @property
    def dice_at_rest(self) -> bool:
        """Whether no die rolls."""
        return self.page.locator(".table-die-rolls").count() == 0

    @property
    def may_throw(self) -> bool:
        """Whether the button that throws is there."""
        return self.page.locator(".throw-all").is_visible()

    def place(self, name: str) -> Locator:
        """Return a square, a row or a home on the board."""
        return self.page.locator(f'[data-square="{name}"], [data-place="{name}"]').first

    def piece(self, name: str) -> Locator:
        """Return a piece by its name."""
        return self.page.locator(f'[data-key="{name}"]')

    def piece_on(self, place: str) -> str:
        """Return the name of the top piece on a place."""
        found = self.page.locator(f'.ur-pieces [data-place="{place}"]').last
        return str(found.get_attribute("data-key"))

    def wait_for_place(self, name: str, place: str) -> None:
        """Wait until a piece is drawn on a place."""
        self.until(lambda: self.piece(name).get_attribute("data-place") == place)

    def drag(self, name: str, place: str) -> None:
        """Scroll to the board, and drag a piece with the mouse."""
        self.page.evaluate("scrollTo(0, 0)")
        self.drag_from(*self.centre(self.piece(name)), place)

    def drag_from(self, x: float, y: float, place: str) -> None:
        """Drag what is at a spot of the window to a place with the mouse."""
        to_x, to_y = self.centre(self.place(place))
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=STEPS)
        mouse.move(to_x, to_y, steps=STEPS)
        mouse.up()

    @cached_property
    def has_touch(self) -> bool:
        """Whether the device has a touch screen."""
        return bool(self.page.evaluate("navigator.maxTouchPoints"))

    def tap(self, x: float, y: float) -> None:
        """Tap with a finger on a spot of the window, or click if the device has no touch screen."""
        if self.has_touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def centre(self, place: Locator) -> tuple[float, float]:
        """Wait until an element does not move, and return its centre in the window."""
        before = None
        # Not in the page, whose clock a test may have stopped.
        while (now := self.until(lambda: place.evaluate(CENTRE))) != before:
            before = now
            self.page.wait_for_timeout(2 * POLL_MS)
        x, y = now
        return x, y

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with a finger from one spot of the window to another."""
        finger = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *spots: tuple[float, float]) -> None:
            points = [{"x": x, "y": y} for x, y in spots]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", start)
        for step in range(1, STEPS + 1):
            part = step / STEPS
            spot = tuple(a + (b - a) * part for a, b in zip(start, end, strict=True))
            touch("touchMove", (spot[0], spot[1]))
            self.page.wait_for_timeout(POLL_MS)
        touch("touchEnd")
        finger.detach()

    def post(self, path: str, body: object) -> APIResponse:
        """Send a POST request from the page, and return the response."""
        headers = {"Origin": self.url.rstrip("/"), "Content-Type": "application/json"}
        # The server may close a connection that has been idle just then, as it may for any browser.
        return self.page.request.post(
            f"{self.url}api/{path}", data=body, headers=headers, max_retries=2
        )

    def show_language(self, language: str) -> None:
        """Show the page in a language: the browser's own if no table can have it."""
        context = self.page.context
        had_own = any(one["name"] == LANGUAGE_COOKIE for one in context.cookies())
        context.clear_cookies(name=LANGUAGE_COOKIE)
        has_own = language not in display_languages()
        if has_own:
            context.add_cookies([{"name": LANGUAGE_COOKIE, "value": language, "url": self.url}])
        else:
            assert self.post("settings", {"language": language}).ok
        if had_own or has_own:
            self.open()
        self.page.wait_for_selector(f"html[lang={language}]", state="attached")

    def oled(self) -> str:
        """Return the URL of the OLED's picture on the page."""
        return str(self.page.locator("#oled").get_attribute("src"))

    def oled_is_dark(self) -> bool:
        """Whether every pixel of the OLED is off."""
        data = self.oled().partition(",")[2]
        with Image.open(BytesIO(b64decode(data))) as picture:
            return picture.convert("L").getextrema() == (0, 0)

    def has_focus(self) -> bool:
        """Whether an element has the keyboard focus."""
        return self.page.locator(":focus").count() > 0

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def walk(self, place: str) -> None:
        """Move the focus to a square with the arrow keys."""
        for _ in range(30):
            here = self.page.evaluate("document.activeElement.dataset.square")
            if here == place:
                return
            self.press(_step(here, place))
        raise AssertionError(place)

    def assert_no_errors(self) -> None:
        """Check that there was no script error and no violation of the security policy."""
        assert self.errors == [], self.errors


def activate(page: Page, selector: str) -> None:
    """Activate a button that is visible and not inert, without the mouse.

    If a click of Playwright fails at first, since the button is inert or moves, it scrolls the page
    until the button is at its top.
    """
    button = page.locator(f"{selector}:visible:not([inert] *)")
    button.evaluate("one => one.click()", timeout=1000 * DEADLINE_S)


def open_game_dialog(page: Page, *, more: bool = False) -> None:
    """Open the dialog for a new game, with `more` choices, and wait until it can be used."""
    page.locator("#game-button").click()
    page.wait_for_selector("#new-fields:enabled")
    if more:
        page.locator(".new-more summary").click()


def open_acts(page: Page) -> None:
    """Open the dialog with what can be done in the current game besides playing."""
    page.locator("#more-acts").click()
    page.wait_for_selector("#acts-dialog[open]")


def open_settings(page: Page) -> None:
    """Open the table's settings, and wait until their fields are enabled."""
    page.locator("#view-button").click()
    page.locator("#table-settings").click()
    page.wait_for_selector("#set-sound:enabled")


def show_face(context: BrowserContext, face: str) -> None:
    """Let the pages of a context show one of the page's two faces, ``play`` or ``console``."""
    context.add_cookies([{"name": "urpi-face", "value": face, "url": "http://127.0.0.1"}])


def _step(here: str, to: str) -> str:
    """Return the arrow key towards a square; changing columns uses row B, which has no gap."""
    if here[1] != to[1]:
        if here[0] != "B":
            return "ArrowUp" if here[0] == "A" else "ArrowDown"
        return "ArrowRight" if here[1] < to[1] else "ArrowLeft"
    return "ArrowUp" if here[0] < to[0] else "ArrowDown"


def prepare_routes(context: BrowserContext) -> None:
    """Prepare pages that are opened afterwards for `Page.route`.

    A page that is open when the first route is set may still send its next request by the old way.
    """
    context.route("**/api/nothing", lambda route: route.abort())


def open_player_page(
    browser: Browser,
    url: str,
    *,
    seen_tour: bool = True,
    routes: bool = False,
    face: str = "console",
    **options: Any,
) -> PlayerPage:
    """Open the page for a player, who by default has seen the tour before, with one of its faces.

    With `routes`, the test may set routes while the page is open.
    """
    context = browser.new_context(**({"viewport": DESK} | NO_WORKER | options))
    context.set_default_timeout(1000 * DEADLINE_S)
    show_face(context, face)
    if routes:
        prepare_routes(context)
    if seen_tour:
        context.add_init_script("localStorage.setItem('urpi-tour', 'seen')")
    return PlayerPage(context.new_page(), url)
