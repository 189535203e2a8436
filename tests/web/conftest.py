"""A table with a game on, its page, and a browser on the same machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.client import Client
from tests.web.table import PageDesk, Table
from urpi.web.app import make_app
from urpi.web.page import Page, make_page
from urpi.web.proxies import Entrance

PIN = "314159"


@contextmanager
def table_in(folder: Path) -> Iterator[Table]:
    opened = Table.at(folder / "games.sqlite")
    opened.begin()
    yield opened
    opened.service.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with table_in(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def quiet_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """One that several tests share: they change nothing there."""
    with table_in(tmp_path_factory.mktemp("quiet")) as opened:
        yield opened


@pytest.fixture(scope="module")
def reader(quiet_table: Table) -> Client:
    """A browser on the same machine, at the table that nobody changes."""
    return Client(
        make_app(make_page(PageDesk(quiet_table), pin=PIN, entrance=Entrance(trust_loopback=True)))
    )


@pytest.fixture
def desk(table: Table) -> PageDesk:
    return PageDesk(table)


@pytest.fixture
def page(desk: PageDesk) -> Page:
    """A page that trusts this machine."""
    return make_page(desk, pin=PIN, entrance=Entrance(trust_loopback=True))


@pytest.fixture
def client(page: Page) -> Client:
    return Client(make_app(page))


@pytest.fixture
def open_page(desk: PageDesk) -> Page:
    """Of a page that the whole network has; its clock stands still until a test moves it."""
    made = make_page(desk, pin=PIN, names=("ur.example.org",))
    made.address = "192.168.1.20:8011"
    made.clock = lambda: 0.0
    return made


@pytest.fixture
def guest(open_page: Page) -> Client:
    """Somebody on the network."""
    return Client(
        make_app(open_page), host="192.168.1.20:8011", address="192.168.1.77", server="192.168.1.20"
    )
