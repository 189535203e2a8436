"""Sharing: the link to a step with its QR code, and the pictures and files beside it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots, open_acts
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    with served_table(tmp_path_factory.mktemp("library")) as table:
        table.new_game()
        table.play(40)
        yield table


def test_a_step_of_a_replay_is_shared_by_its_link(
    viewer: Viewer, library: ServedTable, shots: Screenshots
) -> None:
    viewer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    viewer.open(f"{library.url}games/1#9")
    viewer.page.get_by_role("button", name="Share this game").click()
    link = viewer.page.locator("#share-link")
    link.wait_for()
    expect(link).not_to_be_editable()
    assert link.input_value() == f"{library.url}games/1?step=9"
    # The table listens on loopback.
    expect(viewer.page.get_by_text("This link works only on this device.")).to_be_visible()
    assert viewer.page.get_by_role("img", name="QR code of the link").count() == 0
    viewer.page.get_by_role("button", name="Copy the link").click()
    viewer.wait_for_text("dialog.share", "The link is copied.")
    copied = viewer.page.evaluate("navigator.clipboard.readText()")
    assert copied == link.input_value()
    shots(viewer.page, "share.png")

    viewer.open(copied)
    viewer.wait_for_text("#step", "Step 9 of ")
    viewer.page.keyboard.press("ArrowRight")
    viewer.page.reload()
    viewer.wait_for_text("#step", "Step 10 of ")


def reachable(route: Route) -> None:
    """Respond as a table that other devices can reach."""
    response = route.fetch()
    route.fulfill(response=response, json=response.json() | {"local": False})


def test_a_link_that_others_can_open_has_a_qr_code(viewer: Viewer, library: ServedTable) -> None:
    viewer.page.route("**/api/games/1/link*", reachable)
    viewer.open(f"{library.url}games/1")
    viewer.page.get_by_role("button", name="Share this game").click()
    expect(viewer.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    assert not viewer.page.get_by_text("This link works only on this device.").count()


def test_the_files_of_the_dialog_can_be_downloaded(viewer: Viewer, library: ServedTable) -> None:
    viewer.open(f"{library.url}games/1#9")
    viewer.page.get_by_role("button", name="Share this game").click()
    for name, file in (("SVG", "game-1-9.svg"), ("Replay", "game-1-replay.html")):
        with viewer.page.expect_download() as download:
            viewer.page.locator(".share").get_by_role("link", name=name).click()
        assert download.value.suggested_filename == file


def test_the_table_s_own_game_is_shared(viewer: Viewer, library: ServedTable) -> None:
    viewer.open(library.url)
    open_acts(viewer.page)
    viewer.page.get_by_role("button", name="Share this game").click()
    viewer.page.locator("#share-link").wait_for()
    assert viewer.page.locator("#share-link").input_value() == f"{library.url}games/1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("form", ["phone", "desk"])
def test_axe_finds_nothing_and_everything_fits(
    browser: Browser, library: ServedTable, form: str, scheme: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, color_scheme=scheme) as viewer:
        if scheme == "dark":
            viewer.page.route("**/api/games/1/link*", reachable)
        viewer.open(f"{library.url}games/1")
        viewer.page.get_by_role("button", name="Share this game").click()
        viewer.page.locator("#share-link").wait_for()
        shots(viewer.page, f"share-{form}-{scheme}.png")
        dialog = viewer.page.locator("dialog.share")
        assert dialog.evaluate("one => one.scrollWidth <= one.clientWidth")
        assert violations(viewer.page) == []
