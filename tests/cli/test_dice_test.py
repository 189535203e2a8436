"""`urpi dice test`: throws at a virtual table are counted, and stored counts analysed."""

import json
import re
from collections import Counter

import pytest

from tests.cli.living_table import LivingTable, living_table
from tests.cli.running import Running, call, running
from urpi.cli.dice.verdict import verdict_words
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.journal.fairness import judge, parse_tally
from urpi.show.words import languages, words_for

MANY = '{"die":2,"outcomes":["g","s","-","-"],"counts":[250000,250000,250000,250000]}'
FAIR = '{"die":1,"outcomes":["g","s","-","-"],"counts":[80,78,70,72]}'
BAD = '{"die":2,"outcomes":["g","s","-","-"],"counts":[95,95,55,55]}'


@pytest.fixture
def table(tmp_path):
    with living_table(tmp_path) as table:
        yield table


@pytest.fixture
def start(table: LivingTable):
    """Start the command, and wait until it counts."""
    opened = []

    def started(*words: str) -> Running:
        context = running("dice", "test", "--port", table.port, *words)
        opened.append(context)
        command = context.__enter__()
        command.wait_for_error("Throw each die")
        return command

    yield started
    for context in opened:
        context.__exit__(None, None, None)


def judged(command: Running) -> dict[int, dict]:
    return {one["die"]: one for one in map(json.loads, command.passed)}


def test_every_throw_of_every_die_is_counted_with_its_true_face(table, start):
    command = start("--throws", "30", "--json")
    truly = [Counter() for _ in range(4)]
    for _ in range(30):
        for seen, shown in zip(truly, table.throw(1, 2, 3, 4), strict=True):
            seen[shown] += 1
    assert command.end() == 0
    for die, one in judged(command).items():
        gold, silver, *blank = one["counts"]
        assert {"g": gold, "s": silver, "-": sum(blank)} == {**truly[die - 1]} | {
            shown: 0 for shown in "gs-" if not truly[die - 1][shown]
        }
    assert list(judged(command)) == [1, 2, 3, 4]


def test_only_real_throws_count_and_the_others_are_reported(table, start):
    command = start("--throws", "3", "--die", "2", "--json")
    table.throw(1, 3)
    shown = [table.throw(2)]
    table.lay(2, 4)
    table.throw(2, cocked=(2,))
    command.wait_for_error("Die 2: leans; that does not count.")
    table.do(lambda: table.table.dice.nudge(2))
    shown += [table.throw(2), table.throw(2)]
    assert command.end() == 0
    (one,) = judged(command).values()
    assert (one["die"], one["throws"]) == (2, 3)
    assert one["marks"]["marks"] == sum(face in "gs" for face in shown)


@pytest.mark.slow
def test_a_throw_before_the_start_is_not_counted(table, start):
    table.throw(1)
    command = start("--throws", "1", "--json")
    shown = table.throw(1)
    assert command.end() == 0
    (one,) = judged(command).values()
    assert one["throws"] == 1
    assert one["marks"]["marks"] == (shown != "-")


@pytest.mark.slow
def test_the_progress_is_printed(table, start):
    command = start("--throws", "40", "--die", "3")
    for _ in range(2):
        table.throw(3)
    command.wait_for_error("die 3: 2 of 40")


def test_ctrl_c_ends_the_counting_with_a_verdict(table, start):
    command = start("--throws", "300", "--json")
    table.throw(1)
    command.wait_for_error("die 1: 1 of 300")
    assert command.interrupt() == 0
    assert "Stopped early." in command.errors
    assert judged(command)[1]["throws"] == 1


@pytest.mark.slow
def test_stored_counts_result_in_the_same_verdict(table, start, from_files):
    command = start("--throws", "5", "--json")
    for _ in range(5):
        table.throw(1)
    assert command.end() == 0
    assert from_files("\n".join(command.passed), words=("--json",)).splitlines() == command.passed


@pytest.fixture
def from_files(tmp_path, capsys):
    """Analyse texts stored in files, and return the output."""

    def judge(*texts: str, words: tuple[str, ...] = ()) -> str:
        given = []
        for number, text in enumerate(texts):
            path = tmp_path / f"counts-{number}.jsonl"
            path.write_text(text)
            given += ["--from", str(path)]
        cli.main(["dice", "test", *given, *words], standalone_mode=False)
        return capsys.readouterr().out

    return judge


