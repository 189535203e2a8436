"""The machine: its model, the chip of its header, its power supply, and pin conflicts."""

import sys

import pytest

from tests.install.doctor.trees import (
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
from urpi.config import Config, GpioSection, SoundSection
from urpi.install.doctor.facts import HeaderFunctions, Person
from urpi.install.doctor.probes.machine import header_functions, run, throttled
from urpi.install.doctor.tree import Tree


@pytest.mark.parametrize("name", PIS)
def test_the_header_of_every_pi_is_found_by_its_label(tmp_path, name):
    pi = PIS[name]
    (number,) = (n for n, chip in pi.chips.items() if chip in {BCM2835, BCM2711, RP1})
    found = found_by(tmp_path, pi)
    (machine,) = of_area(found, "machine")
    expected = f"{pi.model}, kernel {pi.kernel}, {pi.word_bits} bit, {pi.system} -> "
    assert machine == ("right", expected)
    expected = (
        f"/dev/gpiochip{number} is the header's, according to its label {pi.chips[number][0]} -> "
    )
    assert of_area(found, "pins") == [("right", expected)]


def test_a_chip_that_may_not_be_opened_is_found_through_the_device_tree(tmp_path):
    person = Person("anna", False, frozenset(), frozenset(), frozenset({"gpio"}))
    found = found_by(
        tmp_path,
        PIS["5, chip 15"],
        labels=list,
        usable=lambda path: "gpiochip" not in path,
        person=lambda _tree: person,
    )
    ((level, text),) = of_area(found, "pins")
    assert level == "broken"
    assert (
        "/dev/gpiochip15, the header's chip according to its device-tree name raspberrypi,rp1-gpio"
        in text
    )
    assert "sudo usermod -aG gpio anna" in text


def test_a_group_that_was_joined_recently_requires_a_new_login(tmp_path):
    person = Person("pi", False, frozenset(), frozenset({"gpio"}), frozenset({"gpio"}))
    found = found_by(
        tmp_path,
        PIS["4"],
        usable=lambda path: "gpiochip" not in path,
        person=lambda _tree: person,
    )
    assert "log out and in again" in of_area(found, "pins")[0][1]


@pytest.mark.parametrize(
    ("chip", "level", "expected"),
    [
        (4, "right", "/dev/gpiochip4, as configured"),
        (0, "poor", "chip = 0 is configured, but the header's is 4"),
        (9, "broken", "there is no /dev/gpiochip9"),
    ],
)
def test_the_configured_chip_is_compared_with_the_header_s(tmp_path, chip, level, expected):
    config = Config(gpio=GpioSection(chip=chip))
    ((found, text),) = of_area(found_by(tmp_path, PIS["5, chip 4"], config), "pins")
    assert found == level
    assert expected in text


def test_the_finding_of_a_missing_header_lists_the_chips(tmp_path):
    pi = Pi(MODEL_5, "6.12.0", {3: POWER})
    ((level, text),) = of_area(found_by(tmp_path, pi), "pins")
    assert level == "broken"
    assert "found: 3 gpio-brcmstb@107d508500" in text


def test_a_laptop_is_directed_to_the_demo(tmp_path):
    found = found_by(tmp_path, LAPTOP)
    ((level, text),) = of_area(found, "machine")
    assert level == "broken"
    assert "run `urpi demo`, which plays at a virtual table" in text
    assert of_area(found, "pins") == []
    assert not any("raspi-config" in text for _, text in of_area(found, "i2c"))


def test_a_laptop_with_mock_pins_is_all_right(tmp_path):
    found = found_by(tmp_path, LAPTOP, Config(gpio=GpioSection(factory="mock")))
    assert [level for level, _ in of_area(found, "machine") + of_area(found, "pins")] == [
        "right",
        "right",
    ]


@pytest.mark.parametrize(
    ("path", "content", "config", "expected"),
    [
        ("/dev/spidev0.0", "", Config(), "SPI is enabled and uses the pins of B2 (GPIO 10)"),
        (
            "/sys/bus/w1/devices/w1_bus_master1/uevent",
            "",
            Config(),
            "1-Wire is enabled and uses the pins of A1 (GPIO 4)",
        ),
        (
            "/proc/cmdline",
            "console=serial0,115200 console=tty1",
            Config(gpio=GpioSection(chutes=True)),
            "The serial console is enabled and uses the pins of light chute (GPIO 14), dark",
        ),
        (
            "/proc/cmdline",
            "console=ttyAMA0,115200",
            Config(sound=SoundSection(buzzer=True, buzzer_pin=15)),
            "the buzzer (GPIO 15)",
        ),
    ],
)
def test_an_enabled_function_on_the_board_s_pins_is_a_conflict(
    tmp_path, path, content, config, expected
):
    without = of_area(found_by(tmp_path, PIS["4"], config), "pins")
    assert not any(expected in text for _, text in without)
    found = of_area(found_by(tmp_path, PIS["4"], config, {path: content}), "pins")
    assert any(
        level == "broken" and expected in text and "raspi-config" in text for level, text in found
    )


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/dev/spidev0.0", ""),
        ("/sys/bus/w1/devices/w1_bus_master1/uevent", ""),
        ("/proc/cmdline", "console=serial0,115200 console=tty1"),
    ],
)
def test_expanders_leave_the_header_free_for_other_functions(tmp_path, path, content):
    config = Config(gpio=GpioSection(wiring="expander"))
    found = found_by(tmp_path, PIS["4"], config, {path: content})
    assert [level for level, _ in of_area(found, "pins")] == ["right"]


@pytest.mark.parametrize(
    ("output", "level", "expected"),
    [
        ("throttled=0x0\n", "right", "the voltage has been good"),
        ("throttled=0x50005\n", "poor", "right now the voltage is too low, the processor is throt"),
        ("throttled=0x50000\n", "poor", "since the last start the voltage was too low"),
        ("throttled=0x80008\n", "poor", "Improve its ventilation"),
        ("throttled=0xE0000\n", "poor", "Improve its ventilation"),
    ],
)
def test_voltage_and_heat_are_reported_with_a_cure(tmp_path, output, level, expected):
    found = of_area(found_by(tmp_path, PIS["4"], run=lambda _command: output), "power")
    assert [one for one, _ in found] == [level]
    assert expected in found[0][1]


@pytest.mark.parametrize("output", [None, "", "VCHI initialization failed"])
def test_a_machine_without_get_throttled_has_no_power_finding(tmp_path, output):
    assert throttled(lambda _command: output) is None
    assert of_area(found_by(tmp_path, PIS["4"], run=lambda _command: output), "power") == []


def test_a_program_that_is_missing_or_fails_has_no_output():
    assert run(["urpi-no-such-program"]) is None
    assert run([sys.executable, "-c", "raise SystemExit(1)"]) is None
    assert run([sys.executable, "-c", "print(1)"]) == "1\n"


def test_an_empty_machine_has_no_header_function_enabled(tmp_path):
    assert header_functions(Tree(tmp_path / "nowhere")) == HeaderFunctions()


@pytest.mark.parametrize(
    ("person", "expected"),
    [
        (Person("root", True), "root, who may open every device"),
        (Person("pi", groups=frozenset({"gpio", "i2c", "users"})), "pi, in gpio, i2c of the"),
        (Person("anna"), "anna, in none of the device groups"),
    ],
)
def test_the_user_is_named_with_what_that_user_may_open(tmp_path, person, expected):
    found = found_by(tmp_path, PIS["4"], person=lambda _tree: person)
    ((level, text),) = of_area(found, "user")
    assert level == "right"
    assert text.startswith(expected)
