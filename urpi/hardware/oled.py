"""The OLED panel: luma's drivers, changed to send only the parts of a picture that differ.

The pictures are drawn by `urpi.show.views`, and `urpi.hardware.screen` decides when to send them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from urpi.core.errors import UrpiError

SIZE: Final = (128, 64)
PAGES: Final = SIZE[1] // 8
_WINDOW_COST: Final = 10
"""Bytes on the bus to begin a window, including address and control bytes."""
DEVICE_ERRORS: Final = (OSError, LumaError)
"""The exceptions raised if a panel does not respond, by luma or by the bus."""
NOP: Final = 0xE3
"""The command without effect, the same for all controllers."""
SH1106_COLUMN_OFFSET: Final = 2
"""The SH1106's RAM has 132 columns, of which most panels show 128 from the third."""
_COMMAND: Final = 0x00
_DATA: Final = 0x40
"""The control byte that begins a transfer (SSD1306 data sheet, 8.1.5.2; SH1106's is the same)."""


def page_bytes(image: Image.Image) -> Iterator[bytes]:
    r"""Return the panel's pages from top to bottom.

    A byte is a column of eight pixels, with the least significant bit on top.

    >>> image = Image.new("1", SIZE)
    >>> image.putpixel((0, 1), 1)
    >>> next(page_bytes(image))[:2]
    b'\x02\x00'
    """
    # Rotated clockwise, a column becomes a row that begins with its lowest pixel, and Pillow packs
    # the first pixel of a row into the most significant bit.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return (columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the panel's RAM in pages and columns, both ends included."""

    first_page: int
    last_page: int
    first: int
    last: int

    @property
    def bytes(self) -> int:
        """The number of bytes that fill the window.

        >>> Window(2, 3, 10, 14).bytes
        10
        """
        return (self.last_page - self.first_page + 1) * (self.last - self.first + 1)

    def with_(self, other: "Window") -> "Window":
        """Return the smallest window that contains both."""
        return Window(
            min(self.first_page, other.first_page),
            max(self.last_page, other.last_page),
            min(self.first, other.first),
            max(self.last, other.last),
        )


def changed_windows(
    shown: Sequence[bytes], drawn: Sequence[bytes], *, tall: bool
) -> tuple[Window, ...]:
    """Return the windows to send to a panel so that it shows other pages.

    Args:
        shown: The pages that the panel shows. A page of another length than the new one
            counts as unknown.
        drawn: The pages to show.
        tall: Whether a window can span several pages, which is used if it saves bytes.
    """
    found: list[Window] = []
    for page, (old, new) in enumerate(zip(shown, drawn, strict=True)):
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
    """A mixin for luma's drivers that sends only the bytes that differ from the panel's.

    A full frame of 1 KiB takes 23 ms at 400 kHz and 90 ms at 100 kHz. Besides, luma's own
    `display` needs `Image.getdata`, which Pillow 14 removes.
    """

    TALL = False
    """Whether a window can span pages."""
    preprocess: Callable[[Image.Image], Image.Image]
    data: Callable[[list[int]], None]
    _serial_interface: Any

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        # Before luma's constructor, which clears the panel by `display`.
        self._shown: list[bytes] = [b""] * PAGES
        self._setup: tuple[int, ...] = ()
        try:
            super().__init__(*arguments, **settings)
        except DEVICE_ERRORS:
            vars(self).clear()
            raise

    def release(self) -> None:
        """Close the bus without sending anything to the panel, which may not respond.

        luma keeps a reference to every device until the program exits, in order to switch it off
        then. As each has tables of 300 KiB, the object's attributes are deleted.
        """
        bus = self._serial_interface
        vars(self).clear()
        bus.cleanup()

    def command(self, *codes: int) -> None:
        """Send commands with their arguments."""
        # luma's first commands set up the controller, after they have switched the panel off.
        self._setup = self._setup or codes[1:]
        super().command(*codes)  # type: ignore[misc]

    def renew(self) -> None:
        """Send the controller's settings again, and let the next picture be sent as a whole.

        A panel that lost its power responds as before, but has forgotten them, and is off. One
        that did not keeps showing its picture meanwhile.
        """
        self._shown = [b""] * PAGES
        self.command(*self._setup)

    def display(self, image: Image.Image) -> None:
        """Send the changed parts of an image. Pages whose transfer fails count as unknown."""
        drawn = list(page_bytes(self.preprocess(image)))
        for window in changed_windows(self._shown, drawn, tall=self.TALL):
            pages = slice(window.first_page, window.last_page + 1)
            rows = drawn[pages]
            # Unknown until the transfer has succeeded: it can fail halfway.
            self._shown[pages] = [b""] * len(rows)
            self._seek(window)
            self.data([byte for row in rows for byte in row[window.first : window.last + 1]])
            self._shown[pages] = rows

    def _seek(self, window: Window) -> None:
        raise NotImplementedError


