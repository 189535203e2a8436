"""Two tables send copies of one game that end differently: PostgreSQL's verdicts, in any order."""

import operator
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import pytest
from psycopg import Connection

from tests.club_live.running import Database
from tests.link.remote.pure_table import GAME, SETTINGS, PureTable, opening
from tests.page.client import Client
from urpi.club.server.checks import check_next
from urpi.club.server.database import (
    connect,
    next_to_review,
    next_to_verify,
    store_of,
    store_review,
    store_verdict,
)
from urpi.club.server.migrations import migrate
from urpi.club.server.months import create_months
from urpi.club.server.security_log import newest_entries
from urpi.club.server.verification import examine
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.supervision import Quarantine
from urpi.journal import timing_settings
from urpi.link.protocol.archive import receive
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines, Offer, OfferedGame
from urpi.referee import step
from urpi.referee.facts import Abandon, Claim, Draw, Fact, Resign
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Side

SEEDS = range(6)
RULES: Final = "freecompany"  # the only rules with draws
STARTED = "2026-11-20T19:02:11+01:00"
TABLES: Final = {"lisbon": Side.LIGHT, "porto": Side.DARK}
ENDS: Final[Mapping[str, Fact]] = {
    "light": Resign(10**9, Side.DARK),
    "dark": Resign(10**9, Side.LIGHT),
    "draw": Draw(10**9, Side.LIGHT, agreed=True),
    "abandoned": Abandon(10**9, Side.LIGHT),
}


@dataclass(frozen=True)
class Course:
    """The lines of a copy: those before the connection was cut, and each end that may follow."""

    before: tuple[str, ...]
    ends: Mapping[str, tuple[str, ...]]


def courses(seed: int) -> dict[Side, Course]:
    """Play a game through the real protocol until the connection is cut."""
    rng = Random(f"copies {seed}")
    tables = [PureTable(opening(side, RULES), side, rng) for side in Side]
    for now in range(0, rng.randrange(20, 60) * 100, 100):
        for one, other in (tables, tables[::-1]):
            if not one.over:
                one.play(now)
            for data in one.work(now):
                other.receive(data, now)
        if any(one.over for one in tables):
            return courses(seed + 1000)
    return {one.side: course(one) for one in tables}


def course(table: PureTable) -> Course:
    stored = [
        without_names(line)
        for fact, decisions in table.stored
        for line in (fact_line(fact), *map(decision_line, decisions))
    ]
    ends = {}
    claims = {"claims": Claim(10**9, table.side), "loses": Claim(10**9, table.side.other)}
    for result, fact in {**ENDS, **claims}.items():
        _, decisions = step(table.state, fact)
        ends[result] = (fact_line(fact), *map(decision_line, decisions))
    return Course(tuple(stored), ends)


@dataclass
class Sender:
    """A table that sends its copy, and others in its place later."""

    connection: Connection
    name: str
    course: Course
    number: int = 1
    game: str = GAME
    sent: list[str] = field(default_factory=list)
    current: str | None = None

    def send(self, end: str) -> None:
        """Send a copy with an end, or offer the one that was sent with it."""
        settings = timing_settings(SETTINGS.timing)
        head = GameHead(self.number, STARTED, "1.0.0", RULES, settings)
        before = [self.course.before[0].replace(GAME, self.game), *self.course.before[1:]]
        first, *rest = self.course.ends[end]
        middle = next_chain(head.key, before)
        if end in self.sent:
            game = OfferedGame(
                *(self.number, head.key, len(before) + 1 + len(rest)),
                *(next_chain(middle, [first, *rest]), True),
            )
            self.receive(Offer("1", (game,)))
        elif self.sent:
            message = Lines(
                *(self.number, head.key, len(before) + 1, middle, (first, *rest)),
                finished=STARTED,
            )
            assert isinstance(self.receive(message), Ack)
        else:
            lines = (*before, first, *rest)
            message = Lines(self.number, head.key, 1, head.key, lines, head, {}, STARTED)
            assert isinstance(self.receive(message), Ack)
        self.sent.append(end)
        self.current = end

    def receive(self, message: Lines | Offer) -> object:
        with store_of(self.connection, self.name) as store:
            return receive(store, message)


def verify(connection: Connection) -> bool:
    """Verify the next game as the verifier does."""
    with connection.transaction():
        game = next_to_verify(connection)
        if game is not None:
            examined = examine(game.head, game.lines)
            assert examined.verdict.code == "verified", examined.verdict.text
            store_verdict(connection, game.table, game.history, examined)
    return game is not None


def check(connection: Connection) -> bool:
    return check_next(operator.call, connection, Quarantine("game")) is not None


def settle(connection: Connection) -> None:
    while verify(connection) or check(connection):
        pass


VERDICTS = (
    "SELECT table_id, game, result, verdict FROM histories WHERE current ORDER BY table_id, game"
)


@pytest.fixture
def club(database: Database) -> Iterator[Connection]:
    with closing(connect(database.url)) as connection:
        migrate(connection)
        create_months(connection, datetime.now(UTC).date())
        # A wait for ever fails instead.
        connection.execute("SET lock_timeout = '120s'")
        yield connection


def senders(club: Connection, seed: int) -> dict[str, Sender]:
    played = courses(seed)
    return {name: Sender(club, name, played[side]) for name, side in TABLES.items()}


def decided(tables: Mapping[str, Sender]) -> str | None:
    """How the game ended because a side resigned at its own table, None if none or both have."""
    ends = {one.current for name, one in tables.items() if one.current == TABLES[name].other.value}
    return ends.pop() if len(ends) == 1 else None


