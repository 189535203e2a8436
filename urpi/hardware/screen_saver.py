"""The screen saver: when an idle OLED is dimmed, shifted and switched off. Pure.

Each pixel of an OLED fades with the hours that it is lit, so a picture that is shown for days
burns in.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PIL import Image

SHIFTS: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""The successive offsets of a dimmed picture, in pixels to the right and down."""


class Brightness(Enum):
    """The panel's brightness."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Appearance:
    """The panel's brightness, and its picture's offset in pixels to the right and down."""

    brightness: Brightness = Brightness.BRIGHT
    shift: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ScreenSaver:
    """The screen saver's times in milliseconds without activity; 0 switches a function off.

    The panel is dimmed after `dim_ms`, by default 2 minutes, and dark after `blank_ms`, by default
    10. While it is dim, the picture is moved every `shift_ms`.
    """

    dim_ms: int = 120_000
    blank_ms: int = 600_000
    shift_ms: int = 60_000

    def appearance(self, idle_ms: int) -> Appearance:
        """Return the panel's appearance after `idle_ms` milliseconds without activity.

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
        """Return the idle time in milliseconds at which the appearance changes next.

        None if it does not change any more.
        """
        changes = [self.dim_ms, self.blank_ms]
        if self.dim_ms and self.shift_ms and idle_ms >= self.dim_ms:
            changes.append(self.dim_ms + (self._shifts(idle_ms) + 1) * self.shift_ms)
        if self.blank_ms and idle_ms >= self.blank_ms:
            return None
        return min((each for each in changes if each > idle_ms), default=None)

    def _shifts(self, idle_ms: int) -> int:
        return (idle_ms - self.dim_ms) // self.shift_ms if self.shift_ms else 0


def shifted(image: Image.Image, shift: tuple[int, int]) -> Image.Image:
    """Return the picture moved by an offset; pixels moved out of it are dropped."""
    if shift == (0, 0):
        return image
    moved = Image.new(image.mode, image.size)
    moved.paste(image, shift)
    return moved
