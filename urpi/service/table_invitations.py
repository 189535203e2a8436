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
        self._invitations = Invitations()

    @property
    def asked(self) -> tuple[str, Invited] | None:
        """The table that invites and its invitation, to be answered by a player, or None."""
        return self._invitations.asked

    @property
    def state(self) -> InvitationState | None:
        """What became of the newest invitation of this table, None if there is none."""
        return self._invitations.state

    @property
    def sent(self) -> tuple[str, InvitationState] | None:
        """The table that was invited last, and the state of that invitation; None if there is none.

        One that was accepted has become a game.
        """
        table, state = self._invitations.invited_table, self._invitations.state
        if table is None or state is None or state == "accepted":
            return None
        return table, state

    @property
    def joining(self) -> str | None:
        """The table whose invitation was accepted here and that has not begun yet, or None."""
        return self._invitations.joining

    @property
    def is_free(self) -> bool:
        """Whether another table may invite this one."""
        return not (self._service.snapshot.in_progress or self._invitations.is_open)

    def was_accepted(self, game: str) -> bool:
        """Return whether this table has invited to a game, and the other one has accepted."""
        return self._invitations.was_accepted(game)

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
        self._invitations.invite(check_table(table), invited, self._service.clock())

    def withdraw(self) -> None:
        """Withdraw the invitation of this table, or forget what became of it."""
        self._invitations.withdraw()

    def answer(self, game: str, name: str | None) -> None:
        """Accept or decline an invitation; nothing happens if it is no longer open.

        Args:
            game: The identity of the game.
            name: The name of the player who accepts, which may be empty; None to decline.
        """
        self._note_game_here()
        self._invitations.answer(game, name, self._service.clock())

    def receive(self, table: str, message: Invited | Accepted | Declined) -> None:
        """Process a message of another table."""
        self._note_game_here()
        self._invitations.receive(table, message, self._service.clock())
        self._begin_agreed()

    def note_game(self, table: str, game: str) -> None:
        """Note that another table sends about a game that is not the current one here."""
        self._note_game_here()
        self._invitations.note_game(table, game)
        self._begin_agreed()

    @property
    def due(self) -> int | None:
        """When `next_messages` must be called, None if only another call matters."""
        return self._invitations.due

    def next_messages(self, now: int) -> list[tuple[str, TableMessage]]:
        """Return the messages to be sent now, each with the table that receives it."""
        self._note_game_here()
        return self._invitations.next_messages(now)

    def _note_game_here(self) -> None:
        # Games also begin and end without a word to the invitations.
        self._invitations.update(busy=self._service.snapshot.in_progress)

    def _begin_agreed(self) -> None:
        agreed = self._invitations.next_game()
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
