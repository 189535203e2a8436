"""Text layout: lines are wrapped, shortened and centred so that every letter is in its box."""

import re
from collections.abc import Sequence
from typing import Final

from PIL import Image

from urpi.show.views.bitmap_font import BitmapFont, Shape, font
from urpi.show.views.panel import WIDTH

SMALL: Final = 12
MEDIUM: Final = 16
LARGE: Final = 24
HUGE: Final = 32
"""The heights of lines in pixels, for what is read with a finger on the button."""

ROW: Final = 16
"""The height of a row in pixels: the panel has four, and a line in high letters takes two.

From a metre a capital must appear 16 minutes of arc high to be read with ease (the least of ISO
9241-3), which is 21 pixels of a panel of 1.3 inches; 8 minutes, which are 11, can be read.
"""
_SECOND: Final = Shape(11)
_MAIN: Final = Shape(22, bolder=1)
_NARROW: Final = Shape(22)
_VALUE: Final = Shape(44, wide=2)


def second() -> BitmapFont:
    """Return the letters of the game's pictures for what may be missed: capitals of 11 pixels."""
    return font(SMALL, _SECOND)


def main_letters(text: str, width: int) -> BitmapFont:
    """Return the letters for a picture's main fact: wide ones if the text fits, else narrow."""
    wide = font(LARGE, _MAIN)
    return wide if ink_width(wide, text.upper()) <= width else font(MEDIUM, _NARROW)


def value_letters() -> BitmapFont:
    """Return the figures for a throw: 44 pixels high."""
    return font(HUGE, _VALUE)


ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
_BREAKS: Final = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")
"""Where a line can break: white space except the no-break space."""


def ink_width(letters: BitmapFont, text: str) -> int:
    """Return the width of a line in pixels without the gap after its last letter."""
    return max(0, letters.width(text) - 1)


