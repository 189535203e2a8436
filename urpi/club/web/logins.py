"""Operations on the session: log in, log out, and who is logged in.

An operation that requires a role (`with_role`) finds the user by the session, too.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.club.server.players import identity
from urpi.club.server.security_log import SecurityEvent, record
from urpi.club.server.users import (
    DEVICE_DAYS,
    LONGEST_PASSWORD,
    SESSION_HOURS,
    Role,
    User,
    begin_session,
    check_password,
    digest,
    end_session,
    forget_device,
    is_device_of,
    named_user,
    remember_device,
    session_user,
)
from urpi.club.web.site import ClubSite
from urpi.core.errors import UrpiError
from urpi.core.json_schema import object_of
from urpi.http.access import COOKIE_PREFIX, cookie_name, session_cookie
from urpi.http.guard import CLIENT, SESSION
from urpi.http.limits import AttemptLimits, client_key
from urpi.http.operations import Handler, Operation, ValidRequest
from urpi.http.reader import Reader
from urpi.http.responses import error_response, json_response

if TYPE_CHECKING:
    from psycopg import Connection

MAX_FAILED: Final = 10
"""Maximum number of failed logins from one address, and of one account."""
ADDRESS_S: Final = 60.0
ACCOUNT_S: Final = 300.0
"""The periods in which they are counted. The one of an account is longer, because a client may have
many addresses. A device on which the user has logged in before has an allowance of its own, so that
wrong passwords from elsewhere do not keep the user out."""
LOGIN: Final = object_of(
    ("name", "password"),
    name={"type": "string", "minLength": 1, "maxLength": 100},
    password={"type": "string", "minLength": 1, "maxLength": LONGEST_PASSWORD},
)
DEVICE: Final = "urpi-device-"
"""Prefix of the name of the cookie with the token of a device."""
_SESSION: Final = "/api/session"


def login_operations(site: ClubSite) -> tuple[Operation, ...]:
    logins = _Logins(site)
    return (
        Operation(
            "GET",
            _SESSION,
            "The user who is logged in, or null.",
            logins.show,
            error_statuses=(503,),
        ),
        Operation(
            "POST",
            _SESSION,
            "Log in; the response sets a cookie.",
            logins.log_in,
            body=LOGIN,
            error_statuses=(400, 403, 429, 503),
        ),
        Operation("DELETE", _SESSION, "Log out.", logins.log_out, error_statuses=(503,)),
    )


class _Logins:
    """The operations; failed logins are counted by this process."""

    def __init__(self, site: ClubSite) -> None:
        self._site = site
        self._by_address = AttemptLimits(MAX_FAILED, ADDRESS_S)
        self._by_account = AttemptLimits(MAX_FAILED, ACCOUNT_S)
        self._by_device = AttemptLimits(MAX_FAILED, ACCOUNT_S)

    async def show(self, request: ValidRequest) -> ASGIApp:
        token = token_of(request)
        if not token:
            return json_response({"user": None})
        user = await self._site.games.read(lambda connection: session_user(connection, token))
        return json_response({"user": None if user is None else user_document(user)})

    async def log_in(self, request: ValidRequest) -> ASGIApp:
        address = request.source.scope["state"][CLIENT].address
        name, password = request.body["name"], request.body["password"]
        earlier, device = token_of(request), self._device(request)

        def run(connection: "Connection") -> Response:
            # In the thread that makes changes, so that no two logins are counted at once, and
            # Argon2 needs the memory of one hash at most.
            known = is_device_of(connection, device, identity(name))
            limits = (
                (self._by_device.of(digest(device).hex()),)
                if known
                else (self._by_address.of(client_key(address)), self._by_account.of(identity(name)))
            )
            now = self._site.clock()
            # Before the comparison: even the right password must wait, or guessing could go on.
            wait_s = max(limit.wait_s(now) for limit in limits)
            if wait_s:
                self._record(connection, "login-refused", name, address)
                response = error_response(
                    429, "too-many-logins", "Too many failed logins. Wait a few minutes."
                )
                response.headers["retry-after"] = str(int(wait_s) + 1)
                return response
            user = check_password(connection, name, password)
            if user is None:
                for limit in limits:
                    limit.add(now)
                self._record(connection, "login-failed", name, address)
                return error_response(403, "wrong-login", "The name or the password is wrong.")
            # A browser has one session: otherwise the token of the earlier one would stay valid.
            end_session(connection, earlier)
            record(connection, "login", user.name, address=address)
            response = self._response(request, begin_session(connection, user), user)
            # A new token each time, so that a copy of the cookie is worth nothing after that.
            forget_device(connection, device)
            self._set_cookie(
                response, request, remember_device(connection, user), DEVICE_DAYS * 24, DEVICE
            )
            return response

        return await self._site.changes.read(run)

    def _record(
        self, connection: "Connection", event: SecurityEvent, name: str, address: str
    ) -> None:
        try:
            who = named_user(connection, name).name
        except UrpiError:
            # Not what was typed, which may be a password.
            who = ""
        record(connection, event, who, address=address)

    async def log_out(self, request: ValidRequest) -> ASGIApp:
        token = token_of(request)
        if token:
            await self._site.changes.read(lambda connection: end_session(connection, token))
        return self._response(request, "", None)

    def _response(self, request: ValidRequest, token: str, user: User | None) -> Response:
        response = json_response({"user": None if user is None else user_document(user)})
        # An empty token removes the cookie.
        self._set_cookie(response, request, token, SESSION_HOURS if token else 0)
        return response

    def _set_cookie(
        self,
        response: Response,
        request: ValidRequest,
        token: str,
        hours: int,
        prefix: str = COOKIE_PREFIX,
    ) -> None:
        headers = request.source.headers
        port, secure = self._site.port(headers.get("host", "")), self._site.is_secure(headers)
        cookie = session_cookie(token, port, secure=secure, prefix=prefix, for_s=hours * 3600)
        response.headers.append("set-cookie", cookie)

    def _device(self, request: ValidRequest) -> str:
        """The token of the device, empty if it has none."""
        headers, cookies = request.source.headers, request.source.cookies
        port = self._site.port(headers.get("host", ""))
        secure = self._site.is_secure(headers)
        return cookies.get(cookie_name(port, secure=secure, prefix=DEVICE), "")


def user_document(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "name": user.name,
        "role": user.role,
        "created": user.created.isoformat(),
    }


Act: TypeAlias = Callable[["Connection", ValidRequest, User], Any]
"""What a user may do; returns the document of the response."""

ROLE_ERRORS = (400, 401, 403, 404, 409, 429, 503)


def with_role(reader: "Reader[Connection]", role: Role, act: Act) -> Handler:
    """Return a handler that acts for a user with a role, and rejects all others.

    Args:
        reader: Opens the database, in its own thread.
        role: The role.
        act: What to do; it is called with the same connection that has found the session.
    """

    async def handle(request: ValidRequest) -> ASGIApp:
        token = token_of(request)

        def run(connection: "Connection") -> Response:
            user = session_user(connection, token)
            if user is None:
                return error_response(401, "no-session", "Log in first.")
            if not user.may(role):
                return error_response(403, "wrong-role", f"This needs the role {role}.")
            return json_response(act(connection, request, user))

        return await reader.read(run)

    return handle


def token_of(request: ValidRequest) -> str:
    """The token of a request's session, empty if there is none."""
    return str(request.source.scope["state"][SESSION])
