"""Calls of every command with words and files that nobody meant, by an ordinary user.

Whatever is wrong, the command ends with status 2 and one line, and leaves no file behind.
"""

import json
import os
import random
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import pytest

from tests.cli.users import machine
from tests.journal.games import store_game
from urpi.cli.main import cli
from urpi.journal import Journal

CALL_S: Final = 20
"""A command that still runs then has accepted what it was given."""
REFUSAL_S: Final = 240
"""A command that must refuse something has refused it by then, on a busy machine too."""
CALLS_A_SECOND: Final = 3
"""A number of calls, and not a time, so that a fast machine makes the same ones."""
RUNNING: Final = {("serve",), ("demo",), ("doctor",), ("club", "serve"), ("club", "demo")}
"""Commands that run until they are ended; and the doctor, whose status is that of the worst thing
that it finds. They are called only with something that they refuse at the start."""
READ_AT_ONCE: Final = RUNNING - {("club", "demo")}
"""Those of them that read the configuration."""
NO_CONFIGS: Final = (
    *("binary", "latin-1.toml", "utf-16.toml", "nul.toml", "text", "secret", "closed", "loop"),
    *("nowhere", "games.db", "cut.db", "socket", "missing", "missing/away", "closed/away"),
    *("text/below", "x" * 300, "a\nb", "/", ""),
)
NO_JOURNALS: Final = ("closed", "closed/away", "text/below", "/", "", "x" * 300)
NO_ADDRESSES: Final = ("", " ", "nonsense", "a\nb:1", "127.0.0.1", "127.0.0.1:99999", ":::1")
NO_WORDS: Final = ("", "one", "nan", "-1e999", "a\nb", "\x1b[31m", "\udcff", "x" * 300)
"""Words that are neither a number of any range nor one of some choices."""
NUMBERS: Final = (
    *(
        "0",
        "1",
        "-1",
        "2147483648",
        "9223372036854775808",
        "1" + "0" * 300,
        "-0",
        "+1",
        " 1",
        "\uff11",
    ),
    *("1e3", "0x10", "1_0", "nan", "inf", "1e999", "1.5", "", "one"),
)
TEXTS: Final = (
    *("", " ", "-", "--", "\n", "a\nb", "\t", "\x1b[31mred", "\x7f", "\u202eabc", "é" * 300),
    *("x" * 100_000, "\udcff\udcfe", "\ufeff", "%s{0}$HOME", "../..", "'\";", "finkel", "light"),
)
OTHERS: Final = (
    *("missing", "missing/away", "closed/away", "text/below", "x" * 300, "\udcff.db"),
    *("/dev/full", "/proc/self/mem", "/", ""),
)


@dataclass(frozen=True)
class Place:
    """The folder of the calls, and the names of what is in it."""

    folder: Path
    names: Sequence[str]
    server: subprocess.Popen[str]

    def files(self) -> set[str]:
        """Return all but the figures of a journal's games, which are kept for the next time."""
        return {str(path) for path in self.folder.rglob("*") if path.suffix != ".figures"}


@pytest.fixture
def place() -> Iterator[Place]:
    with machine() as found:
        user = found.user(1)
        fill(user.home)
        for path in (user.home, *user.home.iterdir()):
            os.chown(path, user.uid, user.uid, follow_symlinks=False)
        for name in ("secret", "closed"):
            os.chown(user.home / name, 0, 0)
            (user.home / name).chmod(0o700)
        names = [path.name for path in sorted(user.home.iterdir())]
        with user.started(SERVER) as server:
            yield Place(user.home, (*names, *OTHERS), server)


