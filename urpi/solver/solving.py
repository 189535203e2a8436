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
from pathlib import Path
from threading import Event, Lock
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from urpi.engine.race_index import RaceIndex
from urpi.solver.arrays import arrays_of
from urpi.solver.kernels import sweep
from urpi.tables.table import HIGHEST

RESIDUAL: Final = 1e-12
"""A layer is solved when no value changes by more in a sweep."""
_BYTES: Final = 8
_CHUNK: Final = 1 << 20

Values: TypeAlias = NDArray[np.float64]
Report: TypeAlias = Callable[[float], None]
"""Called with the number of positions that are newly solved; fractions count."""


class Layer(NamedTuple):
    """The pieces that the mover and the opponent have borne off; the mover has not more."""

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
        """
        self._folder, self._rules = folder, rules
        self._list = folder / "layers.json"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "values"
        complete = file.exists() and file.stat().st_size == size * _BYTES
        self.layers: list[Layer] = []
        if complete and self._list.exists():
            stored = json.loads(self._list.read_text("utf-8"))
            if stored["rules"] == rules:
                self.layers = [Layer(*each) for each in stored["layers"]]
        if not complete:
            with file.open("wb") as new:
                # Reserved now, since a full disk would end the process when a layer is stored.
                os.posix_fallocate(new.fileno(), 0, size * _BYTES)
        self._values = np.memmap(file, np.float64, "r+", shape=(size,))

    def load(self, values: Values, part: slice) -> None:
        """Copy stored values of a layer."""
        values[part] = self._values[part]

    def store(self, values: Values, layer: Layer, parts: list[slice]) -> None:
        """Store the values of a layer, which consists of parts of all values."""
        for part in parts:
            self._values[part] = values[part]
        self._values.flush()
        self.layers.append(layer)
        new = self._list.with_suffix(".new")
        with new.open("w", encoding="utf-8") as file:
            json.dump({"rules": self._rules, "layers": self.layers}, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._list)

    def remove(self) -> None:
        """Delete the folder: the table is written."""
        del self._values
        for file in self._folder.iterdir():
            file.unlink()
        self._folder.rmdir()


def memory_needed(size: int) -> int:
    """Return the bytes of memory that solving that many positions takes."""
    return size * _BYTES + 200_000_000


def disk_needed(size: int) -> int:
    """Return the bytes that the checkpoint takes."""
    return size * _BYTES


def layers(pieces: int) -> Iterator[list[Layer]]:
    """Yield the layers, those that are independent together, the end of the game first."""
    for total in range(2 * pieces - 2, -1, -1):
        yield [Layer(off, total - off) for off in range(max(0, total - pieces + 1), total // 2 + 1)]


def solve(index: RaceIndex, checkpoint: Checkpoint, report: Report) -> Solution:
    """Compute the value of every position for the side to throw.

    An interrupt (Ctrl-C) ends the computation after the running sweeps.
    """
    rules = arrays_of(index)
    values = np.full(index.size, 0.5)
    stop, lock = Event(), Lock()

    def change_of(layer: Layer, *, write: bool = False) -> float:
        return float(sweep(values, rules, layer.off, layer.others_off, write))

    def solve_layer(layer: Layer) -> None:
        parts = parts_of(index, layer)
        if layer in checkpoint.layers:
            for part in parts:
                checkpoint.load(values, part)
            report(sum(part.stop - part.start for part in parts))
            return
        positions = sum(part.stop - part.start for part in parts)
        reported, change = 0.0, math.inf
        while change > RESIDUAL and not stop.is_set():
            change = change_of(layer, write=True)
            # The changes shrink by a nearly constant factor.
            done = positions * min(1.0, math.log(min(change, 1.0) or RESIDUAL) / math.log(RESIDUAL))
            report(max(0.0, done - reported))
            reported = max(done, reported)
        with lock:
            if not stop.is_set():
                checkpoint.store(values, layer, parts)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        try:
            for independent in layers(index.pieces):
                list(threads.map(solve_layer, independent))
            every = [layer for group in layers(index.pieces) for layer in group]
            residual = max(threads.map(change_of, every))
        except BaseException:
            stop.set()
            raise
    return Solution(values, residual)


def stored(values: Values) -> Iterator[bytes]:
    """Yield the values as a table stores them (`urpi.tables.table`), in large pieces."""
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
