"""Advertised reports become facts: losses, replays, restarts, neighbours.

The frames are written from firmware/common/air_frame.h, and signed by the definition of Chaskey;
tests/firmware_ble feeds what the linked firmware sends.
"""

import random
import struct
from itertools import pairwise

import pytest

from tests.chaskey import chaskey_12
from urpi.hardware.advertised_dice import (
    LOST_MS,
    PROOFS,
    REPEATS,
    SCAN_S,
    SHORT_SCAN_S,
    AdvertisedDice,
    AdvertisedDie,
)
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import HubSettings
from urpi.hardware.protocol import DieLine
from urpi.referee.facts import Die

ROLLING, SETTLED, COCKED, HANDLED = 0, 1, 2, 3
KEYS = {number: bytes([number]) * 16 for number in range(1, 9)}
ADDRESSES = {number: f"C4:00:00:00:00:0{number}" for number in range(1, 9)}
REST = struct.pack("<3h", 577, 577, -577)
NEW = b"Ur\x01\x15" + bytes(17) + REST


def report(die, number, state, face=0, throws=0, *, age=0, key=None, battery=195, faces=4):
    """Return the manufacturer data of a report; a settled die was thrown, and rolled over edges."""
    verdict, angle, tumbles, fall = (2, 20, 3 + 4 * 60, 40) if state == SETTLED else (0, 0, 0, 0)
    first = (die - 1) << 5 | (faces == 6) << 4 | state
    body = struct.pack(
        "<6BHBBI", 0x13, first, verdict << 6 | face, angle, tumbles, fall, throws, battery, age,
        number,
    )  # fmt: skip
    return b"Ur\x01" + body + chaskey_12(key or KEYS[die], body + bytes(2)) + REST


class Table:
    def __init__(self, *dice, numbers=None, strictness="home"):
        self.numbers = {} if numbers is None else numbers
        self.dice = AdvertisedDice(
            [AdvertisedDie(die, ADDRESSES[die], 4, KEYS[die]) for die in dice],
            DieFaces(), HubSettings(strictness=strictness), self.numbers,
        )  # fmt: skip
        self.lines = []

    def hear(self, data, now, address=ADDRESSES[1]):
        return self.facts(self.dice.on_advertisement(address, data, now))

    def facts(self, found):
        facts = []
        for one in found:
            (self.lines if isinstance(one, DieLine) else facts).append(one)
        return facts


def states(facts):
    return [fact.state for fact in facts]


def test_a_throw_becomes_the_facts_that_a_hub_reports():
    table = Table(1)
    table.hear(report(1, 65536, SETTLED, 1), 1000)
    assert states(table.hear(report(1, 65537, ROLLING, 0, 1), 2000)) == ["rolling"]
    (fact,) = table.hear(report(1, 65538, SETTLED, 2, 1, age=0x35), 3000)
    # The age 0x35 means 16 + 5, doubled twice.
    assert fact == Die(3000 - 84, 1, "settled", "s", True, 4, 3, 200)
    (status,) = table.dice.statuses()
    assert (status.in_range, status.face, status.battery_mv) == (True, "s", 3900)


def test_repeats_change_nothing():
    table = Table(1)
    table.hear(report(1, 65536, SETTLED, 1), 1000)
    for age in (1, 31, 0x10, 0x35):
        assert not table.hear(report(1, 65536, SETTLED, 1, age=age), 1030)


def test_a_report_that_is_sent_again_is_refused_also_after_a_restart_of_the_program():
    table = Table(1)
    rolling, thrown = report(1, 65537, ROLLING), report(1, 65538, SETTLED, 2, 1)
    for data in (report(1, 65536, SETTLED, 1), rolling, thrown, report(1, 65539, SETTLED, 3, 2)):
        table.hear(data, 1000)
    assert not table.hear(rolling, 2000)
    assert not table.hear(thrown, 2000)
    again = Table(1, numbers=table.numbers)
    assert not again.hear(rolling, 10)
    assert not again.hear(thrown, 10)
    # The sign of life of the die itself is as it lay.
    assert states(again.hear(report(1, 65539, SETTLED, 3, 2), 20)) == ["settled"]


