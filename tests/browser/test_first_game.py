"""The tour "Your first game": a lesson at the real table, offered at the first visit."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import (
    POLL_MS,
    PlayerPage,
    Screenshots,
    demo,
    demo_link,
    open_player_page,
)
from urpi.rules import parse_position
from urpi.rules.lesson import FIRST_GAME

GAME = ("--rules", "bell", "--first", "light", "--speed", "4")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL = {"viewport": {"width": 1024, "height": 600}}
Open = Callable[..., PlayerPage]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens the page of a demo, by default for a first visit."""
    with demo(tmp_path, *GAME) as url:
        opened: list[PlayerPage] = []

        def open_page(*, seen_tour: bool = False, **options: object) -> PlayerPage:
            opened.append(open_player_page(browser, url, seen_tour=seen_tour, **options))
            return opened[-1]

        yield open_page
        for player in opened:
            player.assert_no_errors()
            player.page.context.close()


def step(player: PlayerPage, number: int) -> None:
    """Wait until a step is shown."""
    start = f"Step {number} "
    player.until(lambda: player.page.locator(".tour-count").inner_text().startswith(start))


def begin(player: PlayerPage) -> None:
    """Accept the offer, and wait until the lesson's position is set up."""
    player.page.locator(".offer-game").click()
    step(player, 1)
    wait_for_lesson(player)


def wait_for_lesson(player: PlayerPage) -> None:
    """Wait until light may throw in the lesson's position, and not in the game before it."""
    player.until(
        lambda: (
            (now := player.state)["phase"] == "throw"
            and now["position"]["text"] == FIRST_GAME.position
        )
    )


def throw(player: PlayerPage) -> None:
    """Press Throw when it is light's turn and the dice are at rest."""
    player.until(
        lambda: (
            player.state["phase"] == "throw"
            and player.state["side"] == "light"
            and player.may_throw
        )
    )
    player.throw()
    player.until(lambda: player.state["phase"] == "move")


def test_the_lesson_teaches_to_throw_enter_capture_bear_off_and_win(open_page: Open) -> None:
    player = open_page()
    begin(player)
    player.page.locator(".tour-next").click()
    step(player, 2)
    throw(player)
    step(player, 3)
    player.drag(player.piece_on("hand:light"), "A1")
    for number, (origin, target) in enumerate(
        (("A1", "B4"), ("B4", "B7"), ("B7", "home:light")), start=2
    ):
        step(player, 2 * number)
        throw(player)
        step(player, 2 * number + 1)
        player.drag(player.piece_on(origin), target)
    step(player, 10)
    record = [line["move"] for line in player.state["record"]]
    assert record == ["+A1", "A1-B4", "B4xB7", "pass", "B7-off"]
    assert player.state["outcome"]["side"] == "light"
    player.page.locator(".tour-next").click()
    player.until(lambda: player.state["rules"]["text"] == "bell")
    # The engine plays dark again, as before the lesson.
    assert player.state["seats"] == {"light": "person", "dark": "engine:easy"}
    assert player.state["position"]["off"] == {"light": 0, "dark": 0}
    expect(player.page.locator(".tour")).to_be_hidden()


def test_the_steps_are_short_and_name_no_squares(open_page: Open) -> None:
    player = open_page()
    begin(player)
    source = player.page.evaluate(
        "fetch('/static/js/table/first_game.js').then((answer) => answer.text())"
    )
    steps = re.findall(r'gettext\("([^"]{30,})"\)', source)
    assert len(steps) >= 10
    for text in steps:
        assert len(text.split()) <= 40, text
        assert not re.search(r"\b[ABC][1-8]\b", text), text
    for width in (1280, 390):
        player.page.set_viewport_size({"width": width, "height": 800})
        size = player.page.locator(".tour-text").evaluate("one => getComputedStyle(one).fontSize")
        assert size == "20px"


SPOKEN = """
window.spoken = [];
speechSynthesis.getVoices = () => [{ lang: "en-GB", name: "A voice" }];
SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
speechSynthesis.speak = ({ text }) => window.spoken.push(text);
"""
"""A voice, which the browser of these tests has not, that keeps what it would say."""


