"""Every sentence that states a rule on a rule set's page is shown by the second implementation."""

import importlib
from functools import cache
from random import Random

import pytest

from tests.second.dice import throws
from tests.second.game import moves_of, pass_turn, start
from tests.second.texts import OPTIONS, parse_position
from tests.show.words.rule_claims import CLAIMS, NO_RULES, SHOWN_BY
from tests.show.words.rule_claims.turns import Turn
from tests.slow import slow_except
from urpi.rules import RULE_SETS, RuleSet, parse_rules
from urpi.rules.ruleset import Starter
from urpi.show.words.rules_text import messages, page_of

TURNS = 1500
RARE = {"freecompany": 6000, "ravensburger": 4000, "skiryuk": 6000}
"""Turns of random games; those in which forts are held or piles are high are rare."""
NOT_CLAIMS = {"differs", "source", "booklet", "public", "ours", "squares"}


def variants() -> list[str]:
    """Return every rule set, and with each value of each of its options."""
    found = list(RULE_SETS)
    for name, options in OPTIONS.items():
        for option, (_, *others) in options.items():
            found += [f"{name}[{option}={value}]" for value in others]
    return found


def sentences(rules: RuleSet) -> list[object]:
    """Return the sentences of a page that state what players may do and what follows."""
    page = page_of(rules)
    parts = [part for key, part in vars(page).items() if key not in NOT_CLAIMS]
    parts += [at.sentences for at in page.squares]
    return list(dict.fromkeys(one for part in parts for one in messages(part, rules)))


@cache
def turns(rules: str) -> list[Turn]:
    """Return the turns of random games, one for each legal move."""
    random, found = Random(37), []
    faces = [one for one, _ in throws(rules)]
    position = parse_position(start(rules, "L"))
    weights = [float(chance) for _, chance in throws(rules)]
    for _ in range(RARE.get(position.name, TURNS)):
        thrown = random.choices(faces, weights)[0]
        moves = moves_of(position, thrown) or {"": pass_turn(position)}
        legal = tuple(text for text in moves if text)
        found += [Turn(position, thrown, legal, move, after) for move, after in moves.items()]
        position = random.choice(list(moves.values()))
        if position.turn == "=":
            position = parse_position(start(rules, random.choice("LD")))
    return found


@pytest.mark.parametrize("rules", slow_except(variants(), "finkel"))
def test_every_sentence_of_a_page_is_true_of_games_of_the_second_implementation(rules):
    own, unknown, wrong = sentences(parse_rules(rules)), [], []
    if "[" in rules:
        # The others are checked without the option.
        own = [one for one in own if one not in sentences(parse_rules(rules.partition("[")[0]))]
    for sentence in own:
        if sentence in CLAIMS:
            try:
                CLAIMS[sentence](turns(rules))
            except AssertionError as error:
                wrong.append(f"{sentence}: {error}")
        elif sentence not in SHOWN_BY and sentence not in NO_RULES:
            unknown.append(sentence)
    turns.cache_clear()
    assert wrong == []
    assert unknown == [], "add each to CLAIMS, with a check of games that shows it"


def test_the_table_has_no_other_sentences():
    used = {one for rules in variants() for one in sentences(parse_rules(rules))}
    assert [one for one in (*CLAIMS, *SHOWN_BY, *NO_RULES) if one not in used] == []


@pytest.mark.parametrize("place", [one for one in SHOWN_BY.values() if ":" in one])
def test_a_sentence_about_the_start_or_a_draw_names_an_existing_test(place):
    module, _, test = place.partition(":")
    assert callable(getattr(importlib.import_module(f"tests.rules.{module}"), test))


def test_only_bell_draws_lots_for_the_start():
    assert [name for name in RULE_SETS if parse_rules(name).starter is Starter.DRAWN] == ["bell"]
