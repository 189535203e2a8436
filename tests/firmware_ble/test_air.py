"""What a receiver hears of a die, with Bluetooth's rules."""

import struct
from itertools import pairwise

import pytest

from tests.chaskey import chaskey_12
from urpi.hardware.advertisement import FIRMWARE

from .air import BadPacketError, Report
from .die import ADDRESS, KEY, SET, Die, settings

ROLLING, SETTLED = 0, 1


@pytest.fixture
def die(image):
    return Die(image, settings(), seed=3)


def events(die):
    """Return the advertisements, three of which are an event: on each channel once."""
    heard = die.advertisements()
    assert len(heard) % 3 == 0
    return [heard[at : at + 3] for at in range(0, len(heard), 3)]


def test_an_event_is_one_advertisement_on_each_channel(die):
    die.run(2000)
    for event in events(die):
        assert [mhz for _, mhz, _ in event] == [2402, 2426, 2480]
        assert len({it for _, _, it in event}) == 1
        # At most 10 ms between two of an event (volume 6 part B, 4.4.2.6).
        assert all(later[0] - sooner[0] < 10 for sooner, later in pairwise(event))


def test_a_new_report_is_repeated_for_a_second_in_the_allowed_interval(die):
    die.run(1900)
    new = [event for event in events(die) if event[0][2].frame[10:14] == struct.pack("<I", 65536)]
    starts = [event[0][0] for event in new]
    gaps = [later - sooner for sooner, later in pairwise(starts)]
    assert min(gaps) >= 20
    assert max(gaps) <= 34
    assert len({round(gap) for gap in gaps}) > 5
    assert 950 < starts[-1] - starts[0] < 1050


def test_address_is_the_chips_own_and_static(die):
    die.run(1000)
    addresses = {it.address for _, _, it in die.advertisements()}
    assert addresses == {(ADDRESS | 0xC000_0000_0000).to_bytes(6, "big")}


def test_reports_are_signed_by_the_algorithms_definition(die):
    die.run(1000)
    for _, _, it in die.advertisements():
        content = it.frame[:14]
        assert it.firmware == FIRMWARE
        assert it.frame == content + chaskey_12(
            bytes.fromhex(KEY), content + struct.pack("<H", SET)
        )


def test_a_die_without_a_key_seals_its_reports_with_the_boards_number(image):
    die = Die(image, settings(number=5, kind=6, key=""), seed=3)
    die.sensor.source = lambda _until_ns, _limit_g: (0.0, 0.0, 1.0)
    die.run(2000)
    (report,) = die.reports()
    assert (report.signed, report.die, report.kind, report.state, report.face) == (
        False,
        5,
        6,
        1,
        1,
    )
    die.run(2000)
    frame = die.advertisements()[0][2].frame
    with pytest.raises(BadPacketError):
        Report.of(frame, SET + 1)


@pytest.mark.parametrize("page", [b"", b"\0" * 256, b"U" * 256], ids=["erased", "zeros", "others"])
def test_a_die_without_settings_announces_itself(image, page):
    die = Die(image, page, seed=3)
    die.run(7000)
    heard = events(die)
    assert len(heard) in (3, 4)
    frame = heard[0][0][2].frame
    assert frame[0] == 0x15
    assert abs(int.from_bytes(frame[1:3], "little") - 3900) < 10
    assert not die.sensor.powered


@pytest.mark.parametrize("cell_mv", [3000, 3300, 3700, 4200])
def test_the_cells_voltage_is_reported(image, cell_mv):
    die = Die(image, settings(key=""), seed=3)
    die.saadc.cell_mv = cell_mv
    die.run(2000)
    assert abs(die.reports()[0].battery_mv - cell_mv) < 10


def test_signs_of_life_become_sparse_and_have_the_same_number(die):
    die.run(15000)
    assert {report.state for report in die.reports()} == {SETTLED}
    die.run(64000)
    heard = events(die)
    assert {it[0][2].frame[10:14] for it in heard} == {struct.pack("<I", 65536)}
    assert 4 <= len(heard) <= 9