def test_a_verdict_states_what_was_not_proved(from_files):
    output = from_files(FAIR)
    assert output == (
        "Die 1, 300 throws: tip 1 (gold) 80, tip 2 (silver) 78, tip 3 (blank) 70, "
        "tip 4 (blank) 72.\n"
        "  Marks: 158, 52.7% of the throws; the true share lies between 46.8% and 58.4% "
        "(95% confidence, Clopper-Pearson). A fair one of 50.0%: p = 0.39 "
        "(exact binomial test).\n"
        "  Faces: chi-square 0.91, degrees of freedom: 3, p = 0.82 (Pearson's test).\n"
        "  No sign of unfairness in 300 throws. A die that is off by less than "
        "8.2% would usually go unnoticed.\n"
        "  Not enough throws yet to see a 55/45 die. Still needed: 520; "
        "in all: 820 (they show it in 80 of 100 cases).\n"
    )


@pytest.mark.parametrize(
    "language", [one for one in languages() if words_for(one).decimal_sign == ","]
)
def test_a_verdict_has_the_decimal_sign_of_its_language(language):
    words = words_for(language)
    judgements = judge([parse_tally(line) for line in (FAIR, BAD)])
    text = "\n".join(line for one in judgements for line in verdict_words(one, 2, words))
    assert re.findall(r"\d,\d", text)
    assert re.findall(r"\d\.\d|[1-9],\d00", text) == []


def test_the_p_values_of_several_dice_are_corrected(from_files):
    output = from_files(FAIR + "\n" + BAD)
    assert output.count("; corrected for the number of dice, 2 (Holm): ") == 4
    assert "A sign of unfairness: fair marks are this far off about 1 time in 110,000" in output
    assert "A sign of unfairness: fair faces are this far off about 1 time in 5,600" in output
    assert "fair." not in output


def test_several_files_add_up(from_files):
    output = from_files(FAIR, FAIR, words=("--json",))
    assert json.loads(output)["counts"] == [160, 156, 140, 144]


def test_one_die_can_be_selected(from_files):
    output = from_files(FAIR + "\n" + BAD, words=("--json", "--die", "2"))
    assert [json.loads(line)["die"] for line in output.splitlines()] == [2]


def test_a_d6_is_tested_by_its_faces_only(from_files):
    line = '{"die":1,"outcomes":["1","2","3","4","5","6"],"counts":[9,7,8,9,8,7]}'
    output = from_files(line)
    assert "Marks" not in output
    assert "p = 1.00 (Pearson's statistic, computed exactly)" in output
    assert "a face that comes up 5 points too often. Still needed: 665;" in output


def test_few_throws_are_reported_to_prove_nothing(from_files):
    output = from_files(FAIR.replace("80,78,70,72", "1,1,1,0"))
    assert "No sign of unfairness in 3 throws. With so few throws even" in output


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "counts-0.jsonl:1: die in a die's counts is [None]; allowed are whole numbers."),
        (FAIR + "\n{", "counts-0.jsonl:2: A die's counts must be a JSON object; found '{'."),
        (MANY + "\n" + MANY, "counts-0.jsonl:2: die 2 has more than 1000000 throws, the limit."),
        ("\n" * 70_000, "counts-0.jsonl is larger than 65536 bytes, the limit; `urpi dice test"),
        ("\n", "The files contain no counts of any die; `urpi dice test --json` writes"),
        (
            FAIR + "\n" + FAIR.replace('"-","-"', '"-","g"'),
            "counts-0.jsonl:2: die 1 has the outcomes ['g', 's', '-', 'g'], but",
        ),
    ],
)
def test_invalid_counts_are_reported_with_file_and_line(from_files, text, sentence):
    with pytest.raises(UrpiError, match=re.escape(sentence)):
        from_files(text)


def test_counts_that_cannot_be_read_are_an_error(tmp_path):
    done = call("dice", "test", "--from", str(tmp_path / "none"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"The file of counts {tmp_path / 'none'} cannot be read: ")
