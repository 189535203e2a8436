"""The number of modules that a command imports; its time would depend on the machine.

`python -m tests.bench.start_up` measures the time.
"""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.journal.games import store_game
from tests.slow import mostly_slow
from urpi.cli.main import cli
from urpi.journal import Journal

HEAVY = frozenset(
    {"PIL", "asyncio", "ezdxf", "gpiozero", "luma", "lgpio", "multiprocessing", "serial"}
    | {"smbus2", "starlette", "tomlkit", "uvicorn"}
)
"""Modules that are slow to import, and needed by few commands."""
MAX_MODULES = 158
"""Limit for the help of a command; the interpreter and click alone have 112."""
UNUSED_RULES = "urpi.rules.freecompany"
"""The module of a rule set that only its games need."""
IMPORTED = """
import os, sys
from urpi.cli.main import cli
for words in {commands!r}:
    if os.fork():
        os.wait()
        continue
    try:
        cli.main(words, standalone_mode=False)
    except (Exception, SystemExit):
        pass
    print("\\nmodules:", *sys.modules, flush=True)
    os._exit(0)
"""
"""Each command runs in a fork, because it takes much longer to start Python each time."""


def imported(*commands: tuple[str, ...]) -> list[set[str]]:
    """Return the modules that are loaded when each of some commands has ended."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(commands=[list(words) for words in commands])],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("modules:")]
    assert len(lines) == len(commands)
    return [set(line.split()[1:]) for line in lines]


def every_command(command: click.Command, *words: str) -> list[tuple[str, ...]]:
    """Return the words of a command and of all its subcommands."""
    if not isinstance(command, click.Group):
        return [words]
    context = click.Context(command)
    found = [words]
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        found += every_command(inner, *words, name)
    return found


@pytest.mark.slow
def test_no_help_imports_hardware_or_servers() -> None:
    commands = every_command(cli)
    assert len(commands) > 50
    found = imported(*((*words, "--help") for words in commands))
    for words, modules in zip(commands, found, strict=True):
        assert modules & HEAVY == set(), words
        assert len(modules) <= MAX_MODULES, words


@pytest.mark.parametrize(
    ("words", "most"),
    mostly_slow(
        [
            ("rules", 158),
            ("moves", 140),
            ("referee", 186),
            ("perft --depth 1", 140),
            ("config show", 135),
            ("config check /dev/null", 182),
            ("check-wiring", 199),
            ("games --journal no-such.db list", 160),
        ],
        3,
    ),
)
def test_a_command_imports_a_limited_number_of_modules(words: str, most: int) -> None:
    (found,) = imported(tuple(words.split()))
    assert found & HEAVY == set()
    assert len(found) <= most


@pytest.mark.parametrize("words", ["rules finkel", "perft --depth 1", "referee", "config show"])
def test_a_command_imports_only_the_rule_sets_that_it_uses(words: str) -> None:
    (found,) = imported(tuple(words.split()))
    assert UNUSED_RULES not in found


def test_a_list_of_games_does_not_import_the_referee(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1)
    (found,) = imported(("games", "--journal", str(path), "list"))
    assert "urpi.journal.journal" in found
    # The names of seats belong to the domain of the referee.
    seats = {"urpi.referee", "urpi.referee.seats"}
    assert [name for name in found if name.startswith("urpi.referee") and name not in seats] == []
