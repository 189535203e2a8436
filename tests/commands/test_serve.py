"""`urpi serve` as a process: mock pins, and a hub on a pseudo-terminal."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from urpi.journal import Journal, list_games
from urpi.table import open_wire
from urpi.table.hub import VirtualHub

DEADLINE_S = 20.0
URPI = (sys.executable, "-c", "from urpi.cli import main; main()")


def configuration(folder: Path, driver: str = "none") -> Path:
    path = folder / "urpi.toml"
    path.write_text(
        f'[gpio]\nfactory = "mock"\n[hub]\nport = "{folder}/urpi-hub"\n'
        f'[oled]\ndriver = "{driver}"\n[journal]\npath = "{folder}/games.db"\n'
    )
    return path


def serve(path: Path) -> subprocess.CompletedProcess[str]:
    """The service that cannot begin."""
    command = [*URPI, "--config", str(path), "serve"]
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A running service whose hub is answered until the test is done with its first line."""
    wire, hub = open_wire("pty", folder), VirtualHub(4)
    command = [*URPI, "--config", str(configuration(folder)), "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            wire.write(hub.start(0))
            yield process
        finally:
            process.kill()
            wire.unplug()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with serving(tmp_path) as process:
        yield process


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_game_begins_and_sigterm_stops_it_with_everything_stored(
    service: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert line_of(service).startswith("Game 1, finkel")
    service.send_signal(signal.SIGTERM)
    told = time.monotonic()
    service.wait(DEADLINE_S)
    assert service.returncode == 0
    assert time.monotonic() - told < DEADLINE_S
    with Journal.open(tmp_path / "games.db") as journal:
        assert [game.rules for game in list_games(journal)] == ["finkel"]


def test_a_game_goes_on_after_the_program_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as killed:
        assert line_of(killed).startswith("Game 1, finkel")
        killed.kill()
        killed.wait(DEADLINE_S)
    with serving(tmp_path) as again:
        assert line_of(again).startswith("Game 1 goes on; journal ")
    with Journal.open(tmp_path / "games.db") as journal:
        assert [game.finished for game in list_games(journal)] == [None]


def test_a_game_may_be_broken_off_for_a_new_one(tmp_path: Path) -> None:
    with serving(tmp_path) as killed:
        assert line_of(killed).startswith("Game 1, finkel")
    with serving(tmp_path, "--new-game") as again:
        told = [line_of(again)]
        while not told[-1].startswith("Game 2, finkel"):
            told.append(line_of(again))
    assert "Game 1 is broken off\n" in told
    with Journal.open(tmp_path / "games.db") as journal:
        assert [game.result for game in list_games(journal)] == [None, "abandoned"]


def test_a_display_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = configuration(tmp_path, driver='ssd1306"\ni2c_port = 31 #')
    done = serve(path)
    assert done.returncode == 2
    assert "/dev/i2c-31" in done.stderr
    assert done.stderr.count("\n") == 1


def test_two_wires_on_one_pin_are_refused(tmp_path: Path) -> None:
    path = configuration(tmp_path)
    path.write_text(path.read_text().replace("[hub]", "pins = { A1 = 17, B4 = 4 }\n[hub]"))
    done = serve(path)
    assert done.returncode == 2
    assert "is used twice" in done.stderr
