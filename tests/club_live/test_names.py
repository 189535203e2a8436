"""Names reach the club only with the players' consent, and are erased there when it ends."""

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client

from tests.club_live.conftest import World
from tests.club_live.running import Broker
from tests.journal.games import STARTED
from tests.waiting import wait_until
from urpi.config import ClubServerSection
from urpi.install.doctor.probes.broker import try_broker
from urpi.journal import Journal, anonymise_player
from urpi.journal.consents import CONSENTS, NO_CONSENTS
from urpi.link.broker.broker_settings import broker_settings, club_settings
from urpi.link.broker.club_link import ClubLink
from urpi.link.broker.mqtt import make_client, stop_client
from urpi.link.broker.state_message import TableState
from urpi.link.protocol.topics import Topic
from urpi.referee import Phase, Snapshot

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'


class Wall:
    """A client of the broker that reads the retained state of a table."""

    def __init__(self, broker: Broker) -> None:
        section = ClubServerSection(
            f"127.0.0.1:{broker.port}", password_file=str(broker.files / "club.password")
        )
        self.client: Client = make_client(club_settings(section), "wall")
        self.names: dict[str, str | None] | None = None
        self.client.on_connect = self._on_connect
        self.client.on_message = self._on_message
        self.client.connect("127.0.0.1", broker.port)

    def _on_connect(self, client: Client, *_arguments: Any) -> None:
        client.subscribe(str(Topic("lisbon", "state")), 1)

    def _on_message(self, _client: Client, _user: object, message: Any) -> None:
        self.names = json.loads(message.payload)["names"]

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        self.client.loop_start()
        yield
        stop_client(self.client)


def agree(path: Path, table: str = "board", /, **names: int) -> None:
    with Journal.open(path) as journal:
        journal.store_preferences([(table, CONSENTS, json.dumps(names), NO_CONSENTS)])


def names(world: World) -> list[tuple[object, ...]]:
    return world.database.rows("SELECT table_id, side, name FROM names ORDER BY side")


def test_a_name_is_published_while_its_player_agrees(world: World) -> None:
    path = world.folder / "names.db"
    agree(path, Ann=0, Zoë=0)
    with Journal.open(path) as journal:
        game = journal.new_game(GAME, STARTED, "1.0.0", {"table": "board"})
        journal.append(game, ['{"t":5,"type":"time"}'], ended=STARTED)
    dark, light = ("lisbon", "dark", "Zoë"), ("lisbon", "light", "Ann")
    exists = "SELECT to_regclass('names') IS NOT NULL"
    wait_until(lambda: world.database.rows(exists) == [(True,)], "the club's tables")
    link, wall = ClubLink(world.broker.section("lisbon"), path, "board"), Wall(world.broker)
    with link.opened(), wall.running():
        link.publish(TableState(game, Snapshot(Phase.OVER)))
        wait_until(lambda: names(world) == [dark, light], "both names")
        wait_until(lambda: wall.names == {"light": "Ann", "dark": "Zoë"}, "names in the state")

        # The doctor's trial is answered by the club, and changes nothing there.
        settings = broker_settings(world.broker.section("lisbon"))
        assert try_broker(settings, lambda: datetime.now(UTC)).answered
        assert names(world) == [dark, light]

        # Withdrawn while the club is down.
        world.club.kill()
        agree(path, Zoë=0)
        wait_until(lambda: wall.names == {"light": None, "dark": "Zoë"}, "the state without a name")
        assert names(world) == [dark, light]
        world.club.start()
        wait_until(lambda: names(world) == [dark], "the withdrawal")

        # The database is that of a backup from before.
        world.club.kill()
        key = world.database.rows("SELECT key FROM names")[0][0]
        world.database.rows(
            f"INSERT INTO names VALUES ('lisbon', '{key}', 'light', 'Ann') RETURNING key"
        )
        world.club.start()
        wait_until(lambda: names(world) == [dark], "the withdrawal after the backup")

        with Journal.open(path) as journal:
            anonymise_player(journal, "Zoë", "Player 1")
        wait_until(lambda: names(world) == [], "the anonymised player")
        wait_until(lambda: wall.names == {"light": None, "dark": None}, "a state without names")
    assert not world.database.rows("SELECT 1 FROM batches WHERE lines ~ 'Ann|Zoë|Player'")
    assert not world.database.rows("SELECT 1 FROM histories WHERE head::text ~ 'Ann|Zoë|Player'")
