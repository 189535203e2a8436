"""A row of dice: each shows its face, or that it is rolling or waited for.

A tetrahedron's tip is solid for gold, hatched for silver and empty for blank. The dice are drawn
pixel by pixel, because Pillow's lines differ between its versions; each of them only once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image

from urpi.referee.snapshot import Snapshot
from urpi.show.views.panel import DIGITS, stamp

ROLLING: Final = "rolling"
WAITING: Final = "waiting"

Pen: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class DieSize:
    """The dimensions of a die in pixels.

    `line` is the thickness of its lines, `mark` the height of its tip's mark, and `pitch` the
    distance from one die's left edge to the next one's.
    """

    width: int
    height: int
    line: int
    mark: int
    pitch: int


SMALL_DIE: Final = DieSize(13, 12, 1, 12, 15)
BIG_DIE: Final = DieSize(27, 24, 2, 15, 32)


@dataclass(frozen=True, slots=True)
class DieSymbol:
    """One die of a row: its number, and its face or `ROLLING` or `WAITING`."""

    die: int
    shows: str


def symbols_of(snapshot: Snapshot) -> tuple[DieSymbol, ...]:
    """Return the dice of a snapshot, by number."""
    shows = dict.fromkeys(snapshot.waiting, WAITING)
    shows |= dict(snapshot.settled)
    shows |= dict.fromkeys(snapshot.rolling, ROLLING)
    return tuple(DieSymbol(die, shows[die]) for die in sorted(shows))


def symbols_of_faces(faces: str) -> tuple[DieSymbol, ...]:
    """Return the dice of a complete throw, numbered from 1."""
    return tuple(DieSymbol(number, face) for number, face in enumerate(faces, 1))


def row_width(count: int, size: DieSize) -> int:
    """Return the width of a row of dice in pixels."""
    return max(0, count * size.pitch - (size.pitch - size.width))


def draw_dice(
    image: Image.Image,
    at: tuple[int, int],
    body: str,
    symbols: tuple[DieSymbol, ...],
    size: DieSize,
) -> None:
    """Draw a row of dice with its upper left corner `at`; `body` is ``d4`` or ``d6``."""
    left, top = at
    for number, sign in enumerate(symbols):
        image.paste(1, (left + number * size.pitch, top), _drawn(body, sign, size))


@lru_cache(maxsize=256)
def _drawn(body: str, sign: DieSymbol, size: DieSize) -> Image.Image:
    image = Image.new("1", (size.width, size.height))
    draw = _draw_cube if body == "d6" else _draw_tetrahedron
    draw(image, sign, size)
    return image


def _pen(image: Image.Image) -> Pen:
    def put(x: int, y: int) -> None:
        image.putpixel((x, y), 1)

    return put


def _draw_tetrahedron(image: Image.Image, sign: DieSymbol, size: DieSize) -> None:
    put = _pen(image)
    for y in range(size.height):
        _draw_tetrahedron_row(put, y, sign.shows, size)
    if sign.shows == WAITING:
        _draw_number(image, (0, 0), sign, size)


def _draw_tetrahedron_row(put: Pen, y: int, shows: str, size: DieSize) -> None:
    """Draw one row of a triangle, which points up, or down while the die is rolling."""
    row = size.height - 1 - y if shows == ROLLING else y
    line = _line(shows, size)
    middle = size.width // 2
    half = row * middle // (size.height - 1)
    for x in range(middle - half, middle + half + 1):
        edge = half - abs(x - middle) < line or row >= size.height - line
        if edge or _marked(x, y, shows, size):
            put(x, y)


def _line(shows: str, size: DieSize) -> int:
    """Return the outline's thickness, which is 1 for a die that has not settled."""
    return 1 if shows in {ROLLING, WAITING} else size.line


def _marked(x: int, y: int, shows: str, size: DieSize) -> bool:
    """Return whether a pixel of the die belongs to the tip's mark, which fills a small die."""
    if y >= size.mark:
        return False
    return shows == "g" or (shows == "s" and (x + y) % 2 == 0)


def _draw_number(
    image: Image.Image, corner: tuple[int, int], sign: DieSymbol, size: DieSize
) -> None:
    digits = [DIGITS[int(digit)] for digit in str(sign.die)]
    left = corner[0] + (size.width - 4 * len(digits) + 1) // 2
    top = corner[1] + size.height * 2 // 3 - 2
    for place, digit in enumerate(digits):
        stamp(image, (left + 4 * place, top), digit)


_PIPS: Final = {
    "1": (4,),
    "2": (2, 6),
    "3": (2, 4, 6),
    "4": (0, 2, 6, 8),
    "5": (0, 2, 4, 6, 8),
    "6": (0, 2, 3, 5, 6, 8),
}
"""The positions of a face's pips in a grid of three by three, row by row from the upper left."""


def _draw_cube(image: Image.Image, sign: DieSymbol, size: DieSize) -> None:
    put, side = _pen(image), size.height
    for y in range(side):
        for x in range(side):
            edge = min(x, y, side - 1 - x, side - 1 - y)
            corner_pixel = {x, y} <= {0, side - 1}
            if edge < _line(sign.shows, size) and not corner_pixel:
                put(x, y)
    if sign.shows == WAITING:
        _draw_number(image, (-((size.width - side) // 2), -(side // 6)), sign, size)
    for place in _PIPS.get(sign.shows, ()):
        _draw_pip(put, place, size)


def _draw_pip(put: Pen, place: int, size: DieSize) -> None:
    pip = size.line * 2
    gap = (size.height - 2 * size.line - 3 * pip) // 4
    start = (size.height - 3 * pip - 2 * gap) // 2
    left, top = (start + step * (pip + gap) for step in (place % 3, place // 3))
    for y in range(pip):
        for x in range(pip):
            put(left + x, top + y)
