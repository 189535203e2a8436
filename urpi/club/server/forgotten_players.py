"""Forgets a player: a name is deleted, or replaced, wherever the club has stored it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from urpi.club.server.entered_names import forget_name
from urpi.club.server.players import identity
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection

_GONE: Final = "…"
"""What a text has in place of the name."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What had the name.

    Attributes:
        sides: the number of sides of games.
        tables: the tables that sent it, which would send it with their next games.
        tournaments: the numbers of the tournaments, in which the player has another name now.
    """

    sides: int
    tables: tuple[str, ...]
    tournaments: tuple[int, ...]


def forget_player(connection: "Connection", name: str) -> Forgotten:
    """Delete a name from all games, and replace it in tournaments and in what arbiters wrote.

    The games remain, as do their places in tournaments.

    Args:
        connection: The database.
        name: The name, in upper or lower case.

    Raises:
        UrpiError: If the club has no player with that name. Then nothing is changed.
    """
    with connection.transaction():
        rows = connection.execute("SELECT name FROM names UNION SELECT moved FROM names").fetchall()
        spellings = [one for (one,) in rows if one and identity(one) == identity(name.strip())]
        sent = connection.execute(
            "DELETE FROM names WHERE name = ANY(%s) RETURNING table_id", (spellings,)
        ).fetchall()
        moved = connection.execute(
            "UPDATE names SET moved = NULL WHERE moved = ANY(%s)", (spellings,)
        ).rowcount
        tournaments = _replace_in_tournaments(connection, identity(name.strip()))
        entered = forget_name(connection, name.strip())
        if not (sent or moved or tournaments or entered):
            message = f"The club has stored no player {name!r}; give the name as the club shows it."
            raise UrpiError(message)
        _replace_in_texts(connection, name.strip())
        tables = tuple(sorted({str(table) for (table,) in sent}))
        return Forgotten(len(sent) + moved, tables, tournaments)


def _replace_in_tournaments(connection: "Connection", player: str) -> tuple[int, ...]:
    rows = connection.execute("SELECT tournament, number, name FROM tournament_players").fetchall()
    found = [(tournament, number) for tournament, number, name in rows if identity(name) == player]
    for tournament, number in found:
        others = {identity(name) for of, _, name in rows if of == tournament}
        new = _unused_name(number + 1, others)
        connection.execute(
            "UPDATE tournament_players SET name = %s WHERE (tournament, number) = (%s, %s)",
            (new, tournament, number),
        )
    return tuple(sorted(tournament for tournament, _ in found))


def _unused_name(number: int, others: set[str]) -> str:
    name = f"Player {number}"
    while identity(name) in others:
        name += "*"
    return name


def _replace_in_texts(connection: "Connection", name: str) -> None:
    """Replace the name in the reasons of arbiters, as a whole word."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    texts: Sequence[tuple[str, str]] = (
        (
            "SELECT id, about FROM security_log WHERE event = 'game-moved'",
            "UPDATE security_log SET about = %s WHERE id = %s",
        ),
        (
            "SELECT (tournament, id)::text, reason FROM entered_results",
            "UPDATE entered_results SET reason = %s WHERE (tournament, id)::text = %s",
        ),
    )
    for select, update in texts:
        for key, text in connection.execute(select).fetchall():
            if (new := word.sub(_GONE, text)) != text:
                connection.execute(update, (new, key))