def test_a_die_that_starts_again_is_used_at_once():
    """It stores the number of its starts; its count of throws begins again."""
    table = Table(1)
    table.hear(report(1, 3 << 16, SETTLED, 1, 40), 1000)
    assert states(table.hear(report(1, 4 << 16, SETTLED, 1, 0), 2000)) == ["rolling", "settled"]
    assert states(table.hear(report(1, (4 << 16) + 1, ROLLING, 0, 1), 3000)) == ["rolling"]
    (fact,) = table.hear(report(1, (4 << 16) + 2, SETTLED, 2, 1), 4000)
    assert fact.tumbled


def test_a_die_paired_again_begins_with_any_number():
    """Its new key makes what was recorded before invalid, so its numbers may begin again."""
    table = Table(1)
    table.hear(report(1, 9 << 16, SETTLED, 1), 1000)
    again = AdvertisedDice(
        [AdvertisedDie(1, ADDRESSES[1], 4, bytes(16))], DieFaces(), HubSettings(), table.numbers
    )
    data = report(1, 1 << 16, SETTLED, 1, key=bytes(16))
    assert list(again.on_advertisement(ADDRESSES[1], data, 1000))


@pytest.mark.parametrize(
    "data",
    [
        report(1, 65536, SETTLED, 1, key=KEYS[2]),
        report(2, 65536, SETTLED, 1, key=KEYS[1]),
        report(1, 65536, SETTLED, 1, faces=6),
        report(1, 65536, SETTLED, 0),
        report(1, 65536, SETTLED, 5),
        report(1, 65536, 7),
        report(1, 65536, SETTLED, 1)[:-1],
        report(1, 65536, SETTLED, 1) + b"\0",
        b"",
        b"Ur",
        bytes(27),
        NEW,
    ],
)
def test_what_the_die_did_not_send_is_ignored(data):
    assert not Table(1).hear(data, 1000)


def test_damaged_frames_are_ignored():
    data, chance = report(1, 65536, SETTLED, 1), random.Random(7)
    for _ in range(500):
        damaged = bytearray(data)
        damaged[chance.randrange(3, len(data) - len(REST))] ^= 1 << chance.randrange(8)
        assert not Table(1).hear(bytes(damaged), 1000)
        Table(1).hear(b"Ur" + chance.randbytes(25), 1000)


def test_a_neighbours_die_is_ignored_and_one_with_our_settings_is_named():
    table = Table(1)
    table.hear(report(1, 65536, SETTLED, 1), 1000)
    stranger = report(1, 99 << 16, SETTLED, 1, key=KEYS[8])
    assert not table.hear(stranger, 1000, "D0:00:00:00:00:01")
    assert table.dice.health().twins == ()
    copy = report(1, 99 << 16, SETTLED, 1)
    assert not table.hear(copy, 1000, "D0:00:00:00:00:02")
    assert table.dice.health().twins == (1,)
    assert table.dice.statuses()[0].error == "twin"


def test_a_new_die_that_is_not_paired_waits_until_it_has_settings():
    table = Table(1)
    table.hear(NEW, 1000, "C4:00:00:00:00:09")
    assert table.dice.waiting == {"C4:00:00:00:00:09"}
    table.hear(report(2, 65536, SETTLED, 1), 2000, "C4:00:00:00:00:09")
    assert table.dice.waiting == set()


def test_a_die_without_settings_or_with_another_key_is_named():
    for data in (NEW, report(1, 65536, SETTLED, 1, key=KEYS[3])):
        table = Table(1)
        assert not table.hear(data, 1000)
        (status,) = table.dice.statuses()
        assert (status.in_range, status.error) == (False, "nokey")
        table.hear(report(1, 65537, SETTLED, 1), 2000)
        assert table.dice.statuses()[0].error == ""


def test_a_silent_die_is_lost_and_found_with_the_same_report():
    table = Table(1, 2)
    table.hear(report(1, 65536, SETTLED, 3, 1), 1000)
    assert not table.facts(table.dice.tick(1000 + LOST_MS - 1))
    assert states(table.facts(table.dice.tick(1000 + LOST_MS))) == ["lost"]
    assert not table.facts(table.dice.tick(1000 + 2 * LOST_MS))
    assert table.dice.health().dice == ()
    found = table.hear(report(1, 65536, SETTLED, 3, 1, age=0xC0), 300_000)
    assert states(found) == ["found"]
    assert table.dice.health().dice == (1,)
    assert states(table.dice.on_failure("no adapter", 400_000)) == ["lost"]
    assert states(table.hear(report(1, 65537, ROLLING), 500_000)) == ["found", "rolling"]


