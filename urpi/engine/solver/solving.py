"""Value iteration over all positions of a race, layer by layer, with checkpoints.

A layer is a pair of numbers of pieces borne off. Bearing off leads to a later layer, so the layers
are solved from the end of the game to its start; a layer and its swapped one depend on each
other and are solved together. Layers with equal sums are independent and use all cores.
"""

import json
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.engine.exact.values import HIGHEST
from urpi.engine.race_index import RaceIndex
from urpi.engine.solver.arrays import SETS, Arrays, arrays_of, unpacked_size
from urpi.engine.solver.kernels import copy_layer, sweep

RESIDUAL: Final = 1e-12
"""A layer is solved when no value changes by more in a sweep."""
_ALL_EVERY: Final = 6
"""Fewer sweeps of all blocks make `masters` slower by half, more of them `finkel`."""
_BYTES: Final = 8
_CHUNK: Final = 1 << 20

Values: TypeAlias = NDArray[np.float64]
Report: TypeAlias = Callable[[float], None]
"""Called with the number of positions that are newly solved; fractions count."""


class Layer(NamedTuple):
    """The pieces that the mover and the opponent have borne off; the mover at most as many."""

    off: int
    others_off: int

    @property
    def swapped(self) -> "Layer":
        """The same layer from the view of the opponent."""
        return Layer(self.others_off, self.off)


class Solution(NamedTuple):
    """The values of all positions by index, and how exact they are."""

    values: Values
    residual: float
    """The largest change of any value in one more sweep."""


class Checkpoint:
    """The layers that are solved, in a folder; a killed computation continues from there.

    Values are written and synced before the layer is listed, so a listed layer is complete.
    """

    def __init__(self, folder: Path, rules: str, size: int) -> None:
        """Open or begin the checkpoint of a rule set with that many positions.

        The layers of another rule set are discarded.

        Raises:
            UrpiError: If the list of layers is damaged.
        """
        self._folder, self._rules = folder, rules
        self._list = folder / "layers.json"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "values"
        complete = file.exists() and file.stat().st_size == size * _BYTES
        self.layers: list[Layer] = []
        if complete and self._list.exists():
            try:
                stored = json.loads(self._list.read_text("utf-8"))
                if stored["rules"] == rules:
                    self.layers = [Layer(*each) for each in stored["layers"]]
            except (ValueError, KeyError, TypeError) as error:
                message = f"The file {self._list} is damaged; remove its folder."
                raise UrpiError(message) from error
        if not complete:
            with file.open("wb") as new:
                # Reserved now, since a full disk would end the process when a layer is stored.
                os.posix_fallocate(new.fileno(), 0, size * _BYTES)
        # Written and read without a mapping, whose pages would count as memory of this process.
        self._file = file

    def load(self, values: Values, part: slice) -> None:
        """Copy stored values of a layer."""
        with self._file.open("rb") as file:
            file.seek(part.start * _BYTES)
            for start in range(part.start, part.stop, _CHUNK):
                chunk = values[start : min(start + _CHUNK, part.stop)]
                if file.readinto(chunk.data) != chunk.nbytes:
                    message = f"The file {self._file} cannot be read completely; remove its folder."
                    raise UrpiError(message)

    def store(self, values: Values, layer: Layer, parts: list[slice]) -> None:
        """Store the values of a layer, which consists of parts of all values."""
        with self._file.open("r+b") as file:
            for part in parts:
                file.seek(part.start * _BYTES)
                for start in range(part.start, part.stop, _CHUNK):
                    file.write(values[start : min(start + _CHUNK, part.stop)].data)
            file.flush()
            os.fsync(file.fileno())
        self.layers.append(layer)
        with draft_of(self._list) as draft:
            draft.write_text(json.dumps({"rules": self._rules, "layers": self.layers}), "utf-8")

    def remove(self) -> None:
        """Delete the folder: the table is written."""
        for file in self._folder.iterdir():
            file.unlink()
        self._folder.rmdir()


def memory_needed(index: RaceIndex) -> int:
    """Return the bytes of memory that solving a rule set takes."""
    return (index.size + 2 * _threads() * unpacked_size(index)) * _BYTES + 200_000_000


def disk_needed(size: int) -> int:
    """Return the bytes that the checkpoint takes."""
    return size * _BYTES


