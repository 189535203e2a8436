"""The service at a board: referee, journal, menu and views connected to the board's devices.

The devices are opened by `urpi.service.devices`, and orders handled by
`urpi.service.order_handler`. The backends are passed in: hardware, or the virtual table's.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from datetime import datetime
from typing import TYPE_CHECKING, Final, Self

from PIL import Image

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.engine.exact.folder import tables_folder
from urpi.hardware import DiceHealth
from urpi.journal import Keeper, Preferences, players_of
from urpi.link.broker.status import ClubStatus
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Die, Fact
from urpi.referee.orders import AskHint, NewGame, Order, TableRequest
from urpi.rules import Side, Squares
from urpi.service.backends import Backends
from urpi.service.board_menu import BoardMenu
from urpi.service.devices import BoardDevices, log_failure
from urpi.service.end_reviewer import EndReviewer, Reviewer
from urpi.service.engine_player import Engine, EnginePlayer
from urpi.service.engine_process import EngineProcess, worker_command
from urpi.service.game_dice import in_game, paired_of
from urpi.service.last_minute import last_minute
from urpi.service.oled_picture import oled_picture
from urpi.service.order_handler import OrderHandler, random_chance, random_side
from urpi.service.other_tables import OtherTables
from urpi.service.preferences import TablePreferences, preferred_seats
from urpi.service.referee_settings import referee_settings
from urpi.service.review_process import ReviewProcess, review_command
from urpi.service.service import Clock, OnChange, Service
from urpi.service.win_chances import WinChances
from urpi.show.menu import (
    DieInfo,
    Invitation,
    Offer,
    PageAccess,
    PagePin,
    TableStatus,
    TextPage,
    without_pin,
)
from urpi.show.views.menu_screens import invitation_text, offer_text
from urpi.show.views.sounds import TURN, sound
from urpi.show.words import Words, languages
from urpi.show.words.end_review import EndReview
from urpi.show.words.sentences import N_

if TYPE_CHECKING:
    from urpi.hardware import Screen

NO_HINT: Final = N_("There is no hint now.")
RECENT_GAMES: Final = 200
"""Number of games whose players are offered as names for the next one."""
MAX_NAMES: Final = 20
"""Maximum number of names offered."""


class BoardService:
    """A `Service` with its devices, which it opens and closes. Use it in a ``with`` statement.

    Args:
        config: The configuration.
        keeper: Stores the games and the preferences.
        clock: The machine's clock; its origin is arbitrary.
        backends: The backends of the devices.
        watch: Called after every change, which is then stored and shown on the OLED.
        table: The name of the table in the journal.
        prepare: Called in the service's thread with an ordered game before it begins.
        draw_side: Draws the side that begins, for rules that require it.
        chance: Returns the random numbers, 0 <= n < 1, by which the engine's weaker levels choose.
        engine: Evaluates positions; by default a process of its own.
        reviewer: Reviews games that have ended, if `review` in [table] is set; by default a process
            of its own.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        config: Config,
        keeper: Keeper,
        clock: Clock,
        backends: Backends,
        watch: OnChange,
        *,
        table: str = "board",
        prepare: Callable[[NewGame], None] = lambda _order: None,
        draw_side: Callable[[], Side] = random_side,
        chance: Callable[[], float] = random_chance,
        engine: Engine | None = None,
        reviewer: Reviewer | None = None,
    ) -> None:
        self._config, self._keeper, self._watch = config, keeper, watch
        self._preferences = TablePreferences(config, keeper, table, local_now)
        language = self._preferences.current.language
        self.service = Service(
            keeper,
            referee_settings(config, language),
            clock,
            self._show,
            language=language,
            now=local_now,
            table=table,
        )
        self.clock = self.service.clock
        """The game's time, for the facts passed to `submit`."""
        self.page: Callable[[], PageAccess] = PageAccess
        """Returns the page's address and PIN; to be assigned if there is a page."""
        self.club: Callable[[], ClubStatus | None] = lambda: None
        """Returns the state of the connection to the club; to be assigned if there is one."""
        self._devices = BoardDevices(
            config, backends, self.service, self.submit, lambda: self._preferences.config
        )
        self._orders = OrderHandler(
            config, self.service, self._preferences, self._devices, prepare, draw_side
        )
        self.menu = BoardMenu(
            self.service,
            players=self._recent_players,
            status=self._table_status,
            handle_order=self._handle_order,
            last_minute=self._last_minute,
            offer_draw=self._offer_draw,
            process=self.process,
            redraw=self._show_menu,
        )
        engine = engine or EngineProcess(worker_command(tables_folder(keeper.path)))
        self.engine = EnginePlayer(self.service, engine, chance, lambda: self.menu.is_open)
        """The engine, for the sides whose seat it has."""
        self.tables = OtherTables(
            self.service,
            self.menu,
            read=self.service.read,
            begin=self._handle_order,
            words=lambda: self.words,
            name=self._preferred_name,
            draw_side=draw_side,
            date=lambda: f"{local_now():%Y.%m.%d}",
            on_change=self._show_again,
        )
        """What players here do with those at other tables. Use it in the service's thread."""
        self.remote = self.tables.play
        """The game with another table, if the current one is one."""
        self.win_chances = WinChances(self.service, engine)
        """The probability to win, for views that show it. Use it in the service's thread."""
        reviewer = reviewer or ReviewProcess(review_command(keeper.path))
        self._end = EndReviewer(self.service, reviewer, self._show_again)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        # If opening one device fails, those before it are closed again.
        with ExitStack() as stack:
            stack.callback(self.service.close)
            stack.callback(self.engine.close)
            stack.callback(self._end.close)
            stack.enter_context(self._devices)
            self._show_again()
            if self.service.game is not None:
                self._devices.read_board()
            # The program was stopped after the end of a game: its review may still be due.
            elif self._config.table.review:
                self._end.resume(self.service.last_game(), local_now())
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def submit(self, fact: Fact) -> None:
        """Submit a fact with a time of `clock`. Thread-safe.

        A button press goes to the menu first, and becomes a fact only if it is for the referee.
        """
        # The display may be dimmed: whatever happens at the board ends that.
        self._devices.wake()
        if isinstance(fact, Button):
            self.service.call(lambda: self.menu.press(fact)).add_done_callback(log_failure)
        else:
            self.service.submit(self._as_counted(fact) if isinstance(fact, Die) else fact)

    def process(self, fact: Fact) -> tuple[Decision, ...]:
        """Process a player's request at once and return its decisions, in the service's thread.

        In a game with another table it may only be proposed there; there are no decisions then.
        """
        return self.tables.process(fact)

    def _preferred_name(self, side: Side) -> str:
        """Return the name of a side's player in the preferences, empty for the engine."""
        preferred = self.preferences
        is_person = preferred_seats(preferred)[side.number] == "person"
        return (preferred.light, preferred.dark)[side.number] if is_person else ""

    def _as_counted(self, fact: Die) -> Die:
        position = self.service.snapshot.position
        paired = paired_of(self._config)
        return fact if position is None else in_game(fact, position.rules.dice, paired)

    @property
    def idle(self) -> bool:
        """Whether every submitted fact has been processed, and no move of the engine is awaited."""
        return self.engine.idle and self.service.idle

    @property
    def screen(self) -> "Screen | None":
        """The OLED, None if there is none."""
        return self._devices.screen

    @property
    def dice_health(self) -> DiceHealth:
        """The health of the dice source. Thread-safe."""
        return self._devices.dice.health

    @property
    def dice(self) -> tuple[DieInfo, ...]:
        """The status of every die that is paired or has reported since the start. Thread-safe."""
        return tuple(
            DieInfo(
                one.die,
                one.in_range,
                one.face,
                one.battery_mv,
                one.low,
                one.error,
                one.battery_percent,
            )
            for one in self._devices.dice.statuses()
        )

    def occupancy(self) -> Squares | None:
        """Return the squares that are occupied now, None while the contacts are unavailable.

        Raises:
            UrpiError: If a pin cannot be read.
        """
        reading = self._devices.contacts.read()
        return None if reading is None else reading.squares

    @property
    def sounds(self) -> tuple[str, ...]:
        """Those of `urpi.referee.orders.SOUNDS` that this table can play. Thread-safe."""
        return self._preferences.sounds

    @property
    def preferences(self) -> Preferences:
        """The preferences in use. Thread-safe."""
        return self._preferences.current

    @property
    def end_review(self) -> EndReview | None:
        """The review of the game that has ended, None until it is shown. Thread-safe."""
        return self._end.shown

    @property
    def words(self) -> Words:
        """The texts in the players' language. Thread-safe."""
        return self._preferences.words

    def show_pin(self, pin: str, address: str) -> None:
        """Show the page's PIN for a while, unless the display is in use. Thread-safe."""
        self._devices.wake()
        done = self.service.call(lambda: self.menu.show_pin(PagePin(pin, address)))
        done.add_done_callback(log_failure)

    def order(self, order: Order) -> Future[int | None]:
        """Carry out an order in the service's thread. Thread-safe.

        Returns:
            A future with the number of a new game, or with None for other orders. It raises
            `UrpiError` if the order is refused, and is cancelled if the service is closed first.
        """
        self._devices.wake()
        return self.service.call(lambda: self._handle_order(order))

    def begin(self, order: NewGame) -> int:
        """Begin a game and return its number in the journal. Call it in the service's thread.

        Raises:
            UrpiError: If the game cannot be stored.
        """
        return self._orders.begin(order)

    @property
    def next_game(self) -> NewGame:
        """The game that begins next if the players choose nothing else. Thread-safe."""
        return self._preferences.next_game

    def resume(self) -> int | None:
        """Continue this table's last game and return its number, as `Service.resume`.

        Call it before the devices are opened. Their first reading shows what has been moved since,
        and the referee guides the players to correct it.
        """
        return self.service.resume()

    def _handle_order(self, order: Order) -> int | None:
        if isinstance(order, AskHint):
            if not self.engine.hint():
                raise UrpiError(self.words.text(NO_HINT))
            return None
        if isinstance(order, TableRequest):
            self.tables.handle(order)
            return None
        if isinstance(order, NewGame) and order.shared is None:
            self.tables.check_new_game()
        number = self._orders.handle(order)
        if number is None:
            self._show_again()
        return number

    def _recent_players(self) -> tuple[str, ...]:
        self._preferences.refresh()
        names = self.service.read(lambda journal: players_of(journal, RECENT_GAMES))
        return (names or ())[:MAX_NAMES]

    @property
    def has_club(self) -> bool:
        """Whether a club is configured. Thread-safe."""
        return self._config.club.broker is not None

    def _table_status(self, players: tuple[str, ...]) -> TableStatus:
        preferred = self.preferences
        return TableStatus(
            self.service.snapshot,
            self.next_game,
            preferred.language,
            languages(),
            preferred.sound,
            self.sounds,
            players,
            self.dice,
            missing_sources=self.dice_health.unavailable,
            page=self.page(),
            published=self._preferences.published if self.has_club else None,
            tables=self.tables.free,
            invites=self.tables.view.sent is not None and self.tables.view.sent[1] == "waiting",
        )

    def _last_minute(self) -> tuple[TextPage, ...]:
        game = self.service.game
        if game is None:
            return ()
        return last_minute(self._keeper.path, game, self.words, self.page().address)

    def _offer_draw(self, side: Side, decline: Callable[[], None]) -> None:
        self.engine.consider_draw(side, decline)

    def _show_menu(self) -> None:
        self._show_again()
        menu = self.menu.screen
        # The player who must answer may be looking at the board, not at the display.
        if isinstance(menu, Offer):
            self._devices.play(TURN, offer_text(menu, self.service.snapshot, self.words))
        elif isinstance(menu, Invitation):
            self._devices.play(TURN, invitation_text(menu, self.words))

    def _show_again(self) -> None:
        self._show(self.service.snapshot, ())

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        if self._config.table.review:
            self._end.update(snapshot)
        notice, words, menu = self.service.notice, self.words, self.menu.screen
        end = self._end.shown
        # Drawn in the screen's thread, and only if no newer picture follows before.
        self._devices.show(lambda: oled_picture(snapshot, notice, words, menu, end))
        if played := sound(snapshot, decisions, words):
            self._devices.play(played.motif, played.text)
        self._watch(snapshot, decisions)
        self.remote.update(snapshot, decisions)
        # Last: what the engine decides leads to the next change.
        self.engine.update(snapshot)

    def picture(self) -> Image.Image:
        """Return the picture for the OLED, drawn anew, without the page's PIN. Thread-safe.

        The PIN is for those who are at the display.
        """
        snapshot, shown = self.service.snapshot, self.menu.screen
        menu = None if shown is None else without_pin(shown)
        return oled_picture(snapshot, self.service.notice, self.words, menu, self._end.shown)


def local_now() -> datetime:
    """Return the local time, with its offset from UTC."""
    return datetime.now().astimezone()
