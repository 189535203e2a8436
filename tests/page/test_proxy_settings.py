"""The client and the allowed origins of a request, with and without a proxy."""

import pytest
from starlette.datastructures import Headers

from tests.page.client import Client
from tests.page.conftest import PIN
from tests.page.table import PageDesk
from tests.slow import mostly_slow
from urpi.http import proxies
from urpi.http.access import cookie_name, session_cookie
from urpi.http.proxies import ProxySettings, PublicUrl
from urpi.page.app import make_app
from urpi.page.site import make_site

PUBLIC = PublicUrl.parse("https://ur.example.org")
TRUSTING = ProxySettings(trust_loopback=True)
RESIGN = {"side": "light"}


def client_of(
    proxy: ProxySettings, address: str = "127.0.0.1", version: str = "1.1", **headers: str
) -> proxies.Client:
    scope = {"client": (address, 50000), "http_version": version}
    sent = {"host": "127.0.0.1:8011"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return proxy.client(scope, Headers(sent))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8011", "127.0.0.1.:8011", "[::1]:8011", "[::ffff:127.0.0.1]"]
)
def test_a_direct_connection_on_this_machine_is_local(address: str, host: str) -> None:
    assert client_of(ProxySettings(), address, host=host).is_local


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
def test_any_sign_of_a_proxy_makes_a_request_not_local(
    headers: dict[str, str],
) -> None:
    assert not client_of(TRUSTING, **headers).is_local


def test_with_a_public_url_a_request_is_local_only_if_loopback_is_trusted() -> None:
    assert not client_of(ProxySettings(PUBLIC)).is_local
    assert client_of(ProxySettings(PUBLIC, trust_loopback=True)).is_local


@pytest.mark.parametrize(
    ("proxy", "peer", "forwarded", "address"),
    [
        (ProxySettings(PUBLIC), "127.0.0.1", "192.0.2.1", "192.0.2.1"),
        (ProxySettings(PUBLIC), "::1", "2001:db8::1", "2001:db8::1"),
        # The addresses before the last one come from the browser, which can forge them.
        (ProxySettings(PUBLIC), "127.0.0.1", "127.0.0.1, 192.0.2.1", "192.0.2.1"),
        (ProxySettings(PUBLIC), "127.0.0.1", "192.0.2.1, unknown", "127.0.0.1"),
        (ProxySettings(PUBLIC), "127.0.0.1", "x" * 9000, "127.0.0.1"),
        (ProxySettings(PUBLIC), "127.0.0.1", "", "127.0.0.1"),
        (ProxySettings(PUBLIC), "192.168.1.77", "192.0.2.1", "192.168.1.77"),
        (ProxySettings(), "127.0.0.1", "192.0.2.1", "127.0.0.1"),
    ],
)
def test_only_a_proxy_on_this_machine_can_set_the_client_s_address(
    proxy: ProxySettings, peer: str, forwarded: str, address: str
) -> None:
    assert client_of(proxy, peer, x_forwarded_for=forwarded).address == address


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
    """A browser behind a proxy that forwards the Host header and the browser's address."""
    site = make_site(desk, pin=PIN, proxy=ProxySettings(PUBLIC))
    site.clock = lambda: 0.0
    return Client(make_app(site), host="ur.example.org")


FORWARDED = {"x_forwarded_for": "192.0.2.1"}


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    mostly_slow(
        [
            ("ur.example.org", "https://ur.example.org", 401),
            ("ur.example.org:443", "https://ur.example.org", 401),
            # A proxy that changes the Host header: the browser's Origin is still the public URL's.
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
        5,
    ),
)
def test_host_and_origin_are_compared_with_the_public_url(
    proxied: Client, host: str, origin: str, status: int
) -> None:
    proxied.host = host
    assert proxied.post("/api/resign", RESIGN, origin=origin, **FORWARDED).status == status


@pytest.mark.parametrize(
    ("host", "origin", "port", "secure"),
    [
        ("ur.example.org", "https://ur.example.org", 443, True),
        ("127.0.0.1:8011", "https://ur.example.org", 8011, True),
        ("127.0.0.1:8011", "http://127.0.0.1:8011", 8011, False),
        ("127.0.0.1", "http://127.0.0.1", 80, False),
    ],
)
def test_the_cookie_of_a_session_begun_over_https_is_secure(
    proxied: Client, host: str, origin: str, port: int, secure: bool
) -> None:
    proxied.host = host
    answer = proxied.post("/api/session", {"pin": PIN}, origin=origin)
    assert answer.status == 200
    assert ("; Secure" in answer.headers["set-cookie"]) is secure
    assert list(proxied.cookies) == [cookie_name(port, secure=secure)]
    assert proxied.get("/api/state").json["may_act"] is True
    headers = {"content-type": "application/json", "origin": origin}
    assert proxied.request("DELETE", "/api/session", headers=headers).status == 200
    assert proxied.cookies == {}


def test_the_cookie_that_ends_a_session_has_the_same_name_and_attributes() -> None:
    begun = "HttpOnly; SameSite=Strict; Path=/"
    month = 30 * 24 * 60 * 60
    secure, plain = "__Host-urpi-session-443", "urpi-session-8011"
    assert session_cookie("t", 443, secure=True) == f"{secure}=t; Secure; {begun}; Max-Age={month}"
    assert session_cookie("", 443, secure=True) == f"{secure}=; Secure; {begun}; Max-Age=0"
    assert session_cookie("", 8011, secure=False) == f"{plain}=; {begun}; Max-Age=0"


def test_actions_through_a_proxy_are_limited_by_the_browser_s_address(proxied: Client) -> None:
    def status(address: str) -> int:
        headers = {"origin": PUBLIC.origin, "x_forwarded_for": address}
        return proxied.post("/api/session", {"pin": "x"}, **headers).status

    assert [status("192.0.2.1") for _ in range(70)] == [400] * 60 + [429] * 10
    assert status("192.0.2.2") == 400
