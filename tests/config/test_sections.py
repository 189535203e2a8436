"""The sections say the same as the parts that they configure."""

from dataclasses import asdict

from urpi.config import Config
from urpi.devices.die_faces import DieFaces
from urpi.referee import Timing


def test_the_referee_s_timing_has_the_same_names_and_defaults() -> None:
    assert asdict(Timing()).items() <= asdict(Config().timing).items()


def test_the_tips_are_the_dice_s_own_default() -> None:
    tips = {"gold": "g", "silver": "s", "blank": "-"}
    assert "".join(tips[tip] for tip in Config().hub.faces.d4) == DieFaces().tips