def fill(folder: Path) -> None:
    """Put files that no command expects into a folder."""
    fill_configs(folder)
    (folder / "empty").write_bytes(b"")
    (folder / "secret").write_text("[table]\n")
    (folder / "closed").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "nowhere").symlink_to("missing/away")
    with Journal.open(folder / "games.db") as journal:
        store_game(journal, "blitz", seed=1, longest=30)
    content = (folder / "games.db").read_bytes()
    (folder / "cut.db").write_bytes(content[: len(content) // 2])
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(folder / "socket"))


def fill_configs(folder: Path) -> None:
    """Write files that are no configurations, also where a command has written one."""
    (folder / "binary").write_bytes(bytes(range(256)) * 40)
    (folder / "latin-1.toml").write_bytes('[table]\nlight = "Zoë"\n'.encode("latin-1"))
    (folder / "utf-16.toml").write_bytes('[table]\nlight = "Zoë"\n'.encode("utf-16"))
    (folder / "nul.toml").write_bytes(b'[table]\nlight = "\0"\n')
    (folder / "text").write_text("finkel\n" * 1000)


def leaves(command: click.Command, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from leaves(inner, *path, name)


def word_for(parameter: click.Parameter, place: Place, chance: random.Random) -> str:
    kind = parameter.type
    if isinstance(kind, click.Choice) and chance.random() < 0.8:
        return str(chance.choice(list(kind.choices)))
    is_path = isinstance(kind, click.Path) or chance.random() < 0.2
    if is_path and chance.random() < 0.9:
        return chance.choice(place.names)
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return chance.choice(NUMBERS)
    return chance.choice((*TEXTS, *NUMBERS))


def call_of(
    path: Sequence[str], command: click.Command, place: Place, chance: random.Random
) -> list[str]:
    words: list[str] = []
    if chance.random() < 0.3:
        words += ["--config", chance.choice(place.names)]
    if path[0] == "games" and chance.random() < 0.7:
        words += ["games", "--journal", chance.choice(["games.db", *place.names]), *path[1:]]
    else:
        words += path
    for parameter in command.params:
        for _ in range(1 if parameter.required else chance.choice([0, 0, 1])):
            if isinstance(parameter, click.Option):
                words.append(parameter.opts[0])
                if parameter.is_flag:
                    continue
            words += [word_for(parameter, place, chance) for _ in range(max(1, parameter.nargs))]
    return words


def refused_call(
    path: Sequence[str], command: click.Command, place: Place, chance: random.Random
) -> list[str]:
    """Return a call of a command that runs, with one thing that it must refuse at the start."""
    wrong: list[tuple[list[str], list[str]]] = [([], ["--nonsense"]), ([], ["a\nb"])]
    if tuple(path) in READ_AT_ONCE:
        wrong += [(["--config", name], []) for name in NO_CONFIGS]
    for parameter in command.params:
        option = parameter.opts[0]
        if isinstance(parameter.type, click.Choice | click.types.IntParamType | click.FloatRange):
            wrong += [([], [option, word]) for word in NO_WORDS]
        elif option == "--journal":
            wrong += [([], [option, name]) for name in NO_JOURNALS]
        elif option == "--listen":
            wrong += [([], [option, address]) for address in NO_ADDRESSES]
    before, after = chance.choice(wrong)
    flags = [one.opts[0] for one in command.params if getattr(one, "is_flag", False)]
    return [*before, *path, *(flag for flag in flags if chance.random() < 0.3), *after]


SERVER: Final = f"""\
import json, os, resource, signal, sys, tempfile, traceback
from urpi.cli.main import main

def call(words, longest_s, errors):
    null = os.open(os.devnull, os.O_RDWR)
    for number, file in ((0, null), (1, null), (2, errors)):
        os.dup2(file, number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, closefd=False, errors=how)
        for number, mode, how in ((0, "r", None), (1, "w", None), (2, "w", "backslashreplace"))
    )
    resource.setrlimit(resource.RLIMIT_CPU, ({CALL_S}, {CALL_S}))
    signal.alarm(longest_s)
    sys.argv = ["urpi", *words]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 70
    return 0

for line in sys.stdin:
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            status = call(*json.loads(line), errors.fileno())
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        print(json.dumps([status, errors.read().decode("utf-8", "replace")]), flush=True)
"""
"""Calls a command in a child process for each line of its input, since a start takes longer."""


def run(
    server: subprocess.Popen[str], words: Sequence[str], longest_s: int = CALL_S
) -> tuple[int, str]:
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps([words, longest_s]) + "\n")
    server.stdin.flush()
    status, errors = json.loads(server.stdout.readline())
    return status, errors


def wrongs_of(status: int, errors: str, new: set[str]) -> list[str]:
    if status in {-signal.SIGALRM, -signal.SIGXCPU, -signal.SIGKILL}:
        return []
    found = []
    if "Traceback" in errors or status not in {0, 1, 2}:
        found.append("it fails")
    if status == 2 and (errors.count("\n") != 1 or not errors.endswith(".\n")):
        found.append("the error has not one line")
    if status == 2 and new:
        found.append(f"it leaves {sorted(new)}")
    return found


ONCE_WRONG: Final = (
    ("games", "--journal", "closed/away", "restore", "text/below", "--replace"),
    ("games", "--journal", "missing", "set-aside"),
    ("games", "restore", "nul.toml"),
    ("club", "tournament", "delete", "1"),
    ("dice", "pair"),
    ("dice", "test", "--port", "a\nb"),
    ("club", "backup", "closed/away"),
    ("games", "--journal", "/", "set-aside"),
    ("games", "--journal", "closed", "set-aside"),
    ("games", "--journal", "missing", "import", "text"),
    ("games", "import", "empty"),
    ("games", "--journal", "games.db", "backup", "", "--replace"),
    ("games", "--journal", "games.db", "export", "--output", "/"),
    ("demo", "--journal", "/"),
    ("club", "demo", "--speed", "nan"),
    ("--config", "missing", "serve", "--failure-delay", "nan"),
    ("demo", "--terminal", "--journal", "closed"),
    ("solve", "--output", ""),
)


@pytest.mark.parametrize("words", ONCE_WRONG, ids=" ".join)
def test_calls_that_once_were_wrong(place: Place, words: Sequence[str]) -> None:
    before = place.files()
    status, errors = run(place.server, words, REFUSAL_S)
    assert status == 2
    assert wrongs_of(status, errors, place.files() - before) == []


def test_wrong_calls_end_with_one_line_and_leave_nothing(
    place: Place, chance: random.Random, seconds: float
) -> None:
    commands, wrong = list(leaves(cli)), []
    for number in range(len(commands) + CALLS_A_SECOND * round(seconds)):
        path, command = commands[number % len(commands)]
        if runs := path in RUNNING:
            fill_configs(place.folder)
        words = (refused_call if runs else call_of)(path, command, place, chance)
        if any("\0" in word for word in words):
            continue
        before = place.files()
        status, errors = run(place.server, words, REFUSAL_S if runs else CALL_S)
        new = place.files() - before
        for each in sorted(new, reverse=True):
            with suppress(OSError):
                Path(each).rmdir() if Path(each).is_dir() else Path(each).unlink()
        accepted = ["it is accepted"] if runs and status != 2 else []
        for problem in [*accepted, *wrongs_of(status, errors, new)]:
            shown = [word[:40] for word in words]
            wrong.append(f"{problem}: {shown} -> {status} {errors[-300:]!r}")
    assert not wrong, "\n".join(wrong)
