"""A question from a player's own games at the board, whose program a power cut ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.service.test_board import Board
from tests.simulation.test_questions import store_exercises
from tests.slow import mostly_slow
from tests.waiting import wait_until
from urpi.journal import Journal, read_answers
from urpi.referee import Phase
from urpi.referee.facts import Answer
from urpi.rules import Squares

SET_UP_MS = 2_000


class Table(Board):
    """A board with a question of Ann, or the memory of one."""

    def until(self, phase: Phase) -> None:
        """Wait for the thread that reads the exercise, and what follows."""

        def is_there() -> bool:
            self.wait(50)
            return self.board.service.snapshot.phase is phase and bool(self.board.menu.asks)

        wait_until(is_there, f"the question is in the phase {phase}")

    def set_up(self, squares: Squares) -> None:
        for square in range(20):
            self.pins.square(square, bool(squares >> square & 1))
        self.wait(SET_UP_MS)

    def move(self) -> str:
        shot = self.board.service.snapshot
        self.board.service.submit(Answer(self.board.clock(), move=shot.legal[-1]))
        self.wait(50)
        return shot.legal[-1]


@contextmanager
def powered(path: Path, closed: Squares = 0) -> Iterator[Table]:
    """Switch a board on, with or without a line in progress, and cut its power in the end."""
    table = Table(path, closed)
    table.board.service.resume()
    with table.board:
        table.pins.refresh()
        yield table
        table.board.service.abort()


@pytest.mark.parametrize("cut_at", mostly_slow([Phase.SET_UP, Phase.MOVE], 1))
def test_a_question_goes_on_after_a_power_cut_and_counts_once(
    cut_at: Phase, tmp_path: Path
) -> None:
    path = tmp_path / "games.sqlite"
    store_exercises(path, "finkel", Random("power cut"))
    with powered(path) as table:
        table.board._parts.questions.ask("Ann")
        table.until(Phase.SET_UP)
        position = table.board.service.snapshot.position
        assert position is not None
        closed = position.occupancy if cut_at is Phase.MOVE else 0
        table.set_up(closed)
        table.until(cut_at)

    with powered(path, closed) as table:
        table.until(cut_at)
        table.set_up(position.occupancy)
        table.until(Phase.MOVE)
        assert table.board.service.snapshot.position == position
        move = table.move()
    with Journal.open(path) as journal:
        [answer] = read_answers(journal)
    assert answer.move == move

    # The line that follows the answer goes on too, and leads back to the position and its throw.
    with powered(path, table.board.service.snapshot.position.occupancy) as table:
        table.until(Phase.THROW)
        table.board.service.go_back()
        table.set_up(position.occupancy)
        table.until(Phase.MOVE)
        table.move()
    with Journal.open(path) as journal:
        assert read_answers(journal) == [answer]
