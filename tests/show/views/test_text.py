"""Text is kept within its box."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.show.views.bitmap_font import font
from urpi.show.views.text import (
    LARGE,
    MEDIUM,
    SMALL,
    fits,
    ink_width,
    largest,
    shorten,
    with_name,
    wrap,
)

ANY_TEXT = st.text(max_size=40)
SIZES = st.sampled_from((SMALL, MEDIUM, LARGE))


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [("Light", 29, "Light"), ("Light", 28, "Lig…"), ("Anna Maria", 35, "Anna…"), ("A", 2, "…")],
)
def test_shorten_ends_in_an_ellipsis(text, width, short):
    assert shorten(text, font(SMALL), width) == short


@pytest.mark.parametrize(
    ("template", "name", "line"),
    [
        ("{name} to throw", "Light", "Light to throw"),
        ("{name} to throw", "Nebuchadnezzar", "Nebuch… to throw"),
        ("It is now the turn of {name}", "Anna", "It is now the t…"),
        ("{name} {{to}} throw", "Nebuchadnezzar", "Nebu… {to} throw"),
    ],
)
def test_with_name_shortens_the_name_first(template, name, line):
    assert with_name(template, name, font(MEDIUM), 128) == line


def test_wrap_breaks_at_spaces_by_each_lines_width():
    widths = (128, 61, 61)
    lines = wrap("You threw 2, but moved it 3.", font(SMALL), widths)
    assert lines == ["You threw 2, but", "moved it", "3."]


def test_wrap_shortens_a_text_that_does_not_fit():
    lines = wrap("You threw 2, but moved it 3.", font(SMALL), (128, 61))
    assert lines == ["You threw 2, but", "moved it…"]
    assert not fits("You threw 2, but moved it 3.", font(SMALL), (128, 61))


@given(st.lists(st.text("abcdefgh.-", min_size=1, max_size=8), min_size=1, max_size=6), SIZES)
def test_a_line_is_filled_to_its_last_pixel(words, size):
    text = " ".join(words)
    width = ink_width(font(size), text)
    assert wrap(text, font(size), (width, 128)) == [text]
    assert len(wrap(text, font(size), (width - 1, 128))) == 2


@given(st.text("abcWM", min_size=2, max_size=8), SIZES, st.integers(0, 4))
def test_a_line_without_room_for_a_letter_shows_that_something_is_missing(word, size, width):
    first, *_ = wrap(word, font(size), (width, 128))
    assert first == "\N{HORIZONTAL ELLIPSIS}"


@given(ANY_TEXT, SIZES, st.integers(12, 128))
def test_shortened_text_is_within_its_width(text, size, width):
    assert ink_width(font(size), shorten(text, font(size), width)) <= width


@given(ANY_TEXT, st.lists(st.integers(12, 128), min_size=1, max_size=5))
def test_wrapped_lines_are_within_their_widths(text, widths):
    lines = wrap(text, font(SMALL), widths)
    assert len(lines) <= len(widths)
    for line, width in zip(lines, widths, strict=False):
        assert ink_width(font(SMALL), line) <= width


def test_largest_returns_the_first_size_that_fits_or_the_last():
    assert largest("A4-A2", (LARGE, MEDIUM), 128) is font(LARGE)
    assert largest("A3-A2,B5-B6", (LARGE, MEDIUM), 128) is font(MEDIUM)
    assert largest("A3-A2,B5-B6" * 2, (LARGE, MEDIUM), 128) is font(MEDIUM)
