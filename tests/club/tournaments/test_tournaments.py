"""Tournaments of 2 to 64 players keep their promises, with seeded results."""

import random
from dataclasses import replace
from itertools import combinations, pairwise

import networkx as nx
import pytest

from tests.slow import slow_except
from urpi.club.tournaments.knockout import bracket, is_for_third_place, seeding
from urpi.club.tournaments.next_round import next_round
from urpi.club.tournaments.standings import points_of, standings, winners
from urpi.club.tournaments.tournament import (
    DEFAULT_TIE_BREAKS,
    MAX_PLAYERS,
    Format,
    Pairing,
    PairingResult,
    Tournament,
    planned_rounds,
)
from urpi.core.errors import UrpiError

SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64)


def begin(form: Format, players: int, rounds: int | None = None) -> Tournament:
    planned = planned_rounds(form, players, rounds)
    return Tournament(form, players, planned, tie_breaks=DEFAULT_TIE_BREAKS[form])


def with_results(pairings: tuple[Pairing, ...], rng: random.Random, draws: float = 0.1):
    def result() -> PairingResult:
        return "draw" if rng.random() < draws else rng.choice(["light", "dark"])

    return tuple(replace(one, result=result()) if one.is_open else one for one in pairings)


def play_round(tournament: Tournament, rng: random.Random, draws: float = 0.1) -> Tournament:
    pairings = with_results(next_round(tournament), rng, draws)
    return replace(tournament, rounds=(*tournament.rounds, pairings))


def play(tournament: Tournament, seed: int, draws: float = 0.1) -> Tournament:
    rng = random.Random(seed)
    while not tournament.is_over:
        tournament = play_round(tournament, rng, draws)
    return tournament


def pairs_of(tournament: Tournament) -> list[frozenset[int]]:
    return [
        frozenset((one.light, one.dark))
        for pairings in tournament.rounds
        for one in pairings
        if one.dark is not None
    ]


def check_rounds(tournament: Tournament) -> None:
    """Every player has one pairing in each round, and at most one bye more than another one."""
    for pairings in tournament.rounds:
        listed = [player for one in pairings for player in (one.light, one.dark)]
        present = [player for player in listed if player is not None]
        assert sorted(present) == list(range(tournament.players))
        assert listed.count(None) == tournament.players % 2


@pytest.mark.parametrize("players", slow_except(SIZES, 2, 3, 5, 8, 16, 33))
def test_in_a_round_robin_everyone_meets_everyone_once_with_balanced_sides(players: int) -> None:
    done = play(begin("round-robin", players), seed=players)
    check_rounds(done)
    expected = {frozenset(pair) for pair in combinations(range(players), 2)}
    assert len(pairs_of(done)) == len(expected)
    assert set(pairs_of(done)) == expected
    assert max(abs(done.side_balance(player)) for player in range(players)) <= 1


# The pairings of a large tournament take seconds.
@pytest.mark.parametrize(
    ("players", "seed"),
    slow_except(
        [(size, seed) for size in SIZES for seed in range(3 if size < 31 else 1)],
        *((size, 0) for size in (2, 3, 5, 8, 16, 31)),
    ),
)
def test_in_a_swiss_nobody_meets_twice_or_has_two_byes(players: int, seed: int) -> None:
    most = (players + 1) // 2
    done = play(begin("swiss", players, min(most, 9)), seed=1000 * seed + players)
    check_rounds(done)
    assert len(set(pairs_of(done))) == len(pairs_of(done)), seed
    byes = [one.light for pairings in done.rounds for one in pairings if one.dark is None]
    assert len(set(byes)) == len(byes), seed
    assert max(abs(done.side_balance(player)) for player in range(players)) <= 2, seed


@pytest.mark.parametrize("seed", slow_except(range(5), 0))
def test_a_swiss_round_pairs_equal_points_where_possible(seed: int) -> None:
    """Without draws and repeated pairings in the way, at most one player floats between groups."""
    tournament = begin("swiss", 32)
    rng = random.Random(seed)
    for number in range(3):
        points = {player: points_of(tournament, player) for player in range(32)}
        pairings = next_round(tournament)
        assert all(points[one.light] == points[one.dark or 0] for one in pairings), (seed, number)
        played = with_results(pairings, rng, draws=0)
        tournament = replace(tournament, rounds=(*tournament.rounds, played))


