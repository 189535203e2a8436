"""Operations that tell whether the club works, and which tables are silent or have unusual dice."""

from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp

from urpi.club.server.connections import table_connections
from urpi.club.server.dice import read_unusual_dice
from urpi.club.server.users import User
from urpi.club.web.logins import with_role
from urpi.club.web.site import ClubSite
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import error_response, json_response
from urpi.journal.fairness import tally_values

if TYPE_CHECKING:
    from psycopg import Connection


def connection_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operation for everyone, as for a monitor, and the one that requires an arbiter."""

    async def health(_request: ValidRequest) -> ASGIApp:
        # Reports itself if the database does not respond.
        await site.games.read(lambda connection: connection.execute("SELECT 1"))
        if not site.wall.is_connected:
            return error_response(503, "broker", "The club is not connected to its broker.")
        if site.wall.storage != "works":
            return error_response(503, "database", "The club's database stores nothing now.")
        return json_response({"healthy": True})

    return (
        Operation(
            "GET",
            "/api/health",
            "Whether the club is connected to its broker and its database.",
            health,
            error_statuses=(503,),
        ),
        Operation(
            "GET",
            "/api/connections",
            "Which tables are connected to the broker, those that are not first, and unusual dice.",
            with_role(site.games, "arbiter", _connections),
            error_statuses=(401, 403, 503),
        ),
    )


def _connections(connection: "Connection", _request: ValidRequest, _user: User) -> Any:
    dice: dict[str, list[Any]] = {}
    for table, tally in read_unusual_dice(connection):
        dice.setdefault(table, []).append(tally_values(tally))
    return {
        "tables": [
            {
                "table": one.table,
                "online": one.online,
                "since": one.since and one.since.isoformat(),
                "received": one.received and one.received.isoformat(),
                "dice": dice.get(one.table, []),
            }
            for one in table_connections(connection)
        ]
    }