def test_without_reading_a_word_the_hand_leads_to_the_win(open_page: Open) -> None:
    player = open_page(**PHONE)
    player.page.context.add_init_script(SPOKEN)
    player.page.evaluate("localStorage.setItem('urpi-sound', 'on')")
    player.open()
    begin(player)
    player.page.locator(".tour-next").click()
    for number in range(2, 10):
        step(player, number)
        tap_as_the_hand_shows(player)
    step(player, 10)
    assert player.state["outcome"]["side"] == "light"
    expect(player.page.locator(".gesture")).to_be_hidden()
    spoken = player.page.evaluate("spoken")
    assert len(spoken) == 10
    assert spoken[1].startswith("Press Throw.")
    player.page.locator(".tour-aloud").click()
    assert player.page.evaluate("spoken.at(-1)").startswith("Your last piece is home")


PLACES = """(count) => {
  const hand = document.querySelector(".gesture");
  const [animation] = hand.getAnimations();
  const isOther = document.querySelector(".tour-count").textContent !== count;
  if (isOther || hand.hidden || !animation) return null;
  const frames = animation.effect.getKeyframes();
  const spot = ({ translate }) => translate.match(/-?[0-9.]+/g).map(Number);
  return [spot(frames.at(0)), spot(frames.at(-1))];
}"""
"""Where the hand is when the gesture of a step begins and ends, None while it is not shown."""
AGAIN_S = 20.0
"""How long to wait for the next step before tapping once more."""


def tap_as_the_hand_shows(player: PlayerPage) -> None:
    """Tap where the hand's finger is when it begins, and where it ends, until the step is done."""
    count = player.page.locator(".tour-count")
    before = count.inner_text()

    def tapped() -> bool:
        if places := player.page.evaluate(PLACES, before):
            (x, y), (to_x, to_y) = places
            player.page.touchscreen.tap(x + 18, y + 5)
            if (x, y) != (to_x, to_y):
                player.page.wait_for_timeout(300)
                player.page.touchscreen.tap(to_x + 18, to_y + 5)
            again = time.monotonic() + AGAIN_S
            while count.inner_text() == before and time.monotonic() < again:
                player.page.wait_for_timeout(POLL_MS)
        return count.inner_text() != before

    player.until(tapped)


def test_the_lesson_is_played_with_the_keyboard_alone(open_page: Open) -> None:
    player = open_page(**SMALL)
    player.page.locator(".offer-game").focus()
    player.press("Enter")
    step(player, 1)
    expect(player.page.locator(".tour")).to_be_focused()
    wait_for_lesson(player)
    player.press("Tab", "Tab", "Enter")
    for number in range(2, 10):
        step(player, number)
        expect(player.page.locator(".tour-does")).to_be_enabled()
        player.page.locator(".tour").focus()
        player.press("Tab", "Tab")
        assert player.page.evaluate("document.activeElement.className") == "tour-does"
        player.press("Enter")
    step(player, 10)


def test_the_first_visit_offers_the_tours_and_keeps_the_answer(open_page: Open) -> None:
    player = open_page()
    offer = player.page.locator(".tour-offer")
    player.until(offer.is_visible)
    expect(player.page.locator(".tour")).to_be_hidden()
    player.page.locator(".offer-no").click()
    expect(offer).to_be_hidden()
    player.open()
    player.until(player.page.locator(".tour-begin").is_visible)
    expect(offer).to_be_hidden()


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
def test_the_offer_does_not_cover_the_end_of_a_game(
    open_page: Open, screen: dict[str, object]
) -> None:
    player = open_page(**screen)
    offer = player.page.locator(".tour-offer")
    player.until(offer.is_visible)
    player.until(lambda: player.state["phase"] not in {"no-game", "set-up"})
    assert player.post("resign", {"side": "light"}).ok
    player.page.locator("#end-share").click(trial=True)
    expect(offer).to_be_hidden()
    player.page.locator("#end-close").click()
    player.until(offer.is_visible)


def test_the_tour_of_the_sensors_is_chosen_separately(open_page: Open) -> None:
    player = open_page()
    game = player.until_phase("throw")["game"]
    player.page.locator(".tour-sensors").click()
    step(player, 1)
    assert "You are the hands" in player.page.locator(".tour-text").inner_text()
    player.page.locator(".tour-skip").click()
    assert player.state["game"] == game


