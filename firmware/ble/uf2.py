#!/usr/bin/env python3
"""Write the files that are copied to a board's drive.

    python3 firmware/ble/uf2.py program die.bin > die.uf2
    python3 firmware/ble/uf2.py settings 2 --set 7 > die-2-settings.uf2
    python3 firmware/ble/uf2.py sleep > sleep.uf2

The format is Microsoft's UF2; the family is that of the boot loader for the nRF52840. Settings are
a page of flash with the layout of firmware/common/eeprom_layout.h; what lets a die sleep is behind
them in the same page (firmware/ble/flash.h). Only the standard library is
needed.
"""

import argparse
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from eeprom import KEY_AT, PAIRING_BYTES, Identity, between, key_of, key_record

MAGIC = 0x0A324655, 0x9E5D5157, 0x0AB16F30
FAMILY, FAMILY_IS_PRESENT = 0xADA52840, 0x2000
PROGRAM_AT, SETTINGS_AT = 0x27000, 0xAC000
PROGRAM_BYTES = 0xAA000 - PROGRAM_AT
BLOCK = 256
SLEEP_AT, SLEEP = SETTINGS_AT + BLOCK, b"slep"


def uf2(at: int, content: bytes) -> bytes:
    """Return the file that writes the content to flash at an address."""
    content += b"\xff" * (-len(content) % BLOCK)
    count = len(content) // BLOCK
    blocks = []
    for number in range(count):
        part = content[number * BLOCK : (number + 1) * BLOCK]
        place = (FAMILY_IS_PRESENT, at + number * BLOCK, BLOCK, number, count, FAMILY)
        head = struct.pack("<8I", *MAGIC[:2], *place)
        blocks.append(head + part.ljust(476, b"\0") + struct.pack("<I", MAGIC[2]))
    return b"".join(blocks)


def settings(number: int, board: int, kind: int, key: bytes) -> bytes:
    """Return a die's settings.

    >>> settings(2, 7, 4, b"").hex()[:28]
    '550144020700ff0400004c04cdb3'
    """
    page = bytearray(b"\xff" * BLOCK)
    identity = Identity("D", board, number, kind).record()
    page[: len(identity)] = identity
    record = key_record(key, bytes(PAIRING_BYTES))
    page[KEY_AT : KEY_AT + len(record)] = record
    return bytes(page)


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    kinds = whole.add_subparsers(dest="kind_of_file", required=True)
    program, die = kinds.add_parser("program"), kinds.add_parser("settings")
    kinds.add_parser("sleep")
    program.add_argument("image", type=Path, help="the program as it is in flash")
    die.add_argument("number", type=between(1, 8), help="the die's number, 1 to 8")
    die.add_argument("--kind", type=int, choices=(4, 6), default=4, help="its faces")
    die.add_argument("--set", type=between(0, 65535), required=True, help="number of the board")
    die.add_argument("--key", type=key_of, default=b"", help="the board's secret key")
    return whole


def main() -> int:
    """Write the file to standard output."""
    options = parser().parse_args()
    if options.kind_of_file == "settings":
        page = settings(options.number, options.set, options.kind, options.key)
        written = uf2(SETTINGS_AT, page)
    elif options.kind_of_file == "sleep":
        written = uf2(SLEEP_AT, SLEEP)
    else:
        image = options.image.read_bytes()
        if len(image) > PROGRAM_BYTES:
            sys.exit(f"{options.image} has {len(image)} bytes; {PROGRAM_BYTES} fit.")
        written = uf2(PROGRAM_AT, image)
    sys.stdout.buffer.write(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
