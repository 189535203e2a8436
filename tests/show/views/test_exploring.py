"""The display's last line in an exploration: it fits in every language, beside any picture."""

import pytest

from tests.show.views.golden import check_picture
from tests.show.views.scenes import SCENES
from urpi.rules import Side
from urpi.show.scene import Scene, oled_picture
from urpi.show.views.panel import WIDTH
from urpi.show.views.text import fits, second
from urpi.show.words import display_languages, words_for
from urpi.show.words.exploring_words import GOING_BACK, TRYING, value_line

ENGLISH = words_for("en")
LINES = {
    "throw": ("throw-names", value_line(ENGLISH, Side.LIGHT, 0.62, exact=True)),
    "move": ("move-four", value_line(ENGLISH, Side.DARK, 0.07, exact=False)),
    "unknown": ("move-four", TRYING),
    "rebuild": ("rebuild", GOING_BACK),
    "over": ("won-name", TRYING),
}


@pytest.mark.parametrize("name", LINES)
def test_picture_equals_its_golden_picture(name: str, *, update_golden: bool) -> None:
    scene, line = LINES[name]
    picture = oled_picture(Scene(SCENES[scene], ENGLISH, notice=line, brief=True))
    check_picture(f"exploring/{name}", picture, update=update_golden)


@pytest.mark.parametrize("language", display_languages())
def test_every_line_fits_and_says_how_the_value_is_known(language: str) -> None:
    words = words_for(language)
    lines = [words.text(TRYING), words.text(GOING_BACK)]
    for side in Side:
        exact, estimated = (value_line(words, side, 1.0, exact=kind) for kind in (True, False))
        assert exact != estimated
        lines += [exact, estimated]
    for line in lines:
        assert fits(line, second(), (WIDTH - 2,)), line
