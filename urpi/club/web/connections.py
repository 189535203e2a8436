"""Operations that report whether the club works, which tables are silent, and unusual dice."""

from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp

from urpi.club.server.connections import table_connections
from urpi.club.server.dice import read_unusual_dice
from urpi.club.server.last_backup import MAX_AGE, read_last_backup
from urpi.club.server.users import User
from urpi.club.web.logins import with_role
from urpi.club.web.site import ClubSite
from urpi.core.supervision import set_aside
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import error_response, json_response
from urpi.journal.fairness import tally_values

if TYPE_CHECKING:
    from psycopg import Connection


def connection_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operation for everyone, as for a monitor, and the one that requires an arbiter."""

    async def health(_request: ValidRequest) -> ASGIApp:
        # Reports itself if the database does not respond.
        backup = await site.games.read(read_last_backup)
        if not site.wall.is_connected:
            return error_response(503, "broker", "The club is not connected to its broker.")
        if site.wall.storage != "works":
            return error_response(503, "database", "The club's database stores nothing now.")
        if failing := ", ".join(fault.part for fault in site.faults()):
            return error_response(503, "parts", f"Parts of the club's program fail: {failing}.")
        if backup.problem:
            return error_response(503, "backup", "The last backup of the club has failed.")
        if backup.is_old:
            message = f"The last backup of the club is older than {MAX_AGE}."
            return error_response(503, "backup", message)
        return json_response({"healthy": True})

    def connections(connection: "Connection", _request: ValidRequest, _user: User) -> Any:
        written, problem, is_old = read_last_backup(connection)
        return {
            "tables": _tables(connection),
            "backup": {
                "written": written and written.isoformat(),
                "problem": problem,
                "old": is_old,
            },
            "faults": [{"part": one.part, "problem": one.problem} for one in site.faults()],
            "set_aside": sum(count for _kind, count in set_aside()),
        }

    return (
        Operation(
            "GET",
            "/api/health",
            "Whether the club is connected to its broker and its database, all parts of its program"
            " work, and its backups are in order.",
            health,
            error_statuses=(503,),
        ),
        Operation(
            "GET",
            "/api/connections",
            "Which tables are connected to the broker, those that are not first, unusual dice,"
            " failing parts of the club, and its last backup.",
            with_role(site.games, "arbiter", connections),
            error_statuses=(401, 403, 503),
        ),
    )


def _tables(connection: "Connection") -> list[dict[str, Any]]:
    dice: dict[str, list[Any]] = {}
    for table, tally in read_unusual_dice(connection):
        dice.setdefault(table, []).append(tally_values(tally))
    return [
        {
            "table": one.table,
            "online": one.online,
            "since": one.since and one.since.isoformat(),
            "received": one.received and one.received.isoformat(),
            "dice": dice.get(one.table, []),
        }
        for one in table_connections(connection)
    ]
