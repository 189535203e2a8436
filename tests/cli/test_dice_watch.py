"""`urpi dice watch` with a virtual hub on a pseudo-terminal."""

import json
import os
import re
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.living_table import DEADLINE_S, LivingTable, living_table
from tests.cli.running import URPI, Running, call, running
from urpi.cli.dice.watch import port_advice, volts
from urpi.hardware import DieLine, HubLine, line_bytes
from urpi.hardware.serial_port import UsbPort
from urpi.show.words import words_for
from urpi.simulation import open_wire


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with living_table(tmp_path_factory.mktemp("table")) as table:
        yield table


@pytest.fixture
def own_table(tmp_path):
    """A table that no other watcher reads from."""
    with living_table(tmp_path) as table:
        yield table


@pytest.fixture(scope="module")
def watching(table: LivingTable):
    """A watcher for many tests; each reads all lines that it causes."""
    with running("dice", "watch", "--port", table.port) as command:
        command.read_until("connected, firmware 1.0.0")
        yield command


def test_each_change_of_a_throw_is_a_line(table: LivingTable, watching: Running) -> None:
    table.throw(2)
    assert watching.read_until("die 2").endswith("die 2: rolling")
    settled = watching.read_until("die 2")
    face = table.table.dice.face(2)
    assert {"g": "(gold)", "s": "(silver)", "-": "(blank)"}[face] in settled
    assert settled.endswith("° off, thrown, 3.90 V")


def test_every_line_begins_with_the_local_time(table: LivingTable, watching: Running) -> None:
    table.throw(2)
    date, time, *_ = watching.read_until("die 2: settled").split()
    assert (date.count("-"), time.count(":")) == (2, 3)


def test_a_die_turned_by_hand_was_not_thrown(table: LivingTable, watching: Running) -> None:
    table.lay(3, 2)
    assert watching.read_until("die 3").endswith("die 3: handled")
    assert "tip 2 (silver)" in (settled := watching.read_until("die 3"))
    assert ", not thrown: set down, " in settled


def test_a_leaning_die_is_reported(table: LivingTable, watching: Running) -> None:
    table.throw(1, cocked=(1,))
    assert "° off" in watching.read_until("die 1: leans")


def test_lost_and_found_dice_are_reported(table: LivingTable, watching: Running) -> None:
    table.throw(4)
    watching.read_until("thrown")
    table.do(lambda: table.table.dice.disconnect(4))
    assert watching.read_until("die 4").endswith("die 4: no signal")
    table.do(lambda: table.table.dice.reconnect(4))
    assert "die 4: found again" in watching.read_until("die 4")


def test_an_unplugged_hub_is_reported_until_it_is_plugged_in(
    table: LivingTable, watching: Running
) -> None:
    table.throw(1)
    watching.read_until("thrown")
    table.do(table.table.unplug)
    watching.read_until("die 1: no signal")
    watching.read_until("not connected")
    table.do(table.table.plug)
    watching.read_until("connected, firmware")
    table.throw(1)
    watching.read_until("die 1: rolling")
    watching.read_until("thrown")


def test_each_change_is_a_json_object_and_ctrl_c_exits_with_0(
    own_table: LivingTable,
) -> None:
    table = own_table
    with running("dice", "watch", "--json", "--port", table.port) as watching:
        while not json.loads(watching.read_until('"hub"'))["hub"]["alive"]:
            pass
        shown = table.throw(1)
        rolling = json.loads(watching.read_until('"die"'))
        settled = json.loads(watching.read_until('"die"'))
        assert watching.interrupt() == 0
        assert watching.errors == ""
    assert (rolling["die"], rolling["state"], rolling["throws"]) == (1, "rolling", 1)
    assert (settled["state"], settled["shows"], settled["thrown"]) == ("settled", shown, True)
    assert (settled["kind"], settled["battery_mv"], settled["missed"]) == (4, 3900, 0)
    assert 0 <= settled["angle_deg"] <= 4


