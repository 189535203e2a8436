"""The wall shows the newest state of every table, and each page receives only what has changed."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz import inputs
from urpi.club.web import wall as wall_module
from urpi.club.web.table_state import parse_state
from urpi.club.web.wall import MAX_TABLES, Kind, TableFilter, Wall, WallEvents
from urpi.link.broker.state_message import TableState, state_message
from urpi.page.versions import Cursor
from urpi.referee import Phase, Snapshot
from urpi.rules import Side, parse_rules

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ONLINE = b'{"type":"online","format":1,"online":true,"program":"1.0.0"}'
OFFLINE = ONLINE.replace(b"true", b"false")


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def state(game: int, at: datetime = NOON) -> bytes:
    return state_message(TableState(game, Snapshot(Phase.NO_GAME)), at.isoformat(), {})


class Viewer:
    """A page with its cursor."""

    def __init__(self, wall: Wall, tables: str = "*") -> None:
        self.events, self.cursor = WallEvents(wall, TableFilter(tables)), Cursor(0)

    def read(self) -> list[tuple[str, Any]]:
        """Return what has changed since the last call; empty if nothing has."""

        async def run() -> bytes:
            try:
                async with asyncio.timeout(0.01):
                    return await self.events.next_events(self.cursor, may_act=False)
            except TimeoutError:
                return b""

        blocks = asyncio.run(run()).decode().split("\n\n")[:-1]
        pairs = (block.split("\ndata: ") for block in blocks)
        return [(kind.removeprefix("event: "), json.loads(data)) for kind, data in pairs]

    def tables(self) -> dict[str, Any]:
        return {data["table"]: data for kind, data in self.read() if kind == "table"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def wall(clock: Clock) -> Wall:
    return Wall(clock)


def put(wall: Wall, table: str, *messages: bytes, retained: bool = False) -> None:
    for message in messages:
        kind = "online" if b'"online"' in message else "state"
        wall.receive(table, kind, message, retained=retained)
    wall.update()


def test_a_page_receives_every_table_first_and_then_only_changes(wall: Wall) -> None:
    put(wall, "lisbon", ONLINE, state(1))
    put(wall, "porto", ONLINE)
    viewer = Viewer(wall)
    first = viewer.tables()
    assert (first["lisbon"]["online"], first["lisbon"]["state"]["game"]) == (True, 1)
    assert (first["porto"]["online"], first["porto"]["state"]) == (True, None)
    assert viewer.read() == []
    put(wall, "lisbon", state(2))
    assert {name: table["state"]["game"] for name, table in viewer.tables().items()} == {
        "lisbon": 2
    }


def test_a_wall_without_tables_says_so_at_once(wall: Wall) -> None:
    assert Viewer(wall).read() == [("clock", {"now": NOON.timestamp() * 1000})]


def test_a_page_of_one_table_receives_no_other(wall: Wall) -> None:
    put(wall, "lisbon", ONLINE, state(1))
    put(wall, "porto", ONLINE, state(1))
    viewer = Viewer(wall, "porto")
    assert list(viewer.tables()) == ["porto"]
    put(wall, "lisbon", state(2))
    assert viewer.tables() == {}


@pytest.mark.parametrize(
    ("tables", "shown"),
    [
        ("*", {"hall", "hall-1", "hall-10", "lisbon"}),
        ("hall-*", {"hall-1", "hall-10"}),
        ("hall*, lisbon", {"hall", "hall-1", "hall-10", "lisbon"}),
        ("hall-1", {"hall-1"}),
        ("porto,lisbon", {"lisbon"}),
        ("*-1", set()),
        ("", set()),
    ],
)
def test_a_page_of_some_tables_receives_those(wall: Wall, tables: str, shown: set[str]) -> None:
    for table in ("hall", "hall-1", "hall-10", "lisbon"):
        put(wall, table, ONLINE)
    assert set(Viewer(wall, tables).tables()) == shown


def test_a_slow_page_receives_only_the_newest_state(wall: Wall) -> None:
    viewer = Viewer(wall)
    for game in range(1, 50):
        put(wall, "lisbon", state(game))
    (table,) = [data for kind, data in viewer.read() if kind == "table"]
    assert table["state"]["game"] == 49


def test_a_table_that_goes_offline_keeps_its_last_position(wall: Wall, clock: Clock) -> None:
    put(wall, "lisbon", ONLINE, state(1))
    clock.now += timedelta(minutes=3)
    put(wall, "lisbon", OFFLINE)
    found = Viewer(wall).tables()["lisbon"]
    assert (found["online"], found["state"]["game"]) == (False, 1)
    # The broker announces it later than the table's last message.
    assert found["seen"] == NOON.timestamp() * 1000


def test_a_retained_state_is_as_old_as_the_table_says(wall: Wall) -> None:
    put(wall, "lisbon", state(1, NOON - timedelta(hours=2)), retained=True)
    put(wall, "porto", state(1, NOON + timedelta(days=9)), retained=True)
    found = Viewer(wall).tables()
    assert found["lisbon"]["seen"] == (NOON - timedelta(hours=2)).timestamp() * 1000
    assert found["porto"]["seen"] == NOON.timestamp() * 1000


def test_what_a_table_publishes_wrongly_is_ignored_and_logged_once(
    wall: Wall, caplog: pytest.LogCaptureFixture
) -> None:
    put(wall, "lisbon", ONLINE, state(1))
    for _ in range(5):
        put(wall, "lisbon", b'{"type":"state"}')
    assert Viewer(wall).tables()["lisbon"]["state"]["game"] == 1
    assert len(caplog.records) == 1
    assert "table lisbon" in caplog.text


def test_a_table_whose_messages_are_removed_goes_offline(wall: Wall) -> None:
    put(wall, "lisbon", ONLINE, state(1))
    wall.receive("lisbon", "online", b"", retained=False)
    wall.receive("lisbon", "state", b"", retained=False)
    wall.receive("porto", "state", b"", retained=False)
    wall.update()
    found = Viewer(wall).tables()
    assert (found["lisbon"]["online"], found["lisbon"]["state"]) == (False, None)
    assert list(found) == ["lisbon"]


def test_the_number_of_tables_is_limited(wall: Wall, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(MAX_TABLES + 1):
        wall.receive(f"t{number}", "online", ONLINE, retained=True)
    wall.update()
    assert len(Viewer(wall).tables()) == MAX_TABLES
    assert "is ignored" in caplog.text


def test_pages_are_told_when_the_club_loses_its_broker(wall: Wall) -> None:
    wall.set_connected(True)
    wall.update()
    viewer = Viewer(wall)
    assert ("club", {"connected": True, "storage": "works"}) in viewer.read()
    wall.set_connected(False)
    wall.update()
    assert viewer.read() == [("club", {"connected": False, "storage": "works"})]


def test_streams_end_when_the_wall_is_closed(wall: Wall) -> None:
    async def run() -> bytes:
        running = asyncio.create_task(wall.run())
        await asyncio.sleep(0)
        wall.receive("lisbon", "online", ONLINE, retained=False)
        cursor, events = Cursor(0), WallEvents(wall)
        while b"lisbon" not in await events.next_events(cursor, may_act=False):
            pass
        wall.close()
        await running
        return await events.next_events(cursor, may_act=False)

    assert asyncio.run(run()) == b""


HOSTILE = {
    **json.loads(state(3)),
    "at": "2026-11-20T12:02:11+01:00",
    "phase": "move",
    "turn": "light",
    "position": str(parse_rules("finkel").start(Side.LIGHT)),
    "throw": {"faces": "gs--", "value": 2},
    "names": {"light": "Ann", "dark": None},
    "outcome": {"type": "won", "side": "dark", "code": "off"},
    "last": {"t": 5, "type": "move", "side": "dark", "move": "+C1"},
}
"""A state in which everything is changed."""


def escaped(**values: object) -> bytes:
    """A state whose JSON has only ASCII, as a sender of any text can write it."""
    return json.dumps({**HOSTILE, **values}).encode()


@given(
    hostile=st.lists(inputs(HOSTILE), min_size=1, max_size=4),
    kind=st.sampled_from(["state", "state", "online"]),
    retained=st.booleans(),
)
@example([escaped(names={"light": "\ud800"})], "state", True)
@example([escaped(seats={"light": "\udfff", "dark": "person"})], "state", False)
@example([escaped(opponent="\ud800")], "state", True)
@example([escaped(at="0001-01-01T00:00:00+23:59"), b"[" * 30_000], "state", True)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_a_table_publishes_the_others_are_shown(
    hostile: list[bytes], kind: Kind, retained: bool
) -> None:
    async def run() -> bytes:
        wall = Wall(Clock())
        running = asyncio.create_task(wall.run())
        events, cursor, found = WallEvents(wall), Cursor(0), b""
        for game, message in enumerate(hostile, 1):
            wall.receive("faro", kind, message, retained=retained)
            wall.receive("lisbon", "state", state(game), retained=False)
            while b'"table":"lisbon"' not in found or b'"game":%d,' % game not in found:
                found += await events.next_events(cursor, may_act=False)
        wall.close()
        await running
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wall_module, "PAUSE_S", 0)
        found = asyncio.run(run())
    for block in found.decode().split("\n\n")[:-1]:
        json.loads(block.partition("\ndata: ")[2])


def test_a_state_that_cannot_be_shown_leaves_the_board_as_it_was(
    wall: Wall, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the reader has a fault: the state below is one that it must reject."""

    def parse_carelessly(data: bytes) -> object:
        found = parse_state(data.replace(b"\\ud800", b""))
        return replace(found, names={"light": "\ud800"}) if b"\\ud800" in data else found

    monkeypatch.setattr(wall_module, "parse_state", parse_carelessly)
    put(wall, "lisbon", ONLINE, state(1))
    put(wall, "porto", ONLINE, state(1))
    for _ in range(5):
        put(wall, "lisbon", escaped(names={"light": "\ud800"}))
        put(wall, "porto", state(2))
    found = Viewer(wall).tables()
    assert {name: table["state"]["game"] for name, table in found.items()} == {
        "lisbon": 1,
        "porto": 2,
    }
    assert len(caplog.records) == 1
    assert "table lisbon" in caplog.text
    # The table is shown again as soon as its state can be.
    put(wall, "lisbon", state(3))
    assert Viewer(wall).tables()["lisbon"]["state"]["game"] == 3


def test_streams_end_when_the_wall_fails(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is connected to a wall that has ended would show old boards as present ones."""

    async def run() -> bytes:
        running = asyncio.create_task(wall.run())
        cursor, events = Cursor(0), WallEvents(wall)
        assert await events.next_events(cursor, may_act=False)
        monkeypatch.setattr(wall, "update", lambda: 1 / 0)
        wall.set_connected(True)
        found = await events.next_events(cursor, may_act=False)
        assert isinstance((await asyncio.gather(running, return_exceptions=True))[0], Exception)
        assert events.closed
        return found

    assert asyncio.run(run()) == b""
