"""The service without devices, with a clock set by the test."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.journal.disks import no_room
from tests.service_desk import STARTED, STILL_MS, Desk
from urpi.core.errors import UrpiError
from urpi.journal import Journal, Keeper, find_game, settings_of
from urpi.referee import Timing
from urpi.referee.facts import Answer, Button, Die, Edge, Game, Occupancy, Resign, Time
from urpi.referee.lines import decision_line
from urpi.rules import Side, parse_position, parse_square, squares_of
from urpi.service.inbox import STORE_DELAY_MS
from urpi.service.notices import TRANSIENT_MS, Notice

A3, A4 = map(parse_square, ("A3", "A4"))
DEADLINE_S = 240.0


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Return a service before its first game."""
    opened = Desk.at(tmp_path / "games.sqlite")
    yield opened
    opened.service.close()


@pytest.fixture
def playing(desk: Desk) -> Desk:
    """Return a service with a game in which light must throw."""
    desk.begin()
    return desk


def test_a_decision_is_on_the_disk_before_it_is_shown(playing: Desk) -> None:
    playing.throw("g---")

    assert json.loads(playing.stored_when_shown[-1])["type"] == "roll"
    assert playing.stored_when_shown == [decision_line(one) for one in playing.decided]


def test_a_fact_is_stored_before_its_decision(playing: Desk) -> None:
    playing.throw("g---")

    with Journal.open(playing.path) as journal:
        kinds = journal.rows("SELECT kind, type FROM entries ORDER BY seq DESC LIMIT 2")
    assert kinds == [("decision", "roll"), ("fact", "die")]


def test_facts_without_a_decision_are_stored_together_after_a_delay(playing: Desk) -> None:
    stored = len(playing.lines("fact"))
    playing.submit(*(Button(playing.now, Side.LIGHT, "short") for _ in range(3)))
    playing.wait(STORE_DELAY_MS - 1)
    assert len(playing.lines("fact")) == stored

    playing.wait(1)

    assert playing.types("fact")[stored:] == ["button"] * 3


def test_closing_stores_the_remaining_facts(playing: Desk) -> None:
    playing.submit(Button(playing.now, Side.DARK, "long"))

    playing.service.close()

    assert playing.types("fact")[-1] == "button"


def test_a_fact_with_an_earlier_time_gets_the_current_time(playing: Desk) -> None:
    now = playing.now
    playing.submit(Button(now, Side.LIGHT, "short"), Button(now - 500, Side.DARK, "short"))
    playing.service.close()

    assert [json.loads(line)["t"] for line in playing.lines("fact")[-2:]] == [now, now]


def test_time_without_a_decision_is_not_stored(playing: Desk) -> None:
    playing.submit(Edge(playing.now, A4, on=True), Edge(playing.now, A4, on=False))
    stored = len(playing.types("fact"))

    playing.wait(STILL_MS)

    assert playing.types("fact")[stored:] == ["square", "square"]


def test_time_with_a_decision_is_stored(playing: Desk) -> None:
    playing.submit(Die(playing.now, 1, "rolling"), Die(playing.now, 1, "cocked"))

    playing.wait(2 * STILL_MS)

    assert playing.types("fact")[-1] == "time"
    assert playing.types("decision")[-1] == "roll-refused"


def test_time_without_a_decision_is_stored_before_a_fact_of_the_same_millisecond(
    playing: Desk,
) -> None:
    # One piece too many, and another throw: the referee asks for the move until the board is empty.
    playing.throw("gg--")
    playing.submit(*(Edge(playing.now, square, on=True) for square in (A3, A4)))
    playing.wait(STILL_MS)
    playing.throw("----")
    assert playing.service.snapshot.question is not None
    playing.submit(*(Edge(playing.now, square, on=False) for square in (A3, A4)))
    playing.wait(Timing().still_ms)
    assert playing.service.snapshot.question is None

    playing.submit(Button(playing.now, Side.LIGHT, "long"))
    playing.service.close()

    again = Desk.at(playing.path)
    again.service.resume()
    assert again.service.snapshot == playing.service.snapshot
    again.service.close()


