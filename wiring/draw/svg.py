"""Reproducible SVG: the same drawing always has the same bytes."""

import re
from html import escape
from typing import Final

FONTS: Final = "Arial, 'Liberation Sans', Helvetica, sans-serif"
"""Fonts of equal widths, so that text fits its box with any of them."""
_COMMENT: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_OPENING: Final = re.compile(r"<svg[^>]*>")
_SIZE: Final = re.compile(r'\b(?:width|height)="([\d.]+)pt"')
_PLACES: Final = re.compile(
    r'\b(?:d|points|x|y|cx|cy|x1|y1|x2|y2|width|height|viewBox|transform)="[^"]*"'
)
_TOLERANCE: Final = 0.02
_NUMBER: Final = re.compile(r"(?<![\d.])-?\d+\.\d{3,}")
_FAMILY: Final = re.compile(r'font-family="[^"]*"')


def plain(page: str, title: str) -> str:
    r"""Return a drawing without the name and version of its tool, rounded to a hundredth.

    Args:
        page: SVG as a tool writes it.
        title: text alternative of the picture.

    >>> plain('<!-- Tool 1.2 --><svg><path d="M1.23456,7"/></svg>', "A path")
    '<svg><title>A path</title><path d="M1.23,7"/></svg>\n'
    """
    page = _COMMENT.sub("", page).replace("<title>%3</title>\n", "")
    page = _OPENING.sub(lambda found: f"{found[0]}<title>{escape(title)}</title>", page, count=1)
    page = _NUMBER.sub(lambda found: f"{float(found[0]):.2f}", page)
    # Graphviz measures boxes for 14 points; at 13 no renderer's rounding makes a text too long.
    page = page.replace('font-size="14.00"', 'font-size="13.00"')
    return _FAMILY.sub(f'font-family="{FONTS}"', page).rstrip() + "\n"


def alike(one: str, other: str) -> bool:
    """Return whether two drawings agree in texts, colours, elements and, within 2 %, in size.

    Positions are ignored: another version of Graphviz or of its fonts moves corners slightly.

    >>> page = '<svg width="100pt" height="50pt"><path d="M1,2" fill="red"/><text>A1</text></svg>'
    >>> alike(page, page.replace("M1,2", "M1.1,2").replace("100pt", "101pt"))
    True
    >>> alike(page, page.replace("A1", "A2")), alike(page, page.replace("100pt", "110pt"))
    (False, False)
    """
    sizes = [[float(found) for found in _SIZE.findall(page)[:2]] for page in (one, other)]
    close = all(abs(a - b) <= _TOLERANCE * a for a, b in zip(*sizes, strict=True))
    return close and _PLACES.sub("", one) == _PLACES.sub("", other)
