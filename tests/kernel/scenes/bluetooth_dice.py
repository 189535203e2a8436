"""Dice with Bluetooth without a game: paired by the command, and everything that can go wrong."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Queue
from typing import Final

from tests.kernel.bluez import Bluetoothd, system_bus
from tests.kernel.board import wait_for
from tests.kernel.bumble_air import BumbleAir
from tests.kernel.bumble_dice import Dice, rolling, thrown
from tests.kernel.findings import Findings, play
from tests.kernel.program import urpi
from urpi.config import load
from urpi.hardware import BluetoothDice, open_radio
from urpi.hardware.configured import configured_faces, paired_dice
from urpi.hardware.die_reports import Report
from urpi.referee.facts import Die, Fact

PIXELS, GODICE, NEIGHBOUR, FOREIGN = (1, 2, 3, 4, 5, 6), (7, 8), 20, 21
"""The numbers of the dice: eight of this table, one of another table, and another device."""
DICE: Final = (*PIXELS, *GODICE)
SEARCH_S: Final = 6
SEARCHES: Final = 4
COMMAND_S: Final = 240.0
WAIT_S: Final = 120.0
RECONNECT_S: Final = 5.0
RECONNECTS: Final = 3


def check_errors(folder: Path, config: Path, findings: Findings) -> None:
    """Check what the command prints without bluetoothd, and without an adapter."""

    def check(expected: str) -> None:
        done = subprocess.run(
            urpi("dice", "pair", "--search", "1", config=config),
            check=False, capture_output=True, text=True, timeout=COMMAND_S,
        )  # fmt: skip
        lines = done.stderr.splitlines()
        holds = done.returncode == 2 and len(lines) == 1 and expected in lines[0]
        findings.check(f"the command prints: {expected}", holds, done)

    check("The service bluetoothd is not running")
    with Bluetoothd(folder) as bluetoothd:
        bluetoothd.wait_for_service()
        check("There is no Bluetooth adapter")


def pair(dice: Dice, config: Path, findings: Findings) -> None:
    """Pair all dice; on a busy machine a search does not find all of them at once."""
    began = time.monotonic()
    output = ""
    for _ in range(SEARCHES):
        output += answer_questions(dice, config)
        settings = load(config, {}).config.dice
        written = {int(n): die["address"] for n, die in settings.paired.items()}
        expected = {one: dice.radios[one].die.address for one in DICE}
        if written == expected:
            break
    findings.figure("pairing, with a search of 6 s", f"{time.monotonic() - began:.1f} s")
    findings.check("the configuration has the addresses of eight dice", written == expected, output)
    blinked = {one for one, radio in dice.radios.items() if radio.die.blinks}
    all_of_them = blinked - {NEIGHBOUR} == set(DICE)
    findings.check("each die that it asks about blinks", all_of_them, (blinked, output))
    findings.check(
        "a device that only advertises like a die is reported",
        f"{dice.radios[FOREIGN].die.address} is not a Pixels die" in output,
        output,
    )
    faces = {die["faces"] for n, die in settings.paired.items() if int(n) in PIXELS}
    findings.check("Pixels have reported their faces", faces == {4}, faces)


def answer_questions(dice: Dice, config: Path) -> str:
    """Answer the questions of `urpi dice pair`, and return what it has printed."""
    command = urpi("dice", "pair", "--search", str(SEARCH_S), config=config)
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdin is not None
    assert process.stdout is not None
    numbers = {radio.die.address: number for number, radio in dice.radios.items()}
    number, text, output = 0, "", ""
    began = time.monotonic()
    while data := os.read(process.stdout.fileno(), 4096):
        output, text = output + data.decode(), text + data.decode()
        for address in (one for one in numbers if f"{one}." in text and "blinks now" in text):
            number = numbers[address]
        if text.endswith("]: "):
            answer = _answer(text, number)
            process.stdin.write(f"{answer}\n".encode())
            process.stdin.flush()
            text = ""
        assert time.monotonic() - began < COMMAND_S, output
    process.wait(COMMAND_S)
    return output


def _answer(text: str, number: int) -> str:
    if "Number of the die" in text:
        return str(number if number in DICE else 0)
    return "6" if "faces" in text else "both"


class Received:
    """The program's paired dice, and the facts that they have emitted."""

    def __init__(self, config: Path) -> None:
        settings = load(config, {}).config
        self.facts: Queue[Fact] = Queue()
        self.reports: list[tuple[int, Report]] = []
        faces = configured_faces(settings.hub)
        self.source = BluetoothDice(
            paired_dice(settings.dice),
            faces,
            lambda: time.monotonic_ns() // 1_000_000,
            open_radio,
            on_report=lambda die, report: self.reports.append((die.number, report)),
        )
        self.source.start(self.facts.put)

    def until(self, reached: Callable[[], bool], what: str) -> float:
        """Wait until a condition holds; return the seconds."""
        began = time.monotonic()
        wait_for(reached, WAIT_S, what)
        return time.monotonic() - began

    def connected(self, *dice: int) -> bool:
        """Return whether these dice are connected, and no others."""
        return self.source.health.dice == dice

    def next(self, count: int) -> list[tuple[int, str]]:
        """Return the next facts: die and state."""
        found: list[tuple[int, str]] = []
        while len(found) < count:
            fact = self.facts.get(timeout=WAIT_S)
            assert isinstance(fact, Die)
            found.append((fact.die, fact.state))
        return found

    def clear(self) -> list[Fact]:
        """Forget the facts so far, and return them."""
        found = []
        while True:
            try:
                found.append(self.facts.get_nowait())
            except Empty:
                return found


