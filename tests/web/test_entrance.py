"""Who a request comes from, and which pages it may come from, with and without a proxy."""

import pytest
from starlette.datastructures import Headers

from tests.web.client import Client
from tests.web.conftest import PIN
from tests.web.table import PageDesk
from urpi.web.access import session_cookie
from urpi.web.app import make_app
from urpi.web.page import make_page
from urpi.web.proxies import Entrance, PublicUrl, Visitor

PUBLIC = PublicUrl.parse("https://ur.example.org")
TRUSTING = Entrance(trust_loopback=True)
RESIGN = {"side": "light"}


def visitor(
    entrance: Entrance, address: str = "127.0.0.1", version: str = "1.1", **headers: str
) -> Visitor:
    scope = {"client": (address, 50000), "http_version": version}
    sent = {"host": "127.0.0.1:8011"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return entrance.visitor(scope, Headers(sent))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8011", "127.0.0.1.:8011", "[::1]:8011", "[::ffff:127.0.0.1]"]
)
def test_a_direct_connection_on_this_machine_is_local(address: str, host: str) -> None:
    assert visitor(Entrance(), address, host=host).is_local


@pytest.mark.parametrize(
    "headers",
    [
        {"forwarded": "for=192.0.2.1"},
        {"via": "1.1 proxy"},
        {"x_forwarded_for": "192.0.2.1"},
        {"x_forwarded_for": ""},
        {"x_forwarded_for": "127.0.0.1"},
        {"x_forwarded_proto": "https"},
        {"x_forwarded_host": "localhost"},
        {"x_forwarded": "1"},
        {"x_real_ip": "127.0.0.1"},
        {"X_Real_IP": "127.0.0.1"},
        {"cf_connecting_ip": "192.0.2.1"},
        {"true_client_ip": "192.0.2.1"},
        {"host": "ur.example.org"},
        {"host": "192.168.1.20:8011"},
        {"host": "localhost.example.org"},
        {"host": "localhost:80x"},
        {"host": ""},
        {"version": "1.0"},
        {"address": "192.168.1.77"},
        {"address": "::ffff:192.168.1.77"},
        {"address": "?"},
    ],
)
def test_whatever_a_proxy_shows_of_itself_makes_a_request_not_local(
    headers: dict[str, str],
) -> None:
    assert not visitor(TRUSTING, **headers).is_local


def test_behind_a_public_url_a_request_is_local_only_where_loopback_is_trusted() -> None:
    assert not visitor(Entrance(PUBLIC)).is_local
    assert visitor(Entrance(PUBLIC, trust_loopback=True)).is_local


@pytest.mark.parametrize(
    ("entrance", "peer", "forwarded", "address"),
    [
        (Entrance(PUBLIC), "127.0.0.1", "192.0.2.1", "192.0.2.1"),
        (Entrance(PUBLIC), "::1", "2001:db8::1", "2001:db8::1"),
        # What comes before the last address was sent by the browser itself.
        (Entrance(PUBLIC), "127.0.0.1", "127.0.0.1, 192.0.2.1", "192.0.2.1"),
        (Entrance(PUBLIC), "127.0.0.1", "192.0.2.1, unknown", "127.0.0.1"),
        (Entrance(PUBLIC), "127.0.0.1", "x" * 9000, "127.0.0.1"),
        (Entrance(PUBLIC), "127.0.0.1", "", "127.0.0.1"),
        (Entrance(PUBLIC), "192.168.1.77", "192.0.2.1", "192.168.1.77"),
        (Entrance(), "127.0.0.1", "192.0.2.1", "127.0.0.1"),
    ],
)
def test_the_address_is_taken_from_a_proxy_on_this_machine_alone(
    entrance: Entrance, peer: str, forwarded: str, address: str
) -> None:
    assert visitor(entrance, peer, x_forwarded_for=forwarded).address == address


