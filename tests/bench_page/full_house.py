"""New visitors of a server that is full of slow connections or of watching pages."""

import http.client
import json
import socket
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address

from tests.bench_page.crowd import raise_file_limit

SLOW = b"GET /api/state HTTP/1.1\r\nHost: loc"
FIRST_ADDRESS = IPv4Address("127.0.1.1")
PAGES_OF_ONE = 30
"""The number of pages from each address of loopback: below the server's limit."""


@dataclass
class Visits:
    """The results of consecutive visits."""

    outcomes: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    @property
    def answered(self) -> int:
        return self.outcomes.count("200")


def among_slow_connections(
    host: str, port: int, slow: int, lasting_s: float, every_s: float
) -> Visits:
    """Open slow connections, then visit the page at regular intervals."""
    raise_file_limit(slow)
    visits = Visits()
    with ExitStack() as opened:
        for _ in range(slow):
            one = opened.enter_context(socket.create_connection((host, port), timeout=5))
            with suppress(OSError):
                one.sendall(SLOW)
        due = time.monotonic()
        for _ in range(int(lasting_s / every_s)):
            _visit(visits, host, port, "/api/state", {})
            due += every_s
            time.sleep(max(due - time.monotonic(), 0))
    return visits


def among_watchers(host: str, port: int, watchers: int, pin: str, count: int) -> Visits:
    """Open pages that only watch, then one page after the other with the PIN."""
    raise_file_limit(watchers + count)
    name, visits = socket.gethostname(), Visits()
    request = f"GET /api/events HTTP/1.1\r\nHost: {name}\r\n\r\n".encode()
    with ExitStack() as opened:
        for number in range(watchers):
            source = str(FIRST_ADDRESS + number // PAGES_OF_ONE)
            one = opened.enter_context(socket.create_connection((host, port), 5, (source, 0)))
            one.sendall(request)
            one.recv(4096)
        cookie = _session(host, port, name, pin)
        for _ in range(count):
            headers = {"Host": name, "Cookie": cookie}
            opened.enter_context(_visit(visits, host, port, "/api/events", headers))
    return visits


def _session(host: str, port: int, name: str, pin: str) -> str:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    headers = {"Host": name, "Sec-Fetch-Site": "none", "Content-Type": "application/json"}
    connection.request("POST", "/api/session", json.dumps({"pin": pin}), headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200
    return str(answer.getheader("set-cookie")).partition(";")[0]


def _visit(visits: Visits, host: str, port: int, path: str, headers: dict[str, str]) -> ExitStack:
    begun = time.monotonic()
    opened = ExitStack()
    connection = http.client.HTTPConnection(host, port, timeout=5)
    opened.callback(connection.close)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        if path == "/api/state":
            answer.read()
            connection.close()
        visits.outcomes.append(str(answer.status))
    except (OSError, http.client.HTTPException):
        visits.outcomes.append("dropped")
    visits.took_ms.append((time.monotonic() - begun) * 1000)
    return opened
