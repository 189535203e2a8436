"""`urpi doctor` as a process, on whatever machine this is: with mock pins, and a hub on a wire."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from urpi.cli import cli
from urpi.devices.protocol import DieLine, HubLine, line_bytes
from urpi.table import open_wire

DEADLINE_S = 30.0
URPI = (sys.executable, "-c", "from urpi.cli import main; main()")
LINES = line_bytes(HubLine(1, "1.0.0", "5F3A", 1, 5)) + line_bytes(
    DieLine(1, 1, "settled", kind=4, face=1, battery_mv=3900, t_ms=1)
)


def configuration(folder: Path, hub: str) -> Path:
    path = folder / "urpi.toml"
    path.write_text(
        f'[gpio]\nfactory = "mock"\n[hub]\nport = "{hub}"\n'
        f'[oled]\ndriver = "none"\n[journal]\npath = "{folder}/games.db"\n'
    )
    return path


def doctor(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*URPI, "--config", str(path), "doctor", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)


@pytest.fixture
def talking_hub(tmp_path):
    """A hub's end of a wire that greets again and again until the test is done."""
    # A socket: with a pseudo-terminal this process has the port open too, and doctor sees it.
    wire, over = open_wire("socket", tmp_path), threading.Event()

    def talk():
        while not over.wait(0.05):
            wire.read()
            wire.write(LINES)

    talker = threading.Thread(target=talk)
    talker.start()
    yield wire.address
    over.set()
    talker.join()
    wire.unplug()


def test_a_machine_on_which_all_is_right_ends_with_0(tmp_path, talking_hub):
    done = doctor(configuration(tmp_path, talking_hub))
    assert "the hub greets: firmware 1.0.0, protocol 1" in done.stdout
    assert "die 1 is heard, battery 3.90 V" in done.stdout
    assert done.stdout.endswith("All is right.\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_port_that_a_service_has_open_is_not_taken_from_it(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        done = doctor(configuration(tmp_path, wire.address))
    finally:
        wire.unplug()
    assert f"is in use by process {os.getpid()}: stop it to have it tried" in done.stdout


def test_what_does_not_work_ends_with_2_and_its_cure(tmp_path):
    done = doctor(configuration(tmp_path, f"{tmp_path}/no-hub"))
    assert f"BAD   hub        {tmp_path}/no-hub is missing\n" in done.stdout
    assert "-> Plug the hub in" in done.stdout
    assert done.returncode == 2


def test_json_holds_status_findings_and_facts(tmp_path):
    done = doctor(configuration(tmp_path, f"{tmp_path}/no-hub"), "--json")
    told = json.loads(done.stdout)
    assert told["status"] == done.returncode == 2
    assert {"area", "level", "found", "cure"} == set(told["findings"][0])
    assert told["facts"]["hub"]["node"]["exists"] is False
    assert told["facts"]["software"]["libraries"]["gpiozero"]["importable"] is True


def test_squares_that_cannot_be_tried_are_a_finding_among_the_others(tmp_path, monkeypatch):
    path = configuration(tmp_path, f"{tmp_path}/no-hub")
    path.write_text(path.read_text().replace('"mock"', '"lgpio"\nchip = 250'))
    done = CliRunner().invoke(cli, ["--config", str(path), "doctor", "--squares"], obj=path)
    assert "BAD   squares    cannot be tried" in done.output
    assert "BAD   hub" in done.output
    assert done.exit_code == 2


@pytest.mark.parametrize("word", ["--squares", "--json"])
def test_live_goes_with_nothing_else(tmp_path: Path, word: str) -> None:
    done = doctor(configuration(tmp_path, "/dev/null"), "--live", word)
    assert done.returncode == 2
    assert done.stderr == (
        "--live shows contacts and nothing else; leave --squares and --json out.\n"
    )
