"""The OLED: luma's drivers, sending only what changed.

Owns the panel and its bus. What is shown is the views' (`urpi.views`), when is the screen's
(`urpi.devices.screen`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image

from urpi.errors import UrpiError

SIZE: Final = (128, 64)
PAGES: Final = SIZE[1] // 8
_WINDOW_COST: Final = 10
"""Bytes on the bus that begin a window, addresses and control bytes with them."""
DEVICE_ERRORS: Final = (OSError, LumaError)
"""What a panel that does not answer raises, luma's and the bus's."""
NOP: Final = 0xE3
"""Both controllers' command that does nothing."""
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


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the panel's RAM: pages and columns, the last ones included."""

    first_page: int
    last_page: int
    first: int
    last: int

    @property
    def bytes(self) -> int:
        """How much is sent to fill it."""
        return (self.last_page - self.first_page + 1) * (self.last - self.first + 1)

    def with_(self, other: "Window") -> "Window":
        """The smallest window that has both."""
        return Window(
            min(self.first_page, other.first_page),
            max(self.last_page, other.last_page),
            min(self.first, other.first),
            max(self.last, other.last),
        )


def changed_windows(
    shown: Sequence[bytes], wanted: Sequence[bytes], *, tall: bool
) -> tuple[Window, ...]:
    """What is to be sent to a panel that shows some pages, to make it show others.

    One of the pages shown that is not as long as the wanted one is not known. Only where
    windows may be `tall` do they span pages, and that when it is less to send.
    """
    found: list[Window] = []
    for page, (old, new) in enumerate(zip(shown, wanted, strict=True)):
        if old == new:
            continue
        one = Window(page, page, *_changed_columns(old, new))
        joined = found[-1].with_(one) if found and tall else one
        if found and tall and joined.bytes <= found[-1].bytes + one.bytes + _WINDOW_COST:
            found[-1] = joined
        else:
            found.append(one)
    return tuple(found)


def _changed_columns(old: bytes, new: bytes) -> tuple[int, int]:
    if len(old) != len(new):
        return 0, len(new) - 1
    changed = [column for column in range(len(new)) if old[column] != new[column]]
    return changed[0], changed[-1]


class _Changes:
    """A panel that is sent the bytes that differ from what it has; mixed into luma's drivers.

    A full frame is 1 KiB, 23 ms at 400 kHz and 90 ms at 100 kHz, and luma's own `display`
    needs `Image.getdata`, which Pillow 14 drops.
    """

    TALL = False
    """Whether a window can span pages."""
    preprocess: Callable[[Image.Image], Image.Image]
    command: Callable[..., None]
    data: Callable[[list[int]], None]
    _serial_interface: Any

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        # Before luma's own, which clears the panel.
        self._shown: list[bytes] = [b""] * PAGES
        try:
            super().__init__(*arguments, **settings)
        except DEVICE_ERRORS:
            vars(self).clear()
            raise

    def release(self) -> None:
        """Give the bus back, without a word to a panel that may not answer.

        Luma keeps every device until the program ends, to switch it off then, and each has 300
        KiB of tables: of this one nothing is to be left.
        """
        bus = self._serial_interface
        vars(self).clear()
        bus.cleanup()

    def display(self, image: Image.Image) -> None:
        """Send what changed; pages whose sending fails count as unknown."""
        wanted = list(page_bytes(self.preprocess(image)))
        for window in changed_windows(self._shown, wanted, tall=self.TALL):
            pages = slice(window.first_page, window.last_page + 1)
            rows = wanted[pages]
            self._shown[pages] = [b""] * len(rows)
            self._seek(window)
            self.data([byte for row in rows for byte in row[window.first : window.last + 1]])
            self._shown[pages] = rows

    def _seek(self, window: Window) -> None:
        raise NotImplementedError


class _Ssd1306(_Changes, ssd1306):  # type: ignore[misc]
    # It writes row by row into a window, as luma sets it up (SSD1306 10.1.3 to 10.1.5).
    TALL = True

    def _seek(self, window: Window) -> None:
        columns = self._const.COLUMNADDR, window.first, window.last
        self.command(*columns, self._const.PAGEADDR, window.first_page, window.last_page)


class _Sh1106(_Changes, sh1106):  # type: ignore[misc]
    def _seek(self, window: Window) -> None:
        column = window.first + _COLUMNS_OF_SH1106
        low, high = self._const.SETLOWCOLUMN, self._const.SETHIGHCOLUMN
        self.command(0xB0 + window.first_page, low + (column & 0xF), high + (column >> 4))


Device: TypeAlias = Any
"""A luma device: `display`, `contrast`, `cleanup`; and `release`."""

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

    The bus is the panel's from now on, and given back when none answers.

    Raises:
        UrpiError: when there is no such kind, or no panel answers.
    """
    if kind not in DEVICES:
        message = f"There is no OLED controller {kind!r}; there are {', '.join(DEVICES)}."
        raise UrpiError(message)
    try:
        # Asked first, because luma never forgets a device, not even one that did not answer.
        bus.command(NOP)
        return DEVICES[kind](bus, rotate=2 if upside_down else 0)
    except DEVICE_ERRORS as error:
        bus.cleanup()
        raise no_answer(error) from error


def no_answer(error: Exception) -> UrpiError:
    """What to say of a panel that does not answer, and what to check."""
    return UrpiError(
        f"The OLED does not answer: {error}; check its four wires, and its address with i2cdetect."
    )
