"""What players at this board do with those at other tables, and what the OLED shows of it.

The game and the messages are those of `urpi.service.remote_play`. Everything happens in the
service's thread, except where noted.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Final

from urpi.core.errors import UrpiError
from urpi.link.remote.invitations import InvitationState
from urpi.link.remote.messages import Invited
from urpi.link.remote.tables_view import TablesView
from urpi.referee import Phase
from urpi.referee.orders import (
    AnswerInvitation,
    AnswerPairing,
    AnswerProposal,
    Invite,
    Order,
    TableRequest,
    WithdrawInvitation,
)
from urpi.referee.seats import place_name
from urpi.rules import Side
from urpi.service.board_menu import BoardMenu
from urpi.service.club_pairing import ClubPairing
from urpi.service.preferences import TablePreferences
from urpi.service.remote_play import RemotePlay
from urpi.service.service import Service
from urpi.service.table_link import TableLink
from urpi.show.menu import Invitation, Message, Proposal
from urpi.show.menu.screens import MessageCode
from urpi.show.words.sentences import N_

NO_BROKER: Final = N_("There is no connection to the club.")
END_FIRST: Final = N_("End the game at this table first.")
ANSWER_FIRST: Final = N_("{table} invites you. Answer that first.")
NOTHING: Final = TablesView()
"""What is shown while no other table is concerned."""
ABANDON_FIRST: Final = N_("Abandon the game with the other table first.")

_SENT: Final[Mapping[InvitationState, MessageCode]] = {
    "waiting": "waiting-table",
    "declined": "table-declined",
    "busy": "table-busy",
    "no-answer": "table-silent",
    "unsupported": "table-unsupported",
}


class OtherTables:
    """The players' requests to other tables, and what those ask the players here.

    Args:
        service: The service of the board.
        menu: The menu of the board.
        play: The game with another table, if the current one is one.
        preferences: The table's preferences.
        draw_side: Draws the side that begins, if the player who invites leaves it to chance.
        handle: Carries out an order.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that it connects
        self,
        service: Service,
        menu: BoardMenu,
        play: RemotePlay,
        preferences: TablePreferences,
        draw_side: Callable[[], Side],
        handle: Callable[[Order], object],
    ) -> None:
        self._service, self._menu, self._play = service, menu, play
        self._preferences, self._draw_side = preferences, draw_side
        self.view = NOTHING
        """What is shown. Replaced as a whole, so it may be read by any thread."""
        self._announced: tuple[TableLink | None, bool | None] = None, None
        self._shown_game = ""
        self._pairing = ClubPairing(service, menu, preferences, handle)
        service.add_task(self)

    def receive_next(self, message: bytes) -> None:
        """Process what the club says that is to be played next here. Thread-safe."""
        self._pairing.receive(message)

    def handle(self, order: TableRequest) -> None:
        """Carry out an order that concerns another table.

        Raises:
            UrpiError: If it is impossible now.
        """
        invitations = self._play.invitations
        match order:
            case Invite():
                self._invite(order)
            case WithdrawInvitation():
                invitations.agreement.withdraw()
            case AnswerInvitation(game=game, accepted=False):
                invitations.answer(game, None)
            case AnswerInvitation(game=game, name=name):
                asked = invitations.agreement.asked
                if asked is not None:
                    own = self._preferences.name_of(asked[1].side.other) if name is None else name
                    invitations.answer(game, own)
            case AnswerPairing():
                self._pairing.answer(order)
            case AnswerProposal(what=what, accepted=accepted):
                self._play.answer(what, accepted=accepted)

    def _invite(self, order: Invite) -> None:
        link, invitations = self._play.link, self._play.invitations
        if self._service.snapshot.in_progress:
            raise self._error(END_FIRST)
        if invitations.agreement.asked is not None:
            raise self._error(ANSWER_FIRST, invitations.agreement.asked[0])
        if link is None or not link.can_send:
            raise self._error(NO_BROKER)
        first = order.first or self._draw_side()
        game, rules = secrets.token_hex(16), order.rules.text
        date = f"{self._service.now():%Y.%m.%d}"
        invited = Invited(game, rules, order.side, order.name, first, date)
        invitations.invite(order.table, invited)

    def check_new_game(self) -> None:
        """Check that a game of this table may begin in place of the current one.

        Raises:
            UrpiError: If that is one with another table, which has to consent to its end.
        """
        shot = self._service.snapshot
        is_shared = shot.shared is not None and shot.phase is not Phase.OVER
        if is_shared and self._play.problem is None:
            raise self._error(ABANDON_FIRST)

    def _error(self, text: str, table: str = "") -> UrpiError:
        return UrpiError(self._preferences.words.text(text).replace("{table}", place_name(table)))

    @property
    def next_due(self) -> int | None:
        """When a pairing is offered again; else only messages and requests change what is shown."""
        return self._pairing.next_due

    def tick(self, t: int) -> None:
        """Announce whether this table can be invited, and show what has changed."""
        if self.view is NOTHING and self._play.is_alone:
            return
        self._announce()
        before, self.view = self.view, self._make_view(t)
        if self.view != before:
            self._show_game(before)
            self._show_invitations(before)
            self._service.refresh()
        self._show_invitation()
        self._show_proposal()
        self._pairing.show(self.view.next, t)

    def _announce(self) -> None:
        link = self._play.link
        announced = link, self._play.invitations.is_free
        if link is not None and announced != self._announced:
            self._announced = announced
            link.announce_free(announced[1])

    def _make_view(self, t: int) -> TablesView:
        play, invitations = self._play, self._play.invitations
        asked = invitations.agreement.asked
        return TablesView(
            None if asked is None else (*asked, self._preferences.name_of(asked[1].side.other)),
            invitations.sent,
            invitations.agreement.joining,
            play.asked,
            play.asked_move,
            play.asking,
            play.declined,
            play.problem,
            play.claim,
            self._pairing.view(t),
        )

    def _show_game(self, before: TablesView) -> None:
        """Show on the OLED what became of proposals, and that a game cannot continue."""
        now = self.view
        has_another = now.problem in {"diverged", "unknown"}
        self._service.notices.set_other_game(has_another)
        self._service.notices.set_compares(self._service.held)
        self._service.notices.set_claim(now.claim)
        if has_another and now.problem != before.problem:
            self._menu.show_message(Message("diverged", self._service.snapshot.place))
        if now.proposing is not None and before.proposing is None and now.proposing != "resign":
            self._menu.show_message(Message("asked-table"))
        if now.declined and not before.declined:
            self._menu.show_declined()
        if now.proposed is None and before.proposed is not None:
            self._menu.close_offer()

    def _show_invitations(self, before: TablesView) -> None:
        """Show on the OLED what became of invitations."""
        now = self.view
        if now.invitation is None and before.invitation is not None:
            self._menu.close(Invitation)
        if now.joining is not None:
            self._note("joining", now.joining, before.joining)
        elif before.joining is not None:
            self._menu.close(Message)
            if self._service.snapshot.shared is None:
                self._menu.show_message(Message("joining-failed", place_name(before.joining)))
        if now.sent is None and before.sent is not None:
            self._menu.close(Message)
        elif now.sent is not None and now.sent != before.sent:
            table, state = now.sent
            self._menu.show_message(Message(_SENT[state], place_name(table)))

    def _note(self, code: MessageCode, table: str, before: str | None) -> None:
        if table != before:
            self._menu.show_message(Message(code, place_name(table)))

    def _show_invitation(self) -> None:
        """Show a new invitation, as soon as no player is using the menu."""
        if self.view.invitation is None:
            return
        table, invited, _ = self.view.invitation
        if invited.game == self._shown_game:
            return
        place, side = place_name(table), invited.side.other
        shown = Invitation(invited.game, invited.name, place, invited.rules, side)
        if self._menu.show_invitation(shown):
            self._shown_game = invited.game

    def _show_proposal(self) -> None:
        """Show what the other table proposes until it is answered, below what the referee asks."""
        shot, proposed = self._service.snapshot, self.view.proposed
        by = shot.remote
        if by is None or proposed is None or shot.question is not None or shot.warning is not None:
            return
        name = "take-back" if proposed == "takeback" else proposed
        self._menu.show_offer(Proposal(name, by, self.view.move, remote=True))
