"""Every view equals its reviewed golden picture."""

import pytest

from tests.show.views.golden import PICTURES, check_picture
from tests.show.views.scenes import SCENES
from urpi.show.views import draw, draw_pin, outcome
from urpi.show.words import words_for


@pytest.fixture(autouse=True)
def one_version(monkeypatch):
    """Draw a constant version, so that the pictures do not depend on the program's."""
    monkeypatch.setattr(outcome, "__version__", "1.2.3")


@pytest.mark.parametrize("name", SCENES)
def test_scene_equals_its_golden_picture(name, update_golden):
    check_picture(name, draw(SCENES[name], words_for("en")), update=update_golden)


def test_pin_equals_its_golden_picture(update_golden):
    image = draw_pin("4711", "192.168.1.20:8080", words_for("en"))
    check_picture("pin", image, update=update_golden)


def test_every_golden_picture_has_a_scene():
    pictures = {path.stem for path in PICTURES.glob("*.png") if "." not in path.stem}
    assert {name for name in pictures if not name.startswith("dice-")} == {*SCENES, "pin"}
