"""The service alone, with a clock that is set by hand."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from urpi.errors import UrpiError
from urpi.journal import Journal, Keeper, find_game
from urpi.referee import Phase, Settings, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Die, Edge, Fact, Game, Occupancy, Resign, Time
from urpi.referee.lines import decision_line
from urpi.rules import Side, parse_square, squares_of
from urpi.service import EDGES_KEPT_MS, Service
from urpi.words import words_for

STARTED = datetime(2026, 11, 20, 19, 2, 11, tzinfo=UTC)
STILL_MS = 1000
"""Longer than a picture must stand still."""
A4 = parse_square("A4")
DEADLINE_S = 10.0


class Desk:
    """A service at a journal on disk; everything shown is kept with what was stored by then."""

    def __init__(self, path: Path, journal: Journal) -> None:
        self.path, self.journal = path, journal
        self.now = 0
        self.shown: list[Snapshot] = []
        self.decided: list[Decision] = []
        self.stored_when_shown: list[str] = []
        self.service = Service(
            Keeper(journal),
            Settings(words_for("en").say),
            lambda: self.now,
            self._show,
            language="en",
            now=lambda: STARTED + timedelta(milliseconds=self.now),
        )

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self.shown.append(snapshot)
        self.decided += decisions
        self.stored_when_shown = self.lines("decision")

    def lines(self, kind: str) -> list[str]:
        """What another process reads in the file now."""
        with Journal.open(self.path) as reader:
            query = "SELECT line FROM entries WHERE kind = ? ORDER BY seq"
            return [line for (line,) in reader.rows(query, kind)]

    def types(self, kind: str) -> list[str]:
        return [json.loads(line)["type"] for line in self.lines(kind)]

    def take(self, *facts: Fact) -> None:
        for fact in facts:
            self.service.emit(fact)
        self.service.work()

    def wait(self, ms: int) -> None:
        """Let time pass, and the service work whenever it asks to."""
        until = self.now + ms
        while self.now < until:
            due = self.service.next_due
            self.now = until if due is None else min(max(due, self.now + 1), until)
            self.service.work()

    def throw(self, faces: str) -> None:
        dice = tuple(enumerate(faces, 1))
        self.take(*(Die(self.now, die, "rolling") for die, _ in dice))
        self.take(*(Die(self.now, die, "settled", face, tumbled=True) for die, face in dice))

    def begin(self) -> None:
        """A game that light has begun: light is to throw."""
        self.service.new_game(Game(self.now, "finkel", "Ann", "Bob"))
        self.take(Occupancy(self.now, 0))
        self.wait(STILL_MS)
        self.throw("ggg-")
        self.throw("----")
        assert self.service.snapshot.phase is Phase.THROW


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A service before its first game."""
    path = tmp_path / "games.db"
    with Journal.open(path) as journal:
        yield Desk(path, journal)


@pytest.fixture
def playing(desk: Desk) -> Desk:
    """A service with a game in which light is to throw."""
    desk.begin()
    return desk


def test_what_is_decided_is_on_the_disk_before_it_is_shown(playing: Desk) -> None:
    playing.throw("g---")

    assert json.loads(playing.stored_when_shown[-1])["type"] == "roll"
    assert playing.stored_when_shown == [decision_line(one) for one in playing.decided]


def test_a_fact_is_stored_before_what_it_decides(playing: Desk) -> None:
    playing.throw("g---")

    kinds = playing.journal.rows("SELECT kind, type FROM entries ORDER BY seq DESC LIMIT 2")
    assert kinds == [("decision", "roll"), ("fact", "die")]


def test_facts_that_decide_nothing_are_stored_a_little_later_together(playing: Desk) -> None:
    stored = len(playing.lines("fact"))
    playing.take(*(Button(playing.now, Side.LIGHT, "short") for _ in range(3)))
    playing.wait(EDGES_KEPT_MS - 1)
    assert len(playing.lines("fact")) == stored

    playing.wait(1)

    assert playing.types("fact")[stored:] == ["button"] * 3


def test_closing_stores_what_is_left(playing: Desk) -> None:
    playing.take(Button(playing.now, Side.DARK, "long"))

    playing.service.close()

    assert playing.types("fact")[-1] == "button"


def test_a_fact_from_the_past_counts_as_now(playing: Desk) -> None:
    now = playing.now
    playing.take(Button(now, Side.LIGHT, "short"), Button(now - 500, Side.DARK, "short"))
    playing.service.close()

    assert [json.loads(line)["t"] for line in playing.lines("fact")[-2:]] == [now, now]


