"""The page behind nginx and Caddy, configured as the documentation recommends or warns against."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.proxies.browser import Browser, events
from tests.proxies.running import HOST, Certificate, Demo, caddy, demo, documented, free_port, nginx
from urpi.http.limits import Limits

SWEEP = "/api/table/sweep"
CONFIGURATIONS = {
    "default": "",
    "public": documented("public_url"),
    "trusting": "[page]\ntrust_loopback = true\n",
    "public and trusting": documented("public_url") + "trust_loopback = true\n",
}
BARE = """
server {
    listen 443 ssl;
    ssl_certificate /etc/ssl/certs/ur.example.org.pem;
    ssl_certificate_key /etc/ssl/private/ur.example.org.key;
    location / {
        proxy_pass http://127.0.0.1:8011;
        %s
    }
}
"""
"""A site of nginx without headers for the page, with its defaults or additional directives."""
HTTP_1_1 = 'proxy_http_version 1.1; proxy_set_header Connection "";'
BARE_CADDY = """
ur.example.org {
    reverse_proxy 127.0.0.1:8011 {
        header_up Host {upstream_hostport}
        header_up -X-Forwarded-For
        header_up -X-Forwarded-Host
        header_up -X-Forwarded-Proto
    }
}
"""
"""A site of Caddy that removes every header about the browser."""


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return Certificate.make(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Demo]]:
    """Return the running table of a configuration."""
    folder, running = tmp_path_factory.mktemp("tables"), {}
    with ExitStack() as opened:

        def table(name: str) -> Demo:
            if name not in running:
                running[name] = opened.enter_context(demo(folder / name, CONFIGURATIONS[name]))
            return running[name]

        yield table


Serve = Callable[[str, Demo], Browser]


@pytest.fixture
def serve(tmp_path: Path, certificate: Certificate) -> Iterator[Serve]:
    """Serve a table through a site of a web server, and return a browser of that site."""
    with ExitStack() as opened:

        def put(site: str, table: Demo) -> Browser:
            port = free_port()
            assert "127.0.0.1:8011" in site
            site = site.replace("127.0.0.1:8011", f"127.0.0.1:{table.port}")
            if "reverse_proxy" in site:
                tls = f"{{\n    tls {certificate.certificate} {certificate.key}\n"
                server = caddy(tmp_path / "caddy", site.replace("{\n", tls, 1), port)
            else:
                for documented_text, used in (
                    ("listen 443 ", f"listen 127.0.0.1:{port} "),
                    ("/etc/ssl/certs/ur.example.org.pem", str(certificate.certificate)),
                    ("/etc/ssl/private/ur.example.org.key", str(certificate.key)),
                ):
                    assert documented_text in site
                    site = site.replace(documented_text, used)
                server = nginx(tmp_path / "nginx", site, port)
            opened.enter_context(server)
            return Browser(port, certificate.certificate)

        yield put


@pytest.fixture(params=["proxy_pass", "reverse_proxy"])
def browser(request: pytest.FixtureRequest, serve: Serve, tables: Callable[[str], Demo]) -> Browser:
    """A browser of the documented sites of nginx and Caddy."""
    return serve(documented(request.param), tables("public"))


@pytest.fixture
def pin(tables: Callable[[str], Demo]) -> str:
    return tables("public").pin


def test_a_client_of_the_documented_site_may_watch_and_requires_the_pin_to_act(
    browser: Browser, pin: str
) -> None:
    status, headers, _ = browser.get("/")
    assert (status, "frame-ancestors 'none'" in headers["content-security-policy"]) == (200, True)
    assert '"may_act":false' in browser.get("/api/state")[2]
    assert browser.post(SWEEP)[0] == 401

    with browser.request(
        "POST",
        "/api/session",
        {"pin": pin},
        **{"Origin": browser.origin, "Content-Type": "application/json"},
    ) as answer:
        cookie = answer.getheader("set-cookie") or ""
    assert cookie.startswith("__Host-urpi-session-443=")
    assert cookie.endswith("; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000")
    assert browser.post("/api/session", {"pin": pin})[0] == 200
    assert '"may_act":true' in browser.get("/api/state")[2]
    assert browser.post(SWEEP) == (200, {"done": True})


def test_another_site_cannot_act_through_the_documented_site(browser: Browser, pin: str) -> None:
    browser.post("/api/session", {"pin": pin})
    for headers in (
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example"},
        {"Origin": f"http://{HOST}"},
        {"Origin": f"https://{HOST}:8443"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        status, answer = browser.post(SWEEP, **headers)
        assert (status, answer["code"]) == (403, "cross-site"), headers
    assert browser.post(SWEEP)[0] == 200


def test_events_are_not_delayed_by_the_documented_site(browser: Browser, pin: str) -> None:
    browser.post("/api/session", {"pin": pin})
    with browser.request("GET", "/api/events") as answer:
        assert answer.getheader("content-type") == "text/event-stream; charset=utf-8"
        received = events(answer)
        assert next(name for name, _ in received) == "state"
        _, table = next(one for one in received if one[0] == "table")
        # The next event is small and would stay in a buffer.
        fault = None if table["faults"].get("A1") else "stuck-on"
        body = {"square": "A1", "fault": fault}
        assert browser.post("/api/table/switch", body)[0] == 200
        assert next(data for name, data in received if name == "table" and data != table)


def test_clients_of_the_documented_site_have_separate_limits(browser: Browser) -> None:
    other = Browser(browser.port, browser.trusted, source="127.0.0.2")
    with ExitStack() as opened:
        own = [opened.enter_context(browser.request("GET", "/api/events")) for _ in range(40)]
        statuses = [answer.status for answer in own]
        assert statuses.count(200) == Limits().streams_per_client
        assert opened.enter_context(other.request("GET", "/api/events")).status == 200


def test_a_client_cannot_forge_headers_to_appear_local(browser: Browser) -> None:
    for headers in (
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Real-IP": "127.0.0.1", "X-Forwarded-Host": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1;host=127.0.0.1"},
    ):
        assert browser.post(SWEEP, **headers)[0] == 401


@pytest.mark.parametrize("configuration", ["default", "public", "trusting"])
def test_a_client_behind_nginx_with_default_settings_cannot_act(
    serve: Serve, tables: Callable[[str], Demo], configuration: str
) -> None:
    outsider = forging(serve(BARE % "", tables(configuration)), tables(configuration))
    assert outsider.get("/api/state")[0] == 200
    status, answer = outsider.post(SWEEP)
    assert (status, answer["code"]) == (401, "no-session")


def forging(browser: Browser, table: Demo) -> Browser:
    """Set the Origin to that of a page loaded from this machine, and return the browser."""
    browser.origin = f"http://127.0.0.1:{table.port}"
    return browser


@pytest.mark.parametrize("site", [BARE % HTTP_1_1, BARE_CADDY])
@pytest.mark.parametrize(
    ("configuration", "status"),
    [
        ("default", 401),
        ("public", 401),
        # The documentation warns of this: the requests are identical to those of a local browser.
        ("trusting", 200),
        ("public and trusting", 200),
    ],
)
def test_a_client_behind_a_proxy_without_headers_can_act_only_if_loopback_is_trusted(
    serve: Serve, tables: Callable[[str], Demo], site: str, configuration: str, status: int
) -> None:
    outsider = forging(serve(site, tables(configuration)), tables(configuration))
    assert outsider.post(SWEEP)[0] == status


@pytest.mark.parametrize("word", ["proxy_pass", "reverse_proxy"])
def test_a_client_behind_a_documented_proxy_cannot_act_although_loopback_is_trusted(
    serve: Serve, tables: Callable[[str], Demo], word: str
) -> None:
    outsider = forging(serve(documented(word), tables("public and trusting")), tables("public"))
    outsider.origin = f"https://{HOST}"
    assert outsider.post(SWEEP)[0] == 401
