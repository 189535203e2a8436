"""A browser without a network, which calls an ASGI application in this process."""

import asyncio
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message

HERE = "127.0.0.1"
PORT = 8011


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes
    set_cookies: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        compressed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if compressed else self.body).decode()

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Client:
    """Sends requests with the headers of the page's own scripts.

    Attributes:
        app: the application.
        host: the Host header.
        address: the client's address.
        server: the local address that the client connects to.
        cookies: the cookies of the browser.
    """

    app: ASGIApp
    host: str = f"{HERE}:{PORT}"
    address: str = HERE
    server: str = HERE
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Response:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Response:
        """Send JSON from the page's own origin."""
        data = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        own = {"content_type": "application/json", "origin": f"http://{self.host}"}
        return self.request("POST", path, headers={**own, **headers}, body=[data])

    def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: list[bytes] | None = None,
    ) -> Response:
        """Send a request, with the body in pieces. Empty headers are left out."""
        sent = {"host": self.host, **(headers or {})}
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        response = asyncio.run(_request(self.app, self._scope(method, path, sent), body or [b""]))
        for header in response.set_cookies:
            self._keep_cookie(header)
        return response

    def get_all(self, paths: Sequence[str]) -> list[Response]:
        """Send several requests at the same time, without cookies."""

        async def send() -> list[Response]:
            scopes = [self._scope("GET", path, {"host": self.host}) for path in paths]
            return await asyncio.gather(*(_request(self.app, scope, [b""]) for scope in scopes))

        return asyncio.run(send())

    def _scope(self, method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
        raw, _, query = path.partition("?")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(raw),
            "raw_path": raw.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [
                (name.replace("_", "-").encode(), value.encode())
                for name, value in headers.items()
                if value
            ],
            "client": (self.address, 50000),
            "server": (self.server, PORT),
        }

    def _keep_cookie(self, header: str) -> None:
        name, _, value = header.partition(";")[0].partition("=")
        if value:
            self.cookies[name] = value
        elif name:
            self.cookies.pop(name, None)


async def _request(app: ASGIApp, scope: dict[str, Any], body: list[bytes]) -> Response:
    pieces = list(body)
    sent: list[Message] = []

    async def receive() -> Message:
        if not pieces:
            return {"type": "http.disconnect"}
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *rest = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    cookies = tuple(
        value.decode() for name, value in start["headers"] if name.decode() == "set-cookie"
    )
    body = b"".join(one.get("body", b"") for one in rest)
    return Response(start["status"], headers, body, cookies)
