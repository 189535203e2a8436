"""What the table shows and prints of where its page is."""

import pytest

from tests.web.table import PageDesk
from urpi.config import Page as PageSettings
from urpi.web.app import make_app
from urpi.web.page import make_page
from urpi.web.proxies import PublicUrl
from urpi.web.server import Address, PageServer
from urpi.web.table_page import TablePage, address_for_others


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
    page = TablePage(PageSettings(listen="127.0.0.1:0", public_url=public_url))
    with page.opened(desk):
        assert page.about().address == shown
        assert page.url == printed
    assert page.url == ""


def test_without_a_proxy_it_is_the_address_that_is_listened_on(desk: PageDesk) -> None:
    page = TablePage(PageSettings(listen="127.0.0.1:0"))
    with page.opened(desk):
        assert page.url == f"http://{page.about().address}/"


def test_the_public_url_is_shown_whatever_is_listened_on() -> None:
    public = PublicUrl.parse("https://ur.example.org")
    assert address_for_others(Address("0.0.0.0", 8011), public) == "ur.example.org"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8011/"),
        ("::", "http://[::1]:8011/"),
        ("192.168.1.20", "http://192.168.1.20:8011/"),
    ],
)
def test_a_browser_on_this_machine_finds_a_page_that_is_served_everywhere(
    desk: PageDesk, host: str, url: str
) -> None:
    page = make_page(desk)
    assert PageServer(make_app(page), page.feed, Address(host, 8011)).url == url
