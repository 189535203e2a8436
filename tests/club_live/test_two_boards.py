"""Two virtual tables play one game through mosquitto, while tables and broker are killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club_live.running import Broker, Club, Database, shared_folder
from tests.club_live.test_names import agree
from tests.club_live.test_permissions import attacker
from tests.club_live.two_boards import (
    TABLES,
    begin_by_invitation,
    guests,
    play_after_a_restore,
    play_with_cuts,
)
from tests.waiting import wait_until
from urpi.link.protocol.topics import message_topic


@pytest.fixture
def shared() -> Iterator[tuple[Path, Broker]]:
    with shared_folder() as folder:
        broker = Broker(folder, (*TABLES, "faro"))
        broker.start()
        try:
            yield folder, broker
        finally:
            broker.kill()


@pytest.mark.timeout(900)
def test_both_records_have_all_that_was_shown_after_cuts(shared: tuple[Path, Broker]) -> None:
    folder, broker = shared
    assert play_with_cuts(folder, broker, seed=1, cuts=3) == []


@pytest.mark.timeout(900)
def test_a_table_whose_journal_was_restored_gets_its_game_back(
    shared: tuple[Path, Broker],
) -> None:
    folder, broker = shared
    assert play_after_a_restore(folder, broker, seed=2) == []


@pytest.mark.timeout(900)
def test_a_game_begins_at_both_tables_by_an_invitation(shared: tuple[Path, Broker]) -> None:
    folder, broker = shared
    light, dark = begin_by_invitation(folder, broker, seed=3)
    common = min(len(light), len(dark))
    assert common >= 4
    assert light[:common] == dark[:common]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_club_rates_a_game_once_that_both_tables_sent(shared: tuple[Path, Broker]) -> None:
    folder, broker = shared
    database = Database(folder)
    database.start()
    club = Club(folder, broker, database)
    club.start()
    tables = guests(folder, broker, seed=3)
    for table, name in zip(tables, ("Ann", "Zoë"), strict=True):
        agree(table.path, "virtual", **{name: 0})
        table.start()
    verified = (
        "SELECT table_id FROM histories WHERE shared_id IS NOT NULL AND verdict = 'verified'"
        " ORDER BY table_id"
    )
    columns = (
        "SELECT count(*) FROM information_schema.columns WHERE column_name = 'shared_id'"
        " AND table_name = 'histories'"
    )
    try:
        wait_until(lambda: database.rows(columns) == [(1,)], "the club's tables")
        wait_until(
            lambda: database.rows(verified) == [(one,) for one in TABLES], "both copies", 600
        )
        found = database.rows(
            "SELECT light, dark, rated FROM counted_games WHERE shared_id IS NOT NULL"
        )
        assert found == [("Ann", "Zoë", True)]
    finally:
        for program in (*tables, club, database):
            program.kill()


def test_only_the_receiver_reads_a_message_and_no_table_can_forge_its_sender(
    shared: tuple[Path, Broker],
) -> None:
    _, broker = shared
    with attacker(broker, "porto") as porto, attacker(broker, "faro") as faro:
        forged = faro.publish(message_topic("porto", "lisbon"), b"{}")
        assert "Not authorized" in forged
        faro.publish(message_topic("porto", "faro"), b"{}")
        wait_until(lambda: message_topic("porto", "faro") in porto.received, "faro's message")
        assert message_topic("porto", "lisbon") not in porto.received
        assert not [topic for topic in faro.received if "/from/" in topic]
