"""Limits on the resources that the page takes from the program that referees."""

import resource
from dataclasses import dataclass
from typing import Final

MAX_FILE_NUMBER: Final = 1024
"""pyserial waits for the hub with select(2), which supports only file descriptors below this."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds; the other limits are numbers of connections, pages, requests or bytes."""

    connections: int = 480
    """Open connections. Beyond it, the one that has waited longest for a request is dropped."""
    connections_per_client: int = 64
    """Open connections of one address, except this machine's own."""
    streams: int = 400
    """Open pages. Beyond it, pages that cannot act give way to pages that can. The remaining
    connections are for loading pages and for actions."""
    streams_per_client: int = 32
    """Open pages of one address, except pages on this machine and pages that can act."""
    request_s: float = 10.0
    """Timeout for a complete request, after which the connection is dropped."""
    stuck_s: float = 20.0
    """Timeout for a client to read on, after which the connection is dropped."""
    idle_s: float = 3.0
    """Time without reading after which an open page gives way to any other page."""
    unsent: int = 32 * 1024
    """Bytes that wait in this process for one client, before writing pauses."""
    in_kernel: int = 64 * 1024
    """Bytes that the kernel buffers for one client; it doubles the value."""
    requests: int = 400
    """Burst of requests from an address that is not this machine's own; then `requests_per_s`."""
    requests_per_s: float = 50.0
    actions: int = 60
    """Burst of requests that act, from any address; then `actions_per_s`."""
    actions_per_s: float = 10.0


def default_limits() -> Limits:
    """Return the limits for this process, which leave half of the file descriptors to the game."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = min(files, MAX_FILE_NUMBER) if files != resource.RLIM_INFINITY else MAX_FILE_NUMBER
    connections = min(Limits().connections, most // 2 - 16)
    return Limits(connections=connections, streams=connections * 5 // 6)
