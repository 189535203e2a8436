"""Fixtures: the browser, and a table with a page."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player_page import DEADLINE_S, Screenshots, chromium
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table
from tests.in_memory import use_memory

expect.set_options(timeout=1000 * DEADLINE_S)

MAX_WORKERS = 8
"""Maximum number of processes, each of which needs half a gigabyte of memory with its browser."""
VIEWS = {"form", "height", "language", "layout", "ratio", "scheme", "screen", "width"}
"""Parameters for how a page is seen: on which screen, in which colours, in which language."""


def pytest_configure() -> None:
    use_memory()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow all but one of the cases of a test that differ only in how the page is seen."""
    seen = set()
    for item in sorted(items, key=lambda item: item.nodeid):
        values = getattr(getattr(item, "callspec", None), "params", {})
        if item.path.parent == Path(__file__).parent and VIEWS & values.keys():
            others = sorted((name, str(one)) for name, one in values.items() if name not in VIEWS)
            case = (item.nodeid.partition("[")[0], *others)
            if case in seen:
                item.add_marker(pytest.mark.slow)
            seen.add(case)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return two processes for each core: half of the time, a test waits for its table."""
    return min(2 * (os.cpu_count() or 1), MAX_WORKERS)


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


@pytest.fixture(scope="session")
def shots(request: pytest.FixtureRequest) -> Screenshots:
    """Pictures of pages in tests/browser/screenshots, which is not under version control."""
    if not request.config.getoption("--screenshots"):
        return Screenshots(None)
    folder = Path(__file__).parent / "screenshots"
    folder.mkdir(exist_ok=True)
    return Screenshots(folder)
