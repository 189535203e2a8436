"""The operation with which arbiters read the security log."""

from typing import TYPE_CHECKING, Any

from urpi.club.server.security_log import newest_entries
from urpi.club.server.users import User
from urpi.club.web.roles import with_role
from urpi.club.web.site import ClubSite
from urpi.http.operations import Operation, ValidRequest

if TYPE_CHECKING:
    from psycopg import Connection


def security_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operation that requires the role of an arbiter."""
    return (
        Operation(
            "GET",
            "/api/security",
            "The security log: logins, changed users, and what tables send wrongly.",
            with_role(site.games, "arbiter", _list),
            error_statuses=(401, 403, 503),
        ),
    )


def _list(connection: "Connection", _request: ValidRequest, _user: User) -> Any:
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
