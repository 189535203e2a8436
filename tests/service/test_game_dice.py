"""Dice with numbers in rules for tetrahedral dice, and dice of one side."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urpi.config.kinds import PairedDice
from urpi.core.names import LAST_DIE
from urpi.referee.facts import Die, Game
from urpi.referee.lines import fact_line, parse_fact
from urpi.rules import RULE_SETS, rule_set
from urpi.service.game_dice import in_game, own_dice, unsuitable

PAIRED = {1: {"faces": 4}, 2: {"faces": 6}, 3: {"faces": 20}}
HANDLED = ("handled", None)


@pytest.mark.parametrize(
    ("rules", "die", "face", "counted"),
    [
        ("finkel", 1, "s", ("settled", "s")),
        ("finkel", 2, "1", ("settled", "g")),
        ("finkel", 2, "6", ("settled", "-")),
        ("finkel", 3, "g", ("settled", "g")),
        ("finkel", 9, "g", ("settled", "g")),
        ("finkel", 9, "5", ("settled", "5")),
        ("ravensburger", 2, "5", ("settled", "5")),
        ("ravensburger", 3, "g", HANDLED),
        ("ravensburger", 1, "g", HANDLED),
        ("ravensburger", 9, "g", ("settled", "g")),
        ("freecompany", 2, "3", HANDLED),
        ("freecompany", 3, "g", HANDLED),
        ("freecompany", 1, "s", ("settled", "s")),
    ],
)
def test_a_die_counts_as_the_rules_allow(rules, die, face, counted):
    assert not rule_set("freecompany").dice.binary
    found = in_game(Die(7, die, "settled", face, tumbled=True), rule_set(rules).dice, PAIRED)
    assert (found.state, found.face) == counted
    assert found.tumbled == (counted != HANDLED)
    assert (found.t, found.die) == (7, die)


@pytest.mark.parametrize(
    ("rules", "dice"),
    [("finkel", ()), ("ravensburger", (1,)), ("freecompany", (2,)), ("masters", ())],
)
def test_the_dice_of_a_throw_that_the_rules_do_not_allow_are_named(rules, dice):
    assert unsuitable(rule_set(rules).dice, PAIRED) == dice


@given(st.sets(st.integers(1, LAST_DIE), min_size=8, max_size=8))
@example(set(range(LAST_DIE - 7, LAST_DIE + 1)))
def test_a_game_can_be_stored_whatever_the_numbers_of_its_paired_dice(numbers):
    die = {"brand": "godice", "faces": 4}
    owners = ["light", "dark"] * 4
    table = {
        str(number): {**die, "address": f"C4:00:11:22:33:{number:02}", "owner": owner}
        for number, owner in zip(sorted(numbers), owners, strict=True)
    }
    own = own_dice(PairedDice().parse(table), 4)
    fact = Game(0, "finkel", "Ann", "Zoë", dice=own)
    assert parse_fact(fact_line(fact)) == fact


def test_a_number_that_a_game_cannot_have_is_not_paired():
    die = {"brand": "godice", "faces": 4, "address": "C4:00:11:22:33:44"}
    with pytest.raises(ValueError, match="from 1 to 99"):
        PairedDice().parse({str(LAST_DIE + 1): die})


def test_own_dice_are_checked_too():
    paired = {2: {"faces": 6, "owner": "light"}, 3: {"faces": 4, "owner": "dark"}}
    assert unsuitable(rule_set("ravensburger").dice, paired) == (3,)


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_a_report_without_a_face_is_unchanged(rules):
    for state in ("rolling", "cocked", "handled", "lost", "found"):
        fact = Die(7, 2, state)
        assert in_game(fact, rule_set(rules).dice, PAIRED) == fact


def test_dice_have_owners_only_if_both_sides_have_enough():
    paired = {number: {"owner": "light" if number < 5 else "dark"} for number in range(1, 9)}
    assert own_dice(paired, 4) == ((1, 2, 3, 4), (5, 6, 7, 8))
    assert own_dice(paired | {5: {"owner": "both"}}, 4) is None
    assert own_dice({}, 4) is None
