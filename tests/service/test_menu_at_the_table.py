"""The two buttons at the virtual table, from their pins to the OLED's bytes and the journal."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner

from urpi.cli.main import cli
from urpi.config import Config
from urpi.journal import Journal, entries_of, list_games
from urpi.referee import Phase, Snapshot
from urpi.referee.facts import Answer
from urpi.referee.lines import parse_fact
from urpi.rules import Side, parse_rules
from urpi.service.interactive import InteractiveService, InteractiveSetting
from urpi.show.menu import LastMinute, Listing, Message, Offer, Recap
from urpi.show.views import draw_menu
from urpi.show.words import words_for
from urpi.simulation.interactive_table import InteractiveTable
from urpi.simulation.table_orders import SwitchPower, TableOrder, act

LIGHT, DARK = Side
SPEED = 4.0
DEADLINE_S = 240.0
BETWEEN_PRESSES_MS = 100
LOST_MS = 3_000
SHORT_GAME = "finkel[pieces=3]"

_Screen = TypeVar("_Screen")


class Table:
    """A table whose hands and buttons carry out one order after the other."""

    def __init__(self, service: InteractiveService) -> None:
        self.service = service

    def until(self, reached: Callable[[], bool]) -> None:
        """Run the table until a condition holds; fail after a deadline."""
        deadline = time.monotonic() + DEADLINE_S
        while not reached():
            assert time.monotonic() < deadline, (self.now, self.service.board.menu.screen)
            self.service.run()

    def do(self, order: TableOrder) -> None:
        done = self.service.order(order)
        self.until(done.done)
        done.result(timeout=0)

    @property
    def now(self) -> Snapshot:
        return self.service.board.service.snapshot

    @property
    def game(self) -> int | None:
        return self.service.board.service.game

    def press(self, side: Side, press: str = "short") -> None:
        """Press, and wait until the display has changed and the button is released.

        On a busy machine a press can be as short as a bounce. It is then repeated, as a player
        would do.
        """
        before = self.service.board.menu.screen
        while self.service.board.menu.screen == before:
            self.do(act(InteractiveTable.press, side, press))
            lost = self.service.now() + LOST_MS
            self.until(
                lambda lost=lost: (
                    self.service.board.menu.screen != before or self.service.now() > lost
                )
            )
        self.until(lambda: not self.service.table.buttons_down)
        # A new press within the bounce time would be ignored.
        up = self.service.now()
        self.until(lambda: self.service.now() - up > BETWEEN_PRESSES_MS)

    def shows(self, kind: type[_Screen]) -> _Screen:
        screen = self.service.board.menu.screen
        assert isinstance(screen, kind), screen
        return screen

    def select(self, name: str, side: Side = LIGHT, value: str = "") -> None:
        """Go to an item with short presses, and select it with a long one."""
        while (item := self.shows(Listing).item).name != name or value not in {"", item.value}:
            self.press(side)
        self.press(side, "long")

    def throw_until_a_move_is_legal(self) -> None:
        while self.now.phase is not Phase.MOVE:
            turn = self.now.rolled
            self.do(act(InteractiveTable.throw))
            self.until(lambda turn=turn: self.now.rolled not in {turn, None})
            self.until(lambda: self.now.phase in {Phase.THROW, Phase.MOVE})

    def play(self) -> None:
        """Throw and move for the side to move."""
        self.throw_until_a_move_is_legal()
        before = self.now.position
        self.do(act(InteractiveTable.move, self.now.legal[0]))
        self.until(lambda: self.now.position != before)

    def board_is_correct(self) -> bool:
        position = self.now.position
        assert position is not None
        return self.service.board.service.current.occupied == position.occupancy

    def picture_is_on_the_oled(self) -> bool:
        board = self.service.board
        assert board.devices.screen is not None
        assert board.devices.screen.flush()
        assert board.menu.screen is not None
        view = draw_menu(board.menu.screen, self.now, words_for("en"))
        return self.service.picture().tobytes() == view.tobytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    """Return a table with a short game that light begins."""
    setting = InteractiveSetting(parse_rules(SHORT_GAME), seed=5, speed=SPEED, first=LIGHT)
    with InteractiveService(setting, Config(), path) as service:
        made = Table(service)
        made.until(lambda: made.now.phase is Phase.THROW)
        yield made


def replayed(path: Path, game: int) -> str:
    done = CliRunner().invoke(cli, ["games", "--journal", str(path), "replay", str(game)])
    assert done.exit_code == 0, done.output
    return done.output


def test_both_buttons_open_and_close_the_menu(table: Table) -> None:
    table.press(LIGHT, "both")
    assert table.shows(Listing).name == "menu"
    assert table.picture_is_on_the_oled()
    table.press(DARK, "both")
    assert table.service.board.menu.screen is None


def test_a_throw_closes_the_menu(table: Table) -> None:
    table.press(LIGHT, "both")
    table.do(act(InteractiveTable.throw))
    table.until(lambda: table.service.board.menu.screen is None)
    table.until(lambda: table.now.rolled is not None)


def test_a_move_closes_the_menu(table: Table) -> None:
    table.throw_until_a_move_is_legal()
    table.press(LIGHT, "both")
    table.do(act(InteractiveTable.move, table.now.legal[0]))
    table.until(lambda: table.service.board.menu.screen is None)
    table.until(lambda: table.now.acted is not None)


def test_a_short_press_shows_the_last_throw_and_move(table: Table) -> None:
    table.play()
    table.press(DARK)
    assert table.shows(Recap) == Recap()
    assert table.picture_is_on_the_oled()
    table.until(lambda: table.service.board.menu.screen is None)


def test_the_dice_are_listed_with_their_faces(table: Table) -> None:
    table.throw_until_a_move_is_legal()
    thrown = table.now.throw
    assert thrown is not None
    table.press(DARK, "both")
    table.select("dice", DARK)
    dice = [item.die for item in table.shows(Listing).items if item.die is not None]
    assert [(die.in_range, die.face) for die in dice] == [(True, face) for face in thrown.faces]
    assert all(die.battery_mv > 3_000 for die in dice)
    assert table.picture_is_on_the_oled()


def test_the_last_minute_is_shown_from_the_menu(table: Table) -> None:
    table.play()
    table.press(LIGHT, "both")
    table.select("minute")
    table.until(lambda: table.shows(LastMinute).pages is not None)
    pages = table.shows(LastMinute).pages
    assert pages is not None
    assert "Press: earlier" in pages[0].text
    acted = table.now.acted
    assert acted is not None
    assert any(f"played {acted.move}" in page.text for page in pages)
    table.press(LIGHT)
    assert table.picture_is_on_the_oled()


@pytest.mark.slow
def test_another_rule_set_a_take_back_a_power_cut_and_an_exact_replay(
    table: Table, path: Path
) -> None:
    table.play()
    # A new game ends this one, so the opponent must accept it.
    table.press(LIGHT, "both")
    table.select("new-game")
    table.select("rules")
    table.select("choose-rules", value="bell")
    table.select("begin")
    assert table.shows(Offer).proposal.by is LIGHT
    assert table.game == 1
    table.press(DARK, "long")
    table.until(lambda: table.game == 2)
    table.until(lambda: table.now.phase is Phase.THROW)

    # A take-back is requested, declined, requested again, and accepted.
    table.play()
    assert table.now.takeback is not None
    side, move = table.now.takeback
    for answer in ("short", "long"):
        table.press(side, "long")
        table.select("take-back", side)
        table.press(side.other, answer)
        note = "put-back" if answer == "long" else "declined"
        assert table.shows(Message).code == note
        table.until(lambda: table.service.board.menu.screen is None)
    assert (table.now.phase, table.now.side) == (Phase.MOVE, side)
    table.do(act(InteractiveTable.restore_board))
    table.until(table.board_is_correct)
    table.do(act(InteractiveTable.move, move))
    table.until(lambda: table.now.phase is Phase.THROW)

    # After a power cut the game is resumed in the same turn.
    before = table.now
    table.do(SwitchPower(on=False))
    table.do(SwitchPower(on=True))
    table.until(lambda: table.now.phase is before.phase)
    assert table.game == 2
    assert (table.now.position, table.now.acted) == (before.position, before.acted)
    table.play()

    with Journal.open(path) as journal:
        games = list_games(journal)
        facts = [entry for entry in entries_of(journal, 2) if entry.kind == "fact"]
    assert [(game.rules, game.result) for game in games] == [
        ("bell", None),
        (SHORT_GAME, "abandoned"),
    ]
    answers = [fact for entry in facts if isinstance(fact := parse_fact(entry.line), Answer)]
    assert [(fact.takeback, fact.agreed) for fact in answers] == [(True, True)]
    for game in (1, 2):
        assert "the same" in replayed(path, game)