def test_time_in_which_nothing_was_decided_is_not_stored(playing: Desk) -> None:
    playing.take(Edge(playing.now, A4, on=True), Edge(playing.now, A4, on=False))
    stored = len(playing.types("fact"))

    playing.wait(STILL_MS)

    assert playing.types("fact")[stored:] == ["square", "square"]


def test_time_that_decides_is_stored_with_what_it_decided(playing: Desk) -> None:
    playing.take(Die(playing.now, 1, "rolling"), Die(playing.now, 1, "cocked"))

    playing.wait(2 * STILL_MS)

    assert playing.types("fact")[-1] == "time"
    assert playing.types("decision")[-1] == "roll-refused"


def test_dice_that_roll_are_shown_though_nothing_is_decided(playing: Desk) -> None:
    decided = len(playing.decided)

    playing.take(Die(playing.now, 2, "rolling"))

    assert playing.shown[-1].rolling == (2,)
    assert len(playing.decided) == decided


def test_what_changes_nothing_to_be_seen_is_not_shown(playing: Desk) -> None:
    shown = len(playing.shown)

    playing.take(Button(playing.now, Side.LIGHT, "short"), Time(playing.now))

    assert len(playing.shown) == shown


def test_the_end_of_a_game_is_noted_and_no_fact_counts_after_it(playing: Desk) -> None:
    playing.take(Resign(playing.now, Side.DARK), Die(playing.now, 1, "rolling"))
    playing.service.close()

    game = find_game(playing.journal, 1)
    assert game.result == "light"
    assert game.finished == (STARTED + timedelta(milliseconds=playing.now)).replace(microsecond=0)
    assert playing.types("fact")[-1] == "resign"


def test_the_next_game_has_a_number_and_a_board_of_its_own(playing: Desk) -> None:
    playing.take(Resign(playing.now, Side.DARK))

    assert playing.service.new_game(Game(playing.now, "murray")) == 2

    playing.take(Occupancy(playing.now, 0))
    position = playing.service.snapshot.position
    assert position is not None
    assert position.rules.id == "murray"


@pytest.mark.parametrize(
    "game",
    [
        Game(0, "chess"),
        Game(0, "finkel", options=(("pieces", "6"),)),
        Game(0, "finkel", position="finkel - L1D1 L0D0 L"),
    ],
    ids=["rules", "option", "position"],
)
def test_a_game_that_cannot_be_leaves_the_running_one_as_it_is(playing: Desk, game: Game) -> None:
    before = playing.service.snapshot

    with pytest.raises(UrpiError):
        playing.service.new_game(game)

    assert (playing.service.game, playing.service.snapshot) == (1, before)
    playing.throw("g---")
    assert playing.types("decision")[-1] == "roll"


def test_before_the_first_game_facts_pass_unheeded(desk: Desk) -> None:
    desk.take(Edge(0, A4, on=True), Die(0, 1, "rolling"))

    assert desk.service.game is None
    assert desk.shown == []
    assert desk.service.next_due is None


def test_nothing_is_shown_that_can_never_be_stored(playing: Desk) -> None:
    shown = list(playing.shown)
    playing.journal.finish(1, STARTED.isoformat())

    with pytest.raises(UrpiError, match=r"The journal .*games\.db cannot be used: .*\.$"):
        playing.take(Resign(playing.now, Side.DARK))

    assert playing.shown == shown
    assert playing.service.snapshot.outcome is None
    assert "won" not in playing.types("decision")


def test_all_squares_are_read_anew_now_and_then_for_an_edge_that_was_lost(playing: Desk) -> None:
    standing = [0]
    playing.service.read_board(lambda: Occupancy(playing.now, standing[0]), every_ms=1000)
    playing.wait(3000)
    assert playing.types("fact").count("occupancy") == 1

    playing.throw("ggg-")
    standing[0] = squares_of([parse_square("A2")])
    playing.wait(2000)

    assert playing.types("fact").count("occupancy") == 2
    assert playing.types("decision")[-1] == "move"


def test_facts_may_come_from_another_thread_while_the_service_waits(playing: Desk) -> None:
    decided = len(playing.decided)
    fact = Resign(playing.now, Side.LIGHT)
    other = threading.Thread(target=playing.service.emit, args=(fact,))
    other.start()
    playing.service.work(wait_s=DEADLINE_S)
    other.join(DEADLINE_S)

    assert len(playing.decided) == decided + 1
