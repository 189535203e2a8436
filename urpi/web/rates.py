"""How often somebody may ask: buckets by address, in bounded memory, and tries in a minute.

Time is passed in, in seconds on a clock that never goes back.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

MOST_ADDRESSES: Final = 1024
"""So many are remembered; of more, the one that asked longest ago is forgotten."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rate:
    """Each address may ask `burst` times at once, and `per_s` times a second for ever."""

    def __init__(self, burst: int, per_s: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allows(self, address: str, now: float) -> bool:
        """Whether it may ask now; counted when it may."""
        bucket = self._buckets.pop(address, None) or _Bucket(self._burst, now)
        self._buckets[address] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        left = bucket.left + (now - bucket.at) * self._per_s
        bucket.left, bucket.at = min(left, self._burst), now
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._buckets)


class Tries:
    """At most `most` within `within_s` seconds, whoever tries."""

    def __init__(self, most: int, within_s: float) -> None:
        self._within_s = within_s
        self._times: deque[float] = deque(maxlen=most)

    def wait_s(self, now: float) -> float:
        """How long to wait before the next try; 0: it may be made now."""
        if len(self._times) < (self._times.maxlen or 0):
            return 0.0
        return max(self._times[0] + self._within_s - now, 0.0)

    def count(self, now: float) -> None:
        """One was made."""
        self._times.append(now)


class TriesByAddress:
    """`Tries` for each address, in bounded memory."""

    def __init__(self, most: int, within_s: float) -> None:
        self._most, self._within_s = most, within_s
        self._tries: OrderedDict[str, Tries] = OrderedDict()

    def of(self, address: str) -> Tries:
        """Those of an address."""
        tries = self._tries.pop(address, None) or Tries(self._most, self._within_s)
        self._tries[address] = tries
        if len(self._tries) > MOST_ADDRESSES:
            self._tries.popitem(last=False)
        return tries


def whose(host: str) -> str:
    """Whom an address belongs to: of IPv6 a household's whole network, which is one's own to use.

    >>> whose("192.168.1.20"), whose("2001:db8:1:2:3:4:5:6"), whose("?")
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
