"""Invitations between tables: connects the pure agreement with the service and the connection.

Everything happens in the service's thread, between two facts.
"""

import logging
from collections.abc import Callable
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.names import check_table
from urpi.link.remote.invitations import AgreedGame, Invitations, InvitationState
from urpi.link.remote.messages import Accepted, Declined, Invited, TableMessage
from urpi.referee.orders import NewGame
from urpi.referee.seats import Seats, SharedGame
from urpi.rules import Side, parse_rules
from urpi.service.service import Service

_log: Final = logging.getLogger(__name__)


class TableInvitations:
    """The invitations of this table, and those that it receives.

    Args:
        service: The service of the board.
        begin: Begins the game of an order.
    """

    def __init__(self, service: Service, begin: Callable[[NewGame], object]) -> None:
        self._service, self._begin = service, begin
        self.agreement: Final = Invitations()
        """What is agreed with other tables. What needs the service is called here."""

    @property
    def sent(self) -> tuple[str, InvitationState] | None:
        """The table that was invited last, and the state of that invitation; None if there is none.

        One that was accepted has become a game.
        """
        table, state = self.agreement.invited_table, self.agreement.state
        if table is None or state is None or state == "accepted":
            return None
        return table, state

    @property
    def is_free(self) -> bool:
        """Whether another table may invite this one."""
        return not (self._service.snapshot.in_progress or self.agreement.is_open)

    def invite(self, table: str, invited: Invited) -> None:
        """Invite the players at another table, in place of an earlier invitation.

        Args:
            table: The id of the other table.
            invited: The invitation, with a game that no earlier invitation had.

        Raises:
            UrpiError: If the id of the table is invalid, a game is in progress here, or an
                invitation must be answered first.
        """
        self._note_game_here()
        self.agreement.invite(check_table(table), invited, self._service.clock())

    def answer(self, game: str, name: str | None) -> None:
        """Accept or decline an invitation; nothing happens if it is no longer open.

        Args:
            game: The identity of the game.
            name: The name of the player who accepts, which may be empty; None to decline.
        """
        self._note_game_here()
        self.agreement.answer(game, name, self._service.clock())

    def receive(self, table: str, message: Invited | Accepted | Declined) -> None:
        """Process a message of another table."""
        self._note_game_here()
        self.agreement.receive(table, message, self._service.clock())
        self._begin_agreed()

    def note_game(self, table: str, game: str) -> None:
        """Note that another table sends about a game that is not the current one here."""
        self._note_game_here()
        self.agreement.note_game(table, game)
        self._begin_agreed()

    def next_messages(self, now: int) -> list[tuple[str, TableMessage]]:
        """Return the messages to be sent now, each with the table that receives it."""
        self._note_game_here()
        return self.agreement.next_messages(now)

    def _note_game_here(self) -> None:
        # Games also begin and end without a word to the invitations.
        self.agreement.update(busy=self._service.snapshot.in_progress)

    def _begin_agreed(self) -> None:
        agreed = self.agreement.next_game()
        if agreed is None:
            return
        try:
            self._begin(order_of(agreed))
        except UrpiError as error:
            # The other table receives that this one does not have the game, and ends it.
            _log.warning("The game with the table %s cannot begin. %s", agreed.table, error)


def order_of(agreed: AgreedGame) -> NewGame:
    """Return the order that begins an agreed game at this table."""
    invited, (light, dark) = agreed.invited, agreed.names
    seats: Seats = ("person", "remote") if agreed.side is Side.LIGHT else ("remote", "person")
    shared = SharedGame(invited.game, agreed.table, invited.date)
    rules = parse_rules(invited.rules)
    return NewGame(rules, light, dark, invited.first, seats, shared=shared)
