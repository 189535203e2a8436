"""Operations that list a club's tournaments, and read one of them as a page or as CSV."""

import csv
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.club.server.assigned_tables import assigned_pairings
from urpi.club.server.tournaments import (
    StoredRound,
    StoredTournament,
    find_tournament,
    list_tournaments,
)
from urpi.club.tournaments.knockout import is_for_third_place
from urpi.club.tournaments.matches import game_of, is_by_hand, next_game, score
from urpi.club.tournaments.standings import standings, winners
from urpi.club.tournaments.teams import board_result, team_tournament
from urpi.club.tournaments.tournament import Pairing
from urpi.club.tournaments.trf import trf_text
from urpi.club.web.site import ClubSite, words_of
from urpi.http.operations import JSON, NotFoundError, Operation, ValidRequest
from urpi.http.responses import compressed, json_bytes, json_bytes_response
from urpi.show.words import Words

if TYPE_CHECKING:
    from psycopg import Connection

Read: TypeAlias = Callable[["Connection", ValidRequest, Words], bytes]

CSV: Final = "text/csv; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
_ONE: Final = "/api/tournaments/{tournament}"
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that spreadsheets calculate."""


def tournament_operations(site: ClubSite) -> tuple[Operation, ...]:
    return (
        _operation(site, "/api/tournaments", "The tournaments, the newest first.", _list),
        _operation(
            site,
            "/api/pairings",
            "The pairings of all tournaments that have a table and no result, by table.",
            _assigned,
        ),
        _operation(site, _ONE, "A tournament: its rounds and standings.", _tournament),
        _operation(site, f"{_ONE}/standings.csv", "The standings as CSV.", _standings_csv, CSV),
        _operation(site, f"{_ONE}/pairings.csv", "All pairings as CSV.", _pairings_csv, CSV),
        _operation(site, f"{_ONE}/report.trf", "The report for FIDE's programs.", _report, TEXT),
    )


def _operation(
    site: ClubSite, path: str, summary: str, read: Read, media_type: str = JSON
) -> Operation:
    async def handle(request: ValidRequest) -> ASGIApp:
        words = words_of(request.source)
        body = await site.games.read(lambda connection: read(connection, request, words))
        if media_type == JSON:
            return compressed(json_bytes_response(body), request.source)
        name = f"tournament-{request.numbers['tournament']}-{path.rpartition('/')[2]}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return compressed(Response(body, headers=headers, media_type=media_type), request.source)

    errors = (404, 503) if "{" in path else (503,)
    return Operation("GET", path, summary, handle, media_type=media_type, error_statuses=errors)


def stored_tournament(connection: "Connection", request: ValidRequest) -> StoredTournament:
    """The tournament whose number is in the path.

    Raises:
        NotFoundError: If there is none.
    """
    number = request.numbers["tournament"]
    found = find_tournament(connection, number)
    if found is None:
        message = f"There is no tournament {number}."
        raise NotFoundError(message)
    return found


def _list(connection: "Connection", _request: ValidRequest, words: Words) -> bytes:
    return json_bytes([about_document(found, words) for found in list_tournaments(connection)])


def _assigned(connection: "Connection", _request: ValidRequest, _words: Words) -> bytes:
    return json_bytes({"pairings": [one._asdict() for one in assigned_pairings(connection)]})


def _tournament(connection: "Connection", request: ValidRequest, words: Words) -> bytes:
    return json_bytes(tournament_document(stored_tournament(connection, request), words))


def tournament_document(found: StoredTournament, words: Words) -> dict[str, Any]:
    """A tournament with its rounds and standings."""
    entrants = team_tournament(found.state) if found.boards else found.state
    return {
        **about_document(found, words),
        "tie_breaks": found.tie_breaks,
        "rounds": [_round(found, number) for number in range(len(found.rounds))],
        "standings": [
            {
                "place": each.place,
                "name": found.entrants[each.player],
                "points": each.points,
                "tie_breaks": each.tie_breaks,
                "withdrawn": each.player in entrants.withdrawn,
                "byes": _byes(found, each.player),
            }
            for each in standings(found.state)
        ],
        # Of a tournament of teams, the players with their results on the boards.
        "board_results": [
            {
                "name": name,
                "team": found.team_names[found.teams[player]],
                "points": points,
                "games": games,
                "withdrawn": player in found.withdrawn,
                "byes": _rounds(found.byes[player]),
            }
            for player, name in enumerate(found.names if found.boards else ())
            for points, games in [board_result(found.state, player)]
        ],
    }


def _byes(found: StoredTournament, entrant: int) -> list[int]:
    """The rounds, from 1, in which a player, or none of a team, wants to play."""
    if not found.boards:
        return _rounds(found.byes[entrant])
    members = (player for player, of in enumerate(found.teams) if of == entrant)
    return _rounds(frozenset.intersection(*(found.byes[player] for player in members)))


def _rounds(indexes: frozenset[int]) -> list[int]:
    return sorted(round_ + 1 for round_ in indexes)


def about_document(found: StoredTournament, words: Words) -> dict[str, Any]:
    """A tournament without its rounds."""
    state = found.state
    return {
        "id": found.id,
        "name": found.name,
        "format": found.form,
        "rules": None if found.rules is None else words.rules(found.rules),
        "begun": len(found.rounds),
        "planned": found.planned,
        "over": state.is_over,
        "winners": [found.entrants[player] for player in winners(state)],
        "players": len(found.names),
        "games": found.games,
        "boards": found.boards,
        "teams": len(found.team_names),
        "created": found.created.isoformat(),
    }


def _round(found: StoredTournament, number: int) -> dict[str, Any]:
    each = found.rounds[number]
    return {
        "started": each.started.isoformat(),
        "teams": _team_pairings(found, number),
        "pairings": [
            {
                "light": found.names[one.light],
                "dark": None if one.dark is None else found.names[one.dark],
                "result": one.result,
                "played": one.played,
                "game": None if one.games else each.games.get((place, 0)),
                "table": each.tables.get(place),
                "third_place": is_for_third_place(found.state, number, one),
                # The game points of light and dark, and the games, of a match of several games.
                "score": score(found.state, one),
                "games": _games(found, each, place),
                # Whether a result was entered for the whole match.
                "by_hand": found.games > 1 and is_by_hand(found.state, one),
            }
            for place, one in enumerate(each.pairings)
        ],
    }


def _team_pairings(found: StoredTournament, number: int) -> list[dict[str, Any]]:
    """The pairings of the teams of a round, in the order of their boards; none without teams."""
    if not found.boards:
        return []
    state = team_tournament(found.state)
    return [
        {
            "light": found.team_names[one.light],
            "dark": None if one.dark is None else found.team_names[one.dark],
            "result": one.result,
            "score": score(state, one),
        }
        for one in state.rounds[number]
    ]


def _games(found: StoredTournament, round_: StoredRound, place: int) -> list[dict[str, Any]]:
    """The games of a match, and while it is open those to be played; none of a single game."""
    pairing = round_.pairings[place]
    if found.games == 1 or pairing.dark is None:
        return []
    played = len(pairing.games)
    if pairing.is_open:
        # The extra one of a knockout, if all others have been played.
        played = max(found.games, played + (next_game(pairing) == played))
    games = [game_of(pairing, number) for number in range(played)]
    return [
        {
            "light": found.names[one.light],
            "dark": None if one.dark is None else found.names[one.dark],
            "result": one.result,
            "played": one.played,
            "game": round_.games.get((place, number)),
        }
        for number, one in enumerate(games)
    ]


def _standings_csv(connection: "Connection", request: ValidRequest, _words: Words) -> bytes:
    found = stored_tournament(connection, request)
    entrants = team_tournament(found.state) if found.boards else found.state
    return csv_bytes(
        ["place", "name", "points", *found.tie_breaks, "withdrawn"],
        (
            [
                each.place,
                found.entrants[each.player],
                f"{each.points:g}",
                *(f"{value:g}" for value in each.tie_breaks),
                "yes" if each.player in entrants.withdrawn else "",
            ]
            for each in standings(found.state)
        ),
    )


def _pairings_csv(connection: "Connection", request: ValidRequest, _words: Words) -> bytes:
    found = stored_tournament(connection, request)
    match_columns = ["light_points", "dark_points", "games"] if found.games > 1 else []
    return csv_bytes(
        [
            *("round", "board", "light", "dark", "result", "played", "game", "table"),
            *match_columns,
            *(("light_team", "dark_team") if found.boards else ()),
        ],
        (
            [
                number,
                board,
                found.names[one.light],
                "" if one.dark is None else found.names[one.dark],
                _result(one),
                "yes" if one.is_game and one.result else "",
                " ".join(
                    str(game) for (at, _), game in sorted(each.games.items()) if at == board - 1
                ),
                each.tables.get(board - 1, ""),
                *(_match_cells(found, one) if found.games > 1 else ()),
                *(_teams(found, one) if found.boards else ()),
            ]
            for number, each in enumerate(found.rounds, 1)
            for board, one in enumerate(each.pairings, 1)
        ),
    )


def _teams(found: StoredTournament, pairing: Pairing) -> list[str]:
    """The names of the teams of light and dark."""
    players = (pairing.light, pairing.dark)
    return ["" if one is None else found.team_names[found.teams[one]] for one in players]


def _match_cells(found: StoredTournament, pairing: Pairing) -> list[str]:
    """The game points of both players, and those of light in each game."""
    points = score(found.state, pairing)
    if points is None:
        return ["", "", ""]
    games = ("-" if one.is_open else f"{one.points_of(pairing.light):g}" for one in pairing.games)
    return [*(f"{each:g}" for each in points), " ".join(games)]


def _report(connection: "Connection", request: ValidRequest, _words: Words) -> bytes:
    return report_of(stored_tournament(connection, request)).encode()


def report_of(found: StoredTournament) -> str:
    """The rounds whose results are known as a report file (TRF)."""
    days = [f"{each.started:%Y/%m/%d}" for each in found.rounds]
    return trf_text(found.name, found.names, found.state, days, found.team_names)


def _result(pairing: Pairing) -> str:
    if pairing.dark is None:
        return "bye" if pairing.is_full_bye else "half-point bye"
    return pairing.result or ""


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table as CSV (RFC 4180), with the byte order mark by which Excel detects UTF-8.

    A text that a spreadsheet would calculate begins with an apostrophe.
    """
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULAS) else cell
            for cell in row
        )
    return text.getvalue().encode("utf-8-sig")
