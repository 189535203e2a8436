"""Measuring the referee against the virtual table's hands, whose truth is known."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.bench.cases import CASES, Case, case
    from urpi.bench.figures import Figures, Outcome, percentile, table
    from urpi.bench.markdown_tables import pages, read_rows
    from urpi.bench.match import Match, Setting, Trace
    from urpi.bench.runs import Task, run, run_all
else:
    export(
        __name__,
        {
            "cases": ("CASES", "Case", "case"),
            "figures": ("Figures", "Outcome", "percentile", "table"),
            "match": ("Match", "Setting", "Trace"),
            "markdown_tables": ("pages", "read_rows"),
            "runs": ("Task", "run", "run_all"),
        },
    )

__all__ = [
    "CASES",
    "Case",
    "Figures",
    "Match",
    "Outcome",
    "Setting",
    "Task",
    "Trace",
    "case",
    "pages",
    "percentile",
    "read_rows",
    "run",
    "run_all",
    "table",
]
