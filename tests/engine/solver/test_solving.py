"""Value iteration: published values, consistency with the rules, and interrupted computations."""

from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.bench_engine.agreement import differences
from tests.engine.review.balance import check_reviews
from tests.engine.test_race_index import positions_of_games
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.engine.evaluator import expected_value, move_values
from urpi.engine.exact.values import HIGHEST, ExactValues, ValuesHeader, write
from urpi.engine.race_index import RaceIndex
from urpi.engine.solver.solving import (
    RESIDUAL,
    Checkpoint,
    Layer,
    Solution,
    layers,
    parts_of,
    solve,
    stored,
)
from urpi.rules import Position, Side, parse_position, parse_rules


class Solved:
    """An evaluator of solved values."""

    kind = "exact"

    def __init__(self, index: RaceIndex, solution: Solution) -> None:
        self._index = index
        self._values = solution.values

    def value(self, position: Position) -> float:
        """Return the value of a position."""
        return float(self._values[self._index(position)])


def test_the_start_of_finkel_with_three_pieces_has_the_published_value(
    index: RaceIndex, solution: Solution
) -> None:
    start = index.rules.start(Side.LIGHT)
    assert Solved(index, solution).value(start) == pytest.approx(0.516201102, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("finkel[pieces=3] A7:L,C7:D L0D0 L2D2 L", 4 / 7),
        ("finkel[pieces=3] A8:L,C7:D L0D0 L2D2 L", 116 / 161),
        ("finkel[pieces=3] A8:L,C7:D L0D0 L2D2 D", 74 / 161),
    ],
)
def test_the_values_of_races_are_the_fractions_that_heled_derives(
    index: RaceIndex, solution: Solution, text: str, published: float
) -> None:
    """J. Heled, King of Ur (github.com/jheled/royalur, docs/_sources/solve.rst.txt)."""
    assert Solved(index, solution).value(parse_position(text)) == pytest.approx(published, abs=1e-9)


def test_the_values_of_a_late_hit_are_those_that_heled_publishes(
    index: RaceIndex, solution: Solution
) -> None:
    """J. Heled, Skill and Luck (github.com/jheled/royalur, docs/_sources/luck.txt)."""
    evaluator = Solved(index, solution)
    position = parse_position("finkel[pieces=3] A3:L,B3:D,B4:L,B6:D L0D0 L1D1 L")
    assert evaluator.value(position) == pytest.approx(0.471, abs=0.0005)
    moves = move_values(evaluator, position, position.rules.dice.throw("gg--"))
    assert [each.move.text for each in moves] == ["A3-A1", "B4xB6"]
    values = [100 * each.value for each in moves]
    assert values == pytest.approx([51.31, 50.13], abs=0.005)


def test_the_residual_is_below_the_limit(solution: Solution) -> None:
    assert solution.residual < RESIDUAL


def check_one_throw_ahead(evaluator: Solved, rules_text: str, seed: int) -> None:
    """Compare values with those that the pure rules give one throw later."""
    positions = sorted(positions_of_games(rules_text, 20, seed), key=str)
    for position in Random(seed).sample(positions, 300):
        assert expected_value(evaluator, position) == pytest.approx(
            evaluator.value(position), abs=1e-11
        )


def test_every_value_follows_from_those_after_each_throw_of_the_rules(
    index: RaceIndex, solution: Solution
) -> None:
    check_one_throw_ahead(Solved(index, solution), index.rules.text, seed=3)


def test_a_table_agrees_with_the_rules_at_random_positions(
    index: RaceIndex, solution: Solution, tmp_path: Path
) -> None:
    file = tmp_path / "any.table"
    header = ValuesHeader(index.rules.text, index.size, 0.5, solution.residual, "0")
    with file.open("wb") as new:
        write(new, header, stored(solution.values))
    with ExactValues(file) as table:
        for difference, position in islice(differences(table, seed=1), 500):
            assert difference < 1.001 / HIGHEST, position


@pytest.fixture(
    scope="module",
    params=slow_except(
        (
            "finkel3[pieces=3;safe_rosettes=no]",
            "coursework[pieces=3]",
            "coursework[pieces=3;zero=0]",
            "bell[pieces=3]",
            "masters[pieces=3]",
            "blitz[pieces=3]",
        )
    ),
)
def another(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RaceIndex, Solution]:
    """Return each of the other solved games."""
    index = RaceIndex(parse_rules(request.param))
    folder = tmp_path_factory.mktemp("another") / "work"
    return index, solve(index, Checkpoint(folder, index.rules.text, index.size), lambda _: None)


