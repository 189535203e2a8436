"""The page of the players: exercises from their own games, and who sees them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import FORMS, ServedTable, Viewer, open_viewer, served_table
from tests.journal.games import store_game
from urpi.cli.main import cli
from urpi.journal import Journal, read_answers

PIN = "314159"
ASKED = "#choices button"


def store_reviewed(path: Path) -> None:
    """Store two games of Ann and Zoë with their reviews."""
    with Journal.open(path) as journal:
        for seed in (1, 2):
            store_game(journal, "blitz", seed=seed, longest=150)
    arguments = ["games", "--journal", str(path), "figures", "--tables", str(path.parent / "none")]
    CliRunner().invoke(cli, arguments, catch_exceptions=False)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with reviewed games."""
    path = tmp_path_factory.mktemp("reviewed") / "games.sqlite"
    store_reviewed(path)
    return path


@pytest.fixture
def table(games: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ServedTable]:
    for file in games.parent.glob("games.sqlite*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with served_table(tmp_path, getattr(request, "param", None)) as one:
        yield one


def answer_next(page: Page, at: int = 0) -> None:
    """Answer the exercise that is asked, and wait for the result."""
    page.locator(ASKED).nth(at).click()
    expect(page.locator("#next")).to_be_focused()


def test_an_impatient_player_answers_everything_with_a_few_clicks(
    viewer: Viewer, table: ServedTable
) -> None:
    page = viewer.page
    viewer.open(f"{table.url}players", "#names button")
    page.locator("#names").get_by_role("button", name="Ann").click()
    page.wait_for_selector(ASKED)
    assert page.url.endswith("?player=Ann")
    expect(page.locator("#ask")).to_have_text("What would you play?")
    expect(page.locator("#asked")).to_contain_text("Ann threw")
    # A double click is one answer.
    page.locator(ASKED).first.dblclick()
    expect(page.locator("#next")).to_be_visible()
    expect(page.locator("#answer-list li")).to_have_count(1)
    answered = 1
    while True:
        page.locator("#next").click()
        page.wait_for_function("() => document.querySelector('#choices button, #board[hidden]')")
        if not page.locator(ASKED).count():
            break
        answer_next(page)
        answered += 1
        expect(page.locator("#answer-list li")).to_have_count(answered)
        expect(page.locator("#choices .answered")).to_have_count(1)
    assert answered > 3
    expect(page.locator("#asked")).to_contain_text("The next exercise returns on")
    with Journal.open(table.table.path) as journal:
        assert len(read_answers(journal)) == answered


def test_the_board_shows_each_move_before_it_is_chosen_and_the_best_one_afterwards(
    viewer: Viewer, table: ServedTable
) -> None:
    page = viewer.page
    viewer.open(f"{table.url}players?player=Ann", ASKED)
    expect(page.locator(".ur-piece")).to_have_count(10)
    assert page.locator(".ur-way").count() == 0
    page.locator(ASKED).first.hover()
    expect(page.locator(".ur-way")).to_have_count(1)
    page.keyboard.press("Tab")
    page.locator(ASKED).last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#next")).to_be_focused()
    expect(page.locator(".ur-way:not(.ur-way-worse)")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_selector(ASKED)
    page.go_back()
    assert page.url.startswith("about:") or "players" in page.url


def test_the_parts_of_an_exercise_are_loaded_only_for_one(
    viewer: Viewer, table: ServedTable
) -> None:
    loaded: list[str] = []
    viewer.page.on("request", lambda request: loaded.append(request.url))
    viewer.open(f"{table.url}players", "#names button")
    assert not any("exercise.js" in url for url in loaded)
    viewer.page.locator("#names button").first.click()
    viewer.page.wait_for_selector(ASKED)
    assert any("exercise.js" in url for url in loaded)


@pytest.mark.parametrize("table", [PIN], indirect=True)
def test_others_see_a_player_only_if_the_player_shows_the_page(
    browser: Browser, table: ServedTable
) -> None:
    with open_viewer(browser, "phone") as owner, open_viewer(browser) as other:
        other.page.goto(f"{table.url}players")
        expect(other.page.locator("#found")).to_contain_text("Without the PIN")
        assert other.page.locator("#names button").count() == 0
        owner.page.goto(f"{table.url}players")
        owner.page.locator("#enter").click()
        owner.page.locator("#pin-digits").fill(PIN)
        owner.page.keyboard.press("Enter")
        owner.page.locator("#names").get_by_role("button", name="Zoë").click()
        owner.page.locator("#shown-button").click()
        expect(owner.page.locator("#shown-text")).to_have_text("Everyone sees this page.")
        other.page.reload()
        expect(other.page.locator("#names button")).to_have_count(1)
        expect(other.page.locator("#figures dt").first).to_be_visible()
        # The last request of the page, which would be refused later.
        expect(other.page.locator("#exercise")).to_be_visible()
        owner.page.locator("#shown-button").click()
        expect(owner.page.locator("#shown-text")).to_contain_text("Only those with the PIN")
        other.page.reload()
        expect(other.page.locator("#found")).to_contain_text("Without the PIN")


def test_a_lost_connection_is_reported_and_the_answer_can_be_given_again(
    viewer: Viewer, table: ServedTable
) -> None:
    page = viewer.page
    viewer.open(f"{table.url}players?player=Ann", ASKED)
    page.route("**/api/exercise", lambda route: route.abort())
    page.locator(ASKED).first.click()
    expect(page.locator("#result .bad")).not_to_be_empty()
    viewer.errors.clear()
    page.unroute("**/api/exercise")
    answer_next(page)


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "hu", "pt", "ru", "sl"])
def test_nothing_is_cut_in_any_language(
    browser: Browser, table: ServedTable, language: str, shots: Screenshots
) -> None:
    with open_viewer(browser) as viewer:
        page = viewer.page
        page.context.add_cookies([{"name": "urpi-language", "value": language, "url": table.url}])
        viewer.open(f"{table.url}players?player=Ann", ASKED)
        for state in ("asked", "answered"):
            if state == "answered":
                answer_next(page, 1)
            for width in (320, 768, 1920):
                page.set_viewport_size({"width": width, "height": 800})
                shots(page, f"players-{language}-{width}-{state}.png", full_page=True)
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
                assert page.locator("main button, main li, main p, .top a").evaluate_all(cut) == 0


@pytest.mark.parametrize("form", FORMS)
def test_the_page_is_accessible(browser: Browser, table: ServedTable, form: str) -> None:
    with open_viewer(browser, form) as viewer:
        viewer.open(f"{table.url}players?player=Ann", ASKED)
        for _ in range(2):
            assert violations(viewer.page) == []
            assert too_small(viewer.page) == []
            if not viewer.page.locator("#next").count():
                answer_next(viewer.page)
