#!/usr/bin/env python3
"""Write the identity record of a die or a hub as an Intel HEX file for avrdude.

    python3 firmware/eeprom.py die 2 --set 7 > die-2.eep
    python3 firmware/eeprom.py hub --set 7 > hub.eep

The layout is described in firmware/common/eeprom_layout.h. Only the identity is written, so that a
die keeps its calibration when it is flashed again. Only the standard library is needed.
"""

import argparse
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


def hex_row(address: int, data: bytes) -> str:
    """Return a data row of Intel HEX.

    >>> hex_row(0x10, bytes.fromhex("55AA"))
    ':0200100055AAEF'
    """
    row = struct.pack(">BHB", len(data), address, 0) + data
    return f":{(row + bytes([-sum(row) & 0xFF])).hex().upper()}"


def intel_hex(address: int, data: bytes) -> str:
    """Return an Intel HEX file with `data` at `address` (below 64 KiB)."""
    starts = range(0, len(data), HEX_ROW)
    rows = [hex_row(address + start, data[start : start + HEX_ROW]) for start in starts]
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
    return intel_hex(0, it.record())


def hub_file(options: argparse.Namespace) -> str:
    """Return a hub's EEPROM file, or the part to add to its flash file."""
    name = options.set if options.id is None else options.id
    it = Identity("H", options.set, channel=options.channel, hub_id=name)
    return intel_hex(FLASH_AT if options.flash else 0, it.record())


def main() -> int:
    """Write the file to standard output."""
    options = parser().parse_args()
    sys.stdout.write(die_file(options) if options.role == "die" else hub_file(options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
