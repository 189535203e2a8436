"""`urpi dice` with the firmware's images, used on simulated dice as by a maker."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Running, running
from tests.waiting import wait_until
from tools.firmware_demo.firmware_simulator import FirmwareSimulator, built_images

FIRMWARE = Path(__file__).parents[2] / "firmware"
DEADLINE_S = 240.0
FAST = 4.0
"""Simulated time can be faster than real time; the commands' timeouts are in real time."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("simulator_built"),
    pytest.mark.timeout(4 * DEADLINE_S),
]


@pytest.fixture
def dice() -> Iterator[FirmwareSimulator]:
    """Two uncalibrated dice."""
    images = built_images(FIRMWARE)
    with FirmwareSimulator(
        images, dice=2, kind=4, seed=5, speed=FAST, calibrated=False
    ) as simulator:
        yield simulator


def lie_still(dice: FirmwareSimulator) -> dict[int, int]:
    """Wait until the dice are at rest, and return the tips that are up."""
    wait_until(lambda: all(die.still for die in dice.dice().values()), "the dice are at rest")
    return {number: die.face for number, die in dice.dice().items()}


def put_up(dice: FirmwareSimulator, line: str) -> None:
    """Put up the tip that a line requests."""
    found = re.search(r"tip (\d)", line)
    assert found
    dice.do("place", 2, found[1])
    lie_still(dice)


def calibrate(dice: FirmwareSimulator, command: Running) -> None:
    for _ in range(4):
        put_up(dice, command.read_until("then press Enter"))
        command.type("\n")
        command.read_until("Calibrated: ")
    for _ in range(4):
        put_up(dice, command.read_until("up."))
        command.read_until("Right: ")


def test_calibrated_die_reports_the_face_of_every_throw(dice: FirmwareSimulator) -> None:
    with running("dice", "calibrate", "--die", "2", "--port", dice.terminal) as command:
        calibrate(dice, command)
        assert (command.end(), command.errors) == (0, "")
    words = ("--die", "2", "--throws", "3", "--json")
    with running("dice", "test", "--port", dice.terminal, *words) as command:
        command.wait_for_error("Throw each die")
        truly = [0, 0, 0, 0]
        for number in range(1, 4):
            dice.do("throw", 2)
            truly[lie_still(dice)[2] - 1] += 1
            command.wait_for_error(f"die 2: {number} of 3")
        assert command.end() == 0
    assert json.loads(command.passed[-1])["counts"] == truly


def test_watch_shows_an_uncalibrated_die(dice: FirmwareSimulator) -> None:
    with running("dice", "watch", "--port", dice.terminal) as command:
        command.read_until("connected, firmware")
        dice.do("place", 1, 2)
        command.read_until("die 1: handled")
        assert command.read_until("die 1: settled").endswith("not calibrated")
        assert command.interrupt() == 0


def test_new_chip_is_accepted_after_forget() -> None:
    images = built_images(FIRMWARE)
    with FirmwareSimulator(images, dice=2, kind=4, seed=5, speed=FAST, key="5A" * 16) as dice:
        with running("dice", "watch", "--port", dice.terminal) as command:
            command.read_until("die 2: settled")
            dice.do("restart", 2)
            command.read_until("die 2: settled")
            dice.do("exchange", 2)
            command.read_until("The hub rejected forged or repeated reports")
            assert command.interrupt() == 0
        with running("dice", "forget", "2", "--port", dice.terminal) as command:
            command.read_until("accepts a new chip in die 2")
            dice.do("place", 2, 3)
            command.read_until("The hub accepts die 2 again.")
            assert (command.end(), command.errors) == (0, "")


def test_battery_measurement_is_calibrated(dice: FirmwareSimulator) -> None:
    words = ("--die", "2", "--cell", "4.05", "--port", dice.terminal)
    with running("dice", "calibrate", *words) as command:
        line = command.read_until("Die 2 ")
        while "now measures" not in line:
            # It asks for the die to be picked up, or tapped if it sleeps.
            dice.do("place", 2, 3)
            line = command.read_until("Die 2 ")
        assert command.end() == 0
    assert re.search(r"as 4\.0[3-7] V; before it was 3\.", line), line
