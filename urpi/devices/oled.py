"""The OLED: luma's drivers, sending only what changed, and a thread that shows the newest picture.

Owns the panel and its bus. What is shown is the views' (`urpi.views`).
"""

from collections.abc import Callable, Iterator, Mapping
from threading import Condition, Thread
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
        raise _no_answer(error) from error


def _no_answer(error: Exception) -> UrpiError:
    return UrpiError(
        f"The OLED does not answer: {error}; check its four wires, and its address with i2cdetect."
    )


def _check(image: Image.Image) -> None:
    if image.mode != "1" or image.size != SIZE:
        message = (
            f"A picture for the OLED is 128 x 64 in mode 1; found {image.size} in {image.mode}."
        )
        raise UrpiError(message)


def _ignore(_fault: UrpiError | None) -> None:
    pass


class Screen:
    """Shows the newest picture in a thread of its own, until `close`.

    Nobody waits for the panel: a picture that is overtaken is never sent. When the panel
    does not answer, `on_fault` is told once, every `retry_s` it is tried anew, by `reopen`
    where there is one (a panel that lost its power must be set up again), and `on_fault` is
    told None when it answers. `on_fault` is called in the screen's thread.
    """

    def __init__(
        self,
        device: Device,
        *,
        reopen: Callable[[], Device] | None = None,
        on_fault: Callable[[UrpiError | None], None] = _ignore,
        retry_s: float = 2.0,
    ) -> None:
        self._device, self._reopen = device, reopen
        self._on_fault, self._retry_s = on_fault, retry_s
        self._changed = Condition()
        self._draw_image: Callable[[], Image.Image] | None = None
        self._level: int | None = None
        self._due = self._busy = self._closing = self._failed = False
        self._thread = Thread(target=self._run, name="urpi-oled", daemon=True)
        self._thread.start()

    def show(self, image: Image.Image) -> None:
        """Show a picture of 128 x 64, mode ``1``, as soon as the panel is free.

        Raises:
            UrpiError: when it is another size or mode.
        """
        _check(image)
        kept = image.copy()
        self.show_drawn(lambda: kept)

    def show_drawn(self, draw: Callable[[], Image.Image]) -> None:
        """Draw such a picture in the screen's thread, and show it, unless it is overtaken."""
        with self._changed:
            self._draw_image = draw
            self._due = True
            self._changed.notify_all()

    def settle(self, timeout_s: float = 1.0) -> bool:
        """Wait until the newest picture has been sent; whether it was in that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._due and not self._busy, timeout_s)

    def dim(self, level: int) -> None:
        """Set the brightness: 0 (least, not dark) to 255.

        Raises:
            UrpiError: when it is another number.
        """
        if not 0 <= level <= 255:
            message = f"The OLED's brightness is 0 to 255; found {level}."
            raise UrpiError(message)
        with self._changed:
            self._level = level
            self._due = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop, and leave the panel dark."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while self._wait():
            try:
                self._draw()
            except (*DEVICE_ERRORS, UrpiError) as error:
                self._note(error)
            else:
                self._note(None)
            with self._changed:
                self._busy = False
                self._changed.notify_all()
        self._let_go()

    def _wait(self) -> bool:
        with self._changed:
            if self._failed:
                self._changed.wait_for(lambda: self._closing, self._retry_s)
            else:
                self._changed.wait_for(lambda: self._due or self._closing)
            self._due, self._busy = False, True
            return not self._closing

    def _draw(self) -> None:
        if self._failed and self._reopen:
            self._device = self._reopen()
        with self._changed:
            draw, level = self._draw_image, self._level
        if level is not None:
            self._device.contrast(level)
        if draw is not None:
            self._device.display(draw())

    def _note(self, error: Exception | None) -> None:
        if error and not self._failed:
            self._on_fault(error if isinstance(error, UrpiError) else _no_answer(error))
        elif self._failed and not error:
            self._on_fault(None)
        self._failed = error is not None

    def _let_go(self) -> None:
        try:
            self._device.cleanup()
        except DEVICE_ERRORS as error:
            self._note(error)
