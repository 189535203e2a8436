"""Limits: what the page may cost the program that referees, and how long anybody may take."""

import resource
from dataclasses import dataclass
from typing import Final

HIGHEST_FILE: Final = 1024
"""pyserial reads the hub by select(2), which knows file numbers below this alone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds; the rest are connections, pages or bytes."""

    connections: int = 480
    """Open connections; of more, the one that has waited longest for a request is dropped."""
    connections_of_one: int = 64
    """The same of one address that is not this machine's own."""
    streams: int = 400
    """Open pages. Of more, those that cannot act give way to those that can; the rest of the
    connections is for loading pages and for acting."""
    streams_of_one: int = 32
    """Open pages of one address, unless they are on this machine or can act."""
    request_s: float = 10.0
    """A connection that has not sent a whole request within this time is dropped."""
    stuck_s: float = 20.0
    """A connection that reads nothing of what is sent for this time is dropped."""
    idle_s: float = 3.0
    """An open page that reads nothing for this time gives way to any other."""
    unsent: int = 32 * 1024
    """Bytes that wait in us for a page to take them, before no more are written."""
    in_kernel: int = 64 * 1024
    """Bytes that the kernel keeps for a page, which it doubles."""
    asks: int = 400
    """Requests of an address that is not this machine's own at once; then `asks_per_s`."""
    asks_per_s: float = 50.0
    acts: int = 60
    """Requests that act, of any address, at once; then `acts_per_s`."""
    acts_per_s: float = 10.0


def usual_limits() -> Limits:
    """The limits for this process: half of the files that it may open are left to the game."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = min(files, HIGHEST_FILE) if files != resource.RLIM_INFINITY else HIGHEST_FILE
    connections = min(Limits().connections, most // 2 - 16)
    return Limits(connections=connections, streams=connections * 5 // 6)
