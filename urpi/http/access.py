"""Access control: the PIN that the OLED shows, and the sessions of browsers that entered it.

Neither the PIN nor a token is ever logged. A token is sent once, in the response that sets its
cookie, and only its digest is stored.
"""

import hmac
import json
import logging
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any, Final

from urpi.core import strict_json
from urpi.core.atomic_file import draft_of
from urpi.http.limits import AttemptLimit, AttemptLimits, client_key

MAX_ATTEMPTS: Final = 5
"""Maximum number of wrong PINs from one address within `ATTEMPTS_WITHIN_S`."""
MAX_ALL_ATTEMPTS: Final = 60
"""Maximum number of wrong PINs from all addresses together within `ATTEMPTS_WITHIN_S`: a client
with many addresses needs more than five days for half of all PINs."""
ATTEMPTS_WITHIN_S: Final = 60.0
# More than a table has browsers; without a limit each entry of the PIN would cost memory for ever.
MAX_SESSIONS: Final = 64
SESSION_S: Final = 30 * 24 * 60 * 60
"""How long a browser keeps its session, in seconds: a phone is closed between two evenings."""
COOKIE_PREFIX: Final = "urpi-session-"
SECURE_PREFIX: Final = "__Host-"
"""Prefix of a cookie's name over TLS: with it browsers accept the cookie from this host only."""
# Out of reach of scripts and not sent with requests of other sites, where browsers obey it.
COOKIE_ATTRIBUTES: Final = "HttpOnly; SameSite=Strict; Path=/"
_PIN: Final = re.compile("[0-9]{6}")
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_log: Final = logging.getLogger(__name__)


def cookie_name(port: int, *, secure: bool, prefix: str = COOKIE_PREFIX) -> str:
    """The name of a cookie, by default the session's.

    Browsers send a host's cookies to all of its ports; with the port in the name, two tables on
    one machine have different cookies.

    >>> cookie_name(8011, secure=False), cookie_name(443, secure=True)
    ('urpi-session-8011', '__Host-urpi-session-443')
    """
    return f"{SECURE_PREFIX if secure else ''}{prefix}{port}"


def session_cookie(
    token: str,
    port: int,
    *,
    secure: bool,
    prefix: str = COOKIE_PREFIX,
    for_s: int = SESSION_S,
) -> str:
    """The Set-Cookie header that begins a session of `for_s` seconds.

    With an empty token it ends the session.
    """
    name = f"{cookie_name(port, secure=secure, prefix=prefix)}={token}" + (
        "; Secure" if secure else ""
    )
    return f"{name}; {COOKIE_ATTRIBUTES}; Max-Age={for_s if token else 0}"


def new_pin() -> str:
    """Return six random digits, uniformly distributed."""
    return f"{secrets.randbelow(1_000_000):06}"


