"""Pairings of a stored tournament that an arbiter changes by hand before their games begin."""

from typing import TYPE_CHECKING

from urpi.club.server.entered_results import ReasonError
from urpi.club.server.players import identity
from urpi.club.server.tournament_players import player_number
from urpi.club.server.tournaments import StoredTournament, existing, locked, store_pairings
from urpi.club.tournaments.by_hand import paired_by_hand, repeats
from urpi.club.tournaments.tournament import Pairing
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from psycopg import Connection


class RepeatedError(UrpiError):
    """Players would meet again, or one would have another bye."""


def change_pairing(  # noqa: PLR0913 - what an arbiter decides
    connection: "Connection",
    number: int,
    light: str,
    dark: str | None,
    *,
    reason: str,
    user: str = "",
    again: bool = False,
    known: int | None = None,
) -> StoredTournament:
    """Pair players of the newest round by hand, log it, and return the tournament.

    Args:
        connection: The database.
        number: The tournament.
        light: The name of light's player.
        dark: The name of dark's player; None gives the first one a bye with half a point.
        reason: The reason.
        user: The arbiter's name, empty for the command line.
        again: Whether players may meet again, or have another bye.
        known: The number of rounds that the arbiter saw; None for as many as there are.

    Raises:
        NoPlayerError: If the tournament has no such player.
        ReasonError: If there is no reason.
        RepeatedError: If players would meet again without `again`.
        UrpiError: As `paired_by_hand`, or if another round is the newest one now, or a game of one
            of the pairings has begun.
    """
    if not reason.strip():
        message = "A pairing is changed with a reason only; enter one."
        raise ReasonError(message)
    with connection.transaction():
        # A result that is just being stored comes first.
        connection.execute("SELECT 1 FROM pairings WHERE tournament = %s FOR UPDATE", (number,))
        found = locked(connection, number)
        if known not in {None, len(found.rounds)}:
            message = f"The newest round is {len(found.rounds)} now; choose the players again."
            raise UrpiError(message)
        places = (player_number(found, light), None if dark is None else player_number(found, dark))
        pairings = paired_by_hand(found.state, *places)
        if not again and (known_ones := repeats(found.state, pairings)):
            message = f"Already played, or had a bye: {_text(found, known_ones)}."
            raise RepeatedError(message)
        _replace_round(connection, found, pairings, user, reason)
        return existing(connection, number)


def _replace_round(
    connection: "Connection",
    found: StoredTournament,
    pairings: tuple[Pairing, ...],
    user: str,
    reason: str,
) -> None:
    last, index = found.rounds[-1], len(found.rounds) - 1
    before = [each for each in last.pairings if each not in pairings]
    if begun := _begun(connection, found, before):
        message = f"The game has begun: {_text(found, [begun])}. End it first."
        raise UrpiError(message)
    after = [each for each in pairings if each not in last.pairings]
    place = (found.id, index)
    connection.execute("DELETE FROM pairings WHERE (tournament, round) = (%s, %s)", place)
    # Who meets anew has no table yet.
    kept = {
        one.light: (
            {index: game for (at, index), game in last.games.items() if at == board},
            last.tables.get(board),
        )
        for board, one in enumerate(last.pairings)
        if one in pairings
    }
    store_pairings(connection, place, pairings, kept)
    from psycopg.types.json import Jsonb  # noqa: PLC0415 - an extra

    numbers = [[[each.light, each.dark] for each in some] for some in (before, after)]
    connection.execute(
        "INSERT INTO entered_results (tournament, round, board, user_name, reason, pairings)"
        " VALUES (%s, %s, 0, %s, %s, %s)",
        (*place, user, reason, Jsonb(numbers)),
    )


def _begun(
    connection: "Connection", found: StoredTournament, pairings: "Iterable[Pairing]"
) -> Pairing | None:
    """The first of some pairings whose players are in a game with their published names."""
    rows = connection.execute(
        "SELECT array_agg(n.name) FROM histories h JOIN shown_names n USING (table_id, key)"
        " WHERE h.current AND h.verdict IS NULL AND h.received >= %s"
        " GROUP BY coalesce(h.shared_id, h.table_id || ' ' || h.key)",
        (found.rounds[-1].started,),
    )
    playing = [set(map(identity, names)) for (names,) in rows]
    for each in pairings:
        if each.dark is not None:
            pair = {identity(found.names[player]) for player in (each.light, each.dark)}
            if any(pair <= names for names in playing):
                return each
    return None


def _text(found: StoredTournament, pairings: "Iterable[Pairing]") -> str:
    return ", ".join(
        " - ".join(found.names[player] for player in (each.light, each.dark) if player is not None)
        for each in pairings
    )
