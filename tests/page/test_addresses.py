"""The addresses under which other devices reach the page."""

import errno
import socket
from urllib.request import urlopen

import ifaddr
import pytest

from tests.page.table import PageDesk
from urpi.http.addresses import (
    Address,
    InterfaceAddress,
    Link,
    interface_addresses,
    links_for_others,
    short_address,
    usable_addresses,
)
from urpi.http.proxies import PublicUrl
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.site import make_site

FOUND = [
    InterfaceAddress("127.0.0.1", "lo"),
    InterfaceAddress("::1", "lo"),
    InterfaceAddress("169.254.7.7", "usb0"),
    InterfaceAddress("172.17.0.1", "docker0"),
    InterfaceAddress("192.168.1.20", "wlan0"),
    InterfaceAddress("192.168.1.21", "wlan0"),
    InterfaceAddress("fe80::20", "wlan0"),
    InterfaceAddress("2001:db8::20", "wlan0"),
    InterfaceAddress("fd00::20", "wlan0"),
]
USABLE = usable_addresses(FOUND, "192.168.1.21")
PUBLIC = PublicUrl.parse("https://ur.example.org")


def test_each_interface_has_its_addresses_and_the_outgoing_one_is_first() -> None:
    assert [one.host for one in USABLE] == [
        "192.168.1.21",
        "172.17.0.1",
        "2001:db8::20",
        "169.254.7.7",
    ]
    assert [one.host for one in usable_addresses(FOUND, None)] == [
        "172.17.0.1",
        "192.168.1.20",
        "2001:db8::20",
        "169.254.7.7",
    ]
    assert usable_addresses(FOUND[:2], None) == ()


@pytest.mark.parametrize(
    ("host", "urls"),
    [
        (
            "0.0.0.0",
            [
                "http://192.168.1.21:8031/",
                "http://172.17.0.1:8031/",
                "http://169.254.7.7:8031/",
            ],
        ),
        (
            "::",
            [
                "http://192.168.1.21:8031/",
                "http://172.17.0.1:8031/",
                "http://[2001:db8::20]:8031/",
                "http://169.254.7.7:8031/",
            ],
        ),
        ("192.168.1.20", ["http://192.168.1.20:8031/"]),
        ("fd00::20", ["http://[fd00::20]:8031/"]),
        ("127.0.0.1", []),
        ("127.0.0.2", []),
        ("::1", []),
    ],
)
def test_others_reach_the_page_at_every_address_that_it_listens_on(
    host: str, urls: list[str]
) -> None:
    links = links_for_others(Address(host, 8031), None, USABLE)
    assert [link.url for link in links] == urls


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "192.168.1.20"])
def test_the_public_url_of_a_proxy_is_the_only_link(host: str) -> None:
    assert links_for_others(Address(host, 8031), PUBLIC, USABLE) == (
        Link("https://ur.example.org/"),
    )
    assert short_address(Address(host, 8031), PUBLIC, USABLE) == "ur.example.org"


@pytest.mark.parametrize(
    ("host", "interfaces", "address"),
    [
        ("0.0.0.0", USABLE, "192.168.1.21:8031"),
        ("::", USABLE, "192.168.1.21:8031"),
        ("::", (InterfaceAddress("2001:db8::20", "eth0"),), "[2001:db8::20]:8031"),
        ("0.0.0.0", (), f"{socket.gethostname()}.local:8031"),
        ("127.0.0.1", USABLE, "127.0.0.1:8031"),
        ("::1", USABLE, "[::1]:8031"),
    ],
)
def test_the_display_shows_one_address(
    host: str, interfaces: tuple[InterfaceAddress, ...], address: str
) -> None:
    assert short_address(Address(host, 8031), None, interfaces) == address


def test_addresses_that_the_system_does_not_reveal_are_no_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> None:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    assert interface_addresses() == ()


def test_this_machine_s_addresses_can_be_listened_on() -> None:
    found = interface_addresses()
    if not found:
        pytest.skip("this machine has no address that others can use")
    for one in found:
        family = socket.AF_INET6 if ":" in one.host else socket.AF_INET
        with socket.socket(family) as opened:
            opened.bind((one.host, 0))


def test_the_page_at_all_addresses_is_served_over_ipv6_and_ipv4(desk: PageDesk) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    site = make_site(desk)
    with PageServer(make_app(site), site.feed, Address("::", 0)) as server:
        for host in ("127.0.0.1", "[::1]"):
            with urlopen(f"http://{host}:{server.address.port}/api/languages") as response:
                assert response.status == 200


def test_the_site_s_links_follow_the_network(desk: PageDesk) -> None:
    site = make_site(desk)
    assert (site.links, site.address) == ((), "")
    site.listen = Address("0.0.0.0", 8031)
    site.interfaces = lambda: ()
    assert site.links == ()
    site.interfaces = lambda: USABLE
    assert site.links[0] == Link("http://192.168.1.21:8031/", "wlan0")
    assert site.address == "192.168.1.21:8031"
