"""The OLED's picture as characters of a terminal."""

import pytest
from PIL import Image

from tests.views.scenes import SCENES
from urpi.views import draw, to_blocks, to_braille
from urpi.views.terminal import from_braille
from urpi.words import words_for


@pytest.mark.parametrize("name", SCENES)
def test_braille_keeps_every_pixel(name):
    image = draw(SCENES[name], words_for("en"))
    assert from_braille(to_braille(image)).tobytes() == image.tobytes()


def test_pixels_per_character():
    image = Image.new("1", (2, 4))
    image.putpixel((0, 0), 1)
    image.putpixel((1, 3), 1)
    assert to_braille(image) == "⢁"
    assert to_blocks(image) == "▀ \n ▄"


def test_panel_is_64_by_16_braille_characters():
    lines = to_braille(Image.new("1", (128, 64), 1)).splitlines()
    assert [len(line) for line in lines] == [64] * 16
    assert set("".join(lines)) == {"⣿"}


def test_panel_is_128_by_32_half_blocks():
    lines = to_blocks(Image.new("1", (128, 64), 1)).splitlines()
    assert [len(line) for line in lines] == [128] * 32
    assert set("".join(lines)) == {"█"}
