"""The captures of the engine against itself: what counts as one, and the means of games."""

from pathlib import Path

import pytest

from tests.engine.exact.made import made_table
from tests.train.test_kernels import game
from tools.train.captures import captured_on, figures
from tools.train.exact import no_table, table_of
from tools.train.matches import NETWORK, TABLE
from urpi.engine.solver.compiled_game import game_of, state_of
from urpi.rules import rule_set

# Numba compiles the kernels first, for half a minute of processor time.
pytestmark = pytest.mark.timeout(3600)

SHARED = {"B1", "B2", "B3", "B5", "B6", "B7", "B8"}
"""The squares that both paths of `finkel` visit but B4, where pieces are safe."""


@pytest.mark.slow
def test_a_capture_is_found_where_the_rules_have_it() -> None:
    rules = rule_set("finkel")
    arrays, found = game_of(rules), []
    for position in game("finkel", 300):
        for throw, _ in rules.dice.outcomes:
            for move in rules.legal_moves(position, throw):
                after = rules.play(position, throw, move)
                if after.turn is None:
                    continue
                same = after.turn is position.turn
                square = captured_on(arrays, state_of(position), state_of(after), same)
                expected = move.parts[-1].target if "x" in move.text else -1
                assert square == expected, (position, move)
                found.append(square)
    assert len(set(found)) == 1 + len(SHARED)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "pieces"), [(TABLE, 3), (NETWORK, 7)])
def test_a_seed_repeats_the_means_of_whole_games(kind: int, pieces: int, tmp_path: Path) -> None:
    table = no_table()
    if kind == TABLE:
        table = table_of(made_table(tmp_path / "any.table", f"finkel[pieces={pieces}]"))
    found, again, other = (figures("finkel", kind, table, 200, seed) for seed in (1, 1, 2))
    assert found == again != other
    assert set(found) == {"rules", "games", "seed", "throws", "first"} | SHARED
    # The published game of seven pieces has 209.8 throws.
    assert 30 < found["throws"][0] < 300
    assert 0.3 < found["first"][0] < 0.7
    assert all(0 < error < mean for mean, error in map(found.get, SHARED))
