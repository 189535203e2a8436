"""A tournament's report (TRF), read by an independent program, and its players taken from one."""

import random
from dataclasses import replace

import pytest

from tests.club.tournaments.test_tournaments import begin, play_round
from urpi.club.server.new_tournaments import player_names
from urpi.club.tournaments.standings import standings
from urpi.club.tournaments.tournament import Format, Pairing, Tournament
from urpi.club.tournaments.trf import trf_names, trf_text

NAMES = ("Ann", "Bob", "Zoë Ågren", "Dan", "Wolfeschlegelsteinhausenbergerdorffwelch")
POINTS = {"1": 1, "+": 1, "U": 1, "=": 0.5, "H": 0.5, "0": 0, "-": 0, "Z": 0}
OPPOSITE = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+-"}


def report(tournament: Tournament) -> str:
    names = [NAMES[player] if player < 5 else f"P{player}" for player in range(tournament.players)]
    days = [f"2026/05/{number + 1:02}" for number in range(len(tournament.rounds))]
    return trf_text("Spring cup", names, tournament, days)


def test_every_value_has_its_column() -> None:
    """Those of FIDE Handbook C.04, Annex 2; rounds with missing results are left out."""
    rounds = (
        (Pairing(0, 1, "light"), Pairing(2, 3, "dark", played=False), Pairing(4, None)),
        (Pairing(3, 0, "draw"), Pairing(4, 1), Pairing(2, None, "draw")),
    )
    text = report(Tournament("swiss", 5, 3, rounds))
    players = {line[4:8]: line for line in text.splitlines() if line.startswith("001")}
    assert players["   1"][14:47].strip() == "Ann"
    assert (players["   1"][80:84], players["   1"][91:99]) == (" 1.0", "   2 w 1")
    assert players["   2"][91:] == "   1 b 0"
    assert players["   3"][91:] == "   4 w -"
    assert players["   4"][91:] == "   3 b +"
    assert players["   5"][91:] == "0000 - U"
    assert "XXR 3" in text.splitlines()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("form", "players"), [("swiss", 5), ("swiss", 12), ("round-robin", 5), ("knockout", 6)]
)
def test_another_program_reads_the_same_tournament(form: Format, players: int, seed: int) -> None:
    trf = pytest.importorskip("trf", reason="the package trf is not installed")
    rng = random.Random(seed)
    tournament = begin(form, players)
    while not tournament.is_over:
        if form == "swiss":
            absent = rng.sample(range(players), 2)
            tournament = replace(tournament, byes=frozenset(absent[:1]))
            tournament = replace(tournament, withdrawn=frozenset(absent[1:]))
        tournament = play_round(tournament, rng, 0 if form == "knockout" else 0.2)
        *others, last = tournament.rounds
        forfeit = replace(last[0], played=False, result="light")
        if form != "knockout" and last[0].dark is not None and rng.random() < 0.3:
            tournament = replace(tournament, rounds=(*others, (forfeit, *last[1:])))
    found = trf.loads(report(tournament))
    assert found.numrounds == tournament.planned, seed
    assert len(found.players) == found.numplayers == players
    by_rank = {player.startrank: player for player in found.players}
    for line in standings(tournament):
        player = by_rank[line.player + 1]
        assert (player.points, player.rank) == (line.points, line.place), seed
        assert player.points == sum(POINTS[game.result] for game in player.games), seed
        assert len(player.games) == len(tournament.rounds)
        for number, game in enumerate(player.games):
            if game.startrank:
                other = by_rank[game.startrank].games[number]
                assert other.startrank == player.startrank, seed
                assert {game.color, other.color} == {"w", "b"}
                assert other.result in OPPOSITE[game.result]


def test_the_players_of_a_report_are_taken_in_their_order() -> None:
    lines = report(begin("swiss", 5)).splitlines(keepends=True)
    lines[-2], lines[-3] = lines[-3], lines[-2]
    assert player_names(lines) == [*NAMES[:4], NAMES[4][:33]]
    assert trf_names(["001 Ann\n", "Bob\n"]) == []
    assert player_names(["001 Ann\n", "Bob\n"]) == ["001 Ann", "Bob"]
