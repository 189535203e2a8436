"""Every screen of the menu equals its reviewed golden picture, and its texts fit."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.each import each
from tests.show.views.golden import PICTURES, check_picture
from tests.show.views.menu_scenes import SCENES, invited
from tests.show.views.panel_edge import keep_letters_on_the_panel
from tests.slow import mostly_slow, slow_except
from urpi.rules import RULE_SETS, Side, parse_rules, rule_set
from urpi.show.views import draw_menu, menu_screens, outcome
from urpi.show.views.bitmap_font import BitmapFont, font
from urpi.show.views.menu_screens import invitation_text
from urpi.show.views.text import MEDIUM, SMALL, fits, ink_width
from urpi.show.words import display_languages, menu_words, words_for
from urpi.show.words.table_words import YOUR_SIDE

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


@pytest.mark.parametrize("name", mostly_slow(SCENES, 32))
@settings(max_examples=10, deadline=None)
@given(light=st.text(max_size=30), dark=st.text(max_size=30))
def test_letters_stay_on_the_panel_with_any_names(name, light, dark):
    screen, around = SCENES[name]
    snapshot = replace(around.snapshot, light=light, dark=dark)
    with pytest.MonkeyPatch.context() as patch:
        keep_letters_on_the_panel(patch)
        draw_menu(screen, snapshot, WORDS)


PLAIN = [text for name, text in menu_words.ITEMS.items() if "{" not in text]


@each("text", PLAIN)
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


def every_rules_word():
    for rules in RULE_SETS:
        options = rule_set(rules).known_options
        for values in product(*(option.values for option in options)):
            names = (option.name for option in options)
            yield rule_set(rules, dict(zip(names, values, strict=True))).text


def drawn_lines(screen, words, monkeypatch):
    drawn = []
    draw_text = BitmapFont.draw

    def noted(self, image, at, text, *, ink=1):
        drawn.append(text)
        draw_text(self, image, at, text, ink=ink)

    monkeypatch.setattr(BitmapFont, "draw", noted)
    draw_menu(screen, SCENES["invitation"][1].snapshot, words)
    monkeypatch.undo()
    return drawn


@pytest.mark.parametrize("language", slow_except(display_languages(), "hu"))
def test_an_invitation_shows_its_conditions_with_any_name(language, monkeypatch):
    words = words_for(language)
    for rules in every_rules_word():
        for side, name in product(Side, ("Ann", "Nebuchadnezzar " * 6)):
            screen = replace(invited(rules, name, side), place="Nebuchadnezzar-of-babylon-and-ur")
            title, *lines, _ = drawn_lines(screen, words, monkeypatch)
            shown = "  ".join(lines)
            here = words.text(YOUR_SIDE[side]) in lines
            there = words.text(menu_words.ITEMS[side.other.value]).partition("{")[0]
            assert here or title.startswith(there), (rules, side)
            expected = menu_screens._house_rules(parse_rules(rules), words)
            missing = [text for text in expected if text not in shown]
            assert (f"+{len(missing)}" in shown) == bool(missing), (rules, shown)
            # Only Murray's rules have that many options.
            assert len(missing) <= max(0, len(expected) - 2)
            assert "\N{HORIZONTAL ELLIPSIS}" not in shown


def test_an_invitation_is_read_out_with_its_conditions():
    text = invitation_text(invited("finkel3[pieces=5;safe_rosettes=no]"), WORDS)
    assert text == (
        "Ann (Lisbon) invites you: Finkel, three dice. You play dark. Pieces: 5. Rosettes not safe."
    )
