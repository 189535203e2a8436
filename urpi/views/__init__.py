"""Views: the OLED's pictures, drawn from a snapshot. They make no decisions."""

from urpi.views.draw import draw
from urpi.views.end_review import draw_end_review
from urpi.views.menu_screens import draw_menu, draw_pin
from urpi.views.panel import HEIGHT, WIDTH
from urpi.views.terminal import to_braille

__all__ = [
    "HEIGHT",
    "WIDTH",
    "draw",
    "draw_end_review",
    "draw_menu",
    "draw_pin",
    "to_braille",
]