def test_scans_are_short_until_the_adapter_has_proved_that_it_drops_no_repeats():
    """A die at rest proves nothing, and neither does a late repeat of an earlier report."""
    table = Table(1)
    numbers = iter(range(65536, 70_000))

    def scanned(*heard):
        for data in heard:
            table.hear(data, 1000)
        return table.dice.begin_scan(1000)

    def rolls(repeats):
        number = next(numbers)
        return (report(1, number, ROLLING, age=age) for age in range(repeats))

    def proved():
        return [scanned(*rolls(REPEATS)) for _ in range(PROOFS)]

    assert scanned() == SHORT_SCAN_S
    assert proved() == [SHORT_SCAN_S] * (PROOFS - 1) + [SCAN_S]
    sign = report(1, next(numbers) - 1, ROLLING, age=0xC1)
    assert scanned(sign, sign) == SCAN_S
    assert scanned(*rolls(2)) == SCAN_S
    first = [*rolls(4)]
    assert scanned(*first[:2], *rolls(1), *first[2:]) == SHORT_SCAN_S
    assert scanned(*rolls(2)) == SHORT_SCAN_S
    assert proved()[-2:] == [SHORT_SCAN_S, SCAN_S]


def test_a_low_cell_is_reported():
    table = Table(1)
    table.hear(report(1, 65536, SETTLED, 1, battery=160), 1000)
    assert table.dice.health().low == (1,)


def test_a_club_is_strict():
    held = bytearray(report(1, 65537, SETTLED, 2, 1)[3:17])
    held[4] = 2 + 4 * 20
    data = b"Ur\x01" + bytes(held) + chaskey_12(KEYS[1], bytes(held) + bytes(2)) + REST
    for strictness, thrown in (("home", True), ("club", False)):
        table = Table(1, strictness=strictness)
        table.hear(report(1, 65536, SETTLED, 1), 1000)
        assert table.hear(data, 2000)[-1].tumbled == thrown


def advertisements(die, results, chance):
    """Yield when a die sends what, as firmware/ble/link.c: results are (time, face) of throws."""
    reports = [(0, SETTLED, 1, 0)]
    for throws, (at, face) in enumerate(results, 1):
        reports += [(at - 900, ROLLING, 0, throws), (at, SETTLED, face, throws)]
    now = 0
    for place, (at, state, face, throws) in enumerate(reports):
        following = reports[place + 1][0] if place + 1 < len(reports) else 1 << 40
        began = now = max(now, at)
        for times in range(1000):
            is_waiting = now >= following
            if now - began >= 1000 or (is_waiting and (state == ROLLING or times >= 12)):
                break
            age = min(now - at, 15)
            yield now, die, report(die, 65536 + place, state, face, throws, age=age)
            now += 21 + chance.randrange(11)


def is_lost(loss, bursts, now, chance):
    return chance.random() < loss or any(begin <= now < end for begin, end in bursts)


@pytest.mark.parametrize("loss", [0, 0.2, 0.4])
@pytest.mark.parametrize("burst_ms", [0, 600])
def test_lost_advertisements_lose_no_throw_of_eight_dice(loss, burst_ms):
    """Every throw is reported once, with its face, whatever is lost; a burst loses all dice's."""
    # The seed is in the name of the test.
    chance = random.Random(f"{loss} {burst_ms}")
    table, thrown, facts = Table(*range(1, 9)), {}, []
    bursts = [(at, at + burst_ms) for at in range(2500, 60_000, 4700)]
    for die in range(1, 9):
        times = [5000 + 6000 * n + chance.randrange(3000) for n in range(8)]
        thrown[die] = [(at, chance.randint(1, 4)) for at in times]
    air = [each for die in thrown for each in advertisements(die, thrown[die], chance)]
    for now, die, data in sorted(air):
        if not is_lost(loss, bursts, now, chance):
            facts += table.hear(data, now, ADDRESSES[die])
    for die, results in thrown.items():
        own = [fact for fact in facts if fact.die == die]
        counted = [
            fact.face for before, fact in pairwise(own)
            if fact.state == "settled" and fact.tumbled and before.state == "rolling"
        ]  # fmt: skip
        assert counted == ["gs--"[face - 1] for _, face in results]
    assert [fact.t for fact in facts] == sorted(fact.t for fact in facts)
