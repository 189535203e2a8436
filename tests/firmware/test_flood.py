"""The hub's image with a flooded serial line: dice have priority, and every drop is counted."""

import os
import random

import pytest

from tests.firmware.simulator import Simulator

pytestmark = pytest.mark.usefixtures("simulator_built")

LETTERS = b"$*,=\r\nACKSEQLD0123456789\xff\x00"
STEP_MS = 20
LINE_RATE = 230  # bytes in STEP_MS at 115200 baud


@pytest.mark.slow
def test_flood_of_noise_is_counted_and_loses_no_throw():
    rng = random.Random(1)
    settled = []
    with Simulator(("--dice", "4", "--seed", "5")) as simulator:
        simulator.run(2000)
        simulator.command("throw all")
        for _ in range(3500 // STEP_MS):
            noise = bytes(rng.choice(LETTERS) for _ in range(rng.randint(0, LINE_RATE)))
            os.write(simulator.tty, noise)
            simulator.written += len(noise)
            for line in simulator.run(STEP_MS):
                if line.kind == "HUB":
                    dropped = int(line.value["drop"])
                elif line.state == "settled":
                    settled.append(line.die)
        hub = simulator.status()["hub"]
    assert sorted(settled) == [1, 2, 3, 4]
    assert dropped > 100
    assert hub["crashes"] == 0
    assert hub["resets"]["watchdog"] == 0
