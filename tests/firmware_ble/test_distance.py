"""The model of loss against distance: the formulas by other sources, the scanner, both extremes."""

import json
import math
import random
from dataclasses import replace

import pytest

from urpi.hardware.advertisement import frame_of

from .air import CHANNELS
from .distance import (
    IN_SIGHT,
    OUT_OF_SIGHT,
    SENSITIVITY_DBM,
    SITUATIONS,
    THROW_MS,
    Air,
    Packet,
    Situation,
    counted,
    events_of,
    lost_share,
    play,
    sent,
)
from .recording import RECORDED

BITS = 368
"""Of an advertisement with 31 bytes of data, without the preamble."""
STEP_MS = 0.55
"""From one channel to the next."""


@pytest.fixture(scope="module")
def packets():
    """What was recorded for the test kernel, on all channels, with the throws at other times."""
    found = []
    for line in json.loads(RECORDED.read_text("utf-8"))["sent"]:
        ms, data = int(line.split()[0]), b"Ur" + bytes.fromhex(line.split()[1])
        throw, within = divmod(ms - 3000, 6000)
        at = (throw + 1) * THROW_MS + within
        found += [Packet(at + STEP_MS * n, mhz, BITS, data) for n, mhz in enumerate(CHANNELS)]
    return found


def free_space_db(metres, mhz):
    return 20 * math.log10(4 * math.pi * metres * mhz * 1e6 / 299_792_458)


@pytest.mark.parametrize("metres", [4, 10, 20])
def test_median_loss_is_near_that_of_free_space_and_greater_out_of_sight(metres):
    free = free_space_db(metres, 2440)
    assert free - 6 < IN_SIGHT.loss_db(metres, 2440) < free + 1
    assert free + 1 < OUT_OF_SIGHT.loss_db(metres, 2440) < free + 6


def test_packet_error_at_the_sensitivity_is_that_of_bluetooths_tests():
    """30.8 % with 37 bytes, where 0.1 % of the bits are wrong (RF-PHY, 4.5.1)."""
    assert lost_share(SENSITIVITY_DBM, BITS) == pytest.approx(0.308, abs=0.001)
    assert lost_share(SENSITIVITY_DBM + 3, BITS) < 0.001
    assert lost_share(SENSITIVITY_DBM - 6, BITS) > 0.999


@pytest.mark.parametrize(("listens", "least", "most"), [(1, 0.92, 0.97), (0.5, 0.42, 0.48)])
def test_scanner_hears_most_advertisements_while_it_listens(listens, least, most):
    air = Air(Situation(IN_SIGHT, -60, listens=listens), 1, random.Random(2))
    heard = 0
    for n in range(2000):
        event = [Packet(25.7 * n + STEP_MS * k, mhz, BITS, b"") for k, mhz in enumerate(CHANNELS)]
        heard += any(air.hears(packet) for packet in event)
    assert least < heard / 2000 < most


def test_throws_are_lost_with_the_distance_alone(packets):
    expected, _ = counted(packets, None)
    assert len(expected) == 3
    near, far = (
        play(packets, expected, SITUATIONS["not in sight, a person, hostile"], metres, seed=1)
        for metres in (1, 1000)
    )
    assert (near.lost, near.throws) == (0, 3)
    assert 0.6 < near.unheard / near.events < 0.9
    assert (far.lost, far.unheard) == (3, far.events)


def test_a_result_that_is_heard_when_the_next_throw_has_begun_is_of_its_own(packets):
    expected, _ = counted(packets, None)
    first = min(expected)
    of_first = [packet for packet in packets if frame_of(packet.data).number == first]
    others = [packet for packet in packets if packet not in of_first]
    late = replace(of_first[-1], ms=2 * THROW_MS + 100)
    found, _ = counted(sorted([*others, late], key=lambda packet: packet.ms), None)
    assert found == expected | {first: (late.ms, expected[first][1])}


@pytest.mark.slow
def test_linked_image_sends_throws_on_all_channels(image, motions):
    packets = sent(image, motions, throws=1)
    expected, heard = counted(packets, None)
    assert len(expected) == 1
    assert len(heard) == len(packets) == 3 * len(list(events_of(packets)))
    assert packets[-1].ms < 2 * THROW_MS
    assert {packet.bits for packet in packets} == {BITS}
