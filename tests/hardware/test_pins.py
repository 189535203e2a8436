import re
import tomllib
from pathlib import Path

import pytest

from tests.each import each
from urpi.core.errors import UrpiError
from urpi.hardware.header import RESERVED
from urpi.hardware.pins import changed_pins, default_pins, parse_pins, read_pins
from urpi.rules import SQUARE_NAMES, Side, parse_square

PATH = Path(__file__).parents[2] / "wiring/pins.toml"
TEXT = PATH.read_text()
UART = {14, 15}
HEADER_PINS = {
    2: 3,
    3: 5,
    4: 7,
    5: 29,
    6: 31,
    7: 26,
    8: 24,
    9: 21,
    10: 19,
    11: 23,
    12: 32,
    13: 33,
    14: 8,
    15: 10,
    16: 36,
    17: 11,
    18: 12,
    19: 35,
    20: 38,
    21: 40,
    22: 15,
    23: 16,
    24: 18,
    25: 22,
    26: 37,
    27: 13,
}
"""The header pin of every GPIO, from the Raspberry Pi documentation's GPIO page."""


def test_package_data_equals_the_map_in_wiring():
    assert default_pins() == read_pins(PATH)


def test_every_square_and_button_has_its_own_gpio():
    pins = default_pins()
    wires = [*pins.squares, *pins.buttons.values()]
    assert len(set(wires)) == len(SQUARE_NAMES) + len(Side) == 22
    assert not set(wires) & (set(RESERVED) | UART)


def test_chutes_use_the_serial_console_pins():
    assert set(default_pins().chutes.values()) == UART
    assert len(set(default_pins().contacts(chutes=True).values())) == 24


def test_expanders_have_every_contact_on_an_input_pin():
    expander = default_pins().expander
    assert set(expander.inputs) >= {*SQUARE_NAMES, "light chute", "dark chute", "light button"}
    assert len(set(expander.inputs.values())) == len(expander.inputs) == 26
    assert not {bit for _, bit in expander.inputs.values()} & {7, 15}
    assert not {expander.buzzer, *expander.interrupts} & set(RESERVED)


def test_contacts_of_a_chip_by_bit():
    assert default_pins().expander.of_chip(1)[8] == "light chute"


def test_each_hall_sensor_has_an_input_of_its_own():
    converters = default_pins().converters
    assert converters.addresses == (0x48, 0x49, 0x4A)
    assert len(set(converters.inputs)) == len(SQUARE_NAMES)
    assert converters.of_chip(2)[parse_square("B5")] == 0
    assert sum(len(converters.of_chip(chip)) for chip in range(3)) == len(SQUARE_NAMES)


def test_squares_are_ordered_by_bit_number():
    pins = default_pins()
    tables = tomllib.loads(TEXT)
    assert pins.squares[parse_square("B4")] == tables["squares"]["B4"]
    assert pins.buttons[Side.DARK] == tables["buttons"]["dark"]
    assert (pins.oled_port, pins.oled_address) == (1, 0x3C)


def test_comments_name_the_header_pin_of_their_gpio():
    wires = re.findall(r"= (\d+) +# pin (\d+)", TEXT)
    assert len(wires) == 25
    for gpio, pin in wires:
        assert HEADER_PINS[int(gpio)] == int(pin)


