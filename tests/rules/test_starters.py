"""Who begins after both players have thrown (docs/design/RULES.md, by rule set)."""

import pytest

from urpi.rules import Side, Starter, parse_rules, rule_set

LIGHT, DARK, AGAIN = Side.LIGHT, Side.DARK, None


@pytest.mark.parametrize(
    ("rules", "light", "dark", "first"),
    [
        ("finkel", "gg--", "s---", LIGHT),
        ("finkel", "----", "s---", DARK),
        ("finkel", "gg--", "--ss", AGAIN),
        ("finkel3", "g--", "gs-", DARK),
        ("finkel3", "---", "g--", DARK),
        ("murray", "gss", "--s", LIGHT),
        ("murray", "g--", "--s", AGAIN),
        ("masters", "---", "ggg", LIGHT),
        ("masters", "g--", "gs-", DARK),
        ("masters", "g--", "--s", AGAIN),
        ("blitz", "gggg", "ggg-", LIGHT),
        ("blitz", "----", "g---", DARK),
        ("blitz", "g---", "---s", AGAIN),
        ("coursework", "---", "ggg", LIGHT),
        ("coursework[zero=0]", "---", "g--", DARK),
        ("coursework", "g--", "--s", AGAIN),
    ],
)
def test_the_higher_throw_starts_and_a_tie_is_thrown_again(rules, light, dark, first):
    found = parse_rules(rules)
    assert found.starter is Starter.MORE
    assert found.starts(found.dice.throw(light), found.dice.throw(dark)) is first


@pytest.mark.parametrize(
    ("light", "dark", "first"),
    [("g--", "gs-", LIGHT), ("gss", "--s", DARK), ("g--", "--s", AGAIN), ("gs-", "---", AGAIN)],
)
@pytest.mark.parametrize("name", ["finkel3", "murray"])
def test_by_an_option_the_only_player_who_throws_a_one_starts(name, light, dark, first):
    rules = rule_set(name, {"start": "one"})
    assert rules.starter is Starter.ONE_MARK
    assert rules.starts(rules.dice.throw(light), rules.dice.throw(dark)) is first
