"""Finds the wires of a schematic: along a grid, around symbols and texts, one net after the other.

Wires of different nets may cross, but neither touch nor run along each other. A pin that cannot be
reached has a label instead.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import Any, Final

from wiring.boards import library
from wiring.boards.design import Board, Part, Point
from wiring.boards.library import Pin
from wiring.boards.sexpr import children

GRID: Final = 1.27
OUTWARDS: Final = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}
"""Direction from a pin's end away from its part, by the angle of the pin's line."""
_TURN: Final = 4.0
_CROSSING: Final = 3.0
_LETTER: Final = 1.2
"""Width of a letter of a text or label, in millimetres."""
_POINTS: Final = ("start", "mid", "end", "center", "xy")

Node = tuple[int, int]
Edge = tuple[Node, Node]


@dataclass
class Net:
    """The wires of a net: edges of the grid, its pins, and those pins that have labels instead."""

    pins: list[Node]
    edges: set[Edge] = field(default_factory=set)
    missed: list[Node] = field(default_factory=list)

    def degree(self, node: Node) -> int:
        """Return how many wires end at or pass a node; one that passes counts twice."""
        return sum(node in edge for edge in self.edges)

    def straights(self) -> list[tuple[Node, Node]]:
        """Return the wires from end, bend or junction to the next one."""
        beside: dict[Node, list[Node]] = defaultdict(list)
        for one, other in sorted(self.edges):
            beside[one].append(other)
            beside[other].append(one)

        def ends(node: Node) -> bool:
            if len(beside[node]) != 2 or node in self.pins:
                return True
            one, other = beside[node]
            return one[0] != other[0] and one[1] != other[1]

        found = []
        for node, steps in beside.items():
            for step in steps if ends(node) else ():
                way = (step[0] - node[0], step[1] - node[1])
                last = step
                while not ends(last):
                    last = (last[0] + way[0], last[1] + way[1])
                if node < last:
                    found.append((node, last))
        return sorted(found)


def node_of(point: Point) -> Node:
    """Return the node of the grid at a place on the sheet."""
    return round(point[0] / GRID), round(point[1] / GRID)


def point_of(node: Node) -> Point:
    """Return the place of a node."""
    return round(node[0] * GRID, 4), round(node[1] * GRID, 4)


def ends(part: Part) -> dict[Point, Pin]:
    """Return one pin for each place at which the part has pins."""
    x, y = part.sheet
    found: dict[Point, Pin] = {}
    for pin in library.pins(part.symbol):
        found.setdefault((round(x + pin.x, 4), round(y - pin.y, 4)), pin)
    return found


def text_place(part: Part) -> Point:
    """Return where the reference is written; the value is below.

    That is to the right of a symbol's upper half, but above one that has pins on both sides.
    """
    pins = library.pins(part.symbol)
    if {pin.y for pin in pins} == {0.0} and {pin.angle for pin in pins} == {0, 180}:
        return part.sheet[0] - 2.54, part.sheet[1] - 5.715
    right = max((pin.x for pin in pins if pin.angle in {90, 270}), default=0.0)
    top = max((pin.y for pin in pins), default=0.0)
    if {0, 180} <= {pin.angle for pin in pins}:
        top = max(y for _, y in _graphics(part)) + 6.35
    return part.sheet[0] + right + 2.54, part.sheet[1] - max(top - 2.54, 1.27)


def wires(board: Board, size: Point) -> dict[str, Net]:
    """Return the wires of each net that is no rail, on a sheet of that size."""
    return _Sheet(board, size).run()


class _Sheet:
    def __init__(self, board: Board, size: Point) -> None:
        self.board = board
        self.size = node_of(size)
        self.blocked: set[Node] = set()
        # The nets at a node, each with how it passes: along x (0), along y (1), or otherwise (2).
        self.there: dict[Node, dict[str, int]] = defaultdict(dict)
        self.nets: dict[str, Net] = {}
        for part in board.parts:
            self._place(part)

    def _place(self, part: Part) -> None:
        for box in _boxes(part):
            self._block(*box)
        for (x, y), pin in ends(part).items():
            node = node_of((x, y))
            net = part.nets.get(pin.number)
            if net is None or net in self.board.rails:
                dx, dy = OUTWARDS[pin.angle]
                length = 2.54 + (_LETTER * (len(net) + 3) if net else 0)
                self._block((x - 1.0 * abs(dy), y - 1.0 * abs(dx)),
                            (x + dx * length + abs(dy), y + dy * length + abs(dx)))  # fmt: skip
                continue
            self.nets.setdefault(net, Net([])).pins.append(node)
            dx, dy = OUTWARDS[pin.angle]
            for at in (node, (node[0] + dx, node[1] + dy)):
                self.there[at][net] = 2

    def _block(self, one: Point, other: Point) -> None:
        (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(one, other, strict=True))
        for i in range(round(x1 / GRID), round(x2 / GRID) + 1):
            self.blocked.update((i, j) for j in range(round(y1 / GRID), round(y2 / GRID) + 1))

    def run(self) -> dict[str, Net]:
        for name in sorted(self.nets, key=lambda name: (_extent(self.nets[name].pins), name)):
            self._connect(name, self.nets[name])
        return self.nets

    def _connect(self, name: str, net: Net) -> None:
        first, *rest = sorted(net.pins)
        tree = {first}
        while rest:
            near = min(rest, key=lambda pin: (min(_apart(pin, one) for one in tree), pin))
            rest.remove(near)
            path = self._path(name, near, tree)
            if path is None:
                net.missed.append(near)
                continue
            tree.update(path)
            for edge in pairwise(path):
                net.edges.add((min(edge), max(edge)))
            self._note(name, net, path)
        if not net.edges:
            net.missed.append(first)

    def _note(self, name: str, net: Net, path: Sequence[Node]) -> None:
        for node in path:
            beside = [a if b == node else b for a, b in net.edges if node in (a, b)]
            straight = len(beside) == 2 and (
                0 if {one[1] for one in beside} == {node[1]}
                else 1 if {one[0] for one in beside} == {node[0]} else 2
            )  # fmt: skip
            self.there[node][name] = 2 if straight is False or node in net.pins else straight

    def _path(self, name: str, start: Node, goals: set[Node]) -> list[Node] | None:
        """Return the cheapest way to any of the goals; the first step leads away from the part."""
        order = count()
        xs, ys = zip(*goals, strict=True)
        left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)

        def ahead(node: Node) -> int:
            """Return the distance from the goals' box, which no way is shorter than."""
            x, y = node
            return max(left - x, 0, x - right) + max(top - y, 0, y - bottom)

        heap: list[tuple[float, int, float, Node, int, Any]] = [
            (ahead(start), next(order), 0.0, start, -1, None)
        ]
        done: set[tuple[Node, int]] = set()
        while heap:
            _, _, price, node, way, before = heappop(heap)
            if (node, way) in done:
                continue
            done.add((node, way))
            if node in goals:
                return list(_back((node, before)))
            for dx, dy in OUTWARDS.values():
                other, along = (node[0] + dx, node[1] + dy), int(dx == 0)
                if (other, along) in done or not self._free(name, node, other, way, along, goals):
                    continue
                turn = _TURN if way not in {-1, along} else 0.0
                crossing = _CROSSING if self.there.get(other, {}).keys() - {name} else 0.0
                total = price + 1 + turn + crossing
                heappush(heap, (total + ahead(other), next(order), total, other, along,
                                (node, before)))  # fmt: skip
        return None

    def _free(  # noqa: PLR0913, PLR0917 - what a step consists of
        self, name: str, node: Node, other: Node, way: int, along: int, goals: set[Node]
    ) -> bool:
        """Return True if a wire may go on from a node to the next one."""
        inside = 2 <= other[0] < self.size[0] - 2 and 2 <= other[1] < self.size[1] - 2
        there = self.there.get(other, {})
        if not inside or (other in self.blocked and name not in there):
            return False
        if way != along and self.there.get(node, {}).keys() - {name}:
            return False  # a bend on another net's wire would touch it
        strange = [how for net, how in there.items() if net != name]
        return not strange or (other not in goals and all(how == 1 - along for how in strange))


