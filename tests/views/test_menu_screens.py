"""Every screen of the menu equals its reviewed golden picture, and its texts fit."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.views.golden import PICTURES, check_picture
from tests.views.menu_scenes import SCENES
from tests.views.panel_edge import keep_letters_on_the_panel
from urpi.rules import RULE_SETS
from urpi.views import draw_menu, menu_screens, outcome
from urpi.views.bitmap_font import font
from urpi.views.text import MEDIUM, SMALL, fits, ink_width
from urpi.words import menu_words, words_for

WORDS = words_for("en")


@pytest.fixture(autouse=True)
def one_version(monkeypatch):
    """Draw a constant version, so that the pictures do not depend on the program's."""
    for view in (menu_screens, outcome):
        monkeypatch.setattr(view, "__version__", "1.2.3")


@pytest.mark.parametrize("name", SCENES)
def test_screen_equals_its_golden_picture(name, update_golden):
    screen, around = SCENES[name]
    picture = draw_menu(screen, around.snapshot, WORDS)
    check_picture(f"menu/{name}", picture, update=update_golden)


def test_every_golden_picture_has_a_screen():
    pictures = {path.stem for path in (PICTURES / "menu").glob("*.png") if "." not in path.stem}
    assert pictures == set(SCENES)


@pytest.mark.parametrize("name", SCENES)
@settings(max_examples=10, deadline=None)
@given(light=st.text(max_size=30), dark=st.text(max_size=30))
def test_letters_stay_on_the_panel_with_any_names(name, light, dark):
    screen, around = SCENES[name]
    snapshot = replace(around.snapshot, light=light, dark=dark)
    with pytest.MonkeyPatch.context() as patch:
        keep_letters_on_the_panel(patch)
        draw_menu(screen, snapshot, WORDS)


PLAIN = [text for name, text in menu_words.ITEMS.items() if "{" not in text]


@pytest.mark.parametrize("text", PLAIN)
def test_line_fits_beside_its_position(text):
    assert ink_width(font(SMALL), text) <= 128 - font(SMALL).width("9/9") - 3, text


@pytest.mark.parametrize("rules", RULE_SETS)
def test_name_of_a_rule_set_fits_its_line(rules):
    # With ten rule sets and Back the position has up to five characters; long names hide it.
    assert ink_width(font(SMALL), WORDS.rules(rules)) <= 126


@pytest.mark.parametrize("text", menu_words.TITLES.values())
def test_title_fits(text):
    assert ink_width(font(MEDIUM), text) <= 128


@pytest.mark.parametrize("text", menu_words.OFFERS.values())
def test_offer_fits_with_long_names(text):
    sentence = text.format(name="Nebuchadnezzar", move="A1xB1-B2")
    assert fits(sentence, font(SMALL), (128,) * 3), sentence


@pytest.mark.parametrize("text", [menu_words.ANSWER, menu_words.NOT_YET])
def test_single_line_text_fits(text):
    assert ink_width(font(SMALL), text) <= 126


@pytest.mark.parametrize("text", [*menu_words.DIE_STATES.values(), "3.1 V  charge!"])
def test_die_state_fits_beside_its_position(text):
    assert ink_width(font(SMALL), f"4: {text}") <= 128 - font(SMALL).width("5/5") - 3
