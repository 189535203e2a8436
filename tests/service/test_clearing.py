"""A board that was cleared during a game: the display offers a new one, and asks first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.test_board import Board
from tests.service.test_board_menu import press, select
from urpi.journal import Journal, list_games
from urpi.referee import Phase
from urpi.referee.clearing import CLEARED_MS
from urpi.referee.orders import NewGame
from urpi.rules import Side, each_square, parse_position
from urpi.show.menu import Listing
from urpi.show.menu.state_machine import OPEN_MS

POSITION = parse_position("finkel A4:L,B4:D,B6:D L6D5 L0D0 D")
LIGHT, DARK = Side


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def board(path: Path) -> Iterator[Board]:
    """Return a board with a game that was begun from a position."""
    made = Board(path, POSITION.occupancy)
    with made.board:
        made.pins.refresh()
        made.board.begin(NewGame(POSITION.rules, "Ann", "Bob", position=POSITION))
        made.wait(3_000)
        assert made.board.service.snapshot.phase is Phase.THROW
        yield made


def set_squares(board: Board, squares: int, *, on: bool) -> None:
    for square in each_square(squares):
        board.pins.square(square, on)
        board.wait(400)


def is_offered(board: Board) -> bool:
    screen = board.board.menu.screen
    return isinstance(screen, Listing) and screen.name == "cleared"


def test_a_new_game_is_offered_after_some_seconds_and_begins_with_a_hold(
    board: Board, path: Path
) -> None:
    set_squares(board, POSITION.occupancy, on=False)
    board.wait(CLEARED_MS - 1_000)
    assert not is_offered(board)
    assert board.board.service.snapshot.warning is not None
    board.wait(1_000)
    assert is_offered(board)

    select(board, "sure-new-game", DARK)
    board.wait(500)

    snapshot = board.board.service.snapshot
    assert (snapshot.phase, snapshot.light, snapshot.warning) == (Phase.START_THROW, "", None)
    with Journal.open(path) as journal:
        results = [game.result for game in list_games(journal)]
    assert results == [None, "abandoned"]


@pytest.mark.slow
def test_the_first_line_and_time_lead_back_to_the_game_which_asks_for_its_pieces(
    board: Board,
) -> None:
    set_squares(board, POSITION.occupancy, on=False)
    board.wait(CLEARED_MS)
    press(board, LIGHT, "long")
    assert board.board.menu.screen is None
    assert board.board.service.snapshot.fill == POSITION.occupancy

    # It is offered once, until the board was cleared again.
    board.wait(2 * CLEARED_MS)
    assert board.board.menu.screen is None
    set_squares(board, POSITION.occupancy, on=True)
    board.wait(3_000)
    assert board.board.service.snapshot.warning is None
    set_squares(board, POSITION.occupancy, on=False)
    board.wait(CLEARED_MS)
    assert is_offered(board)
    board.wait(OPEN_MS)
    assert board.board.menu.screen is None
    assert board.board.service.game == 1


def test_a_piece_put_back_withdraws_the_offer(board: Board) -> None:
    set_squares(board, POSITION.occupancy, on=False)
    board.wait(CLEARED_MS)
    assert is_offered(board)
    set_squares(board, 1 << 3, on=True)
    assert not is_offered(board)
