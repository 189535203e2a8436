"""The cost of starting each command: user and system CPU time, beside a bare interpreter.

Run by `python -m tests.bench.start_up`. Each command runs in a process of its own, once unmeasured
and then in turn with `python -c pass`, so that the ratio is valid on a slow or busy machine. The
target is 120 ms where the bare interpreter takes 9 ms, which is a ratio of 13.3.

Bytecode is cached, as when pip installs a package: without a cache, compiling the package takes as
long as everything else.
"""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import click

from tests.journal.games import store_game
from tests.output import print_line
from urpi.cli.main import cli
from urpi.journal import Journal

TARGET_RATIO: Final = 120 / 9
BARE: Final = (sys.executable, "-c", "pass")
CLICK: Final = (sys.executable, "-c", "import click")
URPI: Final = (sys.executable, "-c", "from urpi.cli.main import main; main()")
GAMES: Final = 20
WORK: Final = ("rules", "rules finkel", "moves", "referee", "perft --depth 1", "config show",
               "config example", "check-wiring")  # fmt: skip
GAMES_WORK: Final = ("list", "show 1", "export 1")
MORE_THAN_STARTING: Final = ("stats", "replay 1", "check --jobs 1", "dispute 1")
"""Commands that work longer than they take to start: measured, without a target."""


def caching(folder: Path) -> dict[str, str]:
    """Return the environment of processes that cache bytecode in a folder."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def cpu_ms(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the CPU time of a process from its start to its end, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def measure(
    command: Sequence[str], environment: Mapping[str, str], runs: int
) -> tuple[float, float]:
    """Return the median CPU time of a command in ms, and of its ratio to a bare interpreter."""
    cpu_ms(command, environment)
    times = [(cpu_ms(command, environment), cpu_ms(BARE, environment)) for _ in range(runs)]
    return median(time for time, _ in times), median(time / bare for time, bare in times)


def helps(command: click.Command, *words: str) -> list[str]:
    """Return the arguments that show the help of a command, and of every command inside it."""
    found = [" ".join((*words, "--help"))]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found += helps(inner, *words, name)
    return found


def main() -> None:
    """Measure and print a table; the exit status is 1 if a command misses the target."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.start_up", description=__doc__)
    parser.add_argument("--runs", type=int, default=11, help="of each command")
    runs = parser.parse_args().runs
    missed = []
    with TemporaryDirectory(prefix="urpi-start-up-") as folder:
        environment = caching(Path(folder) / "bytecode")
        path = Path(folder) / "journal.db"
        with Journal.open(path) as journal:
            for seed in range(GAMES):
                store_game(journal, "finkel", seed=seed)
        bare, _ = measure(BARE, environment, runs)
        click_ms, click_ratio = measure(CLICK, environment, runs)
        print_line(f"bare interpreter: {bare:.0f} ms")
        print_line(f"`import click`: {click_ms:.0f} ms, {click_ratio:.1f} times")
        print_line("\n| command | CPU ms | times a bare interpreter |\n|---|---|---|")
        games = f"games --journal {path}"
        free = {"doctor", *(f"{games} {words}" for words in MORE_THAN_STARTING)}
        bound = (*WORK, *(f"{games} {words}" for words in GAMES_WORK), *helps(cli))
        for words in (*bound, *sorted(free)):
            time, ratio = measure((*URPI, *words.split()), environment, runs)
            shown = words.replace(str(path), "FILE")
            print_line(f"| `urpi {shown}` | {time:.0f} | {ratio:.1f} |")
            if ratio > TARGET_RATIO and words not in free:
                missed.append(shown)
    if missed:
        print_line(f"Above {TARGET_RATIO:.1f}: {', '.join(missed)}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
