"""urpi-sim as a program: its terminal and socket, real time, and invalid options."""

import socket
import subprocess
import time

import pytest
import serial

from .simulator import BUILD, PROGRAM, with_crc

# The first one may have to wait for the compilers.
pytestmark = pytest.mark.usefixtures("simulator_built")

IMAGES = ("--hub", str(BUILD / "hub.elf"), "--die", str(BUILD / "die.elf"))


def run(*options, **more):
    pipe = subprocess.PIPE
    return subprocess.Popen([PROGRAM, *IMAGES, *options], stdin=pipe, stdout=pipe, **more)


def test_hub_replies_at_the_given_terminal_in_real_time(tmp_path):
    link = tmp_path / "hub"
    with run("--dice", "1", "--speed", "10", "--tty", str(link)) as process:
        assert process.stdout.readline().startswith(b"ok urpi-sim tty=/dev/pts/")
        with serial.Serial(str(link), 115200, timeout=0.2) as port:
            deadline = time.monotonic() + 240
            line = b""
            while not line.startswith(b"$DIE,") and time.monotonic() < deadline:
                port.write(with_crc("ASK"))
                line = port.readline()
        assert line.startswith(b"$DIE,seq=0,die=1,st=settled")
        process.stdin.write(b"quit\n")
        process.stdin.flush()
        assert process.wait(timeout=240) == 0
    assert not link.is_symlink()


def test_commands_are_accepted_on_a_socket_from_successive_clients(tmp_path):
    path = tmp_path / "control"
    with run("--dice", "1", "--speed", "0", "--control", str(path)) as process:
        process.stdout.readline()
        for command, answer in (("run 5", "ok 5.000 0"), ("time", "ok 5.000"), ("quit", "ok")):
            with socket.socket(socket.AF_UNIX) as client, client.makefile("rw") as lines:
                client.settimeout(240)
                client.connect(str(path))
                lines.write(command + "\n")
                lines.flush()
                assert lines.readline() == answer + "\n"
        assert process.wait(timeout=240) == 0
    assert not path.exists()


def test_program_exits_at_the_end_of_its_input():
    with run("--speed", "0") as process:
        process.stdin.close()
        assert process.wait(timeout=240) == 0


def test_invalid_image_is_named(tmp_path):
    text = tmp_path / "die.elf"
    text.write_text("not an image")
    refused = subprocess.run(
        [PROGRAM, *IMAGES[:3], str(text)], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert f"{text}: no image of an ATmega328P" in refused.stderr


@pytest.mark.parametrize("options", [("--dice", "7"), ("--kind", "5"), ("--speed", "-1"), ("x",)])
def test_invalid_options_are_rejected_with_the_usage(options):
    refused = subprocess.run(
        [PROGRAM, *IMAGES, *options], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("usage: urpi-sim")
