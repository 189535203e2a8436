import os
import termios
from contextlib import closing
from queue import Queue

import pytest

from tests.waiting import DEADLINE_S
from urpi.config import HubSection
from urpi.hardware import DieFaces, HubHealth
from urpi.hardware.serial_port import PORT_ERRORS, open_serial, port_failure
from urpi.service.backends import make_dice_hub
from urpi.simulation import open_wire


def test_device_is_opened_exclusively(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        with closing(open_serial(wire.address)), pytest.raises(OSError, match="lock"):
            open_serial(wire.address)
        open_serial(wire.address).close()
    finally:
        wire.unplug()


@pytest.mark.parametrize(("settings", "speed"), [({}, "B115200"), ({"baud": 57600}, "B57600")])
def test_a_hub_is_opened_at_the_configured_rate(tmp_path, settings, speed):
    wire = open_wire("pty", tmp_path)
    hub = make_dice_hub(HubSection(**settings), wire.address, DieFaces(), lambda: 0)
    health: Queue[HubHealth] = Queue()
    hub.start(lambda _fact: None, health.put)
    try:
        assert health.get(timeout=DEADLINE_S).connected
        terminal = os.open(wire.address, os.O_RDONLY | os.O_NOCTTY)
        try:
            assert termios.tcgetattr(terminal)[5] == getattr(termios, speed)
        finally:
            os.close(terminal)
    finally:
        hub.close()
        wire.unplug()


@pytest.mark.parametrize(
    ("device", "why"),
    [
        ("/dev/no-such-port", "No such file or directory"),
        ("/dev/null", "it is not a serial port"),
        ("/dev", "it is not a serial port"),
        (__file__, "it is not a serial port"),
        ("socket://127.0.0.1:1", "Connection refused"),
        ("foo://hub", "it is not a serial port"),
    ],
)
def test_failure_reason_is_short(device, why):
    with pytest.raises(PORT_ERRORS) as caught:
        open_serial(device)
    assert port_failure(caught.value) == why


def test_failure_reason_of_a_port_in_use(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        with closing(open_serial(wire.address)), pytest.raises(OSError, match="lock") as caught:
            open_serial(wire.address)
        assert port_failure(caught.value) == "another program has it open"
    finally:
        wire.unplug()


def test_failure_reason_of_an_unplugged_port(tmp_path):
    wire = open_wire("pty", tmp_path)
    with closing(open_serial(wire.address)) as port:
        wire.unplug()
        with pytest.raises(PORT_ERRORS) as caught:
            port.read(1)
    assert port_failure(caught.value) == "it was unplugged"
