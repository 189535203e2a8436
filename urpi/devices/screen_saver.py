"""How an OLED is spared while nobody does anything: dimmed, shifted, dark. Pure.

An OLED's pixels fade with the hours that they are lit, each by itself, so that a picture which
stands for days stays on the glass as a shadow.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PIL import Image

SHIFTS: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Where a dimmed picture stands, in pixels to the right and down, one after the other."""


class Brightness(Enum):
    """How brightly the panel shines."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the panel is to look like: its brightness, and how far the picture is shifted."""

    brightness: Brightness = Brightness.BRIGHT
    shift: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ScreenSaver:
    """The times, milliseconds since the last thing that happened; 0: never.

    `dim_ms` until the panel is dimmed, `blank_ms` until it is dark; while it is dim the
    picture moves on every `shift_ms`.
    """

    dim_ms: int = 120_000
    blank_ms: int = 600_000
    shift_ms: int = 60_000

    def appearance(self, idle_ms: int) -> Appearance:
        """What the panel looks like when nothing has happened for so long.

        >>> saver = ScreenSaver()
        >>> [saver.appearance(idle_ms).brightness.value for idle_ms in (0, 120_000, 600_000)]
        ['bright', 'dim', 'dark']
        """
        if self.blank_ms and idle_ms >= self.blank_ms:
            return Appearance(Brightness.DARK)
        if not self.dim_ms or idle_ms < self.dim_ms:
            return Appearance()
        return Appearance(Brightness.DIM, SHIFTS[self._shifts(idle_ms) % len(SHIFTS)])

    def next_change(self, idle_ms: int) -> int | None:
        """After how many milliseconds of idleness the look changes next, None when never."""
        changes = [self.dim_ms, self.blank_ms]
        if self.dim_ms and self.shift_ms and idle_ms >= self.dim_ms:
            changes.append(self.dim_ms + (self._shifts(idle_ms) + 1) * self.shift_ms)
        if self.blank_ms and idle_ms >= self.blank_ms:
            return None
        return min((each for each in changes if each > idle_ms), default=None)

    def _shifts(self, idle_ms: int) -> int:
        return (idle_ms - self.dim_ms) // self.shift_ms if self.shift_ms else 0


def shifted(image: Image.Image, shift: tuple[int, int]) -> Image.Image:
    """The picture moved so far to the right and down; what leaves it on one side is lost."""
    if shift == (0, 0):
        return image
    moved = Image.new(image.mode, image.size)
    moved.paste(image, shift)
    return moved
