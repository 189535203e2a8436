"""A receiver of advertisements, and what urpi's die says in one.

As the Bluetooth Core Specification 5.4 describes them (volume 6 part B); it shares nothing with the
model of the radio.
"""

import struct
from binascii import crc_hqx
from collections.abc import Iterable
from dataclasses import dataclass

from .radio import Transmission

CHANNELS = {2402: 37, 2426: 38, 2480: 39}
ACCESS_ADDRESS = 0x8E89BED6
# The whitening register's output, and where each channel begins in it, as libbtbb has them in
# tables (bluetooth_le_packet.c); the model of the radio computes them instead.
WHITENING = (
    "1111010101000010110111100111001010110011000001101101011101000110010001000000100100110100111101110000"
    "111111100011101100010100101"
)
BEGINS = {37: 112, 38: 47, 39: 102}
REFLECTED_CRC = 0xDA6000
NONCONN, RANDOM = 2, 0x40
STATES = ("lost", "handled", "rolling", "settled", "cocked")


class BadPacketError(ValueError):
    """Nothing that a receiver would accept."""


def received(it: Transmission) -> bytes:
    """Return the PDU that a receiver of that channel hears."""
    channel = CHANNELS.get(it.mhz)
    if channel is None:
        raise BadPacketError(f"{it.mhz} MHz is no advertising channel")
    address = sum(bit << n for n, bit in enumerate(it.bits[8:40]))
    if address != ACCESS_ADDRESS or it.bits[:8] != (0, 1) * 4:
        raise BadPacketError(f"access address {address:#x}, preamble {it.bits[:8]}")
    bits = [bit ^ int(WHITENING[(BEGINS[channel] + n) % 127]) for n, bit in enumerate(it.bits[40:])]
    data = bytes(
        sum(bit << n for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
    )
    crc = int(f"{0x555555:024b}"[::-1], 2)
    for bit in bits[:-24]:
        crc = crc >> 1 ^ (REFLECTED_CRC if (crc ^ bit) & 1 else 0)
    if crc != sum(bit << n for n, bit in enumerate(bits[-24:])):
        raise BadPacketError("the CRC is wrong")
    if len(data) != 2 + data[1] + 3:
        raise BadPacketError("the length is wrong")
    return data[:-3]


@dataclass(frozen=True)
class Advertisement:
    """A die's advertisement: its address, firmware, frame, and the acceleration in milli-g."""

    address: bytes
    firmware: int
    frame: bytes
    rest: tuple[int, int, int]

    @classmethod
    def of(cls, pdu: bytes) -> "Advertisement":
        if pdu[0] != NONCONN | RANDOM:
            raise BadPacketError(f"header {pdu[0]:#x}: not ADV_NONCONN_IND from a random address")
        address, data = pdu[2:8][::-1], pdu[8:]
        if address[0] >> 6 != 3:
            raise BadPacketError("not a static address")
        if len(data) > 31:
            raise BadPacketError(f"{len(data)} bytes of data, at most 31")
        (structure,) = structures(data)
        if structure[:5] != b"\xff\xff\xffUr":
            raise BadPacketError(f"not urpi's: {structure.hex()}")
        return cls(address, structure[5], structure[6:24], struct.unpack("<3h", structure[24:]))


def structures(data: bytes) -> Iterable[bytes]:
    """Yield the type and content of each structure (volume 3 part C, 11)."""
    at = 0
    while at < len(data):
        size = data[at]
        if not size or at + 1 + size > len(data):
            raise BadPacketError(f"structure of {size} bytes at {at} of {len(data)}")
        yield data[at + 1 : at + 1 + size]
        at += 1 + size


@dataclass(frozen=True)
class Report:
    """A report, read as firmware/common/air_frame.h and protocol.h state it."""

    signed: bool
    die: int
    kind: int
    state: int
    fault: int
    face: int
    angle: int
    tumbles: int
    verdict: int
    throws: int
    battery_mv: int
    number: int

    @classmethod
    def of(cls, frame: bytes, set_number: int) -> "Report":
        if frame[0] == 0x13:
            first, second, angle, tumbles, _, throws, battery, _, number = struct.unpack(
                "<4BBHBBI", frame[1:14]
            )
            kind = 6 if first & 0x10 else 4
            return cls(
                True, (first >> 5) + 1, kind, first & 7, second >> 4 & 3, second & 15, angle,
                tumbles, second >> 6, throws, battery * 20, number,
            )  # fmt: skip
        body = struct.pack("<H", set_number) + frame[:16]
        if frame[0] != 0x11 or crc_hqx(body, 0xFFFF) != int.from_bytes(frame[16:], "little"):
            raise BadPacketError(f"no report of board {set_number}: {frame.hex()}")
        die, _, number, state, face, angle, tumbles, fall, throws, battery, _ = struct.unpack(
            "<7B4H", frame[1:16]
        )
        verdict = fall % 5 % 3 if fall % 5 < 3 else fall % 5 - 2
        return cls(
            False, die >> 4, die & 15, state >> 4, state & 15, face, angle, tumbles, verdict,
            throws, battery, number,
        )  # fmt: skip