def layers(pieces: int) -> Iterator[list[Layer]]:
    """Yield the layers, those that are independent together, the end of the game first."""
    for total in range(2 * pieces - 2, -1, -1):
        yield [Layer(off, total - off) for off in range(max(0, total - pieces + 1), total // 2 + 1)]


def _threads() -> int:
    """Return how many layers are solved at the same time: two, or one on a single core."""
    return min(2, os.cpu_count() or 1)


class _Workspace:
    """The unpacked values of a layer and of its swapped one, used for one layer at a time."""

    def __init__(self, index: RaceIndex, rules: Arrays, values: Values) -> None:
        size = unpacked_size(index)
        self._arrays = np.zeros(size), np.zeros(size)
        self._changes = np.zeros(size // SETS**2)
        self._rules, self._values = rules, values
        self._layer, self._sides = Layer(0, 0), self._arrays

    def unpack(self, layer: Layer) -> None:
        mine, theirs = self._arrays
        self._layer, self._sides = layer, (mine, mine if layer == layer.swapped else theirs)
        self._copy(back=False)
        self._changes[:] = math.inf

    def pack(self) -> None:
        """Copy the values back."""
        self._copy(back=True)

    def _copy(self, *, back: bool) -> None:
        for unpacked, layer in {self._layer: 0, self._layer.swapped: 1}.items():
            copy_layer(self._sides[layer], self._values, self._rules, *unpacked, back)

    def sweep(self, limit: float = 0.0, *, write: bool) -> float:
        """Compute the layer once, without blocks that changed less; return the largest change."""
        rules, values, changes = self._rules, self._values, self._changes
        return float(sweep(*self._sides, changes, values, rules, *self._layer, limit, write))

    def solve(self) -> Iterator[float]:
        """Compute the layer until its values stay the same, and yield each largest change.

        Most blocks are soon solved, and are left out of most sweeps. Their values may still depend
        on others that change, so every `_ALL_EVERY` sweeps all blocks are computed.
        """
        number = 0
        while True:
            is_whole = number % _ALL_EVERY == 0
            change = self.sweep(0.0 if is_whole else RESIDUAL / 10, write=True)
            yield change
            if change > RESIDUAL:
                number += 1
            elif is_whole:
                return
            else:
                number = 0


def solve(index: RaceIndex, checkpoint: Checkpoint, report: Report) -> Solution:
    """Compute the value of every position for the side to throw.

    An interrupt (Ctrl-C) ends the computation after the running sweeps.
    """
    rules = arrays_of(index)
    # Any start converges; even chances are the nearest guess.
    values = np.full(index.size, 0.5)
    stop, lock, least = Event(), Lock(), math.log(RESIDUAL)
    workspaces = SimpleQueue[_Workspace]()
    for _ in range(_threads()):
        workspaces.put(_Workspace(index, rules, values))

    def solve_layer(layer: Layer) -> None:
        parts = parts_of(index, layer)
        positions = sum(part.stop - part.start for part in parts)
        if layer in checkpoint.layers:
            for part in parts:
                checkpoint.load(values, part)
            report(positions)
            return
        reported = 0.0
        with _borrowed(workspaces) as work:
            work.unpack(layer)
            for change in work.solve():
                # The changes shrink by a nearly constant factor.
                done = positions * min(1.0, math.log(min(change, 1.0) or RESIDUAL) / least)
                report(max(0.0, done - reported))
                reported = max(done, reported)
                if stop.is_set():
                    return
            work.pack()
        with lock:
            checkpoint.store(values, layer, parts)

    def change_of(layer: Layer) -> float:
        with _borrowed(workspaces) as work:
            work.unpack(layer)
            return work.sweep(write=False)

    with ThreadPoolExecutor(_threads()) as threads:
        try:
            for independent in layers(index.pieces):
                list(threads.map(solve_layer, independent))
            every = [layer for group in layers(index.pieces) for layer in group]
            # Loaded layers are measured too: a checkpoint of a damaged disk would show here.
            residual = max(threads.map(change_of, every))
        except BaseException:
            stop.set()
            raise
    return Solution(values, residual)


@contextmanager
def _borrowed(workspaces: SimpleQueue[_Workspace]) -> Iterator[_Workspace]:
    """Take a workspace, and return it in the end."""
    workspace = workspaces.get()
    try:
        yield workspace
    finally:
        workspaces.put(workspace)


def stored(values: Values) -> Iterator[bytes]:
    """Yield the values as a table stores them (`urpi.engine.exact.values`), in large pieces."""
    for start in range(0, len(values), _CHUNK):
        scaled = values[start : start + _CHUNK] * HIGHEST
        yield np.rint(scaled).astype("<u2").tobytes()


def parts_of(index: RaceIndex, layer: Layer) -> list[slice]:
    """Return the indices of a layer and of its swapped one, each of them once."""
    firsts = [
        offset for (_, _, mine, others), offset in index.offsets.items() if mine == others == 0
    ]
    ends = dict(zip(firsts, [*firsts[1:], index.size], strict=True))
    starts = dict.fromkeys(index.offsets[*each, 0, 0] for each in (layer, layer.swapped))
    return [slice(start, ends[start]) for start in starts]
