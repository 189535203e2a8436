"""Pairings changed by hand, requested byes and late entries in a Swiss, with seeded results."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.club.tournaments.test_tournaments import begin, pairs_of, play_round
from urpi.club.tournaments.by_hand import paired_by_hand, repeats
from urpi.club.tournaments.next_round import next_round
from urpi.club.tournaments.standings import points_of, standings
from urpi.club.tournaments.tournament import Pairing, Tournament
from urpi.core.errors import UrpiError


def listed(pairings: tuple[Pairing, ...]) -> list[int]:
    players = [player for one in pairings for player in (one.light, one.dark)]
    return sorted(player for player in players if player is not None)


@given(
    players=st.integers(2, 12),
    seed=st.integers(0, 99),
    changes=st.lists(st.tuples(st.integers(0, 11), st.integers(-1, 11)), min_size=1, max_size=6),
    withdrawn=st.sets(st.integers(0, 11), max_size=2),
    late=st.integers(0, 2),
)
def test_after_any_changes_everyone_plays_once_or_has_a_bye(
    players: int,
    seed: int,
    changes: list[tuple[int, int]],
    withdrawn: set[int],
    late: int,
) -> None:
    """Also if players have withdrawn since the round began, or have come late."""
    tournament = play_round(begin("swiss", players), random.Random(seed))
    if not tournament.is_over:
        tournament = replace(tournament, rounds=(*tournament.rounds, next_round(tournament)))
    else:
        tournament = replace(tournament, rounds=(next_round(begin("swiss", players)),))
    gone = frozenset(withdrawn & set(range(players)))
    tournament = replace(tournament, players=players + late, withdrawn=gone)
    expected = set(range(players)) - gone
    for first, second in changes:
        light, dark = first % (players + late), None if second < 0 else second % (players + late)
        try:
            pairings = paired_by_hand(tournament, light, dark)
        except UrpiError:
            continue
        expected |= {light} if dark is None else {light, dark}
        found = listed(pairings)
        assert len(found) == len(set(found))
        assert expected <= set(found)
        requested = Pairing(light, dark, "draw" if dark is None else None)
        assert requested in pairings
        tournament = replace(tournament, rounds=(*tournament.rounds[:-1], pairings))


EVEN = (Pairing(0, 2), Pairing(3, 1))
ODD = (*EVEN, Pairing(4, None))


@pytest.mark.parametrize(
    ("before", "chosen", "after"),
    [
        (EVEN, (0, 1), {(0, 1), (2, 3)}),
        (EVEN, (2, 0), {(2, 0), (3, 1)}),
        # The bye moves to the one who is left over.
        (ODD, (0, 4), {(0, 4), (3, 1), (2, None)}),
        # The opponent of the one with a requested bye plays the one who had the bye.
        (ODD, (0, None), {(0, None), (3, 1), (2, 4)}),
        (EVEN, (0, None), {(0, None), (2, None), (3, 1)}),
    ],
)
def test_the_players_who_lose_their_opponents_are_paired_too(
    before: tuple[Pairing, ...], chosen: tuple[int, int | None], after: set[tuple[int, int | None]]
) -> None:
    found = paired_by_hand(Tournament("swiss", 5, 3, (before,)), *chosen)
    assert {(one.light, one.dark) for one in found} == after
    assert [one for one in found if one in before] == [one for one in before if one in found]


def test_a_left_over_player_who_has_withdrawn_is_not_paired() -> None:
    found = paired_by_hand(Tournament("swiss", 4, 3, (EVEN,), frozenset({2})), 0, 1)
    assert {(one.light, one.dark) for one in found} == {(0, 1), (3, None)}


@pytest.mark.parametrize(
    ("tournament", "chosen", "named"),
    [
        (Tournament("swiss", 4, 2), (0, 1), "newest round of a Swiss"),
        (Tournament("knockout", 4, 2, (EVEN,)), (0, 1), "newest round of a Swiss"),
        (Tournament("swiss", 4, 2, (EVEN,)), (1, 1), "given twice"),
        (Tournament("swiss", 4, 2, (EVEN,)), (0, 2), "the pairing already"),
        (Tournament("swiss", 4, 2, (EVEN,), frozenset({1})), (0, 1), "undo the withdrawal"),
        (Tournament("swiss", 4, 2, ((Pairing(0, 2, "dark"), EVEN[1]),)), (0, 1), "has a result"),
    ],
)
def test_impossible_changes_are_rejected(
    tournament: Tournament, chosen: tuple[int, int], named: str
) -> None:
    with pytest.raises(UrpiError, match=named):
        paired_by_hand(tournament, *chosen)


def test_players_who_would_meet_again_are_found() -> None:
    first = (Pairing(0, 2, "light"), Pairing(3, 1, "light"), Pairing(4, None))
    second = (Pairing(0, 3), Pairing(4, 2), Pairing(1, None))
    tournament = Tournament("swiss", 5, 3, (first, second))
    assert repeats(tournament, paired_by_hand(tournament, 0, 2)) == [Pairing(0, 2)]
    assert repeats(tournament, paired_by_hand(tournament, 1, 2)) == [Pairing(4, None)]
    assert not repeats(tournament, paired_by_hand(tournament, 0, 1))
    # One that the round had before, because no other was possible, is no new one.
    third = (Pairing(0, 2), Pairing(4, 1), Pairing(3, None))
    again = replace(tournament, rounds=(first, third))
    assert not repeats(again, paired_by_hand(again, 4, 3))
    # A bye with half a point is asked for, and no reason against the other bye (FIDE C.04.1).
    assert not repeats(tournament, paired_by_hand(tournament, 4, None))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", [6, 7, 12])
def test_a_player_with_a_requested_bye_has_half_a_point_and_the_others_play(
    players: int, seed: int
) -> None:
    rng = random.Random(seed)
    tournament = begin("swiss", players)
    while not tournament.is_over:
        absent = frozenset(rng.sample(range(players), rng.randrange(3)))
        before = [points_of(tournament, player) for player in range(players)]
        tournament = play_round(replace(tournament, byes=absent), rng)
        last = tournament.rounds[-1]
        assert listed(last) == list(range(players)), seed
        assert {one.light for one in last if one.dark is None and one.result} == absent
        assert sum(one.is_full_bye for one in last) == (players - len(absent)) % 2
        for player in absent:
            assert points_of(tournament, player) == before[player] + 0.5
    assert len(set(pairs_of(tournament))) == len(pairs_of(tournament)), seed


def test_a_requested_bye_is_a_draw_with_an_opponent_with_the_own_points() -> None:
    """By FIDE Handbook C.07, article 16.4, and no won game."""
    rounds = (
        (Pairing(0, 1, "light"), Pairing(2, None, "draw")),
        (Pairing(2, 0, "light"), Pairing(1, None)),
    )
    done = Tournament("swiss", 3, 2, rounds, tie_breaks=("buchholz", "sonneborn-berger", "wins"))
    assert {one.player: (one.points, *one.tie_breaks) for one in standings(done)} == {
        2: (1.5, 1.0 + 1.5, 1.0 + 0.75, 1.0),
        0: (1.0, 1.0 + 1.5, 1.0, 1.0),
        1: (1.0, 1.0 + 1.0, 0.0 + 1.0, 0.0),
    }


def test_no_round_begins_if_all_others_have_a_bye() -> None:
    with pytest.raises(UrpiError, match="Fewer than two players are left"):
        next_round(replace(begin("swiss", 3), byes=frozenset({0, 2})))


def test_the_bye_goes_to_one_who_had_half_a_point_without_a_game_before_one_who_had_a_point() -> (
    None
):
    rounds = ((Pairing(0, 1, "light"), Pairing(2, 3, "light"), Pairing(4, None)),)
    rounds = (*rounds, (Pairing(0, 2, "light"), Pairing(4, 1, "dark"), Pairing(3, None, "draw")))
    (bye,) = (one.light for one in next_round(Tournament("swiss", 5, 3, rounds)) if one.is_full_bye)
    assert bye == 3
