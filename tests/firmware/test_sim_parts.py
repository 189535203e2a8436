"""The unit tests of the simulator's chips and bodies, with AddressSanitizer and UBSan."""

import pytest

from .conftest import FIRMWARE, make


@pytest.mark.slow
def test_simulated_chips_and_bodies_match_their_data_sheets(toolchain):
    output = make(FIRMWARE / "sim", "check")
    assert output.count("\nok\n") == 4, output
