import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw

from tests.devices.panel import Wires, dot
from urpi.devices.oled import i2c_bus, open_oled, page_bytes
from urpi.errors import UrpiError
from urpi.table.oled_bus import OledBus

KINDS = ["ssd1306", "sh1106"]


BYTE_US = 9 / 0.4
"""A byte and its acknowledgement at 400 kHz."""


class BusyWires(OledBus):
    """A bus that counts how long it would be busy at 400 kHz."""

    busy_us = 0.0

    def command(self, *cmd):
        self.busy_us += (len(cmd) + 2) * BYTE_US
        super().command(*cmd)

    def data(self, data):
        self.busy_us += (len(data) + 2) * BYTE_US
        super().data(data)


def busy_us(kind, before, after):
    """How long the bus is busy when one picture follows the other."""
    bus = BusyWires(kind)
    device = open_oled(kind, bus)
    device.display(before)
    so_far = bus.busy_us
    device.display(after)
    assert bus.picture().tobytes() == after.tobytes()
    return bus.busy_us - so_far


def noise(*box):
    """Every column of that part is lit somewhere."""
    picture = Image.new("1", (128, 64))
    ImageDraw.Draw(picture).rectangle(box, fill=1)
    return picture


BLANK = noise(200, 200, 200, 200)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("before", "after", "most_us"),
    [
        pytest.param(dot(5, 9), dot(5, 9), 0, id="the same picture costs nothing"),
        pytest.param(dot(5, 9), dot(6, 9), 400, id="a dot costs its columns alone"),
        pytest.param(BLANK, noise(0, 20, 99, 30), 5000, id="a line of text"),
        pytest.param(BLANK, noise(0, 0, 127, 63), 25_000, id="a full frame"),
    ],
)
def test_only_what_changed_goes_over_the_bus(kind, before, after, most_us):
    assert busy_us(kind, before, after) <= most_us


def test_a_line_of_two_pages_over_the_whole_width_is_one_window():
    assert busy_us("ssd1306", BLANK, noise(0, 20, 127, 30)) < 6000


PICTURES = st.lists(st.tuples(*(st.integers(0, most) for most in (127, 63, 127, 63))), max_size=4)


def drawn(lines):
    picture = Image.new("1", (128, 64))
    for line in lines:
        ImageDraw.Draw(picture).line(line, fill=1)
    return picture


@pytest.mark.parametrize("kind", KINDS)
@given(first=PICTURES, second=PICTURES)
def test_whatever_was_shown_the_glass_shows_the_newest_picture(kind, first, second):
    busy_us(kind, drawn(first), drawn(second))


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


def tables_of_luma():
    """How many of luma's devices are alive with their tables, 300 KiB each."""
    return sum(1 for found in gc.get_objects() if isinstance(found, ssd1306) and vars(found))


class Torn(Wires):
    """Wires that are pulled when the panel has just been set up half."""

    def data(self, _data):
        self.there = False
        self._check()


@pytest.mark.parametrize("torn", [False, True], ids=["never there", "pulled as it is set up"])
def test_a_panel_that_does_not_answer_leaves_no_bus_open_and_no_device_behind(torn):
    before, wires = tables_of_luma(), Torn() if torn else Wires()
    wires.there = torn
    with pytest.raises(UrpiError):
        open_oled("ssd1306", wires)
    assert wires.given_back == 1
    assert tables_of_luma() == before


def test_a_panel_that_was_let_go_leaves_no_bus_open_and_no_device_behind():
    before, wires = tables_of_luma(), Wires()
    device = open_oled("ssd1306", wires)
    assert tables_of_luma() == before + 1
    wires.there = False
    device.release()
    assert wires.given_back == 1
    assert tables_of_luma() == before


def test_there_is_no_other_controller():
    with pytest.raises(UrpiError, match="there are ssd1306, sh1106"):
        open_oled("st7735", OledBus())


def test_a_bus_that_is_not_there_is_named():
    with pytest.raises(UrpiError, match=r"/dev/i2c-199 cannot be opened"):
        i2c_bus(199, 0x3C)
