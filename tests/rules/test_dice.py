"""Throws given by their faces or by their sums."""

from itertools import product

import pytest

from urpi.core.errors import UrpiError
from urpi.rules import RULE_SETS, rule_set


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_sum_stands_for_every_throw_with_its_moves(rules: str) -> None:
    dice = rule_set(rules).dice
    for faces in map("".join, product(dice.faces, repeat=dice.count)):
        throw = dice.throw(faces)
        assert throw.shown == faces
        if throw.meaning in dice.sums:
            summed = dice.throw(throw.meaning)
            assert (summed.value, summed.meaning, summed.shown) == (
                throw.value,
                throw.meaning,
                "",
            )
        else:
            # A d6 shows its sum; two marks of freecompany are gold, silver, or one of each.
            assert dice.body == "d6" or throw.meaning in {"gg", "gs", "ss"}


@pytest.mark.parametrize(
    ("rules", "found"),
    [("finkel", "5"), ("finkel", ""), ("finkel", "²"), ("freecompany", "2"), ("masters", "0"),
     ("coursework", "0"), ("coursework", "7"), ("finkel", "g" * 4000)],
)  # fmt: skip
def test_what_dice_cannot_show_is_refused(rules: str, found: str) -> None:
    with pytest.raises(UrpiError, match=r"^These dice cannot show '.*\.$") as raised:
        rule_set(rules).dice.throw(found)
    assert len(str(raised.value)) < 200
