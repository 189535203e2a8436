"""A tournament as FIDE's report file, which pairing programs and rating officers read.

Source: FIDE Handbook C.04, Annex 2, Tournament Report File (TRF16): fixed columns, a line for each
player with the opponent, the side and the result of each round; a program's own lines begin with
``XX``. Light moves first and is white.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from urpi.club.tournaments.standings import standings
from urpi.club.tournaments.tournament import Format, Pairing, Tournament

_NAME: Final = 33
"""The width of a name in characters; longer ones are cut."""
_TEAM: Final = 32
"""The width of a team's name."""
_BEFORE_POINTS: Final = 80
_TYPES: Final[dict[Format, str]] = {
    "round-robin": "Individual: Round-robin",
    "swiss": "Individual: Swiss-System",
    "knockout": "Individual: Knock-out",
}


def trf_text(
    name: str,
    names: Sequence[str],
    tournament: Tournament,
    days: Sequence[str],
    teams: Sequence[str] = (),
) -> str:
    """Return the report of the rounds up to the first one in which a result is missing.

    Args:
        name: The tournament's name.
        names: The names of the players.
        tournament: The tournament.
        days: When each round began, as 2026/05/01.
        teams: The names of the teams. The report then has the results of their players.
    """
    known = takewhile(lambda each: not any(one.is_open for one in each), tournament.rounds)
    done = replace(tournament, rounds=tuple(known), boards=0)
    days = days[: len(done.rounds)]
    lines = [f"012 {name}"]
    if days:
        lines += [f"042 {days[0]}", f"052 {days[-1]}"]
    kind = _TYPES[done.format]
    if teams:
        kind = kind.replace("Individual", "Team")
    lines += [f"062 {len(names)}", *([f"122 {len(teams)}"] if teams else []), f"092 {kind}"]
    # Without the line 132 of all days, whose columns not all programs read alike.
    for each in sorted(standings(done), key=lambda each: each.player):
        player = f"001 {each.player + 1:4}      {names[each.player][:_NAME]:{_NAME}}"
        rounds = "".join(f"  {_entry(done, pairings, each.player)}" for pairings in done.rounds)
        lines.append(f"{player:{_BEFORE_POINTS}}{each.points:4.1f} {each.place:4}{rounds}")
    for number, team in enumerate(teams):
        players = (f"{player + 1:4}" for player, of in enumerate(done.teams) if of == number)
        lines.append(" ".join((f"013 {team[:_TEAM]:{_TEAM}}", *players)))
    return "\n".join([*lines, f"XXR {done.planned}", ""])


def trf_names(lines: Iterable[str]) -> list[str]:
    """Return the players' names in a report by their starting numbers, none if it is no report."""
    # A plain list of names has no line that reaches the column of the points.
    players = (line for line in lines if line.startswith("001 ") and len(line) > _BEFORE_POINTS)
    return [line[14 : 14 + _NAME] for line in sorted(players)]


def _entry(tournament: Tournament, pairings: Sequence[Pairing], player: int) -> str:
    """The opponent, the side and the result of a player in a round."""
    one = next((each for each in pairings if player in {each.light, each.dark}), None)
    opponent = None if one is None else one.opponent_of(player)
    if one is None or opponent is None:
        # Half a point on request, a point for being left over, or nothing.
        full = one is not None and one.is_full_bye and tournament.bye_points
        return f"0000 - {'U' if full else 'H' if one is not None and one.result else 'Z'}"
    won, lost = ("1", "0") if one.played else ("+", "-")
    result = "=" if one.result == "draw" else won if one.winner == player else lost
    return f"{opponent + 1:4} {'w' if player == one.light else 'b'} {result}"
