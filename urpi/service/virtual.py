"""The service at the virtual table: every real layer, with fakes for plugs at the far ends.

The table's contacts drive gpiozero's mock pins, its hub speaks the serial protocol over a
pseudo-terminal (or a loopback socket) to pyserial, and luma's driver writes to a bus that is
decoded into the picture that the OLED would show.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

from PIL import Image

from urpi.config import Config
from urpi.devices import DieFaces, HubHealth, Screen, default_pins, open_oled, pin_factory
from urpi.errors import UrpiError
from urpi.journal import Journal, Keeper
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision, Roll, RollRefused
from urpi.rules import RuleSet, Side
from urpi.service.board import BoardService
from urpi.service.lockstep import POLL_S, Lockstep, Pace, WallClock
from urpi.service.plugs import Plugs
from urpi.service.service import Service
from urpi.simulation import MockPins, Outputs, SimulatedPlayers, VirtualTable, open_wire
from urpi.simulation.firmware_rig import SLICE_MS, equipment_with
from urpi.simulation.oled_bus import OledBus, controller

FRAME_S: Final = 0.02
"""Longest wait for facts, so that the table keeps moving."""
CONNECT_CHECKS: Final = 20_000
"""Checks, `POLL_S` apart, after which a hub that is still not connected is an error."""
SEEN_BY_PLAYERS: Final = ("cocked", "not-tumbled", "missing-die")
"""Throws that the players of Python dice see for themselves not to count. What the images find not
to count they cannot see: they read it on the OLED."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played at the table, by whom, and how fast.

    `speed` is how many times as fast as life, 0 as fast as it goes; `first` begins where the
    rules leave that to be said; `wire` is ``pty`` or ``socket``. `firmware` is where the
    firmware is built: its images take the place of the Python dice and hub.
    """

    rules: RuleSet
    seed: int
    players: SimulatedPlayers
    speed: float = 1.0
    first: Side | None = None
    wire: str = "pty"
    firmware: Path | None = None


Watch = Callable[[Snapshot, tuple[Decision, ...]], None]
"""Told of every change, after it is stored and sent to the OLED."""


class VirtualService:
    """A service and its virtual table. Use it in a ``with``; it opens and closes everything."""

    def __init__(
        self,
        setting: Setting,
        config: Config,
        journal: Journal,
        watch: Watch,
        *,
        wall_s: WallClock = time.monotonic,
    ) -> None:
        """Prepare the service; nothing is opened yet.

        Args:
            setting: The game, the players and the speed.
            config: The configuration of the program at the table.
            journal: Where the game is stored.
            watch: Called after every change.
            wall_s: The clock that limits the speed, in seconds.
        """
        self._setting, self._config, self._journal = setting, config, journal
        self._watch = watch
        self._wall_s = wall_s
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._open(opening)
            self._opened = opening.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def _open(self, opening: ExitStack) -> None:
        setting = self._setting
        folder = Path(opening.enter_context(TemporaryDirectory(prefix="urpi-")))
        factory, pins = pin_factory("mock"), default_pins()
        opening.callback(factory.reset)
        mock_pins = MockPins(factory, pins)
        wire = open_wire(setting.wire, folder)
        opening.callback(wire.unplug)
        outputs = Outputs(mock_pins.square, mock_pins.button, wire=wire)
        self.table = VirtualTable(
            setting.rules,
            setting.seed,
            outputs,
            players=setting.players,
            equipment=equipment_with(setting.firmware, setting.seed, wire),
        )
        opening.callback(self.table.rig.close)
        self._lockstep = Lockstep(self.table, Pace(setting.speed, self._wall_s))
        driver = controller(self._config.oled.driver)
        self.bus = OledBus(driver)
        oled = partial(open_oled, driver, self.bus)
        plugs = Plugs(factory, pins, self.table.rig.address, DieFaces(), oled)
        self._board = opening.enter_context(
            BoardService(
                self._config, Keeper(self._journal), self.now, plugs, self._show, table="virtual"
            )
        )
        mock_pins.refresh()

    @property
    def board(self) -> BoardService:
        """The service with its devices, as it is at a real board."""
        return self._board

    @property
    def service(self) -> Service:
        """The service itself."""
        return self._board.service

    @property
    def screen(self) -> Screen:
        """The OLED."""
        assert self._board.screen is not None
        return self._board.screen

    @property
    def hub(self) -> HubHealth:
        """The program's view of the table's hub."""
        health = self._board.hub
        assert isinstance(health, HubHealth), "the virtual table has a serial hub"
        return health

    def now(self) -> int:
        """Return the table's time in milliseconds."""
        return self._lockstep.now()

    def begin(self) -> int:
        """Begin a game when the hub is heard; its number in the journal.

        Raises:
            UrpiError: when the hub is not heard.
        """
        self._wait_for_hub()
        self.service.work()
        dice = self.table.dice_of if self._setting.players.own_dice else None
        return self._board.begin(self._setting.rules, self._setting.first, dice)

    def _wait_for_hub(self) -> None:
        for _ in range(CONNECT_CHECKS):
            if self._is_there:
                return
            self.table.poll()
            if self._setting.firmware:
                # The images answer only when their time passes.
                self.table.advance(self.table.schedule.now + SLICE_MS)
            # What the dice said before the game is not part of it.
            self.service.work(POLL_S)
        message = (
            f"The virtual hub at {self.table.rig.address} is not heard:"
            f" {self.hub.error or 'it is silent'}; try --wire socket."
        )
        raise UrpiError(message)

    @property
    def _is_there(self) -> bool:
        """Whether the hub is heard; the images' dice say how they lie when they start, too."""
        if self._setting.firmware is not None and len(self.hub.dice) < self.table.dice.count:
            return False
        return self.hub.alive

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.service.snapshot.phase is Phase.OVER

    def run(self) -> None:
        """Process what is due, without a speed limit the next event, and wait for the next."""
        if not self._lockstep.advance(self._board):
            self.service.work(POLL_S)
        elif self._setting.speed:
            self.service.work(self._lockstep.wait_s(self._board, FRAME_S))

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self._tell_the_players(snapshot, decisions)
        self._watch(snapshot, decisions)

    def _tell_the_players(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """The people at the table read the OLED."""
        self.table.show_corrections(snapshot.fill, snapshot.clear)
        self.table.show_throw(snapshot.position, snapshot.throw)
        chosen, choices = snapshot.chosen, snapshot.choices
        asked = snapshot.question.ask if snapshot.question is not None else None
        choices = choices[chosen:] + choices[:chosen]
        self.table.show_move_question(choices if asked == "move" else ())
        self.table.show_faces_question(choices if asked == "faces" else ())
        seen = () if self._setting.firmware else SEEN_BY_PLAYERS
        for decision in decisions:
            if isinstance(decision, RollRefused) and decision.code not in seen:
                self.table.show_rejected_throw(decision.dice)
            elif isinstance(decision, Roll):
                self.table.show_roll(decision.faces)

    def picture(self) -> Image.Image:
        """What the OLED shows, decoded from the bytes that it was sent."""
        return self.bus.picture()
