"""A client of a web server over TLS, which sends the headers of a browser."""

import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import Any

from tests.proxies.running import DEADLINE_S, HOST


class TlsConnection(HTTPConnection):
    """A connection to a port of loopback with the certificate of `HOST`."""

    def __init__(self, port: int, trusted: Path, source: str) -> None:
        super().__init__(HOST, port, timeout=DEADLINE_S)
        self._to, self._from = ("127.0.0.1", port), (source, 0)
        self._context = ssl.create_default_context(cafile=trusted)

    def connect(self) -> None:
        plain = socket.create_connection(self._to, self.timeout, self._from)
        self.sock = self._context.wrap_socket(plain, server_hostname=HOST)


@dataclass
class Browser:
    """A client of the site on a port; `source` is its own address."""

    port: int
    trusted: Path
    source: str = "127.0.0.1"
    host: str = HOST
    origin: str = f"https://{HOST}"
    cookies: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def request(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> Iterator[HTTPResponse]:
        with closing(TlsConnection(self.port, self.trusted, self.source)) as connection:
            connection.request(
                method,
                path,
                None if body is None else json.dumps(body),
                {"Host": self.host, **self._cookie(), **headers},
            )
            yield connection.getresponse()

    def get(self, path: str) -> tuple[int, HTTPMessage, str]:
        with self.request("GET", path) as answer:
            return answer.status, answer.headers, answer.read().decode()

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Send a POST request as the page does, and return status and body of the response."""
        own = {"Origin": self.origin, "Content-Type": "application/json"}
        with self.request("POST", path, body or {}, **(own | headers)) as answer:
            set_cookie = answer.getheader("set-cookie")
            if set_cookie:
                name, _, value = set_cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            text = answer.read()
            return answer.status, json.loads(text) if text else None

    def _cookie(self) -> Mapping[str, str]:
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": pairs} if pairs else {}


def events(answer: HTTPResponse) -> Iterator[tuple[str, Any]]:
    """Yield name and data of each event of a stream as it arrives."""
    name = ""
    while line := answer.readline().decode():
        key, _, value = line.rstrip("\n").partition(": ")
        if key == "event":
            name = value
        elif key == "data":
            yield name, json.loads(value)
