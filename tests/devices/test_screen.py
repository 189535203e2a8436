from queue import Queue
from threading import Event

import pytest
from PIL import Image

from tests.devices.panel import BLANK, DEADLINE_S, SIZE, Wires, dot
from urpi.devices.oled import open_oled
from urpi.devices.screen import Screen, ScreenSaver
from urpi.errors import UrpiError
from urpi.table.oled_bus import OledBus


def test_the_newest_picture_is_shown_and_overtaken_ones_are_not():
    wires = Wires()
    screen = Screen(lambda: open_oled("ssd1306", wires))
    screen.show(BLANK)
    settle(screen)
    wires.sent.clear()
    wires.free.clear()
    screen.show(dot(0, 0))
    assert wires.sent.wait(DEADLINE_S)
    windows = []
    for x in range(1, 30):
        screen.show(dot(x, 63))
    obey = wires.bus.data
    last = Event()

    def data(sent):
        windows.append(bytes(sent))
        obey(sent)
        if wires.bus.picture().getpixel((29, 63)):
            last.set()

    wires.bus.data = data
    wires.free.set()
    assert last.wait(DEADLINE_S)
    assert wires.bus.picture().getbbox() == (29, 63, 30, 64)
    # The first dot, its place dark again, and the last one.
    assert [len(sent) for sent in windows] == [1, 1, 1]
    screen.close()


def test_closing_leaves_the_panel_dark():
    bus = OledBus()
    screen = Screen(lambda: open_oled("ssd1306", bus))
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
    screen = Screen(lambda: device)
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

    screen = Screen(reopen, on_fault=faults.put, retry_s=0.01)
    screen.show(dot(0, 0))
    settle(screen)
    wires.there = False
    screen.show(dot(1, 1))
    assert "does not answer" in str(faults.get(timeout=DEADLINE_S))
    screen.show(dot(2, 2))
    wires.there = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()
    assert faults.empty()


def test_a_panel_that_is_pulled_and_plugged_again_and_again_leaves_no_bus_open():
    opened, faults = [], Queue()

    def reopen():
        opened.append(Wires())
        return open_oled("ssd1306", opened[-1])

    screen = Screen(reopen, on_fault=faults.put, retry_s=0.01)
    for _ in range(5):
        screen.show(dot(0, 0))
        settle(screen)
        opened[-1].there = False
        screen.show(dot(1, 1))
        assert faults.get(timeout=DEADLINE_S) is not None
        assert faults.get(timeout=DEADLINE_S) is None
    screen.close()
    assert [wires.given_back for wires in opened] == [1] * len(opened)


def test_a_panel_that_comes_late_shows_what_was_drawn_before():
    wires, faults = Wires(), Queue()
    wires.there = False
    screen = Screen(lambda: open_oled("ssd1306", wires), on_fault=faults.put, retry_s=0.01)
    screen.show(dot(4, 4))
    assert "does not answer" in str(faults.get(timeout=DEADLINE_S))
    wires.there = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (4, 4, 5, 5)
    screen.close()


def test_closing_without_a_panel_is_no_error():
    wires = Wires()
    screen = Screen(lambda: open_oled("ssd1306", wires))
    wires.there = False
    screen.close()


@pytest.mark.parametrize("image", [Image.new("1", (64, 64)), Image.new("L", SIZE)])
def test_a_picture_of_another_kind_is_refused(image):
    screen = Screen(lambda: open_oled("ssd1306", OledBus()))
    with pytest.raises(UrpiError, match="128 x 64 in mode 1"):
        screen.show(image)
    screen.close()


def test_a_brightness_out_of_range_is_refused():
    screen = Screen(lambda: open_oled("ssd1306", OledBus()))
    with pytest.raises(UrpiError, match="0 to 255; found 256"):
        screen.dim(256)
    screen.close()


class Panel:
    """A panel that tells what it was told besides pictures."""

    def __init__(self):
        self.bus = OledBus()
        self.device = open_oled("ssd1306", self.bus)
        self.told = Queue()
        for name in ("contrast", "hide", "show", "command"):
            setattr(self.device, name, self._telling(name, getattr(self.device, name)))

    def _telling(self, name, obey):
        def tell(*arguments):
            obey(*arguments)
            if name != "command" or arguments == (0xE3,):
                self.told.put((name, *arguments))

        return tell

    def next(self):
        return self.told.get(timeout=DEADLINE_S)


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def settle(screen):
    assert screen.flush(DEADLINE_S)


def test_a_panel_that_nobody_looks_at_is_dimmed_and_then_dark_and_woken_by_a_touch():
    panel, clock = Panel(), Clock()
    # Real time runs so fast that every look of the rest is due at once; the clock decides.
    screen = Screen(
        lambda: panel.device, probe_s=0.002, saver=ScreenSaver(1000, 5000, 0), clock=clock
    )
    screen.dim(200)
    screen.show(dot(3, 3))
    settle(screen)
    seen = []

    def until(wanted):
        while not seen or seen[-1] != wanted:
            told = panel.next()
            if told[0] in {"contrast", "hide", "show"}:
                seen.append(told)

    until(("show",))
    clock.now = 1000
    until(("contrast", 1))
    clock.now = 5000
    until(("hide",))
    assert not panel.bus.lit
    screen.wake()
    until(("show",))
    assert seen[-2:] == [("contrast", 200), ("show",)]
    assert panel.bus.picture().getbbox() == (3, 3, 4, 4)
    screen.close()


def test_another_picture_wakes_a_dark_panel_and_the_same_one_does_not():
    panel, clock = Panel(), Clock()
    screen = Screen(lambda: panel.device, saver=ScreenSaver(0, 1000, 0), clock=clock)
    screen.show(dot(1, 1))
    settle(screen)
    clock.now = 2000
    screen.show(dot(1, 1))
    settle(screen)
    assert not panel.bus.lit
    screen.show(dot(2, 2))
    settle(screen)
    assert panel.bus.lit
    assert panel.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()


def test_a_dimmed_picture_moves_on_so_that_no_pixel_stays_lit():
    panel, clock = Panel(), Clock()
    screen = Screen(lambda: panel.device, saver=ScreenSaver(1000, 0, 1000), clock=clock)
    boxes = []
    screen.show(dot(9, 9))
    for clock.now in (0, 1000, 2000, 3000):
        screen.dim(128)
        settle(screen)
        boxes.append(panel.bus.picture().getbbox()[:2])
    assert boxes == [(9, 9), (9, 9), (10, 9), (10, 10)]
    screen.close()


def test_a_panel_that_was_out_while_nothing_changed_is_set_up_again():
    wires, faults = Wires(), Queue()

    def reopen():
        wires.bus = OledBus("ssd1306")
        return open_oled("ssd1306", wires)

    screen = Screen(reopen, on_fault=faults.put, retry_s=0.01, probe_s=0.01)
    screen.show(dot(2, 2))
    settle(screen)
    wires.there = False
    assert "does not answer" in str(faults.get(timeout=DEADLINE_S))
    wires.there = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()
