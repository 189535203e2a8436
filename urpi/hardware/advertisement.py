"""The advertisements of the die with a bought board (brand ``urpi``): bytes in, reports out. Pure.

The layouts are those of firmware/ble/advert.h and firmware/common/air_frame.h.
"""

import struct
from dataclasses import dataclass
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.hardware.protocol import DieLine
from urpi.hardware.protocol_constants import STATES

COMPANY: Final = 0xFFFF
"""The company number of the manufacturer data, which the Bluetooth SIG leaves to tests."""
MARK: Final = b"Ur"
FIRMWARE: Final = 2
"""The number of the firmware of this release (firmware/ble/advert.h)."""
BOARD: Final = 0
"""The number of the board in the settings that are written: each die has a key of its own."""
KEY_BYTES: Final = 16
FRAME_BYTES: Final = 18
Vector: TypeAlias = tuple[int, int, int]
_REST: Final = struct.Struct("<3h")
_HEAD: Final = len(MARK) + 1
_NEW, _SIGNED = 0x15, 0x13
_SIGNATURE_AT: Final = FRAME_BYTES - 4
_WORD: Final = 0xFFFFFFFF
_FAULTS: Final = (None, "cal", "accel")
_THROWN: Final = (None, 0, 1)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a die sends.

    Attributes:
        data: Its 18 bytes.
        firmware: The number of its firmware.
        rest: Its acceleration at rest in milli-g, which is not signed.
    """

    data: bytes
    firmware: int
    rest: Vector

    @property
    def is_new(self) -> bool:
        """Whether the die has no settings."""
        return self.data[0] == _NEW

    @property
    def is_signed(self) -> bool:
        return self.data[0] == _SIGNED

    @property
    def number(self) -> int:
        """The number of a signed report: the die's starts, and in the lower half its reports."""
        return int.from_bytes(self.data[10:14], "little")

    def is_genuine(self, key: bytes) -> bool:
        """Return whether a signed report has the signature of a key."""
        block = self.data[:_SIGNATURE_AT] + struct.pack("<H", BOARD)
        return self.data[_SIGNATURE_AT:] == signature(key, block)

    def line(self, seq: int, now: int) -> DieLine:
        """Return a signed report as the line of a hub whose time is `now`.

        Raises:
            UrpiError: If a value is invalid.
        """
        first, second, angle, tumbles, fall, throws, battery, age = struct.unpack(
            "<5BHBB", self.data[1:10]
        )
        state, verdict, fault = first & 7, second >> 6, second >> 4 & 3
        if state >= len(STATES) or verdict >= len(_THROWN) or fault >= len(_FAULTS):
            message = f"The report {self.data.hex()} of a die has a value without a meaning."
            raise UrpiError(message)
        return DieLine(
            seq,
            (first >> 5) + 1,
            STATES[state],
            throws,
            6 if first & 0x10 else 4,
            second & 15 or None,
            angle,
            tumbles,
            5 * fall,
            20 * battery,
            _FAULTS[fault] or ("wakes" if first & 8 else None),
            _THROWN[verdict],
            t_ms=(now - _age(age)) & _WORD,
        )


def frame_of(data: bytes) -> Frame | None:
    """Return the frame in the manufacturer data of `COMPANY`, None if a die did not send it.

    >>> frame_of(b"Ur" + bytes([1, 0x15]) + bytes(23)).is_new
    True
    """
    if len(data) != _HEAD + FRAME_BYTES + _REST.size or not data.startswith(MARK):
        return None
    frame, rest = data[_HEAD : -_REST.size], _REST.unpack(data[-_REST.size :])
    return Frame(frame, data[len(MARK)], rest)


def _age(code: int) -> int:
    """Return the milliseconds since a report was made; below 32 they are exact."""
    exponent, rest = divmod(code, 16)
    return (16 + rest) << (exponent - 1) if exponent else rest


def signature(key: bytes, block: bytes) -> bytes:
    """Return the first four bytes of a block's signature: Chaskey-12, as in common/signature.h.

    Args:
        key: 16 bytes.
        block: 16 bytes.
    """
    secret = struct.unpack("<4I", key)
    carry = 0x87 if secret[3] >> 31 else 0
    last = []
    for word in secret:
        last.append((word << 1 | carry) & _WORD)
        carry = word >> 31
    found = struct.unpack("<4I", block)
    a, b, c, d = (k ^ m ^ n for k, m, n in zip(secret, found, last, strict=True))
    for _ in range(12):
        a = (a + b) & _WORD
        b = _left(b, 5) ^ a
        a = _left(a, 16)
        c = (c + d) & _WORD
        d = _left(d, 8) ^ c
        a = (a + d) & _WORD
        d = _left(d, 13) ^ a
        c = (c + b) & _WORD
        b = _left(b, 7) ^ c
        c = _left(c, 16)
    return struct.pack("<I", a ^ last[0])


def _left(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & _WORD
