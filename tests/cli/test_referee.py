"""`urpi referee` between two pipes.

tests/vectors/clumsy-game contains a game of clumsy hands at the virtual table (`urpi demo --auto
--speed 0 --seed 15 --option pieces=3 --behaviour clumsy`, then `urpi games export --format json`):
the facts, and the expected decisions. Its beginning was checked by hand.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Running, call, running
from tests.slow import slow_except

DEADLINE_S = 240.0
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()")
VECTORS = Path(__file__).parents[1] / "vectors"

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}'
EMPTY_BOARD = '{"t":0,"type":"occupancy","squares":[]}'
NOBODY_WAITS = '{"t":60,"type":"time"}'


def referee(
    facts: str | bytes, *options: str, encoding: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the referee with a whole input; with an encoding of the streams, as its own process."""
    given = facts.encode() if isinstance(facts, str) else facts
    if not encoding:
        return call("referee", *options, stdin=given)
    done = subprocess.run(
        [*URPI, "referee", *options],
        input=given,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=DEADLINE_S,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def lines(*texts: str) -> str:
    return "".join(text + "\n" for text in texts)


def throw(t: int, faces: str) -> list[str]:
    """Return the facts of dice that are thrown and settle."""
    dice = [{"t": t, "type": "die", "die": die} for die in range(1, len(faces) + 1)]
    rolling = [die | {"state": "rolling"} for die in dice]
    settled = [
        die | {"state": "settled", "face": face, "tumbled": True}
        for die, face in zip(dice, faces, strict=True)
    ]
    return [json.dumps(fact) for fact in rolling + settled]


def test_a_whole_game_of_facts_results_in_the_recorded_decisions(update_golden: bool) -> None:
    expected = VECTORS / "clumsy-game.decisions.jsonl"
    done = referee((VECTORS / "clumsy-game.facts.jsonl").read_bytes())

    if update_golden:
        expected.write_text(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == expected.read_text().splitlines()


@pytest.fixture
def pipe() -> Iterator[Running]:
    """Yield a referee between two pipes."""
    with running("referee") as referee:
        yield referee


def types(pipe: Running, count: int) -> list[str]:
    """Return the types of the next decisions."""
    return [json.loads(pipe.read_until(""))["type"] for _ in range(count)]


def test_the_decisions_on_a_line_are_written_before_the_next_line_is_read(pipe: Running) -> None:
    pipe.type(lines(GAME, EMPTY_BOARD))
    assert types(pipe, 2) == ["ready", "throw-for-start"]
    pipe.type(lines(*throw(1000, "ggg-")))
    assert types(pipe, 2) == ["start-roll", "throw-for-start"]
    pipe.type(lines(*throw(2000, "g---")))
    assert types(pipe, 2) == ["start-roll", "starts"]
    pipe.type(lines(*throw(3000, "----")))
    assert types(pipe, 2) == ["roll", "pass"]
    passed = len(pipe.passed)
    assert pipe.process.stdin is not None
    pipe.process.stdin.close()
    assert (pipe.end(), pipe.passed[passed:]) == (0, [])


def test_no_timer_expires_after_the_last_line() -> None:
    facts = [GAME, EMPTY_BOARD, '{"t":10,"type":"die","die":1,"state":"cocked"}']

    without = referee(lines(*facts)).stdout.splitlines()
    with_time = referee(lines(*facts, '{"t":9000,"type":"time"}')).stdout.splitlines()

    assert len(without) == 2
    late = json.loads(with_time[2])
    assert (late["type"], late["code"]) == ("roll-refused", "cocked")
    assert late["t"] < 9000


def test_blank_lines_and_a_missing_end_of_line_are_accepted() -> None:
    spaced = f"\n{GAME}\n  \n\r\n{EMPTY_BOARD}"

    assert referee(spaced).stdout == referee(lines(GAME, EMPTY_BOARD)).stdout


def test_no_facts_result_in_no_decisions() -> None:
    done = referee("")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def before_an_error() -> str:
    return referee(lines(GAME, EMPTY_BOARD)).stdout


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("nonsense", "one JSON object"),
        ("[]", "one JSON object"),
        ('{"t":60,"type":"dance"}', "found 'dance'"),
        ('{"t":60,"type":"die","die":1}', "needs the key state"),
        ('{"t":60,"type":"square","square":"Z9","on":true}', "found 'Z9'"),
        ('{"t":59,"type":"time"}', "t is 59 after 60; t must not decrease"),
        (GAME.replace("finkel", "chess").replace(":0,", ":60,"), "There is no rule set 'chess'"),
        (
            GAME.replace("{}", '{"pieces":"6"}').replace(":0,", ":60,"),
            "The option pieces of finkel must be 7 or 5 or 3; found '6'",
        ),
        (" " * 70_000 + NOBODY_WAITS, "at most 65536 characters"),
        ('{"t":60,"type":"time","x":' + "[" * 9000, "nested too deeply"),
    ],
    ids=lambda value: value[-30:],
)
def test_an_invalid_line_is_reported_and_the_rest_is_not_read(
    line: str, about: str, before_an_error: str
) -> None:
    done = referee(lines(GAME, "", EMPTY_BOARD, NOBODY_WAITS, line, *throw(1000, "ggg-")))

    assert done.returncode == 2
    assert done.stderr.startswith("Line 5: ")
    assert about in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == before_an_error


LOCALES = pytest.mark.parametrize(
    "encoding", slow_except(["utf-8:strict", "ascii:strict", "latin-1"], "ascii:strict")
)


@LOCALES
def test_invalid_utf_8_is_a_one_line_error(encoding: str) -> None:
    facts = lines(GAME, EMPTY_BOARD).encode() + b'{"t":60,"type":"\xff"}\n'
    done = referee(facts, encoding=encoding)

    assert done.returncode == 2
    assert done.stderr.startswith("Line 3: ")
    assert done.stderr.count("\n") == 1


@LOCALES
def test_lines_are_utf_8_in_every_locale(encoding: str) -> None:
    wish = '{"t":60,"type":"answer","move":"Ζωή 王"}'
    named = GAME.replace('"light":""', '"light":"Ζωή 王"')

    done = referee(lines(named, EMPTY_BOARD, wish), encoding=encoding)

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[-1])["type"] == "refused"


def test_an_unknown_language_is_an_error() -> None:
    done = referee("", "--language", "xx")
    assert done.returncode == 2
    assert "xx" in done.stderr
    assert done.stderr.count("\n") == 1
