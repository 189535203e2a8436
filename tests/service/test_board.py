"""The service at a board with virtual pins and display: notices, faults and restarts."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gpiozero import DigitalInputDevice
from PIL import Image

from tests.journal.disks import no_room
from tests.service_desk import STARTED
from tests.waiting import wait_until
from urpi.config import Config, HubSection
from urpi.config.sections import OledSection, SoundSection
from urpi.hardware import DiceSource, DieFaces, default_pins, pin_factory
from urpi.hardware.oled_bus import OledBus
from urpi.journal import Journal, Keeper, entries_of
from urpi.referee import Phase
from urpi.referee.facts import Answer, Occupancy
from urpi.referee.orders import ChangeSound, NewGame
from urpi.rules import Side, parse_square, rule_set, squares_of
from urpi.service.backends import Backends, make_dice_hub
from urpi.service.board import BoardService
from urpi.service.board_parts import BoardParts
from urpi.service.fact_loop import Clock
from urpi.service.notices import MISSING_MS, TRANSIENT_MS
from urpi.show.views import draw
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.words import words_for
from urpi.simulation import MockPins

WARNED_MS = 4000
DEADLINE_S = 240.0
NO_HUB = "No dice hub"


class Board:
    """A board and its service. `now` is the machine's clock."""

    def __init__(
        self,
        path: Path,
        closed: int = 0,
        *,
        buzzer_pin: int | None = None,
        oled: OledSection | None = None,
        make_dice: Callable[[Clock], DiceSource] | None = None,
        config: Config | None = None,
        **others: Any,
    ) -> None:
        self.now = 0
        factory, pins = pin_factory("mock"), default_pins()
        self.factory = factory
        self.pins = MockPins(factory, pins)
        for square in range(20):
            self.pins.square(square, bool(closed >> square & 1))
        self.bus = OledBus("ssd1306")
        hub = partial(make_dice_hub, HubSection(), str(path.with_name("no-hub")), DieFaces())
        backends = Backends(factory, pins, make_dice or hub, {"oled": self.bus})
        keeper = Keeper.open(path, STARTED)
        sections = Config(sound=SoundSection(buzzer_pin=buzzer_pin), oled=oled or OledSection())
        self.board = BoardService(
            BoardParts(
                config or sections,
                keeper,
                lambda: self.now,
                backends,
                lambda _snapshot, _decisions: None,
                **others,
            )
        )

    def wait(self, ms: int, step: int = 50) -> None:
        """Advance the clock in steps, and call `work` after each."""
        for _ in range(ms // step):
            self.now += step
            self.board.service.work()

    def shows(self, notice: str, lines: int) -> bool:
        """Return whether the OLED shows the game with the notice over it."""
        assert self.board.devices.screen is not None
        assert self.board.devices.screen.flush()
        expected: Image.Image = draw(self.board.service.snapshot, words_for("en"))
        if notice:
            draw_notice(expected, notice, lines)
        return self.bus.picture().tobytes() == expected.tobytes()


@contextmanager
def opened(path: Path, closed: int = 0) -> Iterator[Board]:
    """Open a board that resumes its last game, or begins one with light."""
    made = Board(path, closed)
    resumed = made.board.service.resume()
    with made.board:
        made.pins.refresh()
        if resumed is None:
            made.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        made.wait(500)
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def test_the_oled_shows_for_a_while_that_the_game_was_resumed(path: Path) -> None:
    with opened(path) as first:
        assert first.board.service.snapshot.phase is Phase.THROW
    with opened(path) as again:
        assert again.shows("The game goes on where it stopped.", MAX_NOTICE_LINES)
        again.wait(TRANSIENT_MS)
        assert again.shows(NO_HUB, 1)


def test_the_board_is_read_at_once_and_moved_pieces_must_be_put_back(path: Path) -> None:
    b4 = squares_of([parse_square("B4")])
    with opened(path):
        pass
    with opened(path, closed=b4) as again:
        again.wait(WARNED_MS)
        assert again.board.service.snapshot.clear == b4
    with Journal.open(path) as journal:
        lines = [entry.line for entry in entries_of(journal, 1)]
    # The mock pins are high until they are driven, so B4 is reported by an edge.
    assert sum('"B4","on":true' in line for line in lines) == 1
    assert sum('"occupancy"' in line for line in lines) == 2


def test_the_oled_shows_the_begin_and_the_end_of_a_disk_outage(path: Path) -> None:
    with opened(path) as table:
        with no_room(path):
            count = 0
            while table.board.service.notices.current is None:
                count += 1
                faces = f"{(count + 7) ** 300 % 10**180}"
                table.board.service.submit(Answer(table.now, faces=faces))
                table.wait(50)
            notice = table.board.service.notices.current
            assert table.shows(words_for("en").sentence(notice.code), MAX_NOTICE_LINES)
            table.wait(TRANSIENT_MS)
            assert table.board.service.notices.current is not None
            assert table.shows(f"Not saved since {table.board.service.notices.current.since}", 1)
        table.wait(20_000)
        assert table.shows(NO_HUB, 1)


def test_an_unavailable_hub_is_shown_after_three_seconds(path: Path) -> None:
    with opened(path) as table:
        assert table.shows("", 0)
        table.wait(MISSING_MS)
        assert table.shows(NO_HUB, 1)
        table.board.service.notices.set_available("hub-missing")
        table.wait(50)
        assert table.shows("", 0)


def test_low_batteries_are_shown_once_and_after_other_notices(path: Path) -> None:
    with opened(path) as table:
        low = partial(table.board.service.report_dice, "battery-low")
        low((2,))
        table.wait(50)
        assert table.shows("Charge die 2: its battery is low.", MAX_NOTICE_LINES)
        low((1, 2, 3))
        table.wait(TRANSIENT_MS - 100)
        assert table.shows("Charge die 2: its battery is low.", MAX_NOTICE_LINES)
        table.wait(100)
        assert table.shows("Charge dice 1, 3: low batteries.", MAX_NOTICE_LINES)
        table.wait(TRANSIENT_MS)
        assert table.shows(NO_HUB, 1)


def test_a_charged_die_is_shown_again_when_its_battery_is_low_again(path: Path) -> None:
    with opened(path) as table:
        for low in ((2,), (), (2,)):
            table.board.service.report_dice("battery-low", low)
            table.wait(50)
            assert table.shows(
                "Charge die 2: its battery is low." if low else NO_HUB, 2 if low else 1
            )
            table.wait(TRANSIENT_MS)


def test_the_squares_are_read_at_once_after_a_warning(path: Path) -> None:
    with opened(path) as table:
        readings: list[int] = []
        read = table.board.service._read
        assert read is not None

        def counted() -> Occupancy:
            readings.append(table.now)
            return read()

        table.board.service.read_board(counted, 60_000)
        table.pins.square(9, True)
        table.wait(WARNED_MS)
        assert table.board.service.snapshot.warning is not None
        assert len(readings) == 1


def test_contacts_held_by_another_program_are_opened_when_it_ends(path: Path) -> None:
    made = Board(path)
    other = DigitalInputDevice(default_pins().squares[0], pull_up=True, pin_factory=made.factory)
    with made.board as board:
        board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        made.wait(MISSING_MS)
        assert board.occupancy() is None
        assert "contacts-missing" in board.service.notices.unavailable
        board.service.notices.set_available("hub-missing")
        made.wait(50)
        assert made.shows("No board switches", 1)
        other.close()
        wait_until(
            lambda: "contacts-missing" not in board.service.notices.unavailable, "the contacts"
        )
        made.pins.refresh()
        made.pins.square(parse_square("B4"), True)
        made.wait(WARNED_MS)
        assert board.service.snapshot.clear == squares_of([parse_square("B4")])


def test_a_buzzer_is_opened_with_the_contacts_when_its_pin_is_available(path: Path) -> None:
    buzzer_pin = 14
    made = Board(path, buzzer_pin=buzzer_pin)
    others = [
        DigitalInputDevice(gpio, pull_up=True, pin_factory=made.factory)
        for gpio in (buzzer_pin, default_pins().squares[0])
    ]
    with made.board as board:
        done = board.order(ChangeSound("tones"))
        board.service.work()
        assert done.result(timeout=0) is None
        for other in others:
            other.close()
        deadline = time.monotonic() + DEADLINE_S
        while made.factory.pin(buzzer_pin).function != "output":
            assert time.monotonic() < deadline
            time.sleep(0.01)
            board.service.work()