@pytest.mark.parametrize("reloaded", [False, True])
def test_leaving_the_lesson_begins_a_game_with_the_rules_of_the_one_before(
    open_page: Open, *, reloaded: bool
) -> None:
    player = open_page()
    player.begin_game("finkel", options={"pieces": "5"})
    begin(player)
    lesson = player.state["game"]
    if reloaded:
        player.open()
        step(player, 1)
    player.page.locator(".tour-skip").click()
    player.until(lambda: player.state["game"] == lesson + 1)
    start = parse_position("finkel[pieces=5] - L5D5 L0D0 L")
    player.until(lambda: player.state["position"]["text"] == str(start))
    player.until(lambda: player.state["phase"] == "start-throw")
    expect(player.page.locator(".tour")).to_be_hidden()


HOLD_BACK_TABLE = """
document.addEventListener("urpi-table", (event) => event.stopImmediatePropagation(), true)
"""
"""Holds back what happens at the virtual table, as a slow network does."""


def test_a_lesson_that_is_left_at_once_is_followed_by_a_game(open_page: Open) -> None:
    player = open_page()
    player.begin_game("masters")
    player.page.evaluate(HOLD_BACK_TABLE)
    begin(player)
    lesson = player.state["game"]
    player.page.locator(".tour-skip").click()
    player.until(lambda: player.state["game"] == lesson + 1)
    assert player.state["rules"]["id"] == "masters"


def test_a_game_begun_elsewhere_ends_the_tour(open_page: Open) -> None:
    player = open_page()
    begin(player)
    # The third step shows that the page knows of the lesson.
    player.page.locator(".tour-next").click()
    throw(player)
    step(player, 3)
    player.begin_game("masters")
    player.until(player.page.locator(".tour").is_hidden)
    assert player.state["rules"]["id"] == "masters"


def test_the_lesson_continues_after_the_page_was_loaded_again(open_page: Open) -> None:
    player = open_page()
    begin(player)
    player.page.locator(".tour-next").click()
    throw(player)
    step(player, 3)
    player.open()
    step(player, 3)
    player.drag(player.piece_on("hand:light"), "A1")
    step(player, 4)


def test_a_game_in_progress_is_only_broken_off_after_a_question(open_page: Open) -> None:
    player = open_page(seen_tour=True)
    target = player.throw_until_move()["legal"][0]["to"][0]
    player.drag("L1", target)
    player.until(lambda: player.state["record"])
    # Before the page shows the move, it would begin the lesson without a question.
    player.until_shown()
    game = player.state["game"]
    player.page.locator(".tour-begin").click()
    player.page.get_by_role("button", name="No", exact=True).click()
    expect(player.page.locator(".tour")).to_be_hidden()
    assert player.state["game"] == game
    player.page.locator(".tour-begin").click()
    player.page.get_by_role("button", name="Yes", exact=True).click()
    step(player, 1)
    player.until(lambda: player.state["game"] == game + 1)


def test_those_who_only_watch_are_not_offered_a_tour(browser: Browser, tmp_path: Path) -> None:
    with demo_link(tmp_path, *GAME) as link:
        player = open_player_page(browser, link.partition("#")[0], seen_tour=False)
        player.until(lambda: "Light" in player.page.locator("#now").inner_text())
        expect(player.page.locator(".tour-offer")).to_be_hidden()
        player.page.context.close()


@pytest.mark.parametrize("screen", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_offer_and_the_lesson(
    open_page: Open, shots: Screenshots, screen: dict[str, object], scheme: str
) -> None:
    player = open_page(**screen, color_scheme=scheme, bypass_csp=True)
    player.until(player.page.locator(".tour-offer").is_visible)
    name = f"{'phone' if screen is PHONE else 'small'}-{scheme}"
    shots(player.page, f"offer-{name}.png")
    assert violations(player.page) == []
    begin(player)
    for number in (1, 2, 3):
        step(player, number)
        player.page.wait_for_timeout(500)
        shots(player.page, f"first-game-{number}-{name}.png")
        assert violations(player.page) == []
        player.page.locator(".tour-next" if number == 1 else ".tour-does").click()
