"""What players order at a table: a new game, another language, another sound, a consent."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from random import SystemRandom
from typing import Final

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import GameSummary, StoredAnswer, store_answer
from urpi.journal.consents import with_consent, without_consent
from urpi.journal.entries import SEAL_KEY
from urpi.referee.facts import Game
from urpi.referee.orders import (
    AnswerExercise,
    ChangeLanguage,
    ChangeSound,
    NewGame,
    Order,
    PublishName,
    ShowPlayer,
)
from urpi.referee.seats import NO_COACH, engine_name, is_engine, remote_side
from urpi.rules import RuleSet, Side, Starter
from urpi.service.devices import BoardDevices
from urpi.service.game_dice import own_dice, paired_of, unsuitable
from urpi.service.preferences import TablePreferences, clock_word
from urpi.service.service import Service

_SIDES: Final = frozenset(side.value for side in Side)


def random_side() -> Side:
    """Return a side at random, both with the same probability."""
    return secrets.choice(list(Side))


def random_chance() -> float:
    """Return a random number, 0 <= n < 1, from the operating system's source."""
    return SystemRandom().random()


class OrderHandler:
    """Handles orders and begins games. All in the service's thread.

    Args:
        config: The configuration.
        service: The service whose game is replaced or whose language changes.
        preferences: The table's preferences, which orders change.
        devices: The devices, which read the board at the beginning of a game.
        prepare: Called with an ordered game before it begins, after the one before it has ended.
        draw_side: Draws the side that begins, for rules that require it.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what varies is passed in
        self,
        config: Config,
        service: Service,
        preferences: TablePreferences,
        devices: BoardDevices,
        prepare: Callable[[NewGame], None],
        draw_side: Callable[[], Side],
    ) -> None:
        self._config, self._service, self._preferences = config, service, preferences
        self._devices, self._prepare, self._draw_side = devices, prepare, draw_side

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
            case ShowPlayer():
                self._show_player(order)
            case AnswerExercise():
                self._store_answer(order)
        return None

    def begin(self, order: NewGame) -> int:
        """Begin a game and return its number in the journal.

        The engine plays under its own name unless another one is given. A game with another table
        has neither hints nor coach.

        Raises:
            UrpiError: If the game cannot be stored.
        """
        key = {} if order.shared is None else {SEAL_KEY: secrets.token_hex(16)}
        number = self._service.new_game(self.game_of(order), key)
        paired = paired_of(self._config)
        self._service.report_dice("dice-unsuitable", unsuitable(order.rules.dice, paired))
        self._devices.read_board()
        return number

    def game_of(self, order: NewGame) -> Game:
        """Return the fact that begins an ordered game."""
        rules, first, seats, shared = order.rules, order.first, order.seats, order.shared
        if order.position is not None:
            # Its side begins.
            first = None
        elif first is None and rules.starter is Starter.DRAWN:
            first = self._draw_side()
        light, dark = order.light or engine_name(seats[0]), order.dark or engine_name(seats[1])
        is_open = first is None and shared is None and order.position is None
        last = self._service.last_game() if is_open else None
        table, paired = self._config.table, paired_of(self._config)
        return Game(
            self._service.clock(),
            rules.id,
            light,
            dark,
            options=rules.changed,
            first=first,
            dice=order.dice or own_dice(paired, rules.dice.count),
            position=None if order.position is None else str(order.position),
            chooser=chooser_of(last, rules, (light, dark)),
            seats=seats,
            hints=table.hints and shared is None and not order.paired,
            coach=order.coach if shared is None else NO_COACH,
            engine_throws=order.engine_throws,
            # The setting is about games against the engine: people agree among themselves.
            takebacks=table.takebacks or shared is not None or not any(map(is_engine, seats)),
            shared=shared,
            early_throws=table.early_throws and shared is None,
            by_hand=self._config.dice.source == "hand",
            start=rules.start_value,
            decline=rules.may_decline and shared is None,
            clock=order.clock,
        )

    def prepare_set_up(self, order: NewGame) -> None:
        """Prepare the set-up of an ordered game's position at the board, which is read for it."""
        self._prepare(order)
        self.read_board()

    def read_board(self) -> None:
        """Read the board from now on; without a game nothing has read it lately."""
        self._devices.read_board()

    def _begin_instead(self, order: NewGame) -> int:
        if self._service.game is not None:
            self._service.abandon()
        self._prepare(order)
        number = self.begin(order)
        if order.shared is not None:
            self._remember_player(order)
            return number
        if order.paired:
            # The next game is not one of these players by default.
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
                clock=clock_word(order.clock),
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
        self._devices.reopen_outputs()
        self._service.change_language(language, self._preferences.words.sentence)

    def _change_sound(self, sound: str) -> None:
        preferences = self._preferences
        if sound not in preferences.sounds:
            allowed = ", ".join(preferences.sounds)
            message = f"This table has no sound {sound!r}; choose one of {allowed}."
            raise UrpiError(message)
        preferences.change(replace(preferences.current, sound=sound))
        self._devices.reopen_outputs()

    def _publish_name(self, order: PublishName) -> None:
        current, last = self._preferences.current, self._service.last_game()
        if order.agreed:
            game = max(self._service.game or 0, 0 if last is None else last.id)
            consents = with_consent(current.consents, order.name, game)
        else:
            consents = without_consent(current.consents, order.name)
        self._preferences.change(replace(current, consents=consents))

    def _show_player(self, order: ShowPlayer) -> None:
        current = self._preferences.current
        change = with_consent(current.shown, order.name, 0)
        if not order.agreed:
            change = without_consent(current.shown, order.name)
        self._preferences.change(replace(current, shown=change))

    def _store_answer(self, order: AnswerExercise) -> None:
        at = self._service.now().isoformat(timespec="seconds")
        answer = StoredAnswer(order.game, order.throw, at, order.move, order.good)
        self._service.write(
            f"answer {order.game} {order.throw} {at}",
            lambda journal: store_answer(journal, answer),
        )


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
