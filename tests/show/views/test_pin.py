"""The PIN on the display, below it the page's address."""

from urpi.show.views.bitmap_font import font
from urpi.show.views.menu_screens import draw_pin
from urpi.show.views.panel import WIDTH
from urpi.show.views.text import SMALL, shorten
from urpi.show.words import words_for


def test_an_address_that_is_too_long_ends_in_an_ellipsis() -> None:
    address = "the-board-of-the-museum.ur.example.org"
    shown = shorten(address, font(SMALL), WIDTH)
    assert shown.endswith("…")
    words = words_for("en")
    assert draw_pin("314159", address, words) == draw_pin("314159", shown, words)
