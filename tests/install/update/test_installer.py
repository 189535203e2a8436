"""The installer of releases: reasons in the output of apt and dpkg, and how long health counts."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from urpi.install.update.installer import reason_in, serves, stays

TOO_OLD = """\
Reading package lists...
The following packages have unmet dependencies:
 urpi : Depends: python3 (>= 3.99) but 3.11.2-1+b1 is to be installed
E: Unable to correct problems, you have held broken packages.
"""
NO_NETWORK = """\
Err:1 http://deb.debian.org/debian bookworm/main amd64 hello amd64 2.10-3
  Temporary failure resolving 'deb.debian.org'
E: Failed to fetch http://deb.debian.org/debian/pool/main/h/hello_2.10-3_amd64.deb  Temporary \
failure resolving 'deb.debian.org'
E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?
"""
REJECTED = """\
Preparing to unpack .../urpi_0.2.0_all.deb ...
The journal could not be backed up to /a.db; correct that.
dpkg: error processing archive /var/lib/urpi-update/new/urpi_0.2.0_all.deb (--unpack):
 new urpi package pre-installation script subprocess returned error exit status 1
E: Sub-process /usr/bin/dpkg returned an error code (1)
"""
FULL = """\
dpkg-deb: error: failed to write: No space left on device
dpkg: error processing archive /a.deb (--unpack):
"""


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (TOO_OLD, "it needs python3 (>= 3.99), but 3.11.2-1+b1 is to be installed"),
        (NO_NETWORK, "no network: Temporary failure resolving 'deb.debian.org'"),
        (REJECTED, "The journal could not be backed up to /a.db; correct that"),
        (FULL, "the card is full"),
        ("E: Could not get lock /var/lib/dpkg/lock.\n", "Could not get lock /var/lib/dpkg/lock"),
        ("a\n\nsomething else\n\n", "something else"),
        ("", "no reason was reported"),
    ],
)
def test_the_most_useful_line_is_the_reason(output: str, reason: str) -> None:
    assert reason_in(output) == reason


class Clock:
    """A time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(
    ("holds", "expected", "ends"),
    [
        (lambda _: True, True, (5, 6)),
        (lambda now: now >= 40, True, (45, 46)),
        # Active for four seconds between crashes.
        (lambda now: now % 5 < 4, False, (60, 61)),
        (lambda now: now >= 58, False, (60, 61)),
        (lambda _: False, False, (60, 61)),
    ],
)
def test_health_must_last(
    holds: Callable[[float], bool], expected: bool, ends: tuple[float, float]
) -> None:
    clock = Clock()
    assert stays(lambda: holds(clock.now), 5, 60, clock, clock.sleep) is expected
    assert ends[0] <= clock.now <= ends[1]


class Page(BaseHTTPRequestHandler):
    """A page that closes its connections after the answer, or keeps them, as the client wants."""

    protocol_version = "HTTP/1.1"
    answer: object = {"info": {"version": "0.2.0"}}

    def do_GET(self) -> None:
        body = json.dumps(self.answer).encode()
        self.send_response(200 if self.path == "/api/openapi.json" else 404)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def page() -> Iterator[str]:
    """Yield the address of a page of this process."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_page_of_the_service_with_the_installed_version_is_healthy(page: str) -> None:
    assert serves(os.getpid(), page, "0.2.0")
    assert not serves(os.getpid(), page, "0.1.0")


def test_a_page_of_another_process_is_not_that_of_the_service(page: str) -> None:
    command = (sys.executable, "-c", "import sys; sys.stdin.read()")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as service:
        assert not serves(service.pid, page, "0.2.0")
        service.communicate()
    assert not serves(0, page, "0.2.0")


@pytest.mark.parametrize(
    "answer", [[], None, {}, {"info": None}, {"info": []}, {"info": {"version": None}}]
)
def test_a_page_without_a_version_is_not_healthy(
    page: str, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    monkeypatch.setattr(Page, "answer", answer)
    assert not serves(os.getpid(), page, "0.2.0")


def test_no_page_is_not_healthy() -> None:
    assert not serves(os.getpid(), "http://127.0.0.1:1", "0.2.0")
