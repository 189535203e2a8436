"""The service at a board: switches, buttons, dice hub and OLED joined with the referee.

What they are plugged into is passed in (`Plugs`): the Pi's header, a serial port and an I2C
bus, or the virtual table's ends of the same.
"""

import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from PIL import Image

from urpi.config import Config
from urpi.devices import (
    ContactBackend,
    Contacts,
    DiceHealth,
    DiceHub,
    DiceSource,
    HubSettings,
    RetryingContacts,
    ScreenSaver,
    open_contacts,
    open_serial,
)
from urpi.errors import UrpiError
from urpi.journal import Journal, Keeper, Preferences, last_game, players_of, prefer
from urpi.menu import (
    DieInfo,
    MenuScreen,
    Offer,
    PageAccess,
    PagePin,
    TableStatus,
    TextPage,
    without_pin,
)
from urpi.orders import ChangeLanguage, ChangeSound, NewGame, Order
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Fact, Game
from urpi.rules import RuleSet, Side, Squares, Starter, parse_rules
from urpi.service.board_menu import BoardMenu
from urpi.service.last_minute import last_minute
from urpi.service.notices import Notice
from urpi.service.plugs import Plugs
from urpi.service.preferences import (
    chooser_of,
    configured_preferences,
    sounds_of,
    stored_preferences,
)
from urpi.service.referee_settings import referee_settings
from urpi.service.service import Clock, Service, Show
from urpi.service.voice import Voice
from urpi.views import draw, draw_menu
from urpi.views.menu_screens import offer_text
from urpi.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.views.sounds import TURN, sound
from urpi.words import Words, languages

if TYPE_CHECKING:
    from urpi.devices import Screen

PROBE_S: Final = 2.0
"""The OLED is asked so often whether it is there."""

RECENT_GAMES: Final = 200
"""Whoever played in one of the newest so many games has a name to choose."""
MOST_NAMES: Final = 20

_T = TypeVar("_T")
_log: Final = logging.getLogger(__name__)


def draw_lots() -> Side:
    """Light or dark, as likely."""
    return secrets.choice(list(Side))


