"""Contacts whose pins are held by another program at the start."""

from functools import partial
from queue import Empty, Queue
from typing import ClassVar

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from urpi.core.errors import UrpiError
from urpi.hardware import PinsUnavailableError, RetryingContacts, Switches, default_pins
from urpi.referee.facts import Edge
from urpi.rules import squares_of

DEADLINE_S = 240.0
RETRY_S = 0.01
PINS = default_pins()


class Table:
    """The header's pins, the facts and faults reported, and a way to hold a pin."""

    def __init__(self, pin_class=MockPin) -> None:
        self.factory = MockFactory(pin_class=pin_class)
        self.facts, self.faults = Queue(), Queue()
        self.open = partial(Switches, self.factory, PINS, lambda: 1000, self.facts.put)

    def hold(self, gpio):
        return DigitalInputDevice(gpio, pull_up=True, pin_factory=self.factory)

    def contacts(self):
        return RetryingContacts(self.open, self.faults.put, retry_s=RETRY_S)


def test_available_contacts_are_opened_at_once():
    table = Table()
    contacts = table.contacts()
    table.factory.pin(PINS.squares[7]).drive_low()
    assert table.facts.get_nowait() == Edge(1000, 7, on=True)
    assert contacts.read().squares == squares_of([7])
    contacts.close()
    assert table.faults.empty()


def test_contacts_are_opened_once_the_other_program_releases_the_pin():
    table = Table()
    other = table.hold(PINS.squares[3])
    contacts = table.contacts()
    fault = table.faults.get_nowait()
    assert isinstance(fault, PinsUnavailableError)
    assert f"A4 on GPIO {PINS.squares[3]}" in str(fault)
    assert contacts.read() is None
    with pytest.raises(Empty):
        table.faults.get(timeout=10 * RETRY_S)
    other.close()
    assert table.faults.get(timeout=DEADLINE_S) is None
    table.factory.pin(PINS.squares[3]).drive_low()
    assert table.facts.get(timeout=DEADLINE_S) == Edge(1000, 3, on=True)
    assert contacts.read().squares == squares_of([3])
    contacts.close()


class PinInOtherProcess(MockPin):
    """Pins of which another process holds some, which the library notices on claiming them."""

    hold: ClassVar[set[int]] = set()

    def __init__(self, factory, info):
        if int(info.name.removeprefix("GPIO")) in self.hold:
            raise RuntimeError("'GPIO busy'")
        super().__init__(factory, info)


def test_kept_error_does_not_reserve_the_pin():
    PinInOtherProcess.hold = {PINS.squares[5]}
    table = Table(PinInOtherProcess)
    contacts = table.contacts()
    fault = table.faults.get_nowait()
    assert "'GPIO busy'; does another program hold the pin, such as the service?" in str(fault)
    PinInOtherProcess.hold = set()
    assert table.faults.get(timeout=DEADLINE_S) is None
    contacts.close()


def test_close_while_retrying_leaves_no_pin_open():
    table = Table()
    with table.hold(PINS.squares[0]):
        table.contacts().close()
    Switches(table.factory, PINS, lambda: 0, table.facts.put).close()


def test_permanent_error_is_raised_at_once():
    def opened():
        raise UrpiError("The library smbus2 is missing.")

    with pytest.raises(UrpiError, match="smbus2"):
        RetryingContacts(opened, print)
