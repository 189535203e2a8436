"""Which machine it is, which chip is the header's, and what else has its pins."""

import sys

import pytest

from tests.doctor.trees import (
    BCM2711,
    BCM2835,
    LAPTOP,
    MODEL_5,
    PIS,
    POWER,
    RP1,
    Pi,
    found_by,
    of_area,
)
from urpi.config import Config, Gpio, Sound
from urpi.doctor.facts import Person, Switched
from urpi.doctor.probes.machine import run, switched, throttled
from urpi.doctor.tree import Tree


@pytest.mark.parametrize("name", PIS)
def test_every_pi_is_known_and_its_header_found_by_name(tmp_path, name):
    pi = PIS[name]
    (number,) = (n for n, chip in pi.chips.items() if chip in {BCM2835, BCM2711, RP1})
    found = found_by(tmp_path, pi)
    (machine,) = of_area(found, "machine")
    told = f"{pi.model}, kernel {pi.kernel}, {pi.word_bits} bit, {pi.system} -> "
    assert machine == ("right", told)
    words = f"/dev/gpiochip{number} is the header's, by its name {pi.chips[number][0]} -> "
    assert of_area(found, "pins") == [("right", words)]


def test_a_chip_that_may_not_be_asked_is_found_by_the_device_tree_with_its_cure(tmp_path):
    person = Person("anna", False, frozenset(), frozenset(), frozenset({"gpio"}))
    found = found_by(
        tmp_path,
        PIS["5, chip 15"],
        labels=list,
        usable=lambda path: "gpiochip" not in path,
        person=lambda _tree: person,
    )
    ((level, words),) = of_area(found, "pins")
    assert level == "broken"
    assert (
        "/dev/gpiochip15, the header's chip by its device-tree name raspberrypi,rp1-gpio" in words
    )
    assert "sudo usermod -aG gpio anna" in words


def test_a_group_that_was_joined_lately_asks_for_a_new_login(tmp_path):
    person = Person("pi", False, frozenset(), frozenset({"gpio"}), frozenset({"gpio"}))
    found = found_by(
        tmp_path,
        PIS["4"],
        usable=lambda path: "gpiochip" not in path,
        person=lambda _tree: person,
    )
    assert "log out and in again" in of_area(found, "pins")[0][1]


@pytest.mark.parametrize(
    ("chip", "level", "words"),
    [
        (4, "right", "/dev/gpiochip4, as the configuration tells"),
        (0, "poor", "chip = 0 is told, but the header's is 4"),
        (9, "broken", "there is no /dev/gpiochip9"),
    ],
)
def test_a_told_chip_is_compared_with_the_header_s(tmp_path, chip, level, words):
    config = Config(gpio=Gpio(chip=chip))
    ((told, said),) = of_area(found_by(tmp_path, PIS["5, chip 4"], config), "pins")
    assert told == level
    assert words in said


def test_a_pi_whose_kernel_shows_no_header_says_what_it_saw(tmp_path):
    pi = Pi(MODEL_5, "6.12.0", {3: POWER})
    ((level, words),) = of_area(found_by(tmp_path, pi), "pins")
    assert level == "broken"
    assert "seen: 3 gpio-brcmstb@107d508500" in words


def test_a_laptop_is_told_kindly_what_it_can_do(tmp_path):
    found = found_by(tmp_path, LAPTOP)
    ((level, words),) = of_area(found, "machine")
    assert level == "broken"
    assert "`urpi demo` plays at a virtual table" in words
    assert of_area(found, "pins") == []
    assert not any("raspi-config" in words for _, words in of_area(found, "i2c"))


def test_a_laptop_on_mock_pins_is_all_right(tmp_path):
    found = found_by(tmp_path, LAPTOP, Config(gpio=Gpio(factory="mock")))
    assert [level for level, _ in of_area(found, "machine") + of_area(found, "pins")] == [
        "right",
        "right",
    ]


@pytest.mark.parametrize(
    ("path", "content", "config", "told"),
    [
        ("/dev/spidev0.0", "", Config(), "SPI is switched on and has the pins of B2 (GPIO 10)"),
        (
            "/sys/bus/w1/devices/w1_bus_master1/uevent",
            "",
            Config(),
            "1-Wire is switched on and has the pins of A1 (GPIO 4)",
        ),
        (
            "/proc/cmdline",
            "console=serial0,115200 console=tty1",
            Config(gpio=Gpio(chutes=True)),
            "The serial console is switched on and has the pins of light chute (GPIO 14), dark",
        ),
        (
            "/proc/cmdline",
            "console=ttyAMA0,115200",
            Config(sound=Sound(buzzer=True, buzzer_pin=15)),
            "the buzzer (GPIO 15)",
        ),
    ],
)
def test_what_else_has_the_board_s_pins_is_named(tmp_path, path, content, config, told):
    without = of_area(found_by(tmp_path, PIS["4"], config), "pins")
    assert not any(told in words for _, words in without)
    found = of_area(found_by(tmp_path, PIS["4"], config, {path: content}), "pins")
    assert any(
        level == "broken" and told in words and "raspi-config" in words for level, words in found
    )


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/dev/spidev0.0", ""),
        ("/sys/bus/w1/devices/w1_bus_master1/uevent", ""),
        ("/proc/cmdline", "console=serial0,115200 console=tty1"),
    ],
)
def test_expanders_leave_the_header_to_others(tmp_path, path, content):
    config = Config(gpio=Gpio(wiring="expander"))
    found = found_by(tmp_path, PIS["4"], config, {path: content})
    assert [level for level, _ in of_area(found, "pins")] == ["right"]


@pytest.mark.parametrize(
    ("said", "level", "words"),
    [
        ("throttled=0x0\n", "right", "the voltage has been good"),
        ("throttled=0x50005\n", "poor", "right now the voltage is too low, the processor is slow"),
        ("throttled=0x50000\n", "poor", "since it was started the voltage was too low"),
        ("throttled=0x80008\n", "poor", "Give it air"),
        ("throttled=0xE0000\n", "poor", "Give it air"),
    ],
)
def test_voltage_and_heat_are_told_with_what_to_do(tmp_path, said, level, words):
    found = of_area(found_by(tmp_path, PIS["4"], run=lambda _command: said), "power")
    assert [one for one, _ in found] == [level]
    assert words in found[0][1]


@pytest.mark.parametrize("said", [None, "", "VCHI initialization failed"])
def test_a_firmware_that_says_nothing_is_no_finding(tmp_path, said):
    assert throttled(lambda _command: said) is None
    assert of_area(found_by(tmp_path, PIS["4"], run=lambda _command: said), "power") == []


def test_a_program_that_is_missing_or_fails_says_nothing():
    assert run(["urpi-no-such-program"]) is None
    assert run([sys.executable, "-c", "raise SystemExit(1)"]) is None
    assert run([sys.executable, "-c", "print(1)"]) == "1\n"


def test_an_empty_machine_has_nothing_switched_on(tmp_path):
    found = switched(Tree(tmp_path / "nowhere"))
    assert found == Switched()
