"""Operations that require a role: the user of the request's session must have it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.club.server.users import Role, User, session_user
from urpi.http.guard import SESSION
from urpi.http.operations import Handler, ValidRequest
from urpi.http.reader import Reader
from urpi.http.responses import error_response, json_response

if TYPE_CHECKING:
    from psycopg import Connection

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
