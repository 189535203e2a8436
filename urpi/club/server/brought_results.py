"""Results that verified games bring to the pairings of tournaments."""

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from urpi.club.server.players import identity
from urpi.club.server.tournaments import existing, store_match_game
from urpi.club.tournaments.matches import next_game, with_game
from urpi.club.tournaments.tournament import Pairing

if TYPE_CHECKING:
    from psycopg import Connection

SLOW: Final = timedelta(minutes=15)
"""How slow a table's clock may be without losing the results of its tournament."""


def apply_game(connection: "Connection", table: str, history: int) -> None:
    """Store the result of a verified and rated game in the pairings that wait for it.

    A pairing waits for the first such game of its two players that reached the club after its round
    had begun, and that began after it or at most `SLOW` before by the clock of its table; a match
    waits for further ones until it is decided. If they played with exchanged sides, the pairing has
    the sides of the (first) game. A draw is no result of a knockout with one game, where the next
    game counts. A game of two tables brings its result with the second of
    its copies, or with a resignation or a claim that counts alone.
    """
    row = connection.execute(
        "SELECT c.id, least(c.started + %s, g.received), split_part(c.head->>'rules', '[', 1),"
        " c.result, light, dark"
        " FROM counted_games c JOIN histories g ON (g.table_id, g.id) = (c.table_id, c.id)"
        " WHERE c.rated AND light IS NOT NULL AND dark IS NOT NULL AND (c.table_id, c.id) = ("
        # The copy of a game of two tables that is counted.
        " SELECT coalesce(other.table_id, h.table_id), coalesce(other.id, h.id) FROM histories h"
        " LEFT JOIN histories other"
        " ON (other.shared_id, other.table_id) = (h.shared_id, h.shared_table)"
        " AND other.current AND other.rated"
        " AND (other.shared_side = 'light' AND other.result = h.result"
        " OR h.verdict = 'contested' AND other.claim = 'confirmed')"
        " WHERE (h.table_id, h.id) = (%s, %s))",
        (SLOW, table, history),
    ).fetchone()
    if row is None:
        return
    game, latest, rules, result, *names = row
    light, dark = map(identity, names)
    waiting = connection.execute(
        "SELECT p.tournament, p.round, p.board, p.light, p.dark, t.games, a.name, b.name"
        " FROM pairings p"
        " JOIN tournaments t ON t.id = p.tournament"
        " JOIN tournament_rounds r ON (r.tournament, r.round) = (p.tournament, p.round)"
        " JOIN tournament_players a ON (a.tournament, a.number) = (p.tournament, p.light)"
        " JOIN tournament_players b ON (b.tournament, b.number) = (p.tournament, p.dark)"
        " WHERE p.result IS NULL AND r.started <= %s AND (t.rules IS NULL OR t.rules = %s)"
        " AND NOT (t.format = 'knockout' AND t.games = 1 AND %s = 'draw')"
        " FOR UPDATE OF p",
        (latest, rules, result),
    ).fetchall()
    for tournament, index, board, first, second, games, *paired in waiting:
        match tuple(map(identity, paired)):
            case (a, b) if (a, b) == (light, dark):
                sides = first, second
            case (a, b) if (a, b) == (dark, light):
                sides = second, first
            case _:
                continue
        place = (tournament, index, board)
        if games > 1:
            if _is_of_match(connection, place, game):
                continue
            _add_to_match(connection, place, Pairing(*sides, result), game)
        else:
            connection.execute(
                "UPDATE pairings SET light = %s, dark = %s, result = %s, game = %s"
                " WHERE (tournament, round, board) = (%s, %s, %s)",
                (*sides, result, game, *place),
            )
        # The tournament's arbiter has entered both names. What a table withdraws now is left out.
        connection.execute(
            "UPDATE names SET paired = true WHERE (table_id, key, side) IN ("
            " SELECT n.table_id, n.key, n.side FROM histories g"
            " LEFT JOIN histories o ON (o.shared_id, o.table_id) = (g.shared_id, g.shared_table)"
            " AND o.current AND o.rated"
            " JOIN names n ON (n.table_id, n.key) IN ((g.table_id, g.key),"
            " (g.shared_table, coalesce(o.key, g.claim_key)))"
            " WHERE g.id = %s AND (g.shared_side IS NULL"
            " OR (n.side = g.shared_side) = (n.table_id = g.table_id))"
            " FOR NO KEY UPDATE OF n SKIP LOCKED)",
            (game,),
        )


def _is_of_match(connection: "Connection", place: tuple[int, int, int], game: int) -> bool:
    """Whether a match has a game already, as when another course of it is verified later."""
    return (
        connection.execute(
            "SELECT FROM match_games m JOIN histories h ON h.id = m.game"
            " JOIN histories g ON (g.table_id, g.key) = (h.table_id, h.key)"
            " OR g.shared_id = h.shared_id"
            " WHERE g.id = %s AND (m.tournament, m.round, m.board) = (%s, %s, %s)",
            (game, *place),
        ).fetchone()
        is not None
    )


def _add_to_match(
    connection: "Connection", place: tuple[int, int, int], played: Pairing, game: int
) -> None:
    """Store the next game of a match, and the result that follows."""
    tournament, index, board = place
    found = existing(connection, tournament)
    match = found.rounds[index].pairings[board]
    if not match.games:
        match = replace(match, light=played.light, dark=played.dark)
    number = next_game(match)
    match = with_game(found.state, match, number, played)
    store_match_game(connection, (*place, number), played, game)
    connection.execute(
        "UPDATE pairings SET light = %s, dark = %s, result = %s, played = %s"
        " WHERE (tournament, round, board) = (%s, %s, %s)",
        (match.light, match.dark, match.result, match.played, *place),
    )
