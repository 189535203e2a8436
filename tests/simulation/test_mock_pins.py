"""The table's contacts on gpiozero's mock pins, read by the program's own switches."""

from itertools import count

import pytest
from gpiozero.pins.mock import MockFactory

from urpi.hardware.contacts import Switches
from urpi.hardware.pins import default_pins
from urpi.referee.facts import Edge
from urpi.rules import Side, rule_set
from urpi.simulation import MockPins, Outputs, VirtualTable


@pytest.fixture
def factory():
    factory = MockFactory()
    yield factory
    factory.reset()


def test_the_program_receives_the_edges_and_reads_the_board(factory):
    facts, driven = [], []
    pins = MockPins(factory, default_pins())
    switches = Switches(factory, default_pins(), count().__next__, facts.append)

    def edge(square, on):
        driven.append((square, on))
        pins.square(square, on)

    table = VirtualTable(rule_set("finkel"), 8, Outputs(edge=edge, button=pins.button))
    table.play_out(max_turns=20)

    seen = [(fact.square, fact.on) for fact in facts if isinstance(fact, Edge)]
    assert seen == driven
    assert switches.read().squares == table.pieces.occupancy
    switches.close()


def test_refresh_restores_the_levels_after_the_program_raised_the_pins(factory):
    pins = MockPins(factory, default_pins())
    pins.square(9, True)
    pins.button(Side.DARK, True)
    switches = Switches(factory, default_pins(), count().__next__, lambda _fact: None)
    pins.refresh()

    assert switches.read().squares == 1 << 9
    assert factory.pin(default_pins().buttons[Side.DARK]).state == 0
    switches.close()
