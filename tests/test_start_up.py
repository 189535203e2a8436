"""What a command imports before it does anything: counted, because time depends on the machine.

`python -m tests.bench.start_up` measures the time itself.
"""

import subprocess
import sys

import click
import pytest

from urpi.cli import cli

HEAVY = frozenset(
    {"PIL", "asyncio", "ezdxf", "gpiozero", "luma", "lgpio", "multiprocessing", "serial"}
    | {"smbus2", "starlette", "uvicorn"}
)
"""Modules that take long to import, and that few commands need."""
MOST_MODULES = 225
"""In the help of any command; the interpreter and click alone have 112."""
IMPORTED = """
import sys
from urpi.cli import cli
try:
    cli.main({words!r}, standalone_mode=False)
except (Exception, SystemExit):
    pass
print("modules:", *sys.modules)
"""


def imported(*words: str) -> set[str]:
    """The modules that are loaded when a command has ended."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(words=list(words))],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.rpartition("modules:")[2].split())


def every_command(command: click.Command, *words: str) -> list[tuple[str, ...]]:
    """The words of a command and of all those inside it."""
    if not isinstance(command, click.Group):
        return [words]
    context = click.Context(command)
    found = [words]
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        found += every_command(inner, *words, name)
    return found


@pytest.mark.parametrize("words", every_command(cli), ids=" ".join)
def test_a_help_imports_neither_hardware_nor_servers(words: tuple[str, ...]) -> None:
    found = imported(*words, "--help")
    assert found & HEAVY == set()
    assert len(found) <= MOST_MODULES


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("rules", 160),
        ("moves", 155),
        ("referee", 195),
        ("perft --depth 1", 155),
        ("config show", 140),
        ("config check /dev/null", 145),
        ("check-wiring", 185),
        ("games --journal no-such.db list", 195),
    ],
)
def test_a_command_imports_little_more_than_it_needs(words: str, most: int) -> None:
    found = imported(*words.split())
    assert found & HEAVY == set()
    assert len(found) <= most
