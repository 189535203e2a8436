"""The linked image, the files for the board's drive, and the registers' addresses."""

import re
import struct
import subprocess
import sys

import pytest

from urpi.hardware import advertisement

from .chip import FLASH_AT, FLASH_END, RAM_AT, RAM_END, registers
from .die import FIRMWARE, settings, uf2_content

HEADER = FIRMWARE / "ble" / "nrf52840.h"


def test_registers_are_where_the_vendor_says():
    defined = re.findall(r"#define (\w+) (?:REGISTER\()?0x([0-9A-F]{8})", HEADER.read_text())
    ours = {int(at, 16): name for name, at in defined if not at.startswith("E")}
    theirs = {at: f"{it.peripheral}_{it.name}" for at, it in registers().items()}
    assert len(ours) > 80
    assert ours == {at: theirs.get(at) for at in ours}


def test_program_is_where_the_boot_loader_starts_it(image):
    stack, start = struct.unpack("<2I", image[:8])
    assert RAM_AT < stack <= RAM_END
    assert FLASH_AT < start < FLASH_AT + len(image) <= FLASH_END
    assert start & 1


def test_file_for_the_drive_has_the_program(built, image):
    file = (built / "die.uf2").read_bytes()
    at, content = uf2_content(file)
    assert (at, content[: len(image)]) == (FLASH_AT, image)
    blocks = [file[first : first + 512] for first in range(0, len(file), 512)]
    for number, block in enumerate(blocks):
        # https://github.com/microsoft/uf2, File format
        fields = struct.unpack("<8I", block[:32])
        assert fields[:2] == (0x0A324655, 0x9E5D5157)
        assert fields[2:] == (0x2000, at + 256 * number, 256, number, len(blocks), 0xADA52840)
        assert block[508:] == struct.pack("<I", 0x0AB16F30)


@pytest.mark.parametrize(
    "wrong",
    [("9", "--set", "7"), ("1", "--set", "65536"), ("1", "--set", "7", "--key", "12"), ("1",)],
)
def test_settings_of_no_die_are_refused(wrong):
    command = [sys.executable, FIRMWARE / "ble" / "uf2.py", "settings", *wrong]
    refused = subprocess.run(command, capture_output=True, check=False)
    assert refused.returncode == 2
    assert not refused.stdout


def test_settings_are_the_records_of_the_other_die():
    page = settings(number=3, kind=6)
    command = [sys.executable, FIRMWARE / "eeprom.py", "die", "3", "--kind", "6", "--set", "7"]
    key = ["--key", "000102030405060708090a0b0c0d0e0f"]
    made = subprocess.run([*command, *key], capture_output=True, text=True, check=True).stdout
    rows = [bytes.fromhex(row[1:]) for row in made.splitlines()]
    for row in rows[:-1]:
        at = int.from_bytes(row[1:3], "big")
        assert page[at : at + row[0]] == row[4:-1]


def test_the_program_knows_the_number_of_this_firmware():
    header = (FIRMWARE / "ble" / "advert.h").read_text()
    assert re.findall(r"ADVERT_FIRMWARE = (\d+)", header) == [str(advertisement.FIRMWARE)]
