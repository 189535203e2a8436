"""The pages that explain the rule sets to players."""

import pytest

from tests.rules.compare import every_rule_set
from urpi.rules import RULE_SETS, Side, parse_rules, rule_set
from urpi.rules.board_text import path_drawing
from urpi.show.words.rules_pages import PAGES
from urpi.show.words.rules_text import WIDTH, rules_page

HEADINGS = (
    "Aim",
    "In short",
    "What you need",
    "Dice",
    "Your path",
    "Who begins",
    "A turn",
    "Special squares",
    "Capturing",
    "Piles",
    "Going home",
    "Extra throws",
    "Passing",
    "Winning and draws",
    "Two example turns",
    "House rules",
    "Where the rules come from",
    "What the source says",
    "What we decided, where the sources are silent",
)


def test_every_rule_set_has_a_page():
    assert set(PAGES) == set(RULE_SETS)


@pytest.mark.parametrize("name", RULE_SETS)
def test_page_has_all_sections(name):
    lines = rules_page(rule_set(name)).splitlines()
    expected = [h for h in HEADINGS if h != "House rules" or RULE_SETS[name].known_options]
    assert [line for line in lines if line in expected] == expected


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("side", Side)
def test_page_has_the_path_of_the_given_side(name, side):
    rules = rule_set(name)
    assert path_drawing(rules, side) in rules_page(rules, side)


@pytest.mark.parametrize("name", RULE_SETS)
def test_lines_fit_and_placeholders_are_filled(name):
    for rules in every_rule_set(name):
        page = rules_page(rules)
        assert max(map(len, page.splitlines())) <= WIDTH
        assert "{" not in page


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("finkel[pieces=3]", "pieces=3, not 7 as usual: pieces per side"),
        ("finkel", "pieces=7 (or 5, 3): pieces per side"),
        ("finkel[pieces=5]", "Bring your 5 pieces onto"),
        ("finkel3", "A piece on a rosette is safe"),
        ("finkel3[safe_rosettes=no]", "A piece on a rosette is not safe"),
        ("coursework", "marks is a 4"),
        ("coursework[zero=0]", "marks is a 0"),
        ("murray[exit_row=opponent]", "Pieces go home along the opponent's row"),
        ("freecompany[path=orthogonal]", "any square that shares an edge"),
    ],
)
def test_page_depends_on_the_options(rules, sentence):
    assert sentence in rules_page(parse_rules(rules))
