"""A die that sleeps so that its cell does not empty: System OFF, until USB or the button."""

import pytest

from .die import Die, settings, told_to_sleep
from .peripherals import FLASH_CS

MINUTE = 60_000
RED, GREEN = 26, 30
SETTLED = 1


@pytest.fixture(scope="module")
def told():
    return told_to_sleep(settings())


def lamps(die):
    """Return whether both are on; they are when their pins are low."""
    levels = {die.pins.level("P0", pin) for pin in (RED, GREEN)}
    assert len(levels) == 1
    return levels == {0}


def off_ua(die):
    """Typical currents of the data sheets in uA, as of the die at rest: chip and divider.

    The pins keep what they drive. All else is off.
    """
    assert die.chip.off
    assert not die.sensor.powered
    assert die.pins.flash_asleep
    assert die.pins.level("P0", FLASH_CS) == 1
    assert not lamps(die)
    return 0.4 + 3.9 / 1.51


def test_a_die_that_is_told_to_sleep_does_so_when_its_plug_is_out(image, told):
    die = Die(image, told, seed=3)
    die.power.usb = True
    die.run(MINUTE)
    assert lamps(die)
    # The plug makes and breaks contact.
    for connected in (False, True, False, True):
        die.power.usb = connected
        die.run(400)
    die.power.usb = False
    die.run(4000)
    assert not die.chip.off
    assert lamps(die)
    die.run(2000)
    assert off_ua(die) < 3.1
    assert not die.advertisements()
    die.run(100 * MINUTE)
    assert off_ua(die) < 3.1


def test_the_next_start_is_not_the_next_sleep(image, told):
    die = Die(image, told, seed=3)
    die.run(10_000)
    assert die.chip.off
    again = Die(image, die.chip.settings, seed=4, counters=die.chip.counters)
    again.power.usb = True
    again.run(3000)
    assert not lamps(again)
    assert [report.state for report in again.reports()] == [SETTLED]
    # Neither did it lose its settings, nor was a start counted at which it only slept.
    assert again.chip.settings[:256] == settings()
    assert again.radio.sent
    once_more = Die(image, again.chip.settings, seed=5, counters=again.chip.counters)
    once_more.run(20_000)
    assert not once_more.chip.off
    # Copied again, the file counts again.
    page = told_to_sleep(once_more.chip.settings[:256])
    die = Die(image, page, seed=6, counters=once_more.chip.counters)
    die.run(10_000)
    assert die.chip.off


def test_a_power_failure_before_it_sleeps_leaves_it_told(image, told):
    die = Die(image, told, seed=3)
    die.run(3000)
    again = Die(image, die.chip.settings, seed=4)
    again.run(10_000)
    assert again.chip.off


def test_a_die_without_settings_sleeps_after_ten_minutes_without_usb(image):
    die = Die(image, b"", seed=3)
    die.power.usb = True
    die.run(15 * MINUTE)
    assert die.advertisements()
    die.power.usb = False
    die.run(9.9 * MINUTE)
    assert not die.chip.off
    die.advertisements()
    die.run(0.2 * MINUTE)
    assert off_ua(die) < 3.1
    again = Die(image, die.chip.settings, seed=3)
    again.run(5000)
    assert again.advertisements()


@pytest.mark.parametrize("other", [b"", b"\0" * 256, b"Slep", b"slep\0\0\0\0"])
def test_a_die_sleeps_only_if_it_is_told_to(image, other):
    die = Die(image, settings().ljust(256, b"\xff") + other, seed=3)
    die.run(20_000)
    assert not die.chip.off
    assert die.reports()
