"""A die with a bought board: what its linked firmware sent, through bluetoothd to the program."""

import json
import random
import subprocess
import time
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from typing import Final

from tests.kernel.bluez import Bluetoothd, system_bus
from tests.kernel.board import wait_for
from tests.kernel.bumble_air import BumbleAir
from tests.kernel.findings import Findings, play
from tests.kernel.program import urpi
from urpi.config import load
from urpi.hardware import BluetoothDice, open_radio
from urpi.hardware.advertised_dice import AdvertisedDie
from urpi.hardware.die_faces import DieFaces
from urpi.referee.facts import Die, Fact

SENT: Final = json.loads((Path(__file__).parents[1] / "built_die.json").read_text("utf-8"))
"""Made by tests/firmware_ble/recording.py."""
NUMBER: Final = 2
ADDRESS: Final = "D2:34:56:78:9A:BC"
PAUSE_S: Final = 0.5
COMMAND_S: Final = 240.0
WAIT_S: Final = 120.0
LATE_S: Final = 5.0
"""A controller that drops repeats reports them in the next scan."""


def data_of(line: str) -> tuple[float, bytes]:
    """Return when in seconds a line was sent, and the advertising data around it."""
    ms, payload = line.split()
    structure = b"\xff\xff\xffUr" + bytes.fromhex(payload)
    return int(ms) / 1000, bytes([len(structure)]) + structure


def send(air: BumbleAir, lines: Iterable[str], loss: float, *, drops_repeats: bool) -> None:
    """Send what the die sent, at its times, and lose a part of it."""
    chance, began = random.Random(7), time.monotonic()
    for line in lines:
        at, data = data_of(line)
        time.sleep(max(0.0, began + at - time.monotonic()))
        if chance.random() >= loss:
            air.hear(ADDRESS, data, drops_repeats=drops_repeats)


def pair(air: BumbleAir, config: Path, findings: Findings) -> None:
    """Pair the die while it announces itself."""
    ended = Event()
    _, announced = data_of(SENT["new"])

    def announce() -> None:
        while not ended.wait(PAUSE_S):
            air.hear(ADDRESS, announced)

    announcing = Thread(target=announce)
    announcing.start()
    try:
        done = subprocess.run(
            urpi("dice", "pair", "--settings", str(config.parent), config=config),
            input=f"{NUMBER}\n4\nboth\n",
            check=False, capture_output=True, text=True, timeout=COMMAND_S,
        )  # fmt: skip
    finally:
        ended.set()
        announcing.join()
    paired = load(config, {}).config.dice.paired
    found = {number: (die["address"], die["brand"]) for number, die in paired.items()}
    findings.check("a die without settings is paired", found == {NUMBER: (ADDRESS, "urpi")}, done)
    findings.check(
        "its settings are written", (config.parent / f"die-{NUMBER}-settings.uf2").exists(), done
    )


def throws(air: BumbleAir, loss: float, *, drops_repeats: bool) -> list[str | None]:
    """Return the faces of the throws that the program counts."""
    facts: Queue[Fact] = Queue()
    die = AdvertisedDie(NUMBER, ADDRESS, 4, bytes.fromhex(SENT["key"]))
    source = BluetoothDice(
        (), DieFaces(), lambda: time.monotonic_ns() // 1_000_000, open_radio, advertised=[die]
    )
    source.start(facts.put)
    lines: list[str] = SENT["sent"]
    try:
        # Until the scan has begun.
        while not source.health.dice:
            air.hear(ADDRESS, data_of(lines[0])[1])
            time.sleep(PAUSE_S)
        send(air, lines, loss, drops_repeats=drops_repeats)
        if drops_repeats:
            # It lies and gives signs of life.
            for _ in range(round(LATE_S / PAUSE_S)):
                air.hear(ADDRESS, data_of(lines[-1])[1], drops_repeats=True)
                time.sleep(PAUSE_S)
        wait_for(lambda: source.health.dice == (NUMBER,), WAIT_S, "the die is there")
    finally:
        source.close()
    own: list[Die] = []
    while True:
        try:
            fact = facts.get_nowait()
        except Empty:
            break
        assert isinstance(fact, Die)
        own.append(fact)
    return [
        late.face for soon, late in pairwise(own)
        if late.state == "settled" and late.tumbled and soon.state == "rolling"
    ]  # fmt: skip


def act(findings: Findings) -> None:
    """Pair the die, and count its throws."""
    folder = Path.cwd()
    config = folder / "config.toml"
    config.write_text(f'[oled]\ndriver = "none"\n[journal]\npath = "{folder / "journal.db"}"\n')
    expected = [DieFaces().shown(NUMBER, 4, face) for face in SENT["faces"]]
    with system_bus(folder), BumbleAir() as air, Bluetoothd(folder) as bluetoothd:
        bluetoothd.wait_for_adapter()
        pair(air, config, findings)
        for loss in (0.0, 0.4):
            found = throws(air, loss, drops_repeats=False)
            findings.check(f"each throw counts with {loss:.0%} lost", found == expected, found)
        found = throws(air, 0.4, drops_repeats=True)
        kept = found == expected
        findings.check("each throw counts with a controller that drops repeats", kept, found)


if __name__ == "__main__":
    play("bluetooth_built", act)