class BoardService:
    """A `Service` with its devices. Use it in a ``with``; it opens and closes them.

    `watch` is told of every change, after it is stored and sent to the OLED. `begin` begins
    the game that was ordered and gives its number, in the thread that works, where more is to
    be done for it than `begin` of this class does; `lots` says who begins where rules draw.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        config: Config,
        keeper: Keeper,
        clock: Clock,
        plugs: Plugs,
        watch: Show,
        *,
        table: str = "board",
        begin: Callable[[NewGame], int] | None = None,
        lots: Callable[[], Side] = draw_lots,
    ) -> None:
        self._config, self._plugs, self._watch = config, plugs, watch
        self._keeper, self._table, self._lots = keeper, table, lots
        self._begin_ordered = begin or self._begin_as_ordered
        self._configured = configured_preferences(config)
        self._preferences = self._read(
            lambda journal: stored_preferences(journal, table, config), self._configured
        )
        self._voice = Voice(config, plugs, self._preferences)
        self._opened = ExitStack()
        self.screen: Screen | None = None
        self.service = Service(
            keeper,
            referee_settings(config, self._preferences.language),
            clock,
            self._show,
            language=self._preferences.language,
            now=local_now,
            table=table,
        )
        self.clock = self.service.clock
        """The game's time, for the facts that are handed in by `heard`."""
        self.page: Callable[[], PageAccess] = PageAccess
        """Where the page is to be found now; set by who opens one."""
        self.menu = BoardMenu(
            self.service,
            players=self._players,
            around=self._around,
            carry_out=self._carry_out,
            look_back=self._look_back,
            redraw=self._show_menu,
        )

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._open(opening)
            self._opened = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def _open(self, opening: ExitStack) -> None:
        plugs = self._plugs
        opening.callback(self.service.close)
        if plugs.oled is not None:
            self.screen = self._open_screen(plugs.oled)
            opening.callback(self.screen.close)
        self._voice.open()
        opening.callback(self._voice.close)
        self._contacts = RetryingContacts(self._open_contacts, self._pins_fault)
        opening.callback(self._contacts.close)
        self._dice = self._dice_source(plugs)
        opening.callback(self._dice.close)
        self.service.device_away("hub-missing")
        self._dice.start(self.heard, self._dice_changed)
        self._show(self.service.snapshot, ())
        if self.service.game is not None:
            self._read_board()

    def _open_screen(self, display: Callable[[], Any]) -> "Screen":
        # A board without a display needs no luma.
        from urpi.devices import Screen  # noqa: PLC0415

        oled = self._config.oled
        saver = ScreenSaver(dim_ms=1000 * oled.dim_s, blank_ms=1000 * oled.blank_s)
        screen = Screen(display, saver=saver, probe_s=PROBE_S, on_fault=_log_oled)
        screen.dim(oled.contrast)
        return screen

    def _open_contacts(self) -> Contacts:
        plugs = self._plugs
        backend = ContactBackend(plugs.factory, plugs.pins, plugs.open_bus)
        return open_contacts(self._config, backend, self.clock, self.heard, self._contacts_fault)

    def _dice_source(self, plugs: Plugs) -> DiceSource:
        hub = self._config.hub
        settings = HubSettings(hub.tumbled_faces, hub.free_fall_ms)
        return DiceHub(lambda: open_serial(plugs.hub), plugs.faces, self.clock, settings=settings)

    def heard(self, fact: Fact) -> None:
        """Hand in a fact; from any thread. Its time is that of `clock`.

        A button's press goes through the menu first, and is no fact when the menu takes it.
        """
        if self.screen is not None:
            self.screen.wake()
        if isinstance(fact, Button):
            self.service.call(lambda: self.menu.pressed(fact)).add_done_callback(_log_failure)
        else:
            self.service.emit(fact)

    def _dice_changed(self, health: DiceHealth) -> None:
        if not health.available:
            self.service.device_away("hub-missing")
            return
        self.service.device_back("hub-missing")
        self.service.dice_low(health.low)

    def _contacts_fault(self, fault: UrpiError | None) -> None:
        if fault is None:
            _log.warning("The board's switches answer again.")
            self.service.device_back("contacts-missing")
        else:
            _log.warning("%s", fault)
            self.service.device_away("contacts-missing")

    def _pins_fault(self, fault: UrpiError | None) -> None:
        self._contacts_fault(fault)
        if fault is None:
            # The buzzer's pin was away with theirs.
            sounded = self.service.call(lambda: self._voice.change(self._preferences))
            sounded.add_done_callback(_log_failure)

    @property
    def hub(self) -> DiceHealth:
        """The health of the dice's source."""
        return self._dice.health

    def occupancy(self) -> Squares | None:
        """What stands where, read now; None while nobody can look.

        Raises:
            UrpiError: when a pin cannot be read.
        """
        reading = self._contacts.read()
        return None if reading is None else reading.squares

    @property
    def sounds(self) -> tuple[str, ...]:
        """What may be heard at this table, of `urpi.orders.SOUNDS`; from any thread."""
        return sounds_of(self._config)

    @property
    def dice(self) -> tuple[DieInfo, ...]:
        """Every die that has reported since the start; from any thread."""
        return tuple(
            DieInfo(one.die, one.in_range, one.face, one.battery_mv, one.low, one.error)
            for one in self._dice.statuses()
        )

    @property
    def preferences(self) -> Preferences:
        """What holds at this table now; from any thread."""
        return self._preferences

    @property
    def words(self) -> Words:
        """The words that everything is shown and said in now; from any thread."""
        return self._voice.words

    def show_pin(self, pin: str, address: str) -> None:
        """Show the page's PIN for a while, unless the players are busy; from any thread."""
        if self.screen is not None:
            self.screen.wake()
        done = self.service.call(lambda: self.menu.show_pin(PagePin(pin, address)))
        done.add_done_callback(_log_failure)

    def order(self, order: Order) -> Future[int | None]:
        """Have an order carried out by the thread that works; from any thread.

        The future gets the number of a new game, None for other orders, or the `UrpiError`
        that says why not; it is cancelled when the program ends before.
        """
        if self.screen is not None:
            self.screen.wake()
        return self.service.call(lambda: self._carry_out(order))

    def _carry_out(self, order: Order) -> int | None:
        match order:
            case NewGame():
                return self._new_game(order)
            case ChangeLanguage(language=language):
                self._change_language(language)
            case ChangeSound(sound=sound):
                self._change_sound(sound)
        self._show_again()
        return None

    def _show_again(self) -> None:
        self._show(self.service.snapshot, ())

    def _show_menu(self) -> None:
        self._show_again()
        menu = self.menu.screen
        if isinstance(menu, Offer):
            # Whoever has to answer may be looking at the board.
            self._voice.play(TURN, offer_text(menu, self.service.snapshot, self.words))

    def _players(self) -> tuple[str, ...]:
        nobody: tuple[str, ...] = ()
        return self._read(lambda journal: players_of(journal, RECENT_GAMES), nobody)[:MOST_NAMES]

    def _around(self, players: tuple[str, ...]) -> TableStatus:
        """How the table is, for the menu; in the thread that works."""
        chosen = self._preferences
        return TableStatus(
            self.service.snapshot,
            NewGame(parse_rules(chosen.rules), chosen.light, chosen.dark),
            chosen.language,
            languages(),
            chosen.sound,
            self.sounds,
            players,
            self.dice,
            hub=self._dice.health.available,
            page=self.page(),
        )

    def _read(self, reading: Callable[[Journal], _T], otherwise: _T) -> _T:
        """What a reading of the journal gives, the other while the disk does not let it."""
        found = self._keeper.read(reading, local_now())
        return otherwise if found is None else found

    def _look_back(self) -> tuple[TextPage, ...]:
        game = self.service.game
        if game is None:
            return ()
        return last_minute(self._keeper.path, game, self.words, self.page().address)

    def _new_game(self, order: NewGame) -> int:
        if self.service.game is not None:
            self.service.abandon()
        number = self._begin_ordered(order)
        rules = order.rules.text
        self._prefer(replace(self._preferences, rules=rules, light=order.light, dark=order.dark))
        return number

    def _begin_as_ordered(self, order: NewGame) -> int:
        return self.begin(order.rules, order.first, light=order.light, dark=order.dark)

    def _change_language(self, language: str) -> None:
        chosen = replace(self._preferences, language=language)
        self._voice.change(chosen)
        self.service.speak(language, self.words.sentence)
        self._prefer(chosen)

    def _change_sound(self, sound: str) -> None:
        if sound not in self.sounds:
            allowed = ", ".join(self.sounds)
            message = f"This table has no sound {sound!r}; choose one of {allowed}."
            raise UrpiError(message)
        chosen = replace(self._preferences, sound=sound)
        self._voice.change(chosen)
        self._prefer(chosen)

    def _prefer(self, chosen: Preferences) -> None:
        """Apply and store preferences; during an outage they are stored when it ends."""
        self._preferences = chosen
        self._keeper.write(
            "preferences",
            lambda journal: prefer(journal, self._table, self._configured, chosen),
            local_now(),
        )

    def begin(
        self,
        rules: RuleSet,
        first: Side | None,
        dice: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
        *,
        light: str | None = None,
        dark: str | None = None,
    ) -> int:
        """Begin a game; its number in the journal. In the thread that works.

        Players who are not named are those of `preferences`; where the rules draw who begins,
        and `first` does not say, it is drawn.

        Raises:
            UrpiError: when it cannot be stored.
        """
        chosen = self._preferences
        if first is None and rules.starter is Starter.DRAWN:
            first = self._lots()
        names = chosen.light if light is None else light, chosen.dark if dark is None else dark
        last = self._read(lambda journal: last_game(journal, self._table), None)
        game = Game(
            self.clock(),
            rules.id,
            *names,
            options=rules.changed,
            first=first,
            dice=dice,
            chooser=chooser_of(last, rules, names) if first is None else None,
        )
        number = self.service.new_game(game)
        self._read_board()
        return number

    def resume(self) -> int | None:
        """Go on with this table's last game; its number, None when it was finished.

        To be called before the devices are opened. Their first reading says what has been
        moved since, and the referee guides the players to put it right.

        Raises:
            UrpiError: when what is stored cannot be understood.
        """
        return self.service.resume()

    def _read_board(self) -> None:
        if (reading := self._contacts.read()) is not None:
            self.service.emit(reading)
        self.service.read_board(self._contacts.read, self._config.timing.full_reading_ms)

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        if self.screen is not None:
            notice, words, menu = self.service.notice, self.words, self.menu.screen
            self.screen.show_drawn(lambda: _picture(snapshot, notice, words, menu))
        if heard := sound(snapshot, decisions, self.words):
            self._voice.play(heard.motif, heard.text)
        self._watch(snapshot, decisions)

    def picture(self) -> Image.Image:
        """What the OLED is to show now, drawn anew; from any thread.

        The PIN is hidden: only who stands before the display is to have it.
        """
        snapshot, shown = self.service.snapshot, self.menu.screen
        menu = None if shown is None else without_pin(shown)
        return _picture(snapshot, self.service.notice, self.words, menu)


def _picture(
    snapshot: Snapshot, notice: Notice | None, words: Words, menu: MenuScreen | None
) -> Image.Image:
    picture = draw(snapshot, words) if menu is None else draw_menu(menu, snapshot, words)
    # The menu needs its last line, which says what the buttons do; news go away by themselves.
    if notice is not None and (menu is None or not notice.brief):
        text = words.sentence(notice.code, notice.details)
        draw_notice(picture, text, lines=1 if notice.brief else MAX_NOTICE_LINES)
    return picture


def _log_failure(done: Future[Any]) -> None:
    if not done.cancelled() and (error := done.exception()) is not None:
        _log.error("%s", error)


def _log_oled(fault: UrpiError | None) -> None:
    _log.warning("%s", fault or "The OLED answers again.")


def local_now() -> datetime:
    """The local time, with its offset from UTC."""
    return datetime.now().astimezone()
