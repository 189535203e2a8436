"""The messages of Pixels dice: bytes in, reports out. Pure.

Sources: github.com/GameWithPixels/.github, doc/CommunicationsProtocol.md, for the messages;
github.com/GameWithPixels/pixels-js for what it leaves out: the newer identifiers
(PixelsBluetoothIds.ts), the newer states (PixelRollState.ts), the newer identity in chunks
(DieMessages.ts), and the faces of old firmware (DiceUtils.ts). Integers are little endian.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from urpi.hardware.die_reports import Battery, Identity, Motion, MotionState, Report


@dataclass(frozen=True, slots=True)
class GattIds:
    """The UUIDs of a die's service, and of its characteristics to notify and to write."""

    service: str
    notify: str
    write: str


NEWER: Final = GattIds(
    "a6b90001-7a5a-43f2-a962-350c8edc9b5b",
    "a6b90002-7a5a-43f2-a962-350c8edc9b5b",
    "a6b90003-7a5a-43f2-a962-350c8edc9b5b",
)
OLDER: Final = GattIds(
    "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
    # The characteristic has the UUID of the service.
    "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
    "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
)
IDS: Final = (NEWER, OLDER)
"""The identifiers of newer and of older firmware."""

WHO_ARE_YOU: Final = b"\x01"
"""The request for an `Identity`, with the state and the battery."""
REQUEST_BATTERY: Final = b"\x21"

_I_AM_A_DIE: Final = 2
_ROLL_STATE: Final = 3
_BLINK: Final = 29
_BATTERY_LEVEL: Final = 34
_STATES: Final[Mapping[int, MotionState]] = MappingProxyType(
    # Older firmware reports 1 also after it was handled, newer firmware then reports 5.
    {1: "rolled", 2: "handled", 3: "rolling", 4: "cocked", 5: "placed"}
)
_TYPES: Final[Mapping[int, int]] = MappingProxyType({1: 4, 2: 6, 3: 8, 4: 10, 6: 12, 7: 20, 8: 6})
"""The number of faces of each type; the dice with tens and with fudge symbols are left out."""
_LEDS: Final[Mapping[int, int]] = MappingProxyType(
    {4: 4, 6: 6, 8: 8, 10: 10, 12: 12, 20: 20, 21: 6}
)
"""The number of faces by that of LEDs, where the type is unknown."""
_OLD_IDENTITY_BYTES: Final = 22
_VERSION, _DIE, _STATUS = 0, 1, 5
"""The chunks of a newer identity; those between are two names and the settings."""
_BAD_NORMALS_UNTIL: Final = 1_704_150_000
"""The time of the newest firmware that numbers the faces of a d4 and a d6 otherwise."""
_OLD_D4: Final[Mapping[int, int]] = MappingProxyType({2: 3, 3: 2, 5: 4})
_OLD_D6: Final[Mapping[int, int]] = MappingProxyType({4: 2, 3: 3, 2: 4, 1: 5})
_BLINK_MS: Final = 1500
_BLUE: Final = 0x0000FF
_ALL_FACES: Final = 0xFFFFFFFF
_HALF_FADE: Final = 128


def face_value(index: int, faces: int, built: int | None = None) -> int | None:
    """Return the number on the face with an index from 0, None if the die has no such face.

    Args:
        index: The face's index in the message.
        faces: The die's number of faces.
        built: The time of its firmware in seconds since 1970. By default it is unknown,
            and taken to be new.

    >>> face_value(3, 4), face_value(5, 6), face_value(0, 10), face_value(4, 4)
    (4, 6, 0, None)
    """
    if built is not None and built <= _BAD_NORMALS_UNTIL and faces in {4, 6}:
        if index not in range(6):
            return None
        return _OLD_D4.get(index, 1) if faces == 4 else _OLD_D6.get(index, index + 1)
    if index not in range(faces):
        return None
    return index if faces == 10 else index + 1


