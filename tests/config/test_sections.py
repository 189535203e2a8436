"""The sections agree with the parts that they configure."""

import re
import tomllib
import unicodedata
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from urpi.config import Config, sections
from urpi.config.kinds import PlayerName
from urpi.devices.die_faces import DieFaces
from urpi.referee import Timing
from urpi.referee.settings import FixedTiming
from urpi.web.actions import NAME

PINS = Path(__file__).parents[2] / "wiring" / "pins.toml"


def test_the_referee_s_timing_has_the_same_names_and_defaults() -> None:
    fixed = {each.name for each in fields(FixedTiming)}
    timing = {name: ms for name, ms in asdict(Timing()).items() if name not in fixed}
    assert timing.items() <= asdict(Config().timing).items()
    assert not fixed & asdict(Config().timing).keys()


def test_a_name_is_allowed_if_the_page_allows_it() -> None:
    allowed = PlayerName()
    assert allowed.max_length == NAME["maxLength"]
    for letter in map(chr, range(0x100)):
        # Control characters cannot be seen; both reject them when they normalise the name.
        if letter > "\x7f" and unicodedata.category(letter) in {"Cc", "Cf"}:
            continue
        if re.fullmatch(NAME["pattern"], letter):
            assert allowed.parse(letter) == letter.strip()
        else:
            with pytest.raises(ValueError, match="in one line"):
                allowed.parse(letter)


def test_the_tips_have_the_default_of_the_dice() -> None:
    tips = {"gold": "g", "silver": "s", "blank": "-"}
    assert "".join(tips[tip] for tip in Config().hub.faces.d4) == DieFaces().tips


def test_the_defaults_of_the_wiring_are_those_of_the_pin_map() -> None:
    pins = tomllib.loads(PINS.read_text("utf-8"))
    oled, expander = pins["oled"], pins["expander"]
    assert (oled["port"], oled["address"]) == (sections.OLED_PORT, sections.OLED_ADDRESS)
    assert expander["port"] == sections.EXPANDER_PORT
    assert tuple(expander["addresses"]) == sections.EXPANDER_ADDRESSES
    assert expander["buzzer"] == sections.BUZZER_GPIO
    assert tuple(pins["chutes"].values()) == sections.CHUTE_GPIOS
