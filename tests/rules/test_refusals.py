"""The details of a refusal, from which the sentence for the players is made."""

import pytest

from urpi.rules import parse_move, parse_position

WENT = [
    ("finkel A4:L L6D7 L0D0 L", "gs--", "A4-A1", "wrong-distance", 3),
    ("finkel A4:L L6D7 L0D0 L", "gs--", "A4-A3", "wrong-distance", 1),
    ("finkel - L7D7 L0D0 L", "gs--", "+A1", "wrong-distance", 4),
    ("finkel A4:L L6D7 L0D0 L", "----", "A4-A4", "wrong-distance", 0),
    ("finkel A1:L L6D7 L0D0 L", "gs--", "A1-A2", "backwards", 1),
    ("finkel A8:L L6D7 L0D0 L", "gss-", "A8-off", "inexact-exit", 2),
    ("ravensburger B2:L L9D10 L0D0 L", "2", "B2-B5", "wrong-distance", 3),
    ("ravensburger B2:L L9D10 L0D0 L", "2", "B2-B2", "wrong-distance", 0),
    ("ravensburger B4:L' L9D10 L0D0 L", "2", "B4-B1", "wrong-distance", 3),
    ("ravensburger B4:L L9D10 L0D0 L", "2", "B4-B1", "backwards", 3),
    ("freecompany A4:L L6D7 L0D0 L", "gs", "A4-A4", "wrong-distance", 0),
    ("freecompany A4:L L6D7 L0D0 L", "gs", "A4-A1", "wrong-distance", 3),
]


@pytest.mark.parametrize(("position", "faces", "move", "code", "went"), WENT)
def test_a_wrong_distance_is_named(position, faces, move, code, went):
    at = parse_position(position)
    throw = at.rules.dice.throw(faces)
    found = at.rules.refusal(at, throw, parse_move(move))

    origin, _, target = move.replace("+", "-").replace("off", "").partition("-")
    details = {"threw": throw.value, "origin": origin, "target": target, "went": went}
    assert found == (code, details)
