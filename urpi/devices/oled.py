"""The OLED: luma's drivers, sending only the pages that changed.

Owns the panel and its bus. What is shown is the views' (`urpi.views`), when is the screen's
(`urpi.devices.screen`).
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from urpi.errors import UrpiError

SIZE: Final = (128, 64)
PAGES: Final = SIZE[1] // 8
DEVICE_ERRORS: Final = (OSError, LumaError)
"""What a panel that does not answer raises, luma's and the bus's."""
_COLUMNS_OF_SH1106: Final = 2
"""Its RAM is 132 wide, and the glass begins at the third column."""


def page_bytes(image: Image.Image) -> Iterator[bytes]:
    r"""The panel's pages, top to bottom: a byte is eight pixels, the lowest bit on top.

    >>> image = Image.new("1", SIZE)
    >>> image.putpixel((0, 1), 1)
    >>> next(page_bytes(image))[:2]
    b'\x02\x00'
    """
    # Turned clockwise, a column is a row that begins with its lowest pixel, as Pillow packs it.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return (columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


class _ChangedPages:
    """A panel that is sent the pages that differ from what it has; mixed into luma's drivers.

    A full frame is 1 KiB, 23 ms at 400 kHz and 90 ms at 100 kHz, and luma's own `display`
    needs `Image.getdata`, which Pillow 14 drops.
    """

    preprocess: Callable[[Image.Image], Image.Image]
    command: Callable[..., None]
    data: Callable[[list[int]], None]

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        # Before luma's own, which clears the panel.
        self._shown: list[bytes] = [b""] * PAGES
        super().__init__(*arguments, **settings)

    def display(self, image: Image.Image) -> None:
        """Send what changed; a page whose sending fails counts as unknown."""
        for page, row in enumerate(page_bytes(self.preprocess(image))):
            if row != self._shown[page]:
                self._shown[page] = b""
                self._seek(page)
                self.data(list(row))
                self._shown[page] = row

    def _seek(self, page: int) -> None:
        raise NotImplementedError


class _Ssd1306(_ChangedPages, ssd1306):  # type: ignore[misc]
    def _seek(self, page: int) -> None:
        self.command(self._const.COLUMNADDR, 0, SIZE[0] - 1, self._const.PAGEADDR, page, page)


class _Sh1106(_ChangedPages, sh1106):  # type: ignore[misc]
    def _seek(self, page: int) -> None:
        self.command(0xB0 + page, self._const.SETLOWCOLUMN + _COLUMNS_OF_SH1106, 0x10)


Device: TypeAlias = Any
"""A luma device: `display`, `contrast`, `cleanup`."""

DEVICES: Final[Mapping[str, Callable[..., Device]]] = MappingProxyType(
    {"ssd1306": _Ssd1306, "sh1106": _Sh1106}
)
"""Every panel by its controller's name."""


def i2c_bus(port: int, address: int) -> Any:
    """Luma's interface to the panel at a 7-bit address of ``/dev/i2c-<port>``.

    Raises:
        UrpiError: when the bus cannot be opened.
    """
    try:
        return i2c(port=port, address=address)
    except DEVICE_ERRORS as error:
        message = (
            f"/dev/i2c-{port} cannot be opened: {error}; switch I2C on (raspi-config) and put the"
            " user into the group i2c."
        )
        raise UrpiError(message) from error


def open_oled(kind: str, bus: Any, *, upside_down: bool = False) -> Device:
    """The panel on a bus (luma's interface, or the table's `OledBus`), cleared and switched on.

    Raises:
        UrpiError: when there is no such kind, or no panel answers.
    """
    if kind not in DEVICES:
        message = f"There is no OLED controller {kind!r}; there are {', '.join(DEVICES)}."
        raise UrpiError(message)
    try:
        return DEVICES[kind](bus, rotate=2 if upside_down else 0)
    except DEVICE_ERRORS as error:
        raise no_answer(error) from error


def no_answer(error: Exception) -> UrpiError:
    """What to say of a panel that does not answer, and what to check."""
    return UrpiError(
        f"The OLED does not answer: {error}; check its four wires, and its address with i2cdetect."
    )
