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
    """Further ones are dropped at once."""
    connections_of_one: int = 64
    """Of an address that is not this machine's own."""
    streams: int = 400
    """Open pages; what is left is for whoever loads a page or acts."""
    streams_of_one: int = 32
    """Of an address that is not this machine's own."""
    head_s: float = 10.0
    """A request's head has come whole within this time."""
    stuck_s: float = 20.0
    """A connection that takes nothing of what is sent for so long is dropped."""
    look_s: float = 2.5
    """Each connection is looked at so often."""
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
