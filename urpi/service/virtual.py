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
from urpi.service.plugs import Plugs
from urpi.service.service import Service
from urpi.table import MockPins, Outlets, People, VirtualTable, Wire, open_wire
from urpi.table.firmware_rig import SLICE_MS, things_with
from urpi.table.oled_bus import OledBus, controller

IDLE_S: Final = 0.0005
"""How long a thread is waited for before looking again."""
FRAME_S: Final = 0.02
"""In real time the table moves on so often."""
CONNECT_S: Final = 10.0
"""The hub is given so long to be heard at the start."""
PATIENCE_S: Final = 0.5
"""At full speed the program is waited for so long while it hears nothing of what was said."""
SEEN_BY_PLAYERS: Final = ("cocked", "not-tumbled", "missing-die")
"""Throws that the players of Python dice see for themselves not to count. What the images find not
to count they cannot see: they read it on the OLED."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played at the table, by whom, and how fast.

    `speed` is how many times as fast as life, 0 as fast as it goes; `first` begins where the
    rules leave that to be said; `wire` is ``pty`` or ``socket``. `firmware` is where the
    firmware is built: its images take the place of the Python dice and hub, whose port is the
    simulator's then.
    """

    rules: RuleSet
    seed: int
    people: People
    speed: float = 1.0
    first: Side | None = None
    wire: str = "pty"
    firmware: Path | None = None


Watch = Callable[[Snapshot, tuple[Decision, ...]], None]
"""Told of every change, after it is stored and sent to the OLED."""


class VirtualService:
    """A service and its virtual table. Use it in a ``with``; it opens and closes everything."""

    def __init__(self, setting: Setting, config: Config, journal: Journal, watch: Watch) -> None:
        self._setting, self._config, self._journal = setting, config, journal
        self._watch = watch
        self._opened = ExitStack()
        self._begun = time.monotonic()
        self._said = 0, 0
        self._given_up = 0
        self._patient_until = 0.0

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
        outlets = Outlets(mock_pins.square, mock_pins.button, wire=self._open_wire(folder))
        if outlets.wire is not None:
            opening.callback(outlets.wire.unplug)
        self.table = VirtualTable(
            setting.rules,
            setting.seed,
            outlets,
            people=setting.people,
            things=things_with(setting.firmware, setting.seed, setting.speed, outlets.wire),
        )
        opening.callback(self.table.rig.close)
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

    def _open_wire(self, folder: Path) -> Wire | None:
        """The hub's cable; none to images that go by themselves, which have a port of their own."""
        setting = self._setting
        if setting.firmware is not None and setting.speed:
            return None
        return open_wire(setting.wire, folder)

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
        """The table's time in milliseconds: as fast as it goes, or so many times as life."""
        if not self._setting.speed:
            return self.table.schedule.now
        return int((time.monotonic() - self._begun) * 1000 * self._setting.speed)

    def begin(self) -> int:
        """Begin a game when the hub is heard; its number in the journal.

        Raises:
            UrpiError: when the hub is not heard.
        """
        deadline = time.monotonic() + CONNECT_S
        while not self._is_there:
            if time.monotonic() > deadline:
                message = (
                    f"The virtual hub at {self.table.rig.address} is not heard:"
                    f" {self.hub.error or 'it is silent'}; try --wire socket."
                )
                raise UrpiError(message)
            self.table.poll()
            if self._setting.firmware and not self._setting.speed:
                # The images take their time to answer, and need to be given it.
                self.table.advance(self.table.schedule.now + SLICE_MS)
            # What the dice said before the game is not part of it.
            self.service.work(IDLE_S)
        self.service.work()
        dice = self.table.dice_of if self._setting.people.own_dice else None
        return self._board.begin(self._setting.rules, self._setting.first, dice)

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
        """Let a little happen: at full speed the next thing, else what is due by now."""
        self.service.work()
        self.table.poll()
        if self._setting.speed:
            self.table.advance(self.now())
            self.service.work(FRAME_S)
        elif not self._everyone_has_heard():
            self.service.work(IDLE_S)
        else:
            self._run_next()

    def _run_next(self) -> None:
        due = self.service.next_due
        table_due = self.table.next_due
        if due is not None and (table_due is None or due < table_due):
            self.table.schedule.advance(due)
        elif table_due is not None:
            self.table.run_next()
        self.service.work()

    def _everyone_has_heard(self) -> bool:
        """Whether the program has heard all that the table said, so that time may go on.

        What was said into a closed port is never heard: when nothing moves for long, what
        is still due then is given up.
        """
        counts = self.hub.counts
        said = self.table.lines_sent, counts.lines + counts.dropped + counts.unknown
        if said != self._said:
            self._said, self._patient_until = said, time.monotonic() + PATIENCE_S
        sent, heard = said
        self._given_up = min(self._given_up, sent - heard)
        if self.table.quiet and self.table.rig.drained and sent - heard <= self._given_up:
            return self.service.idle
        if not self.table.rig.drained or time.monotonic() < self._patient_until:
            return False
        self._given_up = sent - heard
        return True

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self._tell_the_players(snapshot, decisions)
        self._watch(snapshot, decisions)

    def _tell_the_players(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """The people at the table read the OLED."""
        self.table.told_to_mend(snapshot.fill, snapshot.clear)
        chosen, choices = snapshot.chosen, snapshot.choices
        asked = snapshot.question.ask if snapshot.question is not None else None
        choices = choices[chosen:] + choices[:chosen]
        self.table.told_to_answer(choices if asked == "move" else ())
        self.table.told_to_enter(choices if asked == "faces" else ())
        seen = () if self._setting.firmware else SEEN_BY_PLAYERS
        for decision in decisions:
            if isinstance(decision, RollRefused) and decision.code not in seen:
                self.table.told_to_throw_again(decision.dice)
            elif isinstance(decision, Roll):
                self.table.told_to_throw_again(())

    def picture(self) -> Image.Image:
        """What the OLED shows, decoded from the bytes that it was sent."""
        return self.bus.picture()
