"""The legal moves of a few origins with one throw, found once for everything they depend on."""

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeAlias, TypeVar

T = TypeVar("T")
"""A move, or what moves are made of."""

MOST_STATES: Final = 5000
"""Number of states whose moves a cache keeps; in games there are far fewer."""
_TOGETHER: Final = 10
"""The number of origins whose pieces are found together."""


class Cache(Generic[T]):
    """The legal moves of a few origins, cached for all games."""

    __slots__ = ("_find", "_same", "known", "mask")

    def __init__(self, mask: int, find: Callable[[int], tuple[T, ...]]) -> None:
        self.mask = mask
        """The bits of a state (`urpi.rules.position.Position`) that the moves depend on."""
        self.known: dict[int, tuple[T, ...]] = {}
        """The moves by these bits, as far as they are known."""
        self._find = find
        self._same: dict[tuple[T, ...], tuple[T, ...]] = {}

    def find(self, state: int) -> tuple[T, ...]:
        """Return the moves for a state that is not known yet."""
        if len(self.known) >= MOST_STATES:
            self.known.clear()
        found = self._find(state)
        # Equal tuples are the same object: most states have one of few results, and a table that
        # fits into the processor's cache is read faster.
        self.known[state & self.mask] = found = self._same.setdefault(found, found)
        return found


Entry: TypeAlias = tuple[int, dict[int, tuple[T, ...]], Cache[T]]
"""A cache, preceded by its `mask` and `known`, which are used for every throw."""
Caches: TypeAlias = tuple[Entry[T], ...]
"""Caches in the order of their moves."""


class CachesByPieces(dict[int, Caches[T]], Generic[T]):
    """The caches of the origins that have a piece, by the bits of these pieces."""

    def __init__(self, caches: list[tuple[int, Cache[T]]]) -> None:
        super().__init__()
        self._caches = [(piece, (cache.mask, cache.known, cache)) for piece, cache in caches]

    def __missing__(self, pieces: int) -> Caches[T]:
        if len(self) >= MOST_STATES:
            self.clear()
        self[pieces] = found = tuple(entry for piece, entry in self._caches if piece & pieces)
        return found


Movers: TypeAlias = tuple[tuple[int, CachesByPieces[T]], ...]
"""The caches of all origins, some origins together, with the bits of the pieces there."""


def movers_of(caches: Iterable[tuple[int, Cache[T]]]) -> Movers[T]:
    """Return the caches of origins, each given with the bits of which a piece there has one."""
    every = list(caches)
    parts = (every[first : first + _TOGETHER] for first in range(0, len(every), _TOGETHER))
    return tuple((sum(piece for piece, _cache in part), CachesByPieces(part)) for part in parts)


def moved(movers: Movers[T], state: int) -> tuple[T, ...]:
    """Return the moves of all pieces of a state, in the order of their origins."""
    found: tuple[T, ...] = ()
    for pieces, caches in movers:
        for mask, known, cache in caches[state & pieces]:
            try:
                found += known[state & mask]
            except KeyError:
                found += cache.find(state)
    return found


def caches_of(caches: Iterable[Cache[T]]) -> Caches[T]:
    return tuple((cache.mask, cache.known, cache) for cache in caches)


def looked_up(
    caches: Iterable[tuple[int, dict[int, tuple[T, ...]], Cache[T]]], state: int
) -> tuple[T, ...]:
    found: tuple[T, ...] = ()
    for mask, known, cache in caches:
        try:
            found += known[state & mask]
        except KeyError:
            found += cache.find(state)
    return found
