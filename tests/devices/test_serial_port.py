from contextlib import closing

import pytest

from urpi.devices.serial_port import PORT_ERRORS, open_serial, port_failure
from urpi.table import open_wire


def test_a_device_is_had_by_one_program_alone(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        with closing(open_serial(wire.address)), pytest.raises(OSError, match="lock"):
            open_serial(wire.address)
        open_serial(wire.address).close()
    finally:
        wire.unplug()


@pytest.mark.parametrize(
    ("device", "why"),
    [
        ("/dev/no-such-port", "No such file or directory"),
        ("/dev/null", "it is no serial port"),
        ("/dev", "it is no serial port"),
        (__file__, "it is no serial port"),
        ("socket://127.0.0.1:1", "Connection refused"),
        ("foo://hub", "it is no serial port"),
    ],
)
def test_what_is_wrong_with_a_port_is_said_in_a_few_words(device, why):
    with pytest.raises(PORT_ERRORS) as caught:
        open_serial(device)
    assert port_failure(caught.value) == why


def test_a_port_that_another_program_has_is_said_to_be_open_there(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        with closing(open_serial(wire.address)), pytest.raises(OSError, match="lock") as caught:
            open_serial(wire.address)
        assert port_failure(caught.value) == "another program has it open"
    finally:
        wire.unplug()


def test_a_port_that_is_pulled_out_is_said_to_be_unplugged(tmp_path):
    wire = open_wire("pty", tmp_path)
    with closing(open_serial(wire.address)) as port:
        wire.unplug()
        with pytest.raises(PORT_ERRORS) as caught:
            port.read(1)
    assert port_failure(caught.value) == "it was unplugged"
