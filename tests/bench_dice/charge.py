"""What a die takes from its cell, at rest and a throw, and what the simulator takes of a core."""

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

START_MS = 60_000  # so that a fresh die no longer asks for commands every second
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
    throw_uc: float  # above what it takes at rest
    throws_a_game: float

    @property
    def game_mc(self) -> float:
        """A game in millicoulombs, of GAME_MIN minutes."""
        return self.throws_a_game * self.throw_uc / 1000 + self.rest_ua * GAME_MIN * 60 / 1000

    @property
    def games(self) -> float:
        """How many games a cell lasts."""
        return CELL_MAH * 3600 / self.game_mc


def _charge_uc(simulator: Simulator) -> float:
    return mean(die["charge_uc"]["whole"] for die in simulator.status()["dice"])


def _taken(simulator: Simulator, ms: int) -> float:
    before = _charge_uc(simulator)
    simulator.run(ms, STEP_MS)
    return _charge_uc(simulator) - before


def throws_a_game(games: int = 50) -> float:
    """Throws of a game of `finkel`, both sides' together, moves at random: long games."""
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


def measure(kind: int, seed: int) -> Charge:
    """Four dice at rest for ten minutes, then thrown again and again."""
    with Simulator(options=("--kind", str(kind), "--seed", str(seed))) as simulator:
        simulator.run(START_MS, STEP_MS)
        rest_ua = _taken(simulator, REST_MS) / (REST_MS / 1000)
        thrown = 0.0
        for number in range(THROWS):
            simulator.command(f"throw all seed={seed + number}")
            thrown += _taken(simulator, THROW_EVERY_MS)
    throw_uc = thrown / THROWS - rest_ua * THROW_EVERY_MS / 1000
    return Charge(rest_ua, throw_uc, throws_a_game())


def _cpu_s(process: int) -> float:
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    fields = stat.rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load_of_a_core(seconds: float, throw_every_s: float, clock: Callable[[], float]) -> float:
    """Of one core, while hub and four dice run in real time and are thrown every so often."""
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
