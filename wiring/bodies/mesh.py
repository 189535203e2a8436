"""The surface of a body as triangles, read from OpenSCAD's STL files, and its measures.

Lengths are in millimetres, volumes in cubic millimetres. The corners of a triangle are
counterclockwise seen from outside.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Mesh:
    """Triangles as an array of n x 3 corners x 3 coordinates."""

    triangles: Numbers

    @property
    def volume(self) -> float:
        """Volume: the sum of the signed tetrahedra between the origin and each triangle."""
        return float(self._signed().sum())

    @property
    def centroid(self) -> Numbers:
        """Centre of mass of a solid body of uniform density."""
        parts = self._signed()[:, None] * self.triangles.sum(axis=1) / 4
        centre: Numbers = parts.sum(axis=0) / parts_volume(self._signed())
        return centre

    def _signed(self) -> Numbers:
        a, b, c = (self.triangles[:, corner] for corner in range(3))
        signed: Numbers = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
        return signed

    @property
    def normals(self) -> Numbers:
        """Outward unit normals; zero for a triangle without area."""
        a, b, c = (self.triangles[:, corner] for corner in range(3))
        across = np.cross(b - a, c - a)
        lengths = np.linalg.norm(across, axis=1, keepdims=True)
        normals: Numbers = np.divide(across, lengths, out=np.zeros_like(across), where=lengths > 0)
        return normals

    def turned(self, matrix: Any) -> "Mesh":
        """Return the mesh with every corner multiplied by a 3 x 3 matrix from the left."""
        return Mesh(self.triangles @ np.asarray(matrix, dtype=float).T)

    def moved(self, by: Any) -> "Mesh":
        """Return the mesh moved by a vector."""
        return Mesh(self.triangles + np.asarray(by, dtype=float))


def parts_volume(signed: Numbers) -> float:
    """Return the sum of signed volumes.

    Raises:
        ValueError: if it is not positive.
    """
    volume = float(signed.sum())
    if volume <= 0:
        message = "The mesh encloses no volume, or is turned inside out."
        raise ValueError(message)
    return volume


def read_stl(path: Path) -> Mesh:
    """Return the triangles of an ASCII STL file."""
    words = path.read_text("ascii").split("vertex")[1:]
    corners = [[float(number) for number in word.split()[:3]] for word in words]
    return Mesh(np.array(corners).reshape(-1, 3, 3))


def open_edges(mesh: Mesh) -> int:
    """Return the number of edges without a triangle on each side, 0 for a watertight body."""
    corners = [tuple(corner) for corner in mesh.triangles.reshape(-1, 3).tolist()]
    edges: Counter[tuple[Any, Any]] = Counter()
    for begin in range(0, len(corners), 3):
        a, b, c = corners[begin : begin + 3]
        edges.update([(a, b), (b, c), (c, a)])
    return sum(1 for (one, other), count in edges.items() if edges[other, one] != count)


RIM: Final = 1.2
"""Distance from a sharp edge within which the body is always thin, which is no thin wall."""
SHARP: Final = 0.64
"""Cosine of 50 degrees, the angle between the normals of two faces from which an edge is sharp."""
OPPOSITE: Final = 0.6
"""Cosine of 53 degrees, the angle between two faces from which they are an edge, not a wall."""
SPOT_AREA: Final = 2.0
MAX_SPOTS: Final = 60


def thinnest(mesh: Mesh) -> tuple[float, Numbers]:
    """Return the smallest thickness found perpendicular to the surface, and its position.

    A ray starts at points on every triangle, one for each `SPOT_AREA`, except within `RIM` of a
    convex sharp edge. It runs against the normal until it leaves the body through an `OPPOSITE`
    face. The points are the same in every run.
    """
    best, place = np.inf, np.zeros(3)
    normals, rims = mesh.normals, sharp_edges(mesh)
    for triangle, normal in zip(mesh.triangles, normals, strict=True):
        for spot in _spots(triangle):
            distance, hit = _leave(mesh, spot, -normal) if normal.any() else (np.inf, 0)
            wall = distance < best and float(normals[hit] @ -normal) > OPPOSITE
            if wall and _from_edges(spot, rims) > RIM:
                best, place = distance, spot
    return best, place


def _spots(triangle: Numbers) -> Numbers:
    """Return points spread over a triangle, with a seed that makes them reproducible."""
    across = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    count = min(MAX_SPOTS, 1 + int(np.linalg.norm(across) / 2 / SPOT_AREA))
    weights = np.random.default_rng(count).dirichlet((1.0, 1.0, 1.0), count)
    spots: Numbers = weights @ triangle
    return spots


def sharp_edges(mesh: Mesh) -> Numbers:
    """Return the convex sharp edges, as n x 2 ends x 3 coordinates."""
    beside: dict[Any, tuple[Numbers, Numbers]] = {}
    found = []
    for triangle, normal in zip(mesh.triangles, mesh.normals, strict=True):
        corners = [tuple(corner) for corner in triangle.tolist()]
        for n in range(3):
            edge, opposite = (corners[n], corners[(n + 1) % 3]), triangle[(n + 2) % 3]
            other = beside.pop(edge[::-1], None)
            if other is None:
                beside[edge] = (normal, opposite)
            elif other[0] @ normal < SHARP and normal @ (other[1] - triangle[n]) < 0:
                found.append(edge)
    return np.array(found).reshape(-1, 2, 3)


def _from_edges(spot: Numbers, edges: Numbers) -> float:
    """Return the distance of a point from the nearest edge."""
    if not len(edges):
        return float("inf")
    begin, along = edges[:, 0], edges[:, 1] - edges[:, 0]
    length = np.einsum("ij,ij->i", along, along)
    part = np.clip(np.einsum("ij,ij->i", spot - begin, along) / length, 0, 1)
    return float(np.linalg.norm(begin + part[:, None] * along - spot, axis=1).min())


def _leave(mesh: Mesh, begin: Numbers, way: Numbers) -> tuple[float, int]:
    """Return distance and index of the next triangle on a ray (Möller and Trumbore's method)."""
    a = mesh.triangles[:, 0]
    one, other = mesh.triangles[:, 1] - a, mesh.triangles[:, 2] - a
    across = np.cross(way, other)
    scale = np.einsum("ij,ij->i", one, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1 / scale
        away = begin - a
        u = np.einsum("ij,ij->i", away, across) * inverse
        turn = np.cross(away, one)
        v = turn @ way * inverse
        distance = np.einsum("ij,ij->i", other, turn) * inverse
        met = (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 1e-4)
    hit = int(np.argmin(np.where(met, distance, np.inf)))
    return (float(distance[hit]) if met[hit] else np.inf), hit
