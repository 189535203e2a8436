"""The cost of the program at rest: `python -m tests.bench.rest`.

The loop of `urpi serve` runs in a process of its own, with the page and a client that watches it,
an OLED whose bytes are decoded, mock pins, and a hub on a pseudo-terminal that sends a heartbeat
every second. The simulated table runs in this process, and is not measured. With `--table` the
engine has a seat and reads that table of exact values; its process's own memory counts, too. With
`--bluetooth 8` eight Pixels are connected in place of the hub: by the real bleak and a real D-Bus,
on which this process simulates bluetoothd.
"""

import argparse
import http.client
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.living_table import living_table
from tests.hardware.bluez import Bluez
from tests.output import print_line
from urpi.cli.serve_board import run
from urpi.config import load
from urpi.hardware import default_pins, pin_factory
from urpi.hardware.oled_bus import OledBus
from urpi.hardware.pixels import NEWER, WHO_ARE_YOU
from urpi.service.backends import Backends, make_dice_source
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.virtual_dice import DieReport

MAX_CPU = 0.02
"""Allowed load of a core."""
MAX_CPU_WITH_BLUETOOTH = 0.03
MAX_MB = 70
MAX_WITH_ENGINE_MB = 75
MAX_READY_S = 2.0
MAX_STOP_S = 2.0
PAGES = 12
STARTS = 5
SETTLE_S = 5.0
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
CONFIG = """
[gpio]
factory = "mock"
{dice}
[journal]
path = "{journal}"
[page]
listen = "127.0.0.1:0"
"""
ENGINE = """
[table]
dark_seat = "engine:best"
"""


def serve(path: Path) -> None:
    """Run the program, in a process of its own."""
    config = load(path, {}).config
    far_ends = {"oled": OledBus(config.oled.driver)}
    dice = partial(make_dice_source, config)
    run(config, Backends(pin_factory("mock"), default_pins(), dice, far_ends))


@contextmanager
def hub(folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Run a hub; yield its configuration, and a function that waits until dice are connected."""
    with living_table(folder) as table:
        yield f'[hub]\nport = "{table.port}"', lambda: None


@contextmanager
def pixels(folder: Path, count: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """Run dice with Bluetooth; otherwise like `hub`."""
    dice = [SimulatedDie(number, "pixels", 4) for number in range(1, count + 1)]
    with Bluez(folder) as bluez:
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = bluez.address
        for one in dice:
            lies = DieReport(one.number, "settled", face=1, tumbles=0)
            (identity,) = one.reply(WHO_ARE_YOU, lies)
            bluez.add(one.address, f"Pixel{one.number}", NEWER, answers={WHO_ARE_YOU: identity})
        lines = (
            f'{one.number} = {{ address = "{one.address}", brand = "pixels", faces = 4 }}'
            for one in dice
        )
        yield (
            "\n".join(('[dice]\nsource = "bluetooth"\n[dice.paired]', *lines)),
            lambda: bluez.wait_for(
                lambda: all(one.device.connected for one in bluez.dice.values())
            ),
        )


@contextmanager
def running(path: Path) -> Iterator[tuple[int, str, float]]:
    """Yield the program's process, the page's address, and the seconds until it was ready."""
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.bench.rest", "--serve", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            took = time.monotonic() - began
            yield process.pid, line.rpartition("page http://")[2].strip().rstrip("/"), took
        finally:
            process.terminate()
            process.wait(10)


def cpu_s(pid: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process, and its children's own, in 10^6 bytes.

    What the children share, such as Python's code, is in the memory of the process already.
    """
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    children = [child for each in lists for child in each.read_text().split()]
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6 + sum(map(_private_mb, children))


def _private_mb(pid: str) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kib = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    return kib * 1024 / 1e6


def at_rest(pid: int, address: str, seconds: float) -> tuple[float, float]:
    """Return the load of a core and the megabytes used while a page is open and read."""
    watching = http.client.HTTPConnection(address, timeout=10)
    watching.request("GET", "/api/events")
    stream = watching.getresponse()
    assert stream.status == 200
    _read_for(watching, SETTLE_S)
    before, began = cpu_s(pid), time.monotonic()
    _read_for(watching, seconds)
    took = cpu_s(pid) - before, time.monotonic() - began
    watching.close()
    return took[0] / took[1], resident_mb(pid)


def stopping_s(pid: int, address: str) -> float:
    """Return the seconds from SIGTERM to the end of the last of several open event streams."""
    with ExitStack() as opened:
        pages = [opened.enter_context(_watching(address)) for _ in range(PAGES)]
        began = time.monotonic()
        os.kill(pid, signal.SIGTERM)
        for page in pages:
            while page.sock.recv(65536):
                pass
        return time.monotonic() - began


def _watching(address: str) -> closing[http.client.HTTPConnection]:
    """Return an open event stream; its answer has begun."""
    watching = http.client.HTTPConnection(address, timeout=10)
    watching.request("GET", "/api/events")
    watching.getresponse()
    return closing(watching)


def _read_for(watching: http.client.HTTPConnection, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if select.select([watching.sock], [], [], left)[0]:
            watching.sock.recv(65536)


def main() -> None:
    """Measure and print; the exit status is 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rest", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="time at rest")
    parser.add_argument("--table", type=Path, help="a table of finkel, for the engine")
    parser.add_argument("--bluetooth", type=int, metavar="DICE", help="dice in place of a hub")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        serve(given.serve)
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="urpi-rest-")))
        source = hub(folder) if given.bluetooth is None else pixels(folder, given.bluetooth)
        dice, wait_for_dice = stack.enter_context(source)
        path = folder / "config.toml"
        text = CONFIG.format(dice=dice, journal=folder / "journal.db")
        if given.table is not None:
            text += ENGINE
            (folder / "tables").mkdir()
            shutil.copy(given.table, folder / "tables" / "finkel.table")
        path.write_text(text)
        ready = []
        for _ in range(STARTS):
            with running(path) as (_pid, _address, took):
                ready.append(took)
        with running(path) as (pid, address, _took):
            wait_for_dice()
            share, megabytes = at_rest(pid, address, given.seconds)
            stopped = stopping_s(pid, address)
    print_line(
        f"at rest over {given.seconds:.0f} s: {share:.2%} of a core, {megabytes:.1f} MB resident"
    )
    print_line(f"from start to ready: {max(ready):.2f} s at most of {STARTS}")
    print_line(f"from SIGTERM to the end of {PAGES} open pages: {stopped:.2f} s")
    most_mb = MAX_MB if given.table is None else MAX_WITH_ENGINE_MB
    most_cpu = MAX_CPU if given.bluetooth is None else MAX_CPU_WITH_BLUETOOTH
    met = share <= most_cpu and megabytes <= most_mb and max(ready) <= MAX_READY_S
    met = met and stopped <= MAX_STOP_S
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
