"""The figures of several runs as tables of the documentation."""

import json

import pytest
from click.testing import CliRunner

from tools.bench import RefereeFigures, Task, markdown_tables, read_rows, run
from tools.bench.__main__ import bench
from urpi.core.errors import UrpiError

SHORT = "finkel[pieces=3]"


def row(case="calm", seeds=(0,), **changed):
    """Return a row of figures as in a file, with some of them changed."""
    figures = RefereeFigures(SHORT, case)
    figures.outcomes = [run(Task(SHORT, case, "random", seed, 6)) for seed in seeds]
    return json.loads(json.dumps({**figures.to_dict(), **changed}))


def section(rows, head):
    """Return the lines of the table under a heading, without its two header lines."""
    lines = markdown_tables(rows)
    begin = lines.index(f"## {head}") + 2
    return lines[begin : lines.index("", begin)]


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_rows_of_the_same_rules_and_behaviour_are_added_up():
    (line,) = section([row(seeds=(0,)), row(seeds=(1, 2))], "Presets, by rule set")[2:]
    together = row(seeds=(0, 1, 2))

    assert cells(line)[:2] == [f"`{SHORT}` calm", "3 (0/3/0)"]
    assert cells(line)[3] == str(together["moves"])
    assert cells(line)[13] == f"{together['wait_ms']['plain']['p50']}/150"


def test_percentages_are_truncated():
    nearly = row(moves=1_000_000, recognised=999_999)

    assert cells(section([nearly], "Presets, by rule set")[2])[4] == "99.999"


def test_questions_of_a_broken_switch_are_compared_with_the_same_games_without_it():
    whole = row(questions_by_seed={"0": 1, "1": 0, "2": 0})
    broken = row("stuck-on", questions_by_seed={"0": 3, "1": 0, "9": 7})

    (line,) = section([whole, broken], "Questions that a broken switch causes")[2:]
    assert cells(line) == [f"`{SHORT}` stuck-on", "2", "1.00", "2"]


def test_questions_are_compared_with_those_of_hands_that_do_not_touch_piles():
    rows = [
        row("lively", questions_by_seed={"0": 2}),
        row("calm", questions_by_seed={"0": 9}),
        row("quiet-lively", questions_by_seed={"0": 5}),
    ]

    (line,) = section(rows, "Questions, with piles touched and not")[2:]
    assert cells(line) == [f"`{SHORT}` lively", "2.00", "5.00"]


def test_exact_codes_are_the_remaining_illegal_acts():
    rows = [row("illegal", wrong_acts=150, wrong_code=2, not_warned=1), row(wrong_acts=50)]

    (line,) = section(rows, "Exact codes")[2:]
    assert cells(line) == [f"`{SHORT}`", "200", "1", "2", "98.500"]


def test_codes_are_listed_with_the_expected_ones_most_frequent_first():
    rows = [
        row("early", wrong_codes={"backwards for no-throw-yet": 1}),
        row("early", wrong_codes={"backwards for no-throw-yet": 2, "off-path for barred": 1}),
    ]

    lines = section(rows, "Codes that do not explain the act")[2:]
    assert [cells(line) for line in lines] == [
        ["early", "backwards for no-throw-yet", "3"],
        ["early", "off-path for barred", "1"],
    ]


def test_failures_are_listed_with_their_seeds():
    lines = section([row(failed=1, seeds_to_look_at=[4, 9])], "What went wrong")

    (line,) = lines
    assert line.startswith(f"- `{SHORT}` calm: 1 failed, 1 of 1 exact, 0 false (0 in the record), ")
    assert line.endswith("; seeds 4, 9")


def test_tables_without_rows_are_left_out():
    assert [line for line in markdown_tables([row()]) if line.startswith("#")] == [
        "## Presets, by rule set"
    ]


def test_the_command_skips_comments(tmp_path):
    file = tmp_path / "calm.json"
    file.write_text(f"{json.dumps(row())}\n# finkel calm --seed 0: nothing\n", "utf-8")
    ended = CliRunner().invoke(bench, ["referee-table", str(file)], catch_exceptions=False)

    assert ended.exit_code == 0
    assert ended.stdout.startswith("## Presets, by rule set\n\n|")


@pytest.mark.parametrize("text", ["{", "[1]", '{"rules": "finkel"}', "rules behaviour games"])
def test_an_invalid_line_is_named(tmp_path, text):
    file = tmp_path / "odd.json"
    file.write_text(f"# a remark\n{text}\n", "utf-8")

    with pytest.raises(UrpiError, match=r"odd\.json, line 2 is not a row of figures"):
        read_rows([file])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UrpiError, match=r"nowhere\.json cannot be read"):
        read_rows([tmp_path / "nowhere.json"])


def test_games_with_the_engine_have_a_table_of_their_own():
    against = {
        "against_plan": 5,
        "against_plan_warned": 4,
        "against_plan_named": 3,
        "against_plan_corrected": 2,
    }
    rows = [row(), row("disobeying", engine="dark", **against), row("calm", engine="both")]

    (line,) = section(rows, "The engine in a seat, by rule set")[2:]
    assert cells(line)[:2] == [f"`{SHORT}`", "2 (0/2/0)"]
    assert cells(line)[-1] == "5/4/3/2"
    assert len(section(rows, "Presets, by rule set")[2:]) == 1
