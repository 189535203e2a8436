"""The club's broker: what a port does that is not one, without any broker."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.install.doctor.ports import REFUSAL, port_that
from urpi.config import ClubSection
from urpi.hardware.finding import Level
from urpi.install.doctor.examine import this_system
from urpi.install.doctor.facts import BrokerFacts
from urpi.install.doctor.findings.club import broker_findings
from urpi.install.doctor.probes import broker_trial
from urpi.install.doctor.probes.broker import try_broker
from urpi.link.broker.broker_settings import BrokerSettings


def tried(port: int, ca_file: Path | None = None) -> BrokerFacts:
    settings = BrokerSettings("127.0.0.1", port, False, ca_file, "lisbon", "secret")
    return try_broker(settings, lambda: datetime(2026, 11, 20, tzinfo=UTC))


def test_a_port_that_expects_tls_is_not_taken_for_a_broker_that_refuses_the_table() -> None:
    alert = bytes.fromhex("15 03 01 00 02 02 46")
    with port_that(alert) as port:
        found = tried(port)
    assert (found.unreachable, found.refused) == (broker_trial.CLOSED, "")
    (finding,) = broker_findings(found)
    assert finding.found == f"no connection to 127.0.0.1:{port}: {broker_trial.CLOSED}"
    assert "`tls`" in finding.cure
    assert "`--no-tls`" in finding.cure


def test_a_silent_port_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_trial, "TIMEOUT_S", 0.2)
    with port_that(None) as port:
        found = tried(port)
    assert (found.unreachable, found.refused) == (broker_trial.SILENT, "")
    (finding,) = broker_findings(found)
    assert "`--tls`" in finding.cure


def test_a_broker_that_refuses_the_password_refuses_the_table() -> None:
    with port_that(REFUSAL) as port:
        found = tried(port)
    assert (found.unreachable, found.refused) == ("", "Not authorized")


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_a_file_of_authorities_is_checked_without_tls_too(
    tmp_path: Path, content: bytes | None
) -> None:
    ca_file = tmp_path / "ca.pem"
    if content is not None:
        ca_file.write_bytes(content)
    (finding,) = broker_findings(tried(1, ca_file))
    assert finding.level is Level.BROKEN
    assert finding.found.startswith(f"The certificates {ca_file} cannot be read (")
    assert not finding.found.endswith(".")


@pytest.mark.parametrize("answered", [False, True])
def test_a_club_that_does_not_run_is_no_fault(answered: bool) -> None:
    facts = BrokerFacts("club.example.org:8883", "lisbon", year=2026, answered=answered)
    (finding,) = broker_findings(facts)
    assert (finding.level, finding.cure) == (Level.RIGHT, "")


def test_a_table_without_a_club_has_no_broker_to_try() -> None:
    assert this_system().try_broker(ClubSection()) is None
