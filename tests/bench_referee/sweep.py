"""The sweep for the figures in docs/how-it-works: `python -m tests.bench_referee.sweep FOLDER`.

A round is 250 games of each rule set, most of them with the presets, and 50 more of those with
piles; four rounds are a thousand games. Every round has its own seeds. The figures of each run are
a file in the folder, from which `python -m tools.bench referee-table` makes the page's tables. A
run whose file exists is not repeated, so that the sweep can be interrupted. It takes about three
hours on one core.

With `--engine`, only games with the engine in a seat are played: in each round one game of
every behaviour and rule set, in turn with the engine as dark and as both sides.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tools.bench import CASES, markdown_tables, read_rows
from urpi.rules import RULE_SETS

ROUND = {
    "calm": 20,
    "lively": 45,
    "clumsy": 44,
    "hovering": 15,
    "illegal": 13,
    "early": 13,
    "no-gap": 13,
    "thinking-long": 6,
    "off-by-hand": 6,
    "stuck-on": 13,
    "stuck-off": 13,
    "sticks-on": 13,
    "sticks-off": 13,
    "flicker": 6,
    "lost-edges": 6,
    "take-back": 5,
    "everything": 6,
}
"""The number of games of each behaviour in a round."""
QUIET_ROUND = {"quiet-calm": 10, "quiet-lively": 20, "quiet-clumsy": 20}
"""The number of additional games in rule sets with piles."""
PILES = ("skiryuk", "ravensburger")
SEEDS_A_ROUND = 1000
OTHERS_FROM = 9000
"""The first seed of two additional games of every behaviour."""
ENGINE_FROM = 8000
"""The first seed of the games with the engine in a seat."""

FIRST_TABLE = "## Presets, by rule set"
LAST_SECTION = "## Causes"


def runs(rounds: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the file name of each run and its arguments for `python -m tools.bench referee`."""
    for number in range(rounds):
        for rules in RULE_SETS:
            games_of = ROUND | QUIET_ROUND if rules in PILES else ROUND
            for behaviour, games in games_of.items():
                seed = number * SEEDS_A_ROUND
                yield (
                    f"{number}.{rules}.{behaviour}.json",
                    _arguments(rules, behaviour, games, seed),
                )
    for rules in RULE_SETS:
        yield f"all.{rules}.json", _arguments(rules, "all", 2, OTHERS_FROM)


def engine_runs(rounds: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the file name and arguments of each run with the engine in a seat."""
    # A quarter of the behaviours at a time, so that a sweep that is stopped early has some of all.
    for number in range(4 * rounds):
        seats = ("dark", "both")[number // 4 % 2]
        behaviours = list(CASES)[number % 4 :: 4]
        for rules in RULE_SETS:
            arguments = _arguments(rules, behaviours[0], 1, ENGINE_FROM + number // 4)
            for each in behaviours[1:]:
                arguments += ["--behaviour", each]
            yield f"engine.{number}.{rules}.json", [*arguments, "--engine", seats]


def _arguments(rules: str, behaviour: str, games: int, seed: int) -> list[str]:
    counts = ["--games", str(games), "--seed", str(seed), "--max-throws", "250"]
    return ["--rules", rules, "--behaviour", behaviour, *counts, "--json", "--incidents"]


def replace_tables(page: str, tables: str) -> str:
    """Return the page with other tables between its first one and its last section."""
    begin, end = page.index(FIRST_TABLE), page.index(LAST_SECTION)
    return f"{page[:begin]}{tables}\n{page[end:]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--page", type=Path, help="replace this page's tables instead of playing")
    parser.add_argument("--engine", action="store_true", help="the engine's games only")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    if given.page is not None:
        tables = "\n".join(markdown_tables(read_rows(sorted(given.folder.glob("*.json")))))
        given.page.write_text(replace_tables(given.page.read_text("utf-8"), tables), "utf-8")
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    program = [sys.executable, "-m", "tools.bench", "referee"]
    for name, arguments in (engine_runs if given.engine else runs)(given.rounds):
        file = given.folder / name
        if not file.exists():
            command = [*program, *arguments, "--jobs", str(given.jobs)]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
            file.write_bytes(done.stdout)
            click.echo(
                f"{name}: {'errors, see its lines with #' if done.returncode else 'no errors'}"
            )


if __name__ == "__main__":
    main()
