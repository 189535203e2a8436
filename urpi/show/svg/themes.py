"""The themes of the board in pictures: what replaces the colours of the board's own picture.

The page's themes are in urpi/page/static/css/themes.css. tests/page/test_themes.py compares both.
"""

import re
from collections.abc import Mapping
from typing import Final

from urpi.show.svg.empty_board import ETCHED, ROSETTE_GROUND, SHELL, STONES, WOOD
from urpi.show.svg.motifs import Inlay

LAPIS: Final = "lapis"
"""The default: the board's own colours."""
PLAIN: Final = "plain"
"""Of high contrast. Only rosettes are drawn: in most rule sets, other motifs have no meaning."""
MARKED: Final = "#1a7f37"
"""The last move, in pixels."""
MOVED: Final = "#2f9e44"
"""The last move in vector graphics."""

_REPLACED: Final = (
    WOOD,
    SHELL,
    ROSETTE_GROUND,
    ETCHED,
    STONES[Inlay.LAPIS],
    STONES[Inlay.RED],
    MARKED,
    MOVED,
)


def _theme(*colours: str) -> Mapping[str, str]:
    return dict(zip(_REPLACED, colours, strict=True))


THEMES: Final[Mapping[str, Mapping[str, str]]] = {
    LAPIS: {},
    "wood": _theme(
        "#4a2d17", "#deb985", "#ebd3a6", "#f0dcb2", "#56341a", "#86281a", "#125c26", "#125c26"
    ),
    PLAIN: _theme(
        "#000000", "#ffffff", "#ffffff", "#ffffff", "#003a8c", "#8b0000", "#00591f", "#00591f"
    ),
}
"""For each theme, the colour that replaces each of the board's own."""

ONLY_ROSETTES: Final = '.ur-square:not([data-motif="rosette"]) .ur-motif { display: none; }'
"""Style of the plain theme."""


def in_theme(svg: str, theme: str) -> str:
    """Return vector graphics with the colours of a theme."""
    colours = THEMES[theme]
    return re.sub(r"#[0-9a-f]{6}\b", lambda found: colours.get(found[0], found[0]), svg)
