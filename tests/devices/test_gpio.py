import pytest
from gpiozero.pins.mock import MockFactory

from urpi.devices.gpio import gpio_chips, header_chip, pin_factory
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
