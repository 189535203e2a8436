"""Explorations at the board: lines tried beside the game, and the way back.

The service leaves the game as it is (`urpi.service.service.Service.explore`); here is decided
whether it may, and with what the line begins. All in the service's thread.
"""

from typing import Final

from urpi.core.errors import UrpiError
from urpi.referee.exploring import ExploreRefusal, exploration_of
from urpi.referee.orders import Explore, ExploreOrder, GoBack, NewGame
from urpi.referee.seats import NO_COACH, PERSONS
from urpi.rules import Position, Side
from urpi.service.order_handler import OrderHandler
from urpi.service.preferences import TablePreferences
from urpi.service.service import Service
from urpi.show.words.sentences import N_

REFUSALS: Final[dict[ExploreRefusal, str]] = {
    "explore-no-game": N_("There is no position of a game to explore from."),
    "explore-remote": N_("In a game with another table you cannot explore."),
    "explore-engine": N_(
        "Against the engine you can explore at your turn, if hints and taking back are allowed."
    ),
    "explore-now": N_("Explore between two moves, when the display asks for nothing."),
    "explore-rated": N_("This game counts for the club's ratings. Explore after it."),
}
IN_PROGRESS: Final = N_("A game is in progress. Explore from its own position, or after it.")
NOT_EXPLORING: Final = N_("Nothing is being explored.")
FROM_GAME: Final = N_("A game waits for this exploration. Go back to its position first.")


class Explorer:
    """Carries out the orders of explorations.

    Args:
        service: The service at the board.
        preferences: The table's preferences, with the names that the club may show.
        orders: Makes the fact of a game, from which that of an exploration is made.
    """

    def __init__(
        self, service: Service, preferences: TablePreferences, orders: OrderHandler
    ) -> None:
        self._service, self._preferences, self._orders = service, preferences, orders

    def handle(self, order: ExploreOrder) -> None:
        """Carry out an order.

        Raises:
            UrpiError: If that is impossible now.
        """
        if isinstance(order, Explore):
            self._explore(order.position)
            return
        if self._service.exploring is None:
            self._refuse(NOT_EXPLORING)
        if isinstance(order, GoBack):
            self._service.go_back()
        elif self._service.explores_game:
            self._refuse(FROM_GAME)
        else:
            self._service.end_exploration()

    def _explore(self, position: Position | None) -> None:
        service = self._service
        if position is None:
            refusal = service.why_not_explore(rated=self.is_rated)
            if refusal is not None:
                self._refuse(REFUSALS[refusal])
            game, shot = service.opening, service.snapshot
            assert game is not None
            assert shot.position is not None
            line = exploration_of(game, service.clock(), shot.position, "line")
            service.explore(line, None if shot.throw is None else shot.throw.faces)
            return
        if service.game_snapshot.in_progress:
            self._refuse(IN_PROGRESS)
        light, dark = map(self._preferences.name_of, Side)
        game = self._orders.game_of(NewGame(position.rules, light, dark, position=position))
        self._orders.read_board()
        service.explore(exploration_of(game, service.clock(), position, "line"))

    @property
    def is_rated(self) -> bool:
        """Whether the club will count the current game for its ratings.

        It counts games from the start position of two persons whose names it may show.
        """
        preferences, game = self._preferences, self._service.opening
        if not preferences.has_club or game is None:
            return False
        names = {game.light, game.dark} - {""}
        is_plain = (game.seats, game.coach, game.position) == (PERSONS, NO_COACH, None)
        return is_plain and len(names) == 2 and names <= set(preferences.published)

    @property
    def may_explore(self) -> bool:
        """Whether the players may explore from the game's position now, if they agree."""
        return self._service.snapshot.may_explore and not self.is_rated

    def _refuse(self, text: str) -> None:
        raise UrpiError(self._preferences.words.text(text))
