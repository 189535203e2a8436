"""Operations on the session: enter the PIN, show it on the display, and end the session."""

from asyncio import to_thread
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.core.json_schema import object_of
from urpi.http.access import session_cookie
from urpi.http.guard import CLIENT, SESSION
from urpi.http.limits import AttemptLimit
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import error_response, json_response
from urpi.page.site import Site

MAX_SHOWN: Final = 3
SHOWN_WITHIN_S: Final = 120.0
"""Period in which the display shows the PIN at most `MAX_SHOWN` times: a game needs it too."""
PIN: Final = object_of(("pin",), pin={"type": "string", "pattern": "^[0-9]{6}$"})


def session_operations(site: Site) -> tuple[Operation, ...]:
    # One for all clients: there is a single display.
    shown = AttemptLimit(MAX_SHOWN, SHOWN_WITHIN_S)

    def may_act(request: ValidRequest, token: str) -> Response:
        response = json_response({"may_act": bool(token)})
        headers = request.source.headers
        port, secure = site.port(headers.get("host", "")), site.is_secure(headers)
        response.headers["set-cookie"] = session_cookie(token, port, secure=secure)
        return response

    async def enter(request: ValidRequest) -> ASGIApp:
        address = request.source.scope["state"][CLIENT].address
        # In a thread: a new session is written to the disk.
        attempt = await to_thread(site.access.enter, request.body["pin"], address, site.clock())
        if attempt.token:
            return may_act(request, attempt.token)
        if attempt.wait_s:
            return _wait("Too many wrong PINs; wait a minute.", attempt.wait_s)
        return error_response(
            403, "wrong-pin", "That is not the PIN; the table's display shows it."
        )

    async def end(request: ValidRequest) -> ASGIApp:
        await to_thread(site.access.end, request.source.scope["state"][SESSION])
        # The empty token also removes the browser's cookie.
        return may_act(request, "")

    async def show_pin(_request: ValidRequest) -> ASGIApp:
        wait_s = shown.wait_s(site.clock())
        if wait_s:
            return _wait("The display has just shown the PIN; wait a little.", wait_s)
        shown.add(site.clock())
        site.desk.show_pin(site.access.pin, site.address)
        return json_response({"done": True})

    async def new_pin(request: ValidRequest) -> ASGIApp:
        token = await to_thread(site.access.renew)
        site.desk.show_pin(site.access.pin, site.address)
        return may_act(request, token)

    return (
        Operation(
            "POST",
            "/api/session",
            "Enter the PIN; the response sets a cookie.",
            enter,
            body=PIN,
            error_statuses=(400, 403, 409, 429, 503),
        ),
        Operation(
            "POST",
            "/api/session/ask",
            "Show the PIN on the display for a while.",
            show_pin,
            body=object_of(),
            error_statuses=(400, 409, 429, 503),
        ),
        Operation("DELETE", "/api/session", "End the session.", end),
        Operation(
            "POST",
            "/api/new-pin",
            "Replace the PIN, which the display then shows, and end all other sessions.",
            new_pin,
            body=object_of(),
            error_statuses=(400, 409, 503),
        ),
    )


def _wait(error: str, wait_s: float) -> Response:
    response = error_response(429, "too-often", error)
    response.headers["retry-after"] = str(int(wait_s) + 1)
    return response
