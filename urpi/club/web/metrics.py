"""`/metrics`: what the club's program knows of itself, in the text format of Prometheus."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi import __version__
from urpi.club.server.last_backup import LastBackup, read_last_backup
from urpi.club.server.receiver import Received
from urpi.club.server.storage_status import StorageState
from urpi.club.web.site import ClubSite
from urpi.core.extras import installation
from urpi.core.supervision import set_aside
from urpi.http.operations import Operation, ValidRequest
from urpi.http.reader import BusyError, UnavailableError
from urpi.http.responses import compressed, error_response

if TYPE_CHECKING:
    from prometheus_client.core import Metric

# The format of every version of the library, as long as all names are ASCII. The newest one has a
# constant with a later version, which an earlier Prometheus does not know.
TEXT_FORMAT: Final = "text/plain; version=0.0.4; charset=utf-8"
DATABASE_S: Final = 3.0
"""Longest wait for the database. Prometheus gives up after ten seconds by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFacts:
    """What is known of the club at one moment.

    Attributes:
        at: The time.
        is_connected: Whether the club is connected to the broker.
        storage: Whether its database stores.
        tables: Whether each table is connected to the broker, by its id.
        received: What became of the messages of tables.
        failing: The parts of the program that fail or hang.
        set_aside: How many things of each kind are set aside.
        backup: The last backup, None if the database does not respond.
    """

    at: datetime
    is_connected: bool
    storage: StorageState
    tables: Mapping[str, bool]
    received: Received
    failing: frozenset[str]
    set_aside: Mapping[str, int]
    backup: LastBackup | None


class ClubCollector:
    """The metrics of one moment: `prometheus_client.registry.Collector`."""

    def __init__(self, facts: ClubFacts) -> None:
        self._facts = facts

    def collect(self) -> "Iterator[Metric]":
        """Yield all metrics; one of which nothing is known has no value."""
        yield from self._connections()
        yield from self._messages()
        yield from self._parts()
        yield from self._backups()

    def _connections(self) -> "Iterator[Metric]":
        facts = self._facts
        yield _labelled("info", "1; the version of the program.", "version", {__version__: 1})
        yield _gauge(
            "broker_connected", "1 if the club is connected to its broker.", facts.is_connected
        )
        yield _gauge(
            "database_reachable",
            f"1 if the database has answered within {DATABASE_S:.0f} seconds.",
            facts.backup is not None,
        )
        yield _gauge(
            "database_storing",
            "1 if the database stores what tables send; 0 also if its disk is full.",
            facts.storage == "works",
        )
        yield _gauge(
            "tables_connected",
            "Number of tables that are connected to the broker, as last known.",
            sum(facts.tables.values()),
        )
        yield _labelled(
            "table_connected",
            "1 if the table is connected to the broker, as last known; else 0.",
            "table",
            facts.tables,
        )

    def _messages(self) -> "Iterator[Metric]":
        received = self._facts.received
        yield _counter(
            "messages_stored",
            "Messages of tables that are stored, or were before.",
            received.stored,
        )
        yield _counter(
            "messages_rejected", "Messages of tables that were rejected.", received.rejected
        )
        yield _counter(
            "messages_postponed",
            "Messages that would have begun more games than a table may; tables repeat them.",
            received.postponed,
        )
        yield _counter(
            "messages_dropped",
            "Messages for which the queue had no room; tables repeat them.",
            received.dropped,
        )
        yield _gauge("queue_messages", "Messages that wait or are being stored.", received.waiting)

    def _parts(self) -> "Iterator[Metric]":
        facts = self._facts
        yield _gauge(
            "parts_failing",
            "Number of parts of the program that hang, or have failed in the last minute.",
            len(facts.failing),
        )
        yield _labelled(
            "part_failing",
            "1 for each part that fails; the others are absent.",
            "part",
            dict.fromkeys(sorted(facts.failing), 1),
        )
        yield _labelled(
            "set_aside",
            "Games and messages that are set aside, because the program failed at them.",
            "kind",
            facts.set_aside,
        )

    def _backups(self) -> "Iterator[Metric]":
        backup, written = self._facts.backup, self._facts.backup and self._facts.backup.written
        yield _gauge(
            "backup_age_seconds",
            "Age of the last complete `urpi club backup --keep`; absent before the first.",
            None if written is None else (self._facts.at - written).total_seconds(),
        )
        yield _gauge(
            "backup_failed",
            "1 if the last such backup has failed; absent if the database does not respond.",
            None if backup is None else bool(backup.problem),
        )


def _gauge(name: str, text: str, value: float | None) -> "Metric":
    from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - an extra

    return GaugeMetricFamily(f"urpi_club_{name}", text, value)


def _counter(name: str, text: str, value: float) -> "Metric":
    from prometheus_client.core import CounterMetricFamily  # noqa: PLC0415 - an extra

    # The library appends `_total`.
    return CounterMetricFamily(f"urpi_club_{name}", text, value)


def _labelled(name: str, text: str, label: str, values: Mapping[str, float]) -> "Metric":
    from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - an extra

    family = GaugeMetricFamily(f"urpi_club_{name}", text, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family


def metrics_text(facts: ClubFacts) -> bytes:
    """Return the metrics of a club and of its process.

    Raises:
        ImportError: If the library is not installed.
    """
    from prometheus_client import (  # noqa: PLC0415 - an extra
        CollectorRegistry,
        ProcessCollector,
        generate_latest,
    )

    # Its own for each scrape: the library's is one for the whole process.
    registry = CollectorRegistry()
    registry.register(ClubCollector(facts))
    ProcessCollector(registry=registry)
    return bytes(generate_latest(registry))


def metrics_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operation for everyone, as for a monitor: it names no reasons, as `/api/health`."""

    async def metrics(request: ValidRequest) -> ASGIApp:
        facts = ClubFacts(
            backup=await _backup(site),
            at=site.now(),
            is_connected=site.wall.is_connected,
            storage=site.wall.storage,
            tables=site.wall.connected_tables,
            received=site.received(),
            failing=frozenset(fault.part for fault in site.faults()),
            set_aside=dict(set_aside()),
        )
        try:
            text = metrics_text(facts)
        except ImportError:
            # A club that was upgraded without its package receives games, as before.
            message = f"Metrics need prometheus-client; run {installation('club-server')}."
            return error_response(503, "library", message)
        response = Response(text, headers={"content-type": TEXT_FORMAT})
        return compressed(response, request.source)

    return (
        Operation(
            "GET",
            "/metrics",
            "The metrics of the club for Prometheus, also while its database does not respond.",
            metrics,
            media_type=TEXT_FORMAT,
            error_statuses=(503,),
        ),
    )


async def _backup(site: ClubSite) -> LastBackup | None:
    try:
        async with asyncio.timeout(DATABASE_S):
            return await site.games.read(read_last_backup)
    except (BusyError, UnavailableError, TimeoutError):
        return None
