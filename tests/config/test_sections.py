"""The sections say the same as the parts that they configure."""

import re
from dataclasses import asdict

import pytest

from urpi.config import Config
from urpi.config.kinds import PlayerName
from urpi.devices.die_faces import DieFaces
from urpi.referee import Timing
from urpi.web.actions import NAME


def test_the_referee_s_timing_has_the_same_names_and_defaults() -> None:
    assert asdict(Timing()).items() <= asdict(Config().timing).items()


def test_a_name_may_be_what_it_may_be_on_the_page() -> None:
    allowed = PlayerName()
    assert allowed.most == NAME["maxLength"]
    for letter in map(chr, range(0x100)):
        if re.fullmatch(NAME["pattern"], letter):
            assert allowed.take(letter) == letter
        else:
            with pytest.raises(ValueError, match="in one line"):
                allowed.take(letter)


def test_the_tips_are_the_dice_s_own_default() -> None:
    tips = {"gold": "g", "silver": "s", "blank": "-"}
    assert "".join(tips[tip] for tip in Config().hub.faces.d4) == DieFaces().tips