def linked_pin(url: str, pin: str) -> str:
    """A link that begins a session.

    Browsers do not send the part after # to the server, so that no log contains the PIN.
    """
    return f"{url}#pin={pin}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of an attempt to enter the PIN.

    Attributes:
        token: The token of the new session, empty if the PIN was wrong.
        wait_s: Seconds to wait before the next attempt if there were too many, else 0.
    """

    token: str = ""
    wait_s: float = 0.0


class Access:
    """The PIN and the sessions of a page.

    Args:
        pin: The PIN; by default a new one, unless the file has one.
        file: Where both are kept, so that players go on after a power cut; by default they end with
            the program. Another process may change it (`urpi pin --new`). Only its owner
            can read it.
    """

    def __init__(self, pin: str = "", file: Path | None = None) -> None:
        self._file, self._stamp = file, (0, 0)
        self._all_attempts = AttemptLimit(MAX_ALL_ATTEMPTS, ATTEMPTS_WITHIN_S)
        self._attempts = AttemptLimits(MAX_ATTEMPTS, ATTEMPTS_WITHIN_S)
        self._pin = ""
        self._sessions: dict[str, None] = {}
        """The digests of the tokens, the oldest first."""
        self._guard = RLock()
        self._read()
        if pin or not self._pin:
            self._pin = pin or new_pin()
            self._write()

    @property
    def pin(self) -> str:
        """The PIN that the OLED shows."""
        with self._guard:
            self._read()
            return self._pin

    def _read(self) -> None:
        """Read the file if it was changed by another process."""
        if self._file is None:
            return
        try:
            stamp = _stamp(self._file)
            if stamp == self._stamp:
                return
            self._stamp = stamp
            self._pin, self._sessions = read_access(self._file)
        except FileNotFoundError:
            # Before the first start, or removed: what is known stays valid.
            return
        except (OSError, ValueError) as error:
            _log.warning("The page's sessions cannot be read from %s: %s", self._file, error)

    def _write(self) -> None:
        if self._file is None:
            return
        try:
            write_access(self._file, self._pin, self._sessions)
            self._stamp = _stamp(self._file)
        except OSError as error:
            _log.warning(
                "The page's sessions end with this program: %s cannot be written (%s)",
                self._file,
                error,
            )

    def enter(self, pin: str, address: str, now: float) -> Attempt:
        """Check a PIN and begin a session if it is correct.

        Args:
            pin: The digits that were entered.
            address: The client's address, by which wrong PINs are counted.
            now: The time in seconds.
        """
        attempts = self._attempts.of(client_key(address))
        wait_s = max(attempts.wait_s(now), self._all_attempts.wait_s(now))
        # Before the comparison: even the correct PIN must wait, or guessing could go on.
        if wait_s:
            return Attempt(wait_s=wait_s)
        with self._guard:
            # In constant time, so that the duration does not reveal correct digits.
            if hmac.compare_digest(pin.encode(), self.pin.encode()):
                return Attempt(self._begin())
        attempts.add(now)
        self._all_attempts.add(now)
        return Attempt()

    def _begin(self) -> str:
        token = secrets.token_urlsafe(32)
        self._sessions[_digest(token)] = None
        while len(self._sessions) > MAX_SESSIONS:
            # The oldest session ends, rather than new ones being refused.
            del self._sessions[next(iter(self._sessions))]
        self._write()
        return token

    def renew(self) -> str:
        """Replace the PIN, end all sessions, and return the token of a new one."""
        with self._guard:
            self._pin, self._sessions = new_pin(), {}
            return self._begin()

    def is_valid(self, token: str) -> bool:
        """Whether a token belongs to a session."""
        with self._guard:
            self._read()
            return _digest(token) in self._sessions

    def end(self, token: str) -> None:
        """End a session, if the token belongs to one."""
        with self._guard:
            self._read()
            if self._sessions.pop(_digest(token), self) is None:
                self._write()


def access_file(journal: Path) -> Path:
    """The file with the PIN and the sessions of the page of a journal's table."""
    return journal.with_name(f"{journal.name}.page")


def write_access(file: Path, pin: str, sessions: Iterable[str] = ()) -> None:
    """Replace a page's PIN and the digests of its sessions; by default all sessions end.

    Written by root, the file keeps its owner, who runs the page.

    Raises:
        OSError: If it cannot be written.
    """
    document = {"format": 1, "pin": pin, "sessions": list(sessions)}
    with draft_of(file, mode=0o600) as draft:
        draft.write_text(json.dumps(document), "utf-8")
        if os.name == "posix" and os.geteuid() == 0:
            owner = (file if file.exists() else file.parent).stat()
            os.chown(draft, owner.st_uid, owner.st_gid)


def read_access(file: Path) -> tuple[str, dict[str, None]]:
    """Return a page's PIN and the digests of its sessions, the oldest first.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it has another content.
    """
    match strict_json.parse(file.read_text("utf-8")):
        case {"format": 1, "pin": str(pin), "sessions": [*sessions]} if _PIN.fullmatch(pin) and all(
            _is_digest(one) for one in sessions
        ):
            return pin, dict.fromkeys(sessions[-MAX_SESSIONS:])
    message = "it must have a PIN of six digits and the digests of sessions"
    raise ValueError(message)


def _stamp(file: Path) -> tuple[int, int]:
    # The file is replaced as a whole; the clock of its times is coarse.
    found = file.stat()
    return found.st_mtime_ns, found.st_ino


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _digest(token: str) -> str:
    # The lookup compares digests, so that its duration reveals nothing about a token.
    return sha256(token.encode(errors="replace")).hexdigest()
