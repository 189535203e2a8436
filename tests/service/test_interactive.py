"""The interactive table through every layer in real time: hands, power, new games."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tests.slow import mostly_slow
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import Journal, build_record, entries_of, find_game, list_games
from urpi.referee import Phase
from urpi.referee.decisions import Decision, Moved
from urpi.referee.facts import Abandon, Answer, Resign
from urpi.referee.orders import ChangeLanguage, ChangeSound, Explore, NewGame
from urpi.rules import Side, given_position, parse_rules, parse_square
from urpi.rules.lesson import FIRST_GAME
from urpi.service.interactive import CONNECT_S, FRAME_S, InteractiveService, InteractiveSetting
from urpi.service.lockstep import MAX_LAG_S
from urpi.service.table_state import Device
from urpi.service.virtual_backends import DiceKind
from urpi.show.stats_report.reading import figures_in
from urpi.simulation.document import Document
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.piece_layout import ImpossibleError, Place, parse_place
from urpi.simulation.table_orders import BeginLesson, SwitchPower, act

DEADLINE_S = 240.0
SPEED = 8.0
LIGHT = parse_place("hand:light")
T = TypeVar("T")


class At:
    """A table service that runs while the test waits for a condition."""

    def __init__(self, service: InteractiveService) -> None:
        self.service = service
        self.decided: list[Decision] = []
        self.documents: list[tuple[float, Document]] = []
        service.subscribe(lambda _, decisions: self.decided.extend(decisions), self._see)

    def _see(self, document: Document) -> None:
        self.documents.append((time.monotonic(), document))

    @property
    def seen(self):
        return self.service.board.service.snapshot

    def until(self, reached: Callable[[], object]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not reached():
            assert time.monotonic() < deadline, self.seen
            self.service.run()

    def result(self, future: Future[T]) -> T:
        self.until(future.done)
        return future.result()

    def do(self, *orders) -> None:
        for order in orders:
            self.result(self.service.order(order))

    def throw(self) -> None:
        self.do(act(Table.throw))
        self.until(lambda: self.seen.phase is Phase.MOVE)

    def where(self, name: str) -> str:
        document = self.documents[-1][1]
        return next(piece["at"] for piece in document["pieces"] if piece["id"] == name)

    def moves(self) -> list[str]:
        return [one.move for one in self.decided if isinstance(one, Moved)]


@contextmanager
def opened(
    folder: Path,
    *,
    resume: bool = False,
    plays: frozenset = frozenset(),
    dice: DiceKind = "hub",
) -> Iterator[At]:
    """Open a short game that light begins, with a journal in a folder."""
    setting = InteractiveSetting(
        parse_rules("bell[pieces=3]"), 2, SPEED, Side.LIGHT, plays=plays, resume=resume, dice=dice
    )
    with InteractiveService(setting, Config(), folder / "games.db") as service:
        at = At(service)
        at.until(lambda: at.seen.phase is not Phase.NO_GAME)
        yield at


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    with opened(tmp_path) as table:
        yield table


def enter(at: At) -> str:
    """Make light's first move by hand; return its target square."""
    at.throw()
    target = at.seen.legal[0].removeprefix("+")
    at.do(act(Table.lift_named, "me", "L1"), act(Table.put, "me", parse_place(target)))
    at.until(at.moves)
    return target


def test_a_move_by_hand_is_detected_refereed_and_stored(at: At, tmp_path: Path) -> None:
    target = enter(at)

    assert at.moves() == [f"+{target}"]
    with Journal.open(tmp_path / "games.db") as journal:
        lines = [entry.line for entry in entries_of(journal, 1)]
    edges = [line for line in lines if '"square"' in line and f'"{target}"' in line]
    assert edges


def test_a_move_by_hand_changes_the_oled(at: At) -> None:
    before = at.service.picture().tobytes()
    enter(at)
    assert at.service.board.devices.screen is not None
    at.service.board.devices.screen.flush()

    assert at.service.picture().tobytes() != before


def test_time_is_not_faster_than_real_while_a_hand_from_outside_holds_a_piece(at: At) -> None:
    at.throw()
    at.do(act(Table.lift_named, "me", "L1"), act(Table.hold_over, "me", parse_square("B4")))
    began, began_s = at.service.now(), time.monotonic()
    at.until(lambda: time.monotonic() > began_s + 0.3)
    # The time of a delay before may still be made up for.
    assert at.service.now() - began <= 1000 * (time.monotonic() - began_s + MAX_LAG_S) + 1

    at.do(act(Table.put, "me", LIGHT))
    began, began_s = at.service.now(), time.monotonic()
    at.until(lambda: at.service.now() - began > 1000 * (time.monotonic() - began_s) + 300)


