"""The lead, with which the engine plays a rule set that has no network."""

from pathlib import Path
from random import Random

import pytest

from tests.slow import mostly_slow
from urpi.engine.evaluator import move_values
from urpi.engine.lead import Lead
from urpi.engine.levels import LEVELS, UNTRAINED, level_move
from urpi.engine.network_file import FOLDER, estimator, network
from urpi.rules import PASS, RULE_SETS, Move, RuleSet, Side, parse_position, rule_set


def play(rules: RuleSet, seed: int, mine: Side) -> float:
    """Return 1 if the best move by the lead wins against random moves, 0 if not, 0.5 if drawn."""
    evaluator, rng = Lead(rules), Random(seed)
    position = rules.start(Side.LIGHT)
    for _ in range(600):
        if position.turn is None:
            break
        throw = rules.dice.roll(rng.random())
        legal = rules.legal_moves(position, throw) or (PASS,)
        move: Move = rng.choice(legal)
        if position.turn is mine:
            move = move_values(evaluator, position, throw)[0].move
        position = rules.play(position, throw, move)
    winner = rules.winner(position)
    return 0.5 if winner is None else float(winner is mine)


@pytest.mark.parametrize(
    "name", mostly_slow([n for n in RULE_SETS if RULE_SETS[n].win_code != "forts"], 3)
)
def test_it_wins_against_random_moves(name: str) -> None:
    rules = rule_set(name)
    won = sum(play(rules, seed, side) for seed in range(6) for side in Side)
    assert won > 6


def test_more_of_the_path_is_worth_more() -> None:
    values = [
        Lead(rule_set("finkel")).value(parse_position(f"finkel {board} L"))
        for board in ("- L7D7 L0D0", "A4:L L6D7 L0D0", "B8:L L6D7 L0D0", "- L6D7 L1D0")
    ]
    assert values == sorted(set(values))


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_both_sides_are_seen_alike(name: str) -> None:
    rules = rule_set(name)
    evaluator, rng = Lead(rules), Random(f"sides of {name}")
    light, dark = rules.start(Side.LIGHT), rules.start(Side.DARK)
    assert evaluator.value(light) == evaluator.value(dark)
    for number in range(60):
        if light.turn is None:
            break
        throw = rules.dice.roll(rng.random())
        move = level_move(LEVELS[number % 5], evaluator, light, throw, rng.random())
        assert move in (rules.legal_moves(light, throw) or (PASS,))
        light = rules.play(light, throw, move)


def test_it_is_used_only_without_a_network(tmp_path: Path) -> None:
    for name in RULE_SETS:
        found = estimator(rule_set(name))
        has_network = (FOLDER / f"{name}.network").exists()
        assert (found is network(rule_set(name))) if has_network else isinstance(found, Lead)
        assert isinstance(estimator(rule_set(name), tmp_path), Lead)


def test_its_levels_have_falling_temperatures() -> None:
    assert list(UNTRAINED) == list(LEVELS[:-1])
    assert list(UNTRAINED.values()) == sorted(set(UNTRAINED.values()), reverse=True)