def test_rolling_dice_are_shown_without_a_decision(playing: Desk) -> None:
    decided = len(playing.decided)

    playing.submit(Die(playing.now, 2, "rolling"))

    assert playing.shown[-1].rolling == (2,)
    assert len(playing.decided) == decided


def test_a_question_that_is_dropped_without_a_decision_disappears(desk: Desk) -> None:
    position = "ravensburger A8:L,B7:L',B8:L',C8:DD L7D8 L0D0 L"
    desk.service.new_game(Game(desk.t, "ravensburger", position=position))
    desk.submit(Occupancy(desk.t, squares_of(map(parse_square, ("A8", "B7", "B8", "C8")))))
    desk.throw("6")
    desk.throw("6")
    desk.throw("1")
    b7, b8 = map(parse_square, ("B7", "B8"))
    desk.submit(Edge(desk.t, b8, on=False))
    for on in (False, True):
        desk.wait(400)
        desk.submit(Edge(desk.t, b7, on))
    desk.wait(STILL_MS)
    assert desk.shown[-1].choices == ("B8-A8", "B8-B7")

    desk.submit(Edge(desk.t, b8, on=True))
    desk.wait(STILL_MS)

    assert desk.shown[-1].question is None


def test_a_fact_without_a_visible_change_is_not_shown(playing: Desk) -> None:
    shown = len(playing.shown)

    playing.submit(Button(playing.now, Side.LIGHT, "short"), Time(playing.now))

    assert len(playing.shown) == shown


@pytest.mark.parametrize("lights", [True, False])
def test_a_lifted_piece_is_shown_at_once_if_there_are_lights(tmp_path: Path, lights: bool) -> None:
    path = tmp_path / "journal.db"
    desk = Desk(path, Keeper.open(path, STARTED), lights=lights)
    position = parse_position("finkel A3:L L6D7 L0D0 L")
    desk.service.new_game(Game(desk.t, "finkel", position=str(position)))
    desk.submit(Occupancy(desk.t, position.occupancy))
    desk.wait(STILL_MS)
    desk.throw("g---")
    shown = len(desk.shown)
    desk.submit(Edge(desk.t, A3, on=False))
    desk.submit(Edge(desk.t, A4, on=True))
    seen = [(one.missing, one.extra) for one in desk.shown[shown:]]
    assert seen == ([(1 << A3, 0), (1 << A3, 1 << A4)] if lights else [])
    desk.service.close()


