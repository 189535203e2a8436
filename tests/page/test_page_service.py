"""The page's address that the table shows and prints."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import pytest

from tests.page.table import PageDesk
from urpi.config import PageSection
from urpi.http.addresses import Address
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.page_service import PageService
from urpi.page.site import make_site


@contextmanager
def opened(service: PageService, desk: PageDesk) -> Iterator[None]:
    urls: SimpleQueue[str] = SimpleQueue()
    with service.opened(desk, urls.put):
        assert urls.get(timeout=60) == service.url
        yield


def test_a_page_that_is_closed_while_it_is_opened_is_not_served(desk: PageDesk) -> None:
    urls: SimpleQueue[str] = SimpleQueue()
    service = PageService(PageSection(listen="127.0.0.1:0"))
    with service.opened(desk, urls.put):
        pass
    assert (service.url, service.site) == ("", None)
    # It was opened before it was closed, or not at all.
    for _ in range(urls.qsize()):
        host, port = urls.get().removeprefix("http://").rstrip("/").split(":")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, int(port))).close()


@pytest.mark.parametrize(
    ("public_url", "shown", "printed"),
    [
        ("https://ur.example.org", "ur.example.org", "https://ur.example.org/"),
        ("https://a.org:8443", "https://a.org:8443", "https://a.org:8443/"),
    ],
)
def test_behind_a_proxy_the_table_shows_and_prints_the_public_url(
    desk: PageDesk, public_url: str, shown: str, printed: str
) -> None:
    service = PageService(PageSection(listen="127.0.0.1:0", public_url=public_url))
    with opened(service, desk):
        assert service.about().address == shown
        assert service.url == printed
    assert service.url == ""


def test_without_a_proxy_the_table_shows_the_address_that_is_listened_on(desk: PageDesk) -> None:
    service = PageService(PageSection(listen="127.0.0.1:0"))
    with opened(service, desk):
        assert service.url == f"http://{service.about().address}/"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8011/"),
        ("::", "http://[::1]:8011/"),
        ("192.168.1.20", "http://192.168.1.20:8011/"),
    ],
)
def test_the_url_for_this_machine_names_an_address_that_it_can_reach(
    desk: PageDesk, host: str, url: str
) -> None:
    site = make_site(desk)
    assert PageServer(make_app(site), site.feed, Address(host, 8011)).url == url
