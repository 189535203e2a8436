"""`urpi doctor` with mock pins and a hub on a virtual wire."""

import json
import os
import re
import subprocess
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.running import DEADLINE_S, URPI, call
from urpi.cli.main import cli
from urpi.hardware.protocol import DieLine, HubLine, line_bytes
from urpi.simulation import open_wire

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
    return call("--config", str(path), "doctor", *words)


@pytest.fixture
def talking_hub(tmp_path):
    """Return the port of a hub that repeats its greeting until the test ends."""
    # Not a pseudo-terminal: this process would have it open, and doctor does not read used ports.
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


def test_a_machine_without_faults_exits_with_status_0(tmp_path, talking_hub):
    done = doctor(configuration(tmp_path, talking_hub))
    assert "the hub is ready: firmware 1.0.0, protocol 1" in done.stdout
    assert "die 1 is connected, battery 3.90 V" in done.stdout
    assert done.stdout.endswith("No problems found.\n")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_port_that_a_service_has_open_is_not_opened(tmp_path):
    wire = open_wire("pty", tmp_path)
    try:
        # A process of its own: this one has the port open.
        command = [*URPI, "--config", str(configuration(tmp_path, wire.address)), "doctor"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=DEADLINE_S, check=False
        )
    finally:
        wire.unplug()
    # A `urpi serve` of this machine is counted as well.
    users = re.search(r"is in use by process ([\d, ]+): stop it to test the hub", done.stdout)
    assert users, done.stdout
    assert str(os.getpid()) in users[1].split(", ")


def test_a_fault_exits_with_status_2_and_its_cure(tmp_path):
    done = doctor(configuration(tmp_path, f"{tmp_path}/no-hub"))
    assert f"BAD   hub        {tmp_path}/no-hub is missing\n" in done.stdout
    assert "-> Plug in the hub" in done.stdout
    assert done.returncode == 2


def test_json_holds_status_findings_and_facts(tmp_path):
    done = doctor(configuration(tmp_path, f"{tmp_path}/no-hub"), "--json")
    output = json.loads(done.stdout)
    assert output["status"] == done.returncode == 2
    assert {"area", "level", "found", "cure"} == set(output["findings"][0])
    assert output["facts"]["hub"]["node"]["exists"] is False
    assert output["facts"]["software"]["libraries"]["gpiozero"]["importable"] is True


def test_squares_that_cannot_be_tested_are_one_of_the_findings(tmp_path, monkeypatch):
    path = configuration(tmp_path, f"{tmp_path}/no-hub")
    path.write_text(path.read_text().replace('"mock"', '"lgpio"\nchip = 250'))
    done = CliRunner().invoke(cli, ["--config", str(path), "doctor", "--squares"], obj=path)
    assert "BAD   squares    cannot be tested" in done.output
    assert "BAD   hub" in done.output
    assert done.exit_code == 2


@pytest.mark.parametrize("word", ["--squares", "--lights", "--json"])
def test_live_cannot_be_combined(tmp_path: Path, word: str) -> None:
    done = doctor(configuration(tmp_path, "/dev/null"), "--live", word)
    assert done.returncode == 2
    assert done.stderr == (
        "--live cannot be combined with --squares, --lights or --json: leave them out.\n"
    )