def test_an_impossible_order_is_refused(at: At) -> None:
    with pytest.raises(ImpossibleError, match="there lies none"):
        at.do(act(Table.lift, "me", parse_place("B4")))


def test_the_document_is_published_after_changes_at_a_limited_rate(at: At) -> None:
    at.until(lambda: time.monotonic() > at.documents[-1][0] + 1)
    before, started = len(at.documents), time.monotonic()
    at.do(act(Table.throw))
    at.until(lambda: at.seen.phase is Phase.MOVE)
    published = len(at.documents) - before

    assert 0 < published <= 1 + (time.monotonic() - started) / FRAME_S


def test_the_game_is_resumed_in_the_same_turn_after_a_power_cut(at: At) -> None:
    target = enter(at)
    at.throw()
    before = at.seen
    at.do(SwitchPower(False))
    assert not at.service.has_power
    assert not any(at.service.picture().tobytes())
    at.do(SwitchPower(True))
    at.until(lambda: at.seen.phase is Phase.MOVE)

    assert (at.seen.position, at.seen.throw) == (before.position, before.throw)
    assert at.where("L1") == target


@pytest.mark.parametrize("brand", mostly_slow(["pixels", "godice"], 1))
def test_bluetooth_dice_are_connected_again_after_a_power_cut(
    brand: DiceKind, tmp_path: Path
) -> None:
    with opened(tmp_path, dice=brand) as at:
        enter(at)
        at.do(SwitchPower(False), SwitchPower(True))
        at.until(
            lambda: len(at.service.board.devices.dice.health.dice) == at.service.table.dice.count
        )
        at.throw()
        assert at.seen.throw is not None


def test_pieces_moved_without_power_must_be_put_back(at: At) -> None:
    target = enter(at)
    at.do(SwitchPower(False))
    at.do(act(Table.lift, "me", parse_place(target)), act(Table.put, "me", parse_place("B6")))
    at.do(SwitchPower(True))
    at.until(lambda: at.seen.fill == 1 << parse_square(target))
    assert at.seen.clear == 1 << parse_square("B6")
    at.do(act(Table.lift, "me", parse_place("B6")), act(Table.put, "me", parse_place(target)))
    at.until(lambda: not at.seen.fill | at.seen.clear)


def test_decisions_are_stored_although_the_program_was_not_closed(at: At, tmp_path: Path) -> None:
    target = enter(at)
    at.do(SwitchPower(False))

    with Journal.open(tmp_path / "games.db") as journal:
        lines = [entry.line for entry in entries_of(journal, 1) if entry.kind == "decision"]
    assert any(f'"+{target}"' in line for line in lines)


def test_without_power_the_display_is_dark_and_requests_are_refused(at: At) -> None:
    board = at.service.board
    assert board.device_states()["oled"] == Device(True)
    at.do(SwitchPower(False))
    assert not board.picture().getbbox()
    states = board.device_states()
    assert list(states) == ["hub", "oled", "contacts", "journal"]
    assert {state.problem for state in states.values()} == {"The power is off."}
    board.submit(Answer(board.clock(), faces="g---"))
    board.show_pin("471100", "192.168.1.20:8011")
    assert board.win_chance().result(timeout=0) is None
    for refused in (
        board.order(ChangeSound("tones")),
        board.request(Resign(board.clock(), Side.LIGHT)),
        board.offer_draw(Side.LIGHT),
    ):
        with pytest.raises(UrpiError, match="power is off"):
            refused.result(timeout=0)
    at.do(SwitchPower(True))
    assert at.service.board is board
    assert board.picture().getbbox()
    at.result(board.order(ChangeLanguage("hu")))
    assert board.preferences.words.language == "hu"


def test_pieces_can_be_moved_without_power(at: At) -> None:
    at.do(
        SwitchPower(False),
        act(Table.lift_named, "me", "L3"),
        act(Table.put, "me", parse_place("C7")),
    )
    at.until(lambda: at.where("L3") == "C7")
    at.do(SwitchPower(True))
    at.until(lambda: at.seen.clear == 1 << parse_square("C7"))


@pytest.mark.slow
def test_an_unplugged_hub_is_unavailable_until_it_is_plugged_in(at: At) -> None:
    at.until(lambda: at.service.board.devices.dice.health.alive)
    at.do(act(Table.plug_hub, plugged=False))
    at.until(lambda: not at.service.board.devices.dice.health.alive)
    at.do(act(Table.plug_hub, plugged=True))
    at.until(lambda: at.service.board.devices.dice.health.alive)
    at.throw()


def test_a_new_game_replaces_the_dice_and_removes_the_pieces(at: At) -> None:
    enter(at)
    at.do(act(Table.seat_players, frozenset(Side)))
    number = at.result(at.service.board.order(NewGame(parse_rules("ravensburger"))))
    at.until(lambda: len(at.documents[-1][1]["pieces"]) == 20)

    assert number == 2
    assert {piece["at"] for piece in at.documents[-1][1]["pieces"]} == {"hand:light", "hand:dark"}
    assert len(at.documents[-1][1]["dice"]) == 1
    at.until(lambda: len(at.moves()) > 2)


