"""The review of a game in its replay: the curve, the values of each step, and the totals."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.accessibility import violations
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    """A table with one game."""
    with served_table(tmp_path_factory.mktemp("reviewed")) as table:
        table.new_game("finkel", "Ann", "Bob")
        table.play(60)
        yield table


PLACES = """() => ["#now", "#board", "#mistake-on", "#worth"].map((name) => {
  const { top, bottom } = document.querySelector(name).getBoundingClientRect();
  return scrollY + (name === "#board" ? bottom : top);
})"""
"""Returns where the headline begins, the board ends, and the button and the values begin."""
BETWEEN = {"desk": 125, "phone": 60}
"""Maximum distance of the button from what is above it: three lines of a headline, or a plate."""


def open_review(viewer: Viewer, stored: ServedTable, step: int = 0) -> None:
    viewer.open(f"{stored.url}games/1#{step}")
    viewer.page.get_by_role("button", name="Review this game").click()
    viewer.page.locator("#review").wait_for(timeout=200_000)


def test_a_review_that_is_wanted_before_the_game_has_arrived_follows_it(
    viewer: Viewer, stored: ServedTable
) -> None:
    games: list[Route] = []
    viewer.page.route("**/api/games/1", lambda route: games.append(route))  # noqa: PLW0108
    viewer.page.goto(f"{stored.url}games/1")
    viewer.until(lambda: games, "the request for the game")
    viewer.page.get_by_role("button", name="Review this game").click()
    expect(viewer.page.locator("#review-button")).to_be_disabled()
    games[0].continue_()
    viewer.page.locator("#review").wait_for(timeout=200_000)


def test_a_review_shows_values_mistakes_and_totals(viewer: Viewer, stored: ServedTable) -> None:
    open_review(viewer, stored)
    assert "No result." in viewer.text("#review-sentence")
    assert viewer.text("#review-source") == "All values are estimated by a network."
    expect(viewer.page.locator("#review-tables table").first).to_be_visible()
    review = viewer.page.evaluate("fetch('/api/games/1/review').then((answer) => answer.json())")
    throws = review["review"]["throws"]
    mistakes = [one for one in throws if one["mistake_mark"]]
    assert mistakes
    for one in mistakes[:3]:
        viewer.page.get_by_role("button", name="Next mistake").click()
        viewer.wait_for_text("#step", f"Step {one['steps']['move']} of ")
        assert f"Given away {one['loss']:.1%}" in viewer.text("#worth")
        assert one["about"] in viewer.text("#worth")
        # The played move is dashed, the best one is not.
        ways = [way.get_attribute("class") for way in viewer.page.locator(".ur-way").all()]
        assert sorted(set(ways)) == ["ur-way", "ur-way ur-way-worse"]
    for key, one in zip("bbnn", [mistakes[at] for at in (1, 0, 1, 2)], strict=True):
        viewer.page.keyboard.press(key)
        viewer.wait_for_text("#step", f"Step {one['steps']['move']} of ")
    value = viewer.page.locator("#slider").get_attribute("aria-valuetext") or ""
    assert "Ann" in value
    assert "%" in value


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_the_next_mistake_is_between_the_texts_that_it_changes_and_does_not_move(
    browser: Browser, stored: ServedTable, form: str
) -> None:
    with open_viewer(browser, form) as viewer:
        open_review(viewer, stored)
        button, places = viewer.page.locator("#mistake-on"), []
        for _ in range(6):
            before = viewer.text("#step")
            button.click()
            viewer.until(lambda before=before: viewer.text("#step") != before, "a mistake")
            places.append(viewer.page.evaluate(PLACES))
        assert places == places[:1] * 6
        headline, board, mistake, values = places[0]
        # On a phone the board is between them.
        above = headline if form == "desk" else board
        assert above < mistake < above + BETWEEN[form]
        assert mistake < values < mistake + 60


def test_a_click_on_the_curve_goes_to_its_step(viewer: Viewer, stored: ServedTable) -> None:
    open_review(viewer, stored)
    curve = viewer.page.locator("#curve svg").first
    box = curve.bounding_box()
    assert box is not None
    last = int(viewer.page.locator("#slider").get_attribute("max") or 0)
    curve.click(position={"x": box["width"] / 2, "y": 5})
    viewer.until(
        lambda: abs(int(viewer.page.locator("#slider").input_value()) - last / 2) <= 1,
        "the step in the middle",
    )


@pytest.mark.parametrize("form", ["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_review_and_it_fits(
    browser: Browser, stored: ServedTable, form: str, scheme: str
) -> None:
    with open_viewer(browser, form, color_scheme=scheme) as viewer:
        open_review(viewer, stored, 20)
        assert violations(viewer.page) == []
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not viewer.page.evaluate(wide)


def test_a_button_that_is_pressed_before_the_game_has_arrived_waits_for_it(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.page.add_init_script(
        "const fetched = window.fetch;"
        "window.fetch = async (...all) => {"
        "  await new Promise((done) => setTimeout(done, 1000));"
        "  return fetched(...all);"
        "};"
    )
    viewer.page.goto(f"{stored.url}games/1")
    viewer.page.get_by_text("Review this game").click()
    viewer.page.locator("#mistakes").wait_for(timeout=200_000)
