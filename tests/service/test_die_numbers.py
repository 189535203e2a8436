"""The file with the numbers of the dice's last reports."""

import pytest

from urpi.service.die_numbers import DieNumbers


def test_numbers_are_known_after_a_restart(tmp_path):
    file = tmp_path / "new" / "numbers.json"
    numbers = DieNumbers(file)
    numbers["a"], numbers["b"] = 7, 65536
    numbers["a"] = 8
    assert dict(DieNumbers(file)) == {"a": 8, "b": 65536}
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": "8"}', '{"a": true}', "\xff", '{"a": 1.5}'])
def test_a_damaged_file_counts_as_empty(tmp_path, text):
    file = tmp_path / "numbers.json"
    file.write_bytes(text.encode("latin-1"))
    assert not DieNumbers(file)
    DieNumbers(file)["a"] = 3
    assert dict(DieNumbers(file)) == {"a": 3}


def test_a_file_that_cannot_be_written_is_reported_once(tmp_path, caplog):
    (tmp_path / "file").touch()
    numbers = DieNumbers(tmp_path / "file" / "numbers.json")
    numbers["a"], numbers["b"] = 1, 2
    assert numbers["b"] == 2
    assert len(caplog.messages) == 1
    assert "cannot be written" in caplog.messages[0]