def check_dice(dice: Dice, config: Path, findings: Findings) -> None:
    """Check facts, reconnection, batteries, and messages and parameters that are not understood."""
    before = dice.radios[NEIGHBOUR].connections
    at = Received(config)
    took = at.until(lambda: at.connected(*DICE), "eight dice are connected")
    findings.figure("eight dice are connected within", f"{took:.1f} s")
    findings.check("eight dice are connected", at.connected(*DICE), at.source.health)
    # Pixels report on request how they lie; a GoDice does not.
    first = at.next(len(PIXELS))
    expected = [(die, "settled") for die in PIXELS]
    findings.check("Pixels report how they lie", sorted(first) == expected, first)
    throw_two(dice, at, findings)
    reconnect(dice, at, findings)
    miss_a_throw(dice, at, findings)
    check_messages(dice, at, findings)
    refuse_parameters(dice, at, findings)
    after = dice.radios[NEIGHBOUR].connections
    findings.check("the neighbour's die is not connected", after == before, (before, after))
    at.source.close()
    gone = lambda: not any(dice.radios[one].connection for one in DICE)  # noqa: E731
    wait_for(gone, WAIT_S, "all dice are disconnected")


def throw_two(dice: Dice, at: Received, findings: Findings) -> None:
    """Throw two dice at once, one of each brand."""
    for report in (rolling, lambda number: thrown(number, 2)):
        for number in (1, 7):
            dice.do(number, report(number))
    found = at.next(4)
    expected = [(die, state) for state in ("rolling", "settled") for die in (1, 7)]
    findings.check("two dice are thrown at once", sorted(found) == sorted(expected), found)


def reconnect(dice: Dice, at: Received, findings: Findings) -> None:
    """Move a die out of range and back."""
    took = []
    for _ in range(RECONNECTS):
        dice.air.move(dice.radios[1], in_range=False)
        lost = at.next(1)
        dice.air.move(dice.radios[1], in_range=True)
        took.append(at.until(lambda: at.connected(*DICE), "the die is back"))
        found = at.next(1)
        findings.check(
            "out of range and back, no throw is repeated",
            (lost, found) == ([(1, "lost")], [(1, "found")]),
            (lost, found),
        )
    findings.figure("reconnected within", ", ".join(f"{one:.1f} s" for one in took))
    findings.check_time(
        f"a die is reconnected within {RECONNECT_S:.0f} s",
        max(took) < RECONNECT_S,
        took,
    )


