"""The faults of a wiring, on which serve and check-wiring must agree."""

import json
import tomllib
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hardware.expander_bus import ExpanderPins
from urpi.cli.main import cli
from urpi.cli.wiring_report import enabled_functions
from urpi.config import Config, ExpanderSection, GpioSection, OledSection, SoundSection
from urpi.core.errors import UrpiError
from urpi.hardware import ContactBackend, default_pins, open_contacts
from urpi.hardware.header import CONSOLE, HEADER_PINS, ONE_WIRE, SPI
from urpi.hardware.wiring import conflicts, faults, shared_pins, wires_of
from urpi.install.doctor.tree import Tree
from urpi.rules import SQUARE_NAMES
from urpi.service.backends import configured_backends

PINS = default_pins()
PINS_PAGE = Path(__file__).parents[3] / "wiring" / "pins.toml"
EXPANDER = GpioSection(wiring="expander")


def found_faults(config, pins=PINS):
    return [("wrong" if fault.wrong else "poor", fault.sentence) for fault in faults(config, pins)]


@pytest.mark.parametrize(
    "config",
    [
        Config(),
        Config(gpio=GpioSection(chutes=True)),
        Config(gpio=GpioSection(pins={"A1": 17, "A2": 4})),
        Config(sound=SoundSection(buzzer=True, buzzer_pin=14)),
        Config(gpio=EXPANDER, sound=SoundSection(buzzer=True)),
        Config(gpio=replace(EXPANDER, chutes=True), expander=ExpanderSection(interrupts=False)),
        Config(gpio=EXPANDER, expander=ExpanderSection(first=0x26, second=0x27)),
        Config(
            gpio=EXPANDER,
            expander=ExpanderSection(interrupts=False),
            sound=SoundSection(buzzer_pin=17),
        ),
        Config(gpio=EXPANDER, oled=OledSection(driver="none", i2c_address=0x20)),
    ],
)
def test_a_wiring_that_works_has_no_fault(config):
    assert found_faults(config) == []


WRONG = [
    (Config(gpio=GpioSection(pins={"B4": 4})), "gpio.pins", "B4 is on GPIO 4", "free: 25, 14, 15"),
    (
        Config(gpio=GpioSection(pins={"B4": 0})),
        "gpio.pins",
        "already the EEPROM's",
        "0 to 3 are no",
    ),
    (
        Config(gpio=GpioSection(pins={"dark": 3})),
        "gpio.pins",
        "already the OLED's",
        "0 to 3 are no",
    ),
    (
        Config(gpio=GpioSection(chutes=True, pins={"C7": 15})),
        "gpio.pins",
        "of dark chute",
        "free: 16",
    ),
    (
        Config(gpio=EXPANDER, expander=ExpanderSection(second=0x20)),
        "expander.second",
        "both expanders are at 0x20",
        "0x20 to 0x27",
    ),
    (
        Config(gpio=EXPANDER, oled=OledSection(i2c_address=0x21)),
        "oled.i2c_address",
        "the OLED is at 0x21",
        "0x3C or 0x3D",
    ),
]
POOR = [
    (Config(sound=SoundSection(buzzer=True)), "sound.buzzer_pin", "has no pin", "free: 14, 15"),
    (Config(sound=SoundSection(buzzer_pin=4)), "sound.buzzer_pin", "on GPIO 4", "free: 14, 15"),
    (
        Config(gpio=GpioSection(chutes=True), sound=SoundSection(buzzer=True, buzzer_pin=14)),
        "sound.buzzer_pin",
        "already that of light chute",
        "none of the header's is free",
    ),
    (
        Config(gpio=EXPANDER, sound=SoundSection(buzzer=True, buzzer_pin=27)),
        "sound.buzzer_pin",
        "already that of INTA of second chip",
        "free: 5, 6, 12, 13",
    ),
    (Config(gpio=replace(EXPANDER, pins={"B4": 4})), "gpio.pins", "it moves B4", '"header"'),
    (Config(expander=ExpanderSection(first=0x22)), "expander.first", "it is set", '"expander"'),
    (Config(oled=OledSection(i2c_port=3)), "oled.i2c_port", "it is 3", "bus is 1"),
    (
        Config(gpio=EXPANDER, expander=ExpanderSection(i2c_port=0)),
        "expander.i2c_port",
        "is 0",
        "bus is 1",
    ),
]


