"""How large the letters of every picture appear, in minutes of arc on a panel of 1.3 inches.

From a metre the turn, the throw and what to do in a warning appear at least 16 minutes high, the
least of ISO 9241-3 for reading with ease, and everything else 8. What is read with a finger on a
button (menu, PIN, reviews, a card's progress) appears as large from half a metre.
"""

import math
import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import pytest
from PIL import Image

from tests.show.views.menu_scenes import SCENES as MENU_SCENES
from tests.show.views.scenes import SCENES
from tests.show.views.test_end_review import SCENES as END_SCENES
from tests.slow import slow_except
from urpi.hardware.template.measures import OLEDS
from urpi.referee.snapshot import Phase
from urpi.rules import Side
from urpi.show.views import draw, draw_end_review, draw_menu, draw_pin
from urpi.show.views.bitmap_font import BitmapFont
from urpi.show.views.notice import draw_progress
from urpi.show.views.phrases import player_name
from urpi.show.views.turn import DISC, draw_disc
from urpi.show.words import display_languages, words_for

PITCH_MM = {inches: oled.seen[1] / 64 for inches, oled in OLEDS.items()}
"""The distance of two rows by the panel's size in inches."""
MAIN, SECOND = 16, 8
"""Minutes of arc."""


class Line(NamedTuple):
    text: str
    capital: int


def minutes(pixels, inches="1.3", distance_mm=1000):
    return math.degrees(math.atan(pixels * PITCH_MM[inches] / distance_mm)) * 60


@contextmanager
def recorded():
    """Record each line of text that is drawn, with the height of its capitals in pixels."""
    draw_text, lines = BitmapFont.draw, []

    def draw_recorded(self, image, at, text, *, ink=1):
        lines.append(Line(text, self.capital))
        draw_text(self, image, at, text, ink=ink)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "draw", draw_recorded)
        yield lines


def has_disc(picture, side):
    """Return whether a picture contains the disc of a side in its full size."""
    disc = Image.new("1", (DISC, DISC))
    draw_disc(disc, (0, 0), side)
    places = ((x, y) for x in range(128 - DISC + 1) for y in range(64 - DISC + 1))
    return any(
        picture.crop((x, y, x + DISC, y + DISC)).tobytes() == disc.tobytes() for x, y in places
    )


def is_large(lines, text):
    """Return whether a text is in the lines, in letters that are read from a metre with ease."""
    return any(text.upper() in line.text and minutes(line.capital) >= MAIN for line in lines)


@pytest.mark.parametrize("language", display_languages())
def test_everything_in_a_game_is_legible_from_a_metre(language):
    words, smallest = words_for(language), {}
    for name, scene in SCENES.items():
        with recorded() as lines:
            draw(scene, words)
        smallest[name] = min(minutes(line.capital) for line in lines if line.text)
    name = min(smallest, key=smallest.get)
    sys.stdout.write(f"{language}: the smallest text appears {smallest[name]:.1f}' high ({name})\n")
    assert smallest[name] >= SECOND


def turns():
    """Return the scenes that show whose turn it is, without a question or a warning."""
    return {
        name: scene
        for name, scene in SCENES.items()
        if scene.side is not None and scene.question is None and scene.warning is None
    }


def shows_name(scene):
    """Return whether there is room for the name: not if the dice are named that are waited for."""
    return not (scene.refused or (scene.settled and not scene.rolling and not scene.last))


@pytest.mark.parametrize("language", slow_except(display_languages(), "hu", "ru"))
def test_whose_turn_it_is_is_read_from_a_metre_with_ease(language):
    words = words_for(language)
    assert minutes(DISC) >= MAIN
    for name, scene in turns().items():
        side = scene.side if scene.coached is None else scene.coached.side
        with recorded() as lines:
            picture = draw(scene, words)
        assert has_disc(picture, side), name
        whole = player_name(scene, side, words)
        if scene.phase is Phase.THROW and scene.coached is None and shows_name(scene):
            assert is_large(lines, whole[:8]), name


@pytest.mark.parametrize("language", display_languages())
def test_the_throw_is_read_from_a_metre_with_ease(language):
    # A move that is shown with a refusal, or answered by the coach, is what its picture is about.
    thrown = {
        name: scene
        for name, scene in turns().items()
        if scene.throw and not (scene.seems or scene.coached or (scene.planned and scene.last))
    }
    assert len(thrown) > 20
    for name, scene in thrown.items():
        with recorded() as lines:
            draw(scene, words_for(language))
        value = max((line for line in lines if line.text == str(scene.throw.value)), default=None)
        assert value is not None, name
        assert minutes(value.capital) >= MAIN, name


@pytest.mark.parametrize("language", display_languages())
def test_what_to_do_in_a_warning_is_read_from_a_metre_with_ease(language):
    warned = {name: scene for name, scene in SCENES.items() if scene.warning is not None}
    assert len(warned) >= 6
    for name, scene in warned.items():
        with recorded() as lines:
            draw(scene, words_for(language))
        largest = max(lines, key=lambda line: line.capital)
        assert minutes(largest.capital) >= MAIN, name
        assert any(square in largest.text for square in ("A2", "A4", "B2", "B3", "B6")), name


@pytest.mark.parametrize("side", Side)
def test_the_turn_is_the_largest_thing_before_a_throw(side):
    scene = replace(SCENES["throw-after-move"], side=side)
    with recorded() as lines:
        picture = draw(scene, words_for("en"))
    assert has_disc(picture, side)
    largest = max(line.capital for line in lines)
    assert [line.text for line in lines if line.capital == largest] == [side.value.upper()]


def test_what_is_read_at_the_buttons_is_legible_from_half_a_metre():
    words = words_for("ru")
    with recorded() as lines:
        for screen, around in MENU_SCENES.values():
            draw_menu(screen, around.snapshot, words)
        for end in END_SCENES.values():
            draw_end_review(end, words)
        draw_pin("471100", "192.168.100.200:8011", words)
        draw_progress("urpi", "Downloading")
    smallest = min(minutes(line.capital, distance_mm=500) for line in lines if line.text)
    sys.stdout.write(f"At the buttons the smallest text appears {smallest:.1f}' high\n")
    assert smallest >= SECOND
