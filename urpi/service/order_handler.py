"""Handling of the players' orders: a new game, another language, another sound, a consent."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from random import SystemRandom
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal import GameSummary
from urpi.journal.consents import with_consent, without_consent
from urpi.referee.facts import Game
from urpi.referee.orders import ChangeLanguage, ChangeSound, NewGame, Order, PublishName
from urpi.referee.seats import (
    NO_COACH,
    Coaches,
    EngineThrows,
    Seats,
    engine_name,
    is_engine,
    remote_side,
)
from urpi.rules import RuleSet, Side, Starter
from urpi.service.preferences import TablePreferences
from urpi.service.service import Service

DicePair = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of light's and dark's dice, if each side has its own."""

_SIDES: Final = frozenset(side.value for side in Side)


def random_side() -> Side:
    """Return a side at random, both with the same probability."""
    return secrets.choice(list(Side))


def random_chance() -> float:
    """Return a random number, 0 <= n < 1, from the operating system's source."""
    return SystemRandom().random()


class OrderHandler:
    """Handles orders and makes the facts that begin games. All in the service's thread.

    Args:
        service: The service whose game is replaced or whose language changes.
        preferences: The table's preferences, which orders change.
        last_game: Returns the last game at the table, None if there is none or it is unknown.
        begin: Begins an ordered game and returns its number.
        reopen_sound: Called after the sound or the language has changed.
        draw_side: Draws the side that begins, for rules that require it.
        hints: Whether players may ask for hints.
        takebacks: Whether people may take moves back in games against the engine.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        service: Service,
        preferences: TablePreferences,
        *,
        last_game: Callable[[], GameSummary | None],
        begin: Callable[[NewGame], int],
        reopen_sound: Callable[[], None],
        draw_side: Callable[[], Side],
        hints: bool = True,
        takebacks: bool = True,
    ) -> None:
        self._service, self._preferences = service, preferences
        self._last_game, self._begin = last_game, begin
        self._reopen_sound, self._draw_side = reopen_sound, draw_side
        self._hints, self._takebacks = hints, takebacks

    def handle(self, order: Order) -> int | None:
        """Carry out an order; return the number of a new game, None for other orders.

        Raises:
            UrpiError: If the language or the sound is not available, or a game cannot begin.
        """
        self._preferences.refresh()
        match order:
            case NewGame():
                return self._begin_instead(order)
            case ChangeLanguage(language=language):
                self._change_language(language)
            case ChangeSound(sound=sound):
                self._change_sound(sound)
            case PublishName():
                self._publish_name(order)
        return None

    def game_fact(  # noqa: PLR0913, PLR0917 - what a game is played with
        self,
        rules: RuleSet,
        first: Side | None,
        names: tuple[str | None, str | None],
        dice: DicePair | None,
        seats: Seats,
        coach: Coaches = NO_COACH,
        engine_throws: EngineThrows = "dice",
    ) -> Game:
        """Return the fact that begins a game.

        Args:
            rules: The rule set.
            first: The side that begins. With None it is drawn if the rules require it; otherwise
                the players decide it at the board.
            names: Light's and dark's names, None for the preferred ones.
            dice: The dice of each side, None if they are shared.
            seats: Who decides the moves of light and of dark. The engine plays under its own name
                unless another one is given.
            coach: From which mark on each side's moves are answered with a better one.
            engine_throws: What throws for the sides of the engine.
        """
        if first is None and rules.starter is Starter.DRAWN:
            first = self._draw_side()
        preferred = self._preferences.current
        light, dark = (
            (own if name is None else name) or engine_name(seat)
            for own, name, seat in zip((preferred.light, preferred.dark), names, seats, strict=True)
        )
        chooser = chooser_of(self._last_game(), rules, (light, dark)) if first is None else None
        return Game(
            self._service.clock(),
            rules.id,
            light,
            dark,
            options=rules.changed,
            first=first,
            dice=dice,
            chooser=chooser,
            seats=seats,
            hints=self._hints,
            coach=coach,
            engine_throws=engine_throws,
            takebacks=self._takebacks or not any(map(is_engine, seats)),
        )

    def _begin_instead(self, order: NewGame) -> int:
        if self._service.game is not None:
            self._service.abandon()
        number = self._begin(order)
        if order.shared is not None:
            self._remember_player(order)
            return number
        current, rules = self._preferences.current, order.rules.text
        (light_seat, dark_seat), (light_coach, dark_coach) = order.seats, order.coach
        self._preferences.change(
            replace(
                current,
                rules=rules,
                light=order.light,
                dark=order.dark,
                light_seat=light_seat,
                dark_seat=dark_seat,
                light_coach=light_coach,
                engine_throws=order.engine_throws,
                dark_coach=dark_coach,
            )
        )
        return number

    def _remember_player(self, order: NewGame) -> None:
        """Keep the name of the player here; the next game is not with the same guest by default."""
        current = self._preferences.current
        plays_light = remote_side(order.seats) is Side.DARK
        own = {"light": order.light} if plays_light else {"dark": order.dark}
        self._preferences.change(replace(current, **own))

    def _change_language(self, language: str) -> None:
        self._preferences.change(replace(self._preferences.current, language=language))
        self._reopen_sound()
        self._service.change_language(language, self._preferences.words.sentence)

    def _change_sound(self, sound: str) -> None:
        preferences = self._preferences
        if sound not in preferences.sounds:
            allowed = ", ".join(preferences.sounds)
            message = f"This table has no sound {sound!r}; choose one of {allowed}."
            raise UrpiError(message)
        preferences.change(replace(preferences.current, sound=sound))
        self._reopen_sound()

    def _publish_name(self, order: PublishName) -> None:
        current, last = self._preferences.current, self._last_game()
        if order.agreed:
            game = max(self._service.game or 0, 0 if last is None else last.id)
            consents = with_consent(current.consents, order.name, game)
        else:
            consents = without_consent(current.consents, order.name)
        self._preferences.change(replace(current, consents=consents))


def chooser_of(last: GameSummary | None, rules: RuleSet, names: tuple[str, str]) -> Side | None:
    """Return the side that chooses who begins, None if the rules or the last game name none.

    It follows from the last game, if that was by the same rule set between the same players.

    Args:
        last: The last game at the table, None if unknown.
        rules: The rule set of the new game.
        names: Light's and dark's names in the new game.
    """
    # By the id alone: the journal may contain rule sets that this program does not have.
    if last is None or last.result not in _SIDES or last.rules.partition("[")[0] != rules.id:
        return None
    winner = Side(last.result)
    if names == (last.light, last.dark):
        return rules.next_chooser(winner)
    if names == (last.dark, last.light):
        return rules.next_chooser(winner.other)
    return None
