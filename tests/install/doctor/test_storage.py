"""The folder of the journal: probe and findings."""

import pytest

from tests.install.doctor.trees import PIS, found_by, of_area
from urpi.install.doctor.facts import Storage
from urpi.install.doctor.findings.machine import storage as storage_findings
from urpi.install.doctor.probes.machine import storage


def test_the_write_test_leaves_no_file(tmp_path):
    times = iter(range(100))
    found = storage(tmp_path / "new" / "games.db", lambda: next(times) / 1000)
    assert (found.error, found.fsync_ms) == ("", 1.0)
    assert found.free_mb > 0
    assert list(tmp_path.iterdir()) == []


def test_the_error_of_an_unwritable_journal_is_reported(tmp_path):
    (tmp_path / "games.db").mkdir()
    found = storage(tmp_path / "games.db", lambda: 0.0)
    assert found.error == "Is a directory"


def test_a_path_through_a_file_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    assert storage(tmp_path / "file" / "games.db", lambda: 0.0).error


@pytest.mark.parametrize(
    ("found", "level", "expected"),
    [
        (Storage("games.db", "", 900, 12.5), "RIGHT", "900 MB free, 12.5 ms for a safe write"),
        (Storage("games.db", "Read-only file system"), "BROKEN", "Read-only file system"),
        (Storage("games.db", "", 3, 5.0), "BROKEN", "Free some disk space"),
        (Storage("games.db", "", 100, 5.0), "POOR", "Free some disk space"),
        (Storage("games.db", "", 900, 340.0), "POOR", "Use a faster card"),
    ],
)
def test_free_space_and_write_latency_are_diagnosed(found, level, expected):
    class Facts:
        storage = found

    (one,) = storage_findings(Facts())
    assert one.level.name == level
    assert expected in f"{one.found} -> {one.cure}"


def test_the_examination_tries_the_configured_folder(tmp_path):
    assert of_area(found_by(tmp_path, PIS["4"]), "journal")[0][0] == "right"
