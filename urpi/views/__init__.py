"""Views: what the OLED shows, drawn from a snapshot; they decide nothing."""

from urpi.views.draw import draw
from urpi.views.menu import draw_menu
from urpi.views.panel import HEIGHT, WIDTH
from urpi.views.pin import draw_pin
from urpi.views.terminal import to_blocks, to_braille

__all__ = ["HEIGHT", "WIDTH", "draw", "draw_menu", "draw_pin", "to_blocks", "to_braille"]
