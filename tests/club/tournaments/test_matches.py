"""Matches of several games: results, game points and standings, also of generated tournaments."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.club.tournaments.points import POINTS
from urpi.club.tournaments.by_hand import paired_by_hand
from urpi.club.tournaments.matches import (
    game_of,
    is_by_hand,
    next_game,
    score,
    with_game,
)
from urpi.club.tournaments.next_round import next_round
from urpi.club.tournaments.standings import standings
from urpi.club.tournaments.tournament import (
    FORMATS,
    MAX_GAMES,
    Format,
    Pairing,
    PairingResult,
    Tournament,
    default_tie_breaks,
    planned_rounds,
)
from urpi.core.errors import UrpiError

RESULTS = tuple(POINTS)


def begin(form: Format, players: int, games: int) -> Tournament:
    planned = planned_rounds(form, players)
    tie_breaks = default_tie_breaks(form, games)
    return Tournament(form, players, planned, tie_breaks=tie_breaks, games=games)


def played(tournament: Tournament, match: Pairing, *results: PairingResult) -> Pairing:
    """The match after some games, whose results are by their own sides."""
    for result in results:
        number = next_game(match)
        game = replace(game_of(match, number), result=result, played=result != "none")
        match = with_game(tournament, match, number, game)
    return match


def plain_result(form: Format, games: int, points: list[tuple[float, float]]) -> str | None:
    """What follows from the points of both players in the games that have a result."""
    first, second = sum(one for one, _ in points), sum(other for _, other in points)
    missing = games - len(points) if games > len(points) else 0
    if form == "knockout":
        if first - missing > second:
            return "light"
        return "dark" if second - missing > first else None
    if missing:
        return None
    if first == second:
        return "draw" if first else "none"
    return "light" if first > second else "dark"


@given(
    st.sampled_from(FORMATS),
    st.integers(2, MAX_GAMES),
    st.lists(st.tuples(st.integers(0, 11), st.sampled_from([*RESULTS, None])), max_size=20),
)
def test_the_result_of_a_match_follows_from_its_games_in_any_order(
    form: Format, games: int, entries: list[tuple[int, PairingResult | None]]
) -> None:
    tournament = begin(form, 2, games)
    match, known = Pairing(0, 1), dict[int, tuple[float, float]]()
    for number, result in entries:
        game = replace(game_of(match, number), result=result)
        match = with_game(tournament, match, number, game)
        known.pop(number, None)
        if result is not None:
            points = POINTS[result]
            known[number] = points if game.light == 0 else (points[1], points[0])
        assert match.result == plain_result(form, games, list(known.values()))
        assert len(match.games) == max(known, default=-1) + 1
        assert not is_by_hand(tournament, match)
        assert score(tournament, match) == tuple(
            sum(each[player] for each in known.values()) for player in (0, 1)
        )
        sides = [(one.light, one.dark) for one in match.games]
        assert sides == [(n % 2, 1 - n % 2) for n in range(len(sides))]


@pytest.mark.parametrize("form", ["swiss", "round-robin"])
def test_all_games_of_a_match_are_played_for_their_points(form: Format) -> None:
    tournament = begin(form, 2, 4)
    match = played(tournament, Pairing(0, 1), "light", "dark", "light")
    assert match.is_open
    assert score(tournament, match) == (3, 0)
    done = played(tournament, match, "light")
    assert (done.result, score(tournament, done)) == ("light", (3, 1))
    level = played(tournament, Pairing(0, 1), "light", "light", "draw", "draw")
    assert (level.result, score(tournament, level)) == ("draw", (2, 2))


def test_a_knockout_match_ends_when_it_is_decided_and_goes_on_while_it_is_level() -> None:
    tournament = begin("knockout", 2, 4)
    decided = played(tournament, Pairing(0, 1), "light", "dark", "draw")
    assert (decided.result, score(tournament, decided)) == ("light", (2.5, 0.5))
    level = played(tournament, Pairing(0, 1), "light", "light", "light", "light")
    assert (level.is_open, next_game(level)) == (True, 4)
    assert game_of(level, 4) == Pairing(0, 1)
    still = played(tournament, level, "draw")
    assert (still.is_open, game_of(still, 5)) == (True, Pairing(1, 0))
    assert played(tournament, still, "light").winner == 1


def test_a_single_game_of_a_knockout_is_no_match() -> None:
    tournament = begin("knockout", 2, 1)
    assert score(tournament, Pairing(0, 1)) is None


def test_a_result_for_the_whole_match_counts_for_each_game_that_has_none() -> None:
    tournament = begin("swiss", 3, 4)
    for games, result, expected in (
        ((), "light", (4, 0)),
        ((), "draw", (2, 2)),
        ((), "none", (0, 0)),
        (("light", "light"), "dark", (1, 3)),
        (("light",), "none", (1, 0)),
    ):
        match = replace(played(tournament, Pairing(0, 1), *games), result=result)
        assert is_by_hand(tournament, match)
        assert score(tournament, match) == expected
    table = standings(replace(tournament, rounds=((Pairing(0, 1), Pairing(2, None)),)))
    assert (table[0].player, table[0].points, table[0].tie_breaks[0]) == (2, 1, 4)


def test_a_match_without_any_game_was_not_played() -> None:
    tournament = begin("swiss", 2, 2)
    match = Pairing(0, 1)
    for number in range(2):
        game = replace(game_of(match, number), result="none", played=False)
        match = with_game(tournament, match, number, game)
    assert (match.result, match.played) == ("none", False)


def test_a_match_that_has_begun_is_not_paired_by_hand() -> None:
    tournament = begin("swiss", 4, 2)
    first, second = next_round(tournament)
    begun = replace(tournament, rounds=((played(tournament, first, "light"), second),))
    with pytest.raises(UrpiError, match="has a result"):
        paired_by_hand(begun, first.light, second.light)


@pytest.mark.parametrize("form", ["swiss", "round-robin"])
@pytest.mark.parametrize("seed", range(30))
def test_generated_standings_are_those_of_a_plain_count(form: Format, seed: int) -> None:
    """With byes, withdrawn and late players, matches without a game, and results by hand."""
    rng = random.Random(seed)
    games, players = rng.randint(1, 5), rng.randint(3, 9)
    tournament = begin(form, players, games)
    points = dict.fromkeys(range(players), 0.0)
    game_points = dict.fromkeys(range(players), 0.0)
    while len(tournament.rounds) < tournament.planned and not tournament.open_pairings:
        if form == "swiss" and rng.random() < 0.3:
            points[tournament.players] = game_points[tournament.players] = 0.0
            tournament = replace(tournament, players=tournament.players + 1)
        if rng.random() < 0.2 and tournament.players - len(tournament.withdrawn) > 3:
            gone = rng.randrange(tournament.players)
            tournament = replace(tournament, withdrawn=tournament.withdrawn | {gone})
        asked = set(range(tournament.players)) - tournament.withdrawn
        if form == "swiss" and rng.random() < 0.3 and len(asked) > 3:
            tournament = replace(tournament, byes=frozenset({rng.choice(sorted(asked))}))
        done = []
        pairings = next_round(tournament)
        # Those of a tournament with one game, whose comparison with others' programs holds here.
        assert pairings == next_round(_single(tournament)), seed
        for one in pairings:
            match = one
            if one.dark is None:
                share = 0.5 if one.result else float(form == "swiss")
                counted = [(one.light, share, share * games)]
            elif not one.is_open:
                won = {"light": (1, 0), "dark": (0, 1), "none": (0, 0)}[str(one.result)]
                pair = (one.light, one.dark)
                counted = [
                    (who, share, share * games) for who, share in zip(pair, won, strict=True)
                ]
            else:
                match, counted = _random_match(tournament, one, rng)
            done.append(match)
            for who, share, more in counted:
                points[who] += share
                game_points[who] += more
        tournament = replace(tournament, rounds=(*tournament.rounds, tuple(done)), byes=frozenset())
    found = {each.player: each for each in standings(tournament)}
    assert {player: each.points for player, each in found.items()} == points, seed
    if games > 1:
        first = {player: each.tie_breaks[0] for player, each in found.items()}
        assert first == game_points, seed
    order = [(each.points, *each.tie_breaks) for each in standings(tournament)]
    assert order == sorted(order, reverse=True)


def _single(tournament: Tournament) -> Tournament:
    """The same tournament with single games that have the results of the matches."""
    rounds = tuple(tuple(replace(one, games=()) for one in each) for each in tournament.rounds)
    return replace(tournament, rounds=rounds, games=1)


def _random_match(
    tournament: Tournament, match: Pairing, rng: random.Random
) -> tuple[Pairing, list[tuple[int, float, float]]]:
    """A match with random results, and the match and game points of both players."""
    games = tournament.games
    first, second = match.light, match.dark
    assert second is not None
    by_hand = rng.random() < 0.3
    known = rng.randrange(games) if by_hand else games
    one = other = 0.0
    for number in range(known if games > 1 else 0):
        result = rng.choice(RESULTS)
        light, dark = POINTS[result]
        one, other = (one + dark, other + light) if number % 2 else (one + light, other + dark)
        match = with_game(tournament, match, number, replace(game_of(match, number), result=result))
    if games == 1 or by_hand:
        result = rng.choice(RESULTS)
        match = replace(match, result=result, played=result != "none" and rng.random() < 0.8)
        light, dark = POINTS[result]
        left = games - known if games > 1 else 1
        return match, [(first, light, one + left * light), (second, dark, other + left * dark)]
    if one == other:
        share = 0.5 if one else 0.0
        return match, [(first, share, one), (second, share, other)]
    return match, [(first, float(one > other), one), (second, float(other > one), other)]
