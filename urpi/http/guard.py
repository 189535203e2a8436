"""The guard: middleware that checks every request before the routes, and secures every response.

It checks method, Host, Origin, rate, content type and size, reads the complete body with a
timeout, and requires the PIN's session for actions. GET never acts.
"""

import asyncio
from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Message, Receive, Scope, Send

from urpi.core.loopback import is_loopback
from urpi.http.access import cookie_name
from urpi.http.guarded_site import GuardedSite
from urpi.http.hosts import same_site
from urpi.http.limits import RateLimit, client_key
from urpi.http.proxies import Client
from urpi.http.reader import asking_client
from urpi.http.responses import error_response

MAX_BODY: Final = 8 * 1024
"""Maximum length of a body in bytes."""
BODY_S: Final = 5.0
"""Timeout for a complete body, shorter than `Limits.request_s`."""
ACTING: Final = frozenset({"POST", "DELETE"})
READING: Final = frozenset({"GET", "HEAD"})
WITHOUT_SESSION: Final = frozenset({"/api/session", "/api/session/ask", "/api/names/own"})
"""Paths of the actions that require no session: they concern it, or have a PIN of their own."""
MAY_ACT: Final = "urpi_may_act"
"""Key of a flag in the scope's state: whether the browser may act."""
SESSION: Final = "urpi_session"
"""Key of the session's token in the scope's state, empty if there is none."""
CLIENT: Final = "urpi_client"
"""Key of the `Client` in the scope's state."""

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
FRAMED_CSP: Final = CSP.replace("frame-ancestors 'none'", "frame-ancestors *")
"""Content security policy of a page that other sites may show in a frame."""
SECURITY_HEADERS: Final = {
    b"content-security-policy": CSP.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}
"""Defaults for the headers of every response."""


