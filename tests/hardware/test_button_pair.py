"""Presses of both sides' buttons, alone and together."""

import pytest

from urpi.hardware.contact_facts import Buttons, due, on_edge, tick
from urpi.hardware.presses import PressTiming
from urpi.rules import Side

TIMING = PressTiming(stable_ms=20, long_ms=800)
PLACES = {"L": (Side.LIGHT, 1), "D": (Side.DARK, 1), "L2": (Side.LIGHT, 2)}


def presses_of(edges, end=9000):
    """Return the presses made by edges such as ``(100, "L", 1)``, and the final buttons."""
    buttons, presses = Buttons(), ()
    for t, name, on in edges:
        buttons, more = on_edge(buttons, PLACES[name], t, on=bool(on), timing=TIMING)
        presses += more
    buttons, more = tick(buttons, end, TIMING)
    return [
        (t, "both" if press == "both" else f"{side.letter} {press}")
        for t, side, press in (*presses, *more)
    ], buttons


@pytest.mark.parametrize(
    ("case", "edges", "expected"),
    [
        ("each is reported separately", [(0, "L", 1), (100, "L", 0), (200, "D", 1), (1100, "D", 0)],
         [(120, "L short"), (1000, "D long")]),
        ("both held report both once and nothing else",
         [(0, "L", 1), (100, "D", 1), (2000, "L", 0), (2100, "D", 0)], [(900, "both")]),
        ("both counts from the later press", [(0, "D", 1), (700, "L", 1), (1600, "L", 0)],
         [(1500, "both")]),
        ("after an early release one is short and the other not long",
         [(0, "L", 1), (100, "D", 1), (800, "D", 0), (2000, "L", 0)], [(820, "D short")]),
        ("after an early release the other can be long on its own",
         [(0, "L", 1), (100, "D", 1), (300, "D", 0), (2000, "L", 0)],
         [(320, "D short"), (800, "L long")]),
        ("overlapping short presses are two",
         [(0, "L", 1), (100, "D", 1), (200, "L", 0), (300, "D", 0)],
         [(220, "L short"), (320, "D short")]),
        ("after both each is separate again",
         [(0, "L", 1), (0, "D", 1), (900, "L", 0), (900, "D", 0), (1000, "D", 1), (1100, "D", 0)],
         [(800, "both"), (1120, "D short")]),
        ("a button still held after its long press leaves the other one free",
         [(0, "L", 1), (1000, "D", 1), (1100, "D", 0), (1200, "D", 1), (2100, "D", 0)],
         [(800, "L long"), (1120, "D short"), (2000, "D long")]),
        ("two buttons of one side are not both",
         [(0, "L", 1), (10, "L2", 1), (300, "L", 0), (310, "L2", 0)],
         [(320, "L short"), (330, "L short")]),
        ("a side's second button counts for both",
         [(0, "L2", 1), (10, "D", 1), (2000, "L2", 0), (2000, "D", 0)], [(810, "both")]),
        ("both that bounces when due is reported afterwards",
         [(0, "L", 1), (0, "D", 1), (795, "D", 0), (805, "D", 1), (2000, "D", 0)],
         [(805, "both")]),
        ("a spike of the other button is ignored",
         [(0, "L", 1), (100, "D", 1), (110, "D", 0), (300, "L", 0)], [(320, "L short")]),
    ],
)  # fmt: skip
def test_presses_of_both_sides(case, edges, expected):
    assert presses_of(edges)[0] == expected, case


def test_nothing_is_due_after_both_was_reported():
    presses, buttons = presses_of([(0, "L", 1), (0, "D", 1)])
    assert presses == [(800, "both")]
    assert due(buttons, TIMING) is None
