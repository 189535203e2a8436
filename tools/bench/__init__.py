"""Benchmark of the referee: simulated games, whose true moves are known."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from tools.bench.cases import CASES, Case, case
    from tools.bench.figures import GameOutcome, RefereeFigures, format_table, percentile
    from tools.bench.markdown_tables import markdown_tables, read_rows
    from tools.bench.match import Match, MatchSettings, Trace
    from tools.bench.runs import Task, run, run_all

export(__name__)
