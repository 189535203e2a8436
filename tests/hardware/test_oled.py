import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw

from tests.hardware.panel import Wires, dot
from urpi.core.errors import UrpiError
from urpi.hardware.oled import changed_windows, i2c_bus, open_oled, page_bytes
from urpi.hardware.oled_bus import OledBus

KINDS = ["ssd1306", "ssd1309", "sh1106"]
COLUMNS = st.sets(st.integers(0, 127), min_size=1, max_size=5)


BYTE_US = 9 / 0.4
"""A byte and its acknowledgement at 400 kHz."""


class BusyWires(OledBus):
    """A bus that adds up the time that its transfers take at 400 kHz."""

    busy_us = 0.0

    def command(self, *cmd):
        self.busy_us += (len(cmd) + 2) * BYTE_US
        super().command(*cmd)

    def data(self, data):
        self.busy_us += (len(data) + 2) * BYTE_US
        super().data(data)


def busy_us(kind, before, after):
    """Return how long the bus is busy when one picture follows the other, in microseconds."""
    bus = BusyWires(kind)
    device = open_oled(kind, bus)
    device.display(before)
    busy_before = bus.busy_us
    device.display(after)
    assert bus.picture().tobytes() == after.tobytes()
    return bus.busy_us - busy_before


def filled(*box):
    """Return a picture with a filled rectangle."""
    picture = Image.new("1", (128, 64))
    ImageDraw.Draw(picture).rectangle(box, fill=1)
    return picture


BLANK = filled(200, 200, 200, 200)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("before", "after", "most_us"),
    [
        pytest.param(dot(5, 9), dot(5, 9), 0, id="the same picture"),
        pytest.param(dot(5, 9), dot(6, 9), 400, id="two columns"),
        pytest.param(BLANK, filled(0, 20, 99, 30), 5000, id="a line of text"),
        pytest.param(BLANK, filled(0, 0, 127, 63), 25_000, id="a full frame"),
    ],
)
def test_display_sends_only_changed_columns(kind, before, after, most_us):
    assert busy_us(kind, before, after) <= most_us


@given(COLUMNS, COLUMNS, st.integers(1, 7))
def test_two_changed_pages_are_sent_in_the_way_that_takes_fewer_bytes(one, other, distance):
    shown = [bytes(128)] * 8
    wanted = list(shown)
    for page, columns in ((0, one), (distance, other)):
        wanted[page] = bytes(n in columns for n in range(128))
    together = (distance + 1) * (max(*one, *other) - min(*one, *other) + 1)
    # Another window takes ten bytes more.
    apart = max(one) - min(one) + 1 + max(other) - min(other) + 1 + 10
    found = changed_windows(shown, wanted, tall=True)
    assert len(found) == (1 if together <= apart else 2)


def test_adjacent_pages_are_sent_as_one_window():
    assert busy_us("ssd1306", BLANK, filled(0, 20, 127, 30)) < 6000


PICTURES = st.lists(st.tuples(*(st.integers(0, most) for most in (127, 63, 127, 63))), max_size=4)


def drawn(lines):
    picture = Image.new("1", (128, 64))
    for line in lines:
        ImageDraw.Draw(picture).line(line, fill=1)
    return picture


@pytest.mark.parametrize("kind", KINDS)
@given(first=PICTURES, second=PICTURES)
def test_panel_shows_the_newest_picture(kind, first, second):
    busy_us(kind, drawn(first), drawn(second))


@pytest.mark.parametrize("kind", KINDS)
def test_upside_down_rotates_the_picture(kind):
    bus = OledBus(kind)
    open_oled(kind, bus, upside_down=True).display(dot(0, 0))
    assert bus.picture().getbbox() == (127, 63, 128, 64)


def test_page_is_sent_again_after_a_failed_transfer():
    wires = Wires()
    device = open_oled("ssd1306", wires)
    wires.connected = False
    with pytest.raises(DeviceNotFoundError):
        device.display(dot(0, 0))
    wires.connected = True
    device.display(dot(0, 0))
    assert wires.bus.picture().getbbox() == (0, 0, 1, 1)


def test_pages_are_ordered_from_the_top():
    assert [page for page, row in enumerate(page_bytes(dot(127, 63))) if any(row)] == [7]


def test_error_for_a_missing_panel_names_what_to_check():
    wires = Wires()
    wires.connected = False
    with pytest.raises(UrpiError, match="check its four wires"):
        open_oled("ssd1306", wires)


def luma_devices():
    """Return the number of luma's devices in memory with their tables of 300 KiB."""
    return sum(1 for found in gc.get_objects() if isinstance(found, ssd1306) and vars(found))


class DisconnectedDuringSetUp(Wires):
    """Wires that are disconnected while the panel is set up."""

    def data(self, _data):
        self.connected = False
        self._check()


@pytest.mark.parametrize(
    "during_set_up", [False, True], ids=["never connected", "disconnected during set-up"]
)
def test_missing_panel_leaves_no_open_bus_or_device(during_set_up):
    before, wires = luma_devices(), DisconnectedDuringSetUp() if during_set_up else Wires()
    wires.connected = during_set_up
    with pytest.raises(UrpiError):
        open_oled("ssd1306", wires)
    assert wires.closed == 1
    assert luma_devices() == before


def test_release_leaves_no_open_bus_or_device():
    before, wires = luma_devices(), Wires()
    device = open_oled("ssd1306", wires)
    assert luma_devices() == before + 1
    wires.connected = False
    device.release()
    assert wires.closed == 1
    assert luma_devices() == before


def test_unknown_controller_is_rejected():
    with pytest.raises(UrpiError, match="choose one of ssd1306, ssd1309, sh1106"):
        open_oled("st7735", OledBus())


def test_missing_bus_is_named():
    with pytest.raises(UrpiError, match=r"/dev/i2c-199 cannot be opened"):
        i2c_bus(199, 0x3C)
