"""What the running service reports of its parts, and what `urpi doctor` makes of it."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.install.doctor.trees import PIS, found_by, of_area
from urpi.core.supervision import Part, Quarantine
from urpi.install.running_parts import NO_PARTS, PATH, PartsReporter, RunningParts
from urpi.install.supervisor import Supervisor

texts = st.text(st.characters(codec="latin-1").filter(str.isprintable))


@given(st.integers(1, 2**31), st.lists(texts), st.dictionaries(texts, st.integers(1, 1000)))
def test_what_is_written_is_read(pid: int, faults: list[str], kinds: dict[str, int]) -> None:
    parts = RunningParts(pid, tuple(faults), tuple(kinds.items()))
    assert RunningParts.parse(parts.json) == parts


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr))
def test_any_content_of_the_file_can_be_read(text: str) -> None:
    assert RunningParts.parse(text) == NO_PARTS


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        *(("pid", wrong) for wrong in ["[]", "null", '"x"', "{}"]),
        *(("faults", wrong) for wrong in ["null", "1", "true"]),
        *(("set_aside", wrong) for wrong in ["null", "1", "[]", '{"a":null}', '{"a":"b"}']),
    ],
)
def test_a_wrong_value_in_the_file_counts_as_nothing(key: str, wrong: str) -> None:
    right = {"pid": "1", "faults": '["x"]', "set_aside": "{}", key: wrong}
    text = ",".join(f'"{name}":{value}' for name, value in right.items())
    assert RunningParts.parse(f"{{{text}}}") == NO_PARTS


def test_the_doctor_names_the_faults_of_the_running_service_and_of_no_other(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    reporter = PartsReporter(Supervisor({}, lambda: 0), str(tmp_path / "run"), lambda: 0.0)
    part, broken = Part("hub"), Quarantine("line of the hub", max_failures=1)
    part.fail(ValueError("a line\nwith \x1b[31mcolours"))
    broken.fail(1)
    reporter.report()
    text = (tmp_path / "run" / PATH.name).read_text()

    def found(pids: tuple[int, ...]) -> list[tuple[str, str]]:
        machine = tmp_path / f"machine-{len(pids)}"
        file = machine / str(PATH).lstrip("/")
        file.parent.mkdir(parents=True)
        file.write_text(text)
        for pid in pids:
            (machine / "proc" / str(pid)).mkdir(parents=True)
        return of_area(found_by(machine, PIS["4"]), "service")

    (hub, aside) = found((os.getpid(),))
    assert hub[0] == "broken"
    assert "running, but hub has failed (ValueError: a line with  [31mcolours)" in hub[1]
    assert aside[0] == "poor"
    assert "1 x line of the hub" in aside[1]
    assert found(()) == [], "the file of a process that has ended"
    part.end()
    broken.succeed(1)
