"""A check that no letter is drawn across the panel's edge."""

from urpi.show.views import HEIGHT, WIDTH
from urpi.show.views.bitmap_font import BitmapFont


def keep_letters_on_the_panel(monkeypatch):
    """Check every line of text that is drawn from now on, by any view."""
    draw_text = BitmapFont.draw

    def checked(self, image, at, text, *, ink=1):
        assert at[0] >= 0
        assert at[1] >= 0
        assert at[0] + self.width(text) - 1 <= WIDTH, text
        assert at[1] + self.height <= HEIGHT, text
        draw_text(self, image, at, text, ink=ink)

    monkeypatch.setattr(BitmapFont, "draw", checked)
