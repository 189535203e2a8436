"""Limits for each client address and on what pages take from the program, in bounded memory.

Times are passed in, in seconds on a monotonic clock.
"""

import resource
from collections import OrderedDict, deque
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

MAX_ADDRESSES: Final = 1024
"""Maximum number of tracked addresses; beyond it the least recently used one is dropped."""
MAX_FILE_NUMBER: Final = 1024
"""pyserial waits for the hub with select(2), which supports only file descriptors below this."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class RateLimit:
    """A token bucket for each address.

    Args:
        burst: Number of requests that an address may make at once.
        per_s: Requests per second that it may make in the long run.
    """

    def __init__(self, burst: int, per_s: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allows(self, address: str, now: float) -> bool:
        """Return whether an address may make a request now, and count the request if it may."""
        bucket = self._buckets.pop(address, None) or _Bucket(self._burst, now)
        # At the end of the order, as the most recently used one.
        self._buckets[address] = bucket
        if len(self._buckets) > MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        tokens = bucket.tokens + (now - bucket.at) * self._per_s
        # Without this cap an address that is quiet for an hour could then flood the page.
        bucket.tokens, bucket.at = min(tokens, self._burst), now
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

    def __len__(self) -> int:
        """The number of tracked addresses."""
        return len(self._buckets)


class AttemptLimit:
    """At most `count` attempts within `within_s` seconds."""

    def __init__(self, count: int, within_s: float) -> None:
        self._within_s = within_s
        self._times: deque[float] = deque(maxlen=count)

    def wait_s(self, now: float) -> float:
        """The seconds until the next attempt is allowed, 0 if it is allowed now."""
        if len(self._times) < (self._times.maxlen or 0):
            return 0.0
        # The oldest of the last `count` attempts decides.
        return max(self._times[0] + self._within_s - now, 0.0)

    def add(self, now: float) -> None:
        self._times.append(now)


class AttemptLimits:
    """An `AttemptLimit` for each address, in bounded memory."""

    def __init__(self, count: int, within_s: float) -> None:
        self._count, self._within_s = count, within_s
        self._limits: OrderedDict[str, AttemptLimit] = OrderedDict()

    def of(self, address: str) -> AttemptLimit:
        limit = self._limits.pop(address, None) or AttemptLimit(self._count, self._within_s)
        self._limits[address] = limit
        if len(self._limits) > MAX_ADDRESSES:
            self._limits.popitem(last=False)
        return limit

    def __len__(self) -> int:
        """The number of tracked addresses."""
        return len(self._limits)


def client_key(host: str) -> str:
    """The key by which limits count an address.

    For IPv6 it is the /64 network: a household has one, and any of its addresses is free to use.

    >>> client_key("192.168.1.20"), client_key("2001:db8:1:2:3:4:5:6"), client_key("?")
    ('192.168.1.20', '2001:db8:1:2', '?')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return ":".join(f"{int(part, 16):x}" for part in address.exploded.split(":")[:4])
    return str(address)


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
    """The limits for this process, which leave half of the file descriptors to the game."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = min(files, MAX_FILE_NUMBER) if files != resource.RLIM_INFINITY else MAX_FILE_NUMBER
    connections = min(Limits().connections, most // 2 - 16)
    return Limits(connections=connections, streams=connections * 5 // 6)
