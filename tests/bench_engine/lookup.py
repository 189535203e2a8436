"""Time and memory of looking up values: `python -m tests.bench_engine.lookup TABLE`.

For random positions the values of all legal moves of a throw are looked up, the standard library
alone and the table mapped into memory. The median and the 99th percentile of the time are printed,
and the memory that the process has resident beyond what it had before the table was opened: its own
memory, and the pages of the table that it shares with the system's cache. The targets are 1 ms and
5 MB.
"""

import gc
import sys
import time
from pathlib import Path
from random import Random

import click

from tests.bench_engine.positions import random_position
from urpi.engine.evaluator import move_values
from urpi.rules.race import Race
from urpi.tables.table import Table

MOST_MS = 1.0
MOST_MB = 5.0


def resident_mb() -> tuple[float, float]:
    """Return the resident memory of this process, its own and that of mapped files, in MB."""
    fields = dict(
        line.split(":") for line in Path("/proc/self/status").read_text("ascii").splitlines()
    )
    own, mapped = (int(fields[name].split()[0]) / 1000 for name in ("RssAnon", "RssFile"))
    return own, mapped


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--throws", type=click.IntRange(100), default=20_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path, throws: int, seed: int) -> None:
    """Measure the time to evaluate all moves of a throw, and the memory."""
    with Table(file) as table:
        rules, random = table.rules, Random(seed)
    assert isinstance(rules, Race)
    work = [
        (random_position(rules, random), rules.dice.roll(random.random())) for _ in range(throws)
    ]
    for position, throw in work[:100]:
        rules.legal_moves(position, throw)
    gc.collect()
    own, mapped = resident_mb()
    table = Table(file)
    times = []
    for position, throw in work:
        began = time.process_time_ns()
        move_values(table, position, throw)
        times.append(time.process_time_ns() - began)
    own_after, mapped_after = resident_mb()
    times.sort()
    middle, high = times[throws // 2] / 1e6, times[throws * 99 // 100] / 1e6
    click.echo(
        f"{table.header.rules}: all moves of a throw, CPU time: median {middle:.3f} ms, "
        f"p99 {high:.3f} ms; {throws:,} throws, seed {seed}"
    )
    click.echo(
        f"resident: {own_after - own:.1f} MB, and {mapped_after - mapped:.1f} MB of the table's "
        f"pages in the system's cache; numpy loaded: {'numpy' in sys.modules}"
    )
    good = high < MOST_MS and own_after - own < MOST_MB
    click.get_current_context().exit(0 if good else 1)


if __name__ == "__main__":
    main()
