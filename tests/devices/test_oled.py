import pytest
from luma.core.error import DeviceNotFoundError

from tests.devices.panel import Wires, dot
from urpi.devices.oled import i2c_bus, open_oled, page_bytes
from urpi.errors import UrpiError
from urpi.table.oled_bus import OledBus

KINDS = ["ssd1306", "sh1106"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_dot_costs_its_page_alone(kind):
    bus = OledBus(kind)
    device = open_oled(kind, bus)
    device.display(dot(5, 9))
    before = bus.sent_bytes
    device.display(dot(6, 9))
    assert bus.sent_bytes - before < 128 + 8
    before = bus.sent_bytes
    device.display(dot(6, 9))
    assert bus.sent_bytes == before


@pytest.mark.parametrize("kind", KINDS)
def test_upside_down_turns_the_picture(kind):
    bus = OledBus(kind)
    open_oled(kind, bus, upside_down=True).display(dot(0, 0))
    assert bus.picture().getbbox() == (127, 63, 128, 64)


def test_a_page_whose_sending_failed_is_sent_again():
    wires = Wires()
    device = open_oled("ssd1306", wires)
    wires.there = False
    with pytest.raises(DeviceNotFoundError):
        device.display(dot(0, 0))
    wires.there = True
    device.display(dot(0, 0))
    assert wires.bus.picture().getbbox() == (0, 0, 1, 1)


def test_pages_are_read_from_the_top():
    assert [page for page, row in enumerate(page_bytes(dot(127, 63))) if any(row)] == [7]


def test_a_panel_that_does_not_answer_is_told_with_what_to_check():
    wires = Wires()
    wires.there = False
    with pytest.raises(UrpiError, match="check its four wires"):
        open_oled("ssd1306", wires)


def test_there_is_no_other_controller():
    with pytest.raises(UrpiError, match="there are ssd1306, sh1106"):
        open_oled("st7735", OledBus())


def test_a_bus_that_is_not_there_is_named():
    with pytest.raises(UrpiError, match=r"/dev/i2c-199 cannot be opened"):
        i2c_bus(199, 0x3C)