@each(
    ("old", "new", "message"),
    [
        ("A2 = 17 ", "A2 = 4 ", r"A2 is on GPIO 4 .*already that of A1"),
        ("light = 20", "light = 4", r"light button is on GPIO 4 .*already that of A1"),
        ("A2 = 17 ", "A2 = 2 ", r"A2 is on GPIO 2 .*already the OLED's"),
        ("A2 = 17 ", "", r"\[squares\] lacks A2"),
        ("A2 = 17 ", "A5 = 17 ", r"unknown key 'A5'"),
        ("A2 = 17 ", "A2 = 28 ", r"A2 must be a whole number from 0 to 27; found 28"),
        ("A2 = 17 ", "A2 = -1 ", r"A2 must be a whole number from 0 to 27; found -1"),
        ("A2 = 17 ", "A2 = true ", r"A2 must be a whole number from 0 to 27; found True"),
        ("A2 = 17 ", "A2 = '17' ", r"A2 must be a whole number from 0 to 27; found '17'"),
        ("A2 = 17 ", "A2 = [17] ", r"A2 must be a whole number from 0 to 27; found \[17\]"),
        ("dark = 21", "", r"\[buttons\] lacks dark"),
        ("[oled]", "[old]", r"unknown key 'old'"),
        ("0x3C", "0x80", r"oled.address must be .*; found 128"),
        ("port = 1", "port = -1", r"oled.port must be .*; found -1"),
        ("A2 = 17 ", "A2 == 17 ", r"is not TOML"),
        ("light = 14", "light = 4", r"light chute is on GPIO 4 .*already that of A1"),
        ('A1 = "0.A0"', 'A1 = "0.A1"', r"A2 is on 0.A1, which is in use"),
        ('A1 = "0.A0"', 'A1 = "0.A7"', r"A1 is on 0.A7, but GPA7 and GPB7 must not be inputs"),
        ('A1 = "0.A0"', 'A1 = "2.A0"', r"A1 is '2.A0'; write chip and pin"),
        ('A1 = "0.A0"', "A1 = 4", r"A1 is 4; write chip and pin"),
        ('A1 = "0.A0"\n', "", r"\[squares\] lacks A1"),
        ('light-2 = "1.B4"', 'light-3 = "1.B4"', r"unknown key 'light-3'"),
        ("[0x20, 0x21]", "[0x20, 0x20]", r"both chips have the same address"),
        ("[0x20, 0x21]", "[0x20, 0x28]", r"addresses must be .*; found 40"),
        ("[0x20, 0x21]", "[0x20]", r"a list of 2 numbers"),
        ("buzzer = 18", "buzzer = 28", r"buzzer must be .*; found 28"),
        ("[expander.buttons]", "[expander.knobs]", r"unknown key 'knobs'"),
        ("[0x48, 0x49, 0x4A]", "[0x48, 0x49, 0x48]", r"two converters have the same address"),
        ("[0x48, 0x49, 0x4A]", "[0x48, 0x49, 0x4C]", r"addresses must be .*; found 76"),
        ("[0x48, 0x49, 0x4A]", "[0x48, 0x49]", r"a list of 3 numbers"),
        ('A1 = "1.0"', 'A1 = "1.1"', r"A2 is on 1.1, which is in use"),
        ('A1 = "1.0"', 'A1 = "3.0"', r"A1 is '3.0'; write converter and input"),
        ('A1 = "1.0"', "A1 = 1.0", r"A1 is 1.0; write converter and input"),
        ('A1 = "1.0"\n', "", r"\[squares\] lacks A1"),
    ],
)
def test_error_for_an_invalid_map_names_the_fault(old, new, message):
    with pytest.raises(UrpiError, match=f"mine.toml.*{message}"):
        parse_pins(TEXT.replace(old, new), "mine.toml")


def test_value_in_place_of_a_table_is_rejected():
    with pytest.raises(UrpiError, match="must be a TOML table"):
        parse_pins("squares = 1\nbuttons = 1\noled = 1\nconverters = 1\n", "mine.toml")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(UrpiError, match=r"mine\.toml cannot be read"):
        read_pins(tmp_path / "mine.toml")


def test_wire_can_be_moved_and_two_can_be_swapped():
    moved = changed_pins(default_pins(), {"A1": 14, "light": 15})
    assert moved.contacts()["A1"] == 14
    assert moved.buttons[Side.LIGHT] == 15
    swapped = changed_pins(default_pins(), {"A1": 17, "A2": 4}).contacts()
    assert (swapped["A1"], swapped["A2"]) == (17, 4)


@pytest.mark.parametrize(
    ("changes", "chutes", "message"),
    [
        ({"A1": 17}, False, "A1 is on GPIO 17 .*already that of A2"),
        ({"B4": 4}, False, "B4 is on GPIO 4 .*already that of A1"),
        ({"dark": 2}, False, "dark button is on GPIO 2 .*already the OLED's"),
        ({"A1": 14}, True, "A1 is on GPIO 14 .*already that of light chute"),
    ],
)
def test_wire_cannot_be_moved_to_a_pin_in_use(changes, chutes, message):
    with pytest.raises(UrpiError, match=message):
        changed_pins(default_pins(), changes, chutes=chutes)
