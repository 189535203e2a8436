"""A notice covers the bottom lines of a picture only."""

import pytest
from PIL import Image

from tests.show.views.scenes import SCENES
from urpi.show.views import WIDTH, draw
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.views.text import ROW, fits, second
from urpi.show.words import words_for
from urpi.show.words.sentences import NOTICES

BRIEF = ("not-stored", "memory-full", "no-contact")


def sentence(code):
    return words_for("en").sentence(code, {"since": "19:02", "dice": "2, 3"})


@pytest.mark.parametrize("code", [code for code in NOTICES if code not in BRIEF])
def test_notice_fits_into_two_lines(code):
    image = Image.new("1", (128, 64))
    draw_notice(image, sentence(code), MAX_NOTICE_LINES)
    left, top, right, bottom = image.getbbox()
    assert (left, right, bottom) == (0, 128, 64)
    assert top in {64 - ROW, 64 - 2 * ROW}
    assert fits(sentence(code), second(), (126, 126))


@pytest.mark.parametrize("code", BRIEF)
def test_brief_notice_fits_into_one_line(code):
    image = Image.new("1", (128, 64))
    draw_notice(image, sentence(code), 1)
    assert image.getbbox() == (0, 64 - ROW, 128, 64)
    assert fits(sentence(code), second(), (126,))


@pytest.mark.parametrize("scene", ["throw-names", "move-four", "warning-longest", "won-name"])
def test_picture_above_the_notice_is_unchanged_up_to_a_dark_line(scene):
    image = draw(SCENES[scene], words_for("en"))
    before = image.copy()
    draw_notice(image, sentence("not-stored"), 1)
    above = (0, 0, 128, 63 - ROW)
    assert image.crop(above).tobytes() == before.crop(above).tobytes()
    assert image.crop((0, 63 - ROW, 128, 64 - ROW)).getbbox() is None
    assert image.tobytes() != before.tobytes()


@pytest.mark.parametrize("scene", ["program-throws", "planned", "rebuild"])
def test_a_notice_leaves_no_remnant_of_a_line_or_board(scene: str) -> None:
    image = draw(SCENES[scene], words_for("en"))
    whole = image.copy()
    draw_notice(image, "Invited Porto.", 1)
    right = (WIDTH // 2, 64 - 2 * ROW, WIDTH, 64 - ROW)
    assert whole.crop(right).getbbox() is not None
    assert image.crop(right).getbbox() is None
    above = (0, 0, 128, 64 - 2 * ROW)
    assert image.crop(above).tobytes() == whole.crop(above).tobytes()
