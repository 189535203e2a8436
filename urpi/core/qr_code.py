"""QR codes of links (ISO/IEC 18004): the drawn modules, for a terminal and as an SVG path."""

from itertools import groupby
from typing import Final, TypeAlias

import segno

QUIET: Final = 4
"""Width of the light margin in modules (ISO/IEC 18004, section 6.3.8)."""
Modules: TypeAlias = tuple[tuple[bool, ...], ...]
"""The rows of a code with its margin; true for a dark module."""

_BLACK_ON_WHITE: Final = "\x1b[30;47m"
_RESET: Final = "\x1b[0m"
_HALVES: Final = (" ", "\N{UPPER HALF BLOCK}", "\N{LOWER HALF BLOCK}", "\N{FULL BLOCK}")
"""The characters by bit 0 for the upper and bit 1 for the lower of two modules."""


def qr_modules(text: str) -> Modules:
    """The QR code of a text, of the smallest size with error correction M (15 %)."""
    # Not a Micro QR code, which many phones do not read.
    code = segno.make_qr(text, error="m")
    light = (False,) * QUIET
    rows = [light + tuple(map(bool, row)) + light for row in code.matrix]
    margin = [(False,) * len(rows[0])] * QUIET
    return (*margin, *rows, *margin)


def terminal_lines(modules: Modules) -> list[str]:
    """A code as lines of half blocks, black on white whatever the terminal's colours are.

    A module is one character wide and half a character high.
    """
    # Two rows are one line of text, and the number of rows is odd (ISO/IEC 18004: 17 + 4 x
    # version).
    rows = [*modules, (False,) * len(modules[0])]
    pairs = zip(rows[::2], rows[1::2], strict=False)
    return [
        _BLACK_ON_WHITE
        + "".join(_HALVES[up + 2 * down] for up, down in zip(upper, lower, strict=True))
        + _RESET
        for upper, lower in pairs
    ]


def path_data(modules: Modules) -> str:
    """Return the dark modules as the data of an SVG path; a module is one unit wide.

    >>> path_data(((True, True, False), (False, False, True)))
    'M0 0h2v1h-2zM2 1h1v1h-1z'
    """
    return "".join(
        f"M{left} {top}h{width}v1h-{width}z"
        for top, row in enumerate(modules)
        for left, width in _dark_runs(row)
    )


def _dark_runs(row: tuple[bool, ...]) -> list[tuple[int, int]]:
    """The place and length of each run of dark modules."""
    runs, left = [], 0
    for dark, group in groupby(row):
        width = len(list(group))
        if dark:
            runs.append((left, width))
        left += width
    return runs
