"""The service at an interactive table: the program at a virtual table operated from outside.

As in `urpi.service.virtual`, only the hardware is simulated. But hands are moved by orders from
other threads (`urpi.simulation.table_orders`), and the program can be switched off and on while the
pieces stay where they are. Everything happens in the thread that calls `run`.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from queue import Empty, Queue
from random import Random
from typing import Final, Self

from PIL import Image

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import VIRTUAL_TABLE, Journal, Keeper
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.orders import NewGame
from urpi.referee.seats import Coaches, EngineThrows, Seats, engine_sides
from urpi.rules import Side, parse_position
from urpi.rules.lesson import FIRST_GAME, LESSONS, Lesson
from urpi.service.board import BoardService
from urpi.service.board_parts import BoardParts
from urpi.service.lockstep import POLL_S, Lockstep, Pace, WallClock
from urpi.service.service import OnChange
from urpi.service.table_link import TableLink
from urpi.service.virtual_backends import TableSetting, VirtualBackends
from urpi.show.menu import PageAccess
from urpi.simulation.behaviour import Behaviour, Player, greedy
from urpi.simulation.display_state import DisplayState
from urpi.simulation.document import Document, table_document
from urpi.simulation.interactive_table import PATIENCE_MS, InteractiveOptions, InteractiveTable
from urpi.simulation.table_orders import BeginLesson, SwitchPower, TableOrder

CONNECT_S: Final = 10.0
"""Seconds that the hub has at the start to respond."""
FRAME_S: Final = 0.05
"""Shortest time between two table documents, and longest wait for a fact, in seconds."""
HELD_SPEED: Final = 1.0
"""Highest speed while a hand from outside holds a piece."""

OnDocument = Callable[[Document], None]
"""Called with the table's document when anything visible has changed."""


@dataclass(frozen=True, slots=True)
class InteractiveSetting(TableSetting):
    """A game at the interactive table.

    `speed` is more than 0; while a hand from outside holds a piece, it is at most `HELD_SPEED`.
    `plays` are the sides of the simulated players; in a game with the engine they are the engine's
    sides at first. `resume` is whether an unfinished game is continued; otherwise a new one begins.
    In that, `seats` are who decides the moves of light and of dark, `coach` their coaches, and
    `engine_throws` what throws for the engine; they default to the preferred ones.
    """

    _: KW_ONLY
    plays: frozenset[Side] = frozenset()
    player: Player = greedy
    behaviour: Behaviour = Behaviour()  # noqa: RUF009 - frozen
    resume: bool = False
    seats: Seats | None = None
    coach: Coaches | None = None
    engine_throws: EngineThrows | None = None


@dataclass(slots=True)
class _QueuedOrder:
    order: TableOrder
    done: Future[None]