class Guard:
    """Middleware around an application."""

    def __init__(self, app: Starlette, site: GuardedSite) -> None:
        limits = site.limits
        self._app, self._site, self._clock = app, site, site.clock
        self._requests = RateLimit(limits.requests, limits.requests_per_s)
        self._actions = RateLimit(limits.actions, limits.actions_per_s)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or reject it."""
        # There are no WebSockets, and lifespan events are switched off in `PageServer`.
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        send = _with_security_headers(send)
        token, client = self._token(headers), self._site.proxy.client(scope, headers)
        state = scope.setdefault("state", {})
        # In the scope, so that routes need not evaluate headers a second time.
        state[SESSION], state[CLIENT] = token, client
        # For the task of this request, which uvicorn has created.
        asking_client.set("" if is_loopback(client.address) else client_key(client.address))
        state[MAY_ACT] = self._may_act(client, token)
        # Before the body is read: whether a request is allowed never depends on its content.
        response = self._check(scope, headers)
        if scope["method"] in ACTING:
            # The body is read even if the request is rejected: a client that is still sending
            # when the connection closes may never read the response.
            body = await _body(receive) if _is_short(headers) else _too_large()
            if isinstance(body, bytes):
                receive = _replay(body, receive)
            else:
                response = response or body
                response.headers["connection"] = "close"
        await (response or self._app)(scope, receive, send)

    def _token(self, headers: Headers) -> str:
        cookie: SimpleCookie = SimpleCookie()
        try:
            cookie.load(headers.get("cookie", ""))
        except CookieError:
            return ""
        port = self._site.port(headers.get("host", ""))
        # The secure cookie first: a page without TLS on the same host cannot overwrite it.
        names = (cookie_name(port, secure=secure) for secure in (True, False))
        return next((cookie[name].value for name in names if name in cookie), "")

    def _may_act(self, client: Client, token: str) -> bool:
        if self._site.proxy.trust_loopback and client.is_local:
            return True
        return bool(token) and self._site.access.is_valid(token)

    def _check(self, scope: Scope, headers: Headers) -> Response | None:
        """The error response to a request, None if it is allowed."""
        host, method = headers.getlist("host"), scope["method"]
        connected_to = (scope.get("server") or ("",))[0]
        # Against DNS rebinding: a foreign name that resolves to this address is refused.
        if len(host) != 1 or not self._site.allows_host(host[0], connected_to):
            return error_response(
                421,
                "unknown-host",
                f"The page is not served by this name; see [{self._site.section}].",
            )
        error = self._check_rate(scope)
        if error is not None:
            return error
        if not any(route.matches(scope)[0] is Match.FULL for route in self._app.routes):
            # The application responds with 404, or with 405 and the allowed methods.
            return None
        if method in READING:
            return _check_no_body(headers)
        return self._check_action(scope, headers, host[0])

    def _check_rate(self, scope: Scope) -> Response | None:
        client: Client = scope["state"][CLIENT]
        # This machine's own browser, a display at the table, is never slowed down.
        if client.is_local or self._requests.allows(client_key(client.address), self._clock()):
            return None
        return _too_many("Too many requests; wait a few seconds.")

    def _check_action(self, scope: Scope, headers: Headers, host: str) -> Response | None:
        method = scope["method"]
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        # Against forged requests of other sites: browsers send Origin with every action.
        if not same_site(self._site.origins(scope["scheme"], host), origin, site):
            return error_response(403, "cross-site", "Only the page itself may act.")
        client: Client = scope["state"][CLIENT]
        # After the checks that cost nothing, so that refused requests do not use up the actions.
        if not self._actions.allows(client_key(client.address), self._clock()):
            return _too_many("Too many actions; wait a few seconds.")
        # A form cannot send this type, and a script of another site only after a CORS preflight.
        if method == "POST" and not _is_json(headers):
            return error_response(415, "not-json", "The body's content type is application/json.")
        # Two lengths are how requests are smuggled past a proxy (RFC 9112, 6.3).
        if "content-length" in headers and "transfer-encoding" in headers:
            return _error_and_close(
                400, "two-lengths", "A request has a Content-Length or a Transfer-Encoding."
            )
        if scope["path"] not in WITHOUT_SESSION and not scope["state"][MAY_ACT]:
            return error_response(401, "no-session", self._site.no_session)
        return None


def _check_no_body(headers: Headers) -> Response | None:
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        return _error_and_close(400, "no-body", "A request that only reads has no body.")
    return None


def _is_json(headers: Headers) -> bool:
    kind, _, rest = headers.get("content-type", "").partition(";")
    return kind.strip().lower() == "application/json" and rest.strip().lower() in {
        "",
        "charset=utf-8",
    }


def _is_short(headers: Headers) -> bool:
    length = headers.get("content-length", "0")
    # `int` would also accept signs, spaces and underscores.
    return length.isascii() and length.isdecimal() and len(length) < 16 and int(length) <= MAX_BODY


async def _body(receive: Receive) -> bytes | Response:
    """A request's complete body, or an error response."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    break
                body += message.get("body", b"")
                # With chunked encoding there is no length to check in advance.
                if len(body) > MAX_BODY:
                    return _too_large()
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        return error_response(408, "too-slow", f"The body must arrive within {BODY_S:.0f} seconds.")
    return bytes(body)


def _too_large() -> Response:
    return error_response(413, "too-large", f"A body has at most {MAX_BODY} bytes.")


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that repeats a body that has been read, and then continues as before."""
    replayed = False

    async def replay() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_security_headers(send: Send) -> Send:
    """A channel that adds the default headers to a response."""

    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            # A route may set a header of its own, such as a page that others may frame.
            present = {name for name, _ in headers}
            headers += [pair for pair in SECURITY_HEADERS.items() if pair[0] not in present]
            if (b"content-security-policy", FRAMED_CSP.encode()) in headers:
                # X-Frame-Options cannot allow every site, and older browsers obey it alone.
                headers.remove((b"x-frame-options", SECURITY_HEADERS[b"x-frame-options"]))
            message = {**message, "headers": headers}
        await send(message)

    return secured


def _error_and_close(status: int, code: str, error: str) -> Response:
    """An error response that closes the connection, as a body may still be arriving."""
    response = error_response(status, code, error)
    response.headers["connection"] = "close"
    return response


def _too_many(error: str) -> Response:
    response = error_response(429, "too-often", error)
    response.headers["retry-after"] = "5"
    return response
