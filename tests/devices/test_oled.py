from queue import Queue
from threading import Event

import pytest
from luma.core.error import DeviceNotFoundError
from PIL import Image

from urpi.devices.oled import Screen, i2c_bus, open_oled, page_bytes
from urpi.errors import UrpiError
from urpi.table.oled_bus import OledBus

SIZE = (128, 64)
DEADLINE_S = 10
KINDS = ["ssd1306", "sh1106"]
BLANK = Image.new("1", SIZE)


def dot(x, y):
    image = BLANK.copy()
    image.putpixel((x, y), 1)
    return image


class Wires:
    """A bus with a panel whose wires can be pulled, and an end that waits for pictures."""

    def __init__(self, kind="ssd1306"):
        self.bus = OledBus(kind)
        self.there = True
        self.sent = Event()
        self.free = Event()
        self.free.set()

    def command(self, *cmd):
        self._check()
        self.bus.command(*cmd)

    def data(self, data):
        self._check()
        self.sent.set()
        assert self.free.wait(DEADLINE_S)
        self.bus.data(data)

    def cleanup(self):
        self.bus.cleanup()

    def _check(self):
        if not self.there:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")


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


def test_the_newest_picture_is_shown_and_overtaken_ones_are_not():
    wires = Wires()
    screen = Screen(open_oled("ssd1306", wires))
    wires.sent.clear()
    wires.free.clear()
    screen.show(dot(0, 0))
    assert wires.sent.wait(DEADLINE_S)
    pages = []
    for x in range(1, 30):
        screen.show(dot(x, 63))
    obey = wires.bus.data
    last = Event()

    def data(sent):
        pages.append(bytes(sent))
        obey(sent)
        if sent[29]:
            last.set()

    wires.bus.data = data
    wires.free.set()
    assert last.wait(DEADLINE_S)
    assert wires.bus.picture().getbbox() == (29, 63, 30, 64)
    assert len(pages) == 3
    screen.close()


def test_closing_leaves_the_panel_dark():
    bus = OledBus()
    screen = Screen(open_oled("ssd1306", bus))
    screen.show(dot(3, 3))
    screen.close()
    assert not bus.lit


def test_dimming_reaches_the_panel():
    bus = OledBus()
    reached = Event()
    device = open_oled("ssd1306", bus)
    contrast = device.contrast

    def dim(level):
        contrast(level)
        reached.set()

    device.contrast = dim
    screen = Screen(device)
    screen.dim(7)
    assert reached.wait(DEADLINE_S)
    assert bus.contrast == 7
    screen.close()


def test_a_panel_that_is_pulled_out_is_told_once_and_comes_back_with_the_newest_picture():
    wires = Wires()
    faults = Queue()

    def reopen():
        # A panel that had no power knows nothing of what it was told before.
        wires.bus = OledBus("ssd1306")
        return open_oled("ssd1306", wires)

    device = open_oled("ssd1306", wires)
    screen = Screen(device, reopen=reopen, on_fault=faults.put, retry_s=0.01)
    wires.there = False
    screen.show(dot(1, 1))
    assert "does not answer" in str(faults.get(timeout=DEADLINE_S))
    screen.show(dot(2, 2))
    wires.there = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()
    assert faults.empty()


def test_closing_without_a_panel_is_no_error():
    wires = Wires()
    screen = Screen(open_oled("ssd1306", wires))
    wires.there = False
    screen.close()


@pytest.mark.parametrize("image", [Image.new("1", (64, 64)), Image.new("L", SIZE)])
def test_a_picture_of_another_kind_is_refused(image):
    screen = Screen(open_oled("ssd1306", OledBus()))
    with pytest.raises(UrpiError, match="128 x 64 in mode 1"):
        screen.show(image)
    screen.close()


def test_a_brightness_out_of_range_is_refused():
    screen = Screen(open_oled("ssd1306", OledBus()))
    with pytest.raises(UrpiError, match="0 to 255; found 256"):
        screen.dim(256)
    screen.close()


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
