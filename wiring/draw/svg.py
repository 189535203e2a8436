"""SVG that is the same bytes whenever the same thing is drawn, whoever draws it."""

import re
from html import escape
from typing import Final

FONTS: Final = "Arial, 'Liberation Sans', Helvetica, sans-serif"
"""All of the same widths: text fits its box with whichever a machine has."""
_COMMENT: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_OPENING: Final = re.compile(r"<svg[^>]*>")
_SIZE: Final = re.compile(r'\b(?:width|height)="([\d.]+)pt"')
_PLACES: Final = re.compile(
    r'\b(?:d|points|x|y|cx|cy|x1|y1|x2|y2|width|height|viewBox|transform)="[^"]*"'
)
_HAIR: Final = 0.02
_NUMBER: Final = re.compile(r"(?<![\d.])-?\d+\.\d{3,}")
_FAMILY: Final = re.compile(r'font-family="[^"]*"')


def plain(page: str, title: str) -> str:
    r"""Without the tool's name and version, its rounding beyond a hundredth, and its font's name.

    `title` is what somebody reads who does not see the picture.

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
    """Whether two drawings say the same: words, colours, parts and size, to a fiftieth.

    Another version of Graphviz, or of what measures text for it, moves a corner by a hair.

    >>> page = '<svg width="100pt" height="50pt"><path d="M1,2" fill="red"/><text>A1</text></svg>'
    >>> alike(page, page.replace("M1,2", "M1.1,2").replace("100pt", "101pt"))
    True
    >>> alike(page, page.replace("A1", "A2")), alike(page, page.replace("100pt", "110pt"))
    (False, False)
    """
    sizes = [[float(found) for found in _SIZE.findall(page)[:2]] for page in (one, other)]
    close = all(abs(a - b) <= _HAIR * a for a, b in zip(*sizes, strict=True))
    return close and _PLACES.sub("", one) == _PLACES.sub("", other)
