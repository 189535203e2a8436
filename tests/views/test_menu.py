"""Every screen of the menu looks as it was once looked at and found good, and says all."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.views.golden import PICTURES, check_picture
from tests.views.menu_scenes import SCENES
from tests.views.panel_edge import keep_letters_on_the_panel
from urpi.rules import RULE_SETS
from urpi.views import draw_menu, menu, outcome
from urpi.views.bitmap_font import font
from urpi.views.text import MEDIUM, SMALL, fits, ink_width
from urpi.words import menu_words, words_for

WORDS = words_for("en")


@pytest.fixture(autouse=True)
def one_version(monkeypatch):
    """The pictures stay when the version goes on."""
    for view in (menu, outcome):
        monkeypatch.setattr(view, "__version__", "1.2.3")


@pytest.mark.parametrize("name", SCENES)
def test_a_screen_is_drawn_as_in_its_golden_picture(name, update_golden):
    screen, around = SCENES[name]
    picture = draw_menu(screen, around.snapshot, WORDS)
    check_picture(f"menu/{name}", picture, update=update_golden)


def test_no_golden_picture_is_left_without_its_screen():
    pictures = {path.stem for path in (PICTURES / "menu").glob("*.png") if "." not in path.stem}
    assert pictures == set(SCENES)


@pytest.mark.parametrize("name", SCENES)
@settings(max_examples=10, deadline=None)
@given(light=st.text(max_size=30), dark=st.text(max_size=30))
def test_no_letter_leaves_the_panel_whatever_the_names(name, light, dark):
    screen, around = SCENES[name]
    snapshot = replace(around.snapshot, light=light, dark=dark)
    with pytest.MonkeyPatch.context() as patch:
        keep_letters_on_the_panel(patch)
        draw_menu(screen, snapshot, WORDS)


PLAIN = [text for name, text in menu_words.ITEMS.items() if "{" not in text]


@pytest.mark.parametrize("text", [*PLAIN, *map(WORDS.rules, RULE_SETS)])
def test_a_line_has_room_beside_its_place(text):
    assert ink_width(font(SMALL), text) <= 128 - font(SMALL).width("9/9") - 3, text


@pytest.mark.parametrize("text", menu_words.TITLES.values())
def test_a_title_fits(text):
    assert ink_width(font(MEDIUM), text) <= 128


@pytest.mark.parametrize("text", menu_words.OFFERS.values())
def test_an_offer_fits_with_long_names(text):
    told = text.format(name="Nebuchadnezzar", move="A1xB1-B2")
    assert fits(told, font(SMALL), (128,) * 3), told


@pytest.mark.parametrize("text", [menu_words.ANSWER, menu_words.NOT_YET])
def test_what_stands_on_a_line_of_its_own_fits(text):
    assert ink_width(font(SMALL), text) <= 126


@pytest.mark.parametrize("text", menu_words.DIE_STATES.values())
def test_what_is_wrong_with_a_die_fits_beside_its_place(text):
    assert ink_width(font(SMALL), f"4: {text}") <= 128 - font(SMALL).width("5/5") - 3
