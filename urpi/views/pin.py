"""The PIN of the page, shown on demand: who sees the board may act on the page."""

from PIL import Image

from urpi.views.bitmap_font import font
from urpi.views.panel import HEIGHT, WIDTH, blank
from urpi.views.text import HUGE, LARGE, MEDIUM, SMALL, draw_centred, draw_title, largest, shorten
from urpi.words import Words


def draw_pin(pin: str, address: str, words: Words) -> Image.Image:
    """The PIN, large, and below it the address at which the page is found."""
    image = blank()
    draw_title(image, words.text("PIN for the page"))
    letters = largest(pin, (HUGE, LARGE, MEDIUM), WIDTH)
    draw_centred(image, 17 + (HUGE - letters.height) // 2, pin, letters)
    small = font(SMALL)
    draw_centred(image, HEIGHT - SMALL, shorten(address, small, WIDTH), small)
    return image
