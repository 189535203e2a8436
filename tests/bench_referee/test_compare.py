"""The referee's moves are compared with the true ones as a person would do it."""

import pytest

from tools.bench.compare import compare, invented
from tools.bench.observer import ObservedPlay
from urpi.rules import Side, rule_set
from urpi.simulation.throwing import MadeThrow


def plays(text: str) -> list[ObservedPlay]:
    """Parse `L+A4 D+C4~ Dpass`: side and move, with ``~`` if it was taken back."""
    return [
        ObservedPlay(word[0], "g---", word[1:].rstrip("~"), word.endswith("~"))
        for word in text.split()
    ]


@pytest.mark.parametrize(
    ("truth", "committed", "recognised", "false", "missed", "exact"),
    [
        ("L+A4 D+C4", "L+A4 D+C4", 2, [], [], True),
        ("L+A4 Dpass L+A3", "L+A4 Dpass L+A3", 2, [], [], True),
        ("L+A4 D+C4 L+A3", "L+A4 L+A3", 2, [], ["+C4"], False),
        ("L+A4", "L+A4 D+C4", 1, ["+C4"], [], False),
        ("L+A4 D+C4", "L+A4 D+C3~ D+C4", 2, ["+C3"], [], True),
        ("L+A4~ L+A3", "L+A3", 1, [], [], True),
        ("L+A4~ L+A3", "L+A4~ L+A3", 2, [], [], True),
        ("L+A4~ L+A3", "L+A4 L+A3", 2, [], [], False),
        ("L+A4", "L+A4 Dpass", 1, [], [], True),
        ("L+A4", "L+A4 Dpass Lpass", 1, [], [], False),
        ("L+A4 D+C4", "L+A4 Dpass", 1, [], ["+C4"], False),
        ("", "", 0, [], [], True),
    ],
)
def test_moves_are_recognised_false_or_missed(truth, committed, recognised, false, missed, exact):
    found = compare(plays(truth), plays(committed))

    assert found.recognised == recognised
    assert [play.move for play in found.false] == false
    assert [play.move for play in found.missed] == missed
    assert found.exact == exact


def test_a_false_move_that_was_taken_back_is_not_in_the_final_record():
    found = compare(plays("L+A4 D+C4"), plays("L+A3~ L+A4 D+C4 L+A2"))

    assert [play.move for play in found.false] == ["+A3", "+A2"]
    assert [play.move for play in found.stayed] == ["+A2"]


def test_a_move_committed_twice_and_taken_back_once_is_not_false_in_the_final_record():
    found = compare(plays("L+A4 D+C4"), plays("L+A4~ L+A4 D+C4"))

    assert len(found.false) == 1
    assert found.stayed == ()


def test_a_misread_throw_makes_the_record_inexact():
    found = compare([ObservedPlay("L", "g---", "+A4")], [ObservedPlay("L", "-g--", "+A4")])

    assert found.recognised == 1
    assert not found.exact


L, D = Side.LIGHT, Side.DARK


@pytest.mark.parametrize(
    ("made", "committed", "expected"),
    [
        ([(L, "g---", 0), (D, "gg--", 9)], [("light", "g---", 1), ("dark", "-gg-", 10)], []),
        # Light threw twice, and the second throw became dark's.
        ([(L, "g---", 0), (L, "gg--", 5)], [("light", "g---", 1), ("dark", "gg--", 6)], ["dark"]),
        # Dark's throw counts before it was made.
        ([(L, "g---", 0), (D, "gg--", 9)], [("light", "g---", 1), ("dark", "gg--", 6)], ["dark"]),
        # One throw counts twice.
        ([(L, "g---", 0)], [("light", "g---", 1), ("light", "g---", 2)], ["light"]),
        # The dice still roll.
        ([(L, "", 0)], [("light", "g---", 1)], ["light"]),
    ],
)
def test_a_throw_that_its_side_never_made_is_invented(made, committed, expected):
    throws = [MadeThrow(side, faces) for side, faces, _ in made]
    plays = [ObservedPlay(side, faces, "+A4", rolled_t=t) for side, faces, t in committed]

    found = invented(rule_set("finkel").dice, throws, [t for _, _, t in made], plays)

    assert [play.side for play in found] == expected
