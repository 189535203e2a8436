"""The time from the last die to the engine's move on the OLED: `python -m tests.bench.engine_turn`.

The service of `urpi serve` plays games of a race with its engine process, journal and
display, whose bus decodes the driver's bytes. Both seats are the engine's. Reports of dice are
submitted as a hub does, and the pins are mock ones. A delay ends when the picture with the move has
been sent. A throw with a single move needs no engine and is not counted.

On a real bus a picture takes 25 ms more, and a die needs about 0.3 s to report that it is at rest
(`python -m tests.bench_dice`).
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from tests.kernel.latency import percentile
from tests.output import print_line
from urpi.config import load
from urpi.core.moments import local_now
from urpi.hardware import DiceHealth, default_pins, pin_factory
from urpi.hardware.hub_link import HubHealth
from urpi.hardware.oled_bus import OledBus
from urpi.journal import Keeper
from urpi.referee import Phase, Snapshot
from urpi.referee.facts import Die, Fact
from urpi.referee.orders import NewGame
from urpi.rules import (
    ALL_SQUARES,
    HAND,
    OFF,
    PASS,
    Move,
    Position,
    RuleSet,
    Side,
    Square,
    parse_move,
    rule_set,
)
from urpi.service.backends import Backends
from urpi.service.board import BoardService
from urpi.service.board_parts import BoardParts
from urpi.show.menu import DieStatus
from urpi.show.views import draw

MAX_MS: Final = {"hard": 400.0, "best": 1500.0}
"""The longest delay of 99 in 100 throws, by level: `best` looks two plies ahead."""
HAND_S: Final = 0.03
"""The time between two movements of a hand."""
DEADLINE_S: Final = 30.0
CONFIG: Final = """
[gpio]
factory = "mock"
[journal]
path = "{journal}"
[table]
review = false
"""


class Dice:
    """A source of dice whose reports the bench makes."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._on_fact: Callable[[Fact], None] = lambda _fact: None

    def start(
        self, on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        """Keep the callback."""
        self._on_fact = on_fact
        on_health(self.health)

    @property
    def health(self) -> DiceHealth:
        """The health of a hub in service."""
        return HubHealth(connected=True, alive=True)

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return no status."""
        return ()

    def close(self) -> None:
        """Do nothing."""

    def throw(self, faces: str) -> None:
        """Report that all dice roll, then each one's face."""
        for die in range(1, len(faces) + 1):
            self._on_fact(Die(self._clock(), die, "rolling"))
        for die, face in enumerate(faces, 1):
            self._on_fact(Die(self._clock(), die, "settled", face, tumbled=True))


class Bench:
    """A board whose engine plays both sides."""

    def __init__(self, folder: Path, rules: RuleSet, level: str, seed: int) -> None:
        path = folder / "config.toml"
        path.write_text(CONFIG.format(journal=folder / "journal.db"))
        config = load(path, {}).config
        self._rules, self._level, self._random = rules, level, Random(seed)
        self._bus = OledBus(config.oled.driver)
        self._factory = pin_factory("mock")
        self._dice = Dice(_milliseconds)
        backends = Backends(
            self._factory,
            default_pins(),
            self._make_dice,
            {"oled": self._bus},
        )
        keeper = Keeper.open(config.journal.file, local_now())
        self.board = BoardService(BoardParts(config, keeper, _milliseconds, backends, _ignore))

    def _make_dice(self, clock: Callable[[], int]) -> Dice:
        self._dice = Dice(clock)
        return self._dice

    def play(self, most: int) -> list[float]:
        """Play a game, and return the delay of each choice in milliseconds, or the first ones."""
        for square in ALL_SQUARES:
            self._set(square, on=False)
        seats = (f"engine:{self._level}", f"engine:{self._level}")
        self.board.begin(NewGame(self._rules, first=Side.LIGHT, seats=seats))
        position, delays = self._rules.start(Side.LIGHT), list[float]()
        # The engine's process is started with the game, which people do not begin within a second.
        self._until(lambda shot: shot.phase is Phase.THROW and self.board.idle)
        while position.turn is not None and len(delays) < most:
            throw = self._rules.dice.roll(self._random.random())
            legal = self._rules.legal_moves(position, throw)
            last, began = self.board.service.snapshot.rolled, time.perf_counter()
            self._dice.throw(throw.faces)
            move = PASS
            if legal:
                self._until(lambda shot, last=last: shot.rolled != last and shot.planned)
                if len(legal) > 1:
                    delays.append(self._shown_ms(began))
                planned = self.board.service.snapshot.planned
                assert planned is not None
                move = parse_move(planned)
                self._move(position, move)
            before, position = position, self._rules.play(position, throw, move)
            # A piece that has been borne off only seems to be: the next throw confirms it.
            self._until(lambda shot, before=before: shot.position != before or shot.seems)
        return delays

    def _shown_ms(self, began: float) -> float:
        """Return the time until the picture with the move is sent, in milliseconds."""
        screen, words = self.board.devices.screen, self.board.preferences.words
        assert screen is not None
        assert screen.flush(DEADLINE_S)
        took = (time.perf_counter() - began) * 1000
        assert self._bus.picture() == draw(self.board.service.snapshot, words)
        return took

    def _move(self, before: Position, move: Move) -> None:
        """Move a piece, after taking a captured one off."""
        origin, target = move.parts[0].origin, move.parts[0].target
        steps = [(target, False)] if target != OFF and before.board[target] else []
        steps += [(origin, False)] if origin != HAND else []
        steps += [(target, True)] if target != OFF else []
        for square, on in steps:
            self._set(square, on=on)
            later = time.monotonic() + HAND_S
            self._until(lambda _shot, later=later: time.monotonic() > later)

    def _set(self, square: Square, *, on: bool) -> None:
        """Close or open the switch of a square."""
        pin = self._factory.pin(default_pins().squares[square])
        (pin.drive_low if on else pin.drive_high)()

    def _until(self, reached: Callable[[Snapshot], object]) -> None:
        service, deadline = self.board.service, time.monotonic() + DEADLINE_S
        while not reached(service.snapshot):
            assert time.monotonic() < deadline, service.snapshot
            due = service.next_due
            wait_ms = 10 if due is None else min(10, max(1, due - service.clock()))
            service.work(wait_ms / 1000)


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000


def _ignore(*_: object) -> None:
    pass


def main() -> None:
    """Measure and print; the exit status is 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.engine_turn", description=__doc__)
    parser.add_argument("--rules", default="finkel", help="a race without piles")
    parser.add_argument("--level", choices=list(MAX_MS), default="hard")
    parser.add_argument("--table", type=Path, help="a table of exact values to be installed")
    parser.add_argument("--choices", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    delays = list[float]()
    with TemporaryDirectory(prefix="urpi-turn-") as name:
        folder, rules = Path(name), rule_set(given.rules)
        if given.table is not None:
            (folder / "tables").mkdir()
            shutil.copy(given.table, folder / "tables" / f"{given.rules}.table")
        bench = Bench(folder, rules, given.level, given.seed)
        with bench.board:
            while len(delays) < given.choices:
                delays += bench.play(given.choices - len(delays))
    high = percentile(delays, 0.99)
    print_line(
        f"{given.rules}, {given.level}, {len(delays)} choices, seed {given.seed}: "
        f"{median(delays):.0f} ms, p99 {high:.0f} ms, most {max(delays):.0f} ms"
    )
    sys.exit(0 if high < MAX_MS[given.level] else 1)


if __name__ == "__main__":
    main()
