"""Ratings follow Glickman's paper, and stay within their limits."""

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.club.ratings import (
    MAX_VOLATILITY,
    NEW_DEVIATION,
    RatedGame,
    RatedResult,
    Rating,
    Ratings,
    Score,
    after_pause,
    after_period,
    rate_players,
)


def test_the_published_example_is_reproduced() -> None:
    """Glickman, "Example of the Glicko-2 system", Example calculation.

    The paper rounds its intermediate values to a few digits and obtains 1464.06; without rounding
    the rating is 1464.0507.
    """
    scores = [
        Score(Rating(1400, 30), 1),
        Score(Rating(1550, 100), 0),
        Score(Rating(1700, 300), 0),
    ]
    found = after_period(Rating(1500, 200, 0.06), scores)
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.005)
    assert found.volatility == pytest.approx(0.05999, abs=0.000007)


def test_the_volatility_is_a_root_of_the_papers_function() -> None:
    """A surprising period of a well-known player raises the volatility, an expected one does not.

    The value is that of glicko2-py 0.1.0, an independent implementation.
    """
    surprise = after_period(Rating(2300, 60), [Score(Rating(1400, 60), 0)] * 10)
    assert surprise.volatility == pytest.approx(0.0613396, abs=1e-6)
    assert surprise.value == pytest.approx(2092.788, abs=0.001)
    assert after_period(Rating(2300, 60), [Score(Rating(1400, 60), 1)] * 10).volatility < 0.06


