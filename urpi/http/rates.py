"""Rate limits for each client address, in bounded memory.

Times are passed in, in seconds on a monotonic clock.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

MAX_ADDRESSES: Final = 1024
"""Maximum number of tracked addresses; beyond it the least recently used one is dropped."""


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
        """Return the number of tracked addresses."""
        return len(self._buckets)


class AttemptLimit:
    """At most `count` attempts within `within_s` seconds."""

    def __init__(self, count: int, within_s: float) -> None:
        self._within_s = within_s
        self._times: deque[float] = deque(maxlen=count)

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next attempt is allowed, 0 if it is allowed now."""
        if len(self._times) < (self._times.maxlen or 0):
            return 0.0
        # The oldest of the last `count` attempts decides.
        return max(self._times[0] + self._within_s - now, 0.0)

    def add(self, now: float) -> None:
        """Count an attempt."""
        self._times.append(now)


class AttemptLimits:
    """An `AttemptLimit` for each address, in bounded memory."""

    def __init__(self, count: int, within_s: float) -> None:
        self._count, self._within_s = count, within_s
        self._limits: OrderedDict[str, AttemptLimit] = OrderedDict()

    def of(self, address: str) -> AttemptLimit:
        """Return the limit of an address."""
        limit = self._limits.pop(address, None) or AttemptLimit(self._count, self._within_s)
        self._limits[address] = limit
        if len(self._limits) > MAX_ADDRESSES:
            self._limits.popitem(last=False)
        return limit

    def __len__(self) -> int:
        """Return the number of tracked addresses."""
        return len(self._limits)


def client_key(host: str) -> str:
    """Return the key by which limits count an address.

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
