"""A sensor that fails, a bus that is stuck, the number of starts, the current at rest."""

import struct

import pytest

from .chip import COUNTERS_BYTES, PAGE
from .die import Die, settings

SETTLED, LOST = 1, 4
FAULT_ACCEL = 2


@pytest.fixture
def die(image):
    die = Die(image, settings(), seed=3)
    die.run(15000)
    die.reports()
    return die


@pytest.mark.parametrize("fault", ["broken", "stuck"])
def test_a_sensor_that_does_not_respond_is_reported_and_tried_again(die, fault):
    part = die.sensor if fault == "broken" else die.twim
    setattr(part, fault, True)
    die.run(10000)
    last = die.reports()[-1]
    assert (last.state, last.fault) == (LOST, FAULT_ACCEL)
    setattr(part, fault, False)
    die.twim.busy = False
    die.run(12000)
    last = die.reports()[-1]
    assert (last.state, last.face) == (SETTLED, 1)
    assert last.fault != FAULT_ACCEL


def test_a_sensor_without_samples_is_started_again(image):
    die = Die(image, settings(), seed=3)
    die.sensor.silent = True
    die.run(5000)
    assert not die.reports()
    die.sensor.silent = False
    die.run(8000)
    assert die.reports()[-1].state == SETTLED


def test_a_die_that_was_moved_too_slowly_for_its_interrupt_notices_it(die):
    start = die.chip.now

    def turned(until_ns, limit_g):
        part = min(1.0, (until_ns - start) / 30e9)
        return (0.577 * (1 + 0.7 * part), 0.577 * (1 - part), 0.577 * (1 - part))

    die.sensor.source = turned
    die.run(45000)
    assert die.reports()[-1].number > 65536


def test_a_table_that_trembles_does_not_keep_the_die_awake(die):
    def tremble(until_ns, limit_g):
        die.shake = -getattr(die, "shake", 0.2)
        return (0.577, 0.577, 0.577 + die.shake * (die.sensor.value[0x10] == 0x10))

    die.sensor.source = tremble
    die.run(60000)
    before = die.chip.asleep_ns
    die.run(60000)
    assert die.chip.asleep_ns - before > 59e9
    assert die.reports()


def test_each_start_has_a_higher_number_that_survives(image):
    counters = b""
    numbers = []
    for _ in range(3):
        die = Die(image, settings(), seed=3, counters=counters)
        die.run(1500)
        numbers += [report.number >> 16 for report in die.reports()]
        counters = bytes(die.chip.counters)
    assert numbers == [1, 2, 3]


def word(starts):
    return struct.pack("<HH", starts, starts ^ 0xFFFF)


def pages(first, second):
    return first.ljust(PAGE, b"\xff") + second.ljust(PAGE, b"\xff")


@pytest.mark.parametrize(
    ("counters", "starts", "erased"),
    [
        (pages(b"".join(map(word, range(1, 1025))), b""), 1025, 1),
        (pages(b"", b"".join(map(word, range(1025, 2049)))), 2049, 1),
        (pages(word(1), b"".join(map(word, range(1025, 1030)))), 1030, 0),
        # The power failed while a word was written, or while the page was erased.
        (pages(word(7) + b"\x08\0\xff\xff", b""), 8, 0),
        (pages(b"\x12" * PAGE, word(1030)), 1031, 0),
        (b"\x12" * COUNTERS_BYTES, 1, 1),
    ],
    ids=["full", "second full", "second", "half a word", "half erased", "garbage"],
)
def test_the_number_of_starts_never_goes_back(image, counters, starts, erased):
    for expected in (starts, starts + 1):
        die = Die(image, settings(), seed=3, counters=counters)
        die.run(1500)
        assert die.reports()[0].number >> 16 == expected
        assert die.nvmc.erased == (erased if expected == starts else 0)
        counters = bytes(die.chip.counters)


def test_a_die_at_rest_draws_less_than_20_ua(die):
    """Typical currents of the data sheets in uA, without the board's regulator and charger.

    The chip asleep with its RAM and RTC, and awake or with the crystal and the radio; the sensor at
    12.5 Hz; the divider.
    """
    asleep, awake, sensor, divider = 3.2, 7000, 9, 3.9 / 1.51
    before = (die.chip.asleep_ns, die.clock.crystal_ns, die.chip.now)
    die.run(96000)
    slept, crystal, passed = (
        now - then
        for now, then in zip(
            (die.chip.asleep_ns, die.clock.crystal_ns, die.chip.now), before, strict=True
        )
    )
    active = (passed - slept + crystal) / passed
    assert die.pins.flash_asleep
    assert die.sensor.value[0x15] & 0x10
    assert asleep + awake * active + sensor + divider < 20, active
