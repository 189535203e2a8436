"""The defaults that wiring/pins.toml says too."""

import tomllib
from pathlib import Path

from urpi.config import wired

PINS = Path(__file__).parents[2] / "wiring" / "pins.toml"


def test_the_defaults_are_those_of_the_pin_map():
    pins = tomllib.loads(PINS.read_text("utf-8"))
    assert (pins["oled"]["port"], pins["oled"]["address"]) == (wired.OLED_PORT, wired.OLED_ADDRESS)
    expander = pins["expander"]
    assert expander["port"] == wired.EXPANDER_PORT
    assert expander["addresses"] == [wired.FIRST_ADDRESS, wired.SECOND_ADDRESS]
    assert expander["buzzer"] == wired.BUZZER_GPIO
    assert tuple(pins["chutes"].values()) == wired.CHUTE_GPIOS
