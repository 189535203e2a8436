"""`urpi club join` with a real broker."""

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.club_live.running import Broker, shared_folder
from tests.waiting import wait_until
from urpi.cli.main import cli
from urpi.config import read
from urpi.core.supervision import faults
from urpi.install.doctor.facts import BrokerFacts
from urpi.install.doctor.probes.broker import try_broker
from urpi.journal import Journal
from urpi.link.broker.broker_settings import broker_settings
from urpi.link.broker.connection import LOOK_MS, ClubConnection
from urpi.link.broker.state_message import TableState
from urpi.link.protocol.messages import Free
from urpi.referee import Phase, Snapshot

TWO = "lisbon", "porto"
NO_GAME = TableState(None, Snapshot(Phase.NO_GAME))


@pytest.fixture
def broker() -> Iterator[Broker]:
    with shared_folder() as folder:
        found = Broker(folder, TWO)
        found.start()
        try:
            yield found
        finally:
            found.kill()


def join(broker: Broker, config: Path, password_file: Path, typed: str = "") -> Result:
    config.touch()
    return CliRunner().invoke(
        cli,
        [
            *("--config", str(config), "club", "join", f"127.0.0.1:{broker.port}", "lisbon"),
            *("--password-file", str(password_file)),
        ],
        input=typed,
    )


def test_a_mistyped_password_is_corrected_by_joining_again(broker: Broker, tmp_path: Path) -> None:
    config, file = tmp_path / "config.toml", tmp_path / "password"
    password = (broker.files / "lisbon.password").read_text()
    assert join(broker, config, file, "mistyped\n").exception is not None
    assert not file.exists()
    result = join(broker, config, file, password)
    assert result.exception is None, result.output
    assert file.read_text() == password
    assert read(config).config.club.password_file == str(file)


def test_a_missing_club_is_no_fault(broker: Broker, tmp_path: Path) -> None:
    result = join(broker, tmp_path / "config.toml", broker.files / "lisbon.password")
    assert result.exception is None, result.output
    first, *_ = result.output.splitlines()
    assert first == (
        f"The broker 127.0.0.1:{broker.port} accepts lisbon (not encrypted). `urpi club serve` "
        "does not answer: games are kept, and sent to it when it does; games on two boards and "
        "Home Assistant do not need it."
    )


