"""What the linked firmware sends, in the program that receives it."""

import math
import random
import struct
from itertools import pairwise

import pytest

from tests.slow import slow_except
from urpi.hardware.advertised_dice import AdvertisedDice, AdvertisedDie
from urpi.hardware.advertisement import frame_of
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_settings import settings_file
from urpi.hardware.hub_link import HubSettings
from urpi.hardware.protocol import DieLine

from .bodies import Body
from .die import KEY, Die, settings, uf2_content

ADDRESS = "D2:34:56:78:9A:BC"
FACES = DieFaces()


class Host:
    """The program, which hears one channel of three, as a scanner does, and not all of that."""

    def __init__(self, kind, loss=0.0, numbers=None):
        self.numbers = {} if numbers is None else numbers
        die = AdvertisedDie(2, ADDRESS, kind, bytes.fromhex(KEY))
        self.dice = AdvertisedDice([die], FACES, HubSettings(), self.numbers)
        self.loss, self.chance = loss, random.Random(5)

    def facts(self, die):
        found = []
        for ms, mhz, it in die.advertisements():
            assert it.address == bytes.fromhex(ADDRESS.replace(":", ""))
            if mhz == 2402 and self.chance.random() >= self.loss:
                data = b"Ur" + bytes([it.firmware]) + it.frame + struct.pack("<3h", *it.rest)
                found += self.dice.on_advertisement(ADDRESS, data, round(ms))
        return [one for one in found if not isinstance(one, DieLine)]


def laid(image, motions, body, kind, **more):
    die = Die(image, settings(kind=kind, set_number=0), seed=3, **more)
    die.body = Body(motions, body, 3)
    die.sensor.source = die.body.felt
    die.run(3000)
    return die


THROWN = [
    ("tetrahedron-52", 4, 0.4),
    ("cube-30", 6, 0),
    ("tetrahedron-52", 4, 0),
    ("cube-30", 6, 0.4),
]


@pytest.mark.parametrize(("body", "kind", "loss"), slow_except(THROWN, *THROWN[:2]))
def test_each_throw_counts_once_with_its_face(image, motions, body, kind, loss):
    die, host = laid(image, motions, body, kind), Host(kind, loss)
    assert [fact.state for fact in host.facts(die)] == ["settled"]
    for _ in range(3):
        die.body.do(die.chip.now, "throw")
        die.run(7000)
        facts = host.facts(die)
        results = [
            late for soon, late in pairwise(facts)
            if late.state == "settled" and late.tumbled and soon.state == "rolling"
        ]  # fmt: skip
        assert [fact.face for fact in results] == [FACES.shown(2, kind, die.body.face())]
    (status,) = host.dice.statuses()
    assert (status.in_range, status.error) == (True, "cal")
    assert abs(status.battery_mv - 3900) <= 20


def test_a_die_whose_cell_was_empty_is_used_at_once(image, motions):
    """And the program was restarted meanwhile: the die has stored the number of its starts."""
    die, host = laid(image, motions, "cube-30", 6), Host(6)
    die.body.do(die.chip.now, "throw")
    die.run(7000)
    assert host.facts(die)[-1].tumbled
    again = laid(image, motions, "cube-30", 6, counters=bytes(die.chip.counters))
    host = Host(6, numbers=host.numbers)
    assert [fact.state for fact in host.facts(again)] == ["settled"]
    again.body.do(again.chip.now, "throw")
    again.run(7000)
    assert host.facts(again)[-1].tumbled


def test_a_die_that_is_put_down_was_not_thrown(image, motions):
    die, host = laid(image, motions, "cube-30", 6), Host(6)
    host.facts(die)
    die.body.do(die.chip.now, "set_down", 2)
    die.run(9000)
    last = host.facts(die)[-1]
    assert (last.state, last.tumbled, last.face) == ("settled", False, str(die.body.face()))


def test_a_die_without_settings_is_named(image):
    die, host = Die(image, b"", seed=3), Host(4)
    die.run(3000)
    assert not host.facts(die)
    assert host.dice.statuses()[0].error == "nokey"


def turned(vector, axis, angle):
    """Rodrigues' formula."""
    cross = [axis[n - 2] * vector[n - 1] - axis[n - 1] * vector[n - 2] for n in range(3)]
    along = (1 - math.cos(angle)) * sum(a * v for a, v in zip(axis, vector, strict=True))
    return [
        v * math.cos(angle) + c * math.sin(angle) + a * along
        for v, c, a in zip(vector, cross, axis, strict=True)
    ]


@pytest.mark.parametrize("kind", slow_except([4, 6], 4))
def test_a_board_that_is_fixed_anyhow_is_calibrated_by_what_it_advertises(image, kind):
    third = 3**-0.5
    tips = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    sides = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
    faces = [[third * axis for axis in tip] for tip in tips] if kind == 4 else sides
    lies = [turned(face, (0.6, 0.0, 0.8), 0.7) for face in faces]
    up, key = [], bytes.fromhex(KEY)

    def reported(page, way):
        die = Die(image, page, seed=3)
        die.sensor.source = lambda _until_ns, _limit_g: way
        die.run(2500)
        heard = [it for _, _, it in die.advertisements()][-1]
        frame = frame_of(b"Ur\x01" + heard.frame + struct.pack("<3h", *heard.rest))
        return frame.line(0, 0), heard.rest

    for way in lies:
        line, rest = reported(uf2_content(settings_file(2, kind, key))[1], way)
        assert (line.state, line.error) == ("cocked", "cal")
        up.append(rest)
    page = uf2_content(settings_file(2, kind, key, up))[1]
    for face, way in enumerate(lies, 1):
        line, _ = reported(page, way)
        assert (line.state, line.face, line.error) == ("settled", face, None)
        assert line.angle_deg <= 2
