"""The program that shows a card's progress: on a simulated display, and as a page."""

import fcntl
import html
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.waiting import wait_until
from urpi.cli.card_writing import card_screens
from urpi.cli.club_demo.programs import free_port
from urpi.hardware.oled_bus import OledBus
from urpi.install.card import first_boot
from urpi.install.card.first_boot import Progress, Screens, send_to_bus
from urpi.show.views.notice import draw_progress

DEADLINE_S = 240.0


class Display:
    """A simulated display that can lose its power."""

    def __init__(self, kind: str) -> None:
        self.kind, self.connected, self.bus = kind, True, OledBus(kind)
        self.sent = 0

    def send(self, transfers: Sequence[bytes]) -> None:
        if not self.connected:
            raise OSError(121, "Remote I/O error")
        self.sent += 1
        for control, *content in transfers:
            if control == 0x00:
                self.bus.command(*content)
            else:
                assert control == 0x40
                self.bus.data(content)

    def shows(self, screens: Screens, name: str) -> bool:
        screen = screens.by_name[name]
        return self.bus.picture().tobytes() == draw_progress(screen.title, screen.text).tobytes()


@pytest.mark.parametrize("kind", ["ssd1306", "ssd1309", "sh1106"])
def test_the_display_shows_each_step_and_fault(kind: str, tmp_path: Path) -> None:
    screens = Screens.from_json(card_screens("hu", kind).to_json())
    display, state = Display(kind), tmp_path / "state"
    progress = Progress(screens, state, display.send)
    progress.update()
    assert display.shows(screens, "settings")
    for name in screens.by_name:
        state.write_text(f"{name}\n")
        progress.update()
        assert display.shows(screens, name)
        state.write_text("")
        progress.update()
        assert display.shows(screens, name)
    progress.finish()
    assert display.shows(screens, "start")


def test_a_display_without_power_shows_the_step_when_it_is_back(tmp_path: Path) -> None:
    screens, display = card_screens("en", "ssd1306"), Display("ssd1306")
    progress = Progress(screens, tmp_path / "state", display.send)
    display.connected = False
    progress.update()
    display.connected = True
    for _ in range(3):
        progress.update()
    assert display.shows(screens, "settings")
    assert display.sent == 1


def test_transfers_are_written_one_by_one_to_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(fcntl, "ioctl", lambda _file, *request: calls.append(request))
    bus = tmp_path / "i2c-1"
    bus.touch()
    send_to_bus(bus, 0x3C, [b"\x00\xae", b"\x40\x01"])
    assert calls == [(0x0703, 0x3C)]
    assert bus.read_bytes() == b"\x00\xae\x40\x01"
    with pytest.raises(FileNotFoundError):
        send_to_bus(tmp_path / "none", 0x3C, [b"\x00"])


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def program(tmp_path: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The program as it is copied to a card, without a display and without urpi."""
    (tmp_path / "program").write_text(first_boot.source(), "utf-8")
    (tmp_path / "screens").write_text(card_screens("hu", "none").to_json(), "utf-8")
    files = (tmp_path / name for name in ("program", "screens", "state"))
    others = ("--bus", tmp_path / "none", "--address", "60", "--port", str(port))
    with subprocess.Popen([sys.executable, "-I", "-S", *files, *others], cwd="/") as process:
        yield process
        process.kill()


def page(port: int) -> str:
    """Return the page, empty while there is none."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=DEADLINE_S) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def test_the_page_shows_each_step_and_fault_and_leaves_the_port(
    program: subprocess.Popen[bytes], port: int, tmp_path: Path
) -> None:
    screens = card_screens("hu", "none")
    wait_until(lambda: "<h1>1/5. lépés</h1>" in page(port), "the first step")
    assert '<html lang="hu">' in page(port)
    for name in ("libraries", "damaged", "network", "full", "failed"):
        (tmp_path / "state").write_text(f"{name}\n")
        text = html.escape(screens.by_name[name].text)
        wait_until(lambda text=text: f"<p>{text}</p>" in page(port), text)  # type: ignore[misc]
    program.send_signal(signal.SIGTERM)
    assert program.wait(DEADLINE_S) == 0
    with socket.socket() as next_one:
        next_one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        next_one.bind(("127.0.0.1", port))


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGCONT])
def test_no_other_signal_ends_the_program(number: signal.Signals) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        signal.pthread_kill(threading.get_ident(), number)
        found = signal.sigtimedwait({number}, DEADLINE_S)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert first_boot.is_sigterm(found) is (number == signal.SIGTERM)
    assert not first_boot.is_sigterm(None)
