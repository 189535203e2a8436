"""The two players are told apart by name, whatever the script of their names."""

import unicodedata
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.show.views.scenes import SCENES
from urpi.rules import Side
from urpi.show.menu.screens import Item
from urpi.show.views.bitmap_font import font
from urpi.show.views.menu_screens import label
from urpi.show.views.phrases import is_legible, player_name
from urpi.show.words import words_for

LIGHT, DARK = Side
WORDS = words_for("en")
NFC = partial(unicodedata.normalize, "NFC")


def shown(light, dark):
    named = replace(SCENES["throw-after-move"], light=light, dark=dark)
    return player_name(named, LIGHT, WORDS), player_name(named, DARK, WORDS)


@pytest.mark.parametrize(
    ("light", "dark"),
    [("李雷", "韩梅"), ("علي", "سارة"), ("דוד", "רות"), ("राम", "सीता"), ("สมชาย", "อนงค์")],
)
def test_a_name_without_letters_in_the_font_is_the_sides(light, dark):
    assert shown(light, dark) == ("Light", "Dark")


@pytest.mark.parametrize("name", ["Nguyễn Thị Ngọc", "Zoë", "Şükriye", "Ελένη", "Љубица", "Łukasz"])
def test_a_name_in_a_script_of_the_font_is_shown_in_either_normal_form(name):
    assert shown(unicodedata.normalize("NFD", name), name) == (name, name)


@given(st.text(min_size=1, max_size=30), st.sampled_from(["light", "choose-dark"]))
def test_the_menu_has_no_name_that_the_font_cannot_show(name, item):
    text = label(Item(item, name), WORDS)
    assert font(12).has(text)
    assert ("Light" in text or "Dark" in text) if not is_legible(name) else NFC(name) in text


@given(st.text(min_size=1, max_size=30))
def test_every_letter_of_a_name_that_is_shown_is_in_the_font(name):
    assert font(12).has(shown(name, "")[0])
