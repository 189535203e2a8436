"""Questions at the board: exercises from a player's own games, answered with the pieces.

A question is an exploration from its position that begins with its throw; the first move that the
hands make is the answer. After it the line can be played on, and taken back to the position.
"""

import logging
from functools import partial
from threading import Thread
from typing import Final

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
        Thread(target=self._read, args=(name,), name="urpi-question", daemon=True).start()

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

    def _read(self, name: str) -> None:
        # Long to import: whoever plays meanwhile does not wait for it.
        from urpi.service.next_question import next_question  # noqa: PLC0415

        found = None
        try:
            virtual = self._service.table == VIRTUAL_TABLE
            found = next_question(self._service.path, name, self._service.now().date(), virtual)
        except UrpiError as error:
            _log.warning("%s", error)
        self._service.call(partial(self._set, name, found)).add_done_callback(log_failure)

    def _set(self, name: str, found: tuple[Exercise, tuple[Answered, ...]] | None) -> None:
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
        service.explore(exploration_of(game, service.clock(), position, "line"))
        self._exercise, self._answers, menu.asks = exercise, answers, name
        self._is_open, self._has_thrown = True, False
        self.update(service.snapshot, ())

    def _judge(self, one: Exercise, move: str) -> None:
        from urpi.service.next_question import answer_pages  # noqa: PLC0415

        good = one.is_good(move)
        self._orders.handle(AnswerExercise(*one.key, move, good))
        today = self._service.now().date().toordinal()
        card = card_of((*self._answers, (today, good)))
        self._menu.show_answer(answer_pages(one, move, card, self._preferences.words))
