"""Claims of games through mosquitto and PostgreSQL. The club's clock is moved in its database."""

from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from random import Random

import pytest
from psycopg import Connection

from tests.club_live.running import Broker, Club, Database, shared_folder
from tests.club_live.test_copies import (
    RULES,
    SETTINGS,
    STARTED,
    TABLES,
    VERDICTS,
    Course,
    Sender,
    course,
    settle,
)
from tests.club_live.test_permissions import attacker
from tests.link.remote.pure_table import PureTable, opening
from tests.waiting import wait_until
from urpi.club.server.database import connect
from urpi.club.server.migrations import migrate
from urpi.club.server.months import create_months
from urpi.club.server.presence import PresenceLog
from urpi.club.server.security_log import newest_entries
from urpi.journal import timing_settings
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import GameHead, Lines, Online
from urpi.link.remote.events import SharedThrow, holder
from urpi.referee import step
from urpi.referee.facts import Answer
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Side

SEEDS = range(2)
NAMES = {"lisbon": {"light": "Ann"}, "porto": {"dark": "Zoë"}}
COUNTED = "SELECT result, rated, light, dark FROM counted_games WHERE shared_id IS NOT NULL"


def played(seed: int) -> dict[Side, Course]:
    """Play a game until dark, at porto, has thrown and has to move."""
    rng = Random(f"claims {seed}")
    tables = [PureTable(opening(side, RULES), side, rng) for side in Side]
    for now in range(0, 60_000, 100):
        for one, other in (tables, tables[::-1]):
            if not one.session.asking and not one.over:
                one.play(now)
            for data in one.work(now):
                other.receive(data, now)
        light, dark = tables
        last = light.events[-1:]
        if light.over:
            break
        if len(light.events) > 8 and light.events == dark.events and last == dark.events[-1:]:
            is_dark = isinstance(last[0], SharedThrow) and last[0].side is Side.DARK
            if is_dark and holder(light.now) is holder(dark.now) is Side.DARK:
                found = {one.side: course(one) for one in tables}
                fact = Answer(10**8, move=dark.now.legal[0])
                lines = (fact_line(fact), *map(decision_line, step(dark.state, fact)[1]))
                ends = {**found[Side.DARK].ends, "moves": lines}
                return {**found, Side.DARK: Course(found[Side.DARK].before, ends)}
    return played(seed + 100)


def message(course: Course, table: str, end: str | None, sent: bool) -> Lines:
    """The lines before the cut, or those of an end after them."""
    head = GameHead(1, STARTED, "1.0.0", RULES, timing_settings(SETTINGS.timing))
    if not sent:
        return Lines(1, head.key, 1, head.key, course.before, head, NAMES[table])
    assert end is not None
    middle = next_chain(head.key, course.before)
    return Lines(
        *(1, head.key, len(course.before) + 1, middle, course.ends[end]),
        finished=None if end == "moves" else STARTED,
    )


def presence(online: bool) -> bytes:
    return Online(online, "1.0.0").encode()


def pass_time(connection: Connection, seconds: float) -> None:
    """Let the club's clock advance: all that it has noted was so much earlier."""
    for column, table in (("received", "batches"), ("received", "histories"), ("at", "presence")):
        connection.execute(
            f"UPDATE {table} SET {column} = {column} - make_interval(secs => %s)".encode(),
            (seconds,),
        )


@pytest.fixture
def club(database: Database) -> Iterator[Connection]:
    with closing(connect(database.url)) as connection:
        migrate(connection)
        create_months(connection, datetime.now(UTC).date())
        yield connection


class Evening:
    """Both tables, whose copies the club stores, and their presences."""

    def __init__(self, connection: Connection, seed: int) -> None:
        self.connection, self.log = connection, PresenceLog()
        self.courses = played(seed)
        self.tables = {
            name: Sender(connection, name, self.courses[side]) for name, side in TABLES.items()
        }
        self.log.connect()
        for name in TABLES:
            self.online(name, True)
            self.send(name, None)

    def online(self, name: str, online: bool) -> None:
        self.log.note(name, presence(online), retained=False)
        self.log.store(self.connection)

    def send(self, name: str, end: str | None) -> None:
        table = self.tables[name]
        sent = bool(table.sent)
        table.receive(message(self.courses[TABLES[name]], name, end, sent))
        table.sent.append(end or "")
        settle(self.connection)

    @property
    def verdicts(self) -> dict[str, tuple[object, ...]]:
        rows = self.connection.execute(VERDICTS).fetchall()
        return {str(table): (result, verdict) for table, _, result, verdict in rows}

    @property
    def counted(self) -> list[tuple[object, ...]]:
        return self.connection.execute(COUNTED).fetchall()


