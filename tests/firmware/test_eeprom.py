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


def data_of(text):
    """Return the address and the bytes of an Intel HEX file of one row."""
    row, end = text.splitlines()
    assert end == ":00000001FF"
    data = bytes.fromhex(row[1:])
    assert sum(data) % 256 == 0
    assert data[0] == len(data) - 5
    return int.from_bytes(data[1:3], "big"), data[4:-1]


def test_doctests_pass():
    spec = importlib.util.spec_from_file_location("eeprom", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    sys.modules["eeprom"] = module
    spec.loader.exec_module(module)
    assert doctest.testmod(module).failed == 0
    del sys.modules["eeprom"]


def test_record_of_a_die_is_at_the_layouts_address():
    address, record = data_of(run("die", "3", "--set", "513", "--kind", "6").stdout)
    assert address == 0
    assert record[:10] == bytes([0x55, 1, ord("D"), 3, 0x01, 0x02, 0xFF, 6, 0, 0])


def test_record_of_a_hub_is_written_to_eeprom_or_flash():
    for flags, at in (((), 0), (("--flash",), 0x7000)):
        address, record = data_of(run("hub", "--set", "7", "--id", "0x5F3A", *flags).stdout)
        assert address == at
        assert record[:10] == bytes([0x55, 1, ord("H"), 0, 7, 0, 0xFF, 0, 0x3A, 0x5F])


@pytest.mark.parametrize(
    "arguments",
    [("die", "0"), ("die", "9"), ("die", "1", "--kind", "5"), ("hub", "--set", "65536"), ("cup",)],
)
def test_invalid_arguments_are_rejected(arguments):
    refused = run(*arguments)
    assert refused.returncode == 2
    assert refused.stdout == ""
