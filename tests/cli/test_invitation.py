"""What `urpi demo` prints for other devices: addresses, PIN, and a QR code."""

import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Iterator
from io import StringIO, TextIOWrapper
from itertools import chain

import pytest

from urpi.cli.demo_page import Room, invitation, room_of
from urpi.core.qr_code import QUIET, Modules, path_data, qr_modules, terminal_lines
from urpi.http.access import linked_pin
from urpi.http.addresses import Link

PIN = "314159"
HERE = Link("http://192.168.1.20:8031/", "wlan0")
CABLE = Link("http://[2001:db8::20]:8031/", "eth0")
PLAY = "http://192.168.1.20:8031/#pin=314159"
BLOCKS = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}


def read_back(lines: list[str]) -> Modules:
    """Return the modules that lines of a terminal show."""
    rows: list[tuple[bool, ...]] = []
    for line in lines:
        shown = line.removeprefix("\x1b[30;47m").removesuffix("\x1b[0m")
        assert len(shown) == len(line) - len("\x1b[30;47m\x1b[0m")
        halves = [BLOCKS[letter] for letter in shown]
        rows += [tuple(half[row] for half in halves) for row in (0, 1)]
    return tuple(rows[: len(rows[0])])


def code_in(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("\x1b")]


def test_a_code_has_finder_patterns_in_three_corners_and_a_light_margin() -> None:
    modules = qr_modules(PLAY)
    size = len(modules)
    assert {len(row) for row in modules} == {size}
    assert not any(chain(*modules[:QUIET], *modules[-QUIET:]))
    assert not any(chain(*(row[:QUIET] + row[-QUIET:] for row in modules)))
    finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    for top, left in ((QUIET, QUIET), (QUIET, size - QUIET - 7), (size - QUIET - 7, QUIET)):
        part = [row[left : left + 7] for row in modules[top : top + 7]]
        assert ["".join(".#"[dark] for dark in row) for row in part] == finder


def test_a_terminal_shows_every_module_of_the_code() -> None:
    assert read_back(terminal_lines(qr_modules(PLAY))) == qr_modules(PLAY)


def test_the_path_of_a_code_covers_the_dark_modules() -> None:
    modules = qr_modules(PLAY)
    dark = set()
    for run in path_data(modules).split("M")[1:]:
        at, _, rest = run.partition("h")
        left, top = map(int, at.split())
        width = int(rest.partition("v")[0])
        assert rest == f"{width}v1h-{width}z"
        dark |= {(top, left + step) for step in range(width)}
    assert dark == {
        (top, left) for top, row in enumerate(modules) for left, one in enumerate(row) if one
    }


def test_every_address_is_printed_with_the_pin_and_its_interface() -> None:
    assert list(invitation([HERE, CABLE], PIN, None)) == [
        "To play on another device (PIN 314159):",
        "  http://192.168.1.20:8031/#pin=314159 (wlan0)",
        "  http://[2001:db8::20]:8031/#pin=314159 (eth0)",
        "To watch only: http://192.168.1.20:8031/",
    ]


def test_the_code_is_of_the_first_address_with_the_pin() -> None:
    lines = list(invitation([HERE, CABLE], PIN, Room(80, 24)))
    assert read_back(code_in(lines)) == qr_modules(PLAY)
    assert linked_pin(HERE.url, PIN) == PLAY


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (Room(37, 24), True),
        (Room(36, 24), False),
        (Room(80, 20), True),
        (Room(80, 19), False),
        (None, False),
    ],
)
def test_a_terminal_that_cannot_show_all_of_the_code_gets_the_links_only(
    room: Room | None, shown: bool
) -> None:
    lines = list(invitation([HERE], PIN, room))
    assert lines[1].split()[0] == PLAY
    assert bool(code_in(lines)) is shown


def test_a_table_that_only_this_machine_can_open_tells_how_others_could() -> None:
    assert list(invitation([], PIN, Room(80, 24))) == [
        "Other devices cannot open it; --listen 0.0.0.0:8011 would let them."
    ]


@pytest.fixture
def terminal() -> Iterator[int]:
    """Yield the file descriptor of a terminal of 90 columns and 30 lines."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
    yield slave
    os.close(slave)
    os.close(master)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("encoding", "term", "room"),
    [
        ("utf-8", "xterm-256color", Room(90, 30)),
        ("UTF8", "linux", Room(90, 30)),
        ("ascii", "xterm", None),
        ("iso8859-1", "xterm", None),
        ("utf-8", "dumb", None),
        ("utf-8", "", None),
    ],
)
def test_a_code_needs_a_terminal_with_utf_8(
    terminal: int, encoding: str, term: str, room: Room | None
) -> None:
    with TextIOWrapper(os.fdopen(os.dup(terminal), "wb", buffering=0), encoding) as out:
        assert room_of(out, term) == room


def test_a_pipe_gets_no_code() -> None:
    assert room_of(StringIO(), "xterm") is None
