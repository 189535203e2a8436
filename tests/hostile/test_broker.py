"""A table's account that fills the broker and the club."""

import random
import time
from urllib.request import urlopen

import pytest

from tests.club.web.test_wall import escaped, state
from tests.club_live.conftest import World
from tests.club_live.running import WAIT_S, accepts
from tests.hostile.mallory import ATTACKER, mallory, memory_of
from tests.waiting import wait_until
from urpi.club.server.receiver import GAMES_AT_ONCE
from urpi.link.protocol.messages import GameHead, Lines
from urpi.link.protocol.topics import Topic, message_topic

DEADLINE_S = 400
LINE = '{"t":0,"type":"game","rules":"finkel","light":"","dark":"","options":{}}'


def invented(number: int) -> Lines:
    """Return the first message of a game that was never played."""
    head = GameHead(number, "2026-01-01T00:00:00+00:00", "0.2.0", "finkel", {})
    return Lines(number, head.key, 1, head.key, (LINE,), head)


@pytest.mark.slow
def test_retained_messages_to_invented_tables_take_no_memory(world: World) -> None:
    before = memory_of(world.broker.pid)
    with mallory(world.broker) as attacker:
        sent = [
            attacker.publish(message_topic(f"invented-{n}", ATTACKER), bytes(20_000), retain=True)
            for n in range(2000)
        ]
        attacker.wait(sent)
    # They were 40 MB.
    assert memory_of(world.broker.pid) - before < 15_000_000


def test_a_table_begins_a_limited_number_of_games_and_others_are_stored(world: World) -> None:
    with mallory(world.broker) as attacker:
        number, begun = 0, time.monotonic()
        lines = str(Topic(ATTACKER, "lines"))
        stored = 0
        while stored < GAMES_AT_ONCE:
            assert time.monotonic() < begun + DEADLINE_S, stored
            # At most four wait at once.
            sent = [attacker.publish(lines, invented(number + n).encode()) for n in range(4)]
            attacker.wait(sent)
            number += 4
            stored = games_of(world, ATTACKER)
        for _ in range(60):
            sent = [attacker.publish(lines, invented(number + n).encode()) for n in range(4)]
            attacker.wait(sent)
            number += 4
            time.sleep(0.02)
        table = world.table("lisbon")
        world.run(table)
        wait_until(lambda: games_of(world, "lisbon"), "the game of another table")
        table.finish()
    minutes = (time.monotonic() - begun) / 60
    # A day has 500, one in three minutes.
    assert GAMES_AT_ONCE <= games_of(world, ATTACKER) <= GAMES_AT_ONCE + 1 + minutes / 3
    # A line a minute, however many messages are postponed.
    lines = 1 + minutes
    stored = world.database.rows("SELECT who FROM security_log WHERE event = 'games-postponed'")
    assert set(stored) == {(ATTACKER,)}
    assert len(stored) <= lines
    log = world.club.log.read_text()
    assert f"table {ATTACKER} (quota) is postponed" in log
    assert log.count("(quota)") <= lines


def games_of(world: World, table: str) -> int:
    query = f"SELECT count(*) FROM histories WHERE table_id = '{table}'"
    return int(str(world.database.rows(query)[0][0]))


def test_random_messages_stop_nobody(world: World, seconds: float, chance: random.Random) -> None:
    topics = [
        *(str(Topic(ATTACKER, kind)) for kind in ("state", "online", "free", "lines")),
        message_topic("lisbon", ATTACKER),
        message_topic("porto", ATTACKER),
    ]
    models = [
        invented(chance.randrange(10**6)).encode(),
        b'{"online":true,"program":"0.2.0"}',
        escaped(names={"light": "\ud800"}),
        escaped(names={"light": "Ann\0"}),
        state(chance.randrange(10**6)),
        b'{"type":"resign","side":"light"}',
        b"",
    ]
    before = games_of(world, "porto")
    table = world.table("porto", seed=7)
    world.run(table)
    end = time.monotonic() + seconds
    with mallory(world.broker) as attacker:
        while time.monotonic() < end:
            sent = []
            for _ in range(50):
                data = bytearray(chance.choice(models))
                for _ in range(chance.choice([0, 1, 1, 2, 30])):
                    if data:
                        data[chance.randrange(len(data))] = chance.randrange(256)
                retain = chance.random() < 0.5
                sent.append(attacker.publish(chance.choice(topics), bytes(data), retain=retain))
            attacker.wait(sent)
    wait_until(lambda: games_of(world, "porto") > before, "the game of another table")
    assert world.club.runs
    wait_until(lambda: accepts(world.club.page_port), "the club's page")
    # The wall still shows the other table, also after everything that is retained.
    url = f"http://127.0.0.1:{world.club.page_port}/api/events"
    with urlopen(url, timeout=WAIT_S) as stream:
        while not (b'"porto"' in (line := stream.readline()) and b'"state":{' in line):
            assert line, "the wall has ended"
    assert memory_of(world.broker.pid) < 100_000_000
    assert len(world.club.log.read_text()) < 50_000 + 2_000 * seconds
    table.finish()
