"""The pairing of a tournament that the club has assigned to this table, and its game.

Everything happens in the service's thread, except `receive`.
"""

import logging
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from urpi.core.errors import UrpiError
from urpi.link.protocol.message_parsers import parse_next
from urpi.link.protocol.messages import NextGame
from urpi.link.remote.tables_view import PairingView
from urpi.referee import Phase
from urpi.referee.clock import parse_time_control
from urpi.referee.decisions import Drawn, Won
from urpi.referee.orders import AnswerPairing, NewGame, Order, Pairing, PublishName
from urpi.referee.seats import NO_COACH, PERSONS
from urpi.rules import RuleSet, parse_rules
from urpi.service.board_menu import BoardMenu
from urpi.service.devices import log_failure
from urpi.service.preferences import TablePreferences
from urpi.service.service import Service

RESULT_MS: Final = 15_000
"""Time for which the display shows how a game ended, before it asks for the next one."""
CLUB_MS: Final = 60_000
"""Time in which the club verifies a game and takes its pairing back; then it is offered again, as
after a draw in a knockout."""

_log: Final = logging.getLogger(__name__)


class ClubPairing:
    """What the club says that is to be played next here.

    Args:
        service: The service of the board.
        menu: The menu of the board.
        preferences: The table's preferences.
        handle: Carries out an order.
    """

    def __init__(
        self,
        service: Service,
        menu: BoardMenu,
        preferences: TablePreferences,
        handle: Callable[[Order], object],
    ) -> None:
        self._service, self._menu = service, menu
        self._preferences, self._handle = preferences, handle
        self._received = self._read = b""
        self._is_waking = False
        self._found: tuple[str, NextGame, RuleSet | None] | None = None
        """The pairing with its identity and its rules, None without one that can be played."""
        self._is_unknown = False
        self._put_off = False
        """Whether the players here have answered it."""
        self._begun: int | None = None
        """The game that has begun with it."""
        self._ended_at: int | None = None
        """When that game was won or drawn."""
        self._over: tuple[int | None, int] | None = None
        """The game that is over, and when that was noticed."""

    # Called by the connection's thread.

    def receive(self, message: bytes) -> None:
        """Process the club's message, empty if nothing is to be played next. Thread-safe."""
        self._received = message
        # One call for many messages.
        if not self._is_waking:
            self._is_waking = True
            self._service.call(self._wake).add_done_callback(log_failure)

    # Called in the service's thread.

    def _wake(self) -> None:
        # The service's tasks follow each call.
        self._is_waking = False

    @property
    def next_due(self) -> int | None:
        """When what is offered changes by itself, None for never."""
        if self._found is None:
            return None
        now, over = self._service.clock(), self._over
        ends = [
            *([] if over is None else [over[1] + RESULT_MS]),
            *([] if self._ended_at is None else [self._ended_at + CLUB_MS]),
        ]
        return min((end for end in ends if end > now), default=None)

    def view(self, t: int) -> PairingView | None:
        """Return what is offered at time `t`, None if nothing is."""
        self._note_message()
        self._note_game(t)
        shot = self._service.snapshot
        # Throws that decide who begins do not yet make it a game in progress.
        has_begun = shot.in_progress or shot.start_throws != (None, None)
        if (has_begun and shot.phase is not Phase.OVER) or shot.explore is not None:
            return None
        if self._found is None:
            return PairingView(None) if self._is_unknown else None
        if self._ended_at is not None and t < self._ended_at + CLUB_MS:
            return None
        key, game, rules = self._found
        agreed = {game.light, game.dark} <= set(self._preferences.published)
        if agreed and self._is_set_up(game, rules):
            return None
        found = rules or self._preferences.next_game.rules
        return PairingView(
            Pairing(key, game.name, game.round, game.light, game.dark, found, agreed)
        )

    def show(self, view: PairingView | None, t: int) -> None:
        """Show what is offered on the OLED, unless it is used for something else."""
        shot = self._service.snapshot
        offered = None if view is None else view.pairing
        if offered != self._menu.pairing:
            self._menu.set_pairing(offered)
        is_shown = self._over is None or t >= self._over[1] + RESULT_MS
        asked = (shot.question, shot.warning, shot.seems) != (None, None, None)
        if offered is not None and is_shown and not asked and not self._put_off:
            self._menu.show_pairing(offered)

    def answer(self, order: AnswerPairing) -> None:
        """Begin the game of the pairing, or put it off; nothing happens if it is not offered.

        Raises:
            UrpiError: If the game cannot begin.
        """
        view = self.view(self._service.clock())
        pairing = None if view is None else view.pairing
        if pairing is None or pairing.game != order.game:
            return
        self._put_off = True
        if not order.accepted:
            return
        for name in (pairing.light, pairing.dark):
            # Without their names, the club cannot find the result.
            self._handle(PublishName(name, True))
        # Not that of the game before.
        word = self._preferences.config.table.clock
        clock = parse_time_control(word) if word else None
        self._handle(NewGame(pairing.rules, pairing.light, pairing.dark, clock=clock, paired=True))
        self._begun, self._ended_at = self._service.game, None

    def _note_message(self) -> None:
        data = self._received
        if data == self._read:
            return
        self._read, self._found, self._is_unknown = data, None, False
        self._put_off, self._begun, self._ended_at = False, None, None
        if not data:
            return
        try:
            game = parse_next(data)
            rules = None if game.rules is None else parse_rules(game.rules)
        except UrpiError as error:
            _log.warning("The club's next game cannot be played here. %s", error)
            self._is_unknown = True
            return
        self._found = blake2b(data, digest_size=16).hexdigest(), game, rules

    def _note_game(self, t: int) -> None:
        shot, number = self._service.snapshot, self._service.game
        if shot.phase is not Phase.OVER:
            self._over = None
        elif self._over is None or self._over[0] != number:
            self._over = number, t
            is_decided = isinstance(shot.outcome, Won | Drawn)
            if number is not None and number == self._begun and is_decided:
                self._ended_at = t

    def _is_set_up(self, game: NextGame, rules: RuleSet | None) -> bool:
        """Return whether the game that waits for its first throw brings the result, too."""
        shot = self._service.snapshot
        if shot.position is None or shot.phase in {Phase.OVER, Phase.NO_GAME}:
            return False
        if rules is not None and rules.id != shot.position.rules.id:
            return False
        now = shot.light, shot.dark, shot.seats, shot.coach
        return now == (game.light, game.dark, PERSONS, NO_COACH)
