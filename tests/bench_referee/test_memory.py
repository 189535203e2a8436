"""A referee that runs for days holds no more than one that has just begun."""

from tests.bench_referee.memory import facts_of, fidgeting, held_kib, over_again

SOME = 5_000
NOISE_KIB = 8


def test_hands_that_fidget_leave_nothing_behind():
    first, *_, last = held_kib(fidgeting(), SOME)

    assert last <= first + NOISE_KIB


def test_a_game_leaves_nothing_behind_for_the_next():
    game = facts_of("finkel[pieces=3]", "clumsy", max_throws=20)
    # Five measurements, each at the end of a game.
    first, *_, last = held_kib(over_again(game), 10 * len(game))

    assert last <= first + NOISE_KIB
