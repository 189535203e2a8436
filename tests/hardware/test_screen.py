from queue import Queue
from threading import Event

import pytest
from PIL import Image

from tests.hardware.panel import BLANK, DEADLINE_S, SIZE, Wires, dot
from tests.waiting import wait_until
from urpi.core.errors import UrpiError
from urpi.hardware.oled import DEVICES, open_oled
from urpi.hardware.oled_bus import OledBus
from urpi.hardware.outputs.oled import PROBE_S, RENEW_S
from urpi.hardware.screen import Screen, ScreenSaver


def test_only_the_newest_picture_is_sent():
    wires = Wires()
    screen = Screen(lambda: open_oled("ssd1306", wires))
    screen.show(BLANK)
    flush(screen)
    wires.sent.clear()
    wires.free.clear()
    screen.show(dot(0, 0))
    assert wires.sent.wait(DEADLINE_S)
    windows = []
    for x in range(1, 30):
        screen.show(dot(x, 63))
    forward = wires.bus.data
    last = Event()

    def data(sent):
        windows.append(bytes(sent))
        forward(sent)
        if wires.bus.picture().getpixel((29, 63)):
            last.set()

    wires.bus.data = data
    wires.free.set()
    assert last.wait(DEADLINE_S)
    assert wires.bus.picture().getbbox() == (29, 63, 30, 64)
    # The first dot, the same column cleared, and the last dot.
    assert [len(sent) for sent in windows] == [1, 1, 1]
    screen.close()


def test_close_switches_the_panel_off():
    bus = OledBus()
    screen = Screen(lambda: open_oled("ssd1306", bus))
    screen.show(dot(3, 3))
    screen.close()
    assert not bus.lit


def test_dim_sets_the_contrast():
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


def test_disconnected_panel_is_reported_once_and_then_shows_the_newest_picture():
    wires = Wires()
    faults = Queue()

    def reopen():
        # A panel that lost its power has none of its settings.
        wires.bus = OledBus("ssd1306")
        return open_oled("ssd1306", wires)

    screen = Screen(reopen, on_fault=faults.put, retry_s=0.01)
    screen.show(dot(0, 0))
    flush(screen)
    wires.connected = False
    screen.show(dot(1, 1))
    assert "does not respond" in str(faults.get(timeout=DEADLINE_S))
    screen.show(dot(2, 2))
    wires.connected = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()
    assert faults.empty()


def test_repeated_reconnection_leaves_no_open_bus():
    opened, faults = [], Queue()

    def reopen():
        opened.append(Wires())
        return open_oled("ssd1306", opened[-1])

    screen = Screen(reopen, on_fault=faults.put, retry_s=0.01)
    for _ in range(5):
        screen.show(dot(0, 0))
        flush(screen)
        opened[-1].connected = False
        screen.show(dot(1, 1))
        assert faults.get(timeout=DEADLINE_S) is not None
        assert faults.get(timeout=DEADLINE_S) is None
    screen.close()
    assert [wires.closed for wires in opened] == [1] * len(opened)


def test_late_panel_shows_the_picture_drawn_before():
    wires, faults = Wires(), Queue()
    wires.connected = False
    screen = Screen(lambda: open_oled("ssd1306", wires), on_fault=faults.put, retry_s=0.01)
    screen.show(dot(4, 4))
    assert "does not respond" in str(faults.get(timeout=DEADLINE_S))
    wires.connected = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (4, 4, 5, 5)
    screen.close()


def test_close_without_a_panel():
    wires = Wires()
    screen = Screen(lambda: open_oled("ssd1306", wires))
    wires.connected = False
    screen.close()


@pytest.mark.parametrize("image", [Image.new("1", (64, 64)), Image.new("L", SIZE)])
def test_invalid_picture_is_rejected(image):
    screen = Screen(lambda: open_oled("ssd1306", OledBus()))
    with pytest.raises(UrpiError, match="128 x 64 in mode 1"):
        screen.show(image)
    screen.close()


def test_contrast_out_of_range_is_rejected():
    screen = Screen(lambda: open_oled("ssd1306", OledBus()))
    with pytest.raises(UrpiError, match="0 to 255; found 256"):
        screen.dim(256)
    screen.close()


class Panel:
    """A panel that records the commands other than pictures."""

    def __init__(self):
        self.bus = OledBus()
        self.device = open_oled("ssd1306", self.bus)
        self.commands = Queue()
        for name in ("contrast", "hide", "show", "command"):
            setattr(self.device, name, self._recording(name, getattr(self.device, name)))

    def _recording(self, name, forward):
        def record(*arguments):
            forward(*arguments)
            if name != "command" or arguments == (0xE3,):
                self.commands.put((name, *arguments))

        return record

    def next(self):
        return self.commands.get(timeout=DEADLINE_S)


CHECKERED = Image.frombytes("1", SIZE, bytes([0xAA, 0x0F] * 512))


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


def flush(screen):
    assert screen.flush(DEADLINE_S)