class InteractiveService:
    """A service and its interactive table. Use it in a ``with`` statement.

    Args:
        setting: The game, the simulated players and the speed.
        config: The configuration of the program at the table.
        path: The journal.
        page: Returns the page's address and PIN for the display; by default there is no page.
        wall_s: The clock that limits the speed and the rate of documents, in seconds.
    """

    def __init__(
        self,
        setting: InteractiveSetting,
        config: Config,
        path: Path,
        page: Callable[[], PageAccess] = PageAccess,
        *,
        wall_s: WallClock = time.monotonic,
    ) -> None:
        self._setting, self._path, self._page = setting, path, page
        self._wall_s = wall_s
        self._backends = VirtualBackends(config, setting.wire, setting.dice)
        self._on_change: list[OnChange] = []
        self._on_document: list[OnDocument] = []
        self._stack, self._program = ExitStack(), ExitStack()
        self._orders: Queue[_QueuedOrder] = Queue()
        self._document: Document = {}
        self._document_at, self._is_document_due = 0.0, False
        self._is_set_up = False
        self._engine_sides: frozenset[Side] = frozenset()
        self._begin_by: float | None = None
        self._chance = Random(f"{setting.seed} engine").random  # noqa: S311 - a game, no secret
        self._board: BoardService | None = None
        self._link: TableLink | None = None
        self._next_message = b""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._open_table(stack)
            stack.callback(self._stop)
            self._start(resume=self._setting.resume)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._cancel_orders()

    def _open_table(self, stack: ExitStack) -> None:
        setting = self._setting
        backends = stack.enter_context(self._backends)
        self.table = InteractiveTable(
            setting.rules,
            setting.seed,
            backends.outputs,
            options=self._options(),
            equipment=backends.equipment(setting.rig, setting.seed),
        )
        stack.callback(self.table.rig.close)
        self._pace = Pace(setting.speed, self._wall_s)
        self._lockstep = Lockstep(self.table, self._pace, backends.lines_received)

    def _options(self) -> InteractiveOptions:
        setting = self._setting
        patience_ms = int(PATIENCE_MS * min(setting.speed, HELD_SPEED))
        return InteractiveOptions(setting.player, setting.behaviour, patience_ms, setting.plays)

    def _start(self, *, resume: bool) -> None:
        """Start the program at the table as it is.

        Args:
            resume: Whether to continue an unfinished game, as after a power cut; it is abandoned
                otherwise.

        Raises:
            UrpiError: If the journal cannot be opened.
        """
        self._lockstep.forget()
        with ExitStack() as program:
            journal = program.enter_context(Journal.open(self._path))
            board = self._use(
                BoardParts(
                    self._backends.config,
                    Keeper(journal),
                    self.now,
                    self._backends.connect(self.table.rig.address),
                    self._show,
                    table=VIRTUAL_TABLE,
                    page=self._page,
                    prepare=self._prepare,
                    chance=self._chance,
                )
            )
            number = board.service.resume()
            opening = board.service.opening
            is_lesson = opening is not None and opening.position in LESSONS
            # A lesson's dice are not prepared any more after a restart.
            if number is not None and (not resume or (is_lesson and self.table.lesson is None)):
                board.service.abandon()
                number = None
            if number is None and not resume and board.service.exploring is not None:
                board.service.end_exploration()
            # A position may have been explored without a game.
            continues = number is not None or board.service.exploring is not None
            position = board.service.snapshot.position
            if continues and position is not None and not self._is_set_up:
                # The pieces lie as the resumed game or line left them.
                self.table.lay_out(position)
            elif not continues and not self._is_set_up and self._setting.position is not None:
                self.table.lay_out(self._setting.position)
            self._is_set_up = True
            program.enter_context(board)
            self._backends.mock_pins.refresh()
            # A new game waits until the hub responds, so that the first throw is not missed.
            self._begin_by = None if continues else self._wall_s() + CONNECT_S
            self._seat_partner(board.service.snapshot.seats)
            self._program = program.pop_all()

    def _stop(self) -> None:
        self._program.close()

    def _use(self, parts: BoardParts) -> BoardService:
        """Let the board use new parts, as every start of a program does."""
        if self._link is not None:
            parts.remote.connect(self._link)
        if self._next_message:
            parts.tables.receive_next(self._next_message)
        if self._board is None:
            self._board = BoardService(parts)
        else:
            self._board.use(parts)
        return self._board

    @property
    def board(self) -> BoardService:
        """The program at the table, the same object also after a power cut."""
        assert self._board is not None
        return self._board

    @property
    def has_power(self) -> bool:
        """Whether the program at the table is running."""
        return self.board.is_on

    def _begin_when_connected(self) -> None:
        """Begin the first game once the hub responds, or after `CONNECT_S`."""
        if self._begin_by is None:
            return
        if self.board.devices.dice.health.available or self._wall_s() > self._begin_by:
            self._begin_by = None
            # Reports from before the game are not part of it, so they are processed now.
            self.board.service.work()
            if self.board.service.snapshot.phase not in {Phase.NO_GAME, Phase.OVER}:
                # One that was ordered or agreed with another table is not replaced.
                return
            setting, usual = self._setting, self.board.next_game
            order = NewGame(
                self.table.rules,
                usual.light,
                usual.dark,
                setting.first,
                setting.seats or usual.seats,
                setting.coach or usual.coach,
                setting.engine_throws or usual.engine_throws,
                position=setting.position,
                clock=usual.clock,
            )
            self.board.begin(order)
            self._seat_partner(order.seats)

    def _prepare(self, order: NewGame) -> None:
        """Put the dice of an ordered game on the table, and have the pieces removed or set up."""
        position = order.position
        if position is not None and self.table.has_set_up(position):
            self.table.keep(position)
        else:
            self.table.change_rules(order.rules)
            if position is not None:
                self.table.set_up(position)
        self._seat_partner(order.seats)

    def _seat_partner(self, seats: Seats) -> None:
        """Let the simulated players move the engine's pieces; a person may do so in their place."""
        sides = engine_sides(seats)
        if sides or self._engine_sides:
            self.table.partner.plays = sides or self._setting.plays
        self._engine_sides = sides

    def _begin_lesson(self, lesson: Lesson) -> None:
        """Begin a lesson in place of the current game.

        Raises:
            UrpiError: If there is no power, or this table's dice cannot be prepared.
        """
        if not self.has_power:
            message = "The power is off; switch it on first."
            raise UrpiError(message)
        self.board.tables.check_new_game()
        position = parse_position(lesson.position)
        self.table.begin_lesson(lesson, position)
        self._begin_by = None
        if self.board.service.game is not None:
            self.board.service.abandon()
        throws = self.board.next_game.engine_throws
        self.board.begin(NewGame(position.rules, position=position, engine_throws=throws))

    def subscribe(
        self, on_change: OnChange | None = None, on_document: OnDocument | None = None
    ) -> None:
        """Call functions after changes, in the thread that calls `run`.

        Args:
            on_change: Called after every change in the game.
            on_document: Called with the current document at once, and after every visible change
                on the table, at most once in `FRAME_S`.
        """
        if on_change is not None:
            self._on_change.append(on_change)
        if on_document is not None:
            self._on_document.append(on_document)
            on_document(table_document(self.table, self._setting.speed))

    def connect_tables(self, link: TableLink) -> None:
        """Connect the table to other ones; call it before the link receives messages."""
        self._link = link
        self.board.remote.connect(link)

    def receive(self, table: str, message: bytes) -> None:
        """Process a message of another table; without power it is lost. Thread-safe."""
        if self.has_power:
            self.board.remote.receive(table, message)

    def receive_next(self, message: bytes) -> None:
        """Process what the club says that is to be played next here. Thread-safe."""
        # Also without power: it is not repeated.
        self._next_message = message
        if self.has_power:
            self.board.tables.receive_next(message)

    def on_connect(self) -> None:
        """Note that the broker is connected. Thread-safe."""
        if self.has_power:
            self.board.remote.on_connect()

    def now(self) -> int:
        """Return the table's time in milliseconds."""
        return self._lockstep.now()

    def order(self, order: TableOrder) -> Future[None]:
        """Carry out an order at the table. Thread-safe.

        Returns:
            A future that raises `UrpiError` if the order is impossible. It is cancelled if the
            service is closed first.
        """
        queued = _QueuedOrder(order, Future())
        self._orders.put(queued)
        if self.has_power:
            # `run` may be waiting for facts: wake it.
            self.board.service.call(lambda: None)
        return queued.done

    def run(self) -> None:
        """Process what is due and the queued orders, then wait for the next event."""
        is_processed = self._advance()
        self._carry_out_orders()
        self._publish_document()
        if self.has_power:
            self._begin_when_connected()
            self.board.service.work(self._wait_s() if is_processed else POLL_S)
        else:
            self._wait_without_power()

    def _advance(self) -> bool:
        # The referee distinguishes a hovering hand from a resting one by time, and hands are real.
        speed = self._setting.speed
        self._pace.speed = min(speed, HELD_SPEED) if self.table.is_held else speed
        return self._lockstep.advance(self.board if self.has_power else None)

    def _carry_out_orders(self) -> None:
        with suppress(Empty):
            while True:
                self._carry_out(self._orders.get_nowait())

    def _carry_out(self, queued: _QueuedOrder) -> None:
        # The order happens now: what was due before it must have happened.
        self._advance()
        try:
            match queued.order:
                case SwitchPower(on=on):
                    self._switch_power(on=on)
                case BeginLesson():
                    self._begin_lesson(FIRST_GAME)
                case act:
                    act.carry_out(self.table)
        except UrpiError as error:
            queued.done.set_exception(error)
        else:
            queued.done.set_result(None)

    def _switch_power(self, *, on: bool) -> None:
        if self.has_power and not on:
            # As a power cut does: nothing more is stored.
            self.board.service.abort()
            self._program.close()
            self.table.switch_power(on=on)
            # The display is dark now, which every subscriber must learn.
            self._publish_change(self.board.service.snapshot, ())
        elif on and not self.has_power:
            self.table.switch_power(on=on)
            self._start(resume=True)

    def _wait_without_power(self) -> None:
        try:
            queued = self._orders.get(timeout=FRAME_S)
        except Empty:
            return
        self._carry_out(queued)

    def _wait_s(self) -> float:
        longest_s = FRAME_S
        if self._is_document_due:
            longest_s = min(longest_s, self._document_at + FRAME_S - self._wall_s())
        return self._lockstep.wait_s(self.board, longest_s)

    def _publish_document(self) -> None:
        """Publish the table's document if it has changed and the last one is old enough."""
        now = self._wall_s()
        self._is_document_due = now - self._document_at < FRAME_S
        if self._is_document_due:
            return
        document = table_document(self.table, self._setting.speed)
        if document != self._document:
            self._document, self._document_at = document, now
            for on_document in self._on_document:
                on_document(document)

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self.table.show(DisplayState.of(snapshot))
        self._publish_change(snapshot, decisions)

    def _publish_change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        for on_change in self._on_change:
            on_change(snapshot, decisions)

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, decoded from the bytes sent to it; dark without power."""
        return self._backends.picture() if self.has_power else Image.new("1", (128, 64))

    def _cancel_orders(self) -> None:
        with suppress(Empty):
            while True:
                self._orders.get_nowait().done.cancel()
