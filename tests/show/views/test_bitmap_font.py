"""The pixels of bitmap fonts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from urpi.core.errors import UrpiError
from urpi.show.views.bitmap_font import BitmapFont, Shape, font
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
    "Vietnamese": "".join(
        chr(code) for code in (0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x1EA0, 0x1EFA))
    ),
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


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE, HUGE])
def test_every_vietnamese_letter_looks_different(size):
    plain = "AĂÂBCDĐEÊGHIKLMNOÔPQRSTUVXYÁÀÃÉÈÍÌĨÓÒÕÚÙŨÝ"
    letters = ACCENTS["Vietnamese"] + plain + plain.lower()
    assert len({font(size).glyph(letter).picture.tobytes() for letter in letters}) == len(letters)


@given(st.sampled_from([SMALL, MEDIUM, LARGE, HUGE]), st.integers(0, 30), st.integers(1, 3))
def test_taller_letters_keep_every_row_of_the_letter_and_their_accents(size, more, wide):
    plain = font(size)
    shape = Shape(plain.capital + more, wide)
    taller = BitmapFont("taller", plain._bdf, shape)
    assert taller.height == plain.height + more
    assert taller.width("Ép") == wide * plain.width("Ép")
    rows = rows_of(line_of(taller, "É", taller.width("É")))
    expected = [
        "".join(pixel * wide for pixel in row)
        for row in rows_of(line_of(plain, "É", plain.width("É")))
    ]
    assert list(dict.fromkeys(rows)) == list(dict.fromkeys(expected))
    assert rows[: plain.above] == expected[: plain.above]
    capital = line_of(taller, "H", taller.width("H")).getbbox()
    assert capital[3] - capital[1] == taller.capital == shape.capital


def line_of(letters, text, width):
    image = Image.new("1", (width, letters.height))
    letters.draw(image, (0, 0), text)
    return image


def test_bolder_letters_are_thicker_to_the_right_within_their_width():
    plain, bold = font(LARGE, Shape(22)), font(LARGE, Shape(22, bolder=1))
    thin, thick = (rows_of(line_of(each, "I", 12)) for each in (plain, bold))
    assert [row.count("#") + ("#" in row) for row in thin] == [row.count("#") for row in thick]


def test_invalid_font_file_is_named():
    with pytest.raises(UrpiError, match=r"The font notes\.txt has no FONT_ASCENT"):
        BitmapFont("notes.txt", "no font")
