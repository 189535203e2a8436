"""One command shows a wall with tables that play, and leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.club_live.running import WAIT_S, free_port
from tests.waiting import wait_until
from urpi.cli.club_demo import programs
from urpi.cli.club_demo.table import demo_tables
from urpi.core.errors import UrpiError

URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()", "club", "demo")


def processes_in(folder: str) -> dict[int, str]:
    """Return ids and command lines of the processes that were started with files of a folder."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if folder in line:
            found[int(path.parent.name)] = line
    return found


@contextmanager
def demo(*options: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Run a demo, and yield the process, its folder and the URL of its wall."""
    port = free_port()
    with subprocess.Popen(
        [*URPI, "--listen", f"127.0.0.1:{port}", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            first, second = process.stdout.readline(), process.stdout.readline()
            folder, url = re.search(r"in (\S+)\.$", first), re.search(r"at (\S+) ", second)
            assert folder, first
            assert url, second
            yield process, folder[1], url[1]
        finally:
            process.send_signal(signal.SIGTERM)


def moving(url: str, count: int) -> set[str]:
    """Return the tables of a wall once as many have played a move."""
    moved: set[str] = set()
    with urlopen(f"{url}api/events", timeout=WAIT_S) as stream:
        for line in stream:
            if line.startswith(b'data: {"table"'):
                data = json.loads(line.removeprefix(b"data: "))
                if data["state"] and data["state"]["last"]:
                    moved.add(data["table"])
            if len(moved) == count:
                break
    return moved


def end(process: subprocess.Popen[str], folder: str, number: signal.Signals) -> None:
    """End a demo by a signal, and check that nothing remains."""
    process.send_signal(number)
    assert process.wait(WAIT_S) == 0
    assert not Path(folder).exists()
    wait_until(lambda: not processes_in(folder), "the end of all programs")


def test_tables_play_until_ctrl_c_and_nothing_remains() -> None:
    with demo("--tables", "2", "--speed", "5") as (process, folder, url):
        assert moving(url, 2) == {"lisbon-1", "lisbon-2"}
        assert len(processes_in(folder)) >= 5
        end(process, folder, signal.SIGINT)


def test_a_program_that_ends_is_named_and_ends_the_demo() -> None:
    with demo("--tables", "1") as (process, folder, _url):
        (broker,) = processes_in(f"{folder}/mosquitto.conf")
        os.kill(broker, signal.SIGKILL)
        assert process.wait(WAIT_S) == 2
        assert process.stdout is not None
        assert "mosquitto has ended" in process.stdout.read()
        assert not Path(folder).exists()


def test_missing_programs_are_named_with_their_packages() -> None:
    with pytest.raises(UrpiError, match="sudo apt install mosquitto postgresql"):
        programs.check_programs("", Path("/nonexistent"))


def test_an_address_in_use_is_reported_and_the_end_of_the_terminal_ends_a_demo() -> None:
    with demo("--tables", "1") as (process, folder, url):
        address = url.removeprefix("http://").rstrip("/")
        done = subprocess.run(
            [*URPI, "--listen", address],
            check=False,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
        )
        assert done.returncode == 2
        assert "Address already in use; add --listen" in done.stderr
        assert "Starting" not in done.stdout
        end(process, folder, signal.SIGHUP)


def test_every_table_has_an_id_of_its_own() -> None:
    ids = [table.id for table in demo_tables(24, 1, 1.0)]
    assert len(set(ids)) == 24
