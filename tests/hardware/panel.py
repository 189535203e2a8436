"""A panel on wires that can be disconnected, and pictures of one dot."""

from threading import Event

from luma.core.error import DeviceNotFoundError
from PIL import Image

from urpi.hardware.oled_bus import OledBus

SIZE = (128, 64)
DEADLINE_S = 240.0
BLANK = Image.new("1", SIZE)


def dot(x, y):
    image = BLANK.copy()
    image.putpixel((x, y), 1)
    return image


class Wires:
    """A bus with a panel that can be disconnected, and whose transfers can be paused.

    `connected` is whether the panel responds, `closed` counts the calls of `cleanup`, `sent` is
    set when data are sent, and data are accepted only while `free` is set.
    """

    def __init__(self, kind="ssd1306"):
        self.bus = OledBus(kind)
        self.connected = True
        self.closed = 0
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
        self.closed += 1
        self.bus.cleanup()

    def _check(self):
        if not self.connected:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")
