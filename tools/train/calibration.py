"""`python -m tools.train.calibration`: a network's values compared with exact ones, with a chart.

The positions are those after every legal move of games that are played by the table, with random
moves now and then. With a table of fewer pieces, the games have as few.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
from numba import njit

from tools.train.exact import exact_play, table_of
from tools.train.layouts import MAX_ROWS, inputs_of
from tools.train.learning import Weights, arrays_of, forward
from tools.train.training import EXPLORE
from urpi.engine.exact.values import read_header
from urpi.engine.network_file import network
from urpi.engine.solver.compiled_game import game_of
from urpi.rules import rule_set
from urpi.show.svg.chart import Chart, Mark, chart

BINS: Final = 10


@njit(cache=True)
def values_of(net: Weights, rows: Any, values: Any) -> None:
    """Store the network's value for the rows of each position."""
    h = np.zeros(len(net.first_bias), np.float32)
    z = np.zeros(len(net.second_bias), np.float32)
    for n in range(len(rows)):
        values[n] = forward(net, rows[n], h, z)


def figures(table: Path, decisions: int, seed: int) -> tuple[dict[str, Any], Chart]:
    """Return the errors over a number of decisions, and a chart of the values in bins."""
    rules = rule_set(read_header(table).rule_set().id)
    found = network(rules)
    most = decisions * 8
    rows, exact = np.zeros((most, MAX_ROWS), np.int16), np.zeros(most, np.float32)
    signs, groups = np.zeros(most, np.float32), np.zeros(most, np.int64)
    count = exact_play(
        *(game_of(rules), inputs_of(found.features.layout), table_of(table), seed, EXPLORE),
        *(rows, exact, signs, groups),
    )
    # A decision is a throw with at least two legal moves.
    _, places, sizes = np.unique(groups[:count], return_inverse=True, return_counts=True)
    chosen = np.cumsum(sizes > 1) <= decisions
    kept = chosen[places] & (sizes[places] > 1)
    rows, exact, signs = rows[:count][kept], exact[:count][kept], signs[:count][kept]
    estimated = np.zeros(len(rows), np.float32)
    values_of(arrays_of(found), rows, estimated)
    error = estimated - exact
    starts = np.cumsum([0, *sizes[chosen & (sizes > 1)]])[:-1]
    best, loss = _losses(starts, np.where(signs > 0, exact, 1 - exact), signs, estimated)
    marks = []
    for n in range(BINS):
        inside = (estimated * BINS).astype(int).clip(0, BINS - 1) == n
        if not inside.any():
            continue
        low, high = np.quantile(exact[inside], (0.05, 0.95))
        marks.append(
            Mark(
                f"{100 * n // BINS} to {100 * (n + 1) // BINS} %",
                100 * float(exact[inside].mean()),
                100 * float(low),
                100 * float(high),
                f"{100 * exact[inside].mean():.2f} %",
                100 * float(estimated[inside].mean()),
            )
        )
    result = {
        "rules": rules.text,
        "decisions": len(starts),
        "positions": len(rows),
        "mean_absolute_error": round(float(abs(error).mean()), 6),
        "mean_error": round(float(error.mean()), 6),
        "p99_absolute_error": round(float(np.quantile(abs(error), 0.99)), 6),
        "best_move_chosen": round(best, 4),
        "mean_loss": round(loss, 7),
    }
    about = f"{len(rows):,} positions; bars: 90 % of the exact values; dashed: the network's mean"
    title = f"{rules.id}: exact values by the network's value"
    return result, Chart(title, about, "exact value, %", tuple(marks), low=0, high=100)


def _losses(starts: Any, exact: Any, signs: Any, estimated: Any) -> tuple[float, float]:
    """Return how often the best move is chosen, and the mean loss of the chosen ones."""
    seen = np.where(signs > 0, estimated, 1 - estimated)
    ends = [*starts[1:], len(exact)]
    losses = [
        exact[start:end].max() - exact[start + seen[start:end].argmax()]
        for start, end in zip(starts, ends, strict=True)
    ]
    return float(np.mean([loss == 0 for loss in losses])), float(np.mean(losses))


def main() -> None:
    """Print the errors as JSON, and write the chart."""
    parser = argparse.ArgumentParser(prog="python -m tools.train.calibration", description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, help="the chart's file")
    args = parser.parse_args()
    result, drawn = figures(args.table, args.decisions, args.seed)
    sys.stdout.write(json.dumps(result) + "\n")
    if args.svg:
        args.svg.write_text(chart(drawn) + "\n", "utf-8")


if __name__ == "__main__":
    main()
