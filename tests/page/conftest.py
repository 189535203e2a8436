"""Fixtures: a table with a running game, its page, and a browser on the same machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.page.client import Client
from tests.page.table import PageDesk, Table
from urpi.http.addresses import Address
from urpi.http.proxies import ProxySettings
from urpi.page.app import make_app
from urpi.page.site import Site, make_site

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
    """A table that several tests share, which must not change it."""
    with table_in(tmp_path_factory.mktemp("quiet")) as opened:
        yield opened


@pytest.fixture(scope="module")
def reader(quiet_table: Table) -> Client:
    """A browser on the same machine, at the shared table."""
    proxy = ProxySettings(trust_loopback=True)
    return Client(make_app(make_site(PageDesk(quiet_table), pin=PIN, proxy=proxy)))


@pytest.fixture
def desk(table: Table) -> PageDesk:
    return PageDesk(table)


@pytest.fixture
def site(desk: PageDesk) -> Site:
    """A page that trusts this machine."""
    return make_site(desk, pin=PIN, proxy=ProxySettings(trust_loopback=True))


@pytest.fixture
def client(site: Site) -> Client:
    return Client(make_app(site))


@pytest.fixture
def network_site(desk: PageDesk) -> Site:
    """A page that the whole network can reach; its clock stands still until a test sets it."""
    made = make_site(desk, pin=PIN, names=("ur.example.org",))
    made.listen = Address("192.168.1.20", 8011)
    made.clock = lambda: 0.0
    return made


@pytest.fixture
def guest(network_site: Site) -> Client:
    """A browser on another machine."""
    app, host = make_app(network_site), "192.168.1.20"
    return Client(app, host=f"{host}:8011", address="192.168.1.77", server=host)
