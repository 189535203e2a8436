"""A side resigns while the connection is cut: its own table's copy decides, in any order."""

import json
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from random import Random

import pytest

from tests.club_live.running import Database
from tests.club_live.test_claims import COUNTED, NAMES
from tests.club_live.test_copies import (
    RULES,
    SETTINGS,
    STARTED,
    TABLES,
    VERDICTS,
    Course,
    Sender,
    check,
    courses,
)
from urpi.club.server.brought_results import apply_game
from urpi.club.server.database import connect, next_to_verify, store_verdict
from urpi.club.server.migrations import migrate
from urpi.club.server.months import create_months
from urpi.club.server.new_tournaments import create_tournament
from urpi.club.server.security_log import newest_entries
from urpi.club.server.tournaments import begin_round
from urpi.club.server.verification import examine
from urpi.journal import timing_settings
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import GameHead, Lines
from urpi.referee.facts import Hint
from urpi.referee.lines import fact_line
from urpi.rules import Side

SEEDS = range(10)


class Club:
    """The club's process, which may be restarted, and what the two tables send to it."""

    def __init__(self, database: Database, seed: int) -> None:
        self.database, self.played = database, courses(seed)
        self.connection = connect(database.url)
        self.restart()

    def close(self) -> None:
        self.connection.close()

    def restart(self) -> None:
        self.close()
        self.connection = connect(self.database.url)
        migrate(self.connection)
        create_months(self.connection, datetime.now(UTC).date())

    def send(
        self, name: str, end: str | None, course: Course | None = None, number: int = 1
    ) -> None:
        """Send the lines before the cut, and those of an end; the club may have some of them."""
        course = course or self.played[TABLES[name]]
        head = GameHead(number, STARTED, "1.0.0", RULES, timing_settings(SETTINGS.timing))
        table = Sender(self.connection, name, course)
        table.receive(Lines(number, head.key, 1, head.key, course.before, head, NAMES[name]))
        if end is not None:
            middle, count = next_chain(head.key, course.before), len(course.before)
            lines = course.ends[end]
            table.receive(Lines(number, head.key, count + 1, middle, lines, finished=STARTED))

    def verify(self) -> bool:
        """Verify the next game as the verifier does."""
        with self.connection.transaction():
            game = next_to_verify(self.connection)
            if game is not None:
                examined = examine(game.head, game.lines)
                store_verdict(self.connection, game.table, game.history, examined)
                if examined.rated or examined.shared is not None:
                    apply_game(self.connection, game.table, game.history)
        return game is not None

    def settle(self) -> None:
        while self.verify():
            pass

    def pass_night(self) -> None:
        self.settle()
        self.connection.execute("UPDATE histories SET checked = 'epoch'")
        while check(self.connection):
            pass

    def rows(self, query: str, *values: object) -> Sequence[tuple[object, ...]]:
        return self.connection.execute(query.encode(), values).fetchall()

    @property
    def verdicts(self) -> dict[str, tuple[object, ...]]:
        return {str(table): (*found,) for table, _, *found in self.rows(VERDICTS)}

    @property
    def counted(self) -> list[tuple[object, ...]]:
        return [*self.rows(COUNTED)]


def pair(club: Club) -> None:
    """Begin a tournament in which the players meet."""
    found = create_tournament(club.connection, "Cup", "round-robin", ["Ann", "Zoë"])
    begin_round(club.connection, found.id)
    club.connection.execute("UPDATE tournament_rounds SET started = %s", (STARTED,))


def named(club: Club) -> list[tuple[object, ...]]:
    """What counts for two players."""
    return [row for row in club.counted if row[1] and None not in row]


