"""Operations that enter names at tables: for arbiters, and for players with a PIN."""

from contextlib import contextmanager
from datetime import datetime, time
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.club.server.entered_names import (
    InvalidNameError,
    check_pin,
    enter_name,
    list_entered,
    list_missing,
    new_pin,
)
from urpi.club.server.players import identity
from urpi.club.server.presence import UnknownTableError
from urpi.club.server.security_log import record
from urpi.club.server.users import User
from urpi.club.web.logins import ACCOUNT_S, ADDRESS_S, MAX_FAILED, ROLE_ERRORS, with_role
from urpi.club.web.site import ClubSite
from urpi.core.json_schema import Schema, object_of
from urpi.http.guard import CLIENT
from urpi.http.limits import AttemptLimits, client_key
from urpi.http.operations import ConflictError, NotFoundError, Operation, ValidRequest
from urpi.http.responses import error_response, json_response
from urpi.page.games import DAY, day_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

_NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 100}
TABLE: Final[Schema] = {"type": "string", "maxLength": 40, "pattern": "^[ -~]*$"}
_PIN: Final[Schema] = {"type": "string", "maxLength": 40, "pattern": "^[ -~]*$"}
_ENTERED: Final[Schema] = {"type": "boolean"}
_NAMES: Final = "/api/names"


def name_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operations on names that are entered at tables."""
    names = _Names(site)
    return (
        Operation(
            "GET",
            _NAMES,
            "The names that are entered at tables, and those with games that are not rated because"
            " they are not.",
            with_role(site.games, "arbiter", _list),
            error_statuses=(401, 403, 503),
        ),
        Operation(
            "POST",
            _NAMES,
            "Enter a name at a table, so that its games there are rated, or remove it: from now or"
            " from a day on. `*` is every name, or every table.",
            with_role(site.changes, "arbiter", _enter),
            body=object_of(
                ("name", "table", "entered"),
                name=_NAME,
                table=TABLE,
                entered=_ENTERED,
                since=DAY,
            ),
            error_statuses=ROLE_ERRORS,
        ),
        Operation(
            "POST",
            f"{_NAMES}/pin",
            "Make a new PIN, with which a player enters the own name; it is returned only now.",
            with_role(site.changes, "arbiter", _new_pin),
            body=object_of(("name",), name=_NAME),
            error_statuses=ROLE_ERRORS,
        ),
        Operation(
            "POST",
            f"{_NAMES}/own",
            "Enter the own name at a table with the PIN, or remove it, from now on.",
            names.enter_own,
            body=object_of(
                ("name", "table", "pin", "entered"),
                name=_NAME,
                table=TABLE,
                pin=_PIN,
                entered=_ENTERED,
            ),
            error_statuses=(400, 403, 404, 409, 429, 503),
        ),
    )


class _Names:
    """The operation of players; attempts are counted by this process."""

    def __init__(self, site: ClubSite) -> None:
        self._site = site
        self._by_address = AttemptLimits(MAX_FAILED, ADDRESS_S)
        self._by_name = AttemptLimits(MAX_FAILED, ACCOUNT_S)

    async def enter_own(self, request: ValidRequest) -> ASGIApp:
        address, body = request.source.scope["state"][CLIENT].address, request.body
        name, pin = body["name"].strip(), "".join(body["pin"].split())

        def run(connection: "Connection") -> Response:
            limits = self._by_address.of(client_key(address)), self._by_name.of(identity(name))
            now = self._site.clock()
            wait_s = max(limit.wait_s(now) for limit in limits)
            if wait_s:
                record(connection, "login-refused", "", address=address, about="PIN of a player")
                response = error_response(
                    429, "too-many-logins", "Too many attempts. Wait a few minutes."
                )
                response.headers["retry-after"] = str(int(wait_s) + 1)
                return response
            # Right ones, too: nobody enters and removes a name more often.
            for limit in limits:
                limit.add(now)
            if not check_pin(connection, name, pin):
                record(connection, "login-failed", "", address=address, about="PIN of a player")
                return error_response(403, "wrong-pin", "The name or the PIN is wrong.")
            if body["table"] == "*":
                message = "A player enters the own name at one table."
                raise ConflictError("one-table", message)
            with _answers():
                entered = body["entered"]
                enter_name(connection, name, body["table"], entered=entered, pin=True)
            return json_response({"done": True})

        return await self._site.changes.read(run)


@contextmanager
def _answers() -> "Iterator[None]":
    try:
        yield
    except UnknownTableError as error:
        raise NotFoundError(str(error), "no-table") from error
    except InvalidNameError as error:
        raise ConflictError("invalid-name", str(error)) from error


def _list(connection: "Connection", _request: ValidRequest, _user: User) -> Any:
    return {
        "missing": [
            {**one._asdict(), "since": one.since.isoformat()} for one in list_missing(connection)
        ],
        "entered": [
            {
                "table": one.table,
                "name": one.name,
                "since": one.since and one.since.isoformat(),
                "until": one.until and one.until.isoformat(),
            }
            for one in list_entered(connection)
        ],
    }


def _enter(connection: "Connection", request: ValidRequest, user: User) -> Any:
    body, day = request.body, day_of(request.body, "since")
    since = None if day is None else datetime.combine(day, time()).astimezone()
    with _answers():
        name = enter_name(
            connection, body["name"], body["table"], since, entered=body["entered"], user=user.name
        )
    return {"name": name}


def _new_pin(connection: "Connection", request: ValidRequest, user: User) -> Any:
    with _answers():
        return {"pin": new_pin(connection, request.body["name"], user.name)}
