"""`urpi serve` as a process, with mock pins and a hub on a pseudo-terminal."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from urpi.journal import Journal, Preferences, list_games, store_preferences
from urpi.simulation import open_wire
from urpi.simulation.virtual_hub import VirtualHub

DEADLINE_S = 240.0
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()")
WITHOUT_LUMA = (*URPI[:2], f"import sys; sys.modules['luma'] = None; {URPI[2]}")


def configuration(folder: Path, driver: str = "none", listen: str = "off") -> Path:
    path = folder / "urpi.toml"
    path.write_text(
        f'[gpio]\nfactory = "mock"\n[hub]\nport = "{folder}/urpi-hub"\n'
        f'[oled]\ndriver = "{driver}"\n[journal]\npath = "{folder}/games.db"\n'
        f'[page]\nlisten = "{listen}"\n'
    )
    return path


def serve(path: Path) -> subprocess.CompletedProcess[str]:
    """Run a service that cannot start."""
    command = [*URPI, "--config", str(path), "serve"]
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)


@contextmanager
def serving(
    folder: Path, *options: str, listen: str = "off", program: tuple[str, ...] = URPI
) -> Iterator[subprocess.Popen[str]]:
    """Yield a running service whose hub is read until the test ends, and its first line."""
    wire, hub = open_wire("pty", folder), VirtualHub(4)
    path = configuration(folder, listen=listen)
    command = [*program, "--config", str(path), "serve", *options]
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


def test_sigterm_stops_a_game_with_everything_stored(
    service: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert line_of(service).startswith("Game 1, finkel")
    service.send_signal(signal.SIGTERM)
    assert service.wait(DEADLINE_S) == 0
    with Journal.open(tmp_path / "games.db") as journal:
        assert [game.rules for game in list_games(journal)] == ["finkel"]


@pytest.mark.slow
def test_a_board_without_a_display_needs_no_luma(tmp_path: Path) -> None:
    with serving(tmp_path, program=WITHOUT_LUMA) as service:
        assert line_of(service).startswith("Game 1, finkel")


@pytest.mark.slow
def test_a_game_continues_after_the_program_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as killed:
        assert line_of(killed).startswith("Game 1, finkel")
        killed.kill()
        killed.wait(DEADLINE_S)
    with serving(tmp_path) as again:
        assert line_of(again).startswith("Game 1 continues; journal ")
    with Journal.open(tmp_path / "games.db") as journal:
        assert [game.finished for game in list_games(journal)] == [None]


@pytest.mark.slow
def test_the_next_game_has_the_rules_chosen_last(tmp_path: Path) -> None:
    configured = Preferences("en", "off", "finkel")
    with Journal.open(tmp_path / "games.db") as journal:
        store_preferences(
            journal, "board", configured, replace(configured, rules="murray[pieces=3]")
        )
    with serving(tmp_path) as process:
        assert line_of(process).startswith("Game 1, murray[pieces=3]")


@pytest.mark.slow
def test_an_unfinished_game_can_be_abandoned_for_a_new_one(tmp_path: Path) -> None:
    with serving(tmp_path) as killed:
        assert line_of(killed).startswith("Game 1, finkel")
    with serving(tmp_path, "--new-game") as again:
        lines = [line_of(again)]
        while not lines[-1].startswith("Game 2, finkel"):
            lines.append(line_of(again))
    assert "Game 1 is abandoned\n" in lines
    with Journal.open(tmp_path / "games.db") as journal:
        assert [game.result for game in list_games(journal)] == [None, "abandoned"]


@pytest.mark.slow
def test_a_missing_display_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    path = configuration(tmp_path, driver='ssd1306"\ni2c_port = 31 #')
    command = [*URPI, "--config", str(path), "serve"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            assert process.stderr is not None
            assert "/dev/i2c-31" in process.stderr.readline()
            assert line_of(process).startswith("Game 1, finkel")
        finally:
            process.kill()


@pytest.mark.slow
def test_two_wires_on_one_pin_are_an_error(tmp_path: Path) -> None:
    path = configuration(tmp_path)
    path.write_text(path.read_text().replace("[hub]", "pins = { A1 = 17, B4 = 4 }\n[hub]"))
    done = serve(path)
    assert done.returncode == 2
    assert "A1 is on GPIO 17 (pin 11), which is already that of A2" in done.stderr


@pytest.mark.slow
def test_after_an_error_the_exit_can_be_delayed(tmp_path: Path) -> None:
    path = configuration(tmp_path)
    path.write_text(f"{path.read_text()}[table]\nrules = 'chess'\n")
    command = [*URPI, "--config", str(path), "serve", "--failure-delay", "60"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert "There is no rule set 'chess'" in process.stderr.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.2)
            process.terminate()
            assert process.wait(DEADLINE_S) == -signal.SIGTERM
        finally:
            process.kill()


@pytest.mark.slow
def test_after_five_starts_that_failed_it_waits_and_reports_why(tmp_path: Path) -> None:
    path = configuration(tmp_path)
    path.write_text(f"{path.read_text()}[table]\nrules = 'chess'\n")
    (tmp_path / "failed-starts").write_text("4 There is no rule set 'chess'.")
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name)
        systemd.settimeout(DEADLINE_S)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": name,
            "WATCHDOG_USEC": "30000",
            "RUNTIME_DIRECTORY": str(tmp_path),
        }
        command = [*URPI, "--config", str(path), "serve", "--failure-delay", "0.1"]
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=environment, **pipes) as process:
            try:
                ready = systemd.recv(1000)
                assert ready.startswith(b"READY=1\nSTATUS=5 starts have failed: ")
                assert b"There is no rule set 'chess'" in ready
                assert systemd.recv(1000) == b"WATCHDOG=1"
                assert process.poll() is None
            finally:
                process.kill()


def test_systemd_is_notified_of_start_watchdog_and_stop(tmp_path: Path) -> None:
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name)
        systemd.settimeout(DEADLINE_S)
        environment = {**os.environ, "NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000"}
        command = [*URPI, "--config", str(configuration(tmp_path)), "serve"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as process:
            try:
                assert systemd.recv(1000) == b"READY=1\nSTATUS=Game 1, finkel"
                assert systemd.recv(1000) == b"WATCHDOG=1"
                process.send_signal(signal.SIGTERM)
                while (received := systemd.recv(1000)) == b"WATCHDOG=1":
                    pass
                assert received == b"STOPPING=1"
                assert process.wait(DEADLINE_S) == 0
            finally:
                process.kill()


@contextmanager
def page_at(address: str) -> Iterator[http.client.HTTPResponse]:
    """Yield an open event stream, after its first state."""
    host, port = address.rstrip("/").removeprefix("http://").split(":")
    with closing(http.client.HTTPConnection(host, int(port), timeout=DEADLINE_S)) as connection:
        connection.request("GET", "/api/events")
        with connection.getresponse() as page:
            while not page.readline().startswith(b"event: state"):
                pass
            yield page


@pytest.mark.slow
def test_it_stops_while_pages_are_open(tmp_path: Path) -> None:
    with serving(tmp_path, listen="127.0.0.1:0") as process, ExitStack() as opened:
        assert line_of(process).startswith("Game 1")
        # The game does not wait for its page.
        address = line_of(process).removeprefix("Page ").strip()
        pages = [opened.enter_context(page_at(address)) for _ in range(12)]
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0
        # Each stream was closed properly, none was reset.
        assert all(page.read().endswith(b"\n\n") for page in pages)


@pytest.mark.slow
def test_a_page_that_cannot_be_served_is_reported_and_the_game_begins(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        command = [*URPI, "--config", str(configuration(tmp_path, listen=listen)), "serve"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **pipes) as process:
            try:
                assert process.stderr is not None
                assert f"cannot be served at {listen}" in process.stderr.readline()
                assert line_of(process).startswith("Game 1, finkel")
            finally:
                process.kill()
