"""Devices on which a user of the club's page has logged in before.

A device gets a random token in a cookie that lives longer than a session. It allows nothing but to
log in as the same user while logins from elsewhere are refused (OWASP, *Slow Down Online Guessing
Attacks with Device Cookies*). The database contains only a hash of it, as of a session's token.
"""

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from urpi.club.server.users import User

if TYPE_CHECKING:
    from psycopg import Connection

DEVICE_DAYS: Final = 365
"""Days after which a device that has not logged in is forgotten."""
MAX_DEVICES: Final = 20
"""Maximum number of devices of a user; the one that has not logged in for longest is forgotten."""


def is_device_of(connection: "Connection", token: str, identity: str) -> bool:
    """Whether a user has logged in on a device before.

    Args:
        connection: The database.
        token: The device's token, empty if it has none.
        identity: The user (`urpi.club.server.players.identity`).
    """
    row = connection.execute(
        "SELECT 1 FROM devices JOIN users ON users.id = user_id WHERE token = %s AND identity = %s"
        " AND used > now() - make_interval(days => %s)",
        (digest(token), identity, DEVICE_DAYS),
    ).fetchone()
    return row is not None


def remember_device(connection: "Connection", user: User) -> str:
    """Store that a user has logged in on a device, and return its new token."""
    token = secrets.token_urlsafe(32)
    with connection.transaction():
        connection.execute(
            "INSERT INTO devices (token, user_id) VALUES (%s, %s)", (digest(token), user.id)
        )
        connection.execute(
            "DELETE FROM devices WHERE user_id = %s AND token NOT IN ("
            " SELECT token FROM devices WHERE user_id = %s ORDER BY used DESC, token LIMIT %s)",
            (user.id, user.id, MAX_DEVICES),
        )
    return token


def forget_device(connection: "Connection", token: str) -> None:
    """Forget a device, if the token belongs to one."""
    connection.execute("DELETE FROM devices WHERE token = %s", (digest(token),))


def digest(token: str) -> bytes:
    """Return what is stored of a token, and by what its failed logins are counted."""
    return sha256(token.encode(errors="replace")).digest()
