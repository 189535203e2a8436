"""Every line of the club's log is one JSON object, whatever is in it."""

import json
import logging
import re
import subprocess
import sys
import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urpi.club.server.log_lines import JsonLines, log_about, log_fields

# With halves of surrogate pairs, and what some programs take for the end of a line.
HOSTILE = 'a\n\r\x00\x1b\x85\u2028é\ud83c\udfb2"\\\udfb2%s'
TEXTS = st.text() | st.text(st.sampled_from(HOSTILE))
WORKER = """
import logging
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from urpi.club.server.game_worker import initialize_process
from urpi.club.server.log_lines import call_about, log_about, log_fields

if __name__ == "__main__":
    with ProcessPoolExecutor(
        1, get_context("spawn"), initializer=initialize_process, initargs=("reviewed",)
    ) as pool, log_about(table="lisbon", game=7):
        pool.submit(call_about, log_fields(), logging.warning, "lost %s", "\\ud800").result()
"""
UNCAUGHT = """
import threading
from urpi.club.server.log_lines import begin_json_log
begin_json_log()
def fail():
    raise LookupError("in a thread")
thread = threading.Thread(target=fail, name="urpi-stop")
thread.start()
thread.join()
raise LookupError("in the main thread")
"""


def formatted(message: str, *arguments: Any, part: str = "", error: Any = None) -> str:
    record = logging.LogRecord(
        "urpi", logging.WARNING, "", 0, message, arguments, error and (type(error), error, None)
    )
    return JsonLines(part).format(record)


def is_one_line(line: str) -> bool:
    """Whether no reader sees more than one line, also one that follows Unicode."""
    return line.isascii() and len(line.splitlines()) == 1


def repaired(text: str) -> str:
    """Return a text without halves of surrogate pairs; a whole pair is a letter."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return re.sub("[\ud800-\udfff]", "\ufffd", whole)


@given(TEXTS, TEXTS, TEXTS)
@example(HOSTILE, HOSTILE, HOSTILE)
def test_any_text_remains_one_line_of_json(text: str, table: str, reason: str) -> None:
    with log_about(table=table, game=3):
        line = formatted("What %s sends", text, error=ValueError(reason))
    assert is_one_line(line)
    found = json.loads(line)
    assert found["message"] == f"What {repaired(text)} sends"
    assert found["table"] == repaired(table)
    assert found["exception"] == (f"ValueError: {repaired(reason)}" if reason else "ValueError")
    assert (found["level"], found["game"]) == ("WARNING", 3)


def test_the_time_is_in_utc_and_the_part_that_of_the_thread() -> None:
    found: list[dict[str, Any]] = []
    thread = threading.Thread(
        target=lambda: found.append(json.loads(formatted("late"))), name="urpi-receiver-2"
    )
    thread.start()
    thread.join()
    assert found[0]["part"] == "receiver-2"
    assert datetime.fromisoformat(found[0]["time"]).utcoffset() == timedelta()
    assert "exception" not in found[0]
    assert json.loads(formatted("late", part="verified"))["part"] == "verified"


def test_fields_end_with_what_they_are_about() -> None:
    with log_about(table="lisbon"):
        with log_about(game=7):
            assert log_fields() == {"table": "lisbon", "game": 7}
        assert log_fields() == {"table": "lisbon"}
    assert log_fields() == {}


def run(script: str, *arguments: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, *arguments, script], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    return [json.loads(line) for line in done.stderr.splitlines()]


@pytest.mark.slow
def test_a_process_of_the_club_logs_in_the_same_form_about_the_same_game(tmp_path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    (found,) = run(str(script))
    assert (found["part"], found["table"], found["game"]) == ("reviewed", "lisbon", 7)
    assert found["message"] == "lost \ufffd"


def test_what_nothing_catches_is_one_line_too() -> None:
    in_thread, in_main = run(UNCAUGHT, "-c")
    assert (in_thread["part"], in_thread["level"]) == ("stop", "CRITICAL")
    assert in_thread["exception"].endswith("LookupError: in a thread")
    assert in_main["exception"].endswith("LookupError: in the main thread")