def expected(tables: Mapping[str, Sender]) -> list[tuple[object, ...]]:
    """The verdicts of both copies, from what the tables' journals contain now."""
    ends = {one.current for one in tables.values()}
    right = {decided(tables)} - {None} or (ends if None in ends or len(ends) == 1 else set())
    return [
        (name, 1, one.current, "verified" if one.current in right else "contested")
        for name, one in tables.items()
        if one.current is not None
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_copies_are_contested_as_long_as_their_ends_differ(club: Connection, seed: int) -> None:
    tables, rng = senders(club, seed), Random(f"orders {seed}")
    was_contested = False
    for _ in range(25):
        for _ in range(rng.randrange(1, 5)):
            match rng.randrange(4):
                case 0 | 1:
                    rng.choice([*tables.values()]).send(rng.choice([*ENDS]))
                case 2:
                    verify(club)
                case 3:
                    check(club)
        settle(club)
        wanted = expected(tables)
        assert club.execute(VERDICTS).fetchall() == wanted
        was_contested = was_contested or ("contested" in str(wanted))
        rated = "SELECT count(*) FROM counted_games WHERE rated"
        ends = {one.current for one in tables.values()}
        agreed = len(ends) == 1 and not ends & {None, "abandoned"}
        counted = agreed or decided(tables) is not None
        assert club.execute(rated).fetchall() == [(1 if counted else 0,)]
    entries = newest_entries(club)
    assert was_contested
    assert {(one.event, one.who) for one in entries} == {("copies-differ", "lisbon, porto")}


@pytest.mark.parametrize("order", [("lisbon", "porto"), ("porto", "lisbon")])
def test_a_loser_who_sends_another_end_wins_nothing_and_arbiters_see_it(
    club: Connection, database: Database, order: tuple[str, str]
) -> None:
    tables = senders(club, 1)
    lies = {"lisbon": "light", "porto": "dark"}
    for name in order:
        tables[name].send(lies[name])
        verify(club)
    assert club.execute("SELECT count(*) FROM counted_games").fetchall() == [(0,)]
    (entry,) = newest_entries(club)
    assert (entry.event, entry.who, entry.count) == ("copies-differ", "lisbon, porto", 1)
    assert entry.about.endswith("Table lisbon: light has won. Table porto: dark has won.")
    site = make_site(ClubServerSection(database=database.url), Wall(lambda: datetime.now(UTC)))
    client = Client(make_club_app(site))

    def listed() -> list[dict[str, Any]]:
        return list(client.get("/api/games?verdict=contested").json["games"])

    assert sorted(one["table"] for one in listed()) == ["lisbon", "porto"]
    assert listed()[0]["verdict_text"] in entry.about
    assert client.get(f"/api/games/{listed()[0]['id']}/review").status == 409
    # The loser's table sends what happened, after all.
    tables["porto"].send("light")
    verify(club)
    assert listed() == []
    assert club.execute("SELECT result, rated FROM counted_games").fetchall() == [("light", True)]


def test_a_table_that_did_not_play_contests_nothing(club: Connection) -> None:
    tables, rng = senders(club, 2), Random("strangers")
    for one in tables.values():
        one.send("dark")
    # Both sides, each with several ends of several games, which differ in the end.
    strangers = [("faro", side) for side in (*Side, *Side)] + [("braga", Side.DARK)]
    for number, (stranger, side) in enumerate(strangers, 10):
        course = tables["lisbon" if side is Side.LIGHT else "porto"].course
        forger = Sender(club, stranger, course, number)
        for end in (rng.choice([*ENDS]), [*ENDS][number % 4]):
            forger.send(end)
    settle(club)
    copies = [row for row in club.execute(VERDICTS).fetchall() if row[0] in tables]
    assert {row[3] for row in copies} == {"verified"}
    agreed = "SELECT count(*) FROM counted_games WHERE rated AND table_id = ANY(%s)"
    assert club.execute(agreed, ([*tables],)).fetchall() == [(1,)]
    # A table cannot make its own game rated by a further copy that agrees.
    tables["porto"].send("light")
    Sender(club, "porto", tables["porto"].course, 2).send("dark")
    settle(club)
    copies = [row for row in club.execute(VERDICTS).fetchall() if row[0] in tables]
    assert {row[3] for row in copies} == {"contested"}
    assert club.execute("SELECT count(*) FROM counted_games WHERE rated").fetchall() == [(0,)]


def test_a_copy_that_is_being_reviewed_is_contested_afterwards(
    club: Connection, database: Database
) -> None:
    tables = senders(club, 3)
    tables["lisbon"].send("light")
    settle(club)
    with closing(connect(database.url)) as reviewer, reviewer.transaction():
        game = next_to_review(reviewer)
        assert game is not None
        tables["porto"].send("dark")
        # Nothing waits for a review, which may take minutes.
        settle(club)
        assert [row[3] for row in club.execute(VERDICTS)] == ["verified", "contested"]
        store_review(reviewer, game, None)
    assert [row[3] for row in club.execute(VERDICTS)] == ["contested", "contested"]


def test_verifiers_at_work_at_once_contest_both_copies_of_each_game(
    club: Connection, database: Database
) -> None:
    played, count = courses(4), 12
    for number in range(1, count + 1):
        for end, (name, side) in zip(("light", "dark"), TABLES.items(), strict=True):
            Sender(club, name, played[side], number, f"{number:032x}").send(end)

    def work(first: int) -> None:
        with closing(connect(database.url)) as connection:
            # Some verify first, some check.
            steps = (verify, check) if first % 2 else (check, verify)
            while sum(one(connection) for one in steps):
                pass

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    settle(club)
    assert [row[3] for row in club.execute(VERDICTS)] == ["contested"] * (2 * count)
