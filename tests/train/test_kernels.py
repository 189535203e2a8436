"""The trainer's kernels against `urpi.rules` and `urpi.engine`, and a short training."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.engine.exact.made import made_table
from tools.train.compiled_rules import expand
from tools.train.exact import exact_value, no_table, table_of
from tools.train.layouts import MAX_ROWS, inputs_of, layout_of, rows_of
from tools.train.learning import arrays_of
from tools.train.levels import scores_of, temperatures_of
from tools.train.matches import (
    DEEP,
    GREEDY,
    NETWORK,
    RANDOM,
    TABLE,
    Player,
    Score,
    choose,
    match,
    new_moves,
    own_network,
    player_of,
)
from tools.train.players import greedy_worth
from tools.train.training import Plan, Training, write_network
from urpi.core.errors import UrpiError
from urpi.engine.evaluator import deep_move_values
from urpi.engine.exact.values import ExactValues
from urpi.engine.features import Features
from urpi.engine.levels import LEVELS
from urpi.engine.network_file import network, read
from urpi.engine.solver.compiled_game import MAX_MOVES, STATE, game_of, state_of
from urpi.rules import PASS, RULE_SETS, Position, Side, parse_rules, rule_set
from urpi.simulation.behaviour import greedy

# Numba compiles the kernels first, for half a minute of processor time.
pytestmark = pytest.mark.timeout(3600)

SEED = 16


def game(name: str, throws: int) -> list[Position]:
    """Return the positions of a random game, up to a number of throws."""
    rules, rng = parse_rules(name), Random(f"{name} {SEED}")
    positions = [rules.start(rng.choice(list(Side)))]
    while len(positions) < throws and positions[-1].turn is not None:
        position = positions[-1]
        throw = rules.dice.roll(rng.random())
        legal = rules.legal_moves(position, throw) or (PASS,)
        positions.append(rules.play(position, throw, rng.choice(legal)))
    return [position for position in positions if position.turn is not None]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RULE_SETS, "freecompany[path=orthogonal]", "finkel[pieces=3]"])
def test_the_kernels_play_by_the_rules(name: str) -> None:
    rules = parse_rules(name)
    arrays = game_of(rules)
    after, scratch = np.zeros((MAX_MOVES, STATE), np.int64), np.zeros(STATE, np.int64)
    again, won = np.zeros((2, MAX_MOVES), np.bool_)
    for position in game(name, 120):
        for number, (throw, _chance) in enumerate(rules.dice.outcomes):
            count = expand(arrays, state_of(position), number, after, again, won, scratch)
            found = {
                "won" if won[n] else (tuple(after[n].tolist()), bool(again[n]))
                for n in range(count)
            }
            expected = set()
            for move in rules.legal_moves(position, throw) or (PASS,):
                new = rules.play(position, throw, move)
                same = new.turn is position.turn
                over = new.turn is None
                expected.add("won" if over else (tuple(state_of(new).tolist()), same))
            assert found == expected, (str(position), throw.faces)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(RULE_SETS))
def test_the_greedy_player_of_matches_chooses_as_the_programs(name: str) -> None:
    rules = parse_rules(name)
    for position in game(name, 60):
        state = state_of(position)
        for throw, _chance in rules.dice.outcomes:
            legal, worths = rules.legal_moves(position, throw), {}
            for move in legal:
                new = rules.play(position, throw, move)
                over = new.turn is None
                after = state if over else state_of(new)
                worths[move] = greedy_worth(state, after, new.turn is position.turn, over)
            if legal:
                chosen = greedy(Random(SEED), position, throw, legal)
                assert worths[chosen] == max(worths.values()), (str(position), throw.faces)


def player(name: str, kind: int, temperature: float = 0.0) -> Player:
    """Return a player with the network of the package."""
    return player_of(kind, arrays_of(read(own_network(name))[1]), temperature)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bell", "ravensburger"])
def test_greedy_moves_win_against_random_ones(name: str) -> None:
    score = match(name, player(name, GREEDY), player(name, RANDOM), pairs=40)
    assert score.mean - score.margin > 0.5
    assert score.stopped == 0
    score = match(name, player(name, RANDOM), player(name, RANDOM), pairs=40)
    assert abs(score.mean - 0.5) < 0.2


@pytest.mark.slow
def test_exact_moves_lose_nothing_against_the_table(tmp_path: Path) -> None:
    exact = table_of(made_table(tmp_path / "any.table", "finkel[pieces=3]"))

    def against_random(kind: int, other: int) -> Score:
        return match("finkel", player("finkel", kind), player("finkel", other), 20, exact=exact)

    assert against_random(TABLE, RANDOM).loss == 0
    assert against_random(RANDOM, TABLE).loss > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["finkel", "freecompany"])
def test_two_plies_are_those_of_the_engine(name: str) -> None:
    # Without declining extra throws, which the compiled matches do not consider.
    rules, evaluator = parse_rules(f"{name}[decline=no]"), network(rule_set(name))
    arrays, inputs = game_of(rules), inputs_of(layout_of(rules))
    for position in game(name, 40):
        for number, (throw, _chance) in enumerate(rules.dice.outcomes):
            moves, more = new_moves(), new_moves()
            state = state_of(position)
            count = expand(
                *(arrays, state, number, moves.after, moves.again, moves.won, moves.scratch)
            )
            choose(*(arrays, inputs, no_table(), player(name, DEEP), state, moves, count, more))
            expected = [each.value for each in deep_move_values(evaluator, position, throw)]
            assert sorted(moves.values[:count], reverse=True) == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_a_match_avoids_repetitions_that_lead_to_a_draw() -> None:
    score = match("freecompany", player("freecompany", NETWORK), player("freecompany", GREEDY), 20)
    assert score.mean > 0.8
    assert score.stopped < 0.2


@pytest.mark.slow
def test_levels_are_found_and_compared() -> None:
    net = player("finkel", NETWORK).net
    found = temperatures_of("finkel", net, 0.7, pairs=20, seed=SEED)
    values = list(found.values())
    assert values == sorted(values, reverse=True)
    scores = scores_of("finkel", net, found, pairs=20, seed=SEED)
    assert list(scores) == list(LEVELS)
    assert sum(score.mean for score in scores.values()) > 2.9


@pytest.mark.slow
@pytest.mark.parametrize("name", list(RULE_SETS))
def test_the_kernels_find_the_rows_of_the_engine(name: str) -> None:
    layout = layout_of(rule_set(name))
    features, inputs = Features(layout), inputs_of(layout)
    rows = np.zeros(MAX_ROWS, np.int16)
    for position in game(name, 120):
        count = rows_of(inputs, state_of(position), rows)
        assert rows[:count].tolist() == sorted_as(features.rows(position), rows[:count].tolist())
        assert (rows[count:] == -1).all()


def sorted_as(rows: list[int], other: list[int]) -> list[int]:
    """Return rows in the order of others that are the same; the order has no meaning."""
    return other if sorted(rows) == sorted(other) else rows


@pytest.mark.slow
@pytest.mark.parametrize("name", ["finkel", "masters"])
def test_exact_values_are_those_of_the_table(name: str, tmp_path: Path) -> None:
    table = made_table(tmp_path / "any.table", f"{name}[pieces=3]")
    exact, long = table_of(table), game_of(rule_set(name))
    with ExactValues(table) as opened:
        for position in game(f"{name}[pieces=3]", 120):
            state = state_of(position)
            state[22:24] += 4  # The missing pieces are off.
            assert exact_value(exact, long, state) == pytest.approx(opened.value(position))
    assert exact_value(exact, long, state_of(rule_set(name).start(Side.LIGHT))) == -1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["finkel", "freecompany"])
def test_a_short_training_learns_and_continues(name: str, tmp_path: Path) -> None:
    plan = Plan(name, "play", "", rounds=4, samples=4096, seed=SEED)
    lines: list[str] = []
    training = Training(plan, tmp_path)
    training.run(lines.append)
    assert len(lines) == 1
    header = write_network(training, tmp_path / "any.network")
    assert header.made.startswith(f"python -m tools.train {name} --mode play --rounds 4")
    again = Training(plan, tmp_path)
    assert again.round == 4
    assert (again.flat == training.flat).all()
    evaluator = read(tmp_path / "any.network")[1]
    values = [evaluator.value(position) for position in game(name, 60)]
    assert np.std(values) > 0.01


def test_a_training_begins_with_another_network(tmp_path: Path) -> None:
    base = str(own_network("finkel"))
    training = Training(Plan("finkel3", "play", "", 4, 4096, SEED, base), tmp_path)
    assert (
        training.flat == Training(Plan("finkel", "play", "", 4, 4096, 1, base), tmp_path).flat
    ).all()
    header = write_network(training, tmp_path / "any.network")
    assert "--begin finkel.network" in header.made
    with pytest.raises(UrpiError, match="has another layout"):
        Training(Plan("masters", "play", "", 4, 4096, SEED, base), tmp_path)
