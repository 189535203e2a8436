"""The OLED of the virtual table: a bus that decodes the driver's bytes into the visible picture.

It replaces luma's I2C interface and keeps the controller's RAM and registers, according to the
data sheets: Solomon Systech SSD1306 rev 1.1 (chapters 9 and 10) and SSD1309 rev 1.1 (chapter 9),
and Sino Wealth SH1106 v2.3. Not modelled: scrolling, COM pin wiring (DAh), contrast's brightness.

The glass is mounted as on the usual modules: its left edge is the highest segment and its top
edge COM63, so that an upright picture needs the remaps A1h and C8h.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from types import MappingProxyType
from typing import Final

from PIL import Image

from urpi.core.errors import UrpiError

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
_POWER_UP: Final = 0xAA
"""The initial content of the RAM, which is undefined on a real one: what is never written shows."""


@dataclass(frozen=True, slots=True)
class Chip:
    """The differences between the controllers.

    Attributes:
        columns: The number of columns of the RAM.
        left: The segment at the glass's left edge.
        arguments: The number of bytes that follow a command.
        windows: Whether it has addressing modes and address windows.
        pump: Whether the glass is dark until the charge pump is switched on by 8Dh.
    """

    columns: int
    left: int
    arguments: Mapping[int, int]
    windows: bool
    pump: bool


_ARGUMENTS: Final = dict.fromkeys((0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)
"""The number of bytes that follow the commands of both controllers."""
_WINDOWS: Final = {0x20: 1, 0x21: 2, 0x22: 2}
_SCROLLING: Final = {0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0xA3: 2}
CHIPS: Final[Mapping[str, Chip]] = MappingProxyType(
    {
        "ssd1306": Chip(
            columns=128,
            left=127,
            arguments=_ARGUMENTS | _WINDOWS | _SCROLLING | {0x8D: 1},
            windows=True,
            pump=True,
        ),
        # Its glass has a voltage of its own: no charge pump. It can be locked (FDh).
        "ssd1309": Chip(
            columns=128,
            left=127,
            arguments=_ARGUMENTS | _WINDOWS | _SCROLLING | {0xDC: 1, 0xFD: 1},
            windows=True,
            pump=False,
        ),
        "sh1106": Chip(
            columns=132, left=129, arguments=_ARGUMENTS | {0xAD: 1}, windows=False, pump=False
        ),
    }
)


class OledBus:
    """A luma serial interface that ends in a simulated glass.

    Args:
        kind: The controller's name, one of `CHIPS`.
        column_offset: The RAM's column at the left edge of an upright glass, by default that of the
            usual modules.

    Raises:
        UrpiError: If there is no such controller.
    """

    def __init__(self, kind: str = "ssd1306", column_offset: int | None = None) -> None:
        if kind not in CHIPS:
            message = f"There is no OLED controller {kind!r}; choose one of {', '.join(CHIPS)}."
            raise UrpiError(message)
        self.sent_bytes = 0
        """The number of bytes of commands and data received, without the bus's own framing."""
        chip = CHIPS[kind]
        left = chip.left if column_offset is None else chip.columns - 1 - column_offset
        self._chip = replace(chip, left=left)
        self._lock = Lock()
        self._power_up()

    def _power_up(self) -> None:
        """Set RAM and registers to their initial values."""
        self._ram = [bytearray([_POWER_UP] * self._chip.columns) for _ in range(PAGES)]
        self._pending: list[int] = []
        # The RESET value: page addressing.
        self._mode = 2
        self._column, self._page = 0, 0
        self._columns, self._pages = (0, self._chip.columns - 1), (0, PAGES - 1)
        self._start_line, self._offset, self._lines = 0, 0, HEIGHT
        self._segments_remapped = self._commons_remapped = False
        self._on = self._inverse = self._all_on = self._pumped = False
        self.contrast = 0x7F

    def lose_power(self) -> None:
        """Forget RAM and registers, as a panel does that was without power for a moment."""
        with self._lock:
            self._power_up()

    def command(self, *cmd: int) -> None:
        """Process command bytes. A command waits until its arguments are complete."""
        with self._lock:
            self.sent_bytes += len(cmd)
            for byte in cmd:
                self._pending.append(byte)
                # The arguments of a command may arrive in a later call.
                code, *arguments = self._pending
                if len(arguments) == self._chip.arguments.get(code, 0):
                    self._pending = []
                    self._execute(code, arguments)

    def data(self, data: Sequence[int]) -> None:
        """Write bytes to the RAM: eight pixels below each other, the lowest bit on top."""
        with self._lock:
            self.sent_bytes += len(data)
            for byte in data:
                self._ram[self._page][self._segment(self._column)] = byte
                self._advance()

    def cleanup(self) -> None:
        """Do nothing: luma calls this when it releases the bus, and the glass keeps its picture."""

    @property
    def lit(self) -> bool:
        """Whether the display is switched on and has the voltage for it."""
        return self._on and (self._pumped or not self._chip.pump)

    def picture(self) -> Image.Image:
        """Return the visible picture: 128 x 64, mode ``1``, a lit pixel is 1; all 0 while dark."""
        picture = Image.new("1", (WIDTH, HEIGHT))
        with self._lock:
            if self.lit:
                picture.frombytes(b"".join(self._row(y) for y in range(HEIGHT)))
        return picture

    def _row(self, y: int) -> bytes:
        """Return a row of the glass, eight pixels in each byte, the left one in the highest bit."""
        common = HEIGHT - 1 - y
        scanned = self._lines - 1 - common if self._commons_remapped else common
        if not 0 <= scanned < self._lines:
            # A row beyond the multiplex ratio is not driven, and stays dark.
            return bytes(WIDTH // 8)
        line = (scanned + self._start_line + self._offset) % HEIGHT
        page, bit = self._ram[line // 8], line % 8
        value = 0
        for segment in range(self._chip.left, self._chip.left - WIDTH, -1):
            # A5h lights every pixel whatever the RAM contains; A7h inverts it.
            lit = self._all_on or (page[segment] >> bit & 1) != self._inverse
            value = value << 1 | lit
        return value.to_bytes(WIDTH // 8, "big")

    def _segment(self, column: int) -> int:
        # The remap applies to writes only: data already stored stay where they are
        # (SSD1306 10.1.8).
        last = self._chip.columns - 1
        column = min(column, last)
        return last - column if self._segments_remapped else column

    def _advance(self) -> None:
        if self._mode == 2:
            self._advance_in_page()
        elif self._mode == 0:
            self._column, over = _step(self._column, self._columns)
            if over:
                self._page, _ = _step(self._page, self._pages)
        else:
            self._page, over = _step(self._page, self._pages)
            if over:
                self._column, _ = _step(self._column, self._columns)

    def _advance_in_page(self) -> None:
        last = self._chip.columns - 1
        if self._chip.windows:
            self._column = 0 if self._column >= last else self._column + 1
        else:
            self._column = min(self._column + 1, last)

    def _execute(self, code: int, arguments: list[int]) -> None:
        if code in self._chip.arguments:
            self._set(code, arguments)
        elif code < 0x20:
            self._set_column(code)
        elif 0x40 <= code < 0x80:
            self._start_line = code - 0x40
        elif 0xB0 <= code < 0xB0 + PAGES:
            self._page = code - 0xB0
        else:
            self._switch(code)

    def _set(self, code: int, arguments: list[int]) -> None:
        setters: Mapping[int, Callable[..., None]] = {
            0x20: self._set_mode,
            0x21: self._set_columns,
            0x22: self._set_pages,
            0x81: self._set_contrast,
            0x8D: self._set_pump,
            0xA8: self._set_lines,
            0xD3: self._set_offset,
        }
        if code in setters:
            setters[code](*arguments)

    def _set_mode(self, mode: int) -> None:
        # 3 is invalid; the RESET value is page addressing.
        self._mode = min(mode & 3, 2)

    def _set_column(self, code: int) -> None:
        low, high = self._column & 0x0F, self._column & 0xF0
        # Half an address may lie beyond the RAM until its other half comes.
        self._column = high | code if code < 0x10 else (code & 0x0F) << 4 | low

    def _set_columns(self, first: int, last: int) -> None:
        self._columns = (first & 0x7F, last & 0x7F)
        self._column = self._columns[0]

    def _set_pages(self, first: int, last: int) -> None:
        self._pages = (first & 7, last & 7)
        self._page = self._pages[0]

    def _set_contrast(self, level: int) -> None:
        self.contrast = level

    def _set_pump(self, setting: int) -> None:
        self._pumped = bool(setting & 0x04)

    def _set_lines(self, ratio: int) -> None:
        # Below 16 lines is invalid and changes nothing.
        self._lines = (ratio & 0x3F) + 1 if ratio & 0x3F >= 15 else self._lines

    def _set_offset(self, offset: int) -> None:
        self._offset = offset & 0x3F

    def _switch(self, code: int) -> None:
        switches = {
            0xA0: "_segments_remapped",
            0xA4: "_all_on",
            0xA6: "_inverse",
            0xAE: "_on",
        }
        if code & 0xF0 == 0xC0:
            self._commons_remapped = bool(code & 0x08)
        elif code & 0xFE in switches:
            setattr(self, switches[code & 0xFE], bool(code & 1))


def _step(place: int, window: tuple[int, int]) -> tuple[int, bool]:
    first, last = window
    return (first, True) if place == last else (place + 1, False)
