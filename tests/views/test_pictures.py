"""Every view looks as it was once looked at and found good."""

import pytest

from tests.views.golden import PICTURES, check_picture
from tests.views.scenes import SCENES
from urpi.views import draw, draw_pin, outcome
from urpi.words import words_for


@pytest.fixture(autouse=True)
def one_version(monkeypatch):
    """The pictures stay when the version goes on."""
    monkeypatch.setattr(outcome, "__version__", "1.2.3")


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_drawn_as_in_its_golden_picture(name, update_golden):
    check_picture(name, draw(SCENES[name], words_for("en")), update=update_golden)


def test_the_pin_is_drawn_as_in_its_golden_picture(update_golden):
    image = draw_pin("4711", "192.168.1.20:8080", words_for("en"))
    check_picture("pin", image, update=update_golden)


def test_no_golden_picture_is_left_without_its_scene():
    pictures = {path.stem for path in PICTURES.glob("*.png") if "." not in path.stem}
    assert {name for name in pictures if not name.startswith("dice-")} == {*SCENES, "pin"}
