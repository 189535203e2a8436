"""The folder of the journal: probe and findings."""

import json
import os

import pytest

from tests.cli.users import machine
from tests.install.doctor.trees import PIS, found_by, of_area
from urpi.install.doctor.facts import Machine, Person, Storage
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
        (Storage("games.db", "No space", owner="pi"), "BROKEN", "Set [journal] path"),
        (
            Storage("/var/lib/urpi/journal.db", "Permission denied", owner="urpi"),
            "POOR",
            "belongs to urpi, and pi cannot examine it -> Run `sudo -u urpi urpi doctor`.",
        ),
        (Storage("/var/lib/urpi/journal.db", "denied"), "BROKEN", "sudo systemctl start urpi"),
        (Storage("games.db", "", 3, 5.0), "BROKEN", "Free some disk space"),
        (Storage("games.db", "", 100, 5.0), "POOR", "Free some disk space"),
        (Storage("games.db", "", 900, 340.0), "POOR", "Use a faster card"),
    ],
)
def test_free_space_and_write_latency_are_diagnosed(found, level, expected):
    class Facts:
        storage = found
        person = Person("pi")
        machine = Machine("Raspberry Pi 4 Model B Rev 1.4")

    (one,) = storage_findings(Facts())
    assert one.level.name == level
    assert expected in f"{one.found} -> {one.cure}"


@pytest.mark.parametrize("path", ["/var/lib/urpi/journal.db", "/var/lib/urpi/other/games.db"])
def test_a_laptop_is_not_advised_to_start_the_service_of_a_pi(path):
    class Facts:
        storage = Storage(path, "Permission denied")
        person = Person("anna")
        machine = Machine()

    (one,) = storage_findings(Facts())
    assert one.level.name == "POOR"
    assert "systemctl" not in one.cure
    assert "`urpi demo` has a journal of its own" in one.cure


def test_the_examination_tries_the_configured_folder(tmp_path):
    assert of_area(found_by(tmp_path, PIS["4"]), "journal")[0][0] == "right"


@pytest.mark.slow
def test_the_journal_of_another_user_is_recognized_as_such():
    with machine() as others:
        service, stranger = others.user(1), others.user(3)
        member = others.user(2, service.uid)
        for name, *states in (("journal.db", True), ("below/journal.db", False, True)):
            others.config.write_text(f'[journal]\npath = "{service.home}/{name}"\n')
            for exists in states:
                if exists:
                    journal = service.home / name
                    journal.parent.mkdir(exist_ok=True)
                    journal.touch(0o640)
                    for place in (journal.parent, journal):
                        os.chown(place, service.uid, service.uid)
                user = member if exists else stranger
                done = user.urpi("doctor", "--json")
                assert done.stderr == ""
                (one,) = [
                    finding
                    for finding in json.loads(done.stdout)["findings"]
                    if finding["area"] == "journal"
                ]
                assert one["level"] == "poor"
                assert one["cure"] == f"Run `sudo -u {service.uid} urpi doctor`."
