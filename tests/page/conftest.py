"""The browser, and a table that is served to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.at_table import chromium
from tests.page.served import Served, Visitor, served, visitor


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as one:
        yield one


@pytest.fixture
def guest(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody before a screen on a desk, who leaves before the table is closed."""
    if "table" in request.fixturenames:
        request.getfixturevalue("table")
    with visitor(browser) as one:
        yield one


@pytest.fixture
def shots() -> Path:
    """Where pictures of the pages go, to be looked at; not kept in the history."""
    folder = Path(__file__).parent / "screenshots"
    folder.mkdir(exist_ok=True)
    return folder