def blink(count: int) -> bytes:
    """Return the message that makes the die blink `count` times, 1 to 255.

    >>> blink(3).hex()
    '1d03dc05ff000000ffffffff8000'
    """
    fields = (
        _BLINK.to_bytes(1, "little"),
        count.to_bytes(1, "little"),
        _BLINK_MS.to_bytes(2, "little"),
        _BLUE.to_bytes(4, "little"),
        _ALL_FACES.to_bytes(4, "little"),
        _HALF_FADE.to_bytes(1, "little"),
        b"\0",
    )
    return b"".join(fields)


def parse(data: bytes, faces: int, built: int | None = None) -> tuple[Report, ...]:
    """Return the reports in a message, none if it is truncated or of another type.

    Args:
        data: The message.
        faces: The die's number of faces.
        built: The time of its firmware in seconds since 1970, None if unknown.

    >>> parse(bytes([3, 1, 2]), 4)
    (Motion(state='rolled', value=3),)
    """
    kind = data[0] if data else None
    if kind == _ROLL_STATE and len(data) >= 3:
        return _motion(data[1], data[2], faces, built)
    if kind == _BATTERY_LEVEL and len(data) >= 2:
        return _battery(data[1])
    if kind == _I_AM_A_DIE:
        old = len(data) == _OLD_IDENTITY_BYTES
        return _old_identity(data, faces) if old else _identity(data, faces)
    return ()


def without_personal_details(data: bytes) -> bytes:
    r"""Return a message with zeros for the die's serial number, its name and its settings.

    Of a message of another kind only the first byte remains.

    >>> without_personal_details(bytes([3, 1, 2])), without_personal_details(b"\x7fAnna")
    (b'\x03\x01\x02', b'\x7f\x00\x00\x00\x00')
    """
    if data[0] in {_ROLL_STATE, _BATTERY_LEVEL}:
        return data
    if data[0] != _I_AM_A_DIE:
        return data[:1] + bytes(len(data) - 1)
    if len(data) == _OLD_IDENTITY_BYTES:
        return data[:4] + bytes(8) + data[12:]
    chunks = _chunks(data[1:])
    kept = {_VERSION, _STATUS}
    cleared = [
        chunk if index in kept else chunk[:1] + bytes(4) + chunk[5:] if index == _DIE
        else chunk[:1] + bytes(len(chunk) - 1)
        for index, chunk in enumerate(chunks)
    ]  # fmt: skip
    return data[:1] + b"".join(cleared)


def _motion(state: int, index: int, faces: int, built: int | None) -> tuple[Report, ...]:
    known = _STATES.get(state)
    if known is None:
        return ()
    value = face_value(index, faces, built)
    if known not in {"rolled", "placed"}:
        return (Motion(known),)
    return (Motion(known, value),) if value is not None else ()


def _battery(percent: int) -> tuple[Report, ...]:
    return (Battery(percent),) if percent <= 100 else ()


def _old_identity(data: bytes, faces: int) -> tuple[Report, ...]:
    built = int.from_bytes(data[14:18], "little")
    kind = _TYPES.get(data[3]) if data[3] else _LEDS.get(data[1])
    return (
        Identity(kind, built),
        *_battery(data[20]),
        *_motion(data[18], data[19], faces, built),
    )


def _identity(data: bytes, faces: int) -> tuple[Report, ...]:
    """Return the reports of the chunks: version, die, two names, settings, status."""
    chunks = _chunks(data[1:])
    if len(chunks) < 6:
        return ()
    version, die, status = chunks[_VERSION], chunks[_DIE], chunks[_STATUS]
    if len(version) < 7 or len(die) < 9 or len(status) < 5:
        return ()
    built = int.from_bytes(version[3:7], "little")
    return (
        Identity(_TYPES.get(die[6]), built),
        *_battery(status[1]),
        *_motion(status[3], status[4], faces, built),
    )


def _chunks(data: bytes) -> list[bytes]:
    """Return the chunks, each with the byte that contains its size."""
    found = []
    while data and 0 < data[0] <= len(data):
        found.append(data[: data[0]])
        data = data[data[0] :]
    return found
