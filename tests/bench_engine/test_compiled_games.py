"""The compiled random games: equal to those of the rules, throw by throw."""

import pytest

from tests.bench_engine.compiled_games import play_throws, setup_of
from tests.bench_engine.replay import mask, play
from tests.bench_engine.trace import trace_throws
from tests.slow import mostly_slow
from urpi.core.errors import UrpiError
from urpi.rules import Side, parse_rules

THROWS = 1500


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules_text",
    mostly_slow(
        [
            "finkel",
            "finkel[pieces=3]",
            "finkel3[safe_rosettes=no]",
            "coursework",
            "coursework[zero=0]",
            "bell",
            "masters",
            "masters[pieces=5;safe_rosettes=yes]",
            "blitz",
        ],
        3,
    ),
)
def test_the_games_are_those_of_the_rules(rules_text: str) -> None:
    rules = parse_rules(rules_text)
    setup, wins = setup_of(rules), [0, 0]
    for seed in (16, 17):
        trace = trace_throws(setup, seed, THROWS)
        for number, (value, origin, after) in zip(range(THROWS), play(rules, seed), strict=False):
            where = f"throw {number} of seed {seed}"
            assert (trace.values[number], trace.origins[number]) == (value, origin), where
            masks = trace.light[number], trace.dark[number]
            assert masks == (mask(after, Side.LIGHT), mask(after, Side.DARK)), where
            assert trace.turns[number] == (2 if after.turn is None else after.turn.number), where
            winner = rules.winner(after)
            if winner is not None:
                wins[winner.number] += 1
    assert sum(wins) > 3
    assert play_throws(setup, 16, 2 * THROWS) == tuple(wins)


def test_games_on_a_path_with_two_visits_are_refused() -> None:
    with pytest.raises(UrpiError, match="murray"):
        setup_of(parse_rules("murray"))