def _boxes(part: Part) -> Iterator[tuple[Point, Point]]:
    """Yield what a symbol covers: its body, the lines of its pins, and its texts."""
    x, y = part.sheet
    points = _graphics(part)
    if points:
        xs, ys = zip(*points, strict=True)
        yield (x + min(xs), y - max(ys)), (x + max(xs), y - min(ys))
    for pin in library.pins(part.symbol):
        dx, dy = OUTWARDS[pin.angle]
        near = (x + pin.x, y - pin.y)
        yield (near[0] - dx * GRID, near[1] - dy * GRID), (x, near[1]) if dx else (near[0], y)
    across, down = text_place(part)
    longest = max(len(part.reference), len(part.value))
    yield (across, down - 1.0), (across + _LETTER * longest, down + 2.9)


def _graphics(part: Part) -> list[Point]:
    """Return the corners of what a symbol draws, with y up."""
    units = children(library.symbol(part.symbol), "symbol")
    return [point for unit in units for point in _drawn(unit)]


def _drawn(node: list[Any]) -> Iterator[Point]:
    """Yield the points of a symbol's graphics."""
    for one in node:
        if not isinstance(one, list) or one[0] in {"pin", "text", "property"}:
            continue
        if one[0] in _POINTS:
            yield float(one[1]), float(one[2])
        yield from _drawn(one)


def _back(last: Any) -> Iterator[Node]:
    while last is not None:
        node, last = last
        yield node


def _apart(one: Node, other: Node) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _extent(nodes: Iterable[Node]) -> int:
    xs, ys = zip(*nodes, strict=True)
    return max(xs) - min(xs) + max(ys) - min(ys)
