"""The simulator's chips and bodies hold by themselves, under AddressSanitizer and UBSan."""

from .conftest import FIRMWARE, make


def test_chips_and_bodies_are_as_their_data_sheets_say(toolchain):
    told = make(FIRMWARE / "sim", "check")
    assert told.count("\nok\n") == 4, told
