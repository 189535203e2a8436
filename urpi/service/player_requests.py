"""What players request: at the menu, on the page, and by an order.

Everything happens in the service's thread.
"""

import logging
from typing import Final

from urpi.core.errors import UrpiError
from urpi.referee import Phase
from urpi.referee.decisions import Decision, Refused, Request, RequestRefusal
from urpi.referee.facts import Abandon, Button, Claim, Decline, Draw, Fact, Resign
from urpi.referee.orders import (
    AnswerExercise,
    AnswerInvitation,
    AnswerPairing,
    AnswerProposal,
    AskHint,
    ChangeLanguage,
    ChangeSound,
    EndExploration,
    Explore,
    GoBack,
    Invite,
    NewGame,
    Order,
    PublishName,
    ShowPlayer,
    TableRequest,
    WithdrawInvitation,
)
from urpi.referee.seats import is_engine, place_name
from urpi.rules import Side
from urpi.service.board_menu import BoardMenu
from urpi.service.engine_player import EnginePlayer
from urpi.service.explorer import Explorer
from urpi.service.order_handler import OrderHandler
from urpi.service.other_tables import OtherTables
from urpi.service.preferences import TablePreferences
from urpi.service.questions import BoardQuestions
from urpi.service.remote_play import RemotePlay
from urpi.service.service import Service
from urpi.show.menu import (
    DrawOffer,
    LastMinuteRequest,
    Message,
    Output,
    QuestionRequest,
    SetUpRequest,
)
from urpi.show.words.sentences import N_

NO_HINT: Final = N_("There is no hint now.")
_log: Final = logging.getLogger(__name__)


class PlayerRequests:
    """Passes each request to the part of the program that carries it out.

    Args:
        service: The service at the board.
        preferences: The table's preferences.
        orders: Carries out the orders that concern this table alone.
        remote: The game with another table, if the current one is one.
        menu: The menu of the board.
        engine: The engine, which gives hints and considers draws.
        tables: Carries out the orders that concern another table.
        explorer: Carries out the orders of explorations.
        questions: Sets the questions that are asked for.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts to which requests are passed
        self,
        service: Service,
        preferences: TablePreferences,
        orders: OrderHandler,
        remote: RemotePlay,
        menu: BoardMenu,
        engine: EnginePlayer,
        tables: OtherTables,
        explorer: Explorer,
        questions: BoardQuestions,
    ) -> None:
        self._service, self._preferences, self._orders = service, preferences, orders
        self._remote, self._menu, self._engine, self._tables = remote, menu, engine, tables
        self._explorer, self._questions = explorer, questions

    def request(self, fact: Fact) -> tuple[Decision, ...]:
        """Handle what a player pressed or entered, and return the referee's decisions on it.

        In a game with another table it may only be proposed there; there are no decisions then.
        The engine decides by itself about draws and whether it declines its extra throw, and never
        gives up.
        """
        requests = self._menu.press(fact) if isinstance(fact, Button) else (fact,)
        return tuple(decision for one in requests for decision in self._carry_out(one))

    def order(self, order: Order) -> int | None:
        """Carry out an order; return the number of a new game, None for other orders.

        Raises:
            UrpiError: If that is impossible now.
        """
        if isinstance(order, AskHint):
            if not self._engine.hint():
                raise UrpiError(self._preferences.words.text(NO_HINT))
            return None
        if isinstance(order, TableRequest):
            self._tables.handle(order)
            return None
        if isinstance(order, Explore | GoBack | EndExploration):
            self._explorer.handle(order)
            return None
        if isinstance(order, NewGame) and order.shared is None:
            self._tables.check_new_game()
        number = self._orders.handle(order)
        # A new game was shown when it began.
        if number is None:
            self._service.refresh()
        return number

    def _engine_plays(self, side: Side) -> bool:
        """Return whether the engine plays a side of the current game, which has not ended."""
        snapshot = self._service.snapshot
        return snapshot.phase is not Phase.OVER and is_engine(snapshot.seat(side))

    def _refused(self, t: int, what: Request, code: RequestRefusal) -> Refused:
        return Refused(t, what, code, self._preferences.words.sentence(code))

    def _refusal(self, output: Output | Fact) -> Refused | None:
        """Return why a request is impossible now, before the referee has judged it."""
        exploring = self._service.exploring is not None
        match output:
            case Resign(t=t) if exploring:
                return self._refused(t, "resign", "exploring")
            case Claim(t=t) if self._service.snapshot.shared and not self._remote.may_claim:
                return self._refused(t, "claim", "not-silent")
            case Draw(t=t) if exploring:
                return self._refused(t, "draw", "exploring")
            case Abandon(t=t) if exploring:
                return self._refused(t, "abandon", "exploring")
            case Decline(t=t, side=side) if self._engine_plays(side):
                return self._refused(t, "decline", "no-extra-throw")
            case Resign(t=t, side=side) if self._engine_plays(side):
                return self._refused(t, "resign", "engine-side")
            case Draw(t=t, side=side, agreed=agreed) if self._engine_plays(side) or (
                agreed and self._engine_plays(side.other)
            ):
                return self._refused(t, "draw", "engine-side")
        return None

    def _carry_out(self, output: Output | Fact) -> tuple[Decision, ...]:
        refusal = self._refusal(output)
        if refusal is not None:
            return (refusal,)
        match output:
            case SetUpRequest():
                self._prepare_set_up(output)
            case LastMinuteRequest():
                self._menu.load_last_minute()
            case QuestionRequest(player=player):
                self._questions.ask(player)
            case DrawOffer(by=side):
                self._engine.consider_draw(side, self._menu.show_declined)
            case Invite(table=table):
                if not self._is_carried_out(output):
                    self._menu.show_message(Message("not-free", place_name(table)))
            case (NewGame() | ChangeLanguage() | ChangeSound() | PublishName() | ShowPlayer()) | (
                Explore() | GoBack() | EndExploration() | AskHint() | AnswerExercise()
            ):
                self._is_carried_out(output)
            case WithdrawInvitation() | AnswerInvitation() | AnswerPairing() | AnswerProposal():
                self._is_carried_out(output)
            case _:
                here = self._remote.act(output)
                return () if here is None else self._service.process(here)
        return ()

    def _prepare_set_up(self, request: SetUpRequest) -> None:
        try:
            self._orders.prepare_set_up(request.order)
        except UrpiError as error:
            _log.warning("%s", error)

    def _is_carried_out(self, order: Order) -> bool:
        """Carry out an order of the menu, and return whether that was possible."""
        try:
            self.order(order)
        except UrpiError as error:
            _log.warning("%s", error)
            return False
        return True
