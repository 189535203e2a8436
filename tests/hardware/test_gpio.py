import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory

from urpi.core.errors import UrpiError
from urpi.hardware.gpio import (
    KEPT_STATES,
    LazyFactory,
    PinsUnavailableError,
    gpio_chips,
    has_header,
    header_chip,
    lazy_pin_factory,
    pin_factory,
)


def installed(library):
    try:
        __import__(library)
    except (ImportError, RuntimeError):
        return False
    return True


def test_mock_factory_by_name():
    assert isinstance(pin_factory("mock"), MockFactory)


def test_a_mock_pin_keeps_a_bounded_number_of_states():
    factory = pin_factory("mock")
    pin = factory.pin(4)
    contact = DigitalInputDevice(4, pull_up=True, pin_factory=factory)
    for _ in range(5 * KEPT_STATES):
        pin.drive_low()
        pin.drive_high()

    assert len(pin.states) == KEPT_STATES
    assert pin.states[-1].state
    contact.close()


def test_unknown_factory_is_rejected():
    with pytest.raises(UrpiError, match=r"no pin factory 'native'.*lgpio, rpigpio, mock"):
        pin_factory("native")


@pytest.mark.parametrize(
    ("name", "library", "hint"),
    [("lgpio", "lgpio", "install python3-lgpio"), ("rpigpio", "RPi.GPIO", "pi-legacy")],
)
def test_missing_library_is_named_with_how_to_install_it(name, library, hint):
    if installed(library):
        pytest.skip(f"{library} is installed here")
    with pytest.raises(UrpiError, match=hint):
        pin_factory(name)


def test_chip_number_is_only_for_lgpio():
    with pytest.raises(UrpiError, match="omit it with mock"):
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
def test_header_chip_is_found_by_its_label(chips, number):
    assert header_chip(chips) == number


def test_error_without_a_header_lists_the_chips():
    with pytest.raises(UrpiError, match="seen: 3 INT34C6:00"):
        header_chip([(3, "INT34C6:00")])


def test_unreadable_chip_is_skipped(tmp_path):
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
def test_raspberry_pi_is_detected_by_its_device_tree(tmp_path, model, has):
    path = tmp_path / "model"
    if model is not None:
        path.write_text(model)
    assert has_header(path) == has


def test_lazy_factory_retries_with_every_pin_and_opens_once():
    outcomes = [PinsUnavailableError("/dev/gpiochip0 cannot be opened."), None]
    made = []

    def make():
        if (error := outcomes.pop(0)) is not None:
            raise error
        made.append(MockFactory())
        return made[-1]

    factory = LazyFactory(make)
    with pytest.raises(PinsUnavailableError, match="gpiochip0"):
        DigitalInputDevice(4, pin_factory=factory)
    with DigitalInputDevice(4, pull_up=True, pin_factory=factory) as contact:
        made[0].pin(4).drive_low()
        assert contact.is_active
    assert len(made) == 1


def test_lazy_factory_rejects_an_unknown_name_at_once():
    with pytest.raises(UrpiError, match="no pin factory 'native'"):
        lazy_pin_factory("native")
    assert isinstance(lazy_pin_factory("mock"), MockFactory)
