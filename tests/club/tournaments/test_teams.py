"""Tournaments of teams: line-ups, boards, and standings, also of generated tournaments."""

import random
from dataclasses import replace

import pytest

from tests.club.tournaments.points import POINTS
from urpi.club.tournaments.by_hand import paired_by_hand
from urpi.club.tournaments.matches import game_of, game_points, with_game
from urpi.club.tournaments.next_round import next_round
from urpi.club.tournaments.standings import standings, winners
from urpi.club.tournaments.teams import board_result, lineup, team_tournament
from urpi.club.tournaments.tournament import (
    PAIRING_RESULTS,
    Format,
    Pairing,
    PairingResult,
    Tournament,
    default_tie_breaks,
    planned_rounds,
)
from urpi.core.errors import UrpiError


def begin(form: Format, sizes: list[int], boards: int, games: int = 1) -> Tournament:
    teams = tuple(team for team, size in enumerate(sizes) for _ in range(size))
    planned = planned_rounds(form, len(sizes))
    tie_breaks = default_tie_breaks(form, boards * games)
    return Tournament(
        form,
        len(teams),
        planned,
        tie_breaks=tie_breaks,
        games=games,
        boards=boards,
        teams=teams,
    )


def with_round(tournament: Tournament, *results: PairingResult) -> Tournament:
    """Begin a round with these results of its boards."""
    pairings = next_round(tournament)
    played = tuple(
        replace(one, result=result) for one, result in zip(pairings, results, strict=True)
    )
    return replace(tournament, rounds=(*tournament.rounds, played))


