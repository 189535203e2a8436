"""The simulator's chips and bodies hold by themselves, under AddressSanitizer and UBSan."""

import pytest

from .conftest import FIRMWARE, make


@pytest.mark.timeout(240)  # it waits for the compilers
def test_chips_and_bodies_are_as_their_data_sheets_say(toolchain):
    told = make(FIRMWARE / "sim", "check")
    assert told.count("\nok\n") == 4, told
