"""The legal moves of a few origins with one throw, found once for everything they depend on."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from urpi.rules.moves import Move

MOST_STATES: Final = 5000
"""Number of states whose moves a cache keeps; in games there are far fewer."""

_SAME: Final[dict[tuple[Move, ...], tuple[Move, ...]]] = {}


class MoveCache:
    """The legal moves of a few origins, cached for all games."""

    __slots__ = ("_find", "mask", "moves")

    def __init__(self, mask: int, find: Callable[[int], tuple[Move, ...]]) -> None:
        self.mask = mask
        """The bits of a state (`urpi.rules.position.Position`) that the moves depend on."""
        self.moves: dict[int, tuple[Move, ...]] = {}
        """The moves by these bits, as far as they are known."""
        self._find = find

    def find(self, state: int) -> tuple[Move, ...]:
        """Return the moves for a state that is not known yet."""
        if len(self.moves) >= MOST_STATES:
            self.moves.clear()
        found = self._find(state)
        # Equal tuples are the same object: most states have one of few results, and a table that
        # fits into the processor's cache is read faster.
        self.moves[state & self.mask] = found = _SAME.setdefault(found, found)
        return found


MoveCaches: TypeAlias = tuple[tuple[int, dict[int, tuple[Move, ...]], MoveCache], ...]
"""The caches of a throw in the order of their moves, each preceded by its `mask` and `moves`."""


def legal_moves(caches: MoveCaches, state: int) -> tuple[Move, ...]:
    """Return the legal moves of all origins for a state."""
    found: tuple[Move, ...] = ()
    for mask, moves, cache in caches:
        try:
            found += moves[state & mask]
        except KeyError:
            found += cache.find(state)
    return found


def caches_of(caches: Iterable[MoveCache]) -> MoveCaches:
    """Return caches with their masks and moves, which are looked up for every throw."""
    return tuple((cache.mask, cache.moves, cache) for cache in caches)
