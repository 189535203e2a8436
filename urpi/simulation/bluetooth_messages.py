"""The messages of simulated dice with Bluetooth: what a die of a brand sends and replies. Pure.

The formats are those of the vendors (`urpi.hardware.pixels`, `urpi.hardware.godice`); the parsers
there read them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from urpi.hardware import godice, pixels
from urpi.hardware.die_reports import Brand, numbers_of
from urpi.simulation.virtual_dice import DieReport

THROWN_TUMBLES: Final = 2
"""Faces over which a die tumbles in a throw, at least."""
CHARGED_PERCENT: Final = 80
PIXELS_BUILT: Final = 1_720_000_000
"""The time of the firmware in seconds since 1970: July 2024, which numbers the faces as now."""

FLAT_DEG: Final = (18, 20)
"""A simulated GoDice sends ``S`` if a face of its cube is tilted by less, else ``TS``.

The limits alternate. This is an assumption: the vendor does not publish the limit, and a position
of a shell that is tilted by 18.2 degrees was recorded with both messages.
"""

_G: Final = 64
"""1 g in a GoDice's acceleration."""
_I_AM_A_DIE: Final = 2
_ROLL_STATE: Final = 3
_BATTERY_LEVEL: Final = 34
_ROLLED, _HANDLED, _ROLLING, _CROOKED, _ON_FACE = 1, 2, 3, 4, 5
_PIXELS_TYPES: Final[Mapping[int, int]] = MappingProxyType({4: 1, 6: 2})
_MOVING_STATES: Final = {"rolling": _ROLLING, "handled": _HANDLED, "cocked": _CROOKED}


@dataclass(slots=True)
class SimulatedDie:
    """A die of a brand with a number of faces, 4 or 6.

    Attributes:
        number: Its number on the table, from 1.
        brand: Its maker.
        faces: Its number of faces.
        percent: The charge of its battery.
        blinks: How often it was made to blink.
    """

    number: int
    brand: Brand
    faces: int
    percent: int = CHARGED_PERCENT
    blinks: int = 0

    @property
    def address(self) -> str:
        """Its Bluetooth address, a static random one."""
        maker = 0xC4 if self.brand == "pixels" else 0xF0
        return f"{maker:02X}:00:00:00:00:{self.number:02X}"

    def message(self, report: DieReport) -> bytes:
        """Return the message with which the die reports its motion.

        Args:
            report: Its motion. A settled die has a `face` and `tumbles`.
        """
        if self.brand == "pixels":
            return bytes([_ROLL_STATE, _roll_state(report), (report.face or 1) - 1])
        return self._godice_message(report)

    def reply(self, request: bytes, motion: DieReport) -> tuple[bytes, ...]:
        """Return the replies to a message from the program.

        Args:
            request: The message.
            motion: The die's last report of its motion.
        """
        if self.brand == "pixels":
            return self._pixels_reply(request, motion)
        if request == godice.REQUEST_BATTERY:
            return (b"Bat" + bytes([self.percent]),)
        if request[:1] == godice.pulse(1)[:1]:
            self.blinks += request[1]
        return ()

    def battery(self, percent: int) -> bytes:
        """Set the battery's charge, and return the message that reports it."""
        self.percent = percent
        if self.brand == "pixels":
            return bytes([_BATTERY_LEVEL, percent, 0])
        return b"Bat" + bytes([percent])

    def _pixels_reply(self, request: bytes, motion: DieReport) -> tuple[bytes, ...]:
        if request == pixels.WHO_ARE_YOU:
            return (self._identity(motion),)
        if request == pixels.REQUEST_BATTERY:
            return (self.battery(self.percent),)
        if request[:1] == pixels.blink(1)[:1]:
            self.blinks += request[1]
        return ()

    def _identity(self, motion: DieReport) -> bytes:
        """Return the identity of newer firmware: chunks that begin with their size."""
        version = bytes([15, 1, 0]) + PIXELS_BUILT.to_bytes(4, "little") + bytes(8)
        kind = bytes([1, _PIXELS_TYPES[self.faces], 6, self.faces])
        die = bytes([9]) + self.number.to_bytes(4, "little") + kind
        names = bytes([2, 0]) + bytes([6]) + b"urpi\0"
        settings = bytes([13]) + bytes(12)
        state = bytes([_roll_state(motion), (motion.face or 1) - 1])
        status = bytes([5, self.percent, 0]) + state
        return bytes([_I_AM_A_DIE]) + version + die + names + settings + status

    def _godice_message(self, report: DieReport) -> bytes:
        # It has no message for being picked up, and sends that it rolls.
        if report.state in {"rolling", "handled"}:
            return b"R"
        number = 1 if report.face is None else report.face
        positions = godice.accelerations(number, self.faces)
        turn, place = divmod(report.throws or 0, len(positions))
        vector = positions[place]
        if report.state == "cocked":
            vector = _on_edge(vector, self.faces)
        if report.state == "cocked" or _is_thrown(report):
            kind = b"S" if _lies_flat(vector, FLAT_DEG[turn % 2]) else b"TS"
        else:
            kind = b"FS" if report.tumbles else b"MS"
        return kind + bytes(axis & 0xFF for axis in vector)


def _vectors(faces: int) -> list[godice.Vector]:
    return [
        vector for number in numbers_of(faces) for vector in godice.accelerations(number, faces)
    ]


def _lies_flat(vector: godice.Vector, limit_deg: int) -> bool:
    """Return whether a GoDice, a cube that does not know its shell, regards itself as flat."""
    return any(godice.within(face, vector, limit_deg) for face in _vectors(6))


def _on_edge(vector: godice.Vector, faces: int) -> godice.Vector:
    """Return the acceleration on the edge between a face and its nearest neighbour."""
    others = [other for other in _vectors(faces) if other != vector]
    neighbour = min(others, key=lambda other: math.dist(vector, other))
    between = [one + other for one, other in zip(vector, neighbour, strict=True)]
    x, y, z = (round(_G * axis / math.hypot(*between)) for axis in between)
    return x, y, z


def _roll_state(report: DieReport) -> int:
    at_rest = _ROLLED if _is_thrown(report) else _ON_FACE
    return _MOVING_STATES.get(report.state, at_rest)


def _is_thrown(report: DieReport) -> bool:
    return (report.tumbles or 0) >= THROWN_TUMBLES
