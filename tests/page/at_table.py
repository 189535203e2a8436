"""Somebody at the virtual table's page: real drags and key presses in Debian's Chromium."""

import json
import os
import re
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import APIResponse, Browser, Locator, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
URPI = (sys.executable, "-c", "from urpi.cli import main; main()", "demo")
DEADLINE_S = 40.0
LOOK_MS = 25
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 800}
STEPS = 6
"""A drag goes on in so many moves of the pointer: over the squares between, too."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; as root it runs only without its sandbox."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def demo(folder: Path, *words: str) -> Iterator[str]:
    """Yield the URL of a demo of its own that trusts this machine, at a journal in that folder."""
    with demo_link(folder, *words, trust_loopback=True) as link:
        yield link.partition("#")[0]


@contextmanager
def demo_link(folder: Path, *words: str, trust_loopback: bool = False) -> Iterator[str]:
    """Yield the link that a demo prints, with its PIN."""
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


class AtTable:
    """One page of a table, and whoever sits before it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda told: self._note(told.type, told.text))
        self.open()

    def _note(self, kind: str, text: str) -> None:
        # What no hand can do is answered with 409, and Chromium calls that an error.
        if kind == "error" and "409" not in text:
            self.wrong.append(text)

    def open(self) -> None:
        """Open the page, or load it anew."""
        self.page.goto(self.url)
        self.page.wait_for_selector(".felt [data-die]")

    @property
    def state(self) -> dict[str, Any]:
        """The game as the server tells it."""
        return self.get("state")

    @property
    def said(self) -> list[str]:
        """What the page says above its board, and whether it is connected."""
        return self.page.locator("header, .now").all_inner_texts()

    def get(self, path: str) -> dict[str, Any]:
        """What the server answers to anybody who asks for that."""
        with urlopen(f"{self.url}api/{path}", timeout=DEADLINE_S) as answer:
            return json.load(answer)

    def until(self, wanted: Callable[[], Any]) -> Any:
        """What is wanted, as soon as it is so."""
        deadline = time.monotonic() + DEADLINE_S
        while not (found := wanted()):
            assert time.monotonic() < deadline, (self.said, self.wrong, self.state)
            self.page.wait_for_timeout(LOOK_MS)
        return found

    def until_phase(self, *phases: str) -> dict[str, Any]:
        """The state as soon as it is one of those phases."""
        return self.until(lambda: (now := self.state)["phase"] in phases and now)

    def begin_game(self, rules: str, **order: Any) -> None:
        """Order a game, and wait until that very one is on, here too, with its board set up."""
        body = {"rules": rules, "options": {}, "light": "", "dark": ""} | order
        answer = self.post("new-game", body)
        assert answer.ok, answer.text()
        number = answer.json()["game"]
        about = self.page.locator("#about")
        self.until(lambda: re.search(rf"\b{number}\b", about.inner_text()))
        self.until(lambda: self._is_set_up(self.state, number))

    @staticmethod
    def _is_set_up(now: dict[str, Any], number: int) -> bool:
        set_up = now["phase"] != "set-up" and not now["fill"] + now["clear"]
        return bool(now["game"] == number and set_up)

    def throw(self) -> None:
        """Press Throw, when no die rolls."""
        self.page.get_by_role("button", name="Throw", exact=True).click()

    def throw_until_a_move(self, *sides: str) -> dict[str, Any]:
        """Throw whenever one of those sides is to, until it has a move to make; the state then.

        Light when none is named; both where a rosette may let the same side throw once more.
        """
        sides = sides or ("light",)

        def thrown() -> Any:
            now = self.state
            if now["phase"] == "move" and now["side"] in sides and now["legal"]:
                return now
            if now["phase"] in {"throw", "start-throw"} and now["side"] in sides and self.rests:
                self.throw()
                self.page.wait_for_timeout(4 * LOOK_MS)
            return None

        return self.until(thrown)

    @property
    def rests(self) -> bool:
        """Whether no die rolls."""
        return self.page.locator(".throw-all").is_enabled()

    def place(self, name: str) -> Locator:
        """A square, a row or a home on the board."""
        return self.page.locator(f'[data-square="{name}"], [data-place="{name}"]').first

    def piece(self, name: str) -> Locator:
        """A piece by its name."""
        return self.page.locator(f'[data-key="{name}"]')

    def piece_on(self, place: str) -> str:
        """The name of a piece that lies there."""
        found = self.page.locator(f'.ur-pieces [data-place="{place}"]').last
        return str(found.get_attribute("data-key"))

    def lies(self, name: str, place: str) -> None:
        """Wait until a piece is drawn in that place."""
        self.until(lambda: self.piece(name).get_attribute("data-place") == place)

    def drag(self, name: str, place: str) -> None:
        """Drag a piece with the mouse, with the board in sight."""
        self.page.evaluate("scrollTo(0, 0)")
        x, y = self.middle(self.piece(name))
        to_x, to_y = self.middle(self.place(place))
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=STEPS)
        mouse.move(to_x, to_y, steps=STEPS)
        mouse.up()

    def middle(self, place: Locator) -> tuple[float, float]:
        """The middle of what is there, in the window, as soon as it glides no more."""
        before = None
        while (now := _middle(place)) != before:
            before = now
            self.page.wait_for_timeout(2 * LOOK_MS)
        return now

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
            self.page.wait_for_timeout(LOOK_MS)
        touch("touchEnd")
        finger.detach()

    def post(self, path: str, body: object) -> APIResponse:
        """What the server answers to the page that posts that."""
        headers = {"Origin": self.url.rstrip("/"), "Content-Type": "application/json"}
        return self.page.request.post(f"{self.url}api/{path}", data=body, headers=headers)

    def oled(self) -> str:
        """The OLED's picture on the page."""
        return str(self.page.locator("#oled").get_attribute("src"))

    def oled_is_dark(self) -> bool:
        """Whether nothing shines on the OLED."""
        data = self.oled().partition(",")[2]
        with Image.open(BytesIO(b64decode(data))) as picture:
            return picture.convert("L").getextrema() == (0, 0)

    def focuses(self) -> bool:
        """Whether anything has the keyboard."""
        return self.page.locator(":focus").count() > 0

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def walk(self, place: str) -> None:
        """Go with the arrow keys from the focused square to another one."""
        for _ in range(30):
            here = self.page.evaluate("document.activeElement.dataset.square")
            if here == place:
                return
            self.press(_step(here, place))
        raise AssertionError(place)

    def assert_nothing_went_wrong(self) -> None:
        """Neither an error in a script nor a refusal by the page's own policy."""
        assert self.wrong == []


def open_game_dialog(page: Page) -> None:
    """Open the dialog that runs the table, and wait until all of it can be filled in."""
    page.get_by_role("button", name="Game", exact=True).click()
    page.wait_for_selector("#new-begin:enabled")
    page.wait_for_selector("#set-sound:enabled")


def _step(here: str, to: str) -> str:
    """The arrow key towards a square; the rows A and C are left first, for their gap."""
    if here[1] != to[1]:
        if here[0] != "B":
            return "ArrowUp" if here[0] == "A" else "ArrowDown"
        return "ArrowRight" if here[1] < to[1] else "ArrowLeft"
    return "ArrowUp" if here[0] < to[0] else "ArrowDown"


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def sat_down(browser: Browser, url: str, *, knows_it: bool = True, **options: Any) -> AtTable:
    """Somebody at a new page, who has seen the tour or comes for the first time."""
    context = browser.new_context(**({"viewport": DESK} | options))
    if knows_it:
        context.add_init_script("localStorage.setItem('urpi-tour', 'seen')")
    return AtTable(context.new_page(), url)
