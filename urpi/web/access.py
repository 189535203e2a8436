"""Who may act: the PIN that the OLED shows, and the sessions of those who knew it.

Neither is ever logged, stored or shown but on the OLED and in the one answer that sets a cookie.
"""

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from urpi.web.rates import Tries, TriesByAddress, whose

TRIES: Final = 5
TRIES_S: Final = 60.0
"""So many wrong PINs a minute, of one address and of all together."""
MOST_SESSIONS: Final = 64
COOKIE: Final = "urpi-session"
SECURE_COOKIE: Final = f"__Host-{COOKIE}"
"""The cookie's name over TLS: browsers take one of that name from this host alone."""
COOKIE_ATTRIBUTES: Final = "HttpOnly; SameSite=Strict; Path=/"


def session_cookie(token: str, *, secure: bool) -> str:
    """The Set-Cookie header that begins a session, or ends it where the token is empty."""
    name = f"{SECURE_COOKIE}={token}; Secure" if secure else f"{COOKIE}={token}"
    ended = "" if token else "; Max-Age=0"
    return f"{name}; {COOKIE_ATTRIBUTES}{ended}"


def new_pin() -> str:
    """Six digits, each as likely."""
    return f"{secrets.randbelow(1_000_000):06}"


@dataclass(frozen=True, slots=True)
class Entered:
    """What came of a PIN: a session's `token`, else how long to wait before the next try."""

    token: str = ""
    wait_s: float = 0.0


class Access:
    """The PIN and the sessions of one run of the program."""

    def __init__(self, pin: str) -> None:
        self._pin = pin
        self._everybody = Tries(TRIES, TRIES_S)
        self._each = TriesByAddress(TRIES, TRIES_S)
        self._sessions: OrderedDict[bytes, None] = OrderedDict()

    @property
    def pin(self) -> str:
        """What the OLED shows to whoever stands before it."""
        return self._pin

    def enter(self, pin: str, host: str, now: float) -> Entered:
        """Try a PIN, from an address, at a time in seconds."""
        tries = self._each.of(whose(host))
        wait_s = max(tries.wait_s(now), self._everybody.wait_s(now))
        if wait_s:
            return Entered(wait_s=wait_s)
        if not hmac.compare_digest(pin.encode(), self._pin.encode()):
            tries.count(now)
            self._everybody.count(now)
            return Entered()
        return Entered(self._begin())

    def _begin(self) -> str:
        token = secrets.token_urlsafe(32)
        self._sessions[_digest(token)] = None
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return token

    def knows(self, token: str) -> bool:
        """Whether that is the token of a session."""
        return _digest(token) in self._sessions

    def leave(self, token: str) -> None:
        """End a session."""
        self._sessions.pop(_digest(token), None)


def _digest(token: str) -> bytes:
    # What is looked up is a digest, so that the time it takes says nothing of a token.
    return sha256(token.encode(errors="replace")).digest()
