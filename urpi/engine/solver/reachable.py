"""Exact values of games whose positions have keys: `murray` and `skiryuk` with three pieces.

All positions that can be reached fit into memory. They are found from the start, move by move,
and solved by value iteration.
"""

import math
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numba import njit
from numpy.typing import NDArray

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.engine.exact.values import KEY_BYTES
from urpi.engine.position_key import key_of
from urpi.engine.solver.compiled_game import (
    EXTRA,
    MINE_IN_HAND,
    MINE_OFF,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
    RED,
    STATE,
    CompiledGame,
    game_of,
)
from urpi.engine.solver.compiled_rules import expand_race
from urpi.engine.solver.solving import RESIDUAL
from urpi.rules import RuleSet, Side

MAX_POSITIONS: Final = 1 << 24
"""The number of positions for which memory is reserved; what is not used takes none."""
MEMORY_NEEDED: Final = 1_500_000_000
"""The memory that the largest game takes, in bytes."""
DISK_NEEDED: Final = MAX_POSITIONS * (KEY_BYTES + 2 + 16)
_MAX_MOVES: Final = 16
STORED_AFTER: Final = 20
"""Sweeps after which the values are stored: less than a minute on one core."""
_WON: Final = -1
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_BLOCK: Final = 1024
"""Positions that are left out of a sweep together, once they are solved."""
_AT_ONCE: Final = 1 << 16
"""Positions whose moves are found before an interrupt is noticed."""
_SPARE: Final = 256
"""More than the moves of one position."""


class Moves(NamedTuple):
    """All positions that can be reached by number, and what their moves lead to."""

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    """The place of each position's first target."""
    counts: NDArray[np.uint8]
    """The number of moves by position and throw."""
    targets: NDArray[np.int32]
    """2 x the number of the next position + 1 if the same side throws again, or `_WON`."""


class SweepCheckpoint:
    """The values after some sweeps, in a folder; a killed computation continues from there."""

    def __init__(self, folder: Path, rules: RuleSet, moves: Moves) -> None:
        """Open or begin the checkpoint of a rule set. The values of another one are not used."""
        positions = crc32(moves.keys.tobytes(), crc32(rules.text.encode()))
        self._size = len(moves.keys)
        self._file = folder / f"values-{positions:08x}"

    def load(self) -> NDArray[np.float64]:
        """Return the stored values, or equal chances for both sides.

        Raises:
            UrpiError: If the file is damaged.
        """
        if not self._file.exists():
            return np.full(self._size, 0.5)
        values = np.fromfile(self._file)
        if len(values) != self._size or not ((values >= 0) & (values <= 1)).all():
            message = f"The file {self._file} is damaged; remove its folder."
            raise UrpiError(message)
        return values

    def store(self, values: NDArray[np.float64]) -> None:
        """Replace the stored values."""
        with draft_of(self._file) as draft:
            draft.write_bytes(values.data)


class Solved(NamedTuple):
    """The keys of all positions in rising order, and their values."""

    keys: NDArray[np.int64]
    values: NDArray[np.float64]
    residual: float
    """The largest change of any value in one more sweep."""

    def value(self, key: int) -> float:
        """Return the value of the position with a key, for the side to throw."""
        place = int(np.searchsorted(self.keys, key))
        assert self.keys[place] == key, key
        return float(self.values[place])


@njit(cache=True)
def key_of_state(state: Any) -> int:
    """Return the key of a state (`urpi.engine.position_key`)."""
    key = state[MINE_IN_HAND] | state[OTHERS_IN_HAND] << 2
    bit = 4
    for square in range(20):
        pile = state[square]
        while pile:
            key |= (1 | (pile & (RED | OTHERS))) << bit
            bit += 3
            pile >>= 3
        bit += 1
    return int(key)


@njit(cache=True)
def state_with(key: int, pieces: int, state: Any) -> None:
    """Store the state that has a key."""
    state[:] = 0
    state[MINE_IN_HAND], state[OTHERS_IN_HAND] = key & 3, key >> 2 & 3
    state[MINE_OFF] = pieces - state[MINE_IN_HAND]
    state[OTHERS_OFF] = pieces - state[OTHERS_IN_HAND]
    key >>= 4
    for square in range(20):
        shift = 0
        # Each piece has its lowest bit set, and a 0 ends the pile.
        while key & 1:
            piece = key & 7
            state[square] |= piece << shift
            state[OTHERS_OFF if piece & OTHERS else MINE_OFF] -= 1
            shift += 3
            key >>= 3
        key >>= 1
    state[EXTRA] = 0


@njit(cache=True)
def _number(key: int, keys: Any, count: int, slots: Any) -> int:
    """Return the number of a key; that of a new one is `count`."""
    # Fibonacci hashing spreads keys that differ in few bits; a slot that is taken leads to the next
    # one. The table is twice as long as the list of positions, so that such runs stay short.
    mask = len(slots) - 1
    slot = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(20)) & mask
    while slots[slot] >= 0:
        if keys[slots[slot]] == key:
            return int(slots[slot])
        slot = (slot + 1) & mask
    slots[slot] = count
    keys[count] = key
    return count


