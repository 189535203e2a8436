"""The messages of GoDice: bytes in, reports out. Pure.

Source: github.com/ParticulaCode/GoDiceJavaScriptAPI, README.md and godice.js. A die reports its
acceleration, which is compared with the vectors of its shell; shells of one family share them. The
24 vectors are those of the shells with 4, 8 and 12 numbers; there is none with 24 numbers.

The die is a cube that does not know its shell. After a roll it sends ``S`` if it lies flat on a
face of the cube, else ``TS``. Most faces of a shell are tilted against the cube, so that the two
messages mean the same in a shell, and the acceleration decides whether it lies flat on the shell.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.hardware.die_reports import Battery, Motion, MotionState, Report

SERVICE: Final = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITE: Final = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY: Final = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
NAME_PREFIX: Final = "GoDice_"
"""The beginning of a die's advertised name; other devices have the same service."""

REQUEST_BATTERY: Final = b"\x03"

LEAN_DEG: Final = 12
"""A die in a shell that leans further than this from all its faces is cocked.

On an edge it leans by 18.4 degrees from the two faces of a shell with 24, and by 19 or more with
20. The recorded throws of a die that lay flat differ from the shell's vectors by less than 2
degrees (tests/hardware/recorded).
"""

Vector: TypeAlias = tuple[int, int, int]
_D6: Final[Mapping[int, Vector]] = MappingProxyType(
    {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}
)
_D20: Final[Mapping[int, Vector]] = MappingProxyType(
    {
        1: (-64, 0, -22),
        2: (42, -42, 40),
        3: (0, 22, -64),
        4: (0, 22, 64),
        5: (-42, -42, 42),
        6: (22, 64, 0),
        7: (-42, -42, -42),
        8: (64, 0, -22),
        9: (-22, 64, 0),
        10: (42, -42, -42),
        11: (-42, 42, 42),
        12: (22, -64, 0),
        13: (-64, 0, 22),
        14: (42, 42, 42),
        15: (-22, -64, 0),
        16: (42, 42, -42),
        17: (0, -22, -64),
        18: (0, -22, 64),
        19: (-42, 42, -42),
        20: (64, 0, 22),
    }
)
# The faces of a tetrakis hexahedron that is turned by 45 degrees, in the vendor's order. The vendor
# rounds each number to a multiple of 20, the 29 to 20 or 40, which is up to 9 degrees off and would
# have some edges closer than `LEAN_DEG`.
_D24: Final[Mapping[int, Vector]] = MappingProxyType(
    {
        1: (20, -57, -20),
        2: (20, 0, 61),
        3: (-41, -29, 41),
        4: (-61, 0, 20),
        5: (41, 29, 41),
        6: (-20, -57, -20),
        7: (20, 57, 20),
        8: (-41, 29, -41),
        9: (-41, 29, 41),
        10: (-20, 0, 61),
        11: (-20, -57, 20),
        12: (61, 0, 20),
        13: (-61, 0, -20),
        14: (20, 57, -20),
        15: (20, 0, -61),
        16: (41, -29, -41),
        17: (-20, 57, -20),
        18: (-41, -29, -41),
        19: (41, -29, 41),
        20: (20, -57, 20),
        21: (61, 0, -20),
        22: (41, 29, -41),
        23: (-20, 0, -61),
        24: (-20, 57, 20),
    }
)
# What the shell shows in each of the positions 1, 2, 3, ...
_D4_ON_24: Final = (3, 1, 4, 1, 4, 4, 1, 4, 2, 3, 1, 1, 1, 4, 2, 3, 3, 2, 2, 2, 4, 1, 3, 2)
_D8_ON_24: Final = (3, 3, 6, 1, 2, 8, 1, 1, 4, 7, 5, 5, 4, 4, 2, 5, 7, 7, 8, 2, 8, 3, 6, 6)
_D10_ON_20: Final = (8, 2, 6, 1, 4, 3, 9, 0, 7, 5, 5, 7, 0, 9, 3, 4, 1, 6, 2, 8)
_SHELLS: Final[Mapping[int, tuple[Mapping[int, Vector], tuple[int, ...]]]] = MappingProxyType(
    {
        4: (_D24, _D4_ON_24),
        6: (_D6, tuple(range(1, 7))),
        8: (_D24, _D8_ON_24),
        10: (_D20, _D10_ON_20),
        12: (_D24, (*range(1, 13), *range(1, 13))),
        20: (_D20, tuple(range(1, 21))),
    }
)
_STABLE: Final[Mapping[bytes, MotionState]] = MappingProxyType(
    # Flat and tilted after a roll, after an imitated roll, and turned to another face.
    {b"S": "rolled", b"TS": "cocked", b"FS": "placed", b"MS": "placed"}
)


