"""The published figures, recomputed from games, and their intervals."""

from collections import Counter
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from tests.journal.games import store_game
from urpi.journal import Journal
from urpi.journal.stats import GameFigures, GameReview, SideFigures, SideReview
from urpi.journal.stats.published import PERFECT, PUBLISHED, exact, mean_of, ratio_of, recompute
from urpi.rules import Side
from urpi.show.stats_report.reading import figures_of_game


def game(number: int, random: Random, **changed: object) -> GameFigures:
    """Return a game that is about as long as the published one."""
    first = random.choice(list(Side))
    winner = first if random.random() < 0.52 else first.other
    throws = round(random.gauss(105, 20))
    sides = SideFigures(throws), SideFigures(throws)
    captured = Counter({"B3": random.randrange(3), "B8": 1})
    values = {"rules": "finkel", "result": winner.value, "first": first, "captured": captured}
    values |= changed
    return GameFigures(
        number, "Ann", "Zoë", values.pop("rules"), sides, {}, values.pop("result"), 0, **values
    )


def test_intervals_contain_the_true_value_as_often_as_they_claim() -> None:
    random, hits = Random(7), Counter[str]()
    runs = 400
    for _ in range(runs):
        found = recompute(game(number, random) for number in range(60))
        assert found.games == 60
        throws, first = found.values["throws"], found.values["first"]
        assert throws is not None
        assert first is not None
        hits["throws"] += throws.agrees(exact(210))
        hits["first"] += first.agrees(exact(0.52))
        hits["B3"] += found.captures["B3"].agrees(exact(1))
        assert found.captures["B8"] == exact(1)
    # 95 % of 400 are 380; the first is conservative (Clopper-Pearson).
    assert all(number > 360 for number in hits.values()), hits


@pytest.mark.parametrize(
    "changed",
    [
        {"rules": "finkel[pieces=5]"},
        {"rules": "masters"},
        {"result": None},
        {"result": "draw"},
        {"result": "abandoned"},
        {"first": None},
        {"resigned": True},
    ],
)
def test_only_games_that_are_comparable_count(changed: dict[str, object]) -> None:
    random = Random(1)
    games = [game(1, random), game(2, random), game(3, random, **changed)]
    assert recompute(games).games == 2


@pytest.mark.parametrize("number", [0, 1])
def test_too_few_games_have_no_figures(number: int) -> None:
    found = recompute(game(each, Random(1)) for each in range(number))
    assert set(found.values.values()) == {None}
    assert found.captures == {}


def test_the_luck_of_a_throw_is_that_of_the_reviewed_games() -> None:
    random, reviews, games = Random(3), {}, []
    for number in range(200):
        one = game(number, random)
        games.append(one)
        if number % 4 == 0:
            continue
        lucks = [random.gauss(0, 0.035) for _ in range(one.throws)]
        side = SideReview(throws=one.throws, luck_squares=sum(luck**2 for luck in lucks))
        reviews[number] = GameReview("exact", (side, SideReview()))
    found = recompute(games, reviews)
    assert (found.games, found.reviewed) == (200, 150)
    luck = found.values["luck"]
    assert luck is not None
    assert luck.low < 0.035 < luck.high
    assert luck.high - luck.low < 0.001


def test_the_interval_of_a_ratio_is_that_of_a_mean_if_all_games_are_equally_long() -> None:
    random = Random(9)
    values = [random.random() for _ in range(50)]
    ratio, mean = ratio_of([(4 * value, 4) for value in values]), mean_of(values)
    assert tuple(ratio) == pytest.approx(tuple(mean))


def test_published_and_perfect_values_are_inside_their_own_intervals() -> None:
    for values in (PUBLISHED, PERFECT):
        for one in values.values():
            assert one.low <= one.value <= one.high
    # The published share of a program differs from that of perfect play.
    assert not PUBLISHED["first"].agrees(PERFECT["first"])
    assert PUBLISHED["first"].high - 0.584 < 2 * sqrt(0.584 * 0.416 / 20_000)


@pytest.mark.slow
def test_a_stored_game_has_its_first_side_and_its_captures_by_square(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games.db") as journal:
        for seed in (1, 2, 4):
            number = store_game(journal, "finkel", seed=seed, longest=400)
            found = figures_of_game(journal, number)
            assert found is not None
            lines = [entry.line for entry in journal.entries(number)]
            throw = next(line for line in lines if '"type":"roll"' in line)
            assert found.first is not None
            assert f'"side":"{found.first.value}"' in throw
            assert found.captured.total() == sum(side.captures for side in found.sides)
            assert found.captured.total() > 0
            assert all(number > 0 for number in found.captured.values())
