"""The pixels of bitmap fonts."""

import pytest
from PIL import Image

from urpi.core.errors import UrpiError
from urpi.show.views.bitmap_font import BitmapFont, font
from urpi.show.views.text import HUGE, LARGE, MEDIUM, SMALL

TINY = """STARTFONT 2.1
FONT_DESCENT 1
FONT_ASCENT 3
STARTCHAR n
ENCODING 110
DWIDTH 4 0
BBX 3 2 0 0
BITMAP
E0
A0
ENDCHAR
STARTCHAR comma
ENCODING 44
DWIDTH 2 0
BBX 1 2 0 -1
BITMAP
80
80
ENDCHAR
ENDFONT
"""
ACCENTS = {
    "Hungarian": "áéíóöőúüűÁÉÍÓÖŐÚÜŰ",
    "Portuguese": "ãõâêôáéíóúàçÃÕÂÊÔÁÉÍÓÚÀÇ",
    "French": "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»",
    "Slovenian": "čšžČŠŽ",
    "German": "äöüßÄÖÜ",
    "Cyrillic": "".join(chr(code) for code in range(0x400, 0x460)),
    "symbols": "…—→←↑↓„“”€",
}


def rows_of(image):
    return [
        "".join("#" if image.getpixel((x, y)) else "-" for x in range(image.width))
        for y in range(image.height)
    ]


def test_letters_are_drawn_on_the_baseline_with_descenders():
    tiny = BitmapFont("tiny", TINY)
    image = Image.new("1", (8, 4))
    tiny.draw(image, (0, 0), "n,")
    assert rows_of(image) == ["--------", "###-----", "#-#-#---", "----#---"]
    assert (tiny.width("n,"), tiny.height) == (6, 4)


def test_dark_ink_clears_lit_pixels():
    image = Image.new("1", (4, 4), 1)
    BitmapFont("tiny", TINY).draw(image, (0, 0), "n", ink=0)
    assert rows_of(image) == ["####", "---#", "-#-#", "####"]


def test_missing_letter_is_a_box_as_wide_as_an_n():
    tiny = BitmapFont("tiny", TINY)
    image = Image.new("1", (4, 4))
    tiny.draw(image, (0, 0), "\N{SNOWMAN}")
    assert rows_of(image) == ["----", "###-", "###-", "----"]
    assert tiny.width("\N{SNOWMAN}") == tiny.width("n")


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE, HUGE])
def test_line_height_equals_the_size(size):
    assert font(size).height == size


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE, HUGE])
@pytest.mark.parametrize("letters", ACCENTS.values(), ids=ACCENTS)
def test_font_has_the_letters_of(letters, size):
    box = font(size).glyph("\N{SNOWMAN}").picture.tobytes()
    assert [letter for letter in letters if font(size).glyph(letter).picture.tobytes() == box] == []


def test_invalid_font_file_is_named():
    with pytest.raises(UrpiError, match=r"The font notes\.txt has no FONT_ASCENT"):
        BitmapFont("notes.txt", "no font")
