"""Text that fits: lines wrapped, shortened and centred, so that no letter leaves its box."""

import re
from collections.abc import Sequence
from typing import Final

from PIL import Image

from urpi.views.bitmap_font import BitmapFont, font
from urpi.views.panel import WIDTH

SMALL: Final = 12
MEDIUM: Final = 16
LARGE: Final = 24
HUGE: Final = 32
"""The heights of a line, in pixels. Whose turn it is and the throw are never smaller than
MEDIUM, to be read at arm's length."""

ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
_BREAKS: Final = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")
"""Where a line may break: all that is space, but no no-break space."""


def ink_width(letters: BitmapFont, text: str) -> int:
    """How many pixels a line is wide without the gap behind its last letter."""
    return max(0, letters.width(text) - 1)


def shorten(text: str, letters: BitmapFont, width: int) -> str:
    """The text, its end replaced by an ellipsis when it is wider than `width` pixels."""
    if ink_width(letters, text) <= width:
        return text
    while text and ink_width(letters, text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def with_name(template: str, name: str, letters: BitmapFont, width: int) -> str:
    """The template with the name for ``{name}``, the name shortened until all of it fits.

    >>> with_name("{name} to throw", "Nebuchadnezzar", font(16), 128)
    'Nebuch… to throw'
    """
    whole = template.format(name=name)
    if ink_width(letters, whole) <= width:
        return whole
    room = width - letters.width(template.format(name=""))
    if room < letters.width(f"n{ELLIPSIS}"):
        return shorten(whole, letters, width)
    return template.format(name=shorten(name, letters, room))


def wrap(text: str, letters: BitmapFont, widths: Sequence[int]) -> list[str]:
    """The text in lines, one for each width in pixels at most.

    Lines break at spaces, not at no-break ones; a word that is too long for a line, such as an
    address, goes on in the next. What has no room ends in an ellipsis.
    """
    lines: list[str] = []
    words = _words(text)
    for width in widths:
        if not words:
            break
        last = len(lines) == len(widths) - 1
        if not last and ink_width(letters, words[0]) > width:
            words[:1] = _broken(words[0], letters, width)
        taken = max(1, _fitting(words, letters, width))
        line = " ".join(words if last else words[:taken])
        lines.append(shorten(line, letters, width))
        words = words[taken:]
    return lines


def _words(text: str) -> list[str]:
    return _BREAKS.sub(" ", text).strip(" ").split(" ") if text.strip() else []


def _broken(word: str, letters: BitmapFont, width: int) -> tuple[str, str]:
    """A word in two, the first part as long as there is room for; one letter at least."""
    room = max(1, *(n for n in range(len(word)) if ink_width(letters, word[:n]) <= width))
    return word[:room], word[room:]


def _fitting(words: list[str], letters: BitmapFont, width: int) -> int:
    """How many of the words fit into one line."""
    for count in range(1, len(words) + 1):
        if ink_width(letters, " ".join(words[:count])) > width:
            return count - 1
    return len(words)


def fits(text: str, letters: BitmapFont, widths: Sequence[int]) -> bool:
    """Whether `wrap` loses nothing of the text."""
    return " ".join(wrap(text, letters, widths)) == " ".join(_words(text))


def largest(text: str, sizes: Sequence[int], width: int) -> BitmapFont:
    """The first of the fonts in which the text fits, else the last."""
    for size in sizes:
        if ink_width(font(size), text) <= width:
            return font(size)
    return font(sizes[-1])


def draw_line(
    image: Image.Image,
    at: tuple[int, int],
    text: str,
    letters: BitmapFont,
    width: int = WIDTH,
) -> None:
    """Draw one line, shortened to `width` pixels; `at` is its upper left corner."""
    letters.draw(image, at, shorten(text, letters, width))


def draw_inverted(
    image: Image.Image, at: tuple[int, int], text: str, letters: BitmapFont, size: tuple[int, int]
) -> None:
    """Draw one line dark on a lit box of that size in pixels; `at` is the box's corner."""
    left, top = at
    image.paste(1, (left, top, left + size[0], top + size[1]))
    letters.draw(image, (left + 1, top), shorten(text, letters, size[0] - 2), ink=0)


def draw_centred(
    image: Image.Image, top: int, text: str, letters: BitmapFont, box: tuple[int, int] = (0, WIDTH)
) -> None:
    """Draw one line in the middle of a box, which is its left edge and its width."""
    left, width = box
    line = shorten(text, letters, width)
    indent = (width - ink_width(letters, line)) // 2
    draw_line(image, (left + indent, top), line, letters, width - indent)


def draw_lines(
    image: Image.Image, at: tuple[int, int], text: str, letters: BitmapFont, widths: Sequence[int]
) -> None:
    """Draw a text wrapped into lines of those widths, from the upper left corner `at` on."""
    left, top = at
    for number, line in enumerate(wrap(text, letters, widths)):
        draw_line(image, (left, top + number * letters.height), line, letters, widths[number])


def draw_title(image: Image.Image, text: str) -> None:
    """Draw the panel's first line, as large as it fits: MEDIUM, else SMALL."""
    letters = largest(text, (MEDIUM, SMALL), WIDTH)
    draw_line(image, (0, (MEDIUM - letters.height) // 2), text, letters)


def draw_named_title(image: Image.Image, template: str, name: str) -> None:
    """Draw the first line with a player's name in it, MEDIUM, the name shortened to fit."""
    draw_line(image, (0, 0), with_name(template, name, font(MEDIUM), WIDTH), font(MEDIUM))