def test_idle_panel_is_dimmed_then_dark_until_wake():
    panel, clock = Panel(), Clock()
    # The screen probes every 2 ms of real time, so that it soon notices each change of the clock.
    screen = Screen(
        lambda: panel.device, probe_s=0.002, saver=ScreenSaver(1000, 5000, 0), clock=clock
    )
    screen.dim(200)
    screen.show(dot(3, 3))
    flush(screen)
    seen = []

    def until(wanted):
        while not seen or seen[-1] != wanted:
            command = panel.next()
            if command[0] in {"contrast", "hide", "show"}:
                seen.append(command)

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


def test_only_a_different_picture_wakes_a_dark_panel():
    panel, clock = Panel(), Clock()
    screen = Screen(lambda: panel.device, saver=ScreenSaver(0, 1000, 0), clock=clock)
    screen.show(dot(1, 1))
    flush(screen)
    clock.now = 2000
    screen.show(dot(1, 1))
    flush(screen)
    assert not panel.bus.lit
    screen.show(dot(2, 2))
    flush(screen)
    assert panel.bus.lit
    assert panel.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()


def test_dimmed_picture_is_shifted():
    panel, clock = Panel(), Clock()
    screen = Screen(lambda: panel.device, saver=ScreenSaver(1000, 0, 1000), clock=clock)
    boxes = []
    screen.show(dot(9, 9))
    for clock.now in (0, 1000, 2000, 3000):
        screen.dim(128)
        flush(screen)
        boxes.append(panel.bus.picture().getbbox()[:2])
    assert boxes == [(9, 9), (9, 9), (10, 9), (10, 10)]
    screen.close()


def test_panel_is_set_up_again_after_a_failed_probe():
    wires, faults = Wires(), Queue()

    def reopen():
        wires.bus = OledBus("ssd1306")
        return open_oled("ssd1306", wires)

    screen = Screen(reopen, on_fault=faults.put, retry_s=0.01, probe_s=0.01)
    screen.show(dot(2, 2))
    flush(screen)
    wires.connected = False
    assert "does not respond" in str(faults.get(timeout=DEADLINE_S))
    wires.connected = True
    assert faults.get(timeout=DEADLINE_S) is None
    assert wires.bus.picture().getbbox() == (2, 2, 3, 3)
    screen.close()


@pytest.mark.parametrize("kind", DEVICES)
@pytest.mark.parametrize("brightness", ["bright", "dim", "dark"])
def test_a_panel_that_was_without_power_between_two_checks_shows_its_picture_again(
    kind: str, brightness: str
) -> None:
    bus, clock, faults = OledBus(kind), Clock(), Queue()
    screen = Screen(
        lambda: open_oled(kind, bus),
        probe_s=0.002,
        renew_s=10,
        saver=ScreenSaver(100_000, 200_000, 0),
        on_fault=faults.put,
        clock=clock,
    )
    screen.dim(200)
    screen.show(CHECKERED)
    flush(screen)
    clock.now = {"bright": 9_999, "dim": 150_000, "dark": 250_000}[brightness]
    contrast = {"bright": 200, "dim": 1, "dark": None}[brightness]

    def is_reached():
        if contrast is None:
            return not bus.lit
        return bus.contrast == contrast and bus.picture() == CHECKERED

    wait_until(is_reached, brightness)
    bus.lose_power()
    assert not bus.lit
    clock.now += 10_000
    wait_until(is_reached, f"{brightness} again")
    screen.wake()
    wait_until(lambda: bus.picture() == CHECKERED and bus.contrast == 200, "bright again")
    screen.close()
    assert faults.empty()


@pytest.mark.parametrize("kind", DEVICES)
def test_setting_a_panel_up_again_takes_at_most_a_hundredth_of_the_slowest_bus(kind: str) -> None:
    wires = Wires(kind)
    lengths = []

    def command(*codes):
        lengths.append(len(codes))
        send_codes(*codes)

    def data(sent):
        lengths.append(len(sent))
        send_data(sent)

    device = open_oled(kind, wires)
    device.display(CHECKERED)
    send_codes, send_data = wires.bus.command, wires.bus.data
    wires.bus.command, wires.bus.data = command, data
    device.renew()
    device.display(CHECKERED)
    device.contrast(3)
    device.show()
    # Besides: the address and a control byte, nine clocks each, a start and a stop.
    clocks = sum(9 * (2 + length) + 2 for length in lengths)
    assert clocks > 9 * 1024
    busy_s = clocks / 100_000
    # The checks of an idle panel begin after the transfer, and the last one of ten seconds renews.
    assert RENEW_S % PROBE_S == 0
    assert busy_s / (RENEW_S + busy_s) <= 0.01
    assert wires.bus.picture() == CHECKERED


@pytest.mark.parametrize("kind", DEVICES)
def test_setting_a_panel_up_again_leaves_it_lit(kind: str) -> None:
    wires = Wires(kind)
    device = open_oled(kind, wires)
    device.display(CHECKERED)
    forward, seen = wires.bus.command, []

    def command(*codes):
        forward(*codes)
        seen.append((wires.bus.lit, wires.bus.picture() == CHECKERED))

    wires.bus.command = command
    device.renew()
    assert seen
    assert set(seen) == {(True, True)}
