"""The files of mosquitto: who may connect, and which topics each may publish and read.

A table may publish to its own topics only. Passwords are stored as mosquitto 2 stores them:
``$7$ITERATIONS$SALT$HASH``, PBKDF2 with SHA-512, base64.
"""

import os
import pwd
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import pbkdf2_hmac
from pathlib import Path
from typing import Final

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.core.names import CLUB, check_table
from urpi.link.broker.home_assistant import discovery_topic
from urpi.link.protocol.messages import MAX_BYTES
from urpi.link.protocol.topics import (
    FREE_OF_ALL,
    HELLO,
    NEXT_OF_ALL,
    ONLINE_OF_ALL,
    STATES_OF_ALL,
    Topic,
    message_topic,
    messages_to,
)

ITERATIONS: Final = 1000
"""The passwords are random, with 144 bits, and a slow hash protects only those that can be guessed.
mosquitto computes it for every connection, one after another, and after its restart all tables of a
club connect at once."""
MEMORY: Final = 256 * 1024**2
"""Bytes of memory beyond which the broker drops messages and their senders; a club of 20 tables at
rest takes some ten megabytes."""
QUEUED: Final = 16 * 1024**2
"""Bytes that wait for one client; further messages are dropped, and repeated by their senders."""
QUEUED_MESSAGES: Final = 100_000
"""As many retained messages, of two for each table, a wall receives at once when it connects."""
# As mosquitto_passwd of mosquitto 2.0.
_SALT_BYTES: Final = 12
_SUFFIX: Final = ".password"
CLUB_USER: Final = "urpi"
"""The system's user that runs `urpi club serve`."""
BROKER_USER: Final = "mosquitto"
"""The system's user that runs the broker."""


def acl_text(tables: Sequence[str]) -> str:
    """The access control list of a broker, for the club and its tables."""
    blocks = [
        [
            f"user {CLUB}",
            f"topic read {Topic('+', 'lines')}",
            f"topic read {STATES_OF_ALL}",
            f"topic read {ONLINE_OF_ALL}",
            f"topic write {Topic('+', 'ack')}",
            f"topic readwrite {NEXT_OF_ALL}",
            f"topic write {HELLO}",
        ]
    ]
    blocks += [
        [
            f"user {table}",
            f"topic write {Topic(table, 'state')}",
            f"topic write {Topic(table, 'online')}",
            f"topic write {Topic(table, 'free')}",
            f"topic write {Topic(table, 'lines')}",
            f"topic write {discovery_topic(table)}",
            f"topic read {Topic(table, 'ack')}",
            f"topic read {Topic(table, 'next')}",
            f"topic read {messages_to(table)}",
            f"topic read {ONLINE_OF_ALL}",
            f"topic read {FREE_OF_ALL}",
            f"topic read {HELLO}",
        ]
        for table in tables
    ]
    # Not to any id: each retained message to an invented one would take memory for ever. Patterns
    # (`%u` is the user who publishes), because a line for each pair would be a million lines of
    # 1,000 tables, with which mosquitto starts slowly.
    blocks.append([f"pattern write {message_topic(table, '%u')}" for table in tables])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def password_line(user: str, password: str, salt: bytes) -> str:
    found = pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"{user}:$7${ITERATIONS}${b64encode(salt).decode()}${b64encode(found).decode()}"


def conf_text(folder: Path) -> str:
    """The lines of mosquitto's configuration that every listener needs."""
    return (
        "# Included by `include_dir`, or copied. Add a listener with TLS.\n"
        "per_listener_settings false\n"
        "allow_anonymous false\n"
        f"acl_file {folder / 'acl'}\n"
        f"password_file {folder / 'passwords'}\n"
        f"max_packet_size {MAX_BYTES + 4096}\n"
        f"memory_limit {MEMORY}\n"
        f"max_queued_messages {QUEUED_MESSAGES}\n"
        f"max_queued_bytes {QUEUED}\n"
        "max_inflight_messages 20\n"
        "# Sessions of clients that do not come back; tables and clubs begin new ones.\n"
        "persistent_client_expiration 1d\n"
    )


def write_broker_files(
    folder: Path, tables: Sequence[str], club_user: str | None = None
) -> list[str]:
    """Write the broker's files, and a file with the password of each user that has none yet.

    If root writes them, the club's password belongs to its user, and the group of `BROKER_USER` can
    read the hashes and the access control list, where the system has these users. Other owners, and
    the hashes of passwords that have not changed, remain.

    Args:
        folder: The folder; it is created if necessary.
        tables: The ids of all tables. One that is not among them can no longer connect.
        club_user: The system's user that runs the club, None for `CLUB_USER`.

    Returns:
        The names of the password files that were created.

    Raises:
        UrpiError: If an id is invalid or repeated, or a file cannot be written.
    """
    if len(set(tables)) < len(tables):
        message = "Each table must be given once."
        raise UrpiError(message)
    users = [CLUB, *map(check_table, tables)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        created = [name for user in users if (name := _create_password(folder, user))]
        # Only the club's own: the passwords of tables are handed to their owners, not to a user
        # here.
        _hand_over(folder / f"{CLUB}{_SUFFIX}", club_user or CLUB_USER)
        salts = _salts(folder)
        lines = [
            password_line(
                user,
                (folder / f"{user}{_SUFFIX}").read_text("utf-8").strip(),
                salts.get(user) or secrets.token_bytes(_SALT_BYTES),
            )
            for user in users
        ]
        for name, text in (("passwords", "\n".join(lines) + "\n"), ("acl", acl_text(tables))):
            _write(folder / name, text, 0o640)
            _hand_over(folder / name, BROKER_USER, group_only=True)
        _write(folder / "mosquitto.conf", conf_text(folder.absolute()), 0o644)
    except OSError as error:
        message = f"The broker's files cannot be written to {folder}: {error.strerror}."
        raise UrpiError(message) from error
    return created


def hashed_passwords(folder: Path) -> dict[str, str]:
    """Return the hash of each user's password, as it is stored; empty if there are no files yet."""
    try:
        lines = (folder / "passwords").read_text("utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _salts(folder: Path) -> dict[str, bytes]:
    """Return the salts in use, so that a password that has not changed keeps its line."""
    pattern = re.compile(r"\$7\$\d+\$([A-Za-z0-9+/=]+)\$")
    found = {user: pattern.match(text) for user, text in hashed_passwords(folder).items()}
    return {user: b64decode(one[1]) for user, one in found.items() if one}


def _create_password(folder: Path, user: str) -> str:
    name = f"{user}{_SUFFIX}"
    if (folder / name).exists():
        return ""
    _write(folder / name, f"{secrets.token_urlsafe(18)}\n", 0o600)
    return name


def _hand_over(path: Path, user: str, *, group_only: bool = False) -> None:
    """Give a file of root to a user, or to the user's group, if there is such a user."""
    found = path.stat()
    # A file to which an administrator has given another owner keeps it.
    if os.geteuid() != 0 or (found.st_uid, found.st_gid) != (0, 0):
        return
    try:
        account = pwd.getpwnam(user)
    except KeyError:
        return
    os.chown(path, 0 if group_only else account.pw_uid, account.pw_gid)


def _write(path: Path, text: str, mode: int) -> None:
    """Write a file, if it changes, as a whole, never readable by others even for a moment."""
    # The name of a folder need not be UTF-8.
    data = text.encode("utf-8", "surrogateescape")
    if path.exists() and path.read_bytes() == data:
        return
    with draft_of(path, mode=mode) as draft:
        draft.write_bytes(data)
        if path.exists():
            found = path.stat()
            os.chown(draft, found.st_uid, found.st_gid)
