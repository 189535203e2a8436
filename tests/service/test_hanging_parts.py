"""A part that never returns is reported with its place, and those that games need end the program.

Each part is blocked where its device would block it. Its clock is put forward, not waited for.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final
from weakref import WeakSet

import pytest
from PIL import Image

from tests.cli.test_serve import DEADLINE_S, configuration
from tests.hardware.panel import Wires
from tests.slow import mostly_slow
from tests.waiting import wait_until
from urpi.core import supervision
from urpi.core.supervision import CONFIRM_S, LATE_S, Fault, Part, faults
from urpi.hardware import BluetoothDice, DiceHub, DieFaces, default_pins
from urpi.hardware.bluetooth_dice import RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.contacts import RetryingContacts
from urpi.hardware.expander import ExpanderSwitches
from urpi.hardware.gpio import PinsUnavailableError
from urpi.hardware.oled import open_oled
from urpi.hardware.screen import Screen
from urpi.hardware.sound import SoundPlayer
from urpi.http.addresses import Address
from urpi.http.reader import BusyError, Reader
from urpi.http.server import PageServer
from urpi.install.running_parts import MIN_RUN_S, PATH, RunningParts
from urpi.journal import Journal, find_game


class Block:
    """Blocks what calls it until the end of a test."""

    def __init__(self) -> None:
        self.reached, self._released = Event(), Event()

    def __call__(self, *_: object) -> None:
        self.reached.set()
        self._released.wait(DEADLINE_S)

    def release(self) -> None:
        self._released.set()


@contextmanager
def hub(block: Block) -> Iterator[None]:
    def open_port() -> None:
        block()
        raise FileNotFoundError

    dice = DiceHub(open_port, DieFaces(), lambda: 0, retry_s=(0.01, 0.01))
    dice.start(lambda _fact: None)
    yield
    dice.close()


@contextmanager
def expander(block: Block) -> Iterator[None]:
    # The first reading is in the constructor.
    calls = iter([lambda: None] * 2)

    def open_bus() -> None:
        next(calls, block)()
        raise OSError

    pins = default_pins().expander
    assert pins is not None
    switches = ExpanderSwitches(pins, open_bus, lambda: 0, lambda _fact: None, poll_ms=10)
    yield
    switches.close()


@contextmanager
def oled(block: Block) -> Iterator[None]:
    wires = Wires()

    def open_panel() -> object:
        block()
        return open_oled("ssd1306", wires)

    screen = Screen(open_panel)
    screen.show(Image.new("1", (128, 64), 1))
    yield
    screen.close()


@contextmanager
def contacts(block: Block) -> Iterator[None]:
    calls = iter([lambda: None])

    def open_contacts() -> None:
        next(calls, block)()
        message = "a pin is in use."
        raise PinsUnavailableError(message)

    opened = RetryingContacts(open_contacts, lambda _fault: None, retry_s=0.01)  # type: ignore[arg-type]
    yield
    opened.close()


@contextmanager
def bluetooth(block: Block) -> Iterator[None]:
    die = PairedDie(1, "pixels", "AA:BB:CC:DD:EE:FF", 6)

    def open_radio() -> None:
        block()
        message = "there is no adapter"
        raise RadioError(message)

    dice = BluetoothDice([die], DieFaces(), lambda: 0, open_radio)  # type: ignore[arg-type]
    dice.start(lambda _fact: None)
    yield
    dice.close()


@contextmanager
def sound(block: Block) -> Iterator[None]:
    class Buzzer:
        play = stop = close = lambda *_: block()

    player = SoundPlayer(Buzzer(), None, lambda _fault: None)
    player.play("throw", "")
    yield
    player.close()


class NoFeed:
    def __init__(self) -> None:
        self.ready = asyncio.Event()

    async def run(self) -> None:
        self.ready.set()

    def close(self) -> None:
        pass


@contextmanager
def page(block: Block) -> Iterator[None]:
    async def app(_scope: object, _receive: object, _send: object) -> None:
        block()

    with (
        PageServer(app, NoFeed(), Address("127.0.0.1", 0)) as server,
        closing(socket.create_connection(server.address)) as browser,
    ):
        browser.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        yield


@contextmanager
def reads(block: Block) -> Iterator[None]:
    reader: Reader[None] = Reader("reads", nullcontext, 1.0)

    async def read() -> None:
        with suppress(BusyError):
            await reader.read(block)

    thread = Thread(target=lambda: asyncio.run(read()))
    thread.start()
    yield
    thread.join(DEADLINE_S)


PARTS: Final = {
    "hub": (hub, True),
    "expander": (expander, True),
    "contacts": (contacts, True),
    "bluetooth": (bluetooth, True),
    "oled": (oled, True),
    "page": (page, True),
    "sound": (sound, False),
    "reads": (reads, False),
}
"""Each part, and whether the program is started again if it hangs."""


@pytest.fixture(autouse=True)
def no_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out parts of the same names that earlier tests of this process made."""
    monkeypatch.setattr(supervision, "_parts", WeakSet())


