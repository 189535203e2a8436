"""The two faces of the page: Play for players, and the console."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import (
    COVERED,
    DEADLINE_S,
    DESK,
    PlayerPage,
    Screenshots,
    demo,
    open_game_dialog,
    open_player_page,
)
from tests.browser.served_table import EVIL, ServedTable, Viewer, open_viewer, served_table
from tests.browser.test_coach import begin, move_and_coach
from tests.browser.test_window import LONG, asked, show
from urpi.show.words import languages, words_for

WINDOWS = [
    (1024, 600),
    (1366, 768),
    (1920, 1080),
    (768, 1024),
    (390, 844),
    (360, 640),
    (844, 390),
    (683, 384),
]
"""Windows of laptops, a tablet, phones upright and on their side, and a laptop at 200 % zoom."""
NEEDED = (
    ".plate, .ur-board, #now, .felt, .throw-all, .warning-text, #mend, #coach-take-back, "
    "#question-choices button, #acts > button, .end-head, .end button, .end a"
)
"""What a player must see or press."""
OUTSIDE = """(all) => all
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => getComputedStyle(one.parentElement).clipPath === "none")  // unseen
  .map((one) => [one.id || one.className, one.getBoundingClientRect(), one])
  .filter(([, { top, bottom, left, right }, one]) =>
    top < 0 || left < 0 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5 ||
    (one.tagName === "BUTTON" && one.scrollWidth > one.clientWidth))
  .map(([name, { top, bottom }]) => `${name} ${top}-${bottom}`)"""
"""Returns what is not in the window, and buttons whose words are cut."""
SCROLLS = """() => innerWidth < 1000 || document.documentElement.scrollHeight <= innerHeight
  ? [] : ["the page scrolls"]"""
"""Returns a complaint about a wide window whose page is higher than it."""
CONSOLE = ("#oled", "#record-frame", "#chances-list", "#devices", "#log-list")
IN_WINDOW = """all => all.every((one) => {
  const { top, bottom, left, right } = one.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
})"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    words = ("--first", "light", "--dark", "person", "--simulated", "none", "--seed", "3")
    with demo(tmp_path_factory.mktemp("faces"), *words, "--speed", "3") as one:
        yield one


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[PlayerPage]:
    player = open_player_page(browser, url, face="play")
    player.begin_game("finkel", first="light")
    yield player
    player.assert_no_errors()
    player.page.context.close()


