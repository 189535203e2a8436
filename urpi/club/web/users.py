"""Operations with which admins manage the users of the page, and arbiters read the security log."""

from typing import TYPE_CHECKING, Any, Final

from urpi.club.server.security_log import newest_entries
from urpi.club.server.users import (
    LONGEST_PASSWORD,
    ROLES,
    SHORTEST_PASSWORD,
    User,
    add_user,
    list_users,
    remove_user,
)
from urpi.club.web.logins import ROLE_ERRORS, user_document, with_role
from urpi.club.web.site import ClubSite
from urpi.core.json_schema import Schema, object_of, one_of
from urpi.http.operations import ConflictError, NotFoundError, Operation, ValidRequest

if TYPE_CHECKING:
    from psycopg import Connection

_PASSWORD: Final[Schema] = {
    "type": "string",
    "minLength": SHORTEST_PASSWORD,
    "maxLength": LONGEST_PASSWORD,
}
_NEW: Final = object_of(
    ("name", "role", "password"),
    name={"type": "string", "minLength": 1, "maxLength": 100},
    role=one_of(*ROLES),
    password=_PASSWORD,
)
_USERS: Final = "/api/users"
_USER: Final = f"{_USERS}/{{user}}"


def user_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operations that require the role of an admin."""
    changes = site.changes
    return (
        Operation(
            "GET",
            _USERS,
            "The users of the page.",
            with_role(site.games, "admin", _list),
            error_statuses=(401, 403, 503),
        ),
        Operation(
            "POST",
            _USERS,
            "Add a user.",
            with_role(changes, "admin", _add),
            body=_NEW,
            error_statuses=ROLE_ERRORS,
        ),
        Operation(
            "DELETE",
            _USER,
            "Remove a user, and end the user's sessions.",
            with_role(changes, "admin", _remove),
            error_statuses=ROLE_ERRORS,
        ),
    )


def _list(connection: "Connection", _request: ValidRequest, _user: User) -> Any:
    return {"users": [user_document(one) for one in list_users(connection)]}


def _add(connection: "Connection", request: ValidRequest, user: User) -> Any:
    body = request.body
    added = add_user(connection, body["name"], body["role"], body["password"], user.name)
    return user_document(added)


def _found(connection: "Connection", request: ValidRequest) -> int:
    number = request.numbers["user"]
    if number not in {one.id for one in list_users(connection)}:
        message = f"There is no user {number}."
        raise NotFoundError(message)
    return number


def _remove(connection: "Connection", request: ValidRequest, user: User) -> Any:
    number = _found(connection, request)
    if number == user.id:
        # So that no page of a club is left without an admin by mistake.
        message = "You cannot remove your own account; another admin can."
        raise ConflictError("yourself", message)
    remove_user(connection, number, user.name)
    return {"done": True}


def security_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operation that requires the role of an arbiter."""
    return (
        Operation(
            "GET",
            "/api/security",
            "The security log: logins, changed users, and what tables send wrongly.",
            with_role(site.games, "arbiter", _log),
            error_statuses=(401, 403, 503),
        ),
    )


def _log(connection: "Connection", _request: ValidRequest, _user: User) -> Any:
    return {
        "entries": [
            {
                "last": one.last.isoformat(),
                "event": one.event,
                "who": one.who,
                "address": one.address,
                "by": one.by,
                "about": one.about,
                "count": one.count,
            }
            for one in newest_entries(connection)
        ]
    }
