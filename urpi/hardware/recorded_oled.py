"""The transfers on the I2C bus that let a panel show a picture, for a program without luma."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from urpi.hardware.oled import open_oled

_COMMAND: Final = 0x00
_DATA: Final = 0x40
"""The control byte that begins a transfer (SSD1306 data sheet, 8.1.5.2; SH1106's is the same)."""


class _Recorder:
    """A bus that keeps the bytes of each transfer."""

    def __init__(self) -> None:
        self.transfers: list[bytes] = []

    def command(self, *cmd: int) -> None:
        self.transfers.append(bytes((_COMMAND, *cmd)))

    def data(self, data: Sequence[int]) -> None:
        self.transfers.append(bytes((_DATA, *data)))

    def cleanup(self) -> None:
        pass


def transfers_for(kind: str, image: Image.Image) -> tuple[bytes, ...]:
    """Return the bytes of each transfer that sets up a panel and shows a picture on it.

    Args:
        kind: The controller's name, one of `urpi.hardware.oled.DEVICES`.
        image: 128 x 64 pixels in mode ``1``.

    Raises:
        UrpiError: If there is no such controller.
    """
    bus = _Recorder()
    panel = open_oled(kind, bus)
    panel.display(image)
    panel.release()
    return tuple(bus.transfers)
