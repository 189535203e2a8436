"""Prometheus can read the club's metrics, whatever its tables are called and whatever fails."""

import builtins
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from tests.page.client import Client, Response
from urpi.club.server.last_backup import LastBackup
from urpi.club.server.receiver import Received, Receiver
from urpi.club.server.table_queue import TableQueue
from urpi.club.web.app import make_club_app
from urpi.club.web.metrics import ClubCollector, ClubFacts, metrics_text
from urpi.club.web.site import ClubSite, make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.supervision import Fault
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.protocol.messages import Online

PAGE = Path(__file__).parents[3] / "docs/operate/club.md"
NOWHERE = "postgresql://urpi@127.0.0.1:1/postgres"
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
HOSTILE = 'a"b\\n\n# TYPE evil counter\nevil 1\r\x00\u2028{}=,\\'
FACTS = ClubFacts(
    at=NOW,
    is_connected=True,
    storage="works",
    tables={"lisbon": True},
    received=Received(1, 2, 3, 4, 5),
    failing=frozenset(),
    set_aside={},
    backup=LastBackup(NOW - timedelta(hours=2)),
)


@pytest.fixture
def site() -> ClubSite:
    section = ClubServerSection(database=NOWHERE)
    return replace(make_site(section, Wall(lambda: NOW)), faults=lambda: (), now=lambda: NOW)


def scrape(site: ClubSite) -> Response:
    return Client(make_club_app(site)).get("/metrics")


def samples(text: str) -> dict[tuple[str, ...], float]:
    """Return what Prometheus would store: the values by name and labels; none comes twice."""
    found: dict[tuple[str, ...], float] = {}
    for family in text_string_to_metric_families(text):
        for one in family.samples:
            key = (one.name, *(part for pair in one.labels.items() for part in pair))
            assert key not in found
            found[key] = one.value
    return found


def club_samples(facts: ClubFacts) -> dict[tuple[str, ...], float]:
    return samples(metrics_text(facts).decode())


def table_of_metrics() -> Iterator[str]:
    """Yield the rows of the documentation."""
    # So that each metric has a sample with its label.
    facts = replace(FACTS, failing=frozenset({"verified"}), set_aside={"game": 1})
    for metric in ClubCollector(facts).collect():
        sample = metric.samples[0]
        labels = f"{{{', '.join(sample.labels)}}}" if sample.labels else ""
        yield f"| `{sample.name}{labels}` | {metric.type} | {metric.documentation} |"


def test_a_club_without_database_answers_with_what_it_knows(site: ClubSite) -> None:
    site.wall.receive("lisbon", "online", Online(True, "1.0.0").encode(), retained=False)
    site.wall.receive("porto", "online", Online(False, "1.0.0").encode(), retained=False)
    site.wall.update()
    site.wall.set_connected(True)
    site.wall.set_storage("unavailable")
    site = replace(site, received=lambda: Received(7, 1, 2, 3, 4))
    response = scrape(site)
    assert response.status == 200
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(response.text)
    expected = {
        ("urpi_club_broker_connected",): 1,
        ("urpi_club_database_reachable",): 0,
        ("urpi_club_database_storing",): 0,
        ("urpi_club_tables_connected",): 1,
        ("urpi_club_table_connected", "table", "lisbon"): 1,
        ("urpi_club_table_connected", "table", "porto"): 0,
        ("urpi_club_messages_stored_total",): 7,
        ("urpi_club_messages_rejected_total",): 1,
        ("urpi_club_messages_postponed_total",): 2,
        ("urpi_club_messages_dropped_total",): 3,
        ("urpi_club_queue_messages",): 4,
        ("urpi_club_parts_failing",): 0,
    }
    assert {key: found.get(key) for key in expected} == expected
    assert not {key for key in found if "backup" in key[0]}
    assert found["process_resident_memory_bytes",] > 1e6


def test_failing_parts_are_named_without_reasons_and_each_once(site: ClubSite) -> None:
    faults = [Fault(part, "ValueError: secret", 1, False) for part in ("verified", "a", "verified")]
    response = scrape(replace(site, faults=lambda: tuple(faults)))
    assert "secret" not in response.text
    found = samples(response.text)
    assert found["urpi_club_parts_failing",] == 2
    assert {key[2] for key in found if key[0] == "urpi_club_part_failing"} == {"a", "verified"}


@pytest.mark.parametrize(
    ("backup", "age", "failed"),
    [
        (LastBackup(), None, 0),
        (LastBackup(None, "disk full"), None, 1),
        (LastBackup(NOW - timedelta(hours=2)), 7200, 0),
        (LastBackup(NOW - timedelta(days=9), "disk full", True), 9 * 86400, 1),
        (None, None, None),
    ],
)
def test_the_last_backup_has_an_age_unless_there_is_none(
    backup: LastBackup | None, age: float | None, failed: float | None
) -> None:
    found = club_samples(replace(FACTS, backup=backup))
    assert found.get(("urpi_club_backup_age_seconds",)) == age
    assert found.get(("urpi_club_backup_failed",)) == failed
    assert found["urpi_club_database_reachable",] == (backup is not None)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.booleans()))
def test_names_of_tables_cannot_change_other_metrics(tables: dict[str, bool]) -> None:
    found = club_samples(replace(FACTS, tables={**tables, HOSTILE: True}))
    shown = {
        key[2]: value
        for key, value in found.items()
        if key[:2] == ("urpi_club_table_connected", "table")
    }
    assert shown == {**tables, HOSTILE: True}
    assert not {key for key in found if not key[0].startswith(("urpi_club_", "process_"))}


def test_scrapes_are_limited_like_other_requests(site: ClubSite) -> None:
    client = Client(
        make_club_app(replace(site, limits=replace(site.limits, requests=2), clock=lambda: 0.0))
    )
    client.address = "192.0.2.7"
    assert [client.get("/metrics").status for _ in range(3)] == [200, 200, 429]


def test_another_host_name_is_refused(site: ClubSite) -> None:
    client = Client(make_club_app(site), host="evil.example")
    assert client.get("/metrics").status == 421


def test_without_the_library_the_answer_names_what_installs_it(
    site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = builtins.__import__

    def without(name: str, *arguments: Any) -> Any:
        if name.startswith("prometheus_client"):
            raise ImportError(name)
        return original(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    response = scrape(site)
    assert response.status == 503
    assert "urpi[club-server]" in response.json["error"]


def test_a_receiver_counts_what_waits_and_what_is_dropped() -> None:
    settings = BrokerSettings("127.0.0.1", 1, False, None, "club", "secret", "club_server")
    receiver = Receiver(settings, NOWHERE)
    assert receiver.received() == Received()
    receiver._messages = queue = TableQueue(max_waiting=2)
    for table in ("lisbon", "porto", "faro"):
        queue.put(table, b"lines")
    receiver.stored = 9
    assert receiver.received() == Received(stored=9, dropped=1, waiting=2)


def test_the_documentation_has_every_metric() -> None:
    text = PAGE.read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `urpi_club_")]
    assert rows == list(table_of_metrics())
