#!/usr/bin/env python3
"""Calculate a die's power consumption at rest, per throw and per game, and the games per charge.

    python3 firmware/charge.py               from data sheets and the times below
    python3 firmware/charge.py --simulate    and measured in the simulator with the
                                             images (firmware/README.md describes the build)

Currents are typical values in microamperes, times are milliseconds. Needs the standard library.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

BUILD = Path(__file__).parent / "build"

# ATmega328P at 3.3 V and 8 MHz (DS40002061B, section 30 and the typical curves of 31).
CPU_ACTIVE = 3280.0  # 410 uA a MHz
CPU_IDLE = 760.0  # 95 uA a MHz
CPU_DOWN = 4.2  # power-down with the watchdog; brown-out detection is off asleep
# LIS3DH (DocID17530 rev 2, table 4 and table 12).
ACCEL_REST = 3.0  # 10 Hz, low power
ACCEL_MOVING = 38.0  # 200 Hz, normal
PULL_UPS = 700.0  # 4.7 kOhm at 3.3 V while the bus is low: half of a transfer
# nRF24L01+ (Product Specification 1.0, table 5).
RADIO_DOWN = 0.9
RADIO_STANDBY = 26.0
RADIO_START = 400.0  # while the crystal starts, 1.5 ms
RADIO_SEND = 11300.0  # 0 dBm
RADIO_LISTEN = 13100.0  # 1 Mbit/s
# The rest of the board: firmware/die/pins.h, firmware/README.md.
REGULATOR = 1.6  # MCP1700, data sheet DS20001826
DIVIDER = 3.9 / 1.22  # volts over megohms

# What the firmware does (common/air_protocol.h, common/settling_limits.h).
WAKE_S = 8
HEARTBEAT_S = 32
POLLS = 10
LISTEN_MS = 4.0
SEND_MS = 0.8  # settling, 0.22 ms of frame, settling, the acknowledgement
START_MS = 6.0
TRIES = 6  # transmissions of an unacknowledged burst
ANSWER_MS = 1.1  # listening for an acknowledgement, on average over dice 1 to 4
WAKE_MS = 2.2  # awake after a watchdog period: battery 0.9, one sample 0.5, the loop
SAMPLES_PER_S = 200
SAMPLE_MS = 0.35  # of the processor, for each: fetched 0.2, looked at 0.15
BUS_SHARE = 0.5

# What players do.
IN_HAND_MS = 1000.0
IN_THE_AIR_MS = 1300.0  # falling and rolling, with the quarter of a second of stillness
REPORTS = 3.0  # handled or not, rolling, settled
THROWS_A_GAME = 200  # every die is thrown every time
GAME_H = 0.75
CELL_MAH = 150.0
CELL_SHARE = 0.8  # of its charge that a small cell gives down to 3.3 V, and after some years

WANTED_REST_UA = 25.0
WANTED_GAMES = 200


@dataclass(frozen=True)
class Draw:
    """A die's consumption: at rest with the board on and off, and in addition for a throw.

    `rest_ua` and `alone_ua` are microamperes, `throw_uc` microcoulombs.
    """

    rest_ua: float
    alone_ua: float
    throw_uc: float

    @property
    def game_mah(self) -> float:
        """The consumption of a game: its throws, and the rest between them."""
        return (self.throw_uc * THROWS_A_GAME / 3600 + self.rest_ua * GAME_H) / 1000

    def games(self, a_day: float) -> float:
        """Return the number of games per charge, by games per day; the board is off otherwise."""
        asleep_mah = self.alone_ua * (24 / a_day - GAME_H) / 1000
        return CELL_MAH * CELL_SHARE / (self.game_mah + asleep_mah)


def spoken_uc() -> float:
    """Return the charge of a report or heartbeat: the radio starts, sends, and listens briefly."""
    radio = (
        1.5 * RADIO_START
        + (START_MS - 1.5) * RADIO_STANDBY
        + SEND_MS * RADIO_SEND
        + LISTEN_MS * RADIO_LISTEN
    )
    processor = (START_MS + LISTEN_MS) * CPU_IDLE + SEND_MS * CPU_ACTIVE
    return (radio + processor) / 1000


def unreceived_uc() -> float:
    """Return the charge of a heartbeat if the board is off: one burst, and then sleep."""
    try_uc = SEND_MS * RADIO_SEND / 2 + ANSWER_MS * RADIO_LISTEN
    burst_ms = TRIES * (SEND_MS / 2 + ANSWER_MS)
    start = 1.5 * RADIO_START + (START_MS - 1.5) * RADIO_STANDBY
    return (start + TRIES * try_uc + (START_MS + burst_ms) * CPU_IDLE) / 1000


def rest_ua(sign_of_life_uc: float) -> float:
    """Return the consumption at rest: the parts' sum, and the die's periodic activity."""
    always = CPU_DOWN + ACCEL_REST + RADIO_DOWN + REGULATOR + DIVIDER
    return always + WAKE_MS * CPU_ACTIVE / 1000 / WAKE_S + sign_of_life_uc / HEARTBEAT_S


def throw_uc() -> float:
    """Return the charge of a throw in addition to rest, including fetching commands after it."""
    moving_s = (IN_HAND_MS + IN_THE_AIR_MS) / 1000
    samples = moving_s * SAMPLES_PER_S * SAMPLE_MS / 1000 * (CPU_ACTIVE + BUS_SHARE * PULL_UPS)
    polls = POLLS * (spoken_uc() + WAKE_MS * CPU_ACTIVE / 1000)
    return samples + moving_s * (ACCEL_MOVING - ACCEL_REST) + REPORTS * spoken_uc() + polls


def calculated() -> Draw:
    """Return the consumption calculated from the data sheets and the times above."""
    return Draw(rest_ua(spoken_uc()), rest_ua(unreceived_uc()), throw_uc())


class SimulatorError(RuntimeError):
    """The simulator is missing, or rejected a command."""


@contextmanager
def simulator(dice: int) -> Iterator[subprocess.Popen[str]]:
    """The simulator urpi-sim with a number of dice, run step by step."""
    program = BUILD / "sim" / "urpi-sim"
    images = ["--hub", str(BUILD / "hub.elf"), "--die", str(BUILD / "die.elf")]
    if not program.exists():
        message = f"{program} is missing; build it: make -C firmware && make -C firmware/sim."
        raise SimulatorError(message)
    command = [str(program), *images, "--dice", str(dice), "--speed", "0"]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        pipe(running.stdout).readline()
        yield running
        pipe(running.stdin).close()


def pipe(end: IO[str] | None) -> IO[str]:
    """Return one end of a pipe, which exists because it was requested."""
    assert end is not None
    return end


def send(running: subprocess.Popen[str], text: str) -> str:
    """Send a command to the simulator and return its reply."""
    pipe(running.stdin).write(text + "\n")
    pipe(running.stdin).flush()
    verdict, _, answer = pipe(running.stdout).readline().strip().partition(" ")
    if verdict != "ok":
        message = f"The simulator refused {text!r}: {answer}."
        raise SimulatorError(message)
    return answer


def taken_uc(running: subprocess.Popen[str]) -> float:
    """Return the charge that the dice have used so far, on average."""
    dice = json.loads(send(running, "status"))["dice"]
    return float(sum(die["charge_uc"]["whole"] for die in dice) / len(dice))


def simulated(throws: int = 40, rest_s: int = 1600, throw_s: int = 30) -> Draw:
    """Return the consumption measured with the images: at rest, and then for throws."""
    with simulator(dice=4) as running:
        send(running, "run 30000")
        before = taken_uc(running)
        send(running, f"run {rest_s * 1000}")
        rested = taken_uc(running)
        send(running, "off hub")
        send(running, "run 60000")
        left = taken_uc(running)
        send(running, f"run {rest_s * 1000}")
        alone = (taken_uc(running) - left) / rest_s
        send(running, "on hub")
        send(running, "run 60000")
        before_throws = taken_uc(running)
        for _ in range(throws):
            send(running, "throw all")
            send(running, f"run {throw_s * 1000}")
        thrown = taken_uc(running)
    rest = (rested - before) / rest_s
    return Draw(rest, alone, (thrown - before_throws) / throws - rest * throw_s)


def print_draw(title: str, draw: Draw) -> bool:
    """Print the figures, and return whether they meet the requirements."""
    games = draw.games(a_day=1)
    print(f"{title}:")  # noqa: T201 - what the program is for
    for line in (
        f"at rest {draw.rest_ua:.1f} uA (required: under {WANTED_REST_UA:.0f})",
        f"... with the board switched off {draw.alone_ua:.1f} uA",
        f"per throw {draw.throw_uc:.0f} uC, a game of {THROWS_A_GAME}: {draw.game_mah:.3f} mAh",
        f"games per {CELL_MAH:.0f} mAh (required: {WANTED_GAMES}): {games:.0f} with one per day",
        f"... and {draw.games(a_day=4):.0f} with four per day",
    ):
        print(f"  {line}")  # noqa: T201
    most_ua = max(draw.rest_ua, draw.alone_ua)
    return most_ua < WANTED_REST_UA and games >= WANTED_GAMES


def main() -> int:
    """Print both columns, and return 1 if one of them does not meet the requirements."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--simulate", action="store_true", help="measure the images too")
    options = parser.parse_args()
    good = print_draw("From the data sheets", calculated())
    if options.simulate:
        good = print_draw("From the images in the simulator", simulated()) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