@pytest.mark.parametrize(
    ("url", "origin", "short", "named"),
    [
        (
            "https://ur.example.org",
            "https://ur.example.org",
            "ur.example.org",
            "ur.example.org:443",
        ),
        ("http://ur.example.org:80", "http://ur.example.org", "ur.example.org", "ur.example.org."),
        ("https://a.org:8443", "https://a.org:8443", "https://a.org:8443", "A.org:8443"),
        ("https://[2001:db8::1]", "https://[2001:db8::1]", "[2001:db8::1]", "[2001:DB8::1]"),
    ],
)
def test_a_public_url_is_written_as_browsers_do(
    url: str, origin: str, short: str, named: str
) -> None:
    public = PublicUrl.parse(url)
    assert (public.origin, public.short) == (origin, short)
    assert public.is_named_by(named)
    assert not public.is_named_by(f"{public.host}:8011")
    assert not public.is_named_by("evil.example")


@pytest.fixture
def proxied(desk: PageDesk) -> Client:
    """A browser behind a proxy that passes Host on and tells the browser's address."""
    page = make_page(desk, pin=PIN, entrance=Entrance(PUBLIC))
    page.clock = lambda: 0.0
    return Client(make_app(page), host="ur.example.org")


FORWARDED = {"x_forwarded_for": "192.0.2.1"}


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("ur.example.org", "https://ur.example.org", 401),
        ("ur.example.org:443", "https://ur.example.org", 401),
        # A proxy that passes another Host: the browser's Origin is the public URL's still.
        ("127.0.0.1:8011", "https://ur.example.org", 401),
        # Not through the proxy, by a name of the machine's own.
        ("127.0.0.1:8011", "http://127.0.0.1:8011", 401),
        ("ur.example.org", "http://ur.example.org", 403),
        ("ur.example.org", "https://ur.example.org:8443", 403),
        ("ur.example.org", "https://ur.example.org.", 403),
        ("ur.example.org", "https://evil.example", 403),
        ("127.0.0.1:8011", "https://127.0.0.1:8011", 403),
        ("ur.example.org:8011", "https://ur.example.org", 421),
        ("evil.example", "https://evil.example", 421),
    ],
)
def test_host_and_origin_are_compared_with_the_public_url(
    proxied: Client, host: str, origin: str, status: int
) -> None:
    proxied.host = host
    assert proxied.post("/api/resign", RESIGN, origin=origin, **FORWARDED).status == status


@pytest.mark.parametrize(
    ("host", "origin", "secure"),
    [
        ("ur.example.org", "https://ur.example.org", True),
        ("127.0.0.1:8011", "https://ur.example.org", True),
        ("127.0.0.1:8011", "http://127.0.0.1:8011", False),
    ],
)
def test_a_session_begun_over_https_is_kept_to_https(
    proxied: Client, host: str, origin: str, secure: bool
) -> None:
    proxied.host = host
    answer = proxied.post("/api/session", {"pin": PIN}, origin=origin)
    assert answer.status == 200
    assert ("; Secure" in answer.headers["set-cookie"]) is secure
    assert list(proxied.cookies) == ["__Host-urpi-session" if secure else "urpi-session"]
    assert proxied.get("/api/state").json["may_act"] is True
    headers = {"content-type": "application/json", "origin": origin}
    assert proxied.ask("DELETE", "/api/session", headers=headers).status == 200
    assert proxied.cookies == {}


def test_a_cookie_that_ends_a_session_has_its_name_and_attributes() -> None:
    begun = "HttpOnly; SameSite=Strict; Path=/"
    assert session_cookie("t", secure=True) == f"__Host-urpi-session=t; Secure; {begun}"
    assert session_cookie("", secure=True) == f"__Host-urpi-session=; Secure; {begun}; Max-Age=0"
    assert session_cookie("", secure=False) == f"urpi-session=; {begun}; Max-Age=0"


def test_orders_behind_a_proxy_are_counted_by_the_browser_s_address(proxied: Client) -> None:
    def status(address: str) -> int:
        headers = {"origin": PUBLIC.origin, "x_forwarded_for": address}
        return proxied.post("/api/session", {"pin": "x"}, **headers).status

    assert [status("192.0.2.1") for _ in range(70)] == [400] * 60 + [429] * 10
    assert status("192.0.2.2") == 400
