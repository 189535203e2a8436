"""The themes of the board: the contrast of pieces, squares and marks (WCAG 2.2, 1.4.3, 1.4.11)."""

import re
from pathlib import Path

import pytest

import urpi.page
from urpi.show.svg.empty_board import ETCHED, ROSETTE_GROUND, SHELL, STONES, WOOD
from urpi.show.svg.motifs import Inlay
from urpi.show.svg.themes import MARKED, MOVED
from urpi.show.svg.themes import THEMES as PICTURES

STATIC = Path(urpi.page.__file__).parent / "static"
CSS = (STATIC / "css" / "themes.css").read_text()
THEMES = ("lapis", "wood", "plain")
MARKS = ("fill", "clear", "warned", "broken", "target", "last", "way")
GRAPHICS, TEXT = 3.0, 4.5
"""The least contrast of graphical objects, and of text."""
DIMMED = 0.88
"""Brightness of the board, without pieces and marks, in dark mode."""


def colours(css: str, theme: str) -> dict[str, str]:
    """Return the colours of the default theme, overridden by those of a theme."""
    found: dict[str, str] = {}
    for selector, body in re.findall(r":root(\S*) \{([^}]*)\}", css):
        if selector in {"", f'[data-theme="{theme}"]'}:
            found |= dict(re.findall(r"--ur-([\w-]+): (#[0-9a-f]{6});", body))
    return found


LIGHT_CSS, DARK_CSS = CSS.split("@media (prefers-color-scheme: dark)")


def luminance(colour: str, brightness: float = 1.0) -> float:
    """Return the relative luminance (WCAG 2.2) of a colour whose components are dimmed."""
    parts = [brightness * int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_have_the_colours_of_the_page(theme: str) -> None:
    on_page = colours(LIGHT_CSS, theme)
    own = {
        "wood": WOOD,
        "field": SHELL,
        "rosette": ROSETTE_GROUND,
        "etched": ETCHED,
        "lapis": STONES[Inlay.LAPIS],
        "red": STONES[Inlay.RED],
    }
    assert tuple(PICTURES) == THEMES
    shown = {name: PICTURES[theme].get(colour, colour) for name, colour in own.items()}
    assert shown == {name: on_page[name] for name in own}
    if theme != "lapis":
        assert {PICTURES[theme][MARKED], PICTURES[theme][MOVED]} == {on_page["last"]}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("theme", THEMES)
def test_pieces_and_marks_are_distinct_from_the_squares(theme: str, dark: bool) -> None:
    found = colours(CSS if dark else LIGHT_CSS, theme)
    on_board = DIMMED if dark else 1.0
    low = {}
    for ground in ("field", "rosette"):
        square = luminance(found[ground], on_board)
        for name in ("dark", "light-line", *MARKS):
            low[name, ground] = contrast(luminance(found[name]), square)
        for name in ("wood", "lapis", "red"):
            low[name, ground] = contrast(luminance(found[name], on_board), square)
    low["light", "dark"] = contrast(luminance(found["light"]), luminance(found["dark"]))
    low["light", "light-dot"] = contrast(luminance(found["light"]), luminance(found["light-dot"]))
    low["dark", "dark-dot"] = contrast(luminance(found["dark"]), luminance(found["dark-dot"]))
    assert {pair: round(value, 2) for pair, value in low.items() if value < GRAPHICS} == {}
    etched = contrast(luminance(found["etched"], on_board), luminance(found["wood"], on_board))
    assert etched >= TEXT


def test_the_default_theme_has_the_colours_of_the_board_s_own_picture() -> None:
    found = colours(LIGHT_CSS, "lapis")
    own = (WOOD, SHELL, ROSETTE_GROUND, ETCHED, STONES[Inlay.LAPIS], STONES[Inlay.RED])
    names = ("wood", "field", "rosette", "etched", "lapis", "red")
    assert tuple(found[name] for name in names) == own


def test_the_disc_of_each_side_is_distinct_from_its_tile() -> None:
    css = (STATIC / "css" / "page.css").read_text()
    discs = re.findall(r"--disc: (#[0-9a-f]{6});", css)
    (tile,) = re.findall(r"var\(--disc\) [0-9]+%, (#[0-9a-f]{6})", css)
    low = [contrast(luminance(disc), luminance(tile)) for disc in discs]
    assert len(low) == 2
    assert min(low) >= GRAPHICS


def test_the_plain_theme_has_the_most_contrast() -> None:
    plain = colours(LIGHT_CSS, "plain")
    assert contrast(luminance(plain["dark"]), luminance(plain["field"])) == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES[1:])
def test_every_theme_defines_every_colour(theme: str) -> None:
    (body,) = re.findall(rf':root\[data-theme="{theme}"\] \{{([^}}]*)\}}', LIGHT_CSS)
    names = set(re.findall(r"--ur-([\w-]+):", body))
    assert names == set(colours(LIGHT_CSS, "lapis"))


def test_the_scripts_know_the_same_themes() -> None:
    script = (STATIC / "js" / "view.js").read_text()
    (names,) = re.findall(r"THEMES = [^(]*\(\[([^\]]*)\]\)", script)
    assert tuple(re.findall(r'"(\w+)"', names)) == THEMES
