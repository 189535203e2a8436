"""The settings of a die with a bought board, as the UF2 file that is copied to its drive. Pure.

The page has the layout of firmware/common/eeprom_layout.h, as firmware/ble/uf2.py writes it.
"""

import struct
from binascii import crc_hqx
from collections.abc import Sequence
from typing import Final

from urpi.hardware.advertisement import BOARD, Vector
from urpi.hardware.protocol_constants import CRC_START

INFO: Final = "INFO_UF2.TXT"
"""The file by which the drive of a UF2 boot loader is recognized."""
BOARD_ID: Final = "nRF52840-SeeedXiaoSense-v1"
"""The board in that file (Adafruit_nRF52_Bootloader, src/boards/xiao_nrf52840_ble_sense)."""
_PAGE_AT: Final = 0xAC000
_BLOCK: Final = 256
_CALIBRATION_AT: Final = 0x20
_KEY_AT: Final = 0x90
_FACES: Final = 6
_FAMILY: Final = 0xADA52840


def settings_file(number: int, faces: int, key: bytes, up: Sequence[Vector] = ()) -> bytes:
    """Return the file of a die.

    Args:
        number: Its number, 1 to 8.
        faces: Its number of faces, 4 or 6.
        key: Its key, 16 bytes.
        up: The acceleration while each face was up, in milli-g; empty if it is not calibrated.
    """
    page = bytearray(b"\xff" * _BLOCK)
    # Neither a radio channel nor a reference voltage: the other die has them.
    identity = struct.pack("<cBcBHBBHH", b"U", 1, b"D", number, BOARD, 0xFF, faces, 0, 1100)
    secret = struct.pack("<cB16s4x", b"K", 1, key)
    records = [(0, identity), (_KEY_AT, secret)]
    if up:
        axes = [axis for vector in up for axis in vector] + [0] * 3 * (_FACES - len(up))
        mask = (1 << len(up)) - 1
        records.append((_CALIBRATION_AT, struct.pack("<HBB18h", 1, mask, faces, *axes)))
    for at, record in records:
        whole = _with_crc(record)
        page[at : at + len(whole)] = whole
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, _PAGE_AT, _BLOCK, 0, 1, _FAMILY)
    return head + bytes(page).ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


def _with_crc(record: bytes) -> bytes:
    return record + struct.pack("<H", crc_hqx(record, CRC_START))


def board_of(info: str) -> str:
    r"""Return the board that a drive's `INFO` names, empty if it names none.

    >>> board_of("UF2 Bootloader 0.6.1\r\nBoard-ID: nRF52840-SeeedXiaoSense-v1\r\n")
    'nRF52840-SeeedXiaoSense-v1'
    """
    found = (line.partition(":") for line in info.splitlines())
    return next((value.strip() for name, _, value in found if name.strip() == "Board-ID"), "")