@njit(cache=True)
def _reach(
    game: CompiledGame,
    done: int,
    found: int,
    keys: Any,
    slots: Any,
    starts: Any,
    counts: Any,
    targets: Any,
) -> tuple[int, int]:
    """Find what the moves of some positions lead to, and return how many are done and found.

    Args:
        game: The rule set.
        done: The number of positions whose moves are known.
        found: The number of positions.
        keys: The keys by number; those of new positions are added.
        slots: A hash table of numbers, -1 where it is free.
        starts: See `Moves`; `counts` and `targets` likewise.
        counts: As above.
        targets: As above.
    """
    after = np.zeros((_MAX_MOVES, STATE), np.int64)
    again, won = np.zeros(_MAX_MOVES, np.bool_), np.zeros(_MAX_MOVES, np.bool_)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    # Compiled code cannot be interrupted: return now and then to Python, which notices Ctrl-C.
    end, places = done + _AT_ONCE, len(targets) - _SPARE
    while done < min(found, end) and found < len(keys) - _SPARE and starts[done] < places:
        place = starts[done]
        state_with(keys[done], game.pieces, state)
        for throw in range(len(game.chance)):
            moves = expand_race(game, state, throw, after, again, won, scratch)
            counts[done, throw] = moves
            for move in range(moves):
                targets[place] = _WON
                if not won[move]:
                    number = _number(key_of_state(after[move]), keys, found, slots)
                    found = max(found, number + 1)
                    targets[place] = 2 * number + again[move]
                place += 1
        done += 1
        # Also where the targets of the position before end.
        starts[done] = place
    return done, found


@njit(cache=True)
def _progress(game: CompiledGame, keys: Any) -> Any:
    """Return how far all pieces of each position have come."""
    first, last = np.full(20, -1), np.zeros(20, np.int64)
    for place in range(len(game.path)):
        if first[game.path[place]] < 0:
            first[game.path[place]] = place
        last[game.path[place]] = place
    progress = np.zeros(len(keys), np.int32)
    state = np.zeros(STATE, np.int64)
    for number in range(len(keys)):
        state_with(keys[number], game.pieces, state)
        total = (state[MINE_OFF] + state[OTHERS_OFF]) * len(game.path)
        for square in range(20):
            pile = state[square]
            while pile:
                own = game.mirror[square] if pile & OTHERS else square
                # A path may visit a square twice: a turned piece is there for the second time.
                total += last[own] if pile & RED else first[own]
                pile >>= 3
        progress[number] = total
    return progress


@njit(cache=True)
def _sweep(
    chance: Any,
    values: Any,
    order: Any,
    starts: Any,
    counts: Any,
    targets: Any,
    changes: Any,
    limit: float,
) -> float:
    """Compute the values again, but for blocks that changed less; return the largest change."""
    worst = 0.0
    for block in range(len(changes)):
        if changes[block] < limit:
            continue
        most = 0.0
        for number in order[block * _BLOCK : (block + 1) * _BLOCK]:
            total, place = 0.0, starts[number]
            for throw in range(len(chance)):
                best = 0.0
                for _ in range(counts[number, throw]):
                    target = targets[place]
                    place += 1
                    value = 1.0
                    if target != _WON:
                        value = values[target >> 1]
                        if not target & 1:
                            value = 1.0 - value
                    best = max(best, value)
                total += chance[throw] * best
            most = max(most, abs(values[number] - total))
            # In place (Gauss-Seidel): later positions of this sweep use the new value already.
            values[number] = total
        changes[block] = most
        worst = max(worst, most)
    return worst


def stored(keys: NDArray[np.int64]) -> Iterator[bytes]:
    """Yield keys as a table stores them (`urpi.engine.exact.values`), in large pieces."""
    for start in range(0, len(keys), _AT_ONCE):
        numbers = keys[start : start + _AT_ONCE].astype(">i8").view(np.uint8)
        yield numbers.reshape(-1, 8)[:, 8 - KEY_BYTES :].tobytes()


def find(rules: RuleSet) -> Moves:
    """Return all positions that can be reached from the start, and their moves.

    Args:
        rules: The rule set; its positions must have keys.
    """
    game, most = game_of(rules), MAX_POSITIONS
    keys, slots = np.zeros(most, np.int64), np.full(2 * most, -1, np.int32)
    starts, counts = np.zeros(most, np.int64), np.zeros((most, len(game.chance)), np.uint8)
    targets = np.zeros(16 * most, np.int32)
    done, found = 0, _number(key_of(rules.start(Side.LIGHT)), keys, 0, slots) + 1
    while done < found:
        before = done
        done, found = _reach(game, done, found, keys, slots, starts, counts, targets)
        assert done > before, "There are more positions than memory was reserved for."
    return Moves(keys[:found], starts[:found], counts[:found], targets[: starts[found]])


def solve(
    rules: RuleSet, moves: Moves, checkpoint: SweepCheckpoint, report: Callable[[float], None]
) -> Solved:
    """Return the values of all positions that can be reached.

    Args:
        rules: The rule set.
        moves: What `find` has returned.
        checkpoint: The values to begin with; it is updated.
        report: Called with the number of positions that are newly solved; fractions count.
    """
    game, (keys, starts, counts, targets) = game_of(rules), moves
    size, least = len(keys), math.log(RESIDUAL)
    # Positions near the end of the game come first: most moves lead to values of the same sweep.
    order = np.argsort(-_progress(game, keys), kind="stable").astype(np.int32)
    values, changes = checkpoint.load(), np.full(-(-size // _BLOCK), np.inf)
    limit = reported = 0.0
    for sweep in count(1):
        change = _sweep(game.chance, values, order, starts, counts, targets, changes, limit)
        done = size * min(1.0, math.log(min(change, 1.0) or RESIDUAL) / least)
        report(max(0.0, done - reported))
        reported = max(done, reported)
        if sweep % STORED_AFTER == 0:
            checkpoint.store(values)
        if change > RESIDUAL:
            # The blocks that have stopped changing are left out until the others have, too.
            limit = RESIDUAL / 10
        elif limit > 0:
            limit = 0.0  # Every position once more.
        else:
            break
    # Tables store the keys in rising order, so that they can be searched by bisection.
    by_key = np.argsort(keys)
    return Solved(keys[by_key], values[by_key], change)
