"""The unit's filter of system calls permits drawing pictures in a process of its own."""

import shutil
import subprocess
import sys
from ctypes.util import find_library
from pathlib import Path

import pytest

from tests.journal.games import store_game
from urpi.install.systemd import service_files
from urpi.journal import Journal

UNIT = service_files(Path("/opt/urpi/bin/urpi"))[-1].text
FILTERED = """
import asyncio, ctypes, sys
from pathlib import Path
from urpi.core.errors import UrpiError
from urpi.page.game_pictures import PictureRequest
from urpi.page.pictures import draw_in_process

ALLOW, KILL, PR_SET_NO_NEW_PRIVS = 0x7FFF0000, 0x80000000, 38
seccomp = ctypes.CDLL(sys.argv[1])
seccomp.seccomp_init.restype = ctypes.c_void_p
rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(KILL)))
for name in sys.argv[3:]:
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:
        seccomp.seccomp_rule_add(rules, ctypes.c_uint32(ALLOW), number, 0)
ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
assert seccomp.seccomp_load(rules) == 0
try:
    picture = asyncio.run(draw_in_process(Path(sys.argv[2]), PictureRequest(1, "png", "en")))
    print(picture[1:4].decode())
except UrpiError as error:
    print(type(error).__name__, error)
"""
"""Draws a picture with a filter that kills this process and those that it starts at other calls."""

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None or find_library("seccomp") is None,
    reason="needs Debian's packages systemd and libseccomp2",
)


def system_calls(group: str) -> set[str]:
    """Return the names of the system calls of a group of systemd."""
    command = ["systemd-analyze", "syscall-filter", group]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    names = {line.strip() for line in done.stdout.splitlines()[1:]} - {""}
    groups = {name for name in names if name.startswith("@")}
    calls = {name for name in names - groups if not name.startswith("#")}
    return calls.union(*map(system_calls, groups))


def drawn(journal: Path, calls: set[str]) -> str:
    """Return what a process prints that draws a picture with only these system calls."""
    done = subprocess.run(
        [sys.executable, "-c", FILTERED, str(find_library("seccomp")), str(journal), *calls],
        check=False,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip() or f"exit status {done.returncode}: {done.stderr[-300:]}"


@pytest.mark.slow
def test_a_picture_can_be_drawn_under_the_unit_s_filter(tmp_path: Path) -> None:
    journal = tmp_path / "games.db"
    with Journal.open(journal) as one:
        store_game(one, "finkel", seed=1)
    [line] = [line for line in UNIT.splitlines() if line.startswith("SystemCallFilter=")]
    calls = system_calls("@default").union(*map(system_calls, line.partition("=")[2].split()))
    assert drawn(journal, calls) == "PNG"
    assert drawn(journal, calls - {"setpriority", "nice"}).startswith("UrpiError")