@pytest.mark.parametrize("seed", SEEDS)
def test_who_pulls_the_plug_loses_whatever_it_sends_later(club: Connection, seed: int) -> None:
    evening, rng = Evening(club, seed), Random(seed)
    evening.online("porto", False)
    pass_time(club, 305)
    evening.send("lisbon", "claims")
    won = [("light", True, "Ann", "Zoë")]
    assert evening.verdicts["lisbon"] == ("light", "verified")
    assert evening.counted == won
    # The table never returns; or agrees; or abandons the game alone, or says that it has won.
    if (end := rng.choice([None, "loses", "abandoned", "dark"])) is not None:
        evening.online("porto", True)
        evening.send("porto", end)
        verdict = "verified" if end == "loses" else "contested"
        assert evening.verdicts["porto"][1] == verdict
    assert evening.counted == won
    assert len(newest_entries(club)) == (end in {"abandoned", "dark"})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lie", ["early", "cut-off", "acted", "withheld"])
def test_a_false_claim_is_contested_and_arbiters_see_it(
    club: Connection, seed: int, lie: str
) -> None:
    evening = Evening(club, seed)
    wait = 200 if lie == "early" else 400
    if lie == "cut-off":
        evening.online("lisbon", False)
        pass_time(club, wait - 10)
        evening.online("lisbon", True)
        pass_time(club, 10)
    elif lie == "acted":
        pass_time(club, wait - 100)
        evening.send("porto", "moves")
        pass_time(club, 100)
    elif lie == "withheld":
        club.execute("DELETE FROM batches WHERE table_id = 'porto'")
        pass_time(club, wait)
    else:
        pass_time(club, wait)
    evening.send("lisbon", "claims")
    assert evening.verdicts["lisbon"] == ("light", "contested")
    assert evening.counted == []
    (entry,) = newest_entries(club)
    assert (entry.event, entry.who) == ("claim-unconfirmed", "lisbon, porto")
    if lie in {"early", "cut-off"}:
        # If the other table agrees, the club's times still contradict the claim.
        evening.send("porto", "loses")
        assert evening.counted == []


@pytest.mark.parametrize("order", [("lisbon", "porto"), ("porto", "lisbon")])
def test_if_both_claim_only_who_did_not_have_to_act_wins(
    club: Connection, order: tuple[str, str]
) -> None:
    evening = Evening(club, 3)
    pass_time(club, 400)
    for name in order:
        evening.send(name, "claims")
    assert evening.verdicts == {"lisbon": ("light", "verified"), "porto": ("dark", "contested")}
    assert evening.counted == [("light", True, "Ann", "Zoë")]


def test_the_club_confirms_a_claim_by_the_broker_s_presence(database: Database) -> None:
    """With `urpi club serve` and mosquitto; a table's own clock is ten minutes slow."""
    with shared_folder() as folder:
        broker = Broker(folder, (*TABLES,))
        broker.start()
        club = Club(folder, broker, database)
        club.start()
        try:
            check_live(broker, database)
        finally:
            club.kill()
            broker.kill()


def check_live(broker: Broker, database: Database) -> None:
    courses = played(5)
    states = "SELECT table_id, online FROM presence WHERE table_id != '' ORDER BY at"
    copies = "SELECT table_id FROM histories ORDER BY table_id"

    def rows(query: str) -> list[tuple[object, ...]]:
        # The club may still create its tables.
        with suppress(Exception):
            return database.rows(query)
        return []

    with attacker(broker, "lisbon") as lisbon, attacker(broker, "porto") as porto:
        wait_until(lambda: rows("SELECT 1 FROM presence WHERE table_id = ''"), "the club")
        for one, name in ((lisbon, "lisbon"), (porto, "porto")):
            one.publish(f"urpi/tables/{name}/online", presence(True))
            first = message(courses[TABLES[name]], name, None, False)
            one.publish(f"urpi/tables/{name}/lines", first.encode())
        wait_until(lambda: rows(copies) == [("lisbon",), ("porto",)], "both copies")
        porto.publish("urpi/tables/porto/online", presence(False))
        wait_until(lambda: ("porto", False) in rows(states), "porto's absence")
        with closing(connect(database.url)) as connection:
            pass_time(connection, 320)
        claim = message(courses[Side.LIGHT], "lisbon", "claims", True)
        assert lisbon.answer(claim.encode())["type"] == "ack"
        wait_until(lambda: rows(COUNTED) == [("light", True, "Ann", "Zoë")], "the verdict")
