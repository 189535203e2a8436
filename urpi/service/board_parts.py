"""The parts of the program at a board and how they are connected, each with those made before it.

The backends of the devices are passed in: hardware, or the virtual table's. `Display` shows menu,
game, review and notices on every output.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PIL import Image

from urpi.config import Config
from urpi.core.moments import local_now
from urpi.journal import Keeper
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Die, Fact
from urpi.referee.orders import NewGame
from urpi.rules import Side
from urpi.service.backends import Backends
from urpi.service.board_menu import BoardMenu
from urpi.service.clock_ticks import ClockTicks
from urpi.service.devices import BoardDevices, log_failure
from urpi.service.end_reviewer import EndReviewer, Reviewer
from urpi.service.engine_player import Engine, EnginePlayer
from urpi.service.engine_process import engine_process
from urpi.service.explorer import Explorer
from urpi.service.fact_loop import Clock
from urpi.service.game_dice import in_game, paired_of
from urpi.service.machine_clock import MachineClock
from urpi.service.order_handler import OrderHandler, random_chance, random_side
from urpi.service.other_tables import OtherTables
from urpi.service.player_requests import PlayerRequests
from urpi.service.preferences import TablePreferences
from urpi.service.questions import BoardQuestions
from urpi.service.referee_settings import referee_settings
from urpi.service.remote_play import RemotePlay
from urpi.service.review_process import review_process
from urpi.service.service import OnChange, Service
from urpi.service.win_chances import WinChance, WinChances
from urpi.show.menu import MenuScreen, PageAccess, without_pin
from urpi.show.scene import Scene, oled_picture
from urpi.show.words.exploring_words import GOING_BACK, TRYING, value_line


class Display:
    """Shows a table's state on its outputs and announces changes.

    Args:
        service: The service at the board.
        preferences: The table's preferences.
        devices: The devices with the outputs.
        menu: The menu, whose screen is shown in place of the game.
        end: The review of the game that has ended, which is shown after it.
        win_chances: The probability to win, which is shown in an exploration.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that are shown
        self,
        service: Service,
        preferences: TablePreferences,
        devices: BoardDevices,
        menu: BoardMenu,
        end: EndReviewer,
        win_chances: WinChances,
    ) -> None:
        self._service, self._preferences = service, preferences
        self._devices, self._menu, self._end = devices, menu, end
        self._win_chances = win_chances
        self._chance: WinChance | None = None
        self._screen: MenuScreen | None = None

    def update(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Show a change, and announce it. Call it in the service's thread."""
        if snapshot.explore == "line":
            self._win_chances.request(self._show_chance)
        scene = self._scene(snapshot, decisions)
        asks, self._screen = scene.menu != self._screen, scene.menu
        self._devices.show(replace(scene, asks=asks))

    def tick(self) -> None:
        """Show the current times of the game's clock. Call it in the service's thread."""
        self._devices.show(self._scene(self._service.snapshot))

    def picture(self) -> Image.Image:
        """Return the picture for the OLED, drawn again, without the page's PIN. Thread-safe.

        The PIN is for those who are at the display.
        """
        scene = self._scene(self._service.snapshot)
        menu = None if scene.menu is None else without_pin(scene.menu)
        return oled_picture(replace(scene, menu=menu))

    def _show_chance(self, chance: WinChance | None) -> None:
        if chance != self._chance:
            self._chance = chance
            self._service.refresh()

    def _exploring(self, snapshot: Snapshot) -> str:
        """Return the line about the exploration, empty if there is none or no room for it."""
        words, chance, position = self._preferences.words, self._chance, snapshot.position
        if snapshot.explore is None or snapshot.question is not None:
            return ""
        if snapshot.explore == "back":
            return words.text(GOING_BACK)
        side = None if position is None else position.turn
        if chance is None or side is None or snapshot.phase is Phase.SET_UP:
            return words.text(TRYING)
        value = chance.light if side is Side.LIGHT else 1 - chance.light
        return value_line(words, side, value, exact=chance.kind == "exact")

    def _scene(self, snapshot: Snapshot, decisions: tuple[Decision, ...] = ()) -> Scene:
        snapshot = snapshot.at(self._service.clock())
        notice, words = self._service.notices.current, self._preferences.words
        text = "" if notice is None else words.sentence(notice.code, notice.details)
        brief = notice is not None and notice.brief
        if notice is None:
            text, brief = self._exploring(snapshot), True
        menu, end = self._menu.screen, self._end.shown
        if snapshot.explore is not None:
            end = None
        return Scene(snapshot, words, decisions, text, brief, menu, end=end)


class BoardParts:
    """The parts of the program at a board, for a `urpi.service.board.BoardService`.

    Args:
        config: The configuration.
        keeper: Stores the games and the preferences.
        clock: The machine's clock; its origin is arbitrary.
        backends: The backends of the devices.
        watch: Called after every change, which is then stored and shown on the OLED.
        table: The name of the table in the journal.
        page: Returns the page's address and PIN; by default there is no page.
        prepare: Called in the service's thread with an ordered game before it begins.
        draw_side: Draws the side that begins, for rules that require it.
        chance: Returns the random numbers, 0 <= n < 1, by which the engine's weaker levels choose.
        engine: Evaluates positions; by default a process of its own.
        reviewer: Reviews games that have ended, if `review` in [table] is set; by default a process
            of its own.
        machine: Reads whether the machine's clock is set; by default it is.
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
        page: Callable[[], PageAccess] = PageAccess,
        prepare: Callable[[NewGame], None] = lambda _order: None,
        draw_side: Callable[[], Side] = random_side,
        chance: Callable[[], float] = random_chance,
        engine: Engine | None = None,
        reviewer: Reviewer | None = None,
        machine: Callable[[], MachineClock] = MachineClock,
    ) -> None:
        self.config, self.table, self._watch = config, table, watch
        self.preferences = preferences = TablePreferences(config, keeper, table, local_now)
        language = preferences.current.language
        self.service = service = Service(
            keeper,
            referee_settings(config, language),
            clock,
            self._on_change,
            language=language,
            now=local_now,
            table=table,
            machine=machine,
            lights=config.lights.on,
        )
        self.devices = devices = BoardDevices(
            config, backends, service, self.submit, lambda: preferences.config
        )
        self.orders = orders = OrderHandler(
            config, service, preferences, devices, prepare, draw_side
        )
        self.remote = RemotePlay(service, orders.handle)
        self.explorer = explorer = Explorer(service, preferences, orders)
        self.menu = menu = BoardMenu(
            service, preferences, devices, self.remote, page, lambda: explorer.may_explore
        )
        engine = engine or engine_process(keeper.path)
        self.engine = EnginePlayer(service, engine, chance, lambda: menu.is_open)
        self.win_chances = WinChances(service, engine)
        self.tables = OtherTables(service, menu, self.remote, preferences, draw_side, orders.handle)
        self.end = EndReviewer(service, reviewer or review_process(keeper.path))
        self.display = Display(service, preferences, devices, menu, self.end, self.win_chances)
        service.add_task(ClockTicks(lambda: service.snapshot, self.display.tick))
        self.questions = BoardQuestions(service, preferences, orders, menu)
        self.requests = PlayerRequests(
            service,
            preferences,
            orders,
            self.remote,
            menu,
            self.engine,
            self.tables,
            explorer,
            self.questions,
        )

    def submit(self, fact: Fact) -> None:
        """Submit a fact of a device or a player, with a time of the service's clock. Thread-safe.

        A button press goes to the menu first, and becomes a fact only if it is for the referee.
        """
        # The display may be dimmed: whatever happens at the board ends that.
        self.devices.wake()
        if isinstance(fact, Button):
            pressed = partial(self.requests.request, fact)
            self.service.call(pressed).add_done_callback(log_failure)
        else:
            self.service.submit(self._as_counted(fact) if isinstance(fact, Die) else fact)

    def _as_counted(self, fact: Die) -> Die:
        position = self.service.snapshot.position
        if position is None:
            return fact
        return in_game(fact, position.rules.dice, paired_of(self.config))

    def _on_change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        if self.config.table.review and snapshot.explore is None:
            self.end.update(snapshot)
        self.display.update(snapshot, decisions)
        self._watch(snapshot, decisions)
        self.remote.update(snapshot, decisions)
        self.questions.update(snapshot, decisions)
        # Last: what the engine decides leads to the next change.
        self.engine.update(snapshot)