def test_a_pause_widens_the_deviation_up_to_that_of_a_new_player() -> None:
    rating = Rating(1700, 50)
    once = after_pause(rating, 1)
    assert once.value == 1700
    assert once.deviation == pytest.approx((50**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert after_pause(after_pause(rating, 2), 3).deviation == pytest.approx(
        after_pause(rating, 5).deviation
    )
    assert after_pause(rating, 10**6).deviation == NEW_DEVIATION
    assert after_period(rating, []) == once


def test_random_periods_keep_ratings_finite_and_deviations_in_range() -> None:
    seed = 20
    rng = random.Random(seed)
    for _ in range(2000):
        rating = Rating(rng.uniform(-500, 4000), rng.uniform(15, 350), rng.uniform(0.02, 0.2))
        scores = [
            Score(Rating(rng.uniform(-500, 4000), rng.uniform(15, 350)), rng.choice([0, 0.5, 1]))
            for _ in range(rng.randint(1, 40))
        ]
        found = after_period(rating, scores)
        assert 0 < found.deviation <= NEW_DEVIATION, (seed, rating, scores)
        assert found.volatility > 0, (seed, rating, scores)
        assert math.isfinite(found.value), (seed, rating, scores)


@given(st.floats(1500, 6000), st.sampled_from([0, 0.5, 1]), st.floats(0.06, 0.2))
def test_no_period_makes_a_player_less_certain_than_a_new_one(
    opponent: float, points: float, volatility: float
) -> None:
    """A game of very different players carries almost no information, and the deviation grows."""
    new = Rating(volatility=volatility)
    assert after_period(new, [Score(Rating(opponent), points)]).deviation <= NEW_DEVIATION


def test_the_volatility_is_found_in_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that keeps one of its two bounds may never end."""
    seed, steps = 20, 0

    def exp(x: float, exp: Callable[[float], float] = math.exp) -> float:
        nonlocal steps
        steps += 1
        assert steps < 100, (seed, rating, scores)
        return exp(x)

    monkeypatch.setattr(math, "exp", exp)
    rng = random.Random(seed)
    for _ in range(1000):
        rating = Rating(rng.uniform(-500, 4000), rng.uniform(15, 350), rng.uniform(0.02, 0.2))
        opponent = Rating(rng.uniform(-500, 4000), rng.uniform(15, 350))
        scores = [Score(opponent, rng.choice([0, 0.5, 1]))] * rng.randint(1, 40)
        # The expected points, for step 3 and for the search of the most likely rating.
        steps = -30 * len(scores)
        after_period(rating, scores)


PLAYERS = st.builds(Rating, st.floats(0, 3000), st.floats(30, 350), st.floats(0.03, MAX_VOLATILITY))


@given(PLAYERS, PLAYERS, st.sampled_from([0, 0.5, 1]), st.integers(1, 5000))
def test_a_week_of_very_unlikely_results_leads_only_as_far_as_the_games_prove(
    rating: Rating, opponent: Rating, points: float, games: int
) -> None:
    found = after_period(rating, [Score(opponent, points)] * games)
    assert found.volatility <= MAX_VOLATILITY
    # Whoever wins n games of n is most likely about 400 log10(n) points stronger.
    margin = 400 * math.log10(games) + 2 * NEW_DEVIATION
    low, high = sorted((rating.value, opponent.value))
    assert low - margin <= found.value <= high + margin
    # More points never lead to a lower rating, a win never lowers it.
    assert points < 1 or found.value >= rating.value
    assert points > 0 or found.value <= rating.value


def test_a_week_with_exchanged_names_heals_in_weeks() -> None:
    seed = 2
    rng = random.Random(seed)
    strong, weak = Rating(1780, 50), Rating(1220, 50)
    strong, weak = (
        after_period(strong, [Score(weak, 0)] * 35),
        after_period(weak, [Score(strong, 1)] * 35),
    )
    for _ in range(12):
        # The expected result of 560 points is 96.2 %.
        won = [float(rng.random() < 0.962) for _ in range(10)]
        strong, weak = (
            after_period(strong, [Score(weak, one) for one in won]),
            after_period(weak, [Score(strong, 1 - one) for one in won]),
        )
    assert strong.value == pytest.approx(1780, abs=100), seed
    assert weak.value == pytest.approx(1220, abs=100), seed


@pytest.mark.parametrize("points", [0, 1])
def test_a_game_of_very_different_players_can_be_rated(points: float) -> None:
    found = after_period(Rating(9000, 30), [Score(Rating(-9000, 30), points)])
    assert math.isfinite(found.value)
    assert found.value == pytest.approx(9000, abs=0.01 if points else 1000)


def game(period: int, light: str, dark: str, result: RatedResult = "light") -> RatedGame:
    return RatedGame(period, light, dark, result)


def test_ratings_do_not_depend_on_the_order_within_a_period_or_on_sides() -> None:
    games = [game(1, "ann", "bob"), game(1, "bob", "cyd"), game(1, "cyd", "ann", "draw")]
    turned = [game(1, "bob", "ann", "dark"), game(1, "ann", "cyd", "draw"), games[1]]
    first, second = rate_players(games, 1), rate_players(reversed(turned), 1)
    for name in ("ann", "bob", "cyd"):
        assert first[name].rating.value == pytest.approx(second[name].rating.value)
    assert first["ann"].rating.value > first["cyd"].rating.value


def test_two_new_players_stay_symmetric() -> None:
    found = rate_players([game(3, "ann", "bob")], 3)
    assert found["ann"].rating.value - 1500 == pytest.approx(1500 - found["bob"].rating.value)
    assert found["ann"].rating.deviation == found["bob"].rating.deviation < 350


def test_weeks_without_games_count_between_and_after_games() -> None:
    found = rate_players([game(1, "ann", "bob"), game(11, "ann", "bob")], 21)
    stepwise = rate_players([game(1, "ann", "bob")], 10)
    assert found["ann"].points[1] == rate_players([game(1, "ann", "bob")], 1)["ann"].rating
    assert stepwise["ann"].rating.deviation > found["ann"].points[1].deviation
    assert set(found["ann"].points) == {1, 11}
    assert found["ann"].rating.deviation > found["ann"].points[11].deviation


def test_a_pause_between_games_widens_the_deviations_of_both_players_before_the_next() -> None:
    games = [game(1, "ann", "bob"), game(11, "ann", "bob")]
    first, found = rate_players(games[:1], 1), rate_players(games, 11)
    ann, bob = (after_pause(first[name].rating, 9) for name in ("ann", "bob"))
    assert found["ann"].rating == after_period(ann, [Score(bob, 1)])
    assert found["bob"].rating == after_period(bob, [Score(ann, 0)])


def test_a_game_from_the_future_counts_now_and_one_against_oneself_never() -> None:
    found = rate_players([game(99999, "ann", "bob"), game(1, "cyd", "cyd")], 5)
    assert set(found) == {"ann", "bob"}
    assert set(found["ann"].points) == {5}


GAMES = st.builds(
    RatedGame,
    st.integers(1, 12),
    st.sampled_from("abcdef"),
    st.sampled_from("abcdef"),
    st.sampled_from(["light", "dark", "draw"]),
)


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(GAMES, max_size=5), st.data()), max_size=8))
def test_changes_lead_to_the_ratings_that_all_games_together_have(
    steps: list[tuple[int, list[RatedGame], st.DataObject]],
) -> None:
    """Late games, games from the future, withdrawn ones, and weeks that pass, in any order."""
    ratings, counted, now = Ratings(), list[RatedGame](), 4
    for passed, added, data in steps:
        order = data.draw(st.permutations(counted))
        removed = order[: data.draw(st.integers(0, len(order)))]
        now += passed - 1
        ratings.change(now, added, removed)
        for one in removed:
            counted.remove(one)
        counted += added
        assert ratings.histories == rate_players(data.draw(st.permutations(counted)), now)


def test_a_new_game_rates_no_earlier_week_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rated = list[Rating]()

    def counting(rating: Rating, scores: list[Score]) -> Rating:
        rated.append(rating)
        return after_period(rating, scores)

    ratings = Ratings()
    ratings.change(100, [game(week, "ann", "bob") for week in range(1, 101)])
    monkeypatch.setattr("urpi.club.ratings.after_period", counting)
    ratings.change(100, [game(100, "cyd", "ann")])
    assert len(rated) == 3
    ratings.change(100, [game(98, "cyd", "ann")])
    assert len(rated) == 3 + 3 + 2 + 3
