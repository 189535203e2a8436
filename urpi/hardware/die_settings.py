"""The settings of a die with a bought board, as the UF2 file that is copied to its drive. Pure.

The page has the layout of firmware/common/eeprom_layout.h, as firmware/ble/uf2.py writes it.
"""

import re
import struct
from binascii import crc_hqx
from collections.abc import Sequence
from typing import Final

from urpi.hardware.advertisement import BOARD, Vector
from urpi.hardware.protocol_constants import CRC_START

INFO: Final = "INFO_UF2.TXT"
"""The file by which the drive of a UF2 boot loader is recognized."""
MOUNTS: Final = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt", "/mnt/*", "/Volumes/*")
"""Where systems mount a drive that is connected."""
BOARD_ID: Final = "nRF52840-SeeedXiaoSense-v1"
"""The board in that file (Adafruit_nRF52_Bootloader, src/boards/xiao_nrf52840_ble_sense)."""
_SOFT_DEVICE: Final = re.compile(r"S140 (version )?7\.")
"""What precedes the program in flash, in that file; after others, programs begin elsewhere."""
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


def drive_fault(info: str) -> str | None:
    r"""Return why the board with a drive's `INFO` cannot be a die, None if it can.

    >>> drive_fault("UF2 Bootloader 0.6.1\r\nBoard-ID: nRF52840-SeeedXiaoSense-v1\r\n")
    >>> drive_fault("Board-ID: RPI-RP2\r\n")
    'is the drive of RPI-RP2; a die needs a Seeed XIAO nRF52840 Sense (nRF52840-SeeedXiaoSense-v1)'
    """
    lines = (line.partition(":") for line in info.splitlines())
    values = {name.strip(): value.strip() for name, _, value in lines}
    board, soft_device = values.get("Board-ID"), values.get("SoftDevice")
    if board != BOARD_ID:
        return (
            f"is the drive of {board or 'an unknown board'}; "
            f"a die needs a Seeed XIAO nRF52840 Sense ({BOARD_ID})"
        )
    if soft_device is not None and not _SOFT_DEVICE.match(soft_device):
        return (
            f"has a boot loader without SoftDevice S140 7 ({soft_device}), so that a die's program "
            "would not start; update it with `adafruit-nrfutil` and the package "
            "xiao_nrf52840_ble_sense_bootloader of github.com/adafruit/Adafruit_nRF52_Bootloader"
        )
    return None
