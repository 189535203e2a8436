"""Questions at the board: exercises from a player's own games, answered with the pieces.

A question is an exploration from its position that begins with its throw; the first move that the
hands make is the answer. After it the line can be played on, and taken back to the position. Which
question it is, is stored with the exploration, so that it goes on after a power cut.
"""

import logging
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.journal import VIRTUAL_TABLE
from urpi.journal.study import Exercise, card_of
from urpi.journal.study.cards import Answered
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision, Moved
from urpi.referee.exploring import exploration_of
from urpi.referee.facts import Answer
from urpi.referee.orders import AnswerExercise, NewGame
from urpi.rules import Side, parse_position
from urpi.service.board_menu import BoardMenu
from urpi.service.devices import log_failure
from urpi.service.order_handler import OrderHandler
from urpi.service.preferences import TablePreferences
from urpi.service.service import Service
from urpi.show.menu import Message

ASKED: Final = "asked"
"""The setting of an exploration with the player whose question it is."""
EXERCISE: Final = "exercise"
"""The setting with the exercise's game and throw."""
EARLIER: Final = "earlier_answers"
"""The setting with the number of answers before."""

_Found: TypeAlias = tuple[Exercise, tuple[Answered, ...]] | None
_log: Final = logging.getLogger(__name__)


class BoardQuestions:
    """Sets questions at the board. Its methods are called in the service's thread.

    Args:
        service: The service at the board.
        preferences: The table's preferences, with the players' language.
        orders: Makes the fact of a game, and stores answers.
        menu: Shows the answer, and offers the next question.
    """

    def __init__(
        self,
        service: Service,
        preferences: TablePreferences,
        orders: OrderHandler,
        menu: BoardMenu,
    ) -> None:
        self._service, self._preferences = service, preferences
        self._orders, self._menu = orders, menu
        self._exercise: Exercise | None = None
        """The question on the board, None if there is none."""
        self._answers: tuple[Answered, ...] = ()
        """The earlier answers to it."""
        self._is_open = self._has_thrown = False
        """Whether it is not answered yet, and whether its throw has been given."""

    def ask(self, name: str) -> None:
        """Set the next question of a player, which is read in a thread of its own."""
        self._start(name, None, partial(self._set, name))

    def resume(self) -> None:
        """Go on with the question that was on the board at a power cut, if there was one."""
        stored = self._service.exploration_settings
        if ASKED in stored:
            name, (game, throw) = stored[ASKED], map(int, stored[EXERCISE].split())
            self._start(name, (game, throw), partial(self._go_on, name, int(stored[EARLIER])))

    def update(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Give the throw of the question and judge its answer; call it after every change."""
        one = self._exercise
        if one is None:
            return
        if snapshot.explore is None:
            self._exercise, self._menu.asks = None, ""
            return
        if snapshot.phase is not Phase.THROW:
            self._has_thrown = False
        elif not self._has_thrown and snapshot.position == parse_position(one.position):
            self._has_thrown = True
            self._service.submit(Answer(self._service.clock(), faces=one.faces))
        for each in decisions:
            if isinstance(each, Moved) and self._is_open:
                self._is_open = False
                judged = partial(self._judge, one, each.move)
                self._service.call(judged).add_done_callback(log_failure)

    def _start(
        self, name: str, key: tuple[int, int] | None, then: Callable[[_Found], None]
    ) -> None:
        Thread(target=self._read, args=(name, key, then), name="urpi-question", daemon=True).start()

    def _read(self, name: str, key: tuple[int, int] | None, then: Callable[[_Found], None]) -> None:
        # Long to import: whoever plays meanwhile does not wait for it.
        from urpi.service.next_question import next_question  # noqa: PLC0415

        found = None
        try:
            virtual = self._service.table == VIRTUAL_TABLE
            today = self._service.now().date()
            found = next_question(self._service.path, name, today, virtual, key)
        except UrpiError as error:
            _log.warning("%s", error)
        self._service.call(partial(then, found)).add_done_callback(log_failure)

    def _set(self, name: str, found: _Found) -> None:
        service, menu = self._service, self._menu
        if service.game_snapshot.in_progress:
            menu.show_message(Message("end-first"))
            return
        if found is None:
            menu.show_message(Message("no-question", name))
            return
        exercise, answers = found
        position = parse_position(exercise.position)
        light, dark = (name if side is exercise.side else "" for side in Side)
        game = self._orders.game_of(NewGame(position.rules, light, dark, position=position))
        self._orders.read_board()
        line = exploration_of(game, service.clock(), position, "line")
        key = " ".join(map(str, exercise.key))
        stored = {ASKED: name, EXERCISE: key, EARLIER: str(len(answers))}
        service.explore(line, settings=stored)
        self._go_on(name, len(answers), found)

    def _go_on(self, name: str, earlier: int, found: _Found) -> None:
        """Ask the question that is on the board, unless it has been answered since it was set."""
        # The players may have left it, or begun a game, while the exercise was read.
        if found is None or ASKED not in self._service.exploration_settings:
            return
        (self._exercise, self._answers), self._menu.asks = found, name
        self._is_open, self._has_thrown = len(self._answers) == earlier, False
        self.update(self._service.snapshot, ())

    def _judge(self, one: Exercise, move: str) -> None:
        from urpi.service.next_question import answer_pages  # noqa: PLC0415

        good = one.is_good(move)
        self._orders.handle(AnswerExercise(*one.key, move, good))
        today = self._service.now().date().toordinal()
        card = card_of((*self._answers, (today, good)))
        self._menu.show_answer(answer_pages(one, move, card, self._preferences.words))
