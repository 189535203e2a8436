"""The users of a club's page in PostgreSQL, arbiters and admins, and their sessions.

Of a password and of a session's token, which is sent once in the response that sets its cookie, the
database contains only a hash, so that a backup contains none that could be used.

A device on which a user has logged in gets a random token in a cookie that lives longer than a
session. It allows nothing but to log in as the same user while logins from elsewhere are refused
(OWASP, *Slow Down Online Guessing Attacks with Device Cookies*).
"""

import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from urpi.club.server.players import identity
from urpi.club.server.security_log import record
from urpi.core.errors import UrpiError
from urpi.core.extras import installation
from urpi.core.names import MAX_NAME, normalised_name

if TYPE_CHECKING:
    from argon2 import PasswordHasher
    from psycopg import Connection

Role: TypeAlias = Literal["arbiter", "admin"]
"""An arbiter runs tournaments; an admin also manages users."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
"""In characters; Argon2 itself has no limit that matters."""
DEVICE_DAYS: Final = 365
"""Days after which a device that has not logged in is forgotten."""
MAX_DEVICES: Final = 20
"""Maximum number of devices of a user; the one that has not logged in for longest is forgotten."""
SESSION_HOURS: Final = 12
"""Hours after which a session ends: a day of a tournament."""


@dataclass(frozen=True, slots=True)
class User:
    """A user.

    Attributes:
        id: Its number.
        name: The name with which the user logs in, in upper or lower case.
        role: What the user may do.
        created: When the user was added.
    """

    id: int
    name: str
    role: Role
    created: datetime

    def may(self, role: Role) -> bool:
        """Whether the user may do what a role may do."""
        return self.role in {role, "admin"}


def add_user(connection: "Connection", name: str, role: Role, password: str, by: str = "") -> User:
    """Store a new user; `by` is the user who adds it, empty for the command line.

    Raises:
        UrpiError: If the name or the password is invalid, or another user has the name.
    """
    name, hashed = _checked_name(name), hash_password(password)
    row = connection.execute(
        "INSERT INTO users (name, identity, role, password) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (identity) DO NOTHING RETURNING id, name, role, created",
        (name, identity(name), role, hashed),
    ).fetchone()
    if row is None:
        message = f"There is a user {name!r} already; remove it, or choose another name."
        raise UrpiError(message)
    record(connection, "user-added", row[1], by=by, about=role)
    return User(*row)


def _checked_name(text: str) -> str:
    name = normalised_name(text)
    if not 1 <= len(name) <= MAX_NAME:
        message = f"A user's name must have 1 to {MAX_NAME} characters; found {len(name)}."
        raise UrpiError(message)
    return name


def list_users(connection: "Connection") -> list[User]:
    """All users in the order of their names."""
    rows = connection.execute("SELECT id, name, role, created FROM users ORDER BY identity")
    return [User(*row) for row in rows]


def named_user(connection: "Connection", name: str) -> User:
    """A user by name.

    Raises:
        UrpiError: If there is none.
    """
    found = _with_hash(connection, name)
    if found is None:
        message = f"There is no user {name!r}; `urpi club user list` shows them."
        raise UrpiError(message)
    return found[0]


def remove_user(connection: "Connection", number: int, by: str = "") -> None:
    """Delete a user, and end the user's sessions."""
    row = connection.execute(
        "DELETE FROM users WHERE id = %s RETURNING name, role", (number,)
    ).fetchone()
    if row is not None:
        record(connection, "user-removed", row[0], by=by, about=row[1])


def set_password(connection: "Connection", number: int, password: str) -> None:
    """Replace a user's password, and end the user's sessions.

    Raises:
        UrpiError: If the password is invalid.
    """
    hashed = hash_password(password)
    with connection.transaction():
        connection.execute("UPDATE users SET password = %s WHERE id = %s", (hashed, number))
        # A session may be that of a person who knew only the old password.
        connection.execute("DELETE FROM sessions WHERE user_id = %s", (number,))
        row = connection.execute("SELECT name FROM users WHERE id = %s", (number,)).fetchone()
        if row is not None:
            record(connection, "password-changed", row[0])


def check_password(connection: "Connection", name: str, password: str) -> User | None:
    """The user with a name and a password, None if one of them is wrong.

    It takes the same time if there is no such user.
    """
    user, hashed = _with_hash(connection, name) or (None, None)
    return user if is_hash_of(hashed, password) else None


def is_hash_of(hashed: str | None, secret: str) -> bool:
    """Whether a hash is that of a password or PIN; without one it takes the same time."""
    import argon2  # noqa: PLC0415 - an extra

    try:
        # Its duration must not show which users there are.
        _hasher().verify(hashed or _other_hash(), _normalised(secret))
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False
    return hashed is not None


def _with_hash(connection: "Connection", name: str) -> tuple[User, str] | None:
    try:
        requested = identity(normalised_name(name))
    except UrpiError:
        return None
    row: tuple[Any, ...] | None = connection.execute(
        "SELECT id, name, role, created, password FROM users WHERE identity = %s", (requested,)
    ).fetchone()
    return None if row is None else (User(*row[:4]), str(row[4]))


def hash_password(password: str) -> str:
    """The Argon2id hash of a password, with its parameters and a random salt.

    Raises:
        UrpiError: If the password is too short or too long, or argon2-cffi is not installed.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        message = (
            f"A password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; "
            f"found {len(password)}."
        )
        raise UrpiError(message)
    return str(_hasher().hash(_normalised(password)))


def _normalised(password: str) -> str:
    # Two keyboards may enter the same letter with an accent in different ways (RFC 8265, 4.2).
    return unicodedata.normalize("NFC", password)


@cache
def _hasher() -> "PasswordHasher":
    try:
        from argon2 import PasswordHasher  # noqa: PLC0415 - an extra
    except ImportError:
        message = f"Logins need the library argon2-cffi; run {installation('club-server')}."
        raise UrpiError(message) from None
    # The defaults: 64 MiB and three passes, the second recommendation of RFC 9106.
    return PasswordHasher()


@cache
def _other_hash() -> str:
    """A hash to compare with if there is no such user."""
    return str(_hasher().hash("of no user"))


def begin_session(connection: "Connection", user: User) -> str:
    """Begin a session, and return its token. Expired sessions of all users are deleted."""
    token = secrets.token_urlsafe(32)
    with connection.transaction():
        connection.execute(
            "DELETE FROM sessions WHERE created <= now() - make_interval(hours => %s)",
            (SESSION_HOURS,),
        )
        connection.execute(
            "INSERT INTO sessions (token, user_id) VALUES (%s, %s)", (digest(token), user.id)
        )
    return token


def session_user(connection: "Connection", token: str) -> User | None:
    """The user of a session, None if there is no such session or it has expired."""
    if not token:
        return None
    row = connection.execute(
        "SELECT users.id, name, role, users.created FROM sessions JOIN users ON users.id = user_id"
        " WHERE token = %s AND sessions.created > now() - make_interval(hours => %s)",
        (digest(token), SESSION_HOURS),
    ).fetchone()
    return None if row is None else User(*row)


def end_session(connection: "Connection", token: str) -> None:
    """End a session, if the token belongs to one."""
    connection.execute("DELETE FROM sessions WHERE token = %s", (digest(token),))


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
