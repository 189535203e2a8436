"""A notice covers the lowest lines of any picture, and nothing above them."""

import pytest
from PIL import Image

from tests.views.scenes import SCENES
from urpi.views import draw
from urpi.views.bitmap_font import font
from urpi.views.notice import NEWS_LINES, draw_notice
from urpi.views.text import SMALL, fits
from urpi.words import words_for
from urpi.words.sentences import NOTICES

BRIEF = ("not-stored", "memory-full")


def told(code):
    return words_for("en").say(code, {"since": "19:02", "dice": "2, 3"})


@pytest.mark.parametrize("code", [code for code in NOTICES if code not in BRIEF])
def test_news_take_two_lines_at_most_and_lose_no_word(code):
    image = Image.new("1", (128, 64))
    draw_notice(image, told(code), NEWS_LINES)
    left, top, right, bottom = image.getbbox()
    assert (left, right, bottom) == (0, 128, 64)
    assert top in {64 - SMALL, 64 - 2 * SMALL}
    assert fits(told(code), font(SMALL), (126, 126))


@pytest.mark.parametrize("code", BRIEF)
def test_what_stays_takes_one_line_and_fits(code):
    image = Image.new("1", (128, 64))
    draw_notice(image, told(code), 1)
    assert image.getbbox() == (0, 64 - SMALL, 128, 64)
    assert fits(told(code), font(SMALL), (126,))


@pytest.mark.parametrize("scene", ["throw-names", "move-four", "warning-longest", "won-name"])
def test_the_rest_of_the_picture_stays_as_it_was(scene):
    image = draw(SCENES[scene], words_for("en"))
    before = image.copy()
    draw_notice(image, told("not-stored"), 1)
    above = (0, 0, 128, 64 - SMALL)
    assert image.crop(above).tobytes() == before.crop(above).tobytes()
    assert image.tobytes() != before.tobytes()
