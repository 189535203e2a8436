"""SVG that is the same bytes whenever the same thing is drawn, whoever draws it."""

import re
from html import escape
from typing import Final

FONTS: Final = "Arial, 'Liberation Sans', Helvetica, sans-serif"
"""All of the same widths: text fits its box with whichever a machine has."""
_COMMENT: Final = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_OPENING: Final = re.compile(r"<svg[^>]*>")
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
