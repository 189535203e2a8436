"""The output of `urpi demo`: the decoded OLED in the terminal, and pictures in a folder."""

import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from PIL import Image

from urpi.cli.event_lines import event_lines
from urpi.core.errors import UrpiError
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision, Moved, Passed, TakenBack
from urpi.rules.board_text import board_drawing
from urpi.show.words import Words

if TYPE_CHECKING:
    from urpi.service.virtual import VirtualService


HOME: Final = "\x1b[H"
CLEAR: Final = "\x1b[2J"
TO_END_OF_LINE: Final = "\x1b[K"
KEEP_CURSOR: Final = "\x1b7"
CURSOR_BACK: Final = "\x1b8"
FRAME_S: Final = 0.05
"""Shortest time between two drawings of the terminal, in seconds."""
LINES_BELOW: Final = 6
BRAILLE: Final = 0x2800
_DOTS: Final = (
    *((0, 0, 0x01), (0, 1, 0x02), (0, 2, 0x04), (1, 0, 0x08), (1, 1, 0x10), (1, 2, 0x20)),
    *((0, 3, 0x40), (1, 3, 0x80)),
)
"""Column, row and bit of each dot of a braille character (Unicode 15, chapter 21.1)."""


class PictureFolder:
    """A folder of pictures 0001.png, 0002.png ..., each different from the one before."""

    def __init__(self, folder: Path) -> None:
        """Create the folder if it does not exist.

        Raises:
            UrpiError: If it cannot be created.
        """
        self._folder, self._count, self._last = folder, 0, b""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"The pictures cannot be saved in {folder}: {error.strerror}; choose another."
            raise UrpiError(message) from error

    def save(self, picture: Image.Image) -> None:
        """Save a picture, unless it equals the last one.

        Raises:
            UrpiError: If it cannot be written.
        """
        if picture.tobytes() == self._last:
            return
        self._count, self._last = self._count + 1, picture.tobytes()
        path = self._folder / f"{self._count:04}.png"
        try:
            picture.save(path)
        except OSError as error:
            message = f"{path} cannot be written: {error.strerror}; make room, or choose another."
            raise UrpiError(message) from error


class Panel:
    """The OLED in a terminal, drawn in place above the newest events; only the events in a pipe.

    `boards`: print the board in a pipe, too, after each move, pass and take-back.
    """

    def __init__(self, out: TextIO, words: Words, *, boards: bool = False) -> None:
        self._out, self._words, self._boards = out, words, boards
        self._in_place = out.isatty()
        self._events: deque[str] = deque(maxlen=LINES_BELOW)
        self._service: VirtualService | None = None
        self._pictures: PictureFolder | None = None
        self._drawn, self._drawn_at = "", 0.0

    def begin(self, service: "VirtualService", pictures: PictureFolder | None) -> None:
        """Show the OLED of a service from now on."""
        self._service, self._pictures = service, pictures
        if self._in_place:
            # Leave the cursor below the picture, where commands are typed.
            self._out.write(CLEAR + HOME + "\n" * self._text().count("\n"))

    def on_change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Print the new events and save the picture."""
        for line in event_lines(snapshot, decisions, self._words):
            self._events.append(line)
            if not self._in_place:
                self._out.write(line + "\n")
                self._out.flush()
        played = any(isinstance(each, Moved | Passed | TakenBack) for each in decisions)
        if played and self._boards and not self._in_place and snapshot.position is not None:
            self._out.write(board_drawing(snapshot.position) + "\n")
        if self._pictures and self._service:
            self._service.screen.flush()
            self._pictures.save(self._service.picture())

    def refresh(self) -> None:
        """Draw again, at most once in `FRAME_S`, if the picture has changed."""
        if self._in_place and time.monotonic() - self._drawn_at >= FRAME_S:
            self._draw()

    def _draw(self) -> None:
        self._drawn_at = time.monotonic()
        text = self._text()
        if text != self._drawn:
            self._drawn = text
            # In one write, and with the cursor back: a person may be typing below the picture.
            self._out.write(KEEP_CURSOR + HOME + text + CURSOR_BACK)
            self._out.flush()

    def _text(self) -> str:
        assert self._service is not None
        picture = to_braille(self._service.picture()).splitlines()
        lines = [*picture, "", *self._events, *[""] * (LINES_BELOW - len(self._events))]
        return "".join(line + TO_END_OF_LINE + "\n" for line in lines)

    def end(self) -> None:
        """Show the last picture."""
        assert self._service is not None
        self._service.screen.flush()
        if self._in_place:
            self._draw()
        else:
            self._out.write(to_braille(self._service.picture()) + "\n")
        self._out.flush()


def to_braille(image: Image.Image) -> str:
    """A picture as lines of braille, two by four pixels per character.

    The OLED's picture becomes 16 lines of 64 characters. The picture's width and height must be
    multiples of 2 and 4.
    """
    rows = range(0, image.height, 4)
    return "\n".join(
        "".join(chr(BRAILLE | _dots(image, left, top)) for left in range(0, image.width, 2))
        for top in rows
    )


def _dots(image: Image.Image, left: int, top: int) -> int:
    return sum(bit for x, y, bit in _DOTS if image.getpixel((left + x, top + y)))
