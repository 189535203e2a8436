"""The service at a virtual table whose players are simulated: every layer with real code.

Only the hardware is replaced, by `urpi.service.virtual_backends`.
"""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass, replace
from random import Random
from typing import Any, Final, Self

from PIL import Image

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware import DiceHealth, Screen
from urpi.journal import VIRTUAL_TABLE, Journal, Keeper
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.orders import NewGame
from urpi.referee.seats import NO_COACH, PERSONS, Coaches, Seats, engine_sides
from urpi.service.board import BoardService
from urpi.service.board_parts import BoardParts
from urpi.service.lockstep import POLL_S, Lockstep, Pace, WallClock
from urpi.service.service import OnChange, Service
from urpi.service.virtual_backends import TableSetting, VirtualBackends
from urpi.simulation import SimulatedPlayers, VirtualTable
from urpi.simulation.display_state import SEEN_BY_PLAYERS, DisplayState

FRAME_S: Final = 0.02
"""Longest wait for facts in seconds, so that the table's time continues."""
CONNECT_CHECKS: Final = 20_000
"""Default for the checks, `POLL_S` apart, after which a hub that has not connected is an error."""
SHOWN: Final = frozenset({Phase.SET_UP, Phase.THROW, Phase.MOVE})
"""The phases of an exploration in which the display shows a position with its side to move."""


@dataclass(frozen=True, slots=True)
class Setting(TableSetting):
    """A game at the virtual table.

    `seats` are who decide the moves of light and of dark; the hands of `players` make them. `coach`
    are light's and dark's coach.
    """

    _: KW_ONLY
    players: SimulatedPlayers
    seats: Seats = PERSONS
    coach: Coaches = NO_COACH


class VirtualService:
    """A service and its virtual table. Use it in a ``with`` statement.

    Args:
        setting: The game, the players and the speed.
        config: The configuration of the program at the table.
        journal: The journal in which the game is stored.
        watch: Called after every change.
        wall_s: The clock that limits the speed, in seconds.
        connect_checks: The checks, `POLL_S` apart, after which a hub that is still not connected is
            an error.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        setting: Setting,
        config: Config,
        journal: Journal,
        watch: OnChange,
        *,
        wall_s: WallClock = time.monotonic,
        connect_checks: int = CONNECT_CHECKS,
    ) -> None:
        self._setting, self._journal = setting, journal
        self._watch, self._wall_s, self._connect_checks = watch, wall_s, connect_checks
        self._backends = VirtualBackends(config, setting.wire, setting.dice)
        self._explored = False
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open(self, stack: ExitStack) -> None:
        setting = self._setting
        backends = stack.enter_context(self._backends)
        self.table = VirtualTable(
            setting.rules,
            setting.seed,
            backends.outputs,
            players=replace(
                setting.players, engine=engine_sides(setting.seats), position=setting.position
            ),
            equipment=backends.equipment(setting.rig, setting.seed),
        )
        stack.callback(self.table.rig.close)
        pace = Pace(setting.speed, self._wall_s)
        self._lockstep = Lockstep(self.table, pace, backends.lines_received)
        self.board = stack.enter_context(
            BoardService(
                BoardParts(
                    self._backends.config,
                    Keeper(self._journal),
                    self.now,
                    backends.connect(self.table.rig.address),
                    self._show,
                    table=VIRTUAL_TABLE,
                    prepare=self._prepare,
                    chance=Random(f"{setting.seed} engine").random,  # noqa: S311 - no secret
                )
            )
        )
        backends.mock_pins.refresh()

    @property
    def service(self) -> Service:
        """The service without its devices."""
        return self.board.service

    @property
    def screen(self) -> Screen:
        assert self.board.devices.screen is not None
        return self.board.devices.screen

    @property
    def dice_health(self) -> DiceHealth:
        """The health of the hub or of Bluetooth, as the program determines it."""
        return self._backends.dice_health

    @property
    def far_ends(self) -> Mapping[str, Any]:
        """The virtual devices of the outputs, by the outputs' names."""
        return self._backends.far_ends

    def now(self) -> int:
        """Return the table's time in milliseconds."""
        return self._lockstep.now()

    def begin(self) -> int:
        """Begin a game once the hub or the dice respond, and return its number in the journal.

        Raises:
            UrpiError: If they do not respond.
        """
        self._wait_for_dice()
        self.service.work()
        setting, usual = self._setting, self.board.next_game
        return self.board.begin(
            NewGame(
                setting.rules,
                usual.light,
                usual.dark,
                setting.first,
                setting.seats,
                setting.coach,
                position=setting.position,
                dice=self.table.dice_of if setting.players.own_dice else None,
                clock=usual.clock,
            )
        )

    def _prepare(self, order: NewGame) -> None:
        """Put the dice and pieces of a game that was chosen at the table on it."""
        self._explored = False
        sides = engine_sides(order.seats)
        self.table.change_game(order.rules, order.position, order.first, sides)

    def follow_display(self) -> None:
        """Let the players go on from what the display shows in an exploration, and after it.

        In a game they know better than the display what was thrown and played.
        """
        shot = self.service.snapshot
        explores = shot.explore is not None
        if (explores or self._explored) and shot.phase in SHOWN:
            assert shot.position is not None
            self.table.take_over(shot.position, shot.throw)
            self._explored = explores

    def _wait_for_dice(self) -> None:
        for _ in range(self._connect_checks):
            if self._is_connected:
                return
            self.table.rig.poll()
            if self._setting.rig:
                # Simulated microcontrollers run only while virtual time advances.
                self.table.run_next()
            # Reports from before the game are not part of it, so they are processed now.
            self.service.work(POLL_S)
        if self._setting.dice != "hub":
            message = f"The virtual dice are not available: {self.dice_health.error}."
            raise UrpiError(message)
        message = (
            f"The virtual hub at {self.table.rig.address} is not available:"
            f" {self.dice_health.error or 'it does not respond'}; try --wire socket."
        )
        raise UrpiError(message)

    @property
    def _is_connected(self) -> bool:
        """Whether the hub responds, or Bluetooth does.

        Dice of another rig or with Bluetooth must also have reported.
        """
        health, setting = self.dice_health, self._setting
        needs_dice = setting.rig is not None or setting.dice not in {"hub", "hand"}
        if needs_dice and len(health.dice) < self.table.dice.count:
            return False
        return health.available

    @property
    def by_hand(self) -> bool:
        """Whether the players enter their throws, because the dice report nothing."""
        return self._setting.dice == "hand"

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.service.game_snapshot.phase is Phase.OVER

    def run(self) -> None:
        """Process what is due, without a speed limit the next event, and wait for the next."""
        if not self._lockstep.advance(self.board):
            self.service.work(POLL_S)
        elif self._setting.speed:
            self.service.work(self._lockstep.wait_s(self.board, FRAME_S))

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        # What the players read on the OLED; those of Python dice see for themselves if one leans.
        seen = () if self._setting.rig else SEEN_BY_PLAYERS
        self.table.show(DisplayState.of(snapshot), decisions, seen)
        self._watch(snapshot, decisions)

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, decoded from the bytes that were sent to it."""
        return self._backends.picture()
