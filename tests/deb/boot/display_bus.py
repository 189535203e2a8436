"""The display at the Pi's I2C bus, from the trace that QEMU writes of every byte.

QEMU has no SSD1306, but an EEPROM at the display's address acknowledges the same bytes. The picture
is derived from them by the simulation's display.
"""

import re
from dataclasses import dataclass
from typing import Final

from PIL import Image

from tests.kernel.panel import ADDRESS, feed
from urpi.hardware.oled_bus import OledBus

TRACED: Final = ("i2c_event", "i2c_send")
"""QEMU's names of the begin and end of a transfer, and of each byte written."""
_LINE: Final = re.compile(
    r"\d+@(?P<t_s>[\d.]+):i2c_(?:event|send) (?P<what>\w+)\(addr:0x(?P<address>\w+)\)"
    r"(?: data:0x(?P<byte>\w+))?"
)


@dataclass(frozen=True)
class Transfer:
    """Bytes written to the display, and the host's time of the end in seconds since 1970."""

    t_s: float
    data: bytes


class TracedDisplay:
    """A display that receives what a trace contains.

    Args:
        awaited: The picture to wait for.
    """

    def __init__(self, awaited: Image.Image) -> None:
        self._awaited = awaited.tobytes()
        self._bus = OledBus("ssd1306")
        self._line, self._data = "", bytearray()
        self.transfers: list[Transfer] = []
        self.shown_after = 0
        """Number of transfers after which the awaited picture was shown first, 0 if it was not."""
        self.picture = self._bus.picture()
        """The picture when it was shown, until then the current one."""

    def read(self, trace: str) -> None:
        """Process the next part of the trace, which may end within a line."""
        *lines, self._line = f"{self._line}{trace}".split("\n")
        for line in lines:
            found = _LINE.match(line)
            if found is not None and int(found["address"], 16) == ADDRESS:
                self._read(found)

    def _read(self, event: re.Match[str]) -> None:
        if event["what"] == "send":
            self._data.append(int(event["byte"], 16))
        elif self._data:
            self._receive(Transfer(float(event["t_s"]), bytes(self._data)))
            self._data.clear()

    def _receive(self, transfer: Transfer) -> None:
        self.transfers.append(transfer)
        feed(self._bus, transfer.data)
        if not self.shown_after:
            self.picture = self._bus.picture()
            if self.picture.tobytes() == self._awaited:
                self.shown_after = len(self.transfers)