@pytest.mark.parametrize(
    ("level", "config", "key", "found", "cure"),
    [("wrong", *case) for case in WRONG] + [("poor", *case) for case in POOR],
)
def test_a_fault_is_one_sentence_with_key_cause_allowed_values_and_cure(
    level, config, key, found, cure
):
    ((found_level, sentence),) = found_faults(config)
    assert found_level == level
    assert sentence.startswith(f"{key}: ")
    assert found in sentence
    assert cure in sentence
    assert sentence.endswith(".")
    assert sentence.count(";") >= 2


def test_all_faults_are_reported_at_once():
    config = Config(gpio=GpioSection(pins={"A1": 17, "B4": 3}), sound=SoundSection(buzzer=True))
    assert [level for level, _ in found_faults(config)] == ["wrong", "wrong", "poor"]


def test_a_pin_map_without_expanders_is_a_fault():
    ((level, sentence),) = found_faults(Config(gpio=EXPANDER), replace(PINS, expander=None))
    assert (level, sentence.startswith("gpio.wiring: the pin map has no [expander]")) == (
        "wrong",
        True,
    )


@pytest.mark.parametrize(
    ("config", "disabled"),
    [
        (Config(), {SPI: {"B2", "B3", "B5", "B6", "B7"}, ONE_WIRE: {"A1"}}),
        (
            Config(gpio=GpioSection(pins={"A1": 14})),
            {SPI: {"B2", "B3", "B5", "B6", "B7"}, CONSOLE: {"A1"}},
        ),
        (Config(gpio=EXPANDER), {}),
        (Config(gpio=EXPANDER, sound=SoundSection(buzzer_pin=8)), {SPI: {"the buzzer"}}),
    ],
)
def test_functions_to_disable_are_listed_with_their_wires(config, disabled):
    assert {use: set(wires) for use, wires in shared_pins(config, PINS).items()} == disabled
    found = list(conflicts(config, PINS, (SPI, CONSOLE)))
    assert len(found) == len(disabled.keys() & {SPI, CONSOLE})
    assert all(fault.wrong and "raspi-config" in fault.cure for fault in found)


