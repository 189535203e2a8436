"""The loss of advertisements and of throws against the distance, in a published model of rooms.

`python -m tests.firmware_ble.distance ROOMS` has the program hear what the linked image sent in
throws of the smallest body, through a model of the air and of the Pi's receiver. In each room the
die lies elsewhere after each throw, and nothing moves while it reports: a channel on which nothing
is heard remains so, which is the least convenient.
"""

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from tests.output import print_line
from urpi.hardware.advertised_dice import AdvertisedDice, AdvertisedDie
from urpi.hardware.advertisement import frame_of
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import HubSettings
from urpi.referee.facts import Die as DieFact

from .air import CHANNELS, received
from .bodies import Body
from .bodies import build as build_motions
from .conftest import build
from .die import KEY, Die, settings
from .verdicts import BODIES

ADDRESS, NUMBER, KIND = "D2:34:56:78:9A:BC", 2, 4
THROWS, THROW_MS = 20, 7000
DISTANCES_M = (1, 2, 3, 5, 7, 10, 15, 20)


@dataclass(frozen=True)
class Place:
    """A row of table 2 of Recommendation ITU-R P.1238-11 (section 3.1), for 0.3 to 82 GHz."""

    alpha: float
    beta: float
    gamma: float
    sigma_db: float
    from_m: float

    def loss_db(self, metres: float, mhz: float) -> float:
        """Return the median of the loss between two antennas without gain."""
        return (
            10 * self.alpha * math.log10(metres)
            + self.beta
            + 10 * self.gamma * math.log10(mhz / 1000)
        )


IN_SIGHT = Place(1.46, 34.62, 2.03, 3.76, from_m=2)
OUT_OF_SIGHT = Place(2.46, 29.53, 2.38, 5.04, from_m=4)
"""Offices with and without a line of sight; the recommendation has no row for homes here."""
POWER_DBM = 0
"""What firmware/ble/radio.c sets."""
ANTENNAS_DB = 10
"""Estimated: both antennas, the die's beside its cell, and the Pi's case."""
PERSON_DB = 15
"""Somebody between, or a hand about the die: fades "of up to 15 dB and even more" were measured by
"Human body shadowing variability in short-range indoor radio links at 3-11 GHz band"."""
SENSITIVITY_DBM = -90
"""With errors in 0.1 % of the bits. An estimate: 4 dB worse than what data sheets of such chips
have, and 20 dB better than the Core Specification demands (volume 6 part A, 4.1)."""
SCAN_MS = 11.25
"""What Linux has for discovery, as interval and window (DISCOV_LE_SCAN_INT in hci_core.h): it
always listens, on one channel after the other."""
GAP_MS = 60
"""Between two scans of the program."""


@dataclass(frozen=True)
class Situation:
    """Where the die is, what is in the air, and for which part of its time the Pi listens."""

    place: Place
    more_db: float = 0
    loss: float = 0
    burst_ms: int = 0
    every_ms: int = 4700
    listens: float = 1

    def power_dbm(self, metres: float, mhz: float) -> float:
        """Return the median of the received power."""
        return POWER_DBM - ANTENNAS_DB - self.more_db - self.place.loss_db(metres, mhz)


SITUATIONS = {
    "in sight": Situation(IN_SIGHT),
    "in sight, hostile": Situation(IN_SIGHT, loss=0.4, burst_ms=600, listens=0.5),
    "not in sight": Situation(OUT_OF_SIGHT),
    "not in sight, a person": Situation(OUT_OF_SIGHT, PERSON_DB),
    "not in sight, a person, hostile": Situation(
        OUT_OF_SIGHT, PERSON_DB, loss=0.4, burst_ms=600, listens=0.5
    ),
}
"""Hostile: 40 % of what is received is lost, all of it for 0.6 s out of 4.7, and Wi-Fi uses the
Pi's antenna for half of the time."""


@dataclass(frozen=True)
class Packet:
    """An advertisement on one channel: when it begins, its bits without the preamble, its data."""

    ms: float
    mhz: int
    bits: int
    data: bytes


def lost_share(power_dbm: float, bits: int) -> float:
    """Return how often a packet has an error: GFSK that is received without its phase."""
    ratio = 10 ** ((power_dbm - SENSITIVITY_DBM) / 10)
    return 1 - (1 - 0.5 * math.exp(-math.log(500) * ratio)) ** bits


class Air:
    """What arrives at a Pi that scans, in one room."""

    def __init__(self, situation: Situation, metres: float, chance: random.Random):
        self.situation, self.metres, self.chance = situation, metres, chance
        self._phase_ms = chance.uniform(0, 3 * SCAN_MS)
        self._burst_ms = chance.uniform(0, situation.every_ms)
        self._power: dict[int, float] = {}
        self.move()

    def move(self) -> None:
        """Lay the die elsewhere, where each channel fades for itself (Rayleigh)."""
        shadow_db = self.chance.gauss(0, self.situation.place.sigma_db)
        self._power = {
            mhz: self.situation.power_dbm(self.metres, mhz)
            - shadow_db
            + 10 * math.log10(self.chance.expovariate(1) + 1e-30)
            for mhz in CHANNELS
        }

    def hears(self, packet: Packet) -> bool:
        """Return whether the scanner is on its channel all the time, and understands it."""
        it, at = self.situation, packet.ms + self._phase_ms
        turn, within = divmod(at, SCAN_MS)
        if list(CHANNELS)[int(turn) % 3] != packet.mhz:
            return False
        if within + (packet.bits + 8) / 1000 > SCAN_MS * it.listens:
            return False
        if (packet.ms + self._burst_ms) % it.every_ms < it.burst_ms:
            return False
        if self.chance.random() < it.loss:
            return False
        return self.chance.random() >= lost_share(self._power[packet.mhz], packet.bits)


