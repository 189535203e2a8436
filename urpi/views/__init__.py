"""Views: what the OLED shows, drawn from a snapshot; they decide nothing."""

from urpi.views.draw import draw
from urpi.views.panel import HEIGHT, WIDTH
from urpi.views.terminal import to_blocks, to_braille

__all__ = ["HEIGHT", "WIDTH", "draw", "to_blocks", "to_braille"]
