"""The delay from the last edge to the visible picture, from the records of both ends.

All times are of the kernel's monotonic clock.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.kernel.panel import Write

MS: Final = 1_000_000
"""Nanoseconds."""
PICTURE_ENDS_MS: Final = 20
"""Time without a write after which a picture is complete."""


@dataclass(frozen=True)
class Answer:
    """The delays from the last edge until the glass shows a decision in part, and completely."""

    decided_ms: float
    first_ms: float
    whole_ms: float


def answers(
    decisions: Iterable[int], edges: Sequence[int], writes: Iterable[Write]
) -> tuple[Answer, ...]:
    """Return the delays of every decision caused by edges.

    `decisions` are times in milliseconds, rounded down; `edges` are times in nanoseconds.
    """
    changes = [write.t_ns for write in writes if write.changed]
    found = []
    for decided_ms in decisions:
        edge_place = bisect_right(edges, (decided_ms + 1) * MS) - 1
        change_place = bisect_left(changes, decided_ms * MS)
        if edge_place < 0 or change_place == len(changes):
            continue
        edge, first = edges[edge_place], changes[change_place]
        last = _end_of_picture(changes, change_place)
        found.append(
            Answer(decided_ms - edge / MS, (first - edge) / MS, (last - edge) / MS),
        )
    return tuple(found)


def _end_of_picture(changes: Sequence[int], place: int) -> int:
    while place + 1 < len(changes) and changes[place + 1] - changes[place] < PICTURE_ENDS_MS * MS:
        place += 1
    return changes[place]


def percentile(values: Iterable[float], part: float) -> float:
    """Return a percentile by the nearest-rank method.

    >>> percentile([30, 10, 20], 0.5), percentile([30, 10, 20], 0.99)
    (20, 30)
    """
    ordered = sorted(values)
    rank = -(-len(ordered) * int(part * 100) // 100)
    return ordered[max(rank, 1) - 1]


def summary(values: Iterable[float]) -> str:
    """Return the median, 99th percentile and maximum, with the number of values."""
    found = list(values)
    if not found:
        return "none"
    middle, high = percentile(found, 0.5), percentile(found, 0.99)
    return f"p50 {middle:.0f} ms, p99 {high:.0f} ms, most {max(found):.0f} ms, {len(found)} times"


def of_type(lines: Iterable[Mapping[str, object]], **required: str) -> tuple[int, ...]:
    """Return the times of the decisions with a type, side and confidence."""
    return tuple(
        int(str(line["t"]))
        for line in lines
        if all(line.get(name) == value for name, value in required.items())
    )
