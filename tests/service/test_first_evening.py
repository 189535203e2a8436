"""The first evening of a new board, as docs/build leads through it: each step on the display."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.test_board import Board
from tests.show.views.test_legibility import is_large, recorded
from tests.waiting import wait_until
from urpi.config import Config, DiceSection
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, parse_square
from urpi.service.backends import make_dice_source
from urpi.show.views import draw
from urpi.show.words import words_for

LIGHT, DARK = Side
SEEN_MS = 3000
SHORT_MS, LONG_MS = 150, 1100


class Maker:
    """Who builds the board, and sees only its display."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def press(self, side: Side, ms: int = SHORT_MS) -> None:
        self.board.pins.button(side, True)
        self.board.wait(ms)
        self.board.pins.button(side, False)
        self.board.wait(SHORT_MS)

    def wait_for(self, text: str, *, large: bool = False) -> None:
        """Wait until the display shows a text; a large one is read from a metre."""

        def shows() -> bool:
            self.board.wait(SEEN_MS)
            with recorded() as lines:
                draw(self.board.board.service.snapshot, words_for("en"))
            return is_large(lines, text) if large else any(text in line.text for line in lines)

        wait_until(shows, f"{text} on the display")
        assert self.board.shows("", 0)

    def enter(self, side: Side, marks: int) -> None:
        """Press once for each marked tip, when the display has shown the press before."""
        for mark in range(1, marks + 1):
            self.press(side)
            wait_until(lambda mark=mark: self.chosen() == mark, f"press {mark}")
            assert self.board.shows("", 0)

    def chosen(self) -> int:
        self.board.wait(SHORT_MS)
        return self.board.board.service.snapshot.chosen


@pytest.fixture
def maker(tmp_path: Path) -> Iterator[Maker]:
    """Begin a game as the service does at its start, with nothing on the board."""
    config = Config(dice=DiceSection("hand"))
    made = Board(
        tmp_path / "games.db",
        config=config,
        make_dice=lambda clock: make_dice_source(config, clock),
    )
    with made.board:
        made.pins.refresh()
        made.board.begin(made.board.next_game)
        yield Maker(made)


@pytest.mark.slow
def test_the_display_names_the_square_of_a_piece_until_it_is_lifted(maker: Maker) -> None:
    maker.wait_for("Light threw?")
    for square in ALL_SQUARES:
        maker.board.pins.square(square, True)
        maker.wait_for(f"empty {SQUARE_NAMES[square]}", large=True)
        maker.board.pins.square(square, False)
        maker.wait_for("Light threw?")


def test_the_first_move_is_made_with_two_buttons(maker: Maker) -> None:
    for side, marks in ((LIGHT, 3), (DARK, 1), (LIGHT, 2)):
        maker.wait_for(f"{side.value.title()} threw?")
        maker.enter(side, marks)
        maker.press(side, LONG_MS)
    maker.wait_for("2", large=True)
    maker.board.pins.square(parse_square("A3"), True)
    maker.wait_for("Dark threw?")
