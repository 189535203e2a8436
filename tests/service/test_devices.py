"""A board with a source of dice other than the hub, as dice with their own radio would be."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.service.test_board import Board
from urpi.config import Config, DiceSection, OledSection
from urpi.core.errors import UrpiError
from urpi.hardware import DiceHealth, ScreenSaver, screen
from urpi.hardware.outputs.oled import PROBE_S
from urpi.hardware.outputs.output import Output, Shown
from urpi.referee import Phase
from urpi.referee.facts import Die, Fact
from urpi.referee.orders import NewGame, PublishName
from urpi.rules import Side, rule_set
from urpi.service import devices
from urpi.service.devices import log_failure
from urpi.service.fact_loop import Clock
from urpi.service.notices import MISSING_MS, Notice
from urpi.show.menu import DieStatus
from urpi.show.scene import Scene


@dataclass(frozen=True)
class Health:
    """The health of radio dice."""

    available: bool = True
    error: str = ""
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    twins: tuple[int, ...] = ()

    @property
    def unavailable(self) -> tuple[str, ...]:
        return () if self.available else ("hub",)


class RadioDice:
    """A `DiceSource` controlled by the test, which has nothing of the serial hub."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.closed = clock, False
        self.health: DiceHealth = Health(available=False)

    def start(
        self, on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        self.on_fact, self.on_health = on_fact, on_health

    def statuses(self) -> tuple[DieStatus, ...]:
        return (DieStatus(3, True, "g", 2900, low=True, error="accel"),)

    def close(self) -> None:
        self.closed = True

    def report(self, health: Health) -> None:
        self.health = health
        self.on_health(health)

    def throw(self, faces: str) -> None:
        for die in range(1, len(faces) + 1):
            self.on_fact(Die(self.clock(), die, "rolling"))
        for die, face in enumerate(faces, 1):
            self.on_fact(Die(self.clock(), die, "settled", face, tumbled=True))


@pytest.fixture
def sources() -> list[RadioDice]:
    """The sources that the board has made."""
    return []


@pytest.fixture
def board(tmp_path: Path, sources: list[RadioDice]) -> Iterator[Board]:
    """A game that light begins, with radio dice."""

    def make_dice(clock: Clock) -> RadioDice:
        sources.append(RadioDice(clock))
        return sources[-1]

    made = Board(tmp_path / "games.db", make_dice=make_dice)
    with made.board:
        made.pins.refresh()
        made.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        made.wait(500)
        yield made


def test_a_throw_of_another_source_of_dice_is_refereed(
    board: Board, sources: list[RadioDice]
) -> None:
    (dice,) = sources
    dice.report(Health())
    dice.throw("gs--")
    board.wait(500)

    snapshot = board.board.service.snapshot
    assert snapshot.phase is Phase.MOVE
    assert snapshot.throw is not None
    assert snapshot.throw.faces == "gs--"


def test_a_source_is_missing_until_it_is_available(board: Board, sources: list[RadioDice]) -> None:
    (dice,) = sources
    assert board.board.service.notices.unavailable == ("hub-missing",)
    assert not board.board.devices.dice.health.available
    board.wait(MISSING_MS)
    assert board.board.service.notices.current == Notice("hub-missing", brief=True)

    dice.report(Health())
    board.wait(50)
    assert board.board.service.notices.unavailable == ()
    assert board.board.devices.dice.health.available
    assert board.board.service.notices.current is None

    dice.report(Health(available=False, low=(1,)))
    board.wait(50)
    assert board.board.service.notices.unavailable == ("hub-missing",)
    assert board.board.service.notices.current is None


class Lamp(Output):
    """An output that records what it shows, and fails if `broken` is set."""

    name = title = "lamp"

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self.opened, self.woken, self.broken = 0, 0, False

    def is_used(self, *_: Any) -> bool:
        return True

    def open(self, *_: Any) -> Shown:
        self.opened += 1
        return self

    def show(self, scene: Scene) -> None:
        if self.broken:
            raise OSError(5, "Input/output error")
        self.scenes.append(scene)

    def wake(self) -> None:
        self.woken += 1

    def close(self) -> None:
        pass


def test_an_output_that_is_opened_again_shows_the_same_scene_also_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lamp = Lamp()
    monkeypatch.setattr(devices, "OUTPUTS", (lamp,))
    made = Board(tmp_path / "games.db")
    with made.board as board:
        board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        made.wait(50)
        assert lamp.scenes[-1].snapshot == board.service.snapshot
        for opened, broken in ((2, False), (3, True), (4, False)):
            lamp.broken, count = broken, len(lamp.scenes)
            board.service.call(board.devices.reopen_outputs)
            board.service.work()
            assert lamp.opened == opened
            assert (len(lamp.scenes) == count) is broken
            assert lamp.scenes[-1].snapshot == board.service.snapshot
            assert lamp.scenes[-1].decisions == ()
    assert "The output 'lamp' has failed: [Errno 5] Input/output error" in caplog.messages


def test_an_order_and_a_request_for_the_pin_wake_the_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lamp = Lamp()
    monkeypatch.setattr(devices, "OUTPUTS", (lamp,))
    with Board(tmp_path / "games.db").board as board:
        assert lamp.woken == 0
        board.order(PublishName("Ann", True))
        assert lamp.woken == 1
        board.show_pin("1234", "http://192.168.0.7:8011")
        assert lamp.woken == 2


def test_the_oled_has_the_configured_screen_saver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    savers = []

    class RecordingScreen(screen.Screen):
        def __init__(self, *args: Any, saver: ScreenSaver, **others: Any) -> None:
            savers.append(saver)
            super().__init__(*args, saver=saver, **others)

    monkeypatch.setattr(screen, "Screen", RecordingScreen)
    with Board(tmp_path / "games.db", oled=OledSection(dim_s=90, blank_s=300)).board:
        assert savers == [ScreenSaver(dim_ms=90_000, blank_ms=300_000)]


def test_a_failing_oled_is_logged_and_so_is_that_it_answers_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reports: list[Callable[[UrpiError | None], None]] = []

    class RecordingScreen(screen.Screen):
        def __init__(self, *args: Any, on_fault: Any, probe_s: float, **others: Any) -> None:
            assert probe_s == PROBE_S
            reports.append(on_fault)
            super().__init__(*args, on_fault=on_fault, probe_s=probe_s, **others)

    monkeypatch.setattr(screen, "Screen", RecordingScreen)
    with Board(tmp_path / "games.db").board:
        caplog.clear()
        for fault in (UrpiError("The OLED does not answer."), None):
            reports[0](fault)
    assert [(one.levelno, one.getMessage()) for one in caplog.records[:2]] == [
        (logging.WARNING, "The OLED does not answer."),
        (logging.WARNING, "The OLED answers again."),
    ]


def test_only_the_error_of_an_unused_result_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    for error in (None, UrpiError("It failed."), None):
        done: Future[None] = Future()
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
        log_failure(done)
    cancelled: Future[None] = Future()
    cancelled.cancel()
    log_failure(cancelled)

    assert [(one.levelno, one.getMessage()) for one in caplog.records] == [
        (logging.ERROR, "It failed.")
    ]


def test_a_number_that_two_dice_have_is_announced(board: Board, sources: list[RadioDice]) -> None:
    sources[0].report(Health(twins=(2,)))
    board.wait(50)

    assert board.board.service.notices.current == Notice("same-number", dice=(2,))


def test_dice_that_do_not_suit_the_rules_are_announced_at_the_beginning(tmp_path: Path) -> None:
    d4 = {"address": "C4:00:00:00:00:01", "brand": "pixels", "faces": 4, "owner": "both"}
    dice = DiceSection(source="bluetooth", paired={1: d4})
    board = Board(tmp_path / "games.db", make_dice=RadioDice, config=Config(dice=dice))
    with board.board:
        board.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        board.wait(50)
        assert board.board.service.notices.current is None

        board.board.begin(NewGame(rule_set("ravensburger"), first=Side.LIGHT))
        board.wait(50)
        assert board.board.service.notices.current == Notice("dice-unsuitable", dice=(1,))


def test_low_batteries_are_announced(board: Board, sources: list[RadioDice]) -> None:
    sources[0].report(Health(low=(2,)))
    board.wait(50)

    assert board.board.service.notices.current == Notice("battery-low", dice=(2,))


def test_the_menu_lists_the_dice_of_the_source(board: Board) -> None:
    status = board.board._parts.menu._status()
    assert status.dice == (DieStatus(3, True, "g", 2900, True, "accel"),)


def test_the_source_is_closed_with_the_board(tmp_path: Path) -> None:
    made: list[RadioDice] = []

    def make_dice(clock: Clock) -> RadioDice:
        made.append(RadioDice(clock))
        return made[-1]

    with Board(tmp_path / "games.db", make_dice=make_dice).board:
        assert not made[0].closed
    assert made[0].closed
