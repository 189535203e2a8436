"""`urpi dice forget` with a hub whose lines are given."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.cli.running import call, running
from tests.slow import mostly_slow
from urpi.hardware.protocol import DieLine, HubLine, LineReader, NewLine, line_bytes
from urpi.simulation import open_wire
from urpi.simulation.hub_wires import HubWire

GREETING = HubLine(1, "1.1.0", "5F3A", 1, 1000, authenticates=1)
FORMER = DieLine(4, 3, "settled", 40, 4, 2, 1, 6, 180, 3870, t_ms=900)
REPORT = DieLine(5, 3, "settled", 0, 4, 2, 1, 0, 0, 3870, t_ms=1500)
GREETING_S = 0.05


class Hub(Thread):
    """A hub that answers the command with `renewed` in its greeting, until it sends `report`."""

    def __init__(self, wire: HubWire, greeting: HubLine, report: DieLine | None) -> None:
        super().__init__(daemon=True)
        self.greeting, self.ends = greeting, Event()
        self._wire, self._report = wire, report

    def run(self) -> None:
        reader = LineReader()
        while not self.ends.wait(GREETING_S):
            for line in reader.feed(self._wire.read()):
                if isinstance(line, NewLine):
                    self._wait_for(line.die)
            self._wire.write(line_bytes(self.greeting))

    def _wait_for(self, die: int) -> None:
        if self._report is None:
            return
        waiting = replace(self.greeting, renewed=die)
        self._wire.write(line_bytes(waiting) + line_bytes(self._report))


@contextmanager
def hub(
    folder: Path, report: DieLine | None = None, greeting: HubLine = GREETING
) -> Iterator[HubWire]:
    wire = open_wire("pty", folder)
    thread = Hub(wire, greeting, report)
    thread.start()
    yield wire
    thread.ends.set()
    thread.join()
    wire.unplug()


def test_a_new_chip_that_reports_is_accepted(tmp_path: Path) -> None:
    with hub(tmp_path, REPORT) as wire:
        done = call("dice", "forget", "3", "--port", wire.address)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "For two minutes, the hub accepts a new chip in die 3. Move the die near the hub.",
        "The hub accepts die 3 again.",
    ]


@pytest.mark.parametrize(
    "report", mostly_slow([FORMER, replace(REPORT, die=2), DieLine(9, 3, "lost", t_ms=2000)], 1)
)
def test_reports_that_are_no_new_ones_of_the_die_do_not_count(
    tmp_path: Path, report: DieLine
) -> None:
    with hub(tmp_path, report) as wire:
        done = call("dice", "forget", "3", "--port", wire.address)
    assert (done.returncode, done.stderr) == (1, "")
    assert "Die 3 has not reported with the key of this board." in done.stdout


def test_a_hub_with_older_firmware_is_an_error(tmp_path: Path) -> None:
    with hub(tmp_path) as wire:
        done = call("dice", "forget", "3", "--port", wire.address)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"The hub at {wire.address}, firmware 1.1.0, does not know this command; flash it again "
        "(`make -C firmware flash-hub`), which also forgets all dice.\n"
    )


def test_a_hub_without_a_key_has_nothing_to_forget(tmp_path: Path) -> None:
    with hub(tmp_path, REPORT, replace(GREETING, authenticates=None)) as wire:
        done = call("dice", "forget", "3", "--port", wire.address)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("; there is nothing to forget.\n")


@pytest.mark.slow
def test_a_hub_that_is_unplugged_while_it_waits_is_an_error(tmp_path: Path) -> None:
    wire = open_wire("pty", tmp_path)
    with running("dice", "forget", "3", "--port", wire.address) as command:
        while not wire.read():
            pass
        wire.write(line_bytes(GREETING))
        while b"NEW,die=3" not in wire.read():
            pass
        wire.write(line_bytes(replace(GREETING, renewed=3)))
        command.read_until("accepts a new chip in die 3")
        wire.unplug()
        assert command.end() == 2
    assert command.errors.startswith(f"The dice hub at {wire.address} is not available: ")
    assert command.errors.count("\n") == 1


@pytest.mark.parametrize("die", mostly_slow(["0", "9", "-1", "two", "3.0"], 2))
def test_a_wrong_number_is_refused(die: str) -> None:
    done = call("dice", "forget", "--", die)
    assert done.returncode == 2
    assert "Invalid value for 'DIE'" in done.stderr


def test_a_missing_number_is_refused() -> None:
    done = call("dice", "forget")
    assert done.returncode == 2
    assert "Missing argument 'DIE'" in done.stderr


def test_a_die_with_bluetooth_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    paired = '{brand = "pixels", address = "C0:FF:EE:00:00:01", faces = 4, owner = "both"}'
    file.write_text(f'[dice]\nsource = "both"\n[dice.paired]\n3 = {paired}\n')
    done = call("--config", str(file), "dice", "forget", "3")
    assert done.returncode == 2
    assert "Die 3 has Bluetooth" in done.stderr
