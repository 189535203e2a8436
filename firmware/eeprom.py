#!/usr/bin/env python3
"""Write the identity record of a die or a hub as an Intel HEX file for avrdude.

    python3 firmware/eeprom.py die 2 --set 7 > die-2.eep
    python3 firmware/eeprom.py hub --set 7 > hub.eep
    python3 firmware/eeprom.py die 2 --set 7 --key 000102030405060708090A0B0C0D0E0F > die-2.eep

The layout is described in firmware/common/eeprom_layout.h. Only the identity and the key are
written, so that a die keeps its calibration when it is flashed again. Without a key, a former one
is erased. Only the standard library is needed.
"""

import argparse
import os
import re
import struct
import sys
from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import dataclass

CRC_START = 0xFFFF
CHANNEL_OF_SET = 0xFF
NOMINAL_MV = 1100
FLASH_AT = 0x7000
"""Address of a hub's record in flash, which is used if its EEPROM has none."""
KEY_AT, KEY_IN_FLASH_AT = 0x90, 0x7010
KEY_BYTES, PAIRING_BYTES = 16, 4
NO_KEY = b"\xff" * 24
HEX_ROW = 16


@dataclass(frozen=True)
class Identity:
    """A chip's identity: its `role` D or H, a die's `number` and `kind`, and the `board` number.

    `channel` is the radio channel (0 to 83), `hub_id` a hub's id, and `reference_mv` the measured
    voltage of the chip's 1.1 V reference.
    """

    role: str
    board: int
    number: int = 0
    kind: int = 0
    channel: int = CHANNEL_OF_SET
    hub_id: int = 0
    reference_mv: int = NOMINAL_MV

    def record(self) -> bytes:
        """Return the 14 bytes of the record, the CRC last.

        >>> Identity("D", board=7, number=2, kind=4).record().hex()
        '550144020700ff0400004c04cdb3'
        """
        fields = (self.number, self.board, self.channel, self.kind, self.hub_id, self.reference_mv)
        body = struct.pack("<cBcBHBBHH", b"U", 1, self.role.encode(), *fields)
        return body + struct.pack("<H", crc_hqx(body, CRC_START))


def key_record(key: bytes, pairing: bytes) -> bytes:
    """Return the 24 bytes of a key's record; without a key, those of an erased one.

    `pairing` is a random number in a hub, another one each time it is flashed, and 0 in a die.

    >>> key_record(bytes(range(16)), bytes(4)).hex()
    '4b01000102030405060708090a0b0c0d0e0f00000000a8f3'
    """
    if not key:
        return NO_KEY
    body = struct.pack("<cB16s4s", b"K", 1, key, pairing)
    return body + struct.pack("<H", crc_hqx(body, CRC_START))


def key_of(text: str) -> bytes:
    """Return the key written as hexadecimal digits, empty for an empty text."""
    if not re.fullmatch(r"(?:[0-9A-Fa-f]{32})?", text):
        message = f"{text!r} is not a key: it has 32 hexadecimal digits"
        raise argparse.ArgumentTypeError(message)
    return bytes.fromhex(text)


def hex_row(address: int, data: bytes) -> str:
    """Return a data row of Intel HEX.

    >>> hex_row(0x10, bytes.fromhex("55AA"))
    ':0200100055AAEF'
    """
    row = struct.pack(">BHB", len(data), address, 0) + data
    return f":{(row + bytes([-sum(row) & 0xFF])).hex().upper()}"


def intel_hex(parts: dict[int, bytes]) -> str:
    """Return an Intel HEX file with data at some addresses (below 64 KiB)."""
    rows = [
        hex_row(address + start, data[start : start + HEX_ROW])
        for address, data in parts.items()
        for start in range(0, len(data), HEX_ROW)
    ]
    return "\n".join([*rows, ":00000001FF", ""])


def between(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers in a range, for argparse's `type`."""

    def whole(text: str) -> int:
        try:
            value = int(text, 0)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not a whole number from {low} to {high}")
        return value

    return whole


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    roles = whole.add_subparsers(dest="role", required=True)
    die, hub = roles.add_parser("die"), roles.add_parser("hub")
    die.add_argument("number", type=between(1, 8), help="the die's number, 1 to 8")
    die.add_argument("--kind", type=int, choices=(4, 6), default=4, help="its faces")
    die.add_argument(
        "--reference-mv",
        type=between(900, 1300),
        default=NOMINAL_MV,
        help="voltage of this chip's 1.1 V reference, if it is known",
    )
    hub.add_argument("--id", type=between(0, 0xFFFF), help="the hub's id; its set by default")
    hub.add_argument("--flash", action="store_true", help="for flash, by a boot loader")
    for role in (die, hub):
        role.add_argument(
            "--set", type=between(0, 65535), required=True, help="number of the board"
        )
        role.add_argument("--channel", type=between(0, 83), default=CHANNEL_OF_SET)
        role.add_argument("--key", type=key_of, default=b"", help="the board's secret key")
    return whole


def die_file(options: argparse.Namespace) -> str:
    """Return a die's EEPROM file."""
    it = Identity(
        "D",
        options.set,
        options.number,
        options.kind,
        options.channel,
        reference_mv=options.reference_mv,
    )
    return intel_hex({0: it.record(), KEY_AT: key_record(options.key, bytes(PAIRING_BYTES))})


def hub_file(options: argparse.Namespace) -> str:
    """Return a hub's EEPROM file, or the part to add to its flash file."""
    name = options.set if options.id is None else options.id
    it = Identity("H", options.set, channel=options.channel, hub_id=name)
    key = key_record(options.key, os.urandom(PAIRING_BYTES))
    if options.flash:
        return intel_hex({FLASH_AT: it.record(), KEY_IN_FLASH_AT: key})
    return intel_hex({0: it.record(), KEY_AT: key})


def main() -> int:
    """Write the file to standard output."""
    options = parser().parse_args()
    sys.stdout.write(die_file(options) if options.role == "die" else hub_file(options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
