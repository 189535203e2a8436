"""Reviews with exact values: luck and losses add up, and luck is fair."""

import json
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tests.engine.review.balance import check_reviews
from tests.engine.review.games import random_game
from tests.engine.solver.test_solving import Solved
from urpi.cli.main import cli
from urpi.engine.exact.installed import Installed
from urpi.engine.exact.values import ValuesHeader, write
from urpi.engine.race_index import RaceIndex
from urpi.engine.solver.solving import Solution, stored
from urpi.journal import Journal, import_record
from urpi.rules.record import record_text

GAMES = 30
"""`python -m tests.bench_engine.review_balance` reviews thousands."""


@pytest.mark.slow
def test_with_exact_values_result_minus_start_is_luck_minus_losses(
    index: RaceIndex, solution: Solution
) -> None:
    found = check_reviews(Solved(index, solution), index.rules, GAMES, seed=17)
    assert found.worst < 1e-9
    assert found.throws > 40 * GAMES
    ahead = [abs(start - 0.5) for start in found.starts]
    assert ahead == pytest.approx([0.016201102] * GAMES, abs=1e-9)


@pytest.mark.slow
def test_a_review_takes_exact_values_from_an_installed_table(
    index: RaceIndex, solution: Solution, tmp_path: Path
) -> None:
    table, journal = tmp_path / "finkel-3.table", tmp_path / "journal.db"
    with table.open("wb") as file:
        header = ValuesHeader(index.rules.text, index.size, 0.5, solution.residual, "1.0")
        write(file, header, stored(solution.values))
    tables = Installed(tmp_path / "tables")
    tables.install(table)
    record = record_text(random_game(index.rules, Random(2), 10_000))
    with Journal.open(journal) as opened:
        import_record(opened, record, datetime.now().astimezone(), "1.0")
    words = ["games", "--journal", str(journal), "review", "1", "--tables", str(tables.folder)]
    result = CliRunner().invoke(cli, [*words, "--json"], catch_exceptions=False)
    found = json.loads(result.stdout)
    assert found["by"] == "exact"
    assert found["source"] == "All values are exact: this game is solved."
    assert abs(found["start"] - 0.5) == pytest.approx(0.0162, abs=1e-4)