def test_the_sides_alternate_from_board_to_board() -> None:
    pairings = next_round(begin("swiss", [4, 4], 4))
    (match,) = team_tournament(replace(begin("swiss", [4, 4], 4), rounds=(pairings,))).rounds[0]
    sides = [(one.light // 4, (one.dark or 0) // 4) for one in pairings]
    first, second = match.light, match.dark
    assert sides == [(first, second), (second, first)] * 2
    assert [{one.light % 4, (one.dark or 0) % 4} for one in pairings] == [{n} for n in range(4)]


def test_a_team_has_2_match_points_for_a_win_and_1_for_a_draw() -> None:
    done = with_round(begin("round-robin", [2, 2], 2), "light", "draw")
    (first, second) = standings(done)
    assert (first.points, first.tie_breaks[0]) == (2, 1.5)
    assert (second.points, second.tie_breaks[0]) == (0, 0.5)
    assert winners(done) == (first.player,)
    drawn = with_round(begin("round-robin", [2, 2], 2), "light", "light")
    assert [each.points for each in standings(drawn)] == [1, 1]
    # Nobody came to any board: both have lost.
    assert [
        each.points for each in standings(with_round(begin("swiss", [2, 2], 2), "none", "none"))
    ] == [0, 0]


def test_board_points_decide_among_equal_match_points() -> None:
    """Four teams on 3 boards: all win or lose, but by different scores."""
    tournament = begin("round-robin", [3] * 4, 3)
    pairings = next_round(tournament)
    results: list[PairingResult] = []
    for at, one in enumerate(pairings):
        # The first match is won 3 - 0, the second one 2 - 1.
        winner = min(tournament.teams[one.light], tournament.teams[one.dark or 0])
        is_light = tournament.teams[one.light] == winner
        results.append("light" if is_light != (at == 4) else "dark")
    table = standings(replace(tournament, rounds=(tuple(map(_with, pairings, results)),)))
    assert [(each.points, each.tie_breaks[0]) for each in table] == [(2, 3), (2, 2), (0, 1), (0, 0)]


def _with(pairing: Pairing, result: PairingResult) -> Pairing:
    return replace(pairing, result=result)


def test_an_absent_player_is_replaced_by_the_next_one_and_the_order_remains() -> None:
    tournament = replace(begin("swiss", [5, 3], 3), withdrawn=frozenset({1}), byes=frozenset({2}))
    assert lineup(tournament, 0) == [0, 3, 4]
    few = replace(tournament, byes=frozenset({2, 3, 6}))
    # Those who are absent lose the last boards.
    assert lineup(few, 0) == [0, 4, 1]
    assert lineup(few, 1) == [5, 7, 6]
    *_, last = next_round(few)
    assert (last.result, last.played) == ("none", False)
    first, second, last = next_round(replace(few, byes=frozenset({2, 3})))
    assert first.is_open
    assert second.is_open
    assert (last.winner, last.played) == (7, False)


def test_a_team_that_has_withdrawn_or_asks_for_a_bye_is_not_paired() -> None:
    tournament = begin("swiss", [2] * 4, 2)
    gone = replace(tournament, withdrawn=frozenset({0, 1}))
    pairings = next_round(gone)
    assert {0, 1}.isdisjoint({one.light for one in pairings} | {one.dark for one in pairings})
    assert [one.dark for one in pairings[2:]] == [None, None]
    table = {each.player: each for each in standings(replace(gone, rounds=(pairings,)))}
    bye = tournament.teams[pairings[2].light]
    assert (table[bye].points, table[bye].tie_breaks[0]) == (2, 2)
    asked = replace(tournament, byes=frozenset({0, 1}))
    pairings = next_round(asked)
    assert Pairing(0, None, "draw") in pairings
    table = {each.player: each for each in standings(replace(asked, rounds=(pairings,)))}
    assert (table[0].points, table[0].tie_breaks[0]) == (1, 1)


def test_pairings_of_teams_are_not_changed_by_hand() -> None:
    tournament = begin("swiss", [2] * 4, 2)
    begun = replace(tournament, rounds=(next_round(tournament),))
    with pytest.raises(UrpiError, match="without teams"):
        paired_by_hand(begun, 0, 2)


@pytest.mark.parametrize("form", ["swiss", "round-robin"])
@pytest.mark.parametrize("seed", range(25))
def test_generated_standings_are_those_of_a_plain_count(form: Format, seed: int) -> None:
    """With reserves, absent players, byes, boards without a game, and several games a board."""
    rng = random.Random(seed)
    boards, games = rng.randint(2, 4), rng.choice([1, 1, 2, 3])
    sizes = [boards + rng.randrange(3) for _ in range(rng.randint(3, 7))]
    tournament = begin(form, sizes, boards, games)
    match_points = dict.fromkeys(range(len(sizes)), 0.0)
    board_points = dict.fromkeys(range(len(sizes)), 0.0)
    own = dict.fromkeys(range(tournament.players), 0.0)
    while not tournament.is_over:
        absent = frozenset(player for player in range(tournament.players) if rng.random() < 0.15)
        pairings = next_round(replace(tournament, byes=absent))
        done: list[Pairing] = []
        for at in range(0, len(pairings), boards):
            totals: dict[int, float] = {}
            for one in pairings[at : at + boards]:
                board, points = _random_board(tournament, one, rng)
                done.append(board)
                for player, value in points.items():
                    team = tournament.teams[player]
                    totals[team] = totals.get(team, 0.0) + value
                    own[player] += value if one.dark is not None else 0
            for team, total in totals.items():
                board_points[team] += total
            match totals:
                case _ if pairings[at].dark is None:
                    asked = pairings[at].result is not None
                    (team,) = totals
                    match_points[team] += 1 if asked else 2 * (form == "swiss")
                case _:
                    (a, first), (b, second) = totals.items()
                    if first == second:
                        share = 1.0 if first else 0.0
                        match_points[a] += share
                        match_points[b] += share
                    else:
                        match_points[a if first > second else b] += 2
        tournament = replace(tournament, rounds=(*tournament.rounds, tuple(done)))
        assert len(done) % boards == 0
    found = {each.player: each for each in standings(tournament)}
    assert {team: each.points for team, each in found.items()} == match_points, seed
    assert {team: each.tie_breaks[0] for team, each in found.items()} == board_points, seed
    assert {player: board_result(tournament, player)[0] for player in own} == own, seed
    order = [
        (match_points[each.player], board_points[each.player]) for each in standings(tournament)
    ]
    assert order == sorted(order, reverse=True)


def _random_board(
    tournament: Tournament, one: Pairing, rng: random.Random
) -> tuple[Pairing, dict[int, float]]:
    """A board with a random result, and the points of its players."""
    if one.dark is None:
        share = 0.5 if one.result else float(tournament.format == "swiss")
        return one, {one.light: share * tournament.games}
    if not one.is_open or tournament.games == 1 or rng.random() < 0.2:
        board = one if not one.is_open else replace(one, result=rng.choice(PAIRING_RESULTS))
        light, dark = POINTS[board.result or "none"]
        return board, {one.light: light * tournament.games, one.dark: dark * tournament.games}
    board, points = one, {one.light: 0.0, one.dark: 0.0}
    for number in range(tournament.games):
        game = replace(game_of(board, number), result=rng.choice(PAIRING_RESULTS))
        board = with_game(tournament, board, number, game)
        assert game.dark is not None
        for player, value in zip(
            (game.light, game.dark), POINTS[game.result or "none"], strict=True
        ):
            points[player] += value
    assert points == {player: game_points(tournament, board, player) for player in points}
    return board, points


def test_swiss_pairings_of_teams_are_those_of_players_with_the_same_results() -> None:
    rng = random.Random(1)
    tournament = begin("swiss", [2] * 9, 2)
    while not tournament.is_over:
        teams = team_tournament(tournament)
        single = replace(
            teams,
            games=1,
            rounds=tuple(tuple(replace(one, games=()) for one in each) for each in teams.rounds),
        )
        pairings = next_round(tournament)
        after = team_tournament(replace(tournament, rounds=(*tournament.rounds, pairings)))
        expected = [(one.light, one.dark) for one in next_round(single)]
        assert [(one.light, one.dark) for one in after.rounds[-1]] == expected
        done = (_random_board(tournament, one, rng)[0] for one in pairings)
        tournament = replace(tournament, rounds=(*tournament.rounds, tuple(done)))