def test_every_rule_set_with_tables_is_solved_by_its_rules(
    another: tuple[RaceIndex, Solution],
) -> None:
    index, solution = another
    assert solution.residual < RESIDUAL
    check_one_throw_ahead(Solved(index, solution), index.rules.text, seed=4)


@pytest.mark.slow
def test_reviews_with_exact_values_add_up_in_every_rule_set_with_tables(
    another: tuple[RaceIndex, Solution],
) -> None:
    index, solution = another
    found = check_reviews(Solved(index, solution), index.rules, games=10, seed=5)
    assert found.worst < 1e-9


def test_the_layers_are_ordered_so_that_bearing_off_leads_to_an_earlier_one() -> None:
    seen: set[Layer] = set()
    for independent in layers(3):
        for off, others_off in independent:
            after = [Layer(off + 1, others_off), Layer(off, others_off + 1)]
            for layer in after:
                if max(layer) < 3:
                    assert layer in seen or layer.swapped in seen
        seen.update(independent)
    assert {each for layer in seen for each in (layer, layer.swapped)} == {
        (off, others_off) for off in range(3) for others_off in range(3)
    }


def test_the_parts_of_the_layers_are_all_values_once(index: RaceIndex) -> None:
    parts = [part for group in layers(3) for layer in group for part in parts_of(index, layer)]
    covered = sorted((part.start, part.stop) for part in parts)
    assert [start for start, _ in covered] == [0, *(stop for _, stop in covered[:-1])]
    assert covered[-1][1] == index.size


class InterruptedSolvingError(Exception):
    """Raised in the middle of a computation."""


@pytest.mark.slow
def test_an_interrupted_computation_continues_with_the_solved_layers(
    index: RaceIndex, solution: Solution, tmp_path: Path
) -> None:
    large = [Layer(0, 1), Layer(0, 0)]
    checkpoint, solved = Checkpoint(tmp_path, index.rules.text, index.size), 0.0
    # Nearly all positions are in these two, which need not be solved once more.
    for layer in large:
        checkpoint.store(solution.values, layer, parts_of(index, layer))

    def interrupt(positions: float) -> None:
        nonlocal solved
        solved += positions
        if solved > 10_000:
            raise InterruptedSolvingError

    with pytest.raises(InterruptedSolvingError):
        solve(index, checkpoint, interrupt)
    checkpoint = Checkpoint(tmp_path, index.rules.text, index.size)
    already = list(checkpoint.layers)
    assert already == [*large, Layer(2, 2), Layer(1, 2)]
    again = solve(index, checkpoint, lambda _: None)
    assert np.array_equal(again.values, solution.values)
    assert checkpoint.layers[: len(already)] == already


def test_a_checkpoint_of_another_game_is_not_used(tmp_path: Path) -> None:
    first = Checkpoint(tmp_path, "finkel", 10)
    first.store(np.ones(10), Layer(0, 0), [slice(0, 10)])
    assert Checkpoint(tmp_path, "finkel", 10).layers == [Layer(0, 0)]
    assert Checkpoint(tmp_path, "coursework", 10).layers == []
    assert Checkpoint(tmp_path, "finkel", 12).layers == []


@pytest.mark.parametrize("text", ["{", '{"rules": "finkel"}', '{"rules": "finkel", "layers": [1]}'])
def test_a_damaged_list_of_layers_is_named(tmp_path: Path, text: str) -> None:
    Checkpoint(tmp_path, "finkel", 10)
    (tmp_path / "layers.json").write_text(text)
    with pytest.raises(UrpiError, match=r"layers\.json is damaged; remove its folder"):
        Checkpoint(tmp_path, "finkel", 10)


@pytest.mark.slow
def test_the_report_adds_up_to_all_positions(index: RaceIndex, tmp_path: Path) -> None:
    reports: list[float] = []
    solve(index, Checkpoint(tmp_path, index.rules.text, index.size), reports.append)
    assert sum(reports) == pytest.approx(index.size)
    assert min(reports) >= 0


def test_values_are_stored_in_two_bytes_the_low_one_first() -> None:
    assert b"".join(stored(np.array([0.0, 1.0, 0.5]))) == b"\x00\x00\xff\xff\x00\x80"
