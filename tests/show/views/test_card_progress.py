"""What a card shows while it installs urpi: golden pictures, and every text fits."""

import pytest

from tests.show.views.golden import check_picture
from urpi.show.views.bitmap_font import font
from urpi.show.views.notice import WIDTHS, draw_progress
from urpi.show.views.panel import WIDTH
from urpi.show.views.text import SMALL, fits, ink_width
from urpi.show.words import display_languages, words_for
from urpi.show.words.card_words import FAULT, FAULTS, STEP, STEPS


@pytest.mark.parametrize("language", ["en", "hu", "ru"])
@pytest.mark.parametrize("name", ["libraries", "network", "failed"])
def test_progress_equals_its_golden_picture(name, language, update_golden):
    words = words_for(language)
    title = words.text(STEP).format(step=3, steps=5) if name in STEPS else words.text(FAULT)
    picture = draw_progress(title, words.text({**STEPS, **FAULTS}[name]))
    check_picture(f"languages/{language}-card-{name}", picture, update=update_golden)


@pytest.mark.parametrize("language", display_languages())
def test_every_title_and_text_fits(language):
    words = words_for(language)
    titles = words.text(STEP).format(step=5, steps=5), words.text(FAULT)
    assert [each for each in titles if ink_width(font(SMALL), each) > WIDTH] == []
    texts = [words.text(text) for text in (*STEPS.values(), *FAULTS.values())]
    assert [text for text in texts if not fits(text, font(SMALL), WIDTHS)] == []
