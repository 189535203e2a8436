"""The running program at a board, for all who use it: the page, the commands, the virtual table.

The parts are made and connected in `urpi.service.board_parts`.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Self, TypeVar

from PIL import Image

from urpi.link.broker.state_message import DieState, TableState
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.orders import NewGame, Order
from urpi.rules import Side, Squares
from urpi.service.board_parts import BoardParts
from urpi.service.table_state import (
    Device,
    TableChange,
    device_states,
    no_power,
    states_without_power,
)
from urpi.service.win_chances import WinChance

_T = TypeVar("_T")


class BoardService:
    """The program at a board. Use it in a ``with`` statement, which opens and closes its devices.

    Methods may be called from any thread, except where noted, and nothing waits for the referee.
    A virtual table replaces the parts at each start of its program; between, the power is off.
    """

    def __init__(self, parts: BoardParts) -> None:
        self._stack = ExitStack()
        self.is_on = False
        """Whether the devices are open."""
        self.use(parts)

    def use(self, parts: BoardParts) -> None:
        """Use other parts; call it while the power is off."""
        self._parts: BoardParts = parts
        self.table: str = parts.table
        self.service, self.clock = parts.service, parts.service.clock
        self.preferences, self.devices = parts.preferences, parts.devices
        self.menu, self.engine, self.end = parts.menu, parts.engine, parts.end
        self.tables, self.remote = parts.tables, parts.remote
        self.win_chances = parts.win_chances

    def __enter__(self) -> Self:
        service, parts = self.service, self._parts
        # If opening one device fails, those before it are closed again.
        with ExitStack() as stack:
            stack.callback(service.close)
            stack.callback(self.engine.close)
            stack.callback(self.end.close)
            stack.enter_context(self.devices)
            service.refresh()
            if service.game is not None:
                self.devices.read_board()
            # The program was stopped after the end of a game: its review may still be due.
            elif parts.config.table.review:
                self.end.resume(service.last_game(), service.now())
            parts.questions.resume()
            self._stack = stack.pop_all()
        self.is_on = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_on = False
        self._stack.close()

    @property
    def idle(self) -> bool:
        """Whether every submitted fact has been processed, and no move of the engine is awaited."""
        return self.engine.idle and self.service.idle

    @property
    def next_game(self) -> NewGame:
        """The game that begins next if the players choose nothing else."""
        return self.preferences.next_game

    def begin(self, order: NewGame) -> int:
        """Begin a game and return its number in the journal. Call it in the service's thread.

        Raises:
            UrpiError: If the game cannot be stored.
        """
        return self._parts.orders.begin(order)

    def occupancy(self) -> Squares | None:
        """Return the squares that are occupied now, None while the contacts are unavailable.

        Raises:
            UrpiError: If a pin cannot be read.
        """
        reading = self.devices.contacts.read()
        return None if reading is None else reading.squares

    def look_for_tables(self) -> tuple[str, ...]:
        """As `TableLink.look_for_tables`; none while the table is off."""
        return self.remote.look_for_tables() if self.is_on else ()

    def now(self) -> TableChange:
        """Return the current state of the table, without decisions."""
        return self.change(self.service.snapshot, ())

    def change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> TableChange:
        """Return a change that a watcher was notified of, with its place in the journal.

        Must be called in the thread that notified the watcher, before the next change.
        """
        service, review, tables = self.service, self.end.shown, self.tables.view
        if snapshot.explore is not None:
            # They are not the game's, and its review is not of what is shown.
            decisions, review = (), None
        return TableChange(
            snapshot,
            decisions,
            service.game,
            service.seq,
            service.notices.current,
            review,
            tables,
            service.explores_game,
        )

    def device_states(self) -> dict[str, Device]:
        """Return the state of hub, oled, contacts and journal, and of the club if there is one."""
        words, link = self.preferences.words, self.remote.link
        club = None if link is None else link.status
        if self.is_on:
            return device_states(self.service, self.devices, club, words)
        return states_without_power(club, words)

    @property
    def has_lights(self) -> bool:
        """Whether there are lights below the squares."""
        return self.is_on and "lights" in self.devices.outputs

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, 128 x 64 in mode ``1``, without the page's PIN."""
        return self._parts.display.picture() if self.is_on else Image.new("1", (128, 64))

    def submit(self, fact: Fact) -> None:
        """Submit a fact with a time of `clock`, such as the press of a button."""
        if self.is_on:
            self._parts.submit(fact)

    def request(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Submit what a player pressed or entered.

        Returns:
            The decisions that it leads to; none if no game is running, or in a game with another
            table, where it may only be proposed. `UrpiError` without power.
        """
        requests = self._parts.requests
        return self._call(lambda: requests.request(fact))

    def order(self, order: Order) -> Future[int | None]:
        """Carry out an order.

        Returns:
            A future with the number of a new game, or with None for other orders. It raises
            `UrpiError` if the order is refused, also without power, and is cancelled if the
            service is closed first.
        """
        requests = self._parts.requests
        if self.is_on:
            self.devices.wake()
        return self._call(lambda: requests.order(order))

    def offer_draw(self, by: Side) -> Future[bool]:
        """Offer a draw to the engine, which has the other side's seat.

        Returns:
            Whether it accepted; the game is then drawn. `UrpiError` without power.
        """
        engine, accepted = self.engine, Future[bool]()
        accept, decline = partial(_complete, accepted, True), partial(_complete, accepted, False)
        if self.is_on:
            self.service.call(lambda: engine.consider_draw(by, decline, accept))
        else:
            accepted.set_exception(no_power(self.preferences.words))
        return accepted

    def win_chance(self) -> Future[WinChance | None]:
        """Return the current probability to win, None if there is none."""
        chances, future = self.win_chances, Future[WinChance | None]()
        if self.is_on:
            self.service.call(lambda: chances.request(lambda chance: _complete(future, chance)))
        else:
            future.set_result(None)
        return future

    def show_pin(self, pin: str, address: str) -> None:
        """Show the page's PIN for a while, unless the display is in use."""
        menu = self.menu
        if self.is_on:
            self.devices.wake()
            self.service.call(lambda: menu.show_pin(pin, address))

    def _call(self, function: Callable[[], _T]) -> Future[_T]:
        if self.is_on:
            return self.service.call(function)
        failed: Future[_T] = Future()
        failed.set_exception(no_power(self.preferences.words))
        return failed


def _complete(future: Future[_T], result: _T) -> None:
    # A browser that waits no longer has cancelled the future.
    if not future.cancelled():
        future.set_result(result)


def club_state(board: BoardService, snapshot: Snapshot) -> TableState:
    """Return the state of a board for its club. Call it in the service's thread."""
    dice = tuple(
        DieState(die.die, die.in_range, die.battery_mv or None, die.battery_percent, die.low)
        for die in board.devices.dice.statuses()
    )
    if snapshot.explore is not None:
        # No time passes in the game.
        snapshot = replace(board.service.game_snapshot, clock=None)
    snapshot = snapshot.at(board.clock())
    return TableState(board.service.game, snapshot, dice, tuple(board.service.notices.unavailable))
