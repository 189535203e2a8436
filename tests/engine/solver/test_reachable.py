"""Exact values of all positions that can be reached: equal to those one throw ahead."""

from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.bench_engine.positions import game_positions
from urpi.core.errors import UrpiError
from urpi.engine.evaluator import EvaluatorKind, expected_value
from urpi.engine.position_key import key_of
from urpi.engine.solver.compiled_game import MINE_IN_HAND, OTHERS_IN_HAND, STATE, state_of
from urpi.engine.solver.reachable import (
    STORED_AFTER,
    Moves,
    Solved,
    SweepCheckpoint,
    find,
    key_of_state,
    solve,
    state_with,
    stored,
)
from urpi.engine.solver.solving import RESIDUAL
from urpi.rules import PASS, Position, Side
from urpi.rules.notation import rule_set
from urpi.rules.race import Race

PIECES = 1


class Exact:
    """An evaluator of solved values."""

    kind: EvaluatorKind = "exact"

    def __init__(self, solved: Solved) -> None:
        self._solved = solved

    def value(self, position: Position) -> float:
        return self._solved.value(key_of(position))


def reached(rules: Race) -> set[Position]:
    """Return every position that can be reached and is not over."""
    found, new = set[Position](), [rules.start(Side.LIGHT)]
    while new:
        position = new.pop()
        if position in found or position.turn is None:
            continue
        found.add(position)
        for throw, _ in rules.dice.outcomes:
            moves = rules.legal_moves(position, throw) or (PASS,)
            new.extend(rules.play(position, throw, move) for move in moves)
    return found


def small_game(name: str) -> Race:
    """Return a game with one piece on each side, which is small enough to play every move."""
    rules = rule_set(name, {"pieces": "3"}).__class__({"pieces": "3"})
    assert isinstance(rules, Race)
    rules.pieces = PIECES
    return rules


@pytest.fixture(scope="module")
def skiryuk() -> tuple[Race, Moves]:
    rules = small_game("skiryuk")
    return rules, find(rules)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["murray", "skiryuk"])
def test_every_value_follows_from_those_after_each_throw_of_the_rules(
    name: str, tmp_path: Path
) -> None:
    rules, reports = small_game(name), list[float]()
    moves = find(rules)
    solved = solve(rules, moves, SweepCheckpoint(tmp_path, rules, moves), reports.append)
    exact = Exact(solved)
    positions = reached(rules)
    seen = {key_of(position) for position in positions}
    assert seen == set(solved.keys.tolist())
    assert solved.residual <= RESIDUAL
    assert sum(reports) == pytest.approx(len(seen))
    for position in positions:
        assert exact.value(position) == pytest.approx(expected_value(exact, position), abs=1e-11)


class InterruptedSolvingError(Exception):
    """An interrupt that a test caused."""


@pytest.mark.slow
def test_an_interrupted_computation_continues_with_its_values(
    skiryuk: tuple[Race, Moves], tmp_path: Path
) -> None:
    rules, moves = skiryuk
    reports, again = list[float](), list[float]()

    def interrupt(positions: float) -> None:
        reports.append(positions)
        if len(reports) == STORED_AFTER + 1:
            raise InterruptedSolvingError

    with pytest.raises(InterruptedSolvingError):
        solve(rules, moves, SweepCheckpoint(tmp_path, rules, moves), interrupt)
    assert [each.name.partition("-")[0] for each in tmp_path.iterdir()] == ["values"]
    solved = solve(rules, moves, SweepCheckpoint(tmp_path, rules, moves), again.append)
    reports.clear()
    (tmp_path / "new").mkdir()
    whole = solve(rules, moves, SweepCheckpoint(tmp_path / "new", rules, moves), reports.append)
    assert np.abs(solved.values - whole.values).max() < 1e-11
    assert len(again) <= len(reports) - STORED_AFTER + 1


def some_moves() -> Moves:
    """Return as much of a game's moves as a checkpoint needs."""
    return Moves(np.arange(500), *(np.zeros(0, kind) for kind in (np.int64, np.uint8, np.int32)))


def test_the_checkpoint_of_another_game_is_not_used(tmp_path: Path) -> None:
    rules, moves = small_game("skiryuk"), some_moves()
    checkpoint = SweepCheckpoint(tmp_path, rules, moves)
    checkpoint.store(np.ones(len(moves.keys)))
    assert checkpoint.load().mean() == 1
    assert SweepCheckpoint(tmp_path, small_game("murray"), moves).load().mean() == 0.5


@pytest.mark.parametrize("end", [b"", b"\xff" * 8], ids=["truncated", "not-a-number"])
def test_a_damaged_checkpoint_is_named(tmp_path: Path, end: bytes) -> None:
    moves = some_moves()
    checkpoint = SweepCheckpoint(tmp_path, small_game("skiryuk"), moves)
    checkpoint.store(np.ones(len(moves.keys)))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-8] + end)
    with pytest.raises(UrpiError, match="is damaged; remove its folder"):
        checkpoint.load()


def test_a_key_belongs_to_one_state() -> None:
    rules = rule_set("skiryuk", {"pieces": "3"})
    position = rules.start(Side.LIGHT)
    state, again = state_of(position), np.zeros(STATE, np.int64)
    state[7], state[0] = 0b011_101_001, 0b001
    state[MINE_IN_HAND], state[OTHERS_IN_HAND] = 0, 2
    state_with(key_of_state(state), 3, again)
    assert again.tolist() == state.tolist()


@pytest.mark.parametrize("name", ["murray", "skiryuk"])
def test_the_kernels_compute_the_keys_of_the_engine(name: str) -> None:
    rules, seen = rule_set(name, {"pieces": "3"}), set[int]()
    assert isinstance(rules, Race)
    for position in islice(game_positions(rules, Random(3)), 2000):
        assert key_of(position) == key_of_state(state_of(position))
        seen.add(key_of(position))
    assert len(seen) > 500


def test_stored_keys_have_six_bytes_the_high_one_first() -> None:
    assert b"".join(stored(np.array([1, 0x3FF_0000_0002]))).hex() == "00000000000103ff00000002"
