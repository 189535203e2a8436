"""Rule sets and positions by their texts, and the page of documentation about them."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.core.errors import UrpiError
from urpi.rules import (
    REFUSAL_CODES,
    RULE_SETS,
    RuleSet,
    notation,
    parse_position,
    parse_rules,
    rule_set,
)

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "rules-library.md"
RULES = Path(__file__).parents[2] / "docs" / "design" / "RULES.md"


def test_every_rule_set_has_its_own_module_id_and_class_and_the_default_is_the_first():
    assert next(iter(RULE_SETS)) == "finkel"
    assert [RULE_SETS[name].id for name in RULE_SETS] == list(RULE_SETS)
    assert len({RULE_SETS[name].section for name in RULE_SETS}) == len(RULE_SETS)
    # Every class of a rule set is registered, so that none is forgotten.
    for path in sorted(Path(notation.__file__).parent.glob("*.py")):
        for value in vars(import_module(f"urpi.rules.{path.stem}")).values():
            if isinstance(value, type) and issubclass(value, RuleSet) and "id" in vars(value):
                assert RULE_SETS.get(value.id) is value, f"add {value.__name__} to notation.py"


def test_the_own_codes_of_a_rule_set_are_refusal_codes():
    for kind in RULE_SETS.values():
        assert (kind.own_codes or frozenset()) <= set(REFUSAL_CODES)


def test_pieces_have_two_faces_where_the_table_of_the_rules_says_so():
    rules = RULES.read_text()
    for name, kind in RULE_SETS.items():
        (row,) = (line for line in rules.splitlines() if line.startswith(f"| `{name}` |"))
        assert kind.two_faced == ("two-faced" in row)


def test_equal_rule_sets_are_one_object():
    assert rule_set("murray", {"loop": "own-first"}) is parse_rules("murray[loop=own-first]")
    assert rule_set("murray", {"loop": "opponent-first"}) is rule_set("murray")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "murray"),
        ({"pieces": "7", "safe_rosettes": "no"}, "murray"),
        ({"loop": "own-first", "exit_row": "opponent"}, "murray[exit_row=opponent;loop=own-first]"),
    ],
)
def test_a_text_names_the_options_that_are_not_at_their_default(options, text):
    assert rule_set("murray", options).text == text


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("halma", "halma"),
        ("finkel[pieces=6]", "7 or 5 or 3"),
        ("finkel[loop=own-first]", "'loop'"),
        ("finkel[pieces=3", r"murray\[loop=own-first\]"),
        ("finkel[pieces]", "NAME=VALUE"),
        ("finkel[pieces=3;pieces=3]", "once"),
        ("finkel[]", "NAME=VALUE"),
        ("ravensburger[pieces=7]", "none"),
        ("", "''"),
    ],
)
def test_a_wrong_rules_word_is_refused_by_name(word, named):
    with pytest.raises(UrpiError, match=named):
        parse_rules(word)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("finkel", "five words"),
        ("finkel - L7D7 L0D0 L L", "five words"),
        ("finkel  - L7D7 L0D0 L", "five words"),
        ("finkel - L7D7 L0D0 X", "'X'"),
        ("finkel - L7D7 L0D0 =*", "'=.'"),
        ("finkel - L07D7 L0D0 L", "L07D7"),
        ("finkel - L7D7 L0 L", "'L0'"),
        ("finkel A5:L L6D7 L0D0 L", "A5"),
        ("finkel B1 L7D7 L0D0 L", "'B1'"),
        ("finkel B1: L7D7 L0D0 L", "pile"),
        ("finkel B1:l L6D7 L0D0 L", "pile"),
        ("finkel B1:'L L6D7 L0D0 L", "pile"),
        ("finkel B2:L,B1:L L5D7 L0D0 L", "B1"),
        ("finkel B1:L,B1:L L5D7 L0D0 L", "B1"),
    ],
)
def test_a_wrong_position_is_refused_by_name(text, named):
    with pytest.raises(UrpiError, match=named):
        parse_position(text)


def test_the_documentation_of_the_rules_does_what_it_shows():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


@given(st.data())
def test_options_in_brackets_and_beside_them_apply_together(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(RULE_SETS)))
    chosen = {
        option.name: data.draw(st.sampled_from(option.values))
        for option in RULE_SETS[name].known_options
        if data.draw(st.booleans())
    }
    inside = {key: value for key, value in chosen.items() if data.draw(st.booleans())}
    beside = {key: value for key, value in chosen.items() if key not in inside}
    brackets = ";".join(f"{key}={value}" for key, value in inside.items())
    text = f"{name}[{brackets}]" if inside else name
    assert parse_rules(text, beside) is rule_set(name, chosen)
    for key in inside:
        with pytest.raises(UrpiError, match=f"The option {key} is given in .*; give it once"):
            parse_rules(text, {key: chosen[key]})