def shorten(text: str, letters: BitmapFont, width: int) -> str:
    """Return the text, its end replaced by an ellipsis if it is wider than `width` pixels."""
    if ink_width(letters, text) <= width:
        return text
    while text and ink_width(letters, text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def with_name(template: str, name: str, letters: BitmapFont, width: int) -> str:
    """Return the template with ``{name}`` replaced by the name, shortened until the line fits.

    If not even a short name fits, the end of the line is replaced by an ellipsis.

    >>> with_name("{name} to throw", "Nebuchadnezzar", font(16), 128)
    'Nebuch… to throw'
    """
    whole = template.format(name=name)
    if ink_width(letters, whole) <= width:
        return whole
    room = width - letters.width(template.format(name=""))
    # A single letter and the ellipsis are the shortest useful name.
    if room < letters.width(f"n{ELLIPSIS}"):
        return shorten(whole, letters, width)
    return template.format(name=shorten(name, letters, room))


def wrap(text: str, letters: BitmapFont, widths: Sequence[int]) -> list[str]:
    """Wrap a text into at most as many lines as there are widths.

    Lines break at white space, except at no-break spaces. A word that is longer than a line,
    such as an address, is continued on the next. A text that does not fit ends in an ellipsis.

    Args:
        text: The text.
        letters: The font.
        widths: The width of each line in pixels.
    """
    lines: list[str] = []
    words = _words(text)
    for width in widths:
        if not words:
            break
        # The last line gets all that is left, so that `shorten` marks what is missing.
        last = len(lines) == len(widths) - 1
        if not last and ink_width(letters, words[0]) > width:
            words[:1] = _broken(words[0], letters, width)
        count = max(1, _fitting(words, letters, width))
        line = " ".join(words if last else words[:count])
        lines.append(shorten(line, letters, width))
        words = words[count:]
    return lines


def _words(text: str) -> list[str]:
    return _BREAKS.sub(" ", text).strip(" ").split(" ") if text.strip() else []


def _broken(word: str, letters: BitmapFont, width: int) -> tuple[str, str]:
    """Split a word, the first part as long as fits but at least one letter."""
    room = max(1, *(n for n in range(len(word)) if ink_width(letters, word[:n]) <= width))
    return word[:room], word[room:]


def _fitting(words: list[str], letters: BitmapFont, width: int) -> int:
    """Return how many of the words fit into one line."""
    for count in range(1, len(words) + 1):
        if ink_width(letters, " ".join(words[:count])) > width:
            return count - 1
    return len(words)


def fits(text: str, letters: BitmapFont, widths: Sequence[int]) -> bool:
    """Return whether `wrap` keeps the whole text."""
    return " ".join(wrap(text, letters, widths)) == " ".join(_words(text))


def largest(text: str, sizes: Sequence[int], width: int) -> BitmapFont:
    """Return the first font in which the text fits, or the last one if it fits in none."""
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
    """Draw one line in dark letters on a lit box.

    Args:
        image: The picture to draw on.
        at: The box's upper left corner.
        text: The text, shortened to the box's width.
        letters: The font.
        size: The box's width and height in pixels.
    """
    left, top = at
    image.paste(1, (left, top, left + size[0], top + size[1]))
    letters.draw(image, (left + 1, top), shorten(text, letters, size[0] - 2), ink=0)


def draw_centred(
    image: Image.Image, top: int, text: str, letters: BitmapFont, box: tuple[int, int] = (0, WIDTH)
) -> None:
    """Draw one line centred in a box, given by its left edge and its width."""
    left, width = box
    line = shorten(text, letters, width)
    indent = (width - ink_width(letters, line)) // 2
    draw_line(image, (left + indent, top), line, letters, width - indent)


def draw_lines(
    image: Image.Image, at: tuple[int, int], text: str, letters: BitmapFont, widths: Sequence[int]
) -> None:
    """Draw a text wrapped into lines of the given widths, with the upper left corner `at`."""
    left, top = at
    for number, line in enumerate(wrap(text, letters, widths)):
        draw_line(image, (left, top + number * letters.height), line, letters, widths[number])


def fits_main(text: str, width: int) -> bool:
    """Return whether a text fits into a line of high letters."""
    return ink_width(main_letters(text, width), text.upper()) <= width


def draw_main(
    image: Image.Image, at: tuple[int, int], text: str, width: int, *, centred: bool = False
) -> None:
    """Draw one line in capitals of 22 pixels, in the two rows whose upper left corner is `at`."""
    text, letters = text.upper(), main_letters(text, width)
    line = shorten(text, letters, width)
    indent = (width - ink_width(letters, line)) // 2 if centred else 0
    top = at[1] + font(LARGE, _MAIN).above - letters.above
    draw_line(image, (at[0] + indent, top), line, letters, width)


def draw_rows(
    image: Image.Image, top: int, text: str, rows: int, box: tuple[int, int] = (0, WIDTH)
) -> None:
    """Draw a text in at most `rows` rows from `top` down, in a box's left edge and width."""
    for row, line in enumerate(wrap(text, second(), (box[1],) * rows)):
        draw_line(image, (box[0], top + row * ROW), line, second(), box[1])


def draw_main_or_rows(
    image: Image.Image, at: tuple[int, int], text: str, width: int, *, centred: bool = False
) -> None:
    """Draw a line as `draw_main` does, or two of smaller letters if it does not fit."""
    if fits_main(text, width):
        draw_main(image, at, text, width, centred=centred)
    else:
        draw_rows(image, at[1], text, 2, (at[0], width))


def draw_bar(image: Image.Image, top: int, text: str, rows: int) -> None:
    """Draw a text as `draw_rows` does, in dark letters on a lit strip as wide as the panel."""
    for row, line in enumerate(wrap(text, second(), (WIDTH - 2,) * rows)):
        draw_inverted(image, (0, top + row * ROW), line, second(), (WIDTH, ROW - 1))


def draw_title(image: Image.Image, text: str) -> None:
    """Draw the panel's first line, MEDIUM if it fits, else SMALL."""
    letters = largest(text, (MEDIUM, SMALL), WIDTH)
    draw_line(image, (0, (MEDIUM - letters.height) // 2), text, letters)


def draw_named_title(
    image: Image.Image, template: str, name: str, *, smaller: bool = False
) -> None:
    """Draw the first line, MEDIUM, with a player's name that is shortened to fit.

    `smaller`: draw it SMALL if it does not fit, as for a name with a place, and shorten only then.
    """
    letters = font(MEDIUM)
    if smaller and ink_width(letters, template.format(name=name)) > WIDTH:
        letters = font(SMALL)
    draw_line(image, (0, 0), with_name(template, name, letters, WIDTH), letters)
