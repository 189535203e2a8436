"""The journal's place."""

import pytest

from tests.doctor.trees import PIS, found_by, of_area
from urpi.doctor.facts import Storage
from urpi.doctor.findings.storage import storage as judged
from urpi.doctor.probes.storage import storage


def test_a_place_is_tried_by_writing_and_nothing_is_left(tmp_path):
    times = iter(range(100))
    found = storage(tmp_path / "new" / "games.db", lambda: next(times) / 1000)
    assert (found.error, found.fsync_ms) == ("", 1.0)
    assert found.free_mb > 0
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_may_not_be_written_says_why(tmp_path):
    (tmp_path / "games.db").mkdir()
    found = storage(tmp_path / "games.db", lambda: 0.0)
    assert found.error == "Is a directory"


def test_a_path_through_a_file_says_why(tmp_path):
    (tmp_path / "file").write_text("")
    assert storage(tmp_path / "file" / "games.db", lambda: 0.0).error


@pytest.mark.parametrize(
    ("found", "level", "words"),
    [
        (Storage("games.db", "", 900, 12.5), "RIGHT", "900 MB free, 12.5 ms until a write"),
        (Storage("games.db", "Read-only file system"), "BROKEN", "Read-only file system"),
        (Storage("games.db", "", 3, 5.0), "BROKEN", "Make room"),
        (Storage("games.db", "", 100, 5.0), "POOR", "Make room"),
        (Storage("games.db", "", 900, 340.0), "POOR", "Take a faster card"),
    ],
)
def test_room_and_speed_are_judged(found, level, words):
    class Facts:
        storage = found

    (one,) = judged(Facts())
    assert one.level.name == level
    assert words in f"{one.found} -> {one.cure}"


def test_the_examination_tries_the_configured_place(tmp_path):
    assert of_area(found_by(tmp_path, PIS["4"]), "journal")[0][0] == "right"
