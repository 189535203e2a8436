"""The service alone, with a clock that is set by hand."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.desk import STARTED, STILL_MS, Desk
from tests.journal.disks import no_room
from urpi.errors import UrpiError
from urpi.journal import Journal, find_game
from urpi.referee import Timing
from urpi.referee.facts import Answer, Button, Die, Edge, Game, Occupancy, Resign, Time
from urpi.referee.lines import decision_line
from urpi.rules import Side, parse_square, squares_of
from urpi.service.notices import NEWS_MS, Notice
from urpi.service.service import EDGES_KEPT_MS

A3, A4 = map(parse_square, ("A3", "A4"))
DEADLINE_S = 240.0


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A service before its first game."""
    opened = Desk.at(tmp_path / "games.sqlite")
    yield opened
    opened.service.close()


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

    with Journal.open(playing.path) as journal:
        kinds = journal.rows("SELECT kind, type FROM entries ORDER BY seq DESC LIMIT 2")
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


def test_a_button_in_the_millisecond_of_a_silent_look_is_stored_behind_the_look(
    playing: Desk,
) -> None:
    # A piece too many, and another throw: which move it is, is asked until the board is empty.
    playing.throw("gg--")
    playing.take(*(Edge(playing.now, square, on=True) for square in (A3, A4)))
    playing.wait(STILL_MS)
    playing.throw("----")
    assert playing.service.snapshot.question is not None
    playing.take(*(Edge(playing.now, square, on=False) for square in (A3, A4)))
    playing.wait(Timing().still_ms)
    assert playing.service.snapshot.question is None

    playing.take(Button(playing.now, Side.LIGHT, "long"))
    playing.service.close()

    again = Desk.at(playing.path)
    again.service.resume()
    assert again.service.snapshot == playing.service.snapshot
    again.service.close()


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

    with Journal.open(playing.path) as journal:
        game = find_game(journal, 1)
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
    with Journal.open(playing.path) as other:
        other.finish(1, STARTED.isoformat())

    with pytest.raises(UrpiError, match=r"The journal .*games\.sqlite cannot be used: .*\.$"):
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
    assert playing.types("decision")[-1] in {"seems", "move"}


def test_facts_may_come_from_another_thread_while_the_service_waits(playing: Desk) -> None:
    decided = len(playing.decided)
    fact = Resign(playing.now, Side.LIGHT)
    other = threading.Thread(target=playing.service.emit, args=(fact,))
    other.start()
    playing.service.work(wait_s=DEADLINE_S)
    other.join(DEADLINE_S)

    assert len(playing.decided) == decided + 1


def fill_up(desk: Desk) -> None:
    """Let people enter what fits nothing until the file would have to grow."""
    while desk.service.notice is None:
        nonsense = f"{(len(desk.decided) + 7) ** 300 % 10**180}"
        desk.take(Answer(desk.t, faces=nonsense))


def test_a_disk_without_room_is_told_and_play_goes_on(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
        shown = len(playing.shown)
        playing.throw("g---")

    assert playing.service.notice is not None
    assert playing.service.notice.code in {"disk-full", "disk-failing"}
    assert playing.service.notice.since == "19:02"
    assert [decision_line(one) for one in playing.decided][-1].find('"roll"') > 0
    assert len(playing.shown) > shown


def test_that_nothing_is_stored_stays_on_the_display_in_one_line(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
        playing.wait(NEWS_MS)
        assert playing.service.notice == Notice("not-stored", "19:02", brief=True)


def test_all_that_was_shown_is_stored_when_there_is_room_and_the_notice_goes(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
        playing.throw("g---")
        playing.wait(NEWS_MS)
    playing.wait(20_000)

    assert playing.lines("decision") == [decision_line(one) for one in playing.decided]
    assert playing.service.notice is None


def test_that_all_is_stored_again_is_told(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
    told = set()
    for _ in range(40):
        playing.wait(500)
        told.add(playing.service.notice and playing.service.notice.code)
    assert "stored-again" in told
    assert None in told
