"""Starts of the service that fail are counted, until one runs for a minute."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.install.failed_starts import (
    MAX_QUICK,
    NAME,
    STARTED_S,
    FailedStarts,
    count_failed_start,
)


def test_after_five_quick_failures_the_service_waits(tmp_path: Path) -> None:
    found = [count_failed_start(str(tmp_path), "no\nrule set", 0.4) for _ in range(MAX_QUICK + 1)]
    assert [one.must_wait for one in found] == [*[False] * (MAX_QUICK - 1), True, True]
    assert found[-1] == FailedStarts(MAX_QUICK + 1, "no rule set")
    assert FailedStarts.parse((tmp_path / NAME).read_text()) == found[-1]


def test_a_program_that_has_run_for_a_minute_had_started(tmp_path: Path) -> None:
    for _ in range(MAX_QUICK):
        count_failed_start(str(tmp_path), "no", 1.0)
    assert count_failed_start(str(tmp_path), "later", STARTED_S) == FailedStarts(1, "later")


@pytest.mark.parametrize("folder", [None, "", "/nowhere/at/all"])
def test_without_a_folder_it_never_waits(folder: str | None) -> None:
    for _ in range(2 * MAX_QUICK):
        assert not count_failed_start(folder, "no", 0.0).must_wait


@given(st.text())
def test_any_content_of_the_file_can_be_read(text: str) -> None:
    assert FailedStarts.parse(text).count >= 0
