"""The service at an open table: the board's program at one end, hands from outside at the other.

As `urpi.service.virtual`, with the same fakes for plugs at the far ends; but hands come from other
threads as orders (`urpi.simulation.table_orders`), and the program may lose its power and get it
again while the table stands as it stands. Everything happens in the thread that calls `run`.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final, Self

from PIL import Image

from urpi.config import Config
from urpi.devices import DieFaces, default_pins, open_oled, pin_factory
from urpi.errors import UrpiError
from urpi.journal import Journal, Keeper
from urpi.menu import PageAccess
from urpi.orders import NewGame
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.rules import RuleSet, Side
from urpi.service.board import BoardService
from urpi.service.lockstep import POLL_S, Lockstep, Pace
from urpi.service.plugs import Plugs
from urpi.simulation import MockPins, Outputs, open_wire
from urpi.simulation.behaviour import Behaviour
from urpi.simulation.display_state import DisplayState
from urpi.simulation.document import Document, table_document
from urpi.simulation.firmware_rig import equipment_with
from urpi.simulation.interactive_table import PATIENCE_MS, InteractiveOptions, InteractiveTable
from urpi.simulation.oled_bus import OledBus, controller
from urpi.simulation.players import Player, greedy
from urpi.simulation.table_orders import SwitchPower, TableOrder, carry_out

CONNECT_S: Final = 10.0
"""The hub is given so long to be heard at the start."""
FRAME_S: Final = 0.05
"""The table's document is told so often at most, and time moves on as often at least."""

See = Callable[[Document], None]
"""Told of the table's document when anything that eyes see has changed."""
Watch = Callable[[Snapshot, tuple[Decision, ...]], None]


@dataclass(frozen=True, slots=True)
class OpenSetting:
    """What is played at the table, and how fast; `plays` are the sides of simulated players.

    `speed` is how many times as fast as life, more than 0. `firmware` is where the firmware is
    built: its images take the place of the Python dice and hub. Without `goes_on` a game that
    was not finished is left, and a new one begins.
    """

    rules: RuleSet
    seed: int
    speed: float = 1.0
    first: Side | None = None
    wire: str = "pty"
    firmware: Path | None = None
    plays: frozenset[Side] = frozenset()
    player: Player = greedy
    behaviour: Behaviour = Behaviour()  # noqa: RUF009 - frozen
    goes_on: bool = False


@dataclass(slots=True)
class _Asked:
    order: TableOrder
    done: Future[None]


