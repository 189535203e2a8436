"""The overlay for streams: transparent, without controls, and the only page that may be framed."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import ServedTable, Viewer, open_viewer
from tests.browser.test_watching import wait_for_position
from urpi.referee.facts import Resign
from urpi.rules import Side
from urpi.show.words import languages, words_for

STREAM = {"width": 1280, "height": 720}
ERRORS = ("X-Frame-Options", "frame-ancestors", "ERR_BLOCKED_BY_RESPONSE")


@pytest.fixture
def playing(table: ServedTable) -> ServedTable:
    table.new_game()
    table.play(30)
    table.play_until_move()
    return table


@contextmanager
def site_with(url: str) -> Iterator[str]:
    """Serve a page of another origin that shows a URL in a frame."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<iframe id="one" src="{url}" width=900 height=700>'.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_the_overlay_shows_the_game_in_a_frame_of_another_site(
    viewer: Viewer, playing: ServedTable
) -> None:
    with site_with(f"{playing.url}overlay") as site:
        viewer.page.goto(site)
        overlay = viewer.page.frame_locator("#one")
        expect(overlay.locator("#name-light")).to_have_text("Ann")
        expect(overlay.locator("#value")).not_to_be_empty()
        expect(overlay.locator(".ur-mark-last")).not_to_have_count(0)
        expect(overlay.locator(".ur-piece")).not_to_have_count(0)
    viewer.errors.clear()


@pytest.mark.parametrize("path", ["", "games/1"])
def test_no_other_page_can_be_framed(viewer: Viewer, playing: ServedTable, path: str) -> None:
    with site_with(playing.url + path) as site:
        viewer.page.goto(site)
        viewer.until(
            lambda: any(part in error for error in viewer.errors for part in ERRORS), "the refusal"
        )
        assert viewer.page.frame_locator("#one").locator("main").count() == 0
    viewer.errors.clear()


@pytest.mark.parametrize("layout", ["below", "side", "names", "unknown"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_fits_and_the_ground_is_transparent(
    browser: Browser, playing: ServedTable, layout: str, scheme: str, shots: Screenshots
) -> None:
    with open_viewer(browser, viewport=STREAM, color_scheme=scheme) as viewer:
        viewer.open(f"{playing.url}overlay?layout={layout}")
        wait_for_position(viewer, playing)
        viewer.until(lambda: viewer.text("#last"), "the last decision")
        picture = viewer.page.screenshot(omit_background=True)
        with Image.open(BytesIO(picture)) as shown:
            corners = [(0, 0), (1279, 0), (0, 719), (1279, 719)]
            assert [shown.getpixel(corner)[3] for corner in corners] == [0, 0, 0, 0]
            ground = Image.new("RGBA", shown.size, "#0a8f3c")
            ground.alpha_composite(shown)
            shots.save(ground, f"overlay-{layout}-{scheme}.png")
        for part in (".plate-dark", ".plate-light", ".events", "#board"):
            if box := viewer.page.locator(part).bounding_box():
                assert box["x"] >= 0
                assert box["y"] >= 0
                assert box["x"] + box["width"] <= 1281
                assert box["y"] + box["height"] <= 721
        assert viewer.page.locator("#board").is_visible() == (layout != "names")
        assert violations(viewer.page) == []


def test_the_result_is_not_cut(browser: Browser, playing: ServedTable) -> None:
    playing.new_game(light="A name of forty letters, which is a lot!")
    playing.table.submit(Resign(playing.table.t, Side.DARK))
    with open_viewer(browser, viewport={"width": 1024, "height": 600}) as viewer:
        viewer.open(f"{playing.url}overlay")
        result = viewer.page.locator("#last")
        for language in languages():
            playing.desk.words = words_for(language)
            for watch in playing.table.watching:
                watch(playing.table.change())
            viewer.page.wait_for_selector(f"html[lang={language}]", state="attached")
            outcome = viewer.page.request.get(f"{playing.url}api/state").json()["outcome"]
            expect(result).to_have_text(outcome["text"])
            assert result.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), language


def test_the_overlay_follows_the_game_and_offers_no_control(
    viewer: Viewer, playing: ServedTable
) -> None:
    viewer.open(f"{playing.url}overlay")
    for _ in range(3):
        playing.play(5)
        wait_for_position(viewer, playing)
    viewer.page.keyboard.press("Tab")
    assert viewer.page.evaluate("document.activeElement === document.body")
    assert viewer.page.locator("button, a, input, select").count() == 0


def test_theme_and_language_are_options_of_the_address(
    viewer: Viewer, playing: ServedTable
) -> None:
    viewer.open(f"{playing.url}overlay?theme=wood&language=hu")
    viewer.until(lambda: viewer.page.evaluate("document.documentElement.lang") == "hu", "Hungarian")
    in_hand = words_for("hu").text("in hand {hand}, home {home}").partition("{")[0].strip()
    viewer.wait_for_text("#score-light", in_hand)
    assert viewer.page.evaluate("document.documentElement.dataset.theme") == "wood"
    hungarian = viewer.text("#last")
    viewer.open(f"{playing.url}overlay?language=xx&theme=none")
    viewer.until(
        lambda: viewer.text("#last") not in {"", hungarian},
        "the last decision in the table's language",
    )
    assert viewer.page.evaluate("document.documentElement.dataset.theme") == "lapis"
    # The browser logs that the table has no such language.
    viewer.errors.clear()
