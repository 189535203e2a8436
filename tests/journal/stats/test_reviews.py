"""Figures over reviewed games: losses with intervals, luck, mistakes, and periods."""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from tests.engine.review.games import Arbitrary, random_game
from tests.journal.stats.test_summary import game
from urpi.engine.review import review_record
from urpi.journal.stats import GameReview, SideReview, costs_of, game_review, summarize_reviews
from urpi.rules import parse_rules


def side(losses: list[float], luck: float = 0.0) -> SideReview:
    return SideReview(
        games=1,
        throws=10,
        luck=luck,
        luck_squares=0.04,
        decisions=len(losses),
        loss=sum(losses),
        loss_squares=sum(loss**2 for loss in losses),
        mistakes=Counter({"open": 1}),
        mistake_losses={"open": losses[0]},
    )


def reviewed(light: SideReview, dark: SideReview, source: str = "estimated") -> GameReview:
    return GameReview("exact" if source == "exact" else "estimated", (light, dark))


def test_the_sums_of_a_game_are_those_of_its_review() -> None:
    review = review_record(random_game(parse_rules("blitz"), Random(3), 60), Arbitrary())
    found = game_review(review)
    for each, totals in zip(found.sides, review.totals, strict=True):
        assert (each.games, each.throws, each.decisions) == (1, totals.throws, totals.decisions)
        assert each.loss == pytest.approx(totals.loss)
        assert each.loss_per_decision == pytest.approx(totals.loss_per_decision)
        assert each.errors_per_100 == pytest.approx(totals.errors_per_100)
        assert each.mistake_losses == pytest.approx(totals.mistakes)
        assert each.luck_squares > each.luck**2 / each.throws


def test_the_interval_of_the_mean_follows_from_the_spread_of_the_losses() -> None:
    losses = [0.0, 0.1, 0.0, 0.3]
    sums = side(losses)
    variance = sum((loss - 0.1) ** 2 for loss in losses) / 3
    interval = sums.loss_interval
    assert interval is not None
    assert sums.loss_per_decision == pytest.approx(0.1)
    assert interval.high == pytest.approx(0.1 + 1.96 * sqrt(variance / 4), abs=1e-4)
    assert interval.low == 0
    assert side([0.1]).loss_interval is None
    assert SideReview().loss_per_decision is None


def test_luck_is_compared_with_that_of_fair_dice() -> None:
    sums = side([0.1], luck=0.5)
    sums.add(side([0.1], luck=-0.1))
    assert sums.luck_per_game == pytest.approx(0.2)
    assert sums.fair_luck == pytest.approx(1.96 * sqrt(0.08) / 2, abs=1e-4)


def test_a_player_is_counted_on_either_side_and_games_without_a_review_are_missing() -> None:
    games = [
        (game(1, "Ann", "Zoë", "light"), "2026-01-31"),
        (game(2, "Zoë", "Ann", "dark"), "2026-02-01"),
        (game(3, "Zoë", "Ann", "dark"), "2026-02-01"),
        (game(4, "Zoë", "Ann", "abandoned"), "2026-02-01"),
        (game(5, "Zoë", "Ann", None), "2026-02-01"),
    ]
    reviews = {
        1: reviewed(side([0.1, 0.2]), side([0.0]), "exact"),
        2: reviewed(side([0.0]), side([0.3])),
    }
    found = summarize_reviews(games, reviews)
    assert (found.games, found.exact, found.missing) == (2, 1, 1)
    ann, zoe = found.players
    assert (ann.name, ann.sums.decisions, ann.sums.loss) == ("Ann", 3, pytest.approx(0.6))
    assert [(each.name, each.sums.decisions) for each in ann.periods] == [
        ("2026-01-31", 2),
        ("2026-02-01", 1),
    ]
    assert (zoe.sums.games, zoe.sums.loss) == (2, 0)
    assert costs_of(found.all) == [("open", 4, pytest.approx(0.4))]


@pytest.mark.parametrize(
    ("days", "periods"),
    [
        ([f"2026-01-{day:02}" for day in range(1, 13)], 12),
        ([f"2026-01-{day:02}" for day in range(1, 14)], 1),
        ([f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in (1, 2)], 12),
        ([f"{year}-{month:02}-01" for year in (2025, 2026) for month in range(1, 13)], 2),
    ],
)
def test_periods_are_the_shortest_that_are_not_too_many(days: list[str], periods: int) -> None:
    games = [(game(n, "Ann", "Zoë", "light"), day) for n, day in enumerate(days)]
    reviews = {n: reviewed(side([0.1]), side([0.1])) for n in range(len(days))}
    ann, _ = summarize_reviews(games, reviews).players
    assert len(ann.periods) == periods
    assert sum(each.sums.games for each in ann.periods) == len(days)