@pytest.mark.parametrize("seed", SEEDS)
def test_who_resigns_loses_whatever_the_other_table_sends(database: Database, seed: int) -> None:
    rng = Random(f"resignations {seed}")
    with closing(Club(database, seed)) as club:
        pair(club)
        loser, other = rng.sample([*TABLES], 2)
        result = TABLES[other].value
        end = [None, "abandoned", "draw", "loses", result][seed % 5]
        steps = {loser: [None, result], other: [None, end]}
        while any(steps.values()):
            name = rng.choice([name for name, left in steps.items() if left])
            club.send(name, steps[name].pop(0))
            for _ in range(rng.randrange(3)):
                rng.choice([club.verify, club.restart, club.pass_night])()
        club.settle()
        if end is None:
            # The copy without an end may have come last.
            club.pass_night()
        verdict = {None: None, result: "verified"}.get(end, "contested")
        ended = TABLES[loser].value if end == "loses" else end
        assert club.verdicts == {loser: (result, "verified"), other: (ended, verdict)}
        assert named(club) == [(result, True, "Ann", "Zoë")]
        assert len(newest_entries(club.connection)) == (verdict == "contested")
        if end is not None:
            assert club.rows("SELECT light, result FROM pairings") == [(0, result)]
        # Nothing changes in the night, nor when the lines of that month are removed.
        club.rows("DELETE FROM batches WHERE table_id = %s RETURNING 1", other)
        club.restart()
        club.pass_night()
        assert named(club) == [(result, True, "Ann", "Zoë")]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("lie", ["other", "seat"])
def test_nobody_resigns_in_the_other_one_s_place(database: Database, seed: int, lie: str) -> None:
    """A table sends that the other side has resigned, or that itself was at the other side."""
    rng = Random(f"forged resignations {seed}")
    with closing(Club(database, seed)) as club:
        pair(club)
        liar, other = rng.sample([*TABLES], 2)
        won, lost = TABLES[liar].value, TABLES[other].value
        course = club.played[TABLES[liar if lie == "other" else other]]
        first = course.before[0].replace(f'"table":"{liar}"', f'"table":"{other}"')
        course = Course((first, *course.before[1:]), course.ends)
        end = rng.choice([None, lost, "abandoned"])
        steps = [lambda: club.send(liar, won, course), lambda: club.send(other, end)]
        for step in rng.sample(steps, 2):
            step()
            rng.choice([club.settle, club.restart, club.pass_night])()
            assert named(club) == []
        club.pass_night()
        assert named(club) == []
        assert club.rows("SELECT result FROM pairings") == [(None,)]
        if end is not None:
            assert club.verdicts == {liar: (won, "contested"), other: (end, "contested")}


@pytest.mark.parametrize("seed", range(4))
def test_if_both_have_resigned_the_arbiter_decides(database: Database, seed: int) -> None:
    with closing(Club(database, seed)) as club:
        for name in Random(seed).sample([*TABLES], 2):
            club.send(name, TABLES[name].other.value)
            club.settle()
        assert club.verdicts == {"lisbon": ("dark", "contested"), "porto": ("light", "contested")}
        assert named(club) == []


@pytest.mark.parametrize("end", ["abandoned", "draw", "loses"])
def test_a_second_copy_does_not_undo_a_resignation(database: Database, end: str) -> None:
    with closing(Club(database, 1)) as club:
        club.send("porto", "light")
        club.settle()
        club.send("lisbon", end)
        other = "dark" if end == "loses" else end
        club.send("porto", other, number=2)
        club.settle()
        assert club.rows(f"{VERDICTS}, id") == [
            ("lisbon", 1, other, "contested"),
            ("porto", 1, "light", "verified"),
            ("porto", 2, other, "contested"),
        ]
        assert named(club) == [("light", True, "Ann", "Zoë")]


@pytest.mark.parametrize("end", [None, "abandoned", "light"])
@pytest.mark.parametrize("order", [("lisbon", "porto"), ("porto", "lisbon")])
def test_who_had_advice_gains_no_rating(
    database: Database, order: tuple[str, str], end: str | None
) -> None:
    with closing(Club(database, 2)) as club:
        pair(club)
        played = club.played[Side.LIGHT]
        hint = Hint(json.loads(played.before[-1])["t"], Side.LIGHT, "+A1")
        advised = Course((*played.before, fact_line(hint)), played.ends)
        for name in order:
            if name == "porto":
                club.send("porto", "light")
            else:
                club.send("lisbon", end, advised)
            club.settle()
        club.pass_night()
        assert club.verdicts["porto"] == ("light", "verified")
        assert named(club) == []
        assert club.rows("SELECT result FROM pairings") == [(None,)]
