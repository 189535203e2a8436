import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from urpi.devices.gpio import (
    LazyFactory,
    PinsUnavailableError,
    gpio_chips,
    has_header,
    header_chip,
    lazy_pin_factory,
    pin_factory,
)
from urpi.errors import UrpiError


def installed(library):
    try:
        __import__(library)
    except (ImportError, RuntimeError):
        return False
    return True


def test_mock_pins_are_had_by_name():
    assert isinstance(pin_factory("mock"), MockFactory)


def test_there_is_no_other_factory():
    with pytest.raises(UrpiError, match=r"no pin factory 'native'.*lgpio, rpigpio, mock"):
        pin_factory("native")


@pytest.mark.parametrize(
    ("name", "library", "cure"),
    [("lgpio", "lgpio", "install python3-lgpio"), ("rpigpio", "RPi.GPIO", "pi-legacy")],
)
def test_a_missing_library_is_named_with_its_cure(name, library, cure):
    if installed(library):
        pytest.skip(f"{library} is installed here")
    with pytest.raises(UrpiError, match=cure):
        pin_factory(name)


def test_a_chip_number_is_for_lgpio_alone():
    with pytest.raises(UrpiError, match="leave it out with mock"):
        pin_factory("mock", chip=0)


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        ([(0, "pinctrl-rp1"), (10, "gpio-brcmstb@107d508500")], 0),
        ([(0, "gpio-brcmstb@107d508500"), (4, "pinctrl-rp1")], 4),
        ([(0, "pinctrl-bcm2711"), (1, "raspberrypi-exp-gpio")], 0),
        ([(0, "pinctrl-bcm2835")], 0),
    ],
)
def test_the_header_is_found_by_its_label(chips, number):
    assert header_chip(chips) == number


def test_a_machine_without_a_header_says_what_it_has():
    with pytest.raises(UrpiError, match="seen: 3 INT34C6:00"):
        header_chip([(3, "INT34C6:00")])


def test_a_chip_that_cannot_be_asked_is_passed_over(tmp_path):
    (tmp_path / "gpiochip0").write_bytes(b"")
    assert list(gpio_chips(tmp_path)) == []


@pytest.mark.parametrize(
    ("model", "has"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0\0", True),
        ("Raspberry Pi 5 Model B Rev 1.0\0", True),
        ("Some Laptop\0", False),
        (None, False),
    ],
)
def test_a_raspberry_pi_is_known_by_its_device_tree(tmp_path, model, has):
    page = tmp_path / "model"
    if model is not None:
        page.write_text(model)
    assert has_header(page) == has


def test_a_chip_that_is_away_is_asked_for_with_every_pin_until_it_is_there():
    away = [PinsUnavailableError("/dev/gpiochip0 cannot be opened."), None]
    made = []

    def make():
        if (error := away.pop(0)) is not None:
            raise error
        made.append(MockFactory())
        return made[-1]

    factory = LazyFactory(make)
    with pytest.raises(PinsUnavailableError, match="gpiochip0"):
        DigitalInputDevice(4, pin_factory=factory)
    with DigitalInputDevice(4, pull_up=True, pin_factory=factory) as contact:
        made[0].pin(4).drive_low()
        assert contact.is_active
    assert len(made) == 1, "it is opened once"


def test_pins_that_never_come_are_an_error_at_once_for_late_ones_too():
    with pytest.raises(UrpiError, match="no pin factory 'native'"):
        lazy_pin_factory("native")
    assert isinstance(lazy_pin_factory("mock"), MockFactory)
