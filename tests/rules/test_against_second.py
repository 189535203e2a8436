"""The rules, compared with a second implementation written independently from the same text.

This is the everyday number of games; `python -m tests.rules.compare` plays as many as asked.
"""

import pytest

from tests import second
from tests.rules.compare import every_rule_set, play_side_by_side, rules_of_game
from tests.second.texts import OPTIONS
from tests.slow import slow_except
from urpi.rules import RULE_SETS, parse_position

LONGEST = 250
ENDING = [6, 7, 10, 15]
"""Games of which at least one ends in each rule set."""


@pytest.mark.parametrize(
    "name", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger", "freecompany")
)
@pytest.mark.parametrize("games", slow_except([range(20), ENDING], ENDING))
def test_random_games_go_the_same_way_in_both_implementations(name, games):
    results = [
        play_side_by_side(rules_of_game(name, number), seed=7_000 + number, longest=LONGEST)
        for number in games
    ]
    assert [result for result in results if result.difference] == []
    assert any(result.ended for result in results)


# Murray has the most combinations.
@pytest.mark.parametrize(
    "name", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger", "freecompany")
)
def test_a_game_goes_the_same_way_with_every_combination_of_options(name):
    results = [
        play_side_by_side(rules, seed=8_000, longest=LONGEST) for rules in every_rule_set(name)[1:]
    ]
    assert [result for result in results if result.difference] == []


@pytest.mark.parametrize(
    "text", ["freecompany A1:L,B6:D L6D6 L0D0 L*", "bell[decline=yes] - L7D7 L0D0 D"]
)
def test_a_declined_throw_ends_the_turn_in_both_implementations(text):
    position = parse_position(text)

    assert position.rules.may_decline
    assert str(position.rules.decline(position)) == second.decline(text)


@pytest.mark.parametrize("name", RULE_SETS)
def test_both_implementations_know_the_same_options(name):
    known = {option.name: list(option.values) for option in RULE_SETS[name].known_options}

    assert known == OPTIONS[name]
