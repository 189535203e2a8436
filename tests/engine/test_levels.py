"""The levels: how often a worse move is chosen."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.slow import slow_except
from urpi.engine.evaluator import MoveValue, move_values
from urpi.engine.levels import LEVELS, TEMPERATURES, drawn, level_move
from urpi.engine.network_file import network
from urpi.rules import PASS, RULE_SETS, Position, Side, Throw, parse_move, rule_set

VALUES = [
    MoveValue(parse_move(text), value)
    for text, value in (("A1-B1", 0.6), ("A2-A1", 0.55), ("+A4", 0.5))
]


def shares(temperature: float) -> dict[str, float]:
    """Return how often each move is drawn with evenly spread numbers."""
    found = [drawn(VALUES, temperature, (n + 0.5) / 10_000).text for n in range(10_000)]
    return {each.move.text: found.count(each.move.text) / 10_000 for each in VALUES}


def test_the_probability_of_a_move_falls_with_its_loss() -> None:
    found = shares(0.05)
    assert found["A2-A1"] / found["A1-B1"] == pytest.approx(2.718281828**-1, rel=0.01)
    assert found["+A4"] / found["A1-B1"] == pytest.approx(2.718281828**-2, rel=0.05)


def test_a_low_temperature_leaves_the_best_move() -> None:
    assert shares(0.001) == {"A1-B1": 1, "A2-A1": 0, "+A4": 0}


def test_a_high_temperature_makes_all_moves_alike() -> None:
    assert list(shares(1000).values()) == pytest.approx([1 / 3] * 3, abs=0.001)


def test_a_negative_temperature_prefers_moves_that_lose_more() -> None:
    found = shares(-0.05)
    assert found["A2-A1"] / found["A1-B1"] == pytest.approx(2.718281828, rel=0.01)
    assert found["+A4"] / found["A1-B1"] == pytest.approx(2.718281828**2, rel=0.05)


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_a_stronger_level_prefers_the_best_moves_more(name: str) -> None:
    found = TEMPERATURES[name]
    assert list(found) == list(LEVELS[:-1])
    # The exponent of a loss: negative for a level that prefers moves that lose more.
    steepness = [1 / each for each in found.values()]
    assert steepness == sorted(set(steepness))


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_every_level_chooses_legal_moves(name: str) -> None:
    rules = rule_set(name)
    rng = Random(f"levels of {name}")
    position = rules.start(Side.LIGHT)
    for number in range(20):
        if position.turn is None:
            break
        throw = rules.dice.roll(rng.random())
        level = LEVELS[number % 5]
        move = level_move(level, network(rules), position, throw, rng.random())
        assert move in (rules.legal_moves(position, throw) or (PASS,))
        position = rules.play(position, throw, move)


def some_throws(name: str, number: int) -> Iterator[tuple[Position, Throw]]:
    """Throws of games of random moves with at least two legal moves, where much can be lost."""
    rules, rng = rule_set(name), Random(f"throws of {name}")
    while number > 0:
        position = rules.start(rng.choice(list(Side)))
        for _ in range(200):
            if position.turn is None:
                break
            throw = rules.dice.roll(rng.random())
            legal = rules.legal_moves(position, throw) or (PASS,)
            if len(legal) > 1 and rng.random() < 0.1:
                number -= 1
                yield position, throw
            position = rules.play(position, throw, rng.choice(legal))


@pytest.mark.parametrize("name", slow_except(RULE_SETS, "bell"))
def test_no_level_gives_away_more_than_15_points(name: str) -> None:
    evaluator, rng = network(rule_set(name)), Random(f"losses of {name}")
    for position, throw in some_throws(name, 60):
        values = {each.move: each.value for each in move_values(evaluator, position, throw)}
        best = max(values.values())
        for level in LEVELS[:-1]:
            # The last of all numbers draws the worst of all possible moves.
            for chance in (rng.random(), 1 - 2**-53):
                move = level_move(level, evaluator, position, throw, chance)
                assert best - values[move] <= 0.15, (str(position), throw.faces, level)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=9),
    st.floats(1e-4, 1e4) | st.floats(-1e4, -1e-3),
    st.floats(0, 1, exclude_max=True),
)
@example([0.9, 0.76, 0.74], 1000, 0.99)
def test_a_move_that_gives_away_more_is_never_drawn(
    values: list[float], temperature: float, chance: float
) -> None:
    moves = [parse_move(f"B{number}-off") for number in range(1, 9)] + [PASS]
    ordered = sorted(values, reverse=True)
    found = [MoveValue(move, value) for move, value in zip(moves, ordered, strict=False)]
    drawn_move = drawn(found, temperature, chance)
    value = next(each.value for each in found if each.move == drawn_move)
    assert ordered[0] - value <= 0.15


def test_the_best_level_plays_the_best_move() -> None:
    rules = rule_set("freecompany")
    position, throw = rules.start(Side.DARK), rules.dice.throw("gs")
    best = move_values(network(rules), position, throw)[0].move
    assert level_move("best", network(rules), position, throw, 0.99) == best
