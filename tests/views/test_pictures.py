"""Every view looks as it was once looked at and found good."""

import pytest

from tests.views.golden import PICTURES, check_picture
from tests.views.scenes import SCENES
from urpi.views import draw
from urpi.words import words_for


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_drawn_as_in_its_golden_picture(name, update_golden):
    check_picture(name, draw(SCENES[name], words_for("en")), update=update_golden)


def test_no_golden_picture_is_left_without_its_scene():
    pictures = {path.stem for path in PICTURES.glob("*.png") if "." not in path.stem}
    assert {name for name in pictures if not name.startswith("dice-")} == set(SCENES)
