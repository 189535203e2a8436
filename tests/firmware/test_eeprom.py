import doctest
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "firmware/eeprom.py"


def run(*arguments):
    command = [sys.executable, str(PROGRAM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)


def rows_of(text):
    """Yield the address and the bytes of each row of an Intel HEX file."""
    *rows, end = text.splitlines()
    assert end == ":00000001FF"
    for row in rows:
        data = bytes.fromhex(row[1:])
        assert sum(data) % 256 == 0
        assert data[0] == len(data) - 5
        yield int.from_bytes(data[1:3], "big"), data[4:-1]


def key_of(text, at):
    """Return the bytes of the key's record, which begins at an address."""
    return b"".join(data for address, data in rows_of(text) if at <= address < at + 24)


def test_doctests_pass():
    spec = importlib.util.spec_from_file_location("eeprom", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    sys.modules["eeprom"] = module
    spec.loader.exec_module(module)
    assert doctest.testmod(module).failed == 0
    del sys.modules["eeprom"]


def test_record_of_a_die_is_at_the_layouts_address():
    address, record = next(rows_of(run("die", "3", "--set", "513", "--kind", "6").stdout))
    assert address == 0
    assert record[:10] == bytes([0x55, 1, ord("D"), 3, 0x01, 0x02, 0xFF, 6, 0, 0])


def test_record_of_a_hub_is_written_to_eeprom_or_flash():
    for flags, at in (((), 0), (("--flash",), 0x7000)):
        printed = run("hub", "--set", "7", "--id", "0x5F3A", *flags).stdout
        address, record = next(rows_of(printed))
        assert address == at
        assert record[:10] == bytes([0x55, 1, ord("H"), 0, 7, 0, 0xFF, 0, 0x3A, 0x5F])


@pytest.mark.parametrize(
    ("role", "at"), [(("die", "3"), 0x90), (("hub",), 0x90), (("hub", "--flash"), 0x7010)]
)
def test_key_is_at_the_layouts_address_and_erased_without_one(role, at):
    key = "00112233445566778899AABBCCDDEEFF"
    found = key_of(run(*role, "--set", "7", "--key", key).stdout, at)
    assert found[:18] == b"K\x01" + bytes.fromhex(key)
    assert (found[18:22] == bytes(4)) == (role[0] == "die")
    assert key_of(run(*role, "--set", "7").stdout, at) == b"\xff" * 24


def test_every_file_of_a_hub_has_another_pairing():
    files = {run("hub", "--set", "7", "--key", "0F" * 16).stdout for _ in range(3)}
    assert len(files) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ("die", "0"),
        ("die", "9"),
        ("die", "1", "--kind", "5"),
        ("hub", "--set", "65536"),
        ("cup",),
        ("hub", "--set", "7", "--key", "12345"),
        ("hub", "--set", "7", "--key", "G" * 32),
    ],
)
def test_invalid_arguments_are_rejected(arguments):
    refused = run(*arguments)
    assert refused.returncode == 2
    assert refused.stdout == ""
