"""What the linked firmware sends, in the program that receives it."""

import random
from itertools import pairwise

import pytest

from urpi.hardware.advertised_dice import AdvertisedDice, AdvertisedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import HubSettings
from urpi.hardware.protocol import DieLine

from .bodies import Body
from .die import KEY, Die, settings

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
                data = b"Ur" + bytes([it.firmware]) + it.frame
                found += self.dice.on_advertisement(ADDRESS, data, round(ms))
        return [one for one in found if not isinstance(one, DieLine)]


def laid(image, motions, body, kind, **more):
    die = Die(image, settings(kind=kind, set_number=0), seed=3, **more)
    die.body = Body(motions, body, 3)
    die.sensor.source = die.body.felt
    die.run(3000)
    return die


@pytest.mark.parametrize("loss", [0, 0.4])
@pytest.mark.parametrize(("body", "kind"), [("tetrahedron-57", 4), ("cube-42", 6)])
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
    die, host = laid(image, motions, "cube-42", 6), Host(6)
    die.body.do(die.chip.now, "throw")
    die.run(7000)
    assert host.facts(die)[-1].tumbled
    again = laid(image, motions, "cube-42", 6, counters=bytes(die.chip.counters))
    host = Host(6, numbers=host.numbers)
    assert [fact.state for fact in host.facts(again)] == ["settled"]
    again.body.do(again.chip.now, "throw")
    again.run(7000)
    assert host.facts(again)[-1].tumbled


def test_a_die_that_is_put_down_was_not_thrown(image, motions):
    die, host = laid(image, motions, "cube-42", 6), Host(6)
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
