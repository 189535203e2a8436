"""The statistics over many games, and their ranges and quantiles."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urpi.core.names import LAST_DIE
from urpi.journal.stats import GameFigures, SideFigures, fair_range, quantile, summarize
from urpi.journal.stats.chance import Chances, _sums, chances_of, expected, expected_mean
from urpi.rules import RULE_SETS, rule_set


def game(
    number: int, light: str, dark: str, result: str | None, throws: int = 10, lasted_ms: int = 1000
) -> GameFigures:
    sides = SideFigures(throws, 2 * throws, 1, 2, [1000, 3000]), SideFigures(throws, 0, 0, 0, [500])
    faces = {1: Counter("gs--"), 2: Counter("----")}
    return GameFigures(number, light, dark, "finkel", sides, faces, result, lasted_ms)


GAMES = [
    game(1, "Ann", "Zoë", "light", throws=20),
    game(2, "Zoë", "Ann", "light", lasted_ms=9000),
    game(3, "Zoë", "Ann", "draw"),
    game(4, "Ann", "Bert", None, throws=99, lasted_ms=99_000),
    game(5, "Ann", "Ann", "dark"),
]


def test_a_player_is_counted_on_either_side() -> None:
    players = {player.name: player for player in summarize(GAMES).players}
    ann, zoe, bert = players["Ann"], players["Zoë"], players["Bert"]
    assert (ann.games, ann.wins, ann.losses, ann.draws) == (6, 2, 2, 1)
    assert (zoe.games, zoe.wins, zoe.losses, zoe.draws) == (3, 1, 1, 1)
    assert (bert.games, bert.wins, bert.losses, bert.draws) == (1, 0, 0, 0)


def test_a_pair_is_counted_on_either_side() -> None:
    pairs = {pair.names: pair for pair in summarize(GAMES).pairs}
    assert list(pairs) == [("Ann", "Zoë"), ("Ann", "Bert")]
    both = pairs["Ann", "Zoë"]
    assert (both.games, both.wins, both.draws) == (3, (1, 1), 1)


def test_the_longest_games_are_games_that_ended() -> None:
    figures = summarize(GAMES)
    assert (figures.games, figures.ended) == (5, 4)
    assert figures.longest is not None
    assert figures.slowest is not None
    assert (figures.longest.game, figures.slowest.game) == (1, 2)


def test_dice_of_every_number_have_a_tally() -> None:
    faces = {number: Counter("gs--") for number in range(1, LAST_DIE + 1)}
    sides = SideFigures(4, 8, 1, 2, [1000]), SideFigures(4, 0, 0, 0, [500])
    found = summarize([GameFigures(1, "Ann", "Zoë", "finkel", sides, faces, "light", 1000)])
    assert [one.tally.die for one in found.dice] == list(faces)


def test_throws_of_a_die_are_added_over_all_games() -> None:
    one, two = summarize(GAMES).dice
    assert (one.tally.die, one.tally.outcomes, one.tally.counts) == (
        1,
        ("g", "s", "--"),
        (5, 5, 10),
    )
    assert two.tally.counts == (0, 0, 20)
    assert (one.suspicious, two.suspicious) == (False, True)


def test_no_games_have_empty_statistics() -> None:
    figures = summarize([])
    assert (figures.games, figures.players, figures.dice, figures.longest) == (0, (), (), None)


def test_a_player_without_throws_has_no_mean() -> None:
    (player, _) = summarize([game(1, "Ann", "Zoë", None, throws=0)]).players
    assert (player.mean, player.expected, player.fair) == (None, None, None)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_probabilities_of_a_throw_add_up_to_one(rules: str) -> None:
    assert sum(chance for _, chance in chances_of(rule_set(rules).dice)) == 1


@pytest.mark.parametrize(("rules", "mean"), [("finkel", 2.0), ("bell", 2.0), ("ravensburger", 2.5)])
def test_the_expected_value_depends_on_the_dice(rules: str, mean: float) -> None:
    assert expected(chances_of(rule_set(rules).dice)) == mean


def test_the_expected_mean_of_mixed_dice_is_weighted() -> None:
    finkel, six = (chances_of(rule_set(name).dice) for name in ("finkel", "ravensburger"))
    assert expected_mean({finkel: 3, six: 1}) == pytest.approx((3 * 2 + 2.5) / 4)


@pytest.mark.parametrize("throws", [1, 2, 4])
def test_the_range_of_few_throws_agrees_with_enumeration(throws: int) -> None:
    kind = chances_of(rule_set("murray").dice)
    low, high, exact = fair_range({kind: throws})
    sums: Counter[int] = Counter()
    for thrown in product(kind, repeat=throws):
        chance = Fraction(1)
        for _, one in thrown:
            chance *= one
        sums[sum(value for value, _ in thrown)] += chance  # type: ignore[assignment]
    inside = sum(chance for total, chance in sums.items() if low <= total / throws <= high)
    assert exact
    assert inside >= Fraction(95, 100)
    assert sum(chance for total, chance in sums.items() if total / throws < low) <= 0.025


def slow_sums(throws: dict[Chances, int]) -> dict[int, Fraction]:
    """Return the distribution of the sum of throws, convolved throw by throw in whole numbers."""
    ways, cases = Counter({0: 1}), 1
    for kind, number in throws.items():
        of_throw = lcm(*(chance.denominator for _, chance in kind))
        ways_of = [(value, int(chance * of_throw)) for value, chance in kind]
        for _ in range(number):
            after: Counter[int] = Counter()
            for total, so_far in ways.items():
                for value, more in ways_of:
                    after[total + value] += so_far * more
            ways, cases = after, cases * of_throw
    return {total: Fraction(number, cases) for total, number in ways.items()}


KINDS = sorted({chances_of(rule_set(name).dice) for name in RULE_SETS})


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KINDS), st.integers(1, 25), min_size=1))
def test_the_distribution_of_many_throws_is_that_of_throw_after_throw(
    throws: dict[Chances, int],
) -> None:
    expected_sums = slow_sums(throws)
    found = _sums(throws)
    # A sum that the dice cannot have has a probability of 0.
    assert {total for total, chance in found.items() if chance} == set(expected_sums)
    for total, chance in expected_sums.items():
        assert found[total] == pytest.approx(float(chance), rel=1e-12)


def test_the_normal_range_agrees_with_the_exact_one() -> None:
    kind = chances_of(rule_set("finkel").dice)
    counted, normal = fair_range({kind: 300}), fair_range({kind: 301})
    assert (counted.exact, normal.exact) == (True, False)
    assert normal.low == pytest.approx(counted.low, abs=0.01)
    assert normal.high == pytest.approx(counted.high, abs=0.01)


@given(st.lists(st.integers(0, 1000), min_size=1), st.sampled_from([0.5, 0.9]))
def test_a_quantile_is_the_nearest_rank(values: list[int], share: float) -> None:
    found = quantile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)
    assert sum(value < found for value in values) < share * len(values)


def test_no_values_have_no_quantile() -> None:
    assert quantile([], 0.5) is None