def test_the_bye_goes_to_the_last_one_who_has_missed_no_round() -> None:
    """The same pairings as of bbpPairings, an independent program, in its test dutch_2025_C9."""
    first = (Pairing(0, 2, "light"), Pairing(3, 1, "dark"))
    found = next_round(Tournament("swiss", 5, 3, rounds=(first,)))
    assert {(one.light, one.dark) for one in found} == {(1, 0), (2, 4), (3, None)}


@pytest.mark.parametrize(
    ("players", "seed"), slow_except([(20, 1), (33, 2), (9, 3), (16, 4)], (9, 3))
)
def test_in_a_swiss_nobody_is_on_one_side_three_times_in_a_row(players: int, seed: int) -> None:
    done = play(begin("swiss", players, min(7, (players + 1) // 2)), seed)
    for player in range(players):
        sides = [one.light == player for one in done.pairings_of(player) if one.is_game]
        assert abs(done.side_balance(player)) <= 2
        assert not any(len(set(sides[at : at + 3])) == 1 for at in range(len(sides) - 2)), player


def test_the_first_swiss_round_pairs_the_halves_and_the_last_player_has_the_bye() -> None:
    found = next_round(begin("swiss", 9))
    pairs = [{one.light, one.dark} for one in found]
    assert pairs == [{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, None}]


def can_be_paired(tournament: Tournament, players: set[int]) -> bool:
    """Whether these players can all be paired without a repeated pairing."""
    graph = nx.Graph()
    graph.add_nodes_from(players)
    met = set(pairs_of(tournament))
    graph.add_edges_from(p for p in combinations(players, 2) if frozenset(p) not in met)
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(players)


@pytest.mark.parametrize(
    ("players", "seed"),
    slow_except(
        [(size, seed) for size in (5, 7, 9, 11, 15, 21) for seed in range(8 if size < 15 else 3)],
        *((size, seed) for size in (5, 7, 9, 11) for seed in (0, 1)),
        (21, 0),
    ),
)
def test_the_bye_goes_to_the_lowest_points_for_which_no_pairing_is_repeated(
    players: int, seed: int
) -> None:
    rng = random.Random(seed)
    tournament = begin("swiss", players, (players + 1) // 2)
    byes: set[int] = set()
    while not tournament.is_over:
        points = {player: points_of(tournament, player) for player in range(players)}
        (bye,) = (one.light for one in next_round(tournament) if one.dark is None)
        possible = [
            points[player]
            for player in set(range(players)) - byes
            if can_be_paired(tournament, set(range(players)) - {player})
        ]
        assert points[bye] == min(possible), (seed, len(tournament.rounds))
        byes.add(bye)
        tournament = play_round(tournament, rng, draws=0.4)


def test_two_leaders_who_were_light_twice_do_not_meet() -> None:
    """One of them would have been light three times."""
    rounds = (
        (Pairing(0, 2, "light"), Pairing(1, 3, "light"), Pairing(4, 5, "light")),
        (Pairing(0, 4, "light"), Pairing(1, 5, "light"), Pairing(2, 3, "light")),
    )
    tournament = Tournament("swiss", 6, 3, rounds)
    pairings = next_round(tournament)
    assert {0, 1} not in [{one.light, one.dark} for one in pairings]
    done = replace(tournament, rounds=(*rounds, pairings))
    assert max(abs(done.side_balance(player)) for player in range(6)) <= 2


def test_a_swiss_with_the_most_rounds_of_a_small_club_always_has_a_next_round() -> None:
    for players in range(2, 17):
        for seed in range(4):
            done = play(begin("swiss", players, (players + 1) // 2), seed=seed, draws=0.3)
            assert len(set(pairs_of(done))) == len(pairs_of(done)), (players, seed)


def test_a_pairing_without_a_game_may_be_repeated_and_counts_for_no_side() -> None:
    forfeit = Pairing(0, 1, "light", played=False)
    rounds = ((forfeit, Pairing(2, 3, "light")), (Pairing(2, 0, "light"), Pairing(3, 1, "light")))
    tournament = Tournament("swiss", 4, 3, rounds)
    assert tournament.side_balance(0) == -1
    tournament = replace(tournament, withdrawn=frozenset({2, 3}))
    (again,) = next_round(tournament)
    assert (again.light, again.dark) in {(0, 1), (1, 0)}
    three = replace(tournament, withdrawn=frozenset({2}))
    met = frozenset((3, 1))
    assert met not in {frozenset((one.light, one.dark)) for one in next_round(three)}


def test_the_winner_without_a_game_has_no_bye_later() -> None:
    rounds = (
        (Pairing(0, 1, "light"), Pairing(2, 3, "light", played=False), Pairing(4, None)),
        (Pairing(0, 2, "light"), Pairing(4, 1, "dark"), Pairing(3, None)),
    )
    tournament = Tournament("swiss", 5, 3, rounds)
    (bye,) = (one.light for one in next_round(tournament) if one.dark is None)
    # All but 0, who has more points, have had a point without a game.
    assert bye == 1


def test_after_withdrawals_a_pairing_is_repeated_only_if_it_must_be() -> None:
    tournament = play_round(begin("swiss", 8, 4), random.Random(1))
    (one, *_) = tournament.rounds[0]
    left = {one.light, one.dark}
    tournament = replace(tournament, withdrawn=frozenset(set(range(8)) - left))
    (again,) = next_round(tournament)
    assert {again.light, again.dark} == left
    three = replace(tournament, withdrawn=tournament.withdrawn - {min(tournament.withdrawn)})
    assert frozenset(left) not in {
        frozenset((pairing.light, pairing.dark)) for pairing in next_round(three)
    }


@pytest.mark.parametrize("players", slow_except(SIZES, 2, 3, 5, 8, 16, 33))
def test_a_knockout_has_one_winner_and_byes_for_the_best_seeded(players: int) -> None:
    done = play(begin("knockout", players), seed=players, draws=0)
    first = done.rounds[0]
    byes = {one.light for one in first if one.dark is None}
    assert byes == set(range((1 << done.planned) - players))
    (winner,) = bracket(done, done.planned)
    table = standings(done)
    assert table[0].player == winner
    assert [one.place for one in table].count(1) == 1
    assert len(pairs_of(done)) == players - 1
    losers = [
        one.opponent_of(one.winner)
        for pairings in done.rounds
        for one in pairings
        if one.winner is not None and one.dark is not None
    ]
    assert len(set(losers)) == len(losers) == players - 1
    assert winner not in losers


def test_the_first_two_seeds_of_a_knockout_meet_in_the_final() -> None:
    tournament = begin("knockout", 16)
    while not tournament.is_over:
        pairings = tuple(
            replace(one, result="light" if one.dark is None or one.light < one.dark else "dark")
            for one in next_round(tournament)
        )
        tournament = replace(tournament, rounds=(*tournament.rounds, pairings))
    (final,) = tournament.rounds[-1]
    assert {final.light, final.dark} == {0, 1}
    assert [one.place for one in standings(tournament)][:8] == [1, 2, 3, 3, 5, 5, 5, 5]


@pytest.mark.parametrize("players", slow_except(SIZES, 2, 3, 4, 5, 8, 16))
def test_the_losers_of_the_semi_finals_meet_for_the_third_place(players: int) -> None:
    tournament = replace(begin("knockout", players), third_place=True)
    done = play(tournament, seed=players, draws=0)
    semis = [one for pairings in done.rounds[:-1][-1:] for one in pairings]
    losers = {one.loser for one in semis if one.loser is not None}
    assert done.rounds[:-1] == play(begin("knockout", players), seed=players, draws=0).rounds[:-1]
    *_, last = done.rounds
    thirds = [one for one in last if is_for_third_place(done, done.planned - 1, one)]
    assert [{one.light, one.dark} for one in thirds] == ([losers] if len(losers) == 2 else [])
    assert winners(done) == bracket(done, done.planned)
    places = {each.player: each.place for each in standings(done)}
    assert [places[one.winner] for one in last if one.winner is not None] == [1, 3][: len(last)]
    assert [places[one.loser] for one in last if one.loser is not None] == [2, 4][: len(last)]


def test_the_third_place_is_shared_while_its_game_is_open_or_both_have_lost_it() -> None:
    tournament = replace(begin("knockout", 4), third_place=True)
    semis = tuple(replace(one, result="light") for one in next_round(tournament))
    begun = replace(tournament, rounds=(semis,))
    final, third = next_round(begun)
    for result in (None, "none"):
        last = (replace(final, result="light"), replace(third, result=result))
        shown = replace(begun, rounds=(semis, last))
        assert [each.place for each in standings(shown)] == [1, 2, 3, 3]
        assert shown.is_over == (result == "none")


def test_nobody_plays_for_the_third_place_after_a_semi_final_that_both_lost() -> None:
    tournament = replace(begin("knockout", 4), third_place=True)
    first, second = next_round(tournament)
    played = (replace(first, result="none"), replace(second, result="light"))
    (final,) = next_round(replace(tournament, rounds=(played,)))
    assert (final.light, final.dark) == (second.light, None)


def test_the_seeding_of_a_bracket_pairs_the_first_with_the_last() -> None:
    assert seeding(8) == (0, 7, 3, 4, 1, 6, 2, 5)
    assert all(a + b == 63 for a, b in list(pairwise(seeding(64)))[::2])


@pytest.mark.parametrize("form", ["round-robin", "knockout"])
def test_the_opponent_of_a_withdrawn_player_wins_without_a_game(form: Format) -> None:
    tournament = replace(begin(form, 4), withdrawn=frozenset({0}))
    (one,) = (each for each in next_round(tournament) if 0 in {each.light, each.dark})
    assert not one.played
    assert one.winner == one.opponent_of(0)


def test_a_knockout_goes_on_after_a_pairing_without_a_winner() -> None:
    tournament = begin("knockout", 4)
    first, second = next_round(tournament)
    played = (replace(first, result="none"), replace(second, result="light"))
    tournament = replace(tournament, rounds=(played,))
    (final,) = next_round(tournament)
    assert (final.light, final.dark) == (second.light, None)
    done = replace(tournament, rounds=(played, (final,)))
    assert standings(done)[0].player == second.light


def test_a_withdrawn_player_has_no_bye_in_a_knockout() -> None:
    """Seeds 1 and 2 of 6 would have byes; seed 2 has withdrawn before the first round."""
    tournament = replace(begin("knockout", 6), withdrawn=frozenset({1}))
    rng = random.Random(1)
    tournament = play_round(tournament, rng, draws=0)
    assert [one.light for one in tournament.rounds[0] if one.dark is None] == [0]
    assert all(1 not in {one.light, one.dark} for one in tournament.rounds[0])
    tournament = play_round(tournament, rng, draws=0)
    # The winner of 3 and 6 has the bye of seed 2.
    assert [one.light in {2, 5} for one in tournament.rounds[1] if one.dark is None] == [True]
    done = play_round(tournament, rng, draws=0)
    assert done.is_over
    table = {one.player: one.place for one in standings(done)}
    losers = {one.opponent_of(one.winner or 0) for one in done.rounds[0] if one.dark is not None}
    assert {table[player] for player in (*losers, 1) if player is not None} == {4}
    assert sorted(table.values()) == [1, 2, 3, 4, 4, 4]


PUBLISHED = (
    # A round robin of four players: 0 beats 1 and 2, draws with 3; 1 beats 2 and 3; 3 beats 2.
    (Pairing(0, 3, "draw"), Pairing(1, 2, "light")),
    (Pairing(3, 2, "light"), Pairing(0, 1, "light")),
    (Pairing(1, 3, "light"), Pairing(2, 0, "dark")),
)


def test_tie_breaks_by_hand() -> None:
    """The points are 2.5, 2, 0 and 1.5."""
    done = Tournament(
        "round-robin", 4, 3, PUBLISHED, tie_breaks=("buchholz", "sonneborn-berger", "wins")
    )
    found = {one.player: (one.place, one.points, *one.tie_breaks) for one in standings(done)}
    assert found == {
        0: (1, 2.5, 2 + 0 + 1.5, 2 + 0 + 0.75, 2),
        1: (2, 2.0, 2.5 + 0 + 1.5, 0 + 1.5, 2),
        3: (3, 1.5, 2.5 + 2 + 0, 1.25 + 0, 1),
        2: (4, 0.0, 2.5 + 2 + 1.5, 0, 0),
    }


def test_direct_encounter_decides_only_if_all_tied_players_have_met() -> None:
    rounds = ((Pairing(0, 1, "dark"), Pairing(2, 3, "light")),)
    both = ((*rounds[0],), (Pairing(0, 2, "light"), Pairing(1, 3, "dark")))
    tied = Tournament("swiss", 4, 2, both, tie_breaks=("direct-encounter",))
    # All four have one point, but 0 and 3 have not met.
    assert [one.place for one in standings(tied)] == [1, 1, 1, 1]
    last = (*both, (Pairing(0, 3, "light"), Pairing(1, 2, "light")))
    done = Tournament("swiss", 4, 3, last, tie_breaks=("direct-encounter",))
    assert [(one.player, one.place, one.tie_breaks) for one in standings(done)] == [
        (1, 1, (1.0,)),
        (0, 2, (0.0,)),
        (2, 3, (1.0,)),
        (3, 4, (0.0,)),
    ]


def test_direct_encounter_gives_no_points_to_tied_players_who_have_not_all_met() -> None:
    rounds = (
        (Pairing(0, 1, "light"), Pairing(2, 4, "light"), Pairing(3, 5, "light")),
        (Pairing(3, 0, "light"), Pairing(1, 4, "light"), Pairing(2, 5, "dark")),
    )
    done = Tournament("swiss", 6, 2, rounds, tie_breaks=("direct-encounter",))
    # 0, 1, 2 and 5 have a point. 0 has beaten 1, and 5 has beaten 2.
    places = {one.player: (one.place, one.tie_breaks) for one in standings(done)}
    assert {player: places[player] for player in (0, 1, 2, 5)} == dict.fromkeys(
        (0, 1, 2, 5), (2, (0.0,))
    )


def test_direct_encounter_counts_no_game_without_a_result_as_met() -> None:
    """In a round robin, the pairings of all rounds are known from the start."""
    rounds = (
        (Pairing(0, 1, "light"), Pairing(2, 3, "light")),
        (Pairing(0, 2), Pairing(1, 3, "light")),
        (Pairing(0, 3), Pairing(1, 2)),
    )
    so_far = Tournament("round-robin", 4, 3, rounds, tie_breaks=("direct-encounter",))
    # 0 has beaten 1; neither has a result with 2, who has a point too.
    assert {one.player: (one.place, one.tie_breaks) for one in standings(so_far)} == {
        **dict.fromkeys((0, 1, 2), (1, (0.0,))),
        3: (4, (0.0,)),
    }


def test_sonneborn_berger_gives_the_own_points_only_to_the_winner_without_a_game() -> None:
    rounds = (
        (Pairing(0, 1, "light", played=False), Pairing(2, 3, "light")),
        (Pairing(1, 2, "light"), Pairing(3, 0, "dark")),
    )
    done = Tournament("swiss", 4, 2, rounds, tie_breaks=("sonneborn-berger",))
    assert {one.player: (one.points, *one.tie_breaks) for one in standings(done)} == {
        0: (2.0, 2.0 + 0.0),
        1: (1.0, 0.0 + 1.0),
        2: (1.0, 0.0 + 0.0),
        3: (0.0, 0.0 + 0.0),
    }


def test_a_bye_counts_as_a_win_in_a_swiss_and_as_an_opponent_with_the_same_points() -> None:
    rounds = ((Pairing(0, 1, "light"), Pairing(2, None)),)
    done = Tournament("swiss", 3, 1, rounds, tie_breaks=("buchholz", "wins"))
    assert [(one.player, one.points, one.tie_breaks) for one in standings(done)] == [
        (2, 1.0, (1.0, 0.0)),
        (0, 1.0, (0.0, 1.0)),
        (1, 0.0, (1.0, 0.0)),
    ]


def test_a_late_player_has_no_points_for_missed_rounds_and_plays_in_the_next_one() -> None:
    """3 came after the first round, and would have the bye of the second one by points."""
    tie_breaks = ("buchholz", "sonneborn-berger", "direct-encounter")
    late = Tournament("swiss", 4, 2, ((Pairing(0, 1, "light"), Pairing(2, None)),))
    late = replace(late, tie_breaks=tie_breaks)
    table = {one.player: (one.place, one.points, *one.tie_breaks) for one in standings(late)}
    # The missed round counts as an opponent without points, as the player has none.
    assert table[3] == (4, 0.0, 0.0, 0.0, 0.0)
    five = replace(late, players=5)
    (bye,) = (one.light for one in next_round(five) if one.dark is None)
    assert bye == 1
    done = play(late, seed=1)
    check = {player for one in done.rounds[1] for player in (one.light, one.dark)}
    assert check == {0, 1, 2, 3}


def test_winners_are_known_when_all_results_are() -> None:
    tournament = begin("swiss", 4)
    while not tournament.is_over:
        assert winners(tournament) == ()
        pairings = tuple(replace(one, result="draw") for one in next_round(tournament))
        tournament = replace(tournament, rounds=(*tournament.rounds, pairings))
    assert winners(tournament) == (0, 1, 2, 3)


@pytest.mark.parametrize(("result", "expected"), [("dark", (1,)), ("none", ())])
def test_a_knockout_has_the_winner_of_its_final(
    result: PairingResult, expected: tuple[int, ...]
) -> None:
    done = Tournament("knockout", 2, 1, ((Pairing(0, 1, result),),))
    assert winners(done) == expected


@pytest.mark.parametrize(
    ("form", "players", "rounds", "expected"),
    [
        ("round-robin", 4, None, 3),
        ("round-robin", 5, None, 5),
        ("knockout", 5, None, 3),
        ("swiss", 16, None, 4),
        ("swiss", 3, None, 2),
        ("swiss", 16, 8, 8),
    ],
)
def test_rounds(form: Format, players: int, rounds: int | None, expected: int) -> None:
    assert planned_rounds(form, players, rounds) == expected


@pytest.mark.parametrize(
    ("form", "players", "rounds", "named"),
    [
        ("swiss", 1, None, "2 to 128 players; found 1"),
        ("swiss", MAX_PLAYERS + 1, None, "found 129"),
        ("swiss", 8, 5, "1 to 4 rounds"),
        ("swiss", 8, 0, "found 0"),
        ("knockout", 8, 4, "must have 3 rounds; found 4"),
    ],
)
def test_impossible_tournaments_are_rejected(
    form: Format, players: int, rounds: int | None, named: str
) -> None:
    with pytest.raises(UrpiError, match=named):
        planned_rounds(form, players, rounds)


def test_a_round_needs_the_results_before_except_in_a_round_robin() -> None:
    for form in ("swiss", "knockout"):
        tournament = begin(form, 8)
        waiting = replace(tournament, rounds=(next_round(tournament),))
        with pytest.raises(UrpiError, match="4 results of this round are missing"):
            next_round(waiting)
    open_round = begin("round-robin", 8)
    open_round = replace(open_round, rounds=(next_round(open_round),))
    assert len(next_round(open_round)) == 4


def test_no_round_begins_after_the_last_or_without_players() -> None:
    done = play(begin("swiss", 4), seed=1)
    with pytest.raises(UrpiError, match="All 2 rounds have begun"):
        next_round(done)
    with pytest.raises(UrpiError, match="Fewer than two"):
        next_round(replace(begin("swiss", 4), withdrawn=frozenset({0, 1, 2})))


def test_a_bye_of_a_round_robin_adds_nothing_to_sonneborn_berger() -> None:
    rounds = (
        (Pairing(0, 1, "light"), Pairing(2, None)),
        (Pairing(0, None), Pairing(1, 2, "light")),
        (Pairing(0, 2, "light"), Pairing(1, None)),
    )
    done = Tournament("round-robin", 3, 3, rounds, tie_breaks=("sonneborn-berger",))
    assert {one.player: (one.points, *one.tie_breaks) for one in standings(done)} == {
        0: (2.0, 1.0 + 0.0),
        1: (1.0, 0.0),
        2: (0.0, 0.0),
    }
