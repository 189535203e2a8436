"""Reviews with exact values: luck and losses add up, and luck is fair."""

from random import Random

import pytest

from tests.review.games import random_game
from tests.review.test_review import balance
from tests.solver.test_solving import Solved
from urpi.engine.race_index import RaceIndex
from urpi.review import review_record
from urpi.solver.solving import Solution

GAMES = 30
"""`python -m tests.bench_engine.review_balance` reviews thousands."""


def test_with_exact_values_result_minus_start_is_luck_minus_losses(
    index: RaceIndex, solution: Solution
) -> None:
    random, exact = Random(17), Solved(index, solution)
    for _ in range(GAMES):
        review = review_record(random_game(index.rules, random, 10_000), exact)
        assert (review.source, review.ending) == ("exact", 0)
        assert review.start == pytest.approx(
            0.5 + (1 - 2 * review.throws[0].side.number) * 0.016201102, abs=1e-9
        )
        assert balance(review) == pytest.approx(0, abs=1e-9)
        for each in review.throws:
            assert each.before == pytest.approx(exact.value(each.position), abs=1e-9)
