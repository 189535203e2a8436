"""Time and memory of looking up values: `python -m tests.bench_engine.lookup TABLE`.

For random positions the values of all legal moves of a throw are looked up, with the standard
library alone. The median and the 99th percentile of the processor time are printed, and by how much
the resident memory of the process grew from before the table was opened. The targets are 1 ms and
5 MB.
"""

import gc
import sys
import time
from itertools import islice
from pathlib import Path
from random import Random

import click

from tests.bench_engine.positions import table_positions
from urpi.engine.evaluator import move_values
from urpi.engine.exact.values import ExactValues
from urpi.rules.race import Race

MAX_MS = 1.0
MAX_MB = 5.0


def resident_mb() -> float:
    """Return the resident memory of this process in MB."""
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmRSS"))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--throws", type=click.IntRange(100), default=20_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path, throws: int, seed: int) -> None:
    """Measure the time to evaluate all moves of a throw, and the memory."""
    with ExactValues(file) as table:
        rules, random = table.rules, Random(seed)
    assert isinstance(rules, Race)
    positions = islice(table_positions(rules, random), throws)
    work = [(position, rules.dice.roll(random.random())) for position in positions]
    for position, throw in work[:100]:
        rules.legal_moves(position, throw)
    gc.collect()
    before = resident_mb()
    table = ExactValues(file)
    times = [0] * throws
    for number, (position, throw) in enumerate(work):
        began = time.process_time_ns()
        move_values(table, position, throw)
        times[number] = time.process_time_ns() - began
    grown = resident_mb() - before
    times.sort()
    middle, high = times[throws // 2] / 1e6, times[throws * 99 // 100] / 1e6
    click.echo(
        f"{table.header.rules}: all moves of a throw, CPU time: median {middle:.3f} ms, "
        f"p99 {high:.3f} ms; {throws:,} throws, seed {seed}"
    )
    click.echo(f"resident memory: {grown:.1f} MB more; numpy loaded: {'numpy' in sys.modules}")
    click.get_current_context().exit(0 if high < MAX_MS and grown < MAX_MB else 1)


if __name__ == "__main__":
    main()
