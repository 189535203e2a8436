"""The OLED's picture as characters of a terminal."""

from itertools import product

import pytest
from PIL import Image

from tests.show.views.scenes import SCENES
from tests.slow import slow_except
from urpi.cli.demo_screen import _DOTS, BRAILLE, to_braille
from urpi.show.views import draw
from urpi.show.words import words_for


def from_braille(text: str) -> Image.Image:
    """Return the picture that `to_braille` converted."""
    lines = text.splitlines()
    image = Image.new("1", (2 * len(lines[0]), 4 * len(lines)))
    for row, column in product(range(len(lines)), range(len(lines[0]))):
        dots = ord(lines[row][column]) - BRAILLE
        for x, y, bit in _DOTS:
            image.putpixel((2 * column + x, 4 * row + y), int(bool(dots & bit)))
    return image


@pytest.mark.parametrize("name", slow_except(SCENES, *[*SCENES][::8]))
def test_braille_keeps_every_pixel(name):
    image = draw(SCENES[name], words_for("en"))
    assert from_braille(to_braille(image)).tobytes() == image.tobytes()


def test_pixels_per_character():
    image = Image.new("1", (2, 4))
    image.putpixel((0, 0), 1)
    image.putpixel((1, 3), 1)
    assert to_braille(image) == "⢁"


def test_panel_is_64_by_16_braille_characters():
    lines = to_braille(Image.new("1", (128, 64), 1)).splitlines()
    assert [len(line) for line in lines] == [64] * 16
    assert set("".join(lines)) == {"⣿"}