def test_the_password_is_not_asked_for_if_there_is_a_file(broker: Broker, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    result = join(broker, config, broker.files / "lisbon.password")
    assert result.exception is None, result.output
    assert "The password of" not in result.output
    assert read(config).config.club.table == "lisbon"


def forbid(broker: Broker, *parts: str) -> None:
    """Remove the lines with these texts from the broker's access control list, and start it."""
    broker.kill()
    acl = broker.files / "acl"
    lines = acl.read_text().split("\n")
    acl.write_text("\n".join(line for line in lines if not any(part in line for part in parts)))
    broker.start()


def examine(broker: Broker) -> BrokerFacts:
    return try_broker(broker_settings(broker.section("lisbon")), lambda: datetime.now(UTC))


TO_ANY, TO_ME = "write urpi/tables/+/from/lisbon", "read urpi/tables/lisbon/from/+"
FREE, ALL_FREE = "write urpi/tables/lisbon/free", "read urpi/tables/+/free"
ALL_ONLINE = "read urpi/tables/+/online"


@pytest.mark.parametrize(
    ("forbidden", "lacking"),
    [
        # The files of the first version with clubs.
        (("/from/", "/free", ALL_ONLINE), (TO_ANY, FREE)),
        ((TO_ME,), (TO_ME,)),
        ((ALL_FREE,), (ALL_FREE,)),
        ((ALL_ONLINE,), (ALL_ONLINE,)),
        (("write urpi/tables/lisbon/online",), ("write urpi/tables/lisbon/online",)),
    ],
)
def test_permissions_for_games_on_two_boards_that_are_missing_are_found(
    broker: Broker, forbidden: tuple[str, ...], lacking: tuple[str, ...]
) -> None:
    assert examine(broker).lacking == ()
    forbid(broker, *forbidden)
    found = examine(broker)
    assert (found.lacking, found.forbidden, found.refused) == (lacking, "", "")


def test_joining_reports_missing_permissions_and_the_remedy(broker: Broker, tmp_path: Path) -> None:
    forbid(broker, "/from/")
    result = join(broker, tmp_path / "config.toml", broker.files / "lisbon.password")
    assert result.exception is None, result.output
    assert (
        f"forbids lisbon what a game on two boards needs: {TO_ANY}. The club must run `urpi club "
        "broker-files` again with all tables, and reload the broker."
    ) in result.output


def test_a_trial_does_not_disturb_a_running_table(broker: Broker, tmp_path: Path) -> None:
    received: list[tuple[str, bytes]] = []
    lisbon, porto = (connection(broker, tmp_path, table) for table in ("lisbon", "porto"))
    lisbon.on_message_of_table = lambda *message: received.append(message)
    lisbon.announce_free(True)
    for one in (lisbon, porto):
        one.open()
    try:
        wait_until(lambda: porto.look_for_tables() == ("lisbon",), "the announcement")
        assert examine(broker).lacking == ()
        porto.send_to("lisbon", b"hello")
        wait_until(lambda: received, "the message")
        assert received == [("porto", b"hello")]
        assert porto.look_for_tables() == ("lisbon",)
        # The table has announced itself, but may not read which tables are online.
        forbid(broker, ALL_ONLINE)
        wait_until(lambda: lisbon.is_connected, "the connection", 40)
        wait_until(lambda: examine(broker).lacking == (ALL_ONLINE,), "the finding", 40)
    finally:
        for one in (lisbon, porto):
            one.close()


def test_other_tables_announce_themselves_only_to_players_who_look(
    broker: Broker, tmp_path: Path
) -> None:
    ahead_ms = [0]
    lisbon, porto = (connection(broker, tmp_path, table, ahead_ms) for table in TWO)
    received: list[str] = []
    receive = lisbon._on_message
    lisbon._on_message = lambda *of: (received.append(of[2].topic), receive(*of))  # type: ignore[method-assign]
    for one in (lisbon, porto):
        one.open()
    try:
        wait_until(lambda: lisbon.is_connected and porto.is_connected, "the connections")
        porto.announce_free(True)
        wait_until(lambda: lisbon.look_for_tables() == ("porto",), "the look")
        porto.announce_free(False)
        wait_until(lambda: not lisbon.look_for_tables(), "the change")
        assert not lisbon.is_offline("porto")
        # The players look no longer, but play with that table: of its announcements only the one
        # that concerns the game arrives.
        ahead_ms[0] += LOOK_MS
        lisbon.publish(NO_GAME)
        wait_until(lambda: subscriptions(lisbon) == {"urpi/tables/porto/online"}, "the end")
        # The broker handles one table's packets in order: after this the subscription has ended.
        lisbon.send_to("lisbon", b"ended")
        wait_until(lambda: any("from" in topic for topic in received), "the own message")
        received.clear()
        porto.announce_free(True)
        porto.close()
        wait_until(lambda: lisbon.is_offline("porto"), "the end of porto")
        assert "urpi/tables/porto/free" not in received
    finally:
        for one in (lisbon, porto):
            one.close()


def test_a_table_that_becomes_free_while_it_connects_can_be_invited(
    broker: Broker, tmp_path: Path
) -> None:
    lisbon = connection(broker, tmp_path, "lisbon")
    retained: list[bytes] = []
    begun: list[bool] = []

    class Client:
        def is_connected(self) -> bool:
            if not begun:
                begun.append(True)
                lisbon.announce_free(True)
            return True

        def publish(self, topic: str, message: bytes, *_: object, **__: object) -> None:
            if topic.endswith("/free"):
                retained.append(message)

    real, lisbon._client = lisbon._client, Client()  # type: ignore[assignment]
    lisbon._announce()
    lisbon._client = real
    assert retained[-1] == Free(True).encode()


def subscriptions(table: ClubConnection) -> frozenset[str]:
    return table._subscribed


def connection(
    broker: Broker, folder: Path, table: str, ahead_ms: Sequence[int] = (0,)
) -> ClubConnection:
    journal = folder / f"{table}.db"
    Journal.open(journal).close()
    return ClubConnection(
        broker_settings(broker.section(table)),
        journal,
        table,
        clock=lambda: time.monotonic_ns() // 1_000_000 + ahead_ms[0],
        now=lambda: datetime.now().astimezone(),
    )


def test_players_who_look_and_then_play_at_their_own_table_are_told_again_at_the_next_look(
    broker: Broker, tmp_path: Path
) -> None:
    ahead_ms = [0]
    lisbon, porto = (connection(broker, tmp_path, table, ahead_ms) for table in TWO)
    porto.announce_free(True)
    for one in (lisbon, porto):
        one.open()
    try:
        for _ in range(2):
            wait_until(lambda: lisbon.look_for_tables() == ("porto",), "the look")
            ahead_ms[0] += LOOK_MS
            lisbon.publish(NO_GAME)
            wait_until(lambda: subscriptions(lisbon) == set(), "the end")
        assert faults() == ()
    finally:
        for one in (lisbon, porto):
            one.close()
