"""A referee that has run for days uses no more memory than a new one."""

import pytest

from tests.bench_referee.memory import facts_of, fidgeting, held_kib, over_again

SOME = 5_000
NOISE_KIB = 8


@pytest.mark.slow
def test_moving_a_piece_back_and_forth_does_not_use_more_memory():
    first, *_, last = held_kib(fidgeting(), SOME)

    assert last <= first + NOISE_KIB


@pytest.mark.slow
def test_finished_games_do_not_use_memory():
    game = facts_of("finkel[pieces=3]", "clumsy", max_throws=20)
    # Five measurements, each at the end of a game.
    first, *_, last = held_kib(over_again(game), 10 * len(game))

    assert last <= first + NOISE_KIB
