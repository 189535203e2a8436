"""What a viewer chooses for this browser: theme, sound, full screen; and motion."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots, demo, open_player_page
from tests.browser.served_table import ServedTable, Viewer, open_viewer
from urpi.referee.facts import Answer

GROUND = """getComputedStyle(document.querySelector('[data-square="B2"] .ur-field')).fill"""
WOODEN, SHELL = "rgb(222, 185, 133)", "rgb(244, 232, 207)"
RECORD_SOUNDS = """
    window.sounds = [];
    document.addEventListener("urpi-sound", ({ detail }) => window.sounds.push(detail));
"""


@pytest.fixture
def playing(table: ServedTable) -> ServedTable:
    table.new_game()
    table.play(12)
    table.play_until_move()
    return table


def choose(viewer: Viewer, theme: str) -> None:
    viewer.page.locator("#view-button").click()
    viewer.page.locator("#view-theme").select_option(theme)
    viewer.page.keyboard.press("Escape")
    viewer.until(lambda: not viewer.page.locator("dialog[open]").count(), "the dialog to close")


def test_a_theme_is_kept_for_every_page(
    viewer: Viewer, playing: ServedTable, shots: Screenshots
) -> None:
    viewer.open(playing.url)
    assert viewer.page.evaluate(GROUND) == SHELL
    choose(viewer, "wood")
    assert viewer.page.evaluate(GROUND) == WOODEN
    shots(viewer.page, "theme-wood.png")
    viewer.page.reload()
    viewer.page.wait_for_selector(".ur-piece", state="attached")
    assert viewer.page.evaluate(GROUND) == WOODEN
    viewer.open(f"{playing.url}games/1#9")
    assert viewer.page.evaluate(GROUND) == WOODEN
    choose(viewer, "plain")
    shots(viewer.page, "theme-plain.png")
    assert viewer.page.evaluate(GROUND) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_dialog(
    browser: Browser, playing: ServedTable, scheme: str, shots: Screenshots
) -> None:
    with open_viewer(browser, "phone", color_scheme=scheme) as viewer:
        viewer.open(playing.url)
        viewer.page.locator("#view-button").click()
        shots(viewer.page, f"view-{scheme}.png")
        assert violations(viewer.page) == []


def test_full_screen_is_entered_and_left(viewer: Viewer, playing: ServedTable) -> None:
    viewer.open(playing.url)
    for name, wanted in (("Full screen", True), ("Leave full screen", False)):
        viewer.page.locator("#view-button").click()
        viewer.page.get_by_role("button", name=name, exact=True).click()
        viewer.until(
            lambda wanted=wanted: viewer.page.evaluate("!!document.fullscreenElement") == wanted,
            name,
        )


def enter(table: ServedTable) -> None:
    """Enter a legal move, and the next throw."""
    shot = table.table.service.snapshot
    table.table.submit(Answer(table.table.t, move=shot.legal[0]))


def newest(viewer: Viewer) -> int:
    """Return the number of the newest decision in the log, 0 if it is empty."""
    entries = viewer.page.locator("#log-list li").evaluate_all(
        "all => all.map((one) => Number(one.dataset.seq))"
    )
    return max(entries, default=0)


def test_sound_is_off_until_it_is_switched_on_and_then_remembered(
    viewer: Viewer, playing: ServedTable
) -> None:
    viewer.page.add_init_script(RECORD_SOUNDS)
    viewer.open(playing.url)
    button = viewer.page.get_by_role("button", name="Sound of this page")
    assert button.get_attribute("aria-pressed") == "false"
    viewer.wait_for_log(playing)
    before = newest(viewer)
    enter(playing)
    viewer.until(lambda: newest(viewer) > before, "the move")
    assert viewer.page.evaluate("window.sounds") == []

    button.click()
    assert viewer.page.evaluate("window.sounds") == ["move"]
    viewer.page.reload()
    viewer.page.wait_for_selector(".ur-piece", state="attached")
    assert button.get_attribute("aria-pressed") == "true"
    viewer.wait_for_log(playing)
    assert viewer.page.evaluate("window.sounds") == [], "decisions before the page was opened"
    playing.play_until_move()
    viewer.until(lambda: "throw" in viewer.page.evaluate("window.sounds"), "the throw's sound")
    enter(playing)
    viewer.until(
        lambda: {"move", "capture"} & set(viewer.page.evaluate("window.sounds")), "the move's sound"
    )


SOUNDS = """() => import("/static/js/sound.js").then(async ({ soundOf, Sounds }) => {
    const peaks = {};
    for (const sound of ["throw", "move", "capture", "warning", "won"]) {
        const context = new OfflineAudioContext(1, 44100, 44100);
        const one = new Sounds(document.createElement("button"));
        Object.assign(one, { on: true, context });
        one.play(sound);
        const samples = (await context.startRendering()).getChannelData(0);
        peaks[sound] = Math.max(...samples.map(Math.abs));
    }
    return peaks;
})"""


def test_every_sound_is_audible_and_not_distorted(viewer: Viewer, playing: ServedTable) -> None:
    viewer.open(playing.url)
    peaks = viewer.page.evaluate(SOUNDS)
    assert {name: 0.02 < peak < 1 for name, peak in peaks.items()} == dict.fromkeys(peaks, True)
    assert len(peaks) == 5


WAYS = """() => import("/static/js/pieces.js").then(({ way }) => [
    way(["A4", "A3", "A2", "A1", "B1"], "A4", "A2"),
    way(["A4", "A3", "A2"], "hand:light", "A3"),
    way(["A4", "A3", "A2"], "A3", "home:light"),
    way(["A4", "A3", "A2"], "A2", "A4"),
    way(["A4", "A3"], "A4", "hand:light"),
    way(["B7", "B6", "B5", "B6", "B7"], "B5", "B7"),
])"""


def test_a_piece_follows_its_path_forwards_only(viewer: Viewer, playing: ServedTable) -> None:
    viewer.open(playing.url)
    assert viewer.page.evaluate(WAYS) == [
        ["A4", "A3", "A2"],
        ["hand:light", "A4", "A3"],
        ["A3", "A2", "home:light"],
        None,
        None,
        ["B5", "B6", "B7"],
    ]


ANIMATED = """
    window.animated = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...all) {
        window.animated.push(this.dataset.place);
        return animate.apply(this, all);
    };
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_moves_are_animated_unless_the_browser_asks_for_less_motion(
    browser: Browser, table: ServedTable, motion: str
) -> None:
    table.new_game()
    table.play(40)
    with open_viewer(browser, reduced_motion=motion) as viewer:
        viewer.page.add_init_script(ANIMATED)
        viewer.open(f"{table.url}games/1#0")
        for step in range(1, 30):
            viewer.page.keyboard.press("ArrowRight")
            viewer.wait_for_text("#step", f"Step {step} of ")
        animated = viewer.page.evaluate("window.animated")
        assert bool(animated) == (motion == "no-preference")
        viewer.page.keyboard.press("Home")
        assert (
            viewer.page.evaluate(
                "document.getAnimations().filter((a) => !a.transitionProperty).length"
            )
            == 0
        )


OBSERVE_LANDING = """() => {
    window.landed = null;
    const felt = document.querySelector(".felt");
    new MutationObserver(() => {
        const tip = felt.querySelector(".die-landed .die-tip");
        if (tip) window.landed ??= tip.checkVisibility();
    }).observe(felt, { attributes: true, childList: true, subtree: true });
}"""
"""Records whether the first die that comes to rest shows its face; it tumbles only for a moment."""


def test_a_die_that_comes_to_rest_tumbles_with_its_face_already_shown(
    browser: Browser, tmp_path: Path
) -> None:
    with demo(tmp_path, "--rules", "finkel", "--simulated", "dark") as url:
        player = open_player_page(browser, url)
        assert player.page.locator(".felt .die-landed").count() == 0
        player.until(lambda: player.dice_at_rest)
        player.page.evaluate(OBSERVE_LANDING)
        player.throw()
        player.until(lambda: player.page.evaluate("window.landed") is not None)
        assert player.page.evaluate("window.landed")
        player.page.context.close()
