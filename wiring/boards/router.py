"""Routes the tracks of a board on a grid with two layers.

Each net is connected pad by pad with A*; the areas of ground connect the pads of that net. A track
may cross those of other nets at a price; the nets that were crossed are then removed and routed
again, and the places in dispute become more expensive (after McMurchie and Ebeling, PathFinder,
1995). The result depends on the board alone.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from math import atan2, ceil, degrees, dist, floor, hypot, inf
from typing import Final

from wiring.boards.design import Board, Laid, PlacedPad, Point
from wiring.boards.library import Pad, turned

FREE: Final = -1
BLOCKED: Final = -2
CUT: Final = -3
"""Free, but in an area that may be cut off."""
GROUND: Final = "GND"
SQRT2: Final = 2**0.5
# Prices in steps of the grid. Turns cost a little, so that tracks are straight where they can be.
_TURN: Final = 0.4
_VIA: Final = 8.0
_AGAINST: Final = 0.5
"""Price of a step along y on the front or along x on the back."""
_CROSSING: Final = 6.0
_STEPS: Final = tuple(
    (dx, dy, tuple(hypot(dx, dy) + _AGAINST * abs(along) for along in (dy, dx)))
    for dx in (-1, 0, 1)
    for dy in (-1, 0, 1)
    if (dx, dy) != (0, 0)
)
"""Steps to the eight neighbours, with their price on the front and on the back."""
_DEARER: Final = 200
"""Number of nets after which the price of a crossing has doubled, so that the search ends."""
# Attempts for each net, on average, after which the board counts as unroutable.
_ROUNDS: Final = 60
# Millimetres: the shorter side from which on a pad may have a hole inside.
_LARGE_PAD: Final = 2.0
# Millimetres around a pad with a hole, across which only spokes connect it with the area of ground.
_SPOKE: Final = 0.55


class UnroutableError(Exception):
    """No place was found for a track."""


@dataclass(frozen=True)
class Track:
    """A straight track on a layer: 0 is the front, 1 the back. `width` is None for the usual."""

    net: str
    layer: int
    start: Point
    end: Point
    width: float | None = None


@dataclass(frozen=True)
class Via:
    """A plated hole that connects both layers."""

    net: str
    at: Point


@dataclass(frozen=True)
class _Area:
    """A rectangle with rounded corners around a middle, turned by an angle."""

    at: Point
    width: float
    height: float
    angle: float = 0.0

    def distance(self, x: float, y: float) -> float:
        """Return the distance of a point outside the area, 0 inside."""
        dx, dy = turned(x - self.at[0], y - self.at[1], -self.angle)
        return hypot(max(abs(dx) - self.width / 2, 0), max(abs(dy) - self.height / 2, 0))

    @property
    def reach(self) -> float:
        return hypot(self.width, self.height) / 2


def route(board: Board) -> list[Track | Via]:
    """Return the tracks and vias that connect all pads of every net.

    Raises:
        UnroutableError: if a net cannot be connected.
    """
    laid = [item for one in board.laid for item in _laid(one)]
    return laid + _Router(board).run()


def _laid(one: Laid) -> Iterator[Track | Via]:
    if len(one.points) == 1:
        yield Via(one.net, one.points[0])
    for start, end in pairwise(one.points):
        yield Track(one.net, one.layer, start, end, one.width)


def _as_pads(board: Board) -> Iterator[PlacedPad]:
    """Yield laid copper as pads."""
    for one in board.laid:
        if len(one.points) == 1:
            size = board.rules.via
            pad = Pad("", 0, 0, size, size, 0, True, True, True, size / 2)
            yield PlacedPad(one.net, one.points[0], pad, 0)
        for (x, y), (u, v) in pairwise(one.points):
            width, front = one.width, one.layer == 0
            long = hypot(u - x, v - y) + width
            pad = Pad("", 0, 0, long, width, 0, False, front, not front, width / 2)
            middle = ((x + u) / 2, (y + v) / 2)
            yield PlacedPad(one.net, middle, pad, degrees(atan2(y - v, u - x)))


def inside(polygon: Iterable[Point], x: float, y: float) -> bool:
    """Return True if a point is inside a polygon."""
    corners = list(polygon)
    found = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            found = not found
    return found


def _to_segment(x: float, y: float, start: Point, end: Point) -> float:
    (x1, y1), (x2, y2) = start, end
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    part = 0.0 if length == 0 else ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
    part = min(max(part, 0.0), 1.0)
    return hypot(x - x1 - part * (x2 - x1), y - y1 - part * (y2 - y1))


def _touches(polygon: tuple[Point, ...], x: float, y: float, reach: float) -> bool:
    """Return True if a point is inside a polygon, or closer to it than `reach`."""
    sides = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return inside(polygon, x, y) or any(_to_segment(x, y, *side) < reach for side in sides)


@dataclass(frozen=True)
class _Either:
    """The nodes of two containers."""

    one: Container[int]
    other: Container[int]

    def __contains__(self, node: int) -> bool:
        return node in self.one or node in self.other


class _Router:
    def __init__(self, board: Board) -> None:
        self.rules = rules = board.rules
        xs, ys = zip(*board.outline, strict=True)
        # The grid has a node at the origin, for the outline may begin anywhere.
        self.left = floor(min(xs) / rules.step) * rules.step
        self.top = floor(min(ys) / rules.step) * rules.step
        # One more than the number of steps: nodes are at both ends.
        self.columns = int((max(xs) - self.left) / rules.step) + 1
        self.rows = int((max(ys) - self.top) / rules.step) + 1
        self.size = self.columns * self.rows
        self.names = board.nets
        self.pads: dict[int, list[PlacedPad]] = defaultdict(list)
        self.cells_of: dict[PlacedPad, frozenset[int]] = {}
        # What may be at a node (layer, row, column): any net, that net alone, or none.
        self.fixed = [FREE] * (2 * self.size)
        self.fixed_via = [FREE] * self.size
        # Cells with a plated hole, by net: there a track changes its layer without a via.
        self.through: dict[int, int] = {}
        # How many tracks of each net are too close to a node, or a cell, for a track or via of
        # another one.
        self.near: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self.near_via: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        # What made earlier disputes more expensive (PathFinder's history cost).
        self.history: dict[int, float] = defaultdict(float)
        self.routed: dict[int, list[list[int]]] = {}
        self.crossing = _CROSSING
        self._block_edges(board)
        self.laid: dict[int, list[PlacedPad]] = defaultdict(list)
        for pad in _as_pads(board):
            self._block_pad(pad)
            self.laid[self.names.index(pad.net)].append(pad)
        self.pads.clear()
        for pad in board.pads():
            self._block_pad(pad)
        self.cut, self.welcome = self._mark_cuts(board)

    # The grid

    def _point(self, cell: int) -> Point:
        row, column = divmod(cell % self.size, self.columns)
        return self.left + column * self.rules.step, self.top + row * self.rules.step

    def _cells(self, at: Point, reach: float) -> Iterator[int]:
        step = self.rules.step
        first = max(ceil((at[0] - reach - self.left) / step), 0)
        last = min(floor((at[0] + reach - self.left) / step), self.columns - 1)
        upper = max(ceil((at[1] - reach - self.top) / step), 0)
        lower = min(floor((at[1] + reach - self.top) / step), self.rows - 1)
        for row in range(upper, lower + 1):
            for column in range(first, last + 1):
                yield row * self.columns + column

    def _between_nodes(self, distance: float) -> float:
        """Return how far nodes must be from a thing, so that a diagonal between them is, too."""
        return hypot(distance, self.rules.step * SQRT2 / 2)

    def _block_edges(self, board: Board) -> None:
        rules = self.rules
        sides = list(zip(board.outline, board.outline[1:] + board.outline[:1], strict=True))
        for cell in range(self.size):
            x, y = self._point(cell)
            for area in board.keepouts:
                if area.tracks and _touches(area.corners, x, y, rules.track / 2 + 0.05):
                    for layer in area.layers:
                        self.fixed[cell + layer * self.size] = BLOCKED
                if _touches(area.corners, x, y, rules.via / 2):
                    self.fixed_via[cell] = BLOCKED
            # Vias are wider than tracks, and must keep more distance from the edge.
            gap = min(_to_segment(x, y, *side) for side in sides)
            outside = not inside(board.outline, x, y)
            if outside or gap < rules.to_edge + rules.track / 2:
                self.fixed[cell] = self.fixed[cell + self.size] = BLOCKED
            if outside or gap < rules.to_edge + rules.via / 2:
                self.fixed_via[cell] = BLOCKED

    def _mark_cuts(self, board: Board) -> tuple[frozenset[int], set[int]]:
        """Mark the free nodes of the areas that may be cut off.

        Returns:
            The cells of these areas, and the nets that may be there.
        """
        reach = self.rules.via / 2 + self.rules.to_edge
        cells = frozenset(
            cell
            for cell in (range(self.size) if board.cuts else ())
            if any(_touches(area, *self._point(cell), reach) for area in board.cuts)
        )
        for cell in cells:
            for node in (cell, cell + self.size):
                self.fixed[node] = CUT if self.fixed[node] == FREE else self.fixed[node]
        return cells, {
            net
            for net, pads in self.pads.items()
            if any(inside(area, *pad.at) for area in board.cuts for pad in pads)
        }

    def _block_pad(self, pad: PlacedPad) -> None:
        rules, shape = self.rules, pad.pad
        area = _Area(pad.at, shape.width, shape.height, pad.turn + shape.angle)
        # A rectangle inside the rounded corners: a track may end anywhere in it.
        corner = 2 * shape.corner * (1 - 1 / SQRT2)
        copper = replace(area, width=shape.width - corner, height=shape.height - corner)
        net = self.names.index(pad.net) if pad.net in self.names else BLOCKED
        layers = [at for at, there in enumerate((shape.front, shape.back)) if there]
        if shape.through:
            layers = [0, 1]
        if not layers:
            return  # an opening for solder paste
        # A hole in a small pad takes its solder away; one below a chip conducts its heat.
        small = shape.number and min(shape.width, shape.height) < _LARGE_PAD
        hole_inside = not shape.through and not small
        near = self._between_nodes(rules.clearance + rules.track / 2)
        wide = rules.clearance + rules.via / 2
        own = set()
        for cell in self._cells(pad.at, area.reach + wide):
            gap = area.distance(*self._point(cell))
            if gap < wide + 1e-6:
                # A via of the pad's own net keeps 0.3 mm from it, unless it may be inside.
                own_via = net if gap > 0.3 or hole_inside else BLOCKED
                self.fixed_via[cell] = _claimed(self.fixed_via[cell], own_via)
            for layer in layers if gap < near - 1e-6 else ():
                node = cell + layer * self.size
                self.fixed[node] = _claimed(self.fixed[node], net)
                if copper.distance(*self._point(cell)) == 0:
                    own.add(node)
                    if shape.through:
                        self.through[cell] = net
        if net >= 0:
            self.pads[net].append(pad)
            self.cells_of[pad] = frozenset(own)
            # A pad between the nodes of the grid cannot be reached; the step must be smaller.
            if not own:
                raise UnroutableError(f"The grid has no point in the pad at {pad.at}.")

    # The tracks

    def run(self) -> list[Track | Via]:
        # Short nets first: they have the fewest ways to choose from.
        waiting = sorted(self.pads, key=lambda net: (self._extent(net), net))
        for done in range(_ROUNDS * len(waiting)):
            if not waiting and self.rules.islands:
                waiting = self._join_islands(self.names.index(GROUND))
            if not waiting:
                return self._result()
            net = waiting.pop(0)
            self.crossing = _CROSSING * (1 + done / _DEARER)
            self.routed[net] = []
            self._connect(net)
            waiting += self._displace(net)
        names = ", ".join(self.names[net] for net in waiting)
        raise UnroutableError(f"No tracks found for {names}.")

    def _displace(self, net: int) -> list[int]:
        """Remove the nets that a new one crosses, and return them."""
        rivals = self._rivals(net)
        for rival in rivals:
            self._mark(rival, -1)
            del self.routed[rival]
        # After its rivals were removed, so that they find this net in their way.
        self._mark(net, 1)
        return rivals

    def _join_islands(self, net: int) -> list[int]:
        """Connect the parts of the areas of ground, where a track of ground would find room.

        Returns:
            The nets that were removed for that.
        """
        self._mark(net, -1)
        welcome = self.welcome
        if self.cut:
            self.welcome = welcome - {net}
            self._join(net, self.cut)
        self.welcome = welcome
        self._join(net, frozenset())
        return self._displace(net)

    def _join(self, net: int, cut: frozenset[int]) -> None:
        """Connect the parts of the areas of ground outside the cells that are cut off."""
        islands = sorted(self._islands(net, cut), key=len)
        whole = islands.pop()
        for island in reversed(islands):
            path = self._path(net, island, whole, None)
            self.routed[net].append(path)
            whole |= island | set(path)
        for pad in self.pads[net]:
            cells = self.cells_of[pad]
            if not pad.pad.through or self._spokes(net, pad) or self._are_in(cells, cut):
                continue
            away = whole.difference(self._around(pad, _SPOKE))
            self.routed[net].append(self._path(net, set(cells), away, None))

    def _are_in(self, nodes: Iterable[int], cells: Container[int]) -> bool:
        return any(node % self.size in cells for node in nodes)

    def _around(self, pad: PlacedPad, gap: float) -> set[int]:
        """Return the nodes on both layers that are nearer to a pad than `gap`."""
        reach = hypot(pad.pad.width, pad.pad.height) / 2 + gap
        return {cell + layer * self.size for cell in self._cells(pad.at, reach) for layer in (0, 1)}

    def _spokes(self, net: int, pad: PlacedPad) -> set[int]:
        """Return the layers on which a track or a spoke connects a pad with ground.

        Areas of ground do not reach a pad with a hole otherwise, so that it can be soldered. Spokes
        of round pads are diagonal, those of others along x and y.
        """
        cells = self.cells_of[pad]
        found = {
            node // self.size
            for path in self.routed[net]
            if not cells.isdisjoint(path)
            for node in path
            if node not in cells
        }
        column = round((pad.at[0] - self.left) / self.rules.step)
        row = round((pad.at[1] - self.top) / self.rules.step)
        long, short = max(pad.pad.width, pad.pad.height), min(pad.pad.width, pad.pad.height)
        is_round = long == short == 2 * pad.pad.corner
        steps = ceil((long / 2 + _SPOKE) / (self.rules.step * (SQRT2 if is_round else 1)))
        for layer in (0, 1):
            for dx, dy, _ in _STEPS:
                if (dx != 0 and dy != 0) != is_round:
                    continue
                spoke = (
                    (row + dy * n) * self.columns + column + dx * n + layer * self.size
                    for n in range(steps + 1)
                )
                if all(self._is_ground(net, node) for node in spoke):
                    found.add(layer)
        return found

    def _is_ground(self, net: int, node: int) -> bool:
        """Return whether a track of ground finds room at a node."""
        if self.fixed[node] not in {FREE, CUT, net}:
            return False
        others = self.near.get(node, {}).items()
        return not any(count and one != net for one, count in others)

    def _islands(self, net: int, cut: frozenset[int]) -> Iterator[set[int]]:
        """Yield the nodes of each connected part of the areas of ground that has a pad.

        Args:
            net: Ground.
            cut: Cells that do not count.
        """
        pads = self.pads[net]
        layers = {pad: self._spokes(net, pad) if pad.pad.through else {0, 1} for pad in pads}
        starved = {
            cell % self.size for pad in pads if len(layers[pad]) < 2 for cell in self.cells_of[pad]
        }
        holes = {cell for path in self.routed[net] for cell in self._vias(path, net)}
        holes |= {cell for cell, owner in self.through.items() if owner == net} - starved
        done = set[int]()
        for pad in pads:
            cells = self.cells_of[pad]
            waiting = sorted(node for node in cells if node // self.size in layers[pad])
            if not waiting or not done.isdisjoint(waiting) or self._are_in(cells, cut):
                continue
            found = set(waiting)
            while waiting:
                node = waiting.pop()
                layer, cell = divmod(node, self.size)
                beside = [node + self.size * (1 - 2 * layer)] if cell in holes else []
                row, column = divmod(cell, self.columns)
                beside += [
                    node + dy * self.columns + dx
                    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))
                    if 0 <= column + dx < self.columns and 0 <= row + dy < self.rows
                ]
                for other in beside:
                    inside_cut = other % self.size in cut
                    if other not in found and not inside_cut and self._is_ground(net, other):
                        found.add(other)
                        waiting.append(other)
            done |= found
            yield found

    def _extent(self, net: int) -> float:
        xs, ys = zip(*(pad.at for pad in self.pads[net]), strict=True)
        # Nets with many pads, such as supplies, can go round others and come late.
        return max(xs) - min(xs) + max(ys) - min(ys) + 20 * (len(xs) > 6)

    def _connect(self, net: int) -> None:
        if self.names[net] == GROUND and self.rules.ground:
            self._reach_ground(net)
            return
        pads = self.pads[net]
        # What is laid comes first: paths end at pads, whose middle is near.
        done, rest = (self.laid[net], pads[:]) if self.laid[net] else (pads[:1], pads[1:])
        done, reached = done[:], {cell for pad in done for cell in self.cells_of[pad]}
        while rest:
            # The nearest pad first, as in Prim's algorithm for a short tree.
            near = min(rest, key=lambda pad: min(dist(pad.at, one.at) for one in done))
            path = self._path(net, reached, self.cells_of[near], near.at)
            self.routed[net].append(path)
            reached.update(path)
            for pad in [pad for pad in rest if self.cells_of[pad] & reached]:
                reached |= self.cells_of[pad]
                rest.remove(pad)
                done.append(pad)

    def _reach_ground(self, net: int) -> None:
        """Connect each pad of one side to the other side, where the area of ground is, too.

        A pad that is close to one with a hole shares it.
        """
        reached: set[int] = set()
        # The pad below a chip first, for the chip's other pads reach it below the chip.
        for pad in sorted(self.pads[net], key=lambda pad: -pad.pad.width * pad.pad.height):
            cells = self.cells_of[pad]
            if pad.pad.through:
                reached |= cells
            elif not cells & reached:
                away = range(self.size, 2 * self.size) if pad.pad.front else range(self.size)
                path = self._path(net, set(cells), _Either(away, reached), None)
                self.routed[net].append(path)
                reached |= cells | set(path)

    def _path(
        self, net: int, sources: set[int], goals: Container[int], towards: Point | None
    ) -> list[int]:
        at = towards or (0.0, 0.0)
        goal_row = (at[1] - self.top) / self.rules.step
        goal_column = (at[0] - self.left) / self.rules.step

        def ahead(node: int) -> float:
            if towards is None:
                return 0.0
            row, column = divmod(node % self.size, self.columns)
            dx, dy = abs(column - goal_column), abs(row - goal_row)
            # The octile distance: it never exceeds the real price, so that A* finds the cheapest
            # path. A multiple of it finds a path sooner, and not always the cheapest.
            return self.rules.haste * (max(dx, dy) + 0.414 * min(dx, dy))

        free = (FREE, net, CUT) if net in self.welcome else (FREE, net)
        cost = dict.fromkeys(sorted(sources), 0.0)
        came: dict[int, tuple[int, tuple[int, int]]] = {}
        # Sorted by node as well, so that equal prices do not depend on the order of a set.
        heap = sorted((ahead(node), node) for node in cost)
        done = set()
        while heap:
            _, node = heappop(heap)
            # A node may be in the heap several times, with older, higher prices.
            if node in done:
                continue
            done.add(node)
            if node in goals:
                return _back(came, node)
            way = came[node][1] if node in came else None
            for other, price, direction in self._neighbours(net, node, free):
                if other in done:
                    continue
                total = (
                    cost[node] + price + (_TURN if way is not None and way != direction else 0.0)
                )
                if total < cost.get(other, inf):
                    cost[other] = total
                    came[other] = (node, direction)
                    heappush(heap, (total + ahead(other), other))
        raise UnroutableError(f"{self.names[net]} cannot reach {towards or 'the other side'}.")

    def _neighbours(
        self, net: int, node: int, free: Container[int]
    ) -> Iterator[tuple[int, float, tuple[int, int]]]:
        layer, cell = divmod(node, self.size)
        row, column = divmod(cell, self.columns)
        fixed, near = self.fixed, self.near
        for dx, dy, lengths in _STEPS:
            if not (0 <= column + dx < self.columns and 0 <= row + dy < self.rows):
                continue
            other = node + dy * self.columns + dx
            if fixed[other] in free:
                dispute = self._dispute(near[other], net, other) if other in near else 0.0
                yield other, lengths[layer] + dispute, (dx, dy)
        across = cell + (1 - layer) * self.size
        if fixed[across] not in free:
            return
        if self.through.get(cell, FREE) == net:
            # The pad's own hole already connects both layers.
            yield across, 0.0, (0, 0)
        elif self.fixed_via[cell] == FREE or self.fixed_via[cell] == net:
            dispute = self._dispute(self.near_via.get(cell, {}), net, cell)
            yield across, _VIA + dispute, (0, 0)

    def _dispute(self, others: dict[int, int], net: int, at: int) -> float:
        if any(count and one != net for one, count in others.items()):
            return self.crossing + self.history[at]
        return 0.0

    def _rivals(self, net: int) -> list[int]:
        rivals = set()
        for path in self.routed[net]:
            for at, near in [
                *((node, self.near) for node in path),
                *((cell, self.near_via) for cell in self._vias(path, net)),
            ]:
                found = {one for one, count in near.get(at, {}).items() if count and one != net}
                if found:
                    self.history[at] += 6.0
                rivals |= found
        return sorted(rivals)

    def _vias(self, path: list[int], net: int) -> list[int]:
        return [
            a % self.size
            for a, b in pairwise(path)
            if a % self.size == b % self.size and self.through.get(a % self.size, FREE) != net
        ]

    def _mark(self, net: int, by: int) -> None:
        """Add or remove the surroundings of a net's tracks: `by` is 1 or -1."""
        rules = self.rules
        wide = self._between_nodes((rules.track + rules.via) / 2 + rules.clearance)
        for path in self.routed[net]:
            for node in path:
                reach = self._between_nodes(rules.track + rules.clearance)
                self._surround(self.near, node, reach, net, by)
                self._surround(self.near_via, node % self.size, wide, net, by)
            for cell in self._vias(path, net):
                for layer in (0, 1):
                    self._surround(self.near, cell + layer * self.size, wide, net, by)
                self._surround(self.near_via, cell, rules.via + rules.clearance, net, by)

    def _surround(
        self, near: dict[int, dict[int, int]], node: int, reach: float, net: int, by: int
    ) -> None:
        start = node - node % self.size
        x, y = self._point(node)
        for cell in self._cells((x, y), reach):
            px, py = self._point(cell)
            if hypot(px - x, py - y) < reach - 1e-6:
                near[start + cell][net] += by

    def _result(self) -> list[Track | Via]:
        found: list[Track | Via] = []
        for net in sorted(self.routed):
            name = self.names[net]
            vias = {cell for path in self.routed[net] for cell in self._vias(path, net)}
            found += [Via(name, self._rounded(cell)) for cell in sorted(vias)]
            for path in self.routed[net]:
                for start, end in self._straights(path):
                    layer = start // self.size
                    found.append(Track(name, layer, self._rounded(start), self._rounded(end)))
        return found

    def _straights(self, path: list[int]) -> Iterator[tuple[int, int]]:
        start = path[0]
        for before, node, after in zip(path, path[1:], [*path[2:], None], strict=False):
            # The numbers of nodes differ equally exactly while the direction stays the same.
            if after is None or after - node != node - before:
                if start % self.size != node % self.size:
                    yield start, node
                start = node

    def _rounded(self, node: int) -> Point:
        x, y = self._point(node)
        return round(x, 4), round(y, 4)


def _claimed(now: int, net: int) -> int:
    return net if now in {FREE, net} else BLOCKED


def _back(came: dict[int, tuple[int, tuple[int, int]]], node: int) -> list[int]:
    path = [node]
    while node in came:
        node = came[node][0]
        path.append(node)
    return path[::-1]
