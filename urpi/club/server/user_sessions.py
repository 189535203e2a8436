"""The sessions of a club's users in PostgreSQL.

A token is sent once, in the response that sets its cookie. The database contains only its SHA-256,
so that a backup contains no token that could be used.
"""

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from urpi.club.server.users import User

if TYPE_CHECKING:
    from psycopg import Connection

HOURS: Final = 12
"""Hours after which a session ends: a day of a tournament."""


def begin_session(connection: "Connection", user: User) -> str:
    """Begin a session, and return its token. Expired sessions of all users are deleted."""
    token = secrets.token_urlsafe(32)
    with connection.transaction():
        connection.execute(
            "DELETE FROM sessions WHERE created <= now() - make_interval(hours => %s)", (HOURS,)
        )
        connection.execute(
            "INSERT INTO sessions (token, user_id) VALUES (%s, %s)", (_digest(token), user.id)
        )
    return token


def session_user(connection: "Connection", token: str) -> User | None:
    """Return the user of a session, None if there is no such session or it has expired."""
    if not token:
        return None
    row = connection.execute(
        "SELECT users.id, name, role, users.created FROM sessions JOIN users ON users.id = user_id"
        " WHERE token = %s AND sessions.created > now() - make_interval(hours => %s)",
        (_digest(token), HOURS),
    ).fetchone()
    return None if row is None else User(*row)


def end_session(connection: "Connection", token: str) -> None:
    """End a session, if the token belongs to one."""
    connection.execute("DELETE FROM sessions WHERE token = %s", (_digest(token),))


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()
