"""Views: the OLED's pictures, drawn from a snapshot. They make no decisions."""

from urpi.show.views.draw import draw
from urpi.show.views.menu_screens import draw_menu, draw_pin
from urpi.show.views.outcome import draw_end_review
from urpi.show.views.panel import HEIGHT, WIDTH

__all__ = [
    "HEIGHT",
    "WIDTH",
    "draw",
    "draw_end_review",
    "draw_menu",
    "draw_pin",
]
