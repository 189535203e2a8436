"""The log and the wall report whether the database stores, once for each change."""

import pytest

from urpi.club.server.storage_status import FORGET_S, StorageState, StorageStatus

FULL, GONE = OSError("No space left\non device"), OSError("refused")


class Observed:
    def __init__(self) -> None:
        self.changes: list[StorageState] = []
        self.now = 1000.0
        self.status = StorageStatus(self.changes.append, lambda: self.now)


@pytest.fixture
def observed() -> Observed:
    return Observed()


def test_a_failure_is_reported_once_and_names_its_cause(
    observed: Observed, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        observed.status.full(FULL, "lisbon")
    assert observed.changes == ["full"]
    (record,) = caplog.records
    assert record.getMessage().endswith("the database is full: No space left on device")


def test_a_disk_is_full_until_every_message_that_did_not_fit_is_stored(observed: Observed) -> None:
    status = observed.status
    status.full(FULL, "lisbon")
    status.full(FULL, "porto")
    # Its small message fits.
    status.stored("faro")
    status.stored("lisbon")
    assert observed.changes == ["full"]
    status.stored("porto")
    assert observed.changes == ["full", "works"]


def test_a_table_that_has_left_is_not_waited_for(observed: Observed) -> None:
    observed.status.full(FULL, "lisbon")
    observed.now += FORGET_S
    observed.status.stored("porto")
    assert observed.changes == ["full", "works"]


def test_only_one_thread_notices_that_the_database_responds_again(observed: Observed) -> None:
    assert not observed.status.connected()
    observed.status.unavailable(GONE)
    assert observed.status.connected()
    assert not observed.status.connected()
    assert observed.changes == ["unavailable", "works"]


def test_a_connection_does_not_make_a_full_disk_work(observed: Observed) -> None:
    observed.status.full(FULL)
    assert not observed.status.connected()
    assert observed.changes == ["full"]