@pytest.mark.parametrize("order", [("A3", "B2", "C1"), ("B3", "C1", "A3")])
def test_each_square_that_is_corrected_is_shown_at_once(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    desk = Desk.at(tmp_path / "journal.db")
    position = parse_position("finkel A3:L,A7:L,B2:D,C1:D L5D5 L0D0 L")
    desk.service.new_game(Game(desk.t, "finkel", position=str(position)))
    wrong = squares_of(map(parse_square, ("A3", "B2", "C1", "B3")))
    desk.submit(Occupancy(desk.t, position.occupancy))
    desk.wait(STILL_MS)
    desk.submit(Occupancy(desk.t, position.occupancy ^ wrong))
    desk.wait(Timing().warning_ms + STILL_MS)
    for square in map(parse_square, order):
        wrong &= ~(1 << square)
        desk.wait(1)
        desk.submit(Edge(desk.t, square, on=bool(position.occupancy >> square & 1)))
        shown = desk.shown[-1]
        assert shown.fill | shown.clear == wrong


def test_the_end_of_a_game_is_stored_and_later_facts_are_ignored(playing: Desk) -> None:
    playing.submit(Resign(playing.now, Side.DARK), Die(playing.now, 1, "rolling"))
    playing.service.close()

    with Journal.open(playing.path) as journal:
        game = find_game(journal, 1)
    assert game.result == "light"
    assert game.finished == (STARTED + timedelta(milliseconds=playing.now)).replace(microsecond=0)
    assert playing.types("fact")[-1] == "resign"


def test_the_next_game_has_its_own_number_and_position(playing: Desk) -> None:
    playing.submit(Resign(playing.now, Side.DARK))

    assert playing.service.new_game(Game(playing.now, "murray")) == 2

    playing.submit(Occupancy(playing.now, 0))
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
def test_an_invalid_game_does_not_end_the_current_one(playing: Desk, game: Game) -> None:
    before = playing.service.snapshot

    with pytest.raises(UrpiError):
        playing.service.new_game(game)

    assert (playing.service.game, playing.service.snapshot) == (1, before)
    playing.throw("g---")
    assert playing.types("decision")[-1] == "roll"


def test_facts_before_the_first_game_are_ignored(desk: Desk) -> None:
    desk.submit(Edge(0, A4, on=True), Die(0, 1, "rolling"))

    assert desk.service.game is None
    assert desk.shown == []
    assert desk.service.next_due is None


def test_a_decision_that_can_never_be_stored_is_not_shown(playing: Desk) -> None:
    shown = list(playing.shown)
    with Journal.open(playing.path) as other:
        other.finish(1, STARTED.isoformat())

    with pytest.raises(UrpiError, match=r"The journal .*games\.sqlite cannot be used: .*\.$"):
        playing.submit(Resign(playing.now, Side.DARK))

    assert playing.shown == shown
    assert playing.service.snapshot.outcome is None
    assert "won" not in playing.types("decision")


def test_the_squares_are_read_periodically_to_find_lost_edges(playing: Desk) -> None:
    occupied = [0]
    playing.service.read_board(lambda: Occupancy(playing.now, occupied[0]), every_ms=1000)
    playing.wait(3000)
    assert playing.types("fact").count("occupancy") == 1

    playing.throw("ggg-")
    occupied[0] = squares_of([parse_square("A2")])
    playing.wait(2000)

    assert playing.types("fact").count("occupancy") == 2
    assert playing.types("decision")[-1] in {"seems", "move"}


def test_the_squares_are_read_once_in_each_period(playing: Desk) -> None:
    readings: list[int] = []
    begun = playing.t
    playing.service.read_board(lambda: readings.append(playing.t), every_ms=1000)

    for _ in range(35):
        playing.now += 100
        playing.service.work()

    assert readings == [begun + 1000, begun + 2000, begun + 3000]


def test_facts_may_be_submitted_by_another_thread_while_the_service_waits(playing: Desk) -> None:
    decided = len(playing.decided)
    fact = Resign(playing.now, Side.LIGHT)
    other = threading.Thread(target=playing.service.submit, args=(fact,))
    other.start()
    playing.service.work(wait_s=DEADLINE_S)
    other.join(DEADLINE_S)

    assert len(playing.decided) == decided + 1


def fill_up(desk: Desk) -> None:
    """Submit invalid answers until the file would have to grow."""
    while desk.service.notices.current is None:
        faces = f"{(len(desk.decided) + 7) ** 300 % 10**180}"
        desk.submit(Answer(desk.t, faces=faces))


def test_a_full_disk_is_shown_and_the_game_continues(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
        shown = len(playing.shown)
        playing.throw("g---")

    assert playing.service.notices.current is not None
    assert playing.service.notices.current.code in {"disk-full", "disk-failing"}
    assert playing.service.notices.current.since == "19:02"
    assert [decision_line(one) for one in playing.decided][-1].find('"roll"') > 0
    assert len(playing.shown) > shown


def test_the_notice_of_a_full_disk_remains_in_one_line(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
        playing.wait(TRANSIENT_MS)
        assert playing.service.notices.current == Notice("not-stored", "19:02", brief=True)


def test_all_decisions_are_stored_when_there_is_room_again(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
        playing.throw("g---")
        playing.wait(TRANSIENT_MS)
    playing.wait(20_000)

    assert playing.lines("decision") == [decision_line(one) for one in playing.decided]
    assert playing.service.notices.current is None


def test_the_end_of_an_outage_is_shown_for_a_while(playing: Desk) -> None:
    with no_room(playing.path):
        fill_up(playing)
    codes = set()
    for _ in range(40):
        playing.wait(500)
        codes.add(playing.service.notices.current and playing.service.notices.current.code)
    assert "stored-again" in codes
    assert None in codes


class Task:
    """A task that is due at one time and records its calls."""

    def __init__(self, name: str, calls: list[tuple[str, int]], next_due: int | None) -> None:
        self._name, self._calls, self.next_due = name, calls, next_due

    def tick(self, t: int) -> None:
        self._calls.append((self._name, t))


def test_every_task_is_called_in_the_order_in_which_it_was_added(desk: Desk) -> None:
    calls: list[tuple[str, int]] = []
    for name in ("menu", "lamp", "chime"):
        desk.service.add_task(Task(name, calls, None))

    desk.now = 70
    desk.service.work()

    assert calls == [("menu", 70), ("lamp", 70), ("chime", 70)]


@pytest.mark.parametrize("dues", [(300, 200), (200, 300), (None, 200), (200, None)])
def test_the_service_is_due_with_the_first_of_its_tasks(
    desk: Desk, dues: tuple[int | None, int | None]
) -> None:
    for due in dues:
        desk.service.add_task(Task("", [], due))

    assert desk.service.next_due == 200


def test_the_occupied_squares_are_unknown_while_they_change(playing: Desk) -> None:
    playing.submit(Edge(playing.now, A4, on=True))
    assert playing.service.current.occupied is None

    playing.now += Timing().still_ms - 1
    assert playing.service.current.occupied is None

    playing.now += 1
    assert playing.service.current.occupied == squares_of([A4])


def test_a_die_out_of_range_is_not_rolling(playing: Desk) -> None:
    playing.submit(Die(playing.t, 1, "rolling"), Die(playing.t, 2, "rolling"))
    assert playing.service.current.rolling == {1, 2}

    playing.submit(Die(playing.t, 2, "lost"))
    assert playing.service.current.rolling == {1}


def test_a_call_is_made_among_the_facts_and_returns_its_result(playing: Desk) -> None:
    playing.service.submit(Die(playing.t, 1, "rolling"))
    rolling = playing.service.call(lambda: playing.service.current.rolling)
    playing.service.submit(Die(playing.t, 2, "rolling"))
    assert not playing.service.idle

    playing.service.work()

    assert playing.service.idle
    assert rolling.result(timeout=0) == {1}


def test_the_error_of_a_call_is_passed_to_its_future_only(playing: Desk) -> None:
    def refuse() -> None:
        raise UrpiError("refused")

    refused = playing.service.call(refuse)
    playing.service.work()

    with pytest.raises(UrpiError, match="refused"):
        refused.result(timeout=0)


def test_a_bug_in_a_call_ends_the_program_and_releases_the_waiting_thread(playing: Desk) -> None:
    failed = playing.service.call(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        playing.service.work()
    with pytest.raises(ZeroDivisionError):
        failed.result(timeout=0)


def test_calls_are_cancelled_when_the_service_is_closed_and_afterwards(playing: Desk) -> None:
    before = playing.service.call(lambda: None)
    playing.service.close()
    after = playing.service.call(lambda: None)

    assert before.cancelled()
    assert after.cancelled()


def test_an_aborted_service_stores_nothing_more(playing: Desk) -> None:
    stored = playing.lines("fact")
    playing.submit(Button(playing.now, Side.LIGHT, "short"))
    waiting = playing.service.call(lambda: None)

    playing.service.abort()
    playing.service.close()

    assert playing.lines("fact") == stored
    assert waiting.cancelled()


def test_the_settings_of_a_game_are_stored_with_it(playing: Desk) -> None:
    with Journal.open(playing.path) as journal:
        settings = settings_of(journal, 1)

    assert settings is not None
    assert (settings["language"], settings["table"]) == ("en", "board")
    assert settings["still_ms"] == str(Timing().still_ms)


def test_an_abandoned_game_has_no_winner(playing: Desk) -> None:
    playing.service.abandon()
    playing.service.close()

    with Journal.open(playing.path) as journal:
        assert find_game(journal, 1).result == "abandoned"


def test_the_service_is_due_with_the_next_reading_and_storing(playing: Desk) -> None:
    playing.wait(STILL_MS)
    t = playing.t
    playing.service.read_board(lambda: None, every_ms=90_000)
    assert playing.service.next_due == t + 90_000

    playing.submit(Button(t, Side.LIGHT, "short"))
    assert playing.service.next_due == t + STORE_DELAY_MS


def test_a_finished_game_is_not_read_any_more(playing: Desk) -> None:
    readings: list[int] = []
    playing.service.read_board(lambda: readings.append(playing.now), every_ms=1000)
    playing.submit(Resign(playing.now, Side.DARK))
    playing.wait(3000)

    assert readings == []
