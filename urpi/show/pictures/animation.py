"""A game as an animated GIF: a frame for each card, written one after the other.

GIF89a, with one palette for all frames. A frame contains the rectangle that changed since the frame
before, and within it only the pixels that changed; the others are transparent. No more than two
frames are in memory.
"""

from collections.abc import Iterable
from typing import IO, Final

from PIL import GifImagePlugin, Image, ImageChops

from urpi.show.pictures.card import Card, CardPainter

COLOURS: Final = 128
"""Number of colours in the palette; the last one stands for unchanged pixels."""
_UNCHANGED: Final = COLOURS - 1
_TRAILER: Final = b";"
_FOREVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""The extension that repeats the animation forever."""


def write_animation(
    file: IO[bytes], cards: Iterable[Card], painter: CardPainter, *, step_ms: int, last_ms: int
) -> int:
    """Write an animation, and return the number of frames.

    Args:
        file: The file to write to.
        cards: The cards; at least one.
        painter: Paints them.
        step_ms: Time for each card in milliseconds, a multiple of 10.
        last_ms: Time for the last card in milliseconds, a multiple of 10.
    """
    cards = iter(cards)
    card = next(cards)
    palette = _palette(painter, card)
    frame = _indices(painter.paint(card), palette)
    file.write(_header(frame.size, palette))
    part: tuple[Image.Image, tuple[int, int]] = frame, (0, 0)
    count = 1
    for card in cards:
        _write_frame(file, *part, step_ms)
        before, frame = frame, _indices(painter.paint(card), palette)
        part = _changes(before, frame)
        count += 1
    _write_frame(file, *part, last_ms)
    file.write(_TRAILER)
    return count


def _palette(painter: CardPainter, card: Card) -> Image.Image:
    """Return a picture whose palette suits every frame."""
    return painter.sample(card).quantize(COLOURS - 1, dither=Image.Dither.NONE)


def _indices(picture: Image.Image, palette: Image.Image) -> Image.Image:
    """Return a picture in mode ``L`` whose values are indices of the palette."""
    reduced = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    return Image.frombytes("L", reduced.size, reduced.tobytes())


def _changes(before: Image.Image, frame: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
    """Return the part of a frame that changed, and its upper left corner.

    It is a single pixel if nothing changed: a frame without pixels is invalid.
    """
    difference = ImageChops.difference(before, frame)
    box = difference.getbbox() or (0, 0, 1, 1)
    part, same = frame.crop(box), difference.crop(box).point([255] + 255 * [0])
    part.paste(_UNCHANGED, mask=same)
    return part, box[:2]


def _header(size: tuple[int, int], palette: Image.Image) -> bytes:
    colours = bytes(palette.getpalette() or ())[: 3 * COLOURS].ljust(3 * COLOURS, b"\0")
    # 0x80: there is a palette; 0x70: its colours have 8 bits; below: it has 2^(n + 1) of them.
    packed = 0xF0 | (COLOURS.bit_length() - 2)
    width, height = (length.to_bytes(2, "little") for length in size)
    return b"GIF89a" + width + height + bytes((packed, 0, 0)) + colours + _FOREVER


def _write_frame(file: IO[bytes], part: Image.Image, at: tuple[int, int], duration_ms: int) -> None:
    file.writelines(
        GifImagePlugin.getdata(part, at, duration=duration_ms, transparency=_UNCHANGED, disposal=1)
    )
