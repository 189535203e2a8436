"""Access control: the PIN that the OLED shows, and the sessions of browsers that entered it.

Neither the PIN nor a token is ever logged or stored. A token is sent once, in the response that
sets its cookie.
"""

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from urpi.http.limits import AttemptLimit, AttemptLimits, client_key

MAX_ATTEMPTS: Final = 5
"""Maximum number of wrong PINs from one address within `ATTEMPTS_WITHIN_S`."""
MAX_ALL_ATTEMPTS: Final = 60
"""Maximum number of wrong PINs from all addresses together within `ATTEMPTS_WITHIN_S`: a client
with many addresses needs more than five days for half of all PINs."""
ATTEMPTS_WITHIN_S: Final = 60.0
# More than a table has browsers; without a limit each entry of the PIN would cost memory for ever.
MAX_SESSIONS: Final = 64
COOKIE_PREFIX: Final = "urpi-session-"
SECURE_PREFIX: Final = "__Host-"
"""Prefix of a cookie's name over TLS: with it browsers accept the cookie from this host only."""
# Out of reach of scripts and not sent with requests of other sites, where browsers obey it.
COOKIE_ATTRIBUTES: Final = "HttpOnly; SameSite=Strict; Path=/"


def cookie_name(port: int, *, secure: bool, prefix: str = COOKIE_PREFIX) -> str:
    """The name of a cookie, by default the session's.

    Browsers send a host's cookies to all of its ports; with the port in the name, two tables on
    one machine have different cookies.

    >>> cookie_name(8011, secure=False), cookie_name(443, secure=True)
    ('urpi-session-8011', '__Host-urpi-session-443')
    """
    return f"{SECURE_PREFIX if secure else ''}{prefix}{port}"


def session_cookie(token: str, port: int, *, secure: bool, prefix: str = COOKIE_PREFIX) -> str:
    """The Set-Cookie header that begins a session, or ends it if the token is empty."""
    name = f"{cookie_name(port, secure=secure, prefix=prefix)}={token}" + (
        "; Secure" if secure else ""
    )
    expiry = "" if token else "; Max-Age=0"
    return f"{name}; {COOKIE_ATTRIBUTES}{expiry}"


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
    """The PIN and the sessions of one run of the program."""

    def __init__(self, pin: str) -> None:
        self._pin = pin
        self._all_attempts = AttemptLimit(MAX_ALL_ATTEMPTS, ATTEMPTS_WITHIN_S)
        self._attempts = AttemptLimits(MAX_ATTEMPTS, ATTEMPTS_WITHIN_S)
        self._sessions: OrderedDict[bytes, None] = OrderedDict()

    @property
    def pin(self) -> str:
        """The PIN that the OLED shows."""
        return self._pin

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
        # In constant time, so that the duration does not reveal correct digits.
        if not hmac.compare_digest(pin.encode(), self._pin.encode()):
            attempts.add(now)
            self._all_attempts.add(now)
            return Attempt()
        return Attempt(self._begin())

    def _begin(self) -> str:
        token = secrets.token_urlsafe(32)
        self._sessions[_digest(token)] = None
        if len(self._sessions) > MAX_SESSIONS:
            # The oldest session ends, rather than new ones being refused.
            self._sessions.popitem(last=False)
        return token

    def is_valid(self, token: str) -> bool:
        """Whether a token belongs to a session."""
        return _digest(token) in self._sessions

    def end(self, token: str) -> None:
        """End a session, if the token belongs to one."""
        self._sessions.pop(_digest(token), None)


def _digest(token: str) -> bytes:
    # The lookup compares digests, so that its duration reveals nothing about a token.
    return sha256(token.encode(errors="replace")).digest()