class _Windows(_Changes):
    # luma selects horizontal addressing, in which a window is written row by row (SSD1306 data
    # sheet, 10.1.3 to 10.1.5; SSD1309's is the same).
    TALL = True
    _const: Any

    def _seek(self, window: Window) -> None:
        columns = self._const.COLUMNADDR, window.first, window.last
        self.command(*columns, self._const.PAGEADDR, window.first_page, window.last_page)


class _Ssd1306(_Windows, ssd1306):  # type: ignore[misc]
    pass


class _Ssd1309(_Windows, ssd1309):  # type: ignore[misc]
    pass


class _Sh1106(_Changes, sh1106):  # type: ignore[misc]
    def __init__(self, *arguments: Any, column_offset: int, **settings: Any) -> None:
        # Before luma's constructor, which clears the panel.
        self._column_offset = column_offset
        super().__init__(*arguments, **settings)

    def _seek(self, window: Window) -> None:
        column = window.first + self._column_offset
        low, high = self._const.SETLOWCOLUMN, self._const.SETHIGHCOLUMN
        self.command(0xB0 + window.first_page, low + (column & 0xF), high + (column >> 4))


Device: TypeAlias = Any
"""A luma device with `display`, `contrast` and `cleanup`, and with `release` of `_Changes`."""

DEVICES: Final[Mapping[str, Callable[..., Device]]] = MappingProxyType(
    {"ssd1306": _Ssd1306, "ssd1309": _Ssd1309, "sh1106": _Sh1106}
)
"""The drivers by the controller's name."""


def i2c_bus(port: int, address: int) -> Any:
    """Return luma's interface to the panel at a 7-bit address of ``/dev/i2c-<port>``.

    Raises:
        UrpiError: If the bus cannot be opened.
    """
    try:
        return i2c(port=port, address=address)
    except DEVICE_ERRORS as error:
        message = (
            f"/dev/i2c-{port} cannot be opened: {error}; switch I2C on (raspi-config) and put the"
            " user into the group i2c."
        )
        raise UrpiError(message) from error


def open_oled(
    kind: str, bus: Any, *, upside_down: bool = False, column_offset: int | None = None
) -> Device:
    """Open a panel, clear it and switch it on.

    Args:
        kind: The controller's name, one of `DEVICES`.
        bus: luma's interface or the virtual table's `OledBus`. The panel closes it, also if no
            panel responds.
        upside_down: Whether to rotate the pictures by 180 degrees; not by default.
        column_offset: The column of an SH1106's RAM at the glass's left edge, by default the usual
            one; the other controllers have as many columns as the glass.

    Raises:
        UrpiError: If there is no such controller, or no panel responds.
    """
    if kind not in DEVICES:
        message = f"There is no OLED controller {kind!r}; choose one of {', '.join(DEVICES)}."
        raise UrpiError(message)
    try:
        # Check first, because luma keeps every device, even one that does not respond.
        bus.command(NOP)
        settings = {"rotate": 2 if upside_down else 0}
        if kind == "sh1106":
            settings["column_offset"] = (
                SH1106_COLUMN_OFFSET if column_offset is None else column_offset
            )
        return DEVICES[kind](bus, **settings)
    except DEVICE_ERRORS as error:
        bus.cleanup()
        raise no_response(error) from error


def no_response(error: Exception) -> UrpiError:
    """Return the error for a panel that does not respond."""
    return UrpiError(
        f"The OLED does not respond: {error}; check its four wires, and its address with i2cdetect."
    )


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