def sent(image: bytes, motions: Any, throws: int = THROWS) -> list[Packet]:
    """Return what the linked image sends in throws that begin every `THROW_MS`, from one on."""
    die = Die(image, settings(kind=KIND, set_number=0), seed=3)
    die.body = Body(motions, BODIES[0], 3)
    die.sensor.source = die.body.felt
    die.run(THROW_MS)
    for _ in range(throws):
        die.body.do(die.chip.now, "throw")
        die.run(THROW_MS)
    return [
        Packet(it.ns / 1e6, it.mhz, len(it.bits) - 8, received(it)[12:]) for it in die.radio.sent
    ]


@dataclass
class Outcome:
    """How many advertisements and throws there were, and were lost; how late the others are."""

    events: int = 0
    unheard: int = 0
    throws: int = 0
    lost: int = 0
    late_ms: tuple[float, ...] = ()

    def add(self, other: "Outcome") -> None:
        self.events += other.events
        self.unheard += other.unheard
        self.throws += other.throws
        self.lost += other.lost
        self.late_ms += other.late_ms


Results: TypeAlias = dict[int, tuple[float, str | None]]
"""When in ms a throw counted, and with which face, by the number of the report that it ended."""


def counted(packets: Sequence[Packet], air: Air | None) -> tuple[Results, set[int]]:
    """Return the results, of all that was sent without an air, and which packets were heard."""
    die = AdvertisedDie(NUMBER, ADDRESS, KIND, bytes.fromhex(KEY))
    dice = AdvertisedDice([die], DieFaces(), HubSettings(), {})
    facts: list[tuple[Packet, DieFact]] = []
    heard: set[int] = set()
    begin = over = moved = 0.0
    for place, packet in enumerate(packets):
        while packet.ms >= over:
            begin, over = over, over + 1000 * dice.begin_scan(round(over))
        if air and packet.ms >= moved + THROW_MS:
            moved += THROW_MS
            air.move()
        if air is None or (packet.ms >= begin + GAP_MS and air.hears(packet)):
            heard.add(place)
            found = dice.on_advertisement(ADDRESS, packet.data, round(packet.ms))
            facts += [(packet, one) for one in found if isinstance(one, DieFact)]
    results: Results = {}
    for (_, soon), (packet, late) in pairwise(facts):
        if late.state == "settled" and late.tumbled and soon.state == "rolling":
            frame = frame_of(packet.data)
            assert frame is not None
            assert frame.number not in results, "a throw counts twice"
            results[frame.number] = packet.ms, late.face
    return results, heard


def play(
    packets: Sequence[Packet], expected: Results, situation: Situation, metres: float, seed: int
) -> Outcome:
    """Return the outcome of all throws in one room."""
    results, heard = counted(packets, Air(situation, metres, random.Random(seed)))
    for throw, (_, face) in results.items():
        assert face == expected[throw][1], "a throw counts with another face"
    events = list(events_of(packets))
    return Outcome(
        events=len(events),
        unheard=sum(heard.isdisjoint(event) for event in events),
        throws=len(expected),
        lost=len(expected.keys() - results.keys()),
        late_ms=tuple(ms - expected[throw][0] for throw, (ms, _) in results.items()),
    )


def events_of(packets: Sequence[Packet]) -> Iterator[range]:
    """Yield the places of the packets of each advertisement, which is sent on each channel."""
    assert [packet.mhz for packet in packets] == list(CHANNELS) * (len(packets) // 3)
    for first in range(0, len(packets), 3):
        yield range(first, first + 3)


def measure(packets: Sequence[Packet], rooms: int) -> Iterator[str]:
    """Yield a line for each situation and distance."""
    expected, _ = counted(packets, None)
    with ProcessPoolExecutor() as pool:
        for name, situation in SITUATIONS.items():
            for metres in DISTANCES_M:
                if metres < situation.place.from_m / 2:
                    continue
                one, outcome = partial(play, packets, expected, situation, metres), Outcome()
                for each in pool.map(one, range(rooms), chunksize=5):
                    outcome.add(each)
                late = sorted(outcome.late_ms)
                yield (
                    f"{name:32} {metres:3} m: {situation.power_dbm(metres, 2440):4.0f} dBm, "
                    f"{100 * outcome.unheard / outcome.events:5.1f} % of the advertisements, "
                    f"{outcome.lost} of {outcome.throws} throws lost, "
                    f"others after {late[len(late) // 2] if late else 0:.0f} ms, p99 "
                    f"{late[len(late) * 99 // 100] if late else 0:.0f} ms"
                )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.firmware_ble.distance")
    parser.add_argument("rooms", type=int, help=f"rooms with {THROWS} throws for each line")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        image = (build(Path(folder) / "ble") / "die.bin").read_bytes()
        packets = sent(image, build_motions(Path(folder)))
    for line in measure(packets, arguments.rooms):
        print_line(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
