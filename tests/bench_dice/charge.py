"""The charge that a die uses at rest and for a throw, and the simulator's load of a core."""

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean

from tests.firmware.simulator import BUILD, PROGRAM, Simulator
from urpi.rules import PASS, Side, rule_set

START_MS = 60_000  # after that a new die no longer polls for commands every second
REST_MS = 600_000
THROW_EVERY_MS = 20_000  # the pace of a game
THROWS = 30
CELL_MAH = 150
GAME_MIN = 40
GAMES = 200
STEP_MS = 50


@dataclass(frozen=True)
class Charge:
    """Means over the dice."""

    rest_ua: float
    throw_uc: float  # in addition to the charge at rest
    throws_a_game: float

    @property
    def game_mc(self) -> float:
        """The charge of a game of `GAME_MIN` minutes, in millicoulombs."""
        return self.throws_a_game * self.throw_uc / 1000 + self.rest_ua * GAME_MIN * 60 / 1000

    @property
    def games(self) -> float:
        """The number of games of a full cell."""
        return CELL_MAH * 3600 / self.game_mc


def _charge_uc(simulator: Simulator) -> float:
    return mean(die["charge_uc"]["whole"] for die in simulator.status()["dice"])


def _used(simulator: Simulator, ms: int) -> float:
    before = _charge_uc(simulator)
    simulator.run(ms, STEP_MS)
    return _charge_uc(simulator) - before


def throws_a_game(games: int = 50) -> float:
    """Return the mean number of throws in a game of `finkel` with random moves: a long game."""
    rules, random = rule_set("finkel"), Random(1)
    throws = 0
    for _ in range(games):
        position = rules.start(Side.LIGHT)
        while position.turn is not None:
            throw = rules.dice.roll(random.random())
            moves = rules.legal_moves(position, throw)
            position = rules.play(position, throw, random.choice(moves) if moves else PASS)
            throws += 1
    return throws / games


def measure(body: str, seed: int) -> Charge:
    """Measure four dice at rest for ten minutes, and then repeated throws."""
    with Simulator(options=("--body", body, "--seed", str(seed))) as simulator:
        simulator.run(START_MS, STEP_MS)
        rest_ua = _used(simulator, REST_MS) / (REST_MS / 1000)
        thrown = 0.0
        for number in range(THROWS):
            simulator.command(f"throw all seed={seed + number}")
            thrown += _used(simulator, THROW_EVERY_MS)
    throw_uc = thrown / THROWS - rest_ua * THROW_EVERY_MS / 1000
    return Charge(rest_ua, throw_uc, throws_a_game())


def _cpu_s(process: int) -> float:
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    fields = stat.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load_of_a_core(seconds: float, throw_every_s: float, clock: Callable[[], float]) -> float:
    """Return the load of a core while hub and four dice run in real time, with regular throws."""
    images = ("--hub", str(BUILD / "hub.elf"), "--die", str(BUILD / "die.elf"))
    with subprocess.Popen(
        [PROGRAM, *images], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        began, spent = clock(), _cpu_s(process.pid)
        while clock() - began < seconds:
            process.stdin.write("throw all\n")
            process.stdin.flush()
            process.stdout.readline()
            time.sleep(throw_every_s)
        load = (_cpu_s(process.pid) - spent) / (clock() - began)
        process.stdin.close()
        process.wait(timeout=10)
    return load
