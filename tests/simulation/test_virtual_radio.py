"""Dice with Bluetooth of the virtual table, received by the program's `BluetoothDice`."""

from queue import Queue
from random import Random

import pytest

from tests.waiting import wait_until
from urpi.core.errors import UrpiError
from urpi.hardware import BluetoothDice, DieFaces
from urpi.simulation.bluetooth_rig import BluetoothRig
from urpi.simulation.schedule import Schedule
from urpi.simulation.virtual_radio import VirtualRadio

DEADLINE_S = 60.0
BRANDS = ("pixels", "godice")


class Table:
    """Two dice and a program."""

    def __init__(self, brand):
        self.schedule, self.radio, self.facts = Schedule(), VirtualRadio(), Queue()
        self.rig = BluetoothRig(
            self.schedule, Random(4), count=2, shows="gs--", brand=brand, air=self.radio
        )
        self.program = self.start()

    def start(self):
        program = BluetoothDice(
            self.radio.paired,
            DieFaces(),
            lambda: self.schedule.now,
            lambda: self.radio,
            pause_s=0.001,
        )
        program.start(self.facts.put)
        self.program = program
        wait_until(lambda: program.health.dice == (1, 2) and self.radio.idle, "both dice")
        return program

    def do(self, script, *, without_program=False):
        self.schedule.start(script)
        while self.schedule.next_due is not None:
            self.schedule.run_next()
            wait_until(lambda: without_program or self.radio.idle, "the program")

    def received(self):
        return [self.facts.get_nowait() for _ in range(self.facts.qsize())]


@pytest.fixture
def at():
    tables = []

    def make(brand):
        tables.append(Table(brand))
        tables[-1].received()
        return tables[-1]

    yield make
    for one in tables:
        one.program.close()


@pytest.mark.parametrize("brand", BRANDS)
def test_a_throw_becomes_facts(at, brand):
    table = at(brand)
    table.do(table.rig.dice.throw([1, 2]))
    facts = table.received()
    assert [(fact.die, fact.state) for fact in facts][:2] == [(1, "rolling"), (2, "rolling")]
    shown = {fact.die: (fact.face, fact.tumbled) for fact in facts if fact.state == "settled"}
    assert shown == {die: (table.rig.dice.face(die), True) for die in (1, 2)}


@pytest.mark.parametrize("brand", BRANDS)
def test_a_turned_die_was_not_thrown(at, brand):
    table = at(brand)
    table.do(table.rig.dice.turn_by_hand(1))
    last = table.received()[-1]
    assert (last.state, last.tumbled, last.face) == ("settled", False, table.rig.dice.face(1))


@pytest.mark.parametrize("brand", BRANDS)
def test_a_die_that_comes_back_repeats_no_throw(at, brand):
    table = at(brand)
    table.do(table.rig.dice.throw([1, 2]))
    table.received()
    table.rig.dice.disconnect(1)
    wait_until(lambda: table.program.health.dice == (2,), "the second die alone")
    table.rig.dice.reconnect(1)
    wait_until(lambda: table.program.health.dice == (1, 2) and table.radio.idle, "both dice")
    assert [(fact.die, fact.state) for fact in table.received()] == [(1, "lost"), (1, "found")]


def test_a_throw_out_of_range_is_not_guessed(at):
    table = at("pixels")
    table.do(table.rig.dice.throw([1, 2]))
    table.received()
    table.rig.dice.disconnect(1)
    before = table.rig.dice.face(1)
    while table.rig.dice.face(1) == before:
        table.do(table.rig.dice.throw([1]))
    table.rig.dice.reconnect(1)
    wait_until(lambda: table.program.health.dice == (1, 2) and table.radio.idle, "both dice")
    assert [(fact.die, fact.state) for fact in table.received()] == [(1, "lost")]


def test_without_adapter_bluetooth_is_unavailable_and_then_available(at):
    table = at("pixels")
    table.rig.unplug()
    wait_until(lambda: not table.program.health.available, "the loss of Bluetooth")
    assert "switched off" in table.program.health.error
    table.rig.plug()
    wait_until(lambda: table.program.health.dice == (1, 2), "both dice")


@pytest.mark.parametrize("brand", BRANDS)
def test_a_program_that_starts_again_is_connected(at, brand):
    table = at(brand)
    table.program.close()
    table.do(table.rig.dice.throw([1, 2]), without_program=True)
    table.start()
    table.received()
    table.do(table.rig.dice.throw([2]))
    assert table.received()[-1].face == table.rig.dice.face(2)


def test_the_paired_dice_cannot_be_replaced(at):
    rig = at("godice").rig
    rig.replace_dice(2, "gs--")
    with pytest.raises(
        UrpiError, match=r"2 with 4 faces; the game requires 1 with 6\. Start `urpi"
    ):
        rig.replace_dice(1, "123456")
