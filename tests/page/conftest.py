"""Fixtures: the browser, and a table with a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.page.player_page import DEADLINE_S, chromium
from tests.page.served_table import ServedTable, Viewer, open_viewer, served_table

expect.set_options(timeout=1000 * DEADLINE_S)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this package in a process; each opens contexts of its own."""
    with chromium() as one:
        yield one


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    with served_table(tmp_path) as one:
        yield one


@pytest.fixture
def viewer(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Viewer]:
    """A viewer with a desktop screen, whose page is closed before the table is."""
    if "table" in request.fixturenames:
        request.getfixturevalue("table")
    with open_viewer(browser) as one:
        yield one


@pytest.fixture
def shots() -> Path:
    """The folder for screenshots, which are for review and not under version control."""
    folder = Path(__file__).parent / "screenshots"
    folder.mkdir(exist_ok=True)
    return folder
