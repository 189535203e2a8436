"""Pixels with the doctor, and with `urpi dice pair`, `watch` and `test`."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Final

from tests.kernel.bluez import Bluetoothd, system_bus
from tests.kernel.board import Place, wait_for
from tests.kernel.bumble_air import BumbleAir
from tests.kernel.bumble_dice import Dice, paired
from tests.kernel.findings import Findings, play
from tests.kernel.program import Program, urpi
from urpi.simulation.virtual_dice import DieReport

DICE: Final = (1, 2, 3, 4)
LOW, AWAY = 2, 3
"""The numbers of the die with an empty battery, and of the one that is out of range later."""
FACES: Final = (1, 2, 3, 4, 4, 2, 2)
"""What is thrown for `urpi dice test`."""
COMMAND_S: Final = 240.0
WAIT_S: Final = 120.0
NOBODY: Final = 65534
AS_NOBODY: Final = (
    "setpriv",
    f"--reuid={NOBODY}",
    f"--regid={NOBODY}",
    # To read the program's files, which can be in the folder of another user.
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
)


def doctor(place: Place, *user: str) -> list[str]:
    """Return what `urpi doctor` finds about Bluetooth and dice: each finding with its remedy."""
    done = run(place, *user, words=("doctor", "--json"))
    found = json.loads(done.stdout)["findings"]
    ours = [one for one in found if one["area"] in {"bluetooth", "dice"}]
    return [f"{one['level']}: {one['found']}. {one['cure']}".rstrip() for one in ours]


def run(place: Place, *user: str, words: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
    """Run a command of urpi to its end, by default as root."""
    return subprocess.run(
        [*user, *urpi(*words, config=place.config)],
        check=False, capture_output=True, text=True, timeout=COMMAND_S,
    )  # fmt: skip


def check_doctor(place: Place, dice: Dice, findings: Findings) -> None:
    """Examine the adapter and the dice, of which one is low and then one is away."""
    found = doctor(place)
    expected = ["right: hci0 is ready."] + [f"right: die {one} is connected" for one in DICE]
    expected[LOW] = f"poor: die {LOW} is low, battery 5 %. Charge it."
    as_expected = len(found) == len(expected) and all(map(str.startswith, found, expected))
    findings.check("the doctor connects the dice, and finds a low one", as_expected, found)
    dice.air.move(dice.radios[AWAY], in_range=False)
    found = doctor(place)
    missing = [one for one in found if one.startswith(f"poor: die {AWAY} was not found. Shake it")]
    findings.check("the doctor finds that a die is missing", len(missing) == 1, found)
    dice.air.move(dice.radios[AWAY], in_range=True)


def check_watch(place: Place, dice: Dice, findings: Findings) -> None:
    """Watch a throw, and a die that is moved out of range."""

    def changes() -> list[dict[str, Any]]:
        return [json.loads(line) for line in program.lines if line.startswith("{")]

    def reported(**expected: object) -> bool:
        return any(expected.items() <= one.items() for one in changes())

    def are_connected() -> bool:
        return any(one["hub"]["dice"] == [*DICE] for one in changes() if "hub" in one)

    with Program(place.config, "dice", "watch", "--json") as program:
        wait_for(are_connected, WAIT_S, "the dice are connected")
        dice.throw(1, 2)
        wait_for(lambda: reported(die=1, state="settled", thrown=True), WAIT_S, "die 1 is thrown")
        shown = reported(die=1, state="settled", face=2, shows="s", thrown=True)
        findings.check("a throw is watched", shown, program.lines)
        dice.air.move(dice.radios[AWAY], in_range=False)
        wait_for(lambda: reported(die=AWAY, state="lost"), WAIT_S, "a die is lost")
        dice.air.move(dice.radios[AWAY], in_range=True)
        status, _ = program.stop(signal.SIGINT)
        findings.check("Ctrl-C ends the watch", status == 0, (status, program.lines))


def check_test(place: Place, dice: Dice, findings: Findings) -> None:
    """Count throws; a die that is only turned does not count."""
    die = dice.radios[1]
    greetings = len(die.received)
    words = ("dice", "test", "--die", "1", "--throws", str(len(FACES)), "--json")
    with Program(place.config, *words) as program:
        wait_for(lambda: len(die.received) > greetings, WAIT_S, "the die is connected")
        dice.do(1, DieReport(1, "handled"), DieReport(1, "settled", face=3, tumbles=0))
        for face in FACES:
            dice.throw(1, face)
        status, _ = program.wait()
    last = program.lines[-1]
    counts = json.loads(last)["counts"] if last.startswith("{") else last
    expected = [FACES.count(face) for face in (1, 2, 3, 4)]
    right = (status, counts) == (0, expected)
    findings.check("the test counts the throws", right, (status, program.lines))


def check_permission(place: Place, findings: Findings) -> None:
    """Use Bluetooth as a user who may not, and as one of the group that the error names."""
    stranger, member = (*AS_NOBODY, "--clear-groups"), (*AS_NOBODY, "--groups=bluetooth")
    # The configuration is the user's own.
    for each in (place.folder, place.config):
        os.chown(each, NOBODY, NOBODY)
    error = "this user may not use Bluetooth; run `sudo usermod -aG bluetooth $USER`"
    for command in (("dice", "pair", "--search", "1"), ("dice", "test", "--die", "1")):
        done = run(place, *stranger, words=command)
        lines = done.stderr.splitlines()
        right = done.returncode == 2 and len(lines) == 1 and error in lines[0]
        findings.check(f"`urpi {' '.join(command)}` needs the permission", right, done)
    found = doctor(place, *stranger)
    remedy = "this user may not use Bluetooth. Run `sudo usermod -aG bluetooth $USER`"
    findings.check("the doctor finds that it is missing", remedy in found[0], found)
    found = doctor(place, *member)
    findings.check("the remedy works", found[0] == "right: hci0 is ready.", found)


def act(findings: Findings) -> None:
    """Use each command, without and with the adapter and the service."""
    place = Place(Path.cwd())
    with system_bus(place.folder):
        place.configure('[dice]\nsource = "bluetooth"')
        found = doctor(place)
        expected = "broken: there is no Bluetooth adapter. Plug one in"
        findings.check(f"the doctor finds {expected}", found[0].startswith(expected), found)
        with BumbleAir() as air:
            dice = Dice(air)
            for number in DICE:
                dice.add(number, "pixels", 4)
            dice.radios[LOW].die.percent = 5
            place.configure(paired(one.die for one in dice.radios.values()))
            found = doctor(place)
            expected = "broken: bluetoothd is not running. Run `sudo apt install bluez`"
            findings.check(f"the doctor finds {expected}", found[0].startswith(expected), found)
            with Bluetoothd(place.folder) as bluetoothd:
                bluetoothd.wait_for_adapter()
                check_permission(place, findings)
                check_doctor(place, dice, findings)
                check_watch(place, dice, findings)
                check_test(place, dice, findings)


if __name__ == "__main__":
    play("bluetooth_commands", act)
