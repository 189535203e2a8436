"""A check that no letter is drawn across the panel's edge."""

from PIL import Image

from urpi.show.views import HEIGHT, WIDTH
from urpi.show.views.bitmap_font import BitmapFont

_MARGIN = 64


def keep_letters_on_the_panel(monkeypatch):
    """Check every line of text that is drawn from now on, by any view."""
    draw_text = BitmapFont.draw

    def checked(self, image, at, text, *, ink=1):
        around = Image.new("1", (WIDTH + self.width(text) + 2 * _MARGIN, HEIGHT + 2 * _MARGIN))
        draw_text(self, around, (at[0] + _MARGIN, at[1] + _MARGIN), text)
        left, top, right, bottom = around.getbbox() or (_MARGIN,) * 4
        assert left >= _MARGIN, text
        assert top >= _MARGIN, text
        assert right <= _MARGIN + WIDTH, text
        assert bottom <= _MARGIN + HEIGHT, text
        draw_text(self, image, at, text, ink=ink)

    monkeypatch.setattr(BitmapFont, "draw", checked)