def on_the_table(at: At) -> Counter[tuple[str, str, bool]]:
    """Return the side, place and face of every piece, and how many there are."""
    pieces = at.documents[-1][1]["pieces"]
    return Counter((one["id"][0], one["at"], one["turned"]) for one in pieces)


def test_hands_set_up_the_position_that_a_game_begins_from(at: At, tmp_path: Path) -> None:
    enter(at)
    position = given_position("skiryuk A2:LL,B3:DL'D,B7:D' L2D4 L2D0 D")
    number = at.result(at.service.board.order(NewGame(position.rules, position=position)))
    expected = Counter(
        {
            ("L", "A2", False): 2,
            ("L", "B3", True): 1,
            ("D", "B3", False): 2,
            ("D", "B7", True): 1,
            ("L", "hand:light", False): 2,
            ("D", "hand:dark", False): 4,
            ("L", "home:light", False): 2,
        }
    )
    at.until(lambda: at.seen.phase is Phase.THROW and on_the_table(at) == expected)
    assert (at.seen.position, at.seen.side) == (position, Side.DARK)
    at.throw()
    assert at.seen.legal
    with Journal.open(tmp_path / "games.db", create=False) as journal:
        assert number is not None
        record = build_record(entries_of(journal, number), find_game(journal, number).started)
    assert record.tag("Position") == str(position)
    assert not list(figures_in(tmp_path / "games.db", [number], jobs=1))


def test_the_first_game_can_begin_from_a_position(tmp_path: Path) -> None:
    position = given_position("murray A1:L',B7:D L5D6 L1D0 D")
    setting = InteractiveSetting(position.rules, 2, SPEED, position=position)
    with InteractiveService(setting, Config(), tmp_path / "games.db") as service:
        at = At(service)
        at.until(lambda: at.seen.phase is Phase.THROW)
        assert (at.seen.position, at.seen.side) == (position, Side.DARK)
        places = {place for _, place, _ in on_the_table(at)}
        assert places == {"A1", "B7", "hand:light", "hand:dark", "home:light"}


def test_a_lesson_replaces_the_game_and_a_new_game_ends_it(at: At, tmp_path: Path) -> None:
    enter(at)
    at.do(BeginLesson())
    at.until(lambda: at.seen.phase is Phase.THROW)
    assert str(at.seen.position) == FIRST_GAME.position
    places = {"B7", "C3", "home:light", "home:dark"}
    at.until(lambda: places <= {one["at"] for one in at.documents[-1][1]["pieces"]})
    assert at.documents[-1][1]["lesson"] is True
    at.throw()
    assert at.seen.legal == ("+A1",)
    at.result(at.service.board.order(NewGame(parse_rules("finkel"))))
    at.until(lambda: at.seen.phase is Phase.START_THROW)
    at.until(lambda: at.documents[-1][1]["lesson"] is False)
    with Journal.open(tmp_path / "games.db", create=False) as journal:
        results = [one.result for one in list_games(journal)]
        numbers = [one.id for one in list_games(journal)]
    assert results == [None, "abandoned", "abandoned"]
    counted = [one.game for one in figures_in(tmp_path / "games.db", numbers, jobs=1)]
    assert counted == [numbers[0], numbers[2]], "a lesson is in no statistics"


def test_a_lesson_is_not_continued_after_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        at.do(BeginLesson())
        at.until(lambda: at.seen.phase is Phase.THROW)
    with opened(tmp_path, resume=True) as at:
        at.until(lambda: at.seen.phase in {Phase.THROW, Phase.START_THROW})
        assert str(at.seen.position) != FIRST_GAME.position
        assert at.documents[-1][1]["lesson"] is False


def test_a_lesson_is_continued_after_a_power_cut(at: At) -> None:
    at.do(BeginLesson())
    at.until(lambda: at.seen.phase is Phase.THROW)
    at.do(SwitchPower(False), SwitchPower(True))
    at.until(lambda: at.seen.phase is Phase.THROW)
    at.throw()
    assert at.seen.legal == ("+A1",)


def test_without_power_there_is_no_lesson(at: At) -> None:
    at.do(SwitchPower(False))
    with pytest.raises(UrpiError, match="power is off"):
        at.do(BeginLesson())


