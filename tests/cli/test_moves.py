"""`urpi moves`."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from tests.slow import mostly_slow
from urpi.cli.main import cli

START = {"position": "finkel - L7D7 L0D0 L", "faces": "gs--"}


def answers(text):
    result = CliRunner().invoke(cli, ["moves"], input=text, catch_exceptions=False)
    assert result.exit_code == 0
    return [json.loads(line) for line in result.output.splitlines()]


def test_a_response_has_the_moves_and_the_positions_after_them():
    assert answers(json.dumps(START)) == [
        {"moves": ["+A3"], "positions": ["finkel A3:L L6D7 L0D0 D"]}
    ]


@pytest.mark.parametrize(
    ("position", "faces"),
    [("finkel - L7D7 L0D0 L", "----"), ("finkel - L0D7 L7D0 =", "g---")],
)
def test_the_lists_are_empty_if_the_turn_passes_or_the_game_is_over(position, faces):
    request = json.dumps({"position": position, "faces": faces})
    assert answers(request) == [{"moves": [], "positions": []}]


@pytest.mark.parametrize("command", mostly_slow(["moves", "referee"], 1))
@pytest.mark.parametrize(
    ("shell", "sentence"),
    [
        ("<&-", "There is no standard input; give it a file or a pipe.\n"),
        (
            "0>/dev/null",
            "Standard input cannot be read: Bad file descriptor; give it a file or a pipe.\n",
        ),
    ],
)
def test_standard_input_that_cannot_be_read_is_a_one_line_error(command, shell, sentence):
    program = f'"{sys.executable}" -c "from urpi.cli.main import main; main()"'
    done = subprocess.run(
        ["sh", "-c", f"{program} {command} {shell}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (b"", "JSON"),
        (b"moves, please", "JSON"),
        (b"[" * 4000, "JSON"),
        (b'{"position": 1' + b"0" * 3000 + b"}", "text"),
        (b"\xff\xfe", "JSON"),
        (b"7", "object"),
        (b"{}", "'position'"),
        (b'{"position": "finkel - L7D7 L0D0 L"}', "'faces'"),
        (b'{"position": "finkel - L7D7 L0D0 L", "faces": 2}', "'faces'"),
        (b'{"position": "finkel - L7D7 L0D0 L", "faces": "6"}', "6"),
        (b'{"position": "halma - L7D7 L0D0 L", "faces": "6"}', "halma"),
        (b'{"position": "finkel B1:L L7D7 L0D0 L", "faces": "gs--"}', "7 pieces"),
        (b'{"position": "' + b"x" * 100_000 + b'"}', "4096"),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_an_invalid_request_gets_an_error_and_the_next_one_is_read(line, named):
    wrong, right = answers(line + b"\n" + json.dumps(START).encode())
    assert list(wrong) == ["error"]
    assert named in wrong["error"]
    assert right["moves"] == ["+A3"]