@pytest.mark.slow
def test_in_a_terminal_the_lines_are_redrawn(own_table: LivingTable) -> None:
    table = own_table
    with in_a_terminal("dice", "watch", "--port", table.port) as (process, terminal):
        read_until(terminal, b"connected, firmware")
        table.throw(1, 2)
        shown = read_until(terminal, b"settled", 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE_S) == 0
    last = shown.decode().split("\x1b[J")[-1]
    assert re.findall(r"^  ([12])  (\w+)", last, re.MULTILINE) == [
        ("1", "settled"),
        ("2", "settled"),
    ]
    assert "die  state" in last


@contextmanager
def in_a_terminal(*words: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Yield a running command, and the end of its terminal that reads what it draws."""
    ours, theirs = os.openpty()
    with subprocess.Popen([*URPI, *words], stdin=subprocess.DEVNULL, stdout=theirs) as process:
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def read_until(terminal: int, part: bytes, times: int = 1) -> bytes:
    """Return the output, read until one picture contains a text a number of times."""
    shown = b""
    while shown.rpartition(b"\x1b[J")[2].count(part) < times:
        ready, _, _ = select.select([terminal], [], [], DEADLINE_S)
        assert ready, f"{part!r} was not drawn, but {shown!r}"
        shown += os.read(terminal, 65536)
    return shown


@pytest.mark.parametrize(
    ("ports", "advice"),
    [
        ((), "There is no USB serial port: plug in the hub, with a cable that also carries data."),
        (
            (UsbPort("/dev/ttyACM0", "Arduino Uno"), UsbPort("/dev/ttyUSB0", "")),
            (
                "USB ports found: /dev/ttyACM0 (Arduino Uno), /dev/ttyUSB0. If one is "
                "the hub, use --port /dev/ttyACM0, or set [hub] port to it."
            ),
        ),
    ],
)
def test_the_ports_that_are_present_are_named(ports: tuple[UsbPort, ...], advice: str) -> None:
    assert port_advice(ports, words_for("en")) == advice


@pytest.mark.slow
def test_it_ends_when_the_reader_closes_the_pipe(own_table: LivingTable) -> None:
    table = own_table
    words = [*URPI, "dice", "watch", "--json", "--port", table.port]
    reading, writing = os.pipe()
    with subprocess.Popen(words, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        assert os.read(reading, 1) == b"{"
        os.close(reading)
        table.throw(1)
        assert process.wait(DEADLINE_S) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_an_invalid_configuration_is_a_one_line_error() -> None:
    done = call("--config", "none.toml", "dice", "watch")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_the_hub_s_own_error_is_reported_first(tmp_path: Path) -> None:
    wire = open_wire("pty", tmp_path)
    with running("dice", "watch", "--port", wire.address) as watching:
        watching.read_until("sends nothing")
        wire.write(line_bytes(HubLine(1, "1.0.0", "5F3A", 0, 1000, 3, error="radio")))
        wire.write(line_bytes(DieLine(0, 2, "lost", error="accel", t_ms=1001)))
        assert "The hub's radio has failed; Hub 5F3A" in watching.read_until("radio")
        assert watching.read_until("die 2").endswith("no signal, accelerometer failed")
    wire.unplug()


def test_a_hub_with_another_protocol_is_reported(tmp_path: Path) -> None:
    wire = open_wire("pty", tmp_path)
    with running("dice", "watch", "--port", wire.address) as watching:
        watching.read_until("sends nothing")
        wire.write(line_bytes(HubLine(2, "2.0.0", "5F3A", 0, 1000)))
        watching.read_until("Hub: protocol 2, but this program uses 1; update")
    wire.unplug()


@pytest.mark.parametrize(
    ("millivolts", "text"), [(3996, "4.00 V"), (3004, "3.00 V"), (0, "0.00 V"), (None, "-")]
)
def test_a_voltage_has_two_decimals(millivolts: int | None, text: str) -> None:
    assert volts(millivolts, words_for("en")) == text
