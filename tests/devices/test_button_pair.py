"""Both sides' buttons: what is held together says nothing else."""

import pytest

from urpi.devices.button_pair import Buttons, due, on_edge, tick
from urpi.devices.presses import PressTiming
from urpi.rules import Side

TIMING = PressTiming(stable_ms=20, long_ms=800)
PLACES = {"L": (Side.LIGHT, 1), "D": (Side.DARK, 1), "L2": (Side.LIGHT, 2)}


def pressed(edges, end=9000):
    """What is told of edges such as ``(100, "L", 1)``, as light's L, dark's D and both's B."""
    buttons, told = Buttons(), ()
    for t, name, on in edges:
        buttons, more = on_edge(buttons, PLACES[name], t, on=bool(on), timing=TIMING)
        told += more
    buttons, more = tick(buttons, end, TIMING)
    return [
        (t, "both" if press == "both" else f"{side.letter} {press}")
        for t, side, press in (*told, *more)
    ], buttons


@pytest.mark.parametrize(
    ("case", "edges", "told"),
    [
        ("each is told alone", [(0, "L", 1), (100, "L", 0), (200, "D", 1), (1100, "D", 0)],
         [(120, "L short"), (1000, "D long")]),
        ("both held are both, once, and nothing else",
         [(0, "L", 1), (100, "D", 1), (2000, "L", 0), (2100, "D", 0)], [(900, "both")]),
        ("they count from the later one", [(0, "D", 1), (700, "L", 1), (1600, "L", 0)],
         [(1500, "both")]),
        ("let go too soon, one is short and the other is not long",
         [(0, "L", 1), (100, "D", 1), (800, "D", 0), (2000, "L", 0)], [(820, "D short")]),
        ("let go early, the other is its own again",
         [(0, "L", 1), (100, "D", 1), (300, "D", 0), (2000, "L", 0)],
         [(320, "D short"), (800, "L long")]),
        ("two short presses over each other are two",
         [(0, "L", 1), (100, "D", 1), (200, "L", 0), (300, "D", 0)],
         [(220, "L short"), (320, "D short")]),
        ("after both each is its own again",
         [(0, "L", 1), (0, "D", 1), (900, "L", 0), (900, "D", 0), (1000, "D", 1), (1100, "D", 0)],
         [(800, "both"), (1120, "D short")]),
        ("who still holds a told button leaves the other to the other",
         [(0, "L", 1), (1000, "D", 1), (1100, "D", 0), (1200, "D", 1), (2100, "D", 0)],
         [(800, "L long"), (1120, "D short"), (2000, "D long")]),
        ("two buttons of one side are no both",
         [(0, "L", 1), (10, "L2", 1), (300, "L", 0), (310, "L2", 0)],
         [(320, "L short"), (330, "L short")]),
        ("a side's other button will do",
         [(0, "L2", 1), (10, "D", 1), (2000, "L2", 0), (2000, "D", 0)], [(810, "both")]),
        ("bouncing over the very moment is both when it is back",
         [(0, "L", 1), (0, "D", 1), (795, "D", 0), (805, "D", 1), (2000, "D", 0)],
         [(805, "both")]),
        ("a spike of the other is nobody's press",
         [(0, "L", 1), (100, "D", 1), (110, "D", 0), (300, "L", 0)], [(320, "L short")]),
    ],
)  # fmt: skip
def test_presses_of_both_sides(case, edges, told):
    assert pressed(edges)[0] == told, case


def test_nothing_is_due_when_both_have_been_told_and_are_still_held():
    told, buttons = pressed([(0, "L", 1), (0, "D", 1)])
    assert told == [(800, "both")]
    assert due(buttons, TIMING) is None