def test_a_resumed_game_has_its_pieces_on_their_squares(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        target = enter(at)
        position = at.seen.position
    with opened(tmp_path, resume=True) as again:
        assert again.seen.position == position
        pile = again.service.table.layout.at(Place(parse_square(target)))
        assert [piece.side for piece in pile] == [Side.LIGHT]
        again.until(lambda: again.seen.phase is Phase.THROW)
        assert not again.seen.fill | again.seen.clear


@pytest.mark.parametrize(
    "restarted", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["power cut", "restart"]
)
def test_a_position_explored_without_a_game_is_continued(tmp_path: Path, restarted: bool) -> None:
    position = given_position("bell[pieces=3] A1:L,B2:D L2D2 L0D0 L")

    with opened(tmp_path) as at:
        at.do(act(Table.seat_players, frozenset()))
        at.result(at.service.board.request(Abandon(0, Side.LIGHT)))
        at.result(at.service.board.order(Explore(position)))
        if not restarted:
            at.do(SwitchPower(False), SwitchPower(True))
            assert at.service.board.service.exploring == "line"
    with opened(tmp_path, resume=True) as at:
        assert (at.seen.explore, at.seen.position) == ("line", position)
        assert at.service.board.service.game is None
        at.until(lambda: at.seen.phase is Phase.THROW)
        assert {"A1", "B2"} <= {piece["at"] for piece in at.documents[-1][1]["pieces"]}
    with opened(tmp_path) as at:
        at.until(lambda: at.seen.explore is None and at.service.board.service.game == 2)


def test_a_simulated_player_replies_to_a_move_by_hand(tmp_path: Path) -> None:
    with opened(tmp_path, plays=frozenset({Side.DARK})) as at:
        enter(at)
        at.until(lambda: len(at.moves()) > 1)


class SteppedTable:
    """A table with a wall clock set by the test, which is run without waiting."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 1000.0
        setting = InteractiveSetting(parse_rules("finkel"), 2, 1.0, Side.LIGHT)
        self.service = InteractiveService(
            setting, Config(), folder / "games.db", wall_s=lambda: self.now_s
        )
        self.waits: list[float] = []

    def run(self, now_s: float) -> None:
        """Run at a time, and note how long the service would wait for a fact."""
        self.now_s = now_s
        work = self.service.board.service.work

        def without_waiting(wait_s: float = 0.0) -> None:
            self.waits.append(wait_s)
            work()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.service.board.service, "work", without_waiting)
            self.service.run()


@pytest.fixture
def stepped(tmp_path: Path) -> Iterator[SteppedTable]:
    """Return a table without a hub."""
    table = SteppedTable(tmp_path)
    with table.service:
        table.service.table.unplug()
        yield table


def test_without_a_hub_the_first_game_begins_after_a_while(stepped: SteppedTable) -> None:
    board = stepped.service.board
    for after_s in (0.0, CONNECT_S - 1, CONNECT_S):
        stepped.run(1000 + after_s)
        assert board.service.snapshot.phase is Phase.NO_GAME
    stepped.run(1000 + CONNECT_S + 0.1)
    assert board.service.snapshot.phase is not Phase.NO_GAME
    assert board.service.game == 1


@pytest.mark.parametrize("after_s", [0.1, CONNECT_S + 0.1])
def test_a_game_that_is_ordered_before_the_first_one_is_kept(
    stepped: SteppedTable, after_s: float
) -> None:
    board = stepped.service.board
    ordered = board.order(NewGame(parse_rules("masters"), "Ann", "Zoë"))
    stepped.run(1000 + after_s)
    stepped.run(1000 + CONNECT_S + 0.2)
    assert board.service.game == ordered.result() == 1
    position = board.service.snapshot.position
    assert position is not None
    assert position.rules.text == "masters"


def test_a_change_is_published_as_soon_as_the_last_document_is_old_enough(
    stepped: SteppedTable,
) -> None:
    documents: list[Document] = []
    stepped.run(2000)
    stepped.service.subscribe(on_document=documents.append)
    stepped.service.order(act(Table.lift, "me", LIGHT))
    for second in range(2001, 2010):
        stepped.run(second)
    documents.clear()

    stepped.service.order(act(Table.hold_over, "me", parse_square("B4")))
    stepped.run(2010)
    assert len(documents) == 1
    stepped.run(2010.01)
    stepped.service.order(act(Table.hold_over, "me", None))
    stepped.run(2010.02)
    assert len(documents) == 1
    stepped.run(2010.03)
    assert stepped.waits[-1] == pytest.approx(FRAME_S - 0.03)
    stepped.run(2010 + FRAME_S + 0.001)
    assert len(documents) == 2


def test_an_order_wakes_the_waiting_program(at: At) -> None:
    at.until(lambda: at.service.board.service.idle)
    at.service.order(act(Table.throw))
    assert not at.service.board.service.idle


def test_orders_are_cancelled_when_the_service_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        late = at.service.order(act(Table.throw))
    assert late.cancelled()


def test_a_journal_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    with pytest.raises(UrpiError, match=r"games\.db"), opened(tmp_path):
        pass