def test_a_new_browser_shows_play_and_keeps_its_choice(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table:
        table.new_game()
        context = browser.new_context(service_workers="block")
        viewer = Viewer(context)
        viewer.open(table.url)
        page = viewer.page
        for element in CONSOLE:
            expect(page.locator(element)).to_be_hidden()
        page.get_by_role("button", name="Console").click()
        for element in CONSOLE:
            expect(page.locator(element)).to_be_visible()
        expect(page.locator("#devices-list li").first).to_be_visible()
        # Another page has the choice in its HTML, before any script runs.
        answer = page.request.get(table.url)
        assert '<body class="watch" data-face="console"' in answer.text()
        page.get_by_role("button", name="Play").click()
        assert 'data-face="play"' in page.request.get(table.url).text()
        context.close()
        assert viewer.errors == []


def check_windows(page: Page, shots: Screenshots, state: str) -> None:
    """Check that nothing a player needs is outside the window, whatever its size."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        # All may be drawn with a later state.
        deadline = time.monotonic() + DEADLINE_S
        while outside := page.locator(NEEDED).evaluate_all(OUTSIDE) + page.evaluate(SCROLLS):
            assert time.monotonic() < deadline, (state, width, height, outside)
        shots(page, f"play-{state}-{width}.png")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("state", "needed"),
    [
        ("throw", ".throw-all:not(.no-act)"),
        ("move", "#hint-button:not([hidden])"),
        ("warning", "#mend"),
    ],
)
def test_all_that_players_need_is_in_every_window_in_every_language(
    player: PlayerPage, shots: Screenshots, state: str, needed: str
) -> None:
    page, texts = player.page, set()
    if state != "throw":
        player.throw_until_move("light", "dark")
    if state == "warning":
        page.set_viewport_size(DESK)
        player.drag(player.piece_on("hand:light"), "B7")
        player.until(lambda: player.state["warning"])
    try:
        for language in languages():
            player.show_language(language)
            page.wait_for_selector(f"html[lang={language}] {needed}")
            check_windows(page, shots, f"{state}-{language}")
            texts.add(page.locator("#now").inner_text())
    finally:
        # The language is that of the table, which other tests share.
        player.show_language("en")
    assert len(texts) == len(languages())


def test_the_offer_of_a_first_game_makes_no_window_scroll(
    browser: Browser, url: str, shots: Screenshots
) -> None:
    page = open_player_page(browser, url, face="play", seen_tour=False).page
    page.wait_for_selector(".tour-offer:not([hidden])")
    check_windows(page, shots, "offer")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_answers_and_results_are_in_every_window_in_every_language(
    browser: Browser, tmp_path: Path, shots: Screenshots
) -> None:
    def asked(table: ServedTable) -> None:
        table.new_game("freecompany", "Ann", "Alexander")

    def coached(table: ServedTable) -> None:
        begin(table)
        move_and_coach(table)

    def over(table: ServedTable) -> None:
        table.new_game("finkel", "Ann", "Alexander")
        table.play(900)

    situations = {"#question": asked, "#coach-take-back": coached, "#game-end": over}
    with served_table(tmp_path) as table, open_viewer(browser, face="play") as viewer:
        for needed, situation in situations.items():
            situation(table)
            viewer.open(table.url)
            for language in languages():
                show(table, viewer, table.table.change(), language)
                expect(viewer.page.locator(needed)).to_be_visible()
                check_windows(viewer.page, shots, f"{situation.__name__}-{language}")


ANSWERS_CUT = """all => all.some((one) => one.scrollHeight > one.clientHeight)"""


def test_all_answers_are_seen_at_once_in_every_language(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, face="play") as viewer:
        change, page = asked(table), viewer.page
        question = page.locator("#question")
        viewer.open(table.url)
        for language in languages():
            show(table, viewer, change, language)
            expect(question).to_be_visible()
            for width, height in ((1366, 768), (1280, 720), (1024, 768), (1920, 1080)):
                page.set_viewport_size({"width": width, "height": height})
                viewer.until(lambda: not question.evaluate_all(ANSWERS_CUT), f"{language}, {width}")


WORDS_CUT = """all => all.filter((one) => one.checkVisibility()).some((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const [shown, all] = [one.getBoundingClientRect(), text.getBoundingClientRect()];
  return all.top < shown.bottom && all.width > shown.width + 1;
})"""
"""Returns whether some words are seen, but not the end of them."""
NAME_CUT = """all => all.some((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return text.getBoundingClientRect().width > one.getBoundingClientRect().width + 0.01;
})"""
"""Returns whether a name ends with an ellipsis, for which a part of a pixel suffices."""


def test_on_a_phone_it_is_said_whose_turn_it_is_in_whole_words_or_not(
    browser: Browser, tmp_path: Path
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, face="play") as viewer:
        page = viewer.page
        for light in ("Ann", "Christian", LONG):
            table.new_game("finkel", light, "Bob")
            table.play_until_move()
            viewer.open(table.url)
            for language in languages():
                show(table, viewer, table.table.change(), language)
                for width in (360, 390, 430):
                    page.set_viewport_size({"width": width, "height": 844})
                    assert not page.locator(".turn").evaluate_all(WORDS_CUT), (language, light)
                    if light != LONG:
                        assert not page.locator(".plate .name").evaluate_all(NAME_CUT), language


def test_the_figures_of_a_result_have_whole_words_on_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, "phone", "play") as viewer:
        table.new_game("finkel", "Ann", "Alexander")
        table.play(900)
        viewer.open(table.url)
        for language in languages():
            show(table, viewer, table.table.change(), language)
            cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
            assert viewer.page.locator(".end-figures th").evaluate_all(cut) == 0, language


def test_throw_is_there_only_while_it_acts_and_refused_dice_return(player: PlayerPage) -> None:
    page = player.page
    dice = page.locator(".felt .die")
    resting = page.locator(".felt .die-waiting")
    expect(page.locator(".throw-all")).to_be_visible()
    expect(resting).to_have_count(dice.count())
    expect(page.locator("#dice-legend")).to_have_text("A gold or a silver tip counts 1.")
    now = player.throw_until_move("light", "dark")
    expect(page.locator(".throw-all")).to_be_hidden()
    expect(resting).to_have_count(0)
    shown = page.locator(".felt .die-tip").evaluate_all("all => all.map((x) => x.classList[1])")
    tips = {"g": "die-gold", "s": "die-silver", "-": "die-blank"}
    assert shown == [tips[face] for face in now["throw"]["faces"]]
    # Whatever dice that are thrown again show, the throw that counts stays.
    assert player.post("table/throw", {}).ok
    page.wait_for_selector(".table-die-rolls")
    page.wait_for_selector(".table-die-rolls", state="detached")
    again = page.locator(".felt .die-tip").evaluate_all("all => all.map((x) => x.classList[1])")
    assert again == shown


@pytest.mark.parametrize("face", ["play", "console"])
def test_one_reads_the_rules_and_throws(browser: Browser, url: str, face: str) -> None:
    player = open_player_page(browser, url, face=face)
    player.begin_game("finkel", first="light")
    page, rules = player.page, player.page.locator("#rules")
    for width, height in ((1024, 600), (1280, 720), (1366, 768), (1366, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#rules-button").click()
        page.wait_for_selector(".rules-text h3")
        needed = page.locator(".throw-all, .felt, #now, .plate, #acts > button, #rules .close")
        player.until(lambda needed=needed: needed.evaluate_all(COVERED) == [])
        assert rules.evaluate("one => one.clientHeight") >= 170, (width, height)
        page.locator("#rules-button").click()
    page.locator("#rules-button").click()
    player.throw_until_move("light", "dark")
    expect(rules).to_be_visible()
    player.assert_no_errors()
    page.context.close()


def test_three_keys_make_a_turn(player: PlayerPage) -> None:
    expect(player.page.locator(".throw-all")).to_be_visible()
    for _ in range(40):
        now = player.state
        if now["phase"] == "throw" and player.may_throw:
            player.press("Space")
        if now["phase"] == "move" and now["legal"] and player.is_shown(now):
            break
        player.page.wait_for_timeout(250)
    assert now["phase"] == "move"
    player.press("n")
    expect(player.page.locator(".ur-way")).to_have_count(1)
    expect(player.page.locator(".ur-piece.selected")).to_have_count(1)
    player.press("Enter")
    first = now["legal"][0]["move"]
    player.until(
        lambda: player.state["record"][-1:] and player.state["record"][-1]["move"] == first
    )


def test_take_back_returns_the_piece_too(player: PlayerPage) -> None:
    page = player.page
    now = player.throw_until_move("light", "dark")
    before = now["position"]["text"]
    assert player.post("table/move", {"move": now["legal"][0]["move"]}).ok
    player.until(lambda: player.state["takeback"])
    expect(page.locator("#take-back")).to_be_enabled()
    page.locator("#take-back").click()
    player.until(lambda: player.state["position"]["text"] == before)
    player.until(lambda: not player.state["fill"] + player.state["clear"])
    in_hand = page.locator('.ur-pieces [data-place^="hand:"]')
    expect(in_hand).to_have_count(2 * now["rules"]["pieces"])


@pytest.mark.parametrize("window", [(1366, 768), (1024, 600), (390, 844)], ids=str)
def test_a_new_game_needs_no_scrolling(
    browser: Browser, url: str, window: tuple[int, int], shots: Screenshots
) -> None:
    size = {"width": window[0], "height": window[1]}
    player = open_player_page(browser, url, face="play", viewport=size)
    open_game_dialog(player.page)
    player.page.wait_for_selector("#new-about:not(:empty)")
    shots(player.page, f"new-game-{window[0]}.png")
    dialog = player.page.locator("#game-dialog")
    assert dialog.evaluate("one => one.scrollHeight <= one.clientHeight")
    needed = "#new-light-seat, #new-dark-seat, #new-rules, [name=pieces], #new-lesson, #new-begin"
    assert player.page.locator(needed).count() == 6
    assert player.page.locator(needed).evaluate_all(IN_WINDOW)
    player.page.context.close()


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_play_fits_and_axe_finds_nothing(
    browser: Browser, tmp_path: Path, form: str, shots: Screenshots
) -> None:
    with (
        served_table(tmp_path) as table,
        open_viewer(browser, form, "play", bypass_csp=True) as one,
    ):
        table.new_game("finkel", EVIL, "Bob")
        table.play(40)
        table.play_until_move()
        for language in languages():
            table.desk.words = words_for(language)
            one.open(table.url, f"html[lang={language}] .plate-turn")
            one.wait_for_text("#now", "")
            width = one.page.evaluate("document.documentElement.scrollWidth")
            assert width <= one.page.viewport_size["width"], language
            assert one.page.locator("#acts").evaluate("one => one.scrollWidth <= one.clientWidth")
            shots(one.page, f"play-{form}-{language}.png")
        for scheme in ("dark", "light"):
            one.page.emulate_media(color_scheme=scheme)
            assert violations(one.page) == [], scheme
        if form == "phone":
            assert too_small(one.page) == []


def test_the_coach_offers_to_take_the_move_back(viewer: Viewer, table: ServedTable) -> None:
    begin(table)
    viewer.open(table.url)
    move_and_coach(table)
    back = viewer.page.locator("#coach-take-back")
    expect(back).to_be_visible()
    expect(viewer.page.locator("button.main:visible")).to_have_count(0)


def test_a_board_that_is_turned_round_is_played_and_stays_so(player: PlayerPage) -> None:
    page = player.page
    before = player.centre(player.place("A1"))
    page.locator("#view-button").click()
    page.locator("#view-flip").click()
    page.locator("dialog[open] .close").click()
    player.open()
    after = player.centre(player.place("A1"))
    assert after[0] > before[0]
    assert after[1] < before[1]
    plates = page.locator(".plate").evaluate_all(
        "all => all.map((one) => [one.id, one.getBoundingClientRect().top])"
    )
    tops = dict(plates)
    assert tops["plate-light"] < tops["plate-dark"]
    move = player.throw_until_move("light", "dark")
    side = move["side"]
    player.drag(player.piece_on(f"hand:{side}"), move["legal"][0]["to"][0])
    player.until(lambda: player.state["record"])


def test_a_second_screen_has_no_controls_and_escape_leaves_it(
    browser: Browser, url: str, shots: Screenshots
) -> None:
    player = open_player_page(
        browser, f"{url}", face="play", viewport={"width": 1366, "height": 768}
    )
    player.page.goto(f"{url}?kiosk")
    player.page.wait_for_selector(".felt [data-die]", state="attached")
    controls = player.page.locator(
        "button:visible:not(.table-die), a:visible, select:visible, input:visible"
    )
    expect(controls).to_have_count(0)
    expect(player.page.locator("#now")).to_be_visible()
    shots(player.page, "kiosk.png")
    player.press("Escape")
    expect(player.page.locator("#game-button")).to_be_visible()
    player.page.context.close()
