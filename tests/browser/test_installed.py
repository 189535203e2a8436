"""The installed page: its icons, the page while the table is unavailable, and an upgrade."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.player_page import Screenshots
from tests.browser.served_table import Viewer, open_viewer
from tests.page.table import PageDesk, Table
from urpi.http.addresses import Address
from urpi.http.proxies import ProxySettings
from urpi.http.server import PageServer
from urpi.http.static_files import StaticFile
from urpi.page.app import make_app
from urpi.page.offline import HEADING
from urpi.page.site import make_site
from urpi.show.words import languages, words_for

READY = "navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))"
CACHES = "caches.keys()"
WORKER = {"service_workers": "allow"}
UNREACHABLE = ("ERR_CONNECTION_", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED")


@contextmanager
def served(table: Table, port: int = 0, changed: dict[str, str] | None = None) -> Iterator[str]:
    """Serve a table's page, with some of its files replaced, and yield its URL."""
    site = make_site(PageDesk(table), proxy=ProxySettings(trust_loopback=True))
    kinds = {name: file.type for name, file in site.files.items()}
    new = {
        name: StaticFile.of(text.encode(), kinds[name]) for name, text in (changed or {}).items()
    }
    site.files = {**site.files, **new}
    with PageServer(make_app(site), site.feed, Address("127.0.0.1", port), site.limits) as server:
        yield server.url


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Table]:
    table = Table.at(tmp_path / "games.sqlite")
    table.begin()
    yield table
    table.service.close()


def leave(viewer: Viewer) -> None:
    """Leave the page, and forget the errors that the browser logged without a server."""
    viewer.page.goto("about:blank")
    viewer.errors[:] = [one for one in viewer.errors if not any(k in one for k in UNREACHABLE)]


def test_a_page_shows_that_the_table_is_unavailable_and_recovers(
    browser: Browser, stored: Table, shots: Screenshots
) -> None:
    with open_viewer(browser, **WORKER, locale="hu-HU") as viewer:
        with served(stored) as url:
            viewer.open(url)
            viewer.until(lambda: viewer.page.evaluate(READY), "the service worker")
        heading = words_for("hu").text(HEADING)
        for path in ("", "games/1"):
            viewer.page.goto(url + path)
            assert viewer.text("h1:visible") == heading
        shots(viewer.page, "unavailable.png")
        assert viewer.page.evaluate("document.documentElement.lang") == "hu"
        port = int(re.search(r":(\d+)/", url)[1])
        with served(stored, port):
            viewer.page.wait_for_selector("#slider", state="attached", timeout=40_000)
            assert viewer.page.url.startswith(f"{url}games/1")
        leave(viewer)


def test_after_an_upgrade_nothing_old_is_left(browser: Browser, stored: Table) -> None:
    with open_viewer(browser, **WORKER) as viewer:
        with served(stored) as url:
            viewer.open(url)
            viewer.until(lambda: viewer.page.evaluate(READY), "the service worker")
            (old,) = viewer.page.evaluate(CACHES)
        viewer.page.goto(url)
        viewer.page.wait_for_selector(".unavailable")
        port = int(re.search(r":(\d+)/", url)[1])
        storage = "export const load = () => null, store = () => {}; document.title = 'new';"
        style = "body.unavailable { outline: 3px solid rgb(1, 2, 3); }"
        changed = {"js/storage.js": storage, "css/page.css": style}
        with served(stored, port, changed):
            viewer.page.wait_for_selector(".ur-piece", state="attached", timeout=40_000)
            loaded = viewer.page.evaluate(
                "fetch('/static/js/storage.js').then((one) => one.text())"
            )
            assert loaded == storage
            viewer.until(
                lambda: (
                    viewer.page.evaluate(CACHES) not in ([], [old])
                    and len(viewer.page.evaluate(CACHES)) == 1
                ),
                "the new service worker alone",
            )
        viewer.page.goto(url)
        viewer.page.wait_for_selector(".unavailable")
        outline = viewer.page.evaluate("getComputedStyle(document.body).outlineColor")
        assert outline == "rgb(1, 2, 3)"
        leave(viewer)


def test_the_manifest_names_icons_of_the_sizes_that_it_states(
    viewer: Viewer, stored: Table
) -> None:
    with served(stored) as url:
        viewer.open(url)
        link = viewer.page.locator("link[rel=manifest]").get_attribute("href")
        response = viewer.page.request.get(f"{url}{link.lstrip('/')}")
        assert response.headers["content-type"] == "application/manifest+json"
        manifest = json.loads(response.text())
        for icon in manifest["icons"]:
            file = viewer.page.request.get(f"{url}{icon['src'].lstrip('/')}")
            assert file.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                with Image.open(BytesIO(file.body())) as picture:
                    assert "{}x{}".format(*picture.size) == icon["sizes"]
        session = viewer.page.context.new_cdp_session(viewer.page)
        found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # The test's own window is a private one.
        assert {one["errorId"] for one in found} <= {"in-incognito"}
    leave(viewer)


@pytest.mark.parametrize("language", languages())
def test_the_unavailable_page_has_every_language(
    viewer: Viewer, stored: Table, language: str
) -> None:
    with served(stored) as url:
        text = viewer.page.request.get(f"{url}unavailable").text()
    assert words_for(language).text(HEADING) in text