@pytest.mark.parametrize(
    ("model", "enabled"), [("Raspberry Pi 4 Model B", (SPI, CONSOLE)), ("A laptop", ())]
)
def test_enabled_functions_are_detected_on_a_pi(tmp_path, model, enabled):
    for name, text in (
        ("proc/device-tree/model", model),
        ("proc/cmdline", "console=serial0,115200 root=/dev/mmcblk0p2"),
        ("dev/spidev0.0", ""),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert enabled_functions(Tree(tmp_path)) == enabled


gpio_numbers = st.integers(0, 27)
configurations = st.builds(
    Config,
    gpio=st.builds(
        GpioSection,
        factory=st.just("mock"),
        pins=st.dictionaries(
            st.sampled_from([*SQUARE_NAMES, "light", "dark"]), gpio_numbers, max_size=4
        ).filter(lambda pins: len(set(pins.values())) == len(pins)),
        wiring=st.sampled_from(["header", "expander"]),
        chutes=st.booleans(),
    ),
    expander=st.builds(
        ExpanderSection,
        first=st.none() | st.integers(0x20, 0x27),
        second=st.none() | st.integers(0x20, 0x27),
        interrupts=st.booleans(),
    ),
    oled=st.builds(
        OledSection,
        driver=st.sampled_from(["none", "ssd1306"]),
        i2c_address=st.sampled_from([0x20, 0x21, 0x27, 0x3C]),
    ),
    sound=st.builds(SoundSection, buzzer=st.booleans(), buzzer_pin=st.none() | gpio_numbers),
)


def open_error(config):
    """Return the error with which serve would reject the wiring, empty if it opens it."""
    try:
        backends = configured_backends(config)
        table = ExpanderPins(MockFactory(), PINS.expander)
        backend = ContactBackend(MockFactory(), backends.pins, lambda _port: table.bus)
        open_contacts(config, backend, count().__next__, list, list).close()
    except UrpiError as error:
        return str(error)
    return ""


@settings(max_examples=60, deadline=None)
@given(configurations)
def test_serve_and_check_wiring_accept_the_same_wirings(config):
    wrong = [fault.sentence for fault in faults(config, PINS) if fault.wrong]
    assert (open_error(config) in wrong) if wrong else (open_error(config) == "")


@settings(max_examples=100, deadline=None)
@given(configurations)
def test_a_valid_wiring_has_one_wire_per_contact_and_no_gpio_twice(config):
    if any(fault.wrong or fault.key.startswith("sound") for fault in faults(config, PINS)):
        return
    wires = wires_of(config, PINS)
    ends = [wire.gpio for wire in wires if wire.chip is None and wire.gpio is not None]
    inputs = [wire.chip_pin for wire in wires if wire.chip_pin]
    assert len(set(ends)) == len(ends)
    assert len(set(inputs)) == len(inputs)
    assert {wire.name for wire in wires} >= {*SQUARE_NAMES, "light button", "dark button"}
    assert all(wire.gpio is None or wire.pin == HEADER_PINS[wire.gpio] for wire in wires)


def run(tmp_path, text, *arguments):
    path = tmp_path / "urpi.toml"
    path.write_text(text)
    done = CliRunner().invoke(cli, ["--config", str(path), "check-wiring", *arguments])
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("text", "status", "summary"),
    [
        ("", 0, "The wiring has no faults."),
        ("[oled]\ni2c_port = 3\n", 1, "The board works, but some of its wiring is poor."),
        ("[gpio]\npins = { A1 = 17 }\n", 2, "The board does not work with this wiring."),
    ],
)
def test_the_exit_status_is_that_of_the_worst_fault(tmp_path, text, status, summary):
    code, output = run(tmp_path, text)
    assert (code, output.splitlines()[-1]) == (status, summary)


def test_a_fault_names_the_file_and_the_line(tmp_path):
    _, output = run(tmp_path, "[gpio]\nchutes = true\npins = { A1 = 17 }\n")
    assert f"BAD   {tmp_path}/urpi.toml:3: gpio.pins: A1 is on GPIO 17 (pin 11)" in output


def test_the_table_lists_every_wire_with_its_pins(tmp_path):
    _, header = run(tmp_path, "", "--table")
    tables = tomllib.loads(PINS_PAGE.read_text())
    for square, gpio in tables["squares"].items():
        assert any(
            line.split() == [square, str(gpio), str(HEADER_PINS[gpio]), "ground"]
            for line in header.splitlines()
        )
    _, expander = run(tmp_path, '[gpio]\nwiring = "expander"\n', "--table")
    assert any(line.split() == ["C8", "1.A5", "26", "ground"] for line in expander.splitlines())
    assert "A0 of second chip" in expander


def test_json_holds_status_faults_and_wires(tmp_path):
    code, output = run(tmp_path, "[sound]\nbuzzer = true\n", "--json")
    page = json.loads(output)
    assert page["status"] == code == 1
    (fault,) = page["faults"]
    assert fault["key"] == "sound.buzzer_pin"
    assert fault["wrong"] is False
    assert page["wires"][0]["name"] == "A1"
    assert json.loads(run(tmp_path, "[gpio]\npins = { A1 = 17 }\n", "--json")[1])["wires"] == []


def test_a_poor_wiring_is_a_finding_of_the_doctor_too(tmp_path):
    path = tmp_path / "urpi.toml"
    path.write_text(
        '[gpio]\nfactory = "mock"\n[expander]\nfirst = 0x22\n'
        f'[oled]\ndriver = "none"\n[hub]\nport = "{tmp_path}/none"\n'
        f'[journal]\npath = "{tmp_path}/games.db"\n'
    )
    done = CliRunner().invoke(cli, ["--config", str(path), "doctor"])
    assert "poor  wiring     expander.first: it is set" in done.output
