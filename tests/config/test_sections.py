"""The sections agree with the parts that they configure."""

import re
import tomllib
import unicodedata
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

import pytest

from urpi.config import Config, kinds, sections
from urpi.config.kinds import PairedDice, PlayerName
from urpi.hardware import die_reports, protocol_constants
from urpi.hardware.die_faces import DieFaces
from urpi.page.actions import NAME
from urpi.referee import Timing
from urpi.referee.settings import FixedTiming

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


def test_the_paired_dice_are_those_that_the_devices_know() -> None:
    assert kinds.FACES == die_reports.FACES
    assert (*get_args(die_reports.Brand), "urpi") == kinds.BRANDS
    assert protocol_constants.RANGES["die"] == (1, kinds.MAX_BUILT)


DIE = {"address": "c4:00:11:22:33:44", "brand": "pixels", "faces": 4}
READ = {"address": "C4:00:11:22:33:44", "brand": "pixels", "faces": 4, "owner": "both"}


def test_paired_dice_are_read_and_written() -> None:
    dice = PairedDice().parse({"2": DIE, "1": DIE | {"address": "0" * 2 + ":00" * 5}})
    assert list(dice) == [1, 2]
    assert dice[2] == READ
    assert tomllib.loads(f"paired = {PairedDice().text({2: READ})}") == {"paired": {"2": READ}}


def test_a_built_die_has_a_key() -> None:
    (found,) = PairedDice().parse({"8": BUILT}).values()
    assert found == READ | {"brand": "urpi", "key": "0f" * 16}


BUILT = DIE | {"brand": "urpi", "key": "0F" * 16}


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"9": BUILT},
        {"1": BUILT | {"faces": 8}},
        {"1": BUILT | {"key": "0F" * 15}},
        {"1": BUILT | {"key": 7}},
        {"1": DIE | {"brand": "urpi"}},
        {"1": DIE | {"key": "0F" * 16}},
        {"0": DIE},
        {"256": DIE},
        {"9" * 5000: DIE},
        {"1": []},
        {"1": {}},
        {"1": DIE | {"address": "C4:00:11:22:33"}},
        {"1": DIE | {"address": 7}},
        {"1": DIE | {"brand": "other"}},
        {"1": DIE | {"brand": []}},
        {"1": DIE | {"faces": 5}},
        {"1": DIE | {"faces": True}},
        {"1": DIE | {"owner": "me"}},
        {"1": DIE | {"colour": "red"}},
        # The same die twice.
        {"1": DIE, "2": DIE},
    ],
)
def test_paired_dice_that_are_not_allowed(value: Any) -> None:
    with pytest.raises(ValueError, match="no address twice"):
        PairedDice().parse(value)
