"""Falls of a die: how they begin, what is measured of them, and the simulator's own bodies."""

import math
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["throw", "drop"]
Quat: TypeAlias = tuple[float, float, float, float]
Vec: TypeAlias = tuple[float, float, float]

PROGRAM: Final = Path(__file__).parents[2] / "firmware" / "build" / "sim" / "falls"
GRAVITY: Final = 9.80665
REST_SPEED: Final = 0.005
REST_SPIN: Final = 0.1
REST_TICKS: Final = 200
LONGEST_TICKS: Final = 4000
APART_TICKS: Final = 5
"""Contacts less than this many milliseconds apart are one impact."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a fall begins, in SI units, and the surfaces of die and table."""

    clearance: float
    attitude: Quat
    speed: Vec
    spin: Vec
    friction: float
    restitution: float

    @property
    def line(self) -> str:
        """The line for firmware/sim/falls.c."""
        numbers = (self.clearance, *self.attitude, *self.speed, *self.spin)
        return " ".join(f"{number:.9g}" for number in (*numbers, self.friction, self.restitution))


@dataclass(frozen=True, slots=True)
class Tick:
    """A millisecond of a fall: whether the die touched the table, and its state at the end."""

    touched: bool
    speed: float
    spin: float
    attitude: Quat


@dataclass(frozen=True, slots=True)
class Fall:
    """What a fall was like.

    Attributes:
        flight_ms: Until the first impact.
        impacts: The number of impacts.
        spin_kept: The spin after the first impact, as a part of that before it.
        edges: How often another face came up after the first impact.
        settle_ms: From the first impact until it rests.
    """

    flight_ms: float
    impacts: float
    spin_kept: float
    edges: float
    settle_ms: float


def _random_direction(rng: Random) -> Vec:
    z, angle = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
    across = math.sqrt(1 - z * z)
    return (across * math.cos(angle), across * math.sin(angle), z)


def _turn_about(axis: Vec, angle: float) -> Quat:
    by = math.sin(angle / 2)
    return (math.cos(angle / 2), axis[0] * by, axis[1] * by, axis[2] * by)


def _random_attitude(rng: Random) -> Quat:
    parts = [rng.gauss(0, 1) for _ in range(4)]
    size = math.sqrt(sum(part * part for part in parts))
    return (parts[0] / size, parts[1] / size, parts[2] / size, parts[3] / size)


def turned(attitude: Quat, vec: Vec) -> Vec:
    """Return a vector of the body in the world."""
    w, *axis = attitude
    twice = [2 * part for part in _cross(axis, vec)]
    more = _cross(axis, twice)
    x, y, z = (vec[i] + w * twice[i] + more[i] for i in range(3))
    return (x, y, z)


def _cross(a: Iterable[float], b: Iterable[float]) -> Vec:
    (ax, ay, az), (bx, by, bz) = a, b
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


def multiplied(a: Quat, b: Quat) -> Quat:
    """Return the turn `b` followed by the turn `a`."""
    w = a[0] * b[0] - sum(a[i] * b[i] for i in (1, 2, 3))
    cross = _cross(a[1:], b[1:])
    x, y, z = (a[0] * b[i + 1] + b[0] * a[i + 1] + cross[i] for i in range(3))
    return (w, x, y, z)


def starts(kind: Kind, up: Vec, count: int, seed: int) -> Iterator[Start]:
    """Yield the beginnings of falls over the ranges of hands.

    A throw falls 5 to 25 cm, at any attitude, with a spin of up to 20 rad/s about any axis. A drop
    falls 1 to 6 cm, tilted by 0 to 45 degrees off the direction `up` in the body, with a spin of up
    to 20 rad/s about the vertical.
    """
    rng = Random(f"{kind} {seed}")  # noqa: S311 - a simulation
    for _ in range(count):
        friction, restitution = rng.uniform(0.25, 0.5), rng.uniform(0.3, 0.55)
        across = rng.uniform(0, 2 * math.pi)
        spin = rng.uniform(0, 20)
        if kind == "throw":
            ahead = rng.uniform(0, 0.5)
            speed = (ahead * math.cos(across), ahead * math.sin(across), rng.uniform(-0.5, 0.5))
            sx, sy, sz = (spin * part for part in _random_direction(rng))
            clearance, attitude = rng.uniform(0.05, 0.25), _random_attitude(rng)
        else:
            tilt = _turn_about(
                (math.cos(across), math.sin(across), 0), math.radians(rng.uniform(0, 45))
            )
            turn = _turn_about((0, 0, 1), rng.uniform(0, 2 * math.pi))
            clearance, attitude = (
                rng.uniform(0.01, 0.06),
                multiplied(tilt, multiplied(turn, upright(up))),
            )
            speed, (sx, sy, sz) = (0.0, 0.0, 0.0), (0.0, 0.0, spin)
        yield Start(clearance, attitude, speed, (sx, sy, sz), friction, restitution)


def upright(up: Vec) -> Quat:
    """Return the shortest turn that brings a direction of the body upwards."""
    w = 1 + up[2]
    if w < 1e-9:
        return (0.0, 1.0, 0.0, 0.0)
    size = math.sqrt(w * w + up[0] ** 2 + up[1] ** 2)
    return (w / size, up[1] / size, -up[0] / size, 0.0)


def rests(tick: Tick) -> bool:
    """Return whether a die may be at rest."""
    return tick.touched and tick.speed < REST_SPEED and tick.spin < REST_SPIN


def _upper(tick: Tick, ups: tuple[Vec, ...]) -> int:
    heights = [turned(tick.attitude, up)[2] for up in ups]
    return heights.index(max(heights))


def measure(ticks: list[Tick], ups: tuple[Vec, ...]) -> Fall:
    """Return what a fall was like; `ups` are the directions in the body that can point upwards."""
    first = next(at for at, tick in enumerate(ticks) if tick.touched)
    apart, impacts, after = APART_TICKS, 0, first
    for at, tick in enumerate(ticks):
        impacts += tick.touched and apart >= APART_TICKS
        if impacts == 1 and tick.touched and at - first < APART_TICKS:
            after = at
        apart = 0 if tick.touched else apart + 1
    up = [_upper(tick, ups) for tick in ticks[first:]]
    edges = sum(a != b for a, b in pairwise(up))
    moving = max((at for at, tick in enumerate(ticks) if not rests(tick)), default=first)
    before = max(ticks[max(first - 1, 0)].spin, 1e-6)
    return Fall(first, impacts, ticks[after].spin / before, edges, moving - first)


def own_bodies(body: str, begun: Iterable[Start]) -> Iterator[list[Tick]]:
    """Yield the falls of the simulator's own body."""
    lines = "".join(f"{start.line}\n" for start in begun)
    output = subprocess.run(  # noqa: S603 - our own build
        [PROGRAM, body], input=lines, capture_output=True, text=True, check=True
    ).stdout
    for fall in output.strip().split("\n\n"):
        rows = (line.split() for line in fall.splitlines())
        yield [
            Tick(row[0] == "1", float(row[1]), float(row[2]), tuple(map(float, row[3:])))  # type: ignore[arg-type]
            for row in rows
        ]
