"""`urpi rules` and `urpi perft`."""

import pytest
from click.testing import CliRunner

from tools.bench.referee_command import rule_sets_of
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.rules import RULE_SETS, Side, rule_set
from urpi.rules.board_text import path_drawing


def output_of(*words: str) -> str:
    return CliRunner().invoke(cli, words, catch_exceptions=False).output


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_rule_set_is_explained_with_a_drawing_of_its_path(name: str) -> None:
    assert path_drawing(rule_set(name), Side.LIGHT) in output_of("rules", name)


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("side", Side)
def test_the_drawing_shows_every_step_of_the_path_once(name: str, side: Side) -> None:
    rules = rule_set(name)
    rows = path_drawing(rules, side).splitlines()[2:7:2]
    cells = [cell.strip().rstrip("*") for row in rows for cell in row[2:].split("|")]
    steps = sorted(int(number) for cell in cells if cell for number in cell.split("/"))
    assert steps == list(range(1, len(rules.path(side)) + 1))


def test_perft_prints_a_line_for_each_depth() -> None:
    assert output_of("perft", "--rules", "finkel", "--depth", "4") == "1 5\n2 28\n3 192\n4 1492\n"


def test_a_house_rule_is_applied() -> None:
    counted = output_of("perft", "--rules", "finkel", "--option", "pieces=3", "--depth", "2")
    assert counted == "1 5\n2 28\n"


WITH_BRACKETS = ("perft", "--rules", "finkel[pieces=3]", "--depth", "2")


def test_rules_may_be_given_as_records_write_them() -> None:
    assert output_of(*WITH_BRACKETS) == output_of(
        "perft", "--rules", "finkel", "--option", "pieces=3", "--depth", "2"
    )
    assert "(murray[loop=own-first;pieces=3])" in output_of(
        "rules", "murray[loop=own-first]", "--option", "pieces=3"
    )
    assert rule_sets_of(("bell[pieces=5]", "blitz"), {}) == ["bell[pieces=5]", "blitz"]
    with pytest.raises(UrpiError, match=r"No table of exact values for finkel\[pieces=3\]"):
        output_of("tables", "remove", "--rules", "finkel[pieces=3]")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--rules", "finkel[pieces=3]", "--option", "pieces=5"),
            "The option pieces is given in finkel[pieces=3] and as pieces=5; give it once.",
        ),
        (
            ("--rules", "bell[x"),
            "A rule set with options must look like murray[loop=own-first]; found 'bell[x'.",
        ),
        (
            ("--rules", "finkel[pieces=9]"),
            "The option pieces of finkel must be 7 or 5 or 3; found '9'.",
        ),
    ],
)
@pytest.mark.parametrize("command", [("perft",), ("solve",), ("demo", "--auto")])
def test_wrong_rules_are_refused_in_one_line(
    command: tuple[str, ...], words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UrpiError) as refused:
        output_of(*command, *words)
    assert str(refused.value) == message
