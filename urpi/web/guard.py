"""The guard: what every request has to pass before any route sees it, and what every answer says.

It refuses by method, Host, Origin, rate, type and size, reads a body whole and within a time,
and asks for the PIN's session wherever something acts. Nothing acts on GET.
"""

import asyncio
from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Message, Receive, Scope, Send

from urpi.web.access import COOKIE, SECURE_COOKIE
from urpi.web.answers import refused
from urpi.web.hosts import same_site
from urpi.web.page import Page
from urpi.web.proxies import Visitor
from urpi.web.rates import Rate, whose

MOST_BODY: Final = 8 * 1024
BODY_S: Final = 5.0
"""A body has come whole within this time, which is less than `Limits.request_s`."""
ACTING: Final = frozenset({"POST", "DELETE"})
READING: Final = frozenset({"GET", "HEAD"})
FREE: Final = frozenset({"/api/session", "/api/session/ask"})
"""What acts on the session alone, and needs none."""
MAY_ACT: Final = "urpi_may_act"
"""The key of the scope's state that says whether this browser may act."""
SESSION: Final = "urpi_session"
"""The key of its session's token, empty where it has none."""
VISITOR: Final = "urpi_visitor"
"""The key of the `Visitor`."""

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
SAFE_HEADERS: Final = {
    b"content-security-policy": CSP.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}
"""Of every answer that does not say otherwise."""


class Guard:
    """Stands before an application."""

    def __init__(self, app: Starlette, page: Page) -> None:
        limits = page.limits
        self._app, self._page, self._clock = app, page, page.clock
        self._asking = Rate(limits.asks, limits.asks_per_s)
        self._acting = Rate(limits.acts, limits.acts_per_s)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        send = _safely(send)
        token, visitor = _token(headers), self._page.entrance.visitor(scope, headers)
        state = scope.setdefault("state", {})
        state[SESSION], state[VISITOR] = token, visitor
        state[MAY_ACT] = self._may_act(visitor, token)
        answer = self._refusal(scope, headers)
        if scope["method"] in ACTING:
            # Read in any case: who is refused while still sending may never read why.
            body = await _body(receive) if _is_short(headers) else _too_large()
            if isinstance(body, bytes):
                receive = _again(body, receive)
            else:
                answer = answer or body
                answer.headers["connection"] = "close"
        await (answer or self._app)(scope, receive, send)

    def _may_act(self, visitor: Visitor, token: str) -> bool:
        if self._page.entrance.trust_loopback and visitor.is_local:
            return True
        return bool(token) and self._page.access.knows(token)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host, method = headers.getlist("host"), scope["method"]
        arrived_at = (scope.get("server") or ("",))[0]
        if len(host) != 1 or not self._page.knows(host[0], arrived_at):
            return refused(421, "unknown-host", "The page is not served by this name; see [page].")
        refusal = self._refuse_often(scope)
        if refusal is not None:
            return refusal
        if not any(route.matches(scope)[0] is Match.FULL for route in self._app.routes):
            # Nothing is done there: the application says so, and by which methods something is.
            return None
        if method in READING:
            return _refuse_body(headers)
        return self._refuse_acting(scope, headers, host[0])

    def _refuse_often(self, scope: Scope) -> Response | None:
        visitor: Visitor = scope["state"][VISITOR]
        if visitor.is_local or self._asking.allows(whose(visitor.address), self._clock()):
            return None
        return _later("You ask too often; wait a few seconds.")

    def _refuse_acting(self, scope: Scope, headers: Headers, host: str) -> Response | None:
        method = scope["method"]
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if not same_site(self._page.origins(scope["scheme"], host), origin, site):
            return refused(403, "cross-site", "Only the table's own page may act on it.")
        visitor: Visitor = scope["state"][VISITOR]
        if not self._acting.allows(whose(visitor.address), self._clock()):
            return _later("You order too often; wait a few seconds.")
        if method == "POST" and not _is_json(headers):
            return refused(415, "not-json", "What is sent is application/json.")
        if "content-length" in headers and "transfer-encoding" in headers:
            return _close(400, "two-lengths", "A body's length is told in one way.")
        if scope["path"] not in FREE and not scope["state"][MAY_ACT]:
            return refused(401, "no-session", "Enter the PIN first; the table's display shows it.")
        return None


def _refuse_body(headers: Headers) -> Response | None:
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        return _close(400, "no-body", "Who reads sends no body.")
    return None


def _token(headers: Headers) -> str:
    cookie: SimpleCookie = SimpleCookie()
    try:
        cookie.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return next((cookie[name].value for name in (SECURE_COOKIE, COOKIE) if name in cookie), "")


def _is_json(headers: Headers) -> bool:
    kind, _, rest = headers.get("content-type", "").partition(";")
    return kind.strip().lower() == "application/json" and rest.strip().lower() in {
        "",
        "charset=utf-8",
    }


def _is_short(headers: Headers) -> bool:
    said = headers.get("content-length", "0")
    return said.isascii() and said.isdecimal() and len(said) < 16 and int(said) <= MOST_BODY


async def _body(receive: Receive) -> bytes | Response:
    """A request's whole body, or why it is not taken."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    break
                body += message.get("body", b"")
                if len(body) > MOST_BODY:
                    return _too_large()
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        return refused(408, "too-slow", f"A body comes whole within {BODY_S:.0f} seconds.")
    return bytes(body)


def _too_large() -> Response:
    return refused(413, "too-large", f"A body is at most {MOST_BODY} bytes long.")


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read, and then what comes behind it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _safely(send: Send) -> Send:
    """Sends an answer with the headers that every answer has."""

    async def safely(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            said = {name for name, _ in headers}
            headers += [pair for pair in SAFE_HEADERS.items() if pair[0] not in said]
            message = {**message, "headers": headers}
        await send(message)

    return safely


def _close(status: int, code: str, error: str) -> Response:
    """Refuse, and have done with this connection: a body may still be on its way."""
    answer = refused(status, code, error)
    answer.headers["connection"] = "close"
    return answer


def _later(error: str) -> Response:
    answer = refused(429, "too-often", error)
    answer.headers["retry-after"] = "5"
    return answer