def face_value(acceleration: Vector, faces: int) -> int:
    """Return the number that a shell shows; that of a shell with ten faces is 0 to 9.

    Args:
        acceleration: The x, y and z of the die's message, about 64 for 1 g.
        faces: The number of faces of the shell.

    >>> face_value((-62, 3, 1), 6), face_value((-62, 3, 1), 4)
    (1, 1)
    """
    vectors, shown = _SHELLS[faces]
    # The nearest vector: a die that lies a little tilted still has one face up.
    nearest = max(vectors, key=lambda position: _cosine(vectors[position], acceleration))
    return shown[nearest - 1]


def accelerations(number: int, faces: int) -> tuple[Vector, ...]:
    """Return the accelerations of a shell that lies with a number up, one for each position.

    >>> accelerations(2, 6), len(accelerations(2, 4))
    (((0, 0, 64),), 6)
    """
    vectors, shown = _SHELLS[faces]
    return tuple(vector for position, vector in vectors.items() if shown[position - 1] == number)


def within(vector: Vector, other: Vector, angle_deg: float) -> bool:
    """Return whether two directions differ by less than an angle; (0, 0, 0) has no direction.

    >>> within((61, 0, 20), (61, 1, 22), 2), within((61, 0, 20), (64, 0, 0), 18)
    (True, False)
    """
    return _cosine(vector, other) > math.cos(math.radians(angle_deg))


def pulse(count: int) -> bytes:
    """Return the message that makes both lamps blink `count` times, 1 to 255, in blue.

    >>> pulse(3).hex()
    '100332320000ff0100'
    """
    return bytes([16, count, 50, 50, 0, 0, 255, 1, 0])


def without_personal_details(data: bytes) -> bytes:
    r"""Return a message of a known kind as it is, which has none, and zeros for any other.

    >>> without_personal_details(b"R"), without_personal_details(b"Xab")
    (b'R', b'X\x00\x00')
    """
    known = data == b"R" or data.startswith((*_STABLE, b"Bat"))
    return data if known else data[:1] + bytes(len(data) - 1)


def parse(data: bytes, faces: int) -> tuple[Report, ...]:
    """Return the reports in a message, none if it is truncated or unknown.

    Args:
        data: The message.
        faces: The number of faces of the die's shell.

    >>> parse(b"S" + bytes([0, 0, 64]), 6)
    (Motion(state='rolled', value=2),)
    >>> parse(b"TS" + bytes([61, 1, 22]), 4), parse(b"TS" + bytes([61, 1, 22]), 6)
    ((Motion(state='rolled', value=1),), (Motion(state='cocked', value=None),))
    """
    if data[:1] == b"R":
        return (Motion("rolling"),)
    if data[:3] == b"Bat":
        # A percentage above 100 is no battery report, but a damaged message.
        return (Battery(data[3]),) if len(data) > 3 and data[3] <= 100 else ()
    for prefix, state in _STABLE.items():
        if data.startswith(prefix):
            return _rest(state, data[len(prefix) :], faces)
    return ()


def _rest(state: MotionState, data: bytes, faces: int) -> tuple[Report, ...]:
    if len(data) < 3:
        return ()
    x, y, z = (byte - 256 if byte > 127 else byte for byte in data[:3])
    if state != "placed" and faces != 6:
        state = "rolled" if _lies_flat((x, y, z), faces) else "cocked"
    if state == "cocked":
        return (Motion(state),)
    return (Motion(state, face_value((x, y, z), faces)),)


def _lies_flat(acceleration: Vector, faces: int) -> bool:
    vectors, _ = _SHELLS[faces]
    return any(within(vector, acceleration, LEAN_DEG) for vector in vectors.values())


def _cosine(vector: Vector, other: Vector) -> float:
    lengths = math.hypot(*vector) * math.hypot(*other)
    product = sum(one * two for one, two in zip(vector, other, strict=True))
    return product / lengths if lengths else 0.0
