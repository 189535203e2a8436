"""A panel at the end of wires that can be pulled, and pictures of one dot."""

from threading import Event

from luma.core.error import DeviceNotFoundError
from PIL import Image

from urpi.table.oled_bus import OledBus

SIZE = (128, 64)
DEADLINE_S = 10
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
        self.given_back = 0
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
        self.given_back += 1
        self.bus.cleanup()

    def _check(self):
        if not self.there:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C")