def part_called(name: str) -> Part:
    (found,) = [part for part in supervision._parts if part.name == name and part._thread]
    return found


def fault_of(name: str) -> Fault | None:
    return next((fault for fault in faults() if fault.part == name), None)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_hangs_is_reported_until_it_goes_on(name: str) -> None:
    make, ends_program = PARTS[name]
    block = Block()
    with make(block):
        try:
            assert block.reached.wait(DEADLINE_S)
            part = part_called(name)
            clock, later = part._clock, 2 * LATE_S
            part._clock = lambda: clock() + later
            assert fault_of(name) is None, "late once is no proof"
            later += CONFIRM_S
            fault = fault_of(name)
            assert fault is not None
            assert fault.hangs
            assert fault.ends_program is ends_program
            assert fault.text.startswith(f"{name} hangs (urpi.")
        finally:
            block.release()
        wait_until(lambda: fault_of(name) is None, "it goes on")


SERVICE = """\
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event
from urpi.cli import serve_board
from urpi.config.reading import read
from urpi.core import supervision
from urpi.hardware import DiceHub, DieFaces
from urpi.install import running_parts
from urpi.service.backends import configured_backends

supervision.CONFIRM_S = 0.1
supervision.Part.alive.__defaults__ = (0.5,)
running_parts.MIN_RUN_S = float(sys.argv[2])
config = read(Path(sys.argv[1])).config
block = Event()
hub = lambda clock: DiceHub(block.wait, DieFaces(), clock)
serve_board.run(config, replace(configured_backends(config), make_dice=hub))
"""
"""A service whose hub's port is never opened, and that waits for it less long."""


@contextmanager
def service_with_a_hub_that_hangs(
    folder: Path, min_run_s: float, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", SERVICE, str(configuration(folder)), str(min_run_s)]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    variables = {**os.environ, "RUNTIME_DIRECTORY": str(folder), **environment}
    with subprocess.Popen(command, env=variables, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def test_the_program_ends_with_everything_stored_if_a_part_for_players_hangs(
    tmp_path: Path,
) -> None:
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name)
        systemd.settimeout(DEADLINE_S)
        with service_with_a_hub_that_hangs(tmp_path, 0, NOTIFY_SOCKET=name) as process:
            assert systemd.recv(1000).startswith(b"READY=1\nSTATUS=Game 1")
            assert systemd.recv(1000).startswith(b"STATUS=Game 1, finkel; hub hangs (")
            assert process.wait(DEADLINE_S) == 1
            assert process.stderr is not None
            assert b"; the program is started again." in process.stderr.read()
    parts = RunningParts.parse((tmp_path / PATH.name).read_text())
    assert parts.pid == process.pid
    assert parts.faults[0].startswith("hub hangs (urpi.hardware.hub._run, line ")
    with Journal.read_only(tmp_path / "games.db") as journal:
        assert find_game(journal, 1).result is None


@pytest.mark.parametrize("supervised", mostly_slow([True, False], 1))
def test_it_goes_on_if_it_was_started_a_short_time_ago_or_nothing_would_start_it(
    tmp_path: Path, supervised: bool
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify")} if supervised else {}
        file = tmp_path / PATH.name
        with service_with_a_hub_that_hangs(
            tmp_path, MIN_RUN_S if supervised else 0, **environment
        ) as process:
            wait_until(lambda: file.exists() and "hangs" in file.read_text(), "it is reported")
            assert file.stat().st_mode & 0o777 == 0o644
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1.0)
