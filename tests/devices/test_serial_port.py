from contextlib import closing

import pytest

from urpi.devices.serial_port import open_serial
from urpi.table import open_wire


def test_a_device_is_had_by_one_program_alone(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        with closing(open_serial(wire.address)), pytest.raises(OSError, match="lock"):
            open_serial(wire.address)
        open_serial(wire.address).close()
    finally:
        wire.unplug()