class TableService:
    """A service and its open table. Use it in a ``with``; it opens and closes everything."""

    def __init__(self, setting: OpenSetting, config: Config, path: Path) -> None:
        self._setting, self._config, self._path = setting, config, path
        self._watches: list[Watch] = []
        self._sees: list[See] = []
        self._opened, self._life = ExitStack(), ExitStack()
        self._asked: SimpleQueue[_Asked] = SimpleQueue()
        self._told: Document = {}
        self._told_at, self._late = 0.0, False
        self._stands = False
        self._begin_by: float | None = None
        self.has_power = False
        self.page: Callable[[], PageAccess] = PageAccess
        """Where the page is and its PIN, for the display."""

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._open_table(opening)
            opening.callback(self._end_life)
            self._start(anew=not self._setting.goes_on)
            self._opened = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
        self._cancel_orders()

    def _open_table(self, opening: ExitStack) -> None:
        setting = self._setting
        folder = Path(opening.enter_context(TemporaryDirectory(prefix="urpi-")))
        factory, self._pins = pin_factory("mock"), default_pins()
        opening.callback(factory.reset)
        self._factory, self._mock_pins = factory, MockPins(factory, self._pins)
        wire = open_wire(setting.wire, folder)
        opening.callback(wire.unplug)
        self.table = InteractiveTable(
            setting.rules,
            setting.seed,
            Outputs(self._mock_pins.square, self._mock_pins.button, wire=wire),
            options=self._options(),
            equipment=equipment_with(setting.firmware, setting.seed, wire),
        )
        opening.callback(self.table.rig.close)
        self._lockstep = Lockstep(self.table, Pace(setting.speed))
        self._driver = controller(self._config.oled.driver)
        self.bus = OledBus(self._driver)

    def _options(self) -> InteractiveOptions:
        setting = self._setting
        patience_ms = int(PATIENCE_MS * setting.speed)
        return InteractiveOptions(setting.player, setting.behaviour, patience_ms, setting.plays)

    def _start(self, *, anew: bool = False) -> None:
        """Let the program start as after a power cut, on the table as it stands.

        Raises:
            UrpiError: when the journal cannot be opened.
        """
        self._lockstep.forget()
        with ExitStack() as life:
            journal = life.enter_context(Journal.open(self._path))
            oled = partial(open_oled, self._driver, self.bus)
            plugs = Plugs(self._factory, self._pins, self.table.rig.address, DieFaces(), oled)
            board = BoardService(
                self._config,
                Keeper(journal),
                self.now,
                plugs,
                self._show,
                table="virtual",
                begin=self._begin,
            )
            board.page = lambda: self.page()  # noqa: PLW0108 - the page comes later
            number = None if anew else board.resume()
            position = board.service.snapshot.position
            if position is not None and not self._stands:
                # The table was left as the game that goes on has it.
                self.table.lay_out(position)
            self._stands = True
            life.enter_context(board)
            self._mock_pins.refresh()
            self.board = board
            self._begin_by = None if number else time.monotonic() + CONNECT_S
            self.has_power = True
            self._life = life.pop_all()

    def _end_life(self) -> None:
        self.has_power = False
        self._life.close()

    def _begin_when_heard(self) -> None:
        """Begin the game that the table is set up for; what dice said before is not part of it."""
        if self._begin_by is None:
            return
        if self.board.hub.available or time.monotonic() > self._begin_by:
            self._begin_by = None
            self.board.service.work()
            self.board.begin(self.table.rules, self._setting.first)

    def _begin(self, order: NewGame) -> int:
        """A new game is ordered: the table gets its dice, and hands put the pieces aside."""
        self.table.change_rules(order.rules)
        return self.board.begin(order.rules, order.first, light=order.light, dark=order.dark)

    def tell(self, watch: Watch | None = None, see: See | None = None) -> None:
        """From now on tell of every change in the game, and of every one on the table.

        Both are told in the thread that calls `run`; `see` first of the table as it stands.
        """
        if watch is not None:
            self._watches.append(watch)
        if see is not None:
            self._sees.append(see)
            see(table_document(self.table, self._setting.speed))

    def now(self) -> int:
        """Return the table's time in milliseconds."""
        return self._lockstep.now()

    def order(self, order: TableOrder) -> Future[None]:
        """Have something done at the table; from any thread.

        The future gets None when it is done, or the `UrpiError` that says why not; it is
        cancelled when the service ends before.
        """
        asked = _Asked(order, Future())
        self._asked.put(asked)
        if self.has_power:
            # It may wait for facts; this is what wakes it.
            self.board.service.call(lambda: None)
        return asked.done

    def run(self) -> None:
        """Process what is due by now and what is ordered, and wait for the next."""
        in_step = self._advance()
        self._do_what_is_ordered()
        self._tell()
        if self.has_power:
            self._begin_when_heard()
            self.board.service.work(self._wait_s() if in_step else POLL_S)
        else:
            self._wait_without_power()

    def _advance(self) -> bool:
        return self._lockstep.advance(self.board if self.has_power else None)

    def _do_what_is_ordered(self) -> None:
        with suppress(Empty):
            while True:
                self._do(self._asked.get_nowait())

    def _do(self, asked: _Asked) -> None:
        self._advance()
        try:
            if isinstance(asked.order, SwitchPower):
                self._switch_power(asked.order)
            else:
                carry_out(asked.order, self.table)
        except UrpiError as error:
            asked.done.set_exception(error)
        else:
            asked.done.set_result(None)

    def _switch_power(self, order: SwitchPower) -> None:
        if self.has_power and not order.on:
            self.has_power = False
            self.board.service.drop()
            self._life.close()
            carry_out(order, self.table)
            # The display is dark, and nothing that the program said holds.
            self._tell_of_game(self.board.service.snapshot, ())
        elif order.on and not self.has_power:
            carry_out(order, self.table)
            self._start()

    def _wait_without_power(self) -> None:
        try:
            asked = self._asked.get(timeout=FRAME_S)
        except Empty:
            return
        self._do(asked)

    def _wait_s(self) -> float:
        longest_s = FRAME_S
        if self._late:
            longest_s = min(longest_s, self._told_at + FRAME_S - time.monotonic())
        return self._lockstep.wait_s(self.board, longest_s)

    def _tell(self) -> None:
        """Tell what is to be seen, if that has changed and was not told a moment ago."""
        now = time.monotonic()
        self._late = now - self._told_at < FRAME_S
        if self._late:
            return
        document = table_document(self.table, self._setting.speed)
        if document != self._told:
            self._told, self._told_at = document, now
            for see in self._sees:
                see(document)

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self.table.show(display_state_of(snapshot))
        self._tell_of_game(snapshot, decisions)

    def _tell_of_game(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        for watch in self._watches:
            watch(snapshot, decisions)

    def picture(self) -> Image.Image:
        """What the OLED shows, decoded from the bytes that it was sent; dark without power."""
        return self.bus.picture() if self.has_power else Image.new("1", (128, 64))

    def _cancel_orders(self) -> None:
        with suppress(Empty):
            while True:
                self._asked.get_nowait().done.cancel()


WAITS_FOR: Final = {Phase.START_THROW: "throw", Phase.THROW: "throw", Phase.MOVE: "move"}


def display_state_of(snapshot: Snapshot) -> DisplayState:
    """What people at the table see of a snapshot on the OLED."""
    asked, chosen = snapshot.question, snapshot.chosen
    choices = snapshot.choices[chosen:] + snapshot.choices[:chosen]
    side = asked.side if asked is not None else snapshot.side
    return DisplayState(
        "answer" if asked is not None else WAITS_FOR.get(snapshot.phase, ""),
        None if snapshot.phase is Phase.SET_UP else side,
        snapshot.position,
        snapshot.throw,
        # A throw that is begun is gone on with: those that lie well are left.
        snapshot.waiting if snapshot.settled else (),
        snapshot.fill,
        snapshot.clear,
        choices if asked is not None else (),
        snapshot.seems,
    )