def miss_a_throw(dice: Dice, at: Received, findings: Findings) -> None:
    """Throw a die while it is out of range."""
    dice.air.move(dice.radios[1], in_range=False)
    lost = at.next(1)
    dice.motions[1] = thrown(1, 4)
    dice.air.move(dice.radios[1], in_range=True)
    at.until(lambda: at.connected(*DICE), "the die is back")
    # The reply to the greeting has arrived when a later message has.
    dice.do(7, rolling(7))
    after = at.next(1)
    before = len(at.reports)
    dice.throw(1, 3)
    again = at.next(3)
    # What die 1 has sent before has arrived when this has.
    dice.do(7, thrown(7, 3))
    at.next(1)
    received = [one for one in at.reports[before:] if one[0] == 1]
    findings.check(
        "after four reconnections each report arrives once",
        len(received) == 2,
        received,
    )
    findings.check(
        "a throw out of range is not guessed, and the next one counts",
        (lost, after) == ([(1, "lost")], [(7, "rolling")])
        and again == [(1, "found"), (1, "rolling"), (1, "settled")],
        (lost, after, again),
    )


def check_messages(dice: Dice, at: Received, findings: Findings) -> None:
    """Send unknown messages, and low batteries."""
    unknown = (
        b"\x7fnewer firmware",
        b"\x03",
        b"\x03\x2a\x00",
        b"\x02\x05abc",
        b"Z" * 20,
    )
    for number in (2, 8):
        dice.air.send_from(dice.radios[number], *unknown)
        dice.throw(number, 2)
    found = at.next(4)
    expected = [(die, state) for die in (2, 8) for state in ("rolling", "settled")]
    findings.check("unknown messages are ignored", sorted(found) == sorted(expected), found)
    for number in (3, 7):
        radio = dice.radios[number]
        dice.air.send_from(radio, radio.die.battery(4))
    at.until(lambda: at.source.health.low == (3, 7), "two batteries are low")
    findings.check("empty batteries are reported", at.source.health.low == (3, 7), "")


def refuse_parameters(dice: Dice, at: Received, findings: Findings) -> None:
    """Let a die end its connection twice, because its connection parameters are refused."""
    radio = dice.radios[4]
    others = {one: dice.radios[one].connections for one in DICE if one != 4}
    radio.refuses = 2
    dice.air.move(radio, in_range=False)
    dice.air.move(radio, in_range=True)
    at.until(lambda: radio.refused == 2 and at.connected(*DICE), "the die is connected again")
    at.clear()
    dice.throw(4, 1)
    at.until(lambda: (4, "settled") in at.next(1), "its throw arrives")
    kept = {one: dice.radios[one].connections for one in others}
    findings.check("refused connection parameters end only one connection", kept == others, kept)


def act(findings: Findings) -> None:
    """Pair the dice, and use them."""
    folder = Path.cwd()
    config = folder / "config.toml"
    config.write_text(f'[oled]\ndriver = "none"\n[journal]\npath = "{folder / "journal.db"}"\n')
    with system_bus(folder):
        check_errors(folder, config, findings)
        with BumbleAir() as air, Bluetoothd(folder) as bluetoothd:
            bluetoothd.wait_for_adapter()
            dice = Dice(air)
            for number in PIXELS:
                dice.add(number, "pixels", 4)
            for number in GODICE:
                dice.add(number, "godice", 6)
            dice.add(NEIGHBOUR, "pixels", 4)
            dice.add(FOREIGN, "pixels", 4, usable=False)
            pair(dice, config, findings)
            check_dice(dice, config, findings)


if __name__ == "__main__":
    play("bluetooth_dice", act)
