"""Reading the stored games of a club: lists with filters, and one game with its lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final, LiteralString

from urpi.club.server.database import read_lines
from urpi.referee.decisions import GameResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

_COLUMNS: Final = (
    "SELECT h.id, h.table_id, h.game, h.head->>'started', h.finished, h.head->>'rules',"
    " h.head->>'program',"
    " coalesce(CASE h.shared_side WHEN 'dark' THEN remote.name ELSE light.name END, ''),"
    " coalesce(CASE h.shared_side WHEN 'light' THEN remote.name ELSE dark.name END, ''),"
    " h.result, h.verdict, h.verdict_text, h.current, h.shared_table, h.shared_side,"
    " h.excluded, array_remove(CASE WHEN h.rated THEN ARRAY["
    " CASE WHEN NOT CASE h.shared_side WHEN 'dark' THEN remote.entered ELSE light.entered END"
    " THEN 'light' END,"
    " CASE WHEN NOT CASE h.shared_side WHEN 'light' THEN remote.entered ELSE dark.entered END"
    " THEN 'dark' END] ELSE '{}' END, NULL)"
    " FROM histories h"
    " LEFT JOIN shown_names light"
    " ON (light.table_id, light.key, light.side) = (h.table_id, h.key, 'light')"
    " LEFT JOIN shown_names dark"
    " ON (dark.table_id, dark.key, dark.side) = (h.table_id, h.key, 'dark')"
    # The player at another table has agreed there, or not.
    " LEFT JOIN LATERAL ("
    " SELECT name, entered FROM histories o JOIN shown_names n"
    " ON (n.table_id, n.key, n.side) = (o.table_id, o.key, o.shared_side)"
    " WHERE (o.shared_id, o.table_id) = (h.shared_id, h.shared_table)"
    " AND o.shared_side <> h.shared_side AND o.current LIMIT 1) remote ON true"
)


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A stored game.

    Attributes:
        id: The number of the history in the database, which identifies the game at the club.
        table: The table's id.
        number: The game's number in the table's journal.
        started: When it began, in the table's local time.
        finished: When it ended, None if it has not.
        rules: The RULES word.
        program: The version of the program that refereed it.
        light: The name of light, empty unless the player agrees to publish it.
        dark: The name of dark.
        result: How it ended, None if it has no end or was not examined yet.
        verdict: The verdict, None before there is one.
        verdict_text: The first difference, or the reason.
        current: Whether the table's journal contains this course of the game.
        shared_table: Of a verified game of two tables, the other one.
        shared_side: Of such a game, the side that was played at this table.
        excluded: Whether an arbiter has excluded it from the ratings.
        missing: The sides with a published name that is not entered at its table.
        lines: The lines, an empty one where one was removed; none in a list of games.
    """

    id: int
    table: str
    number: int
    started: datetime
    finished: datetime | None
    rules: str
    program: str
    light: str
    dark: str
    result: GameResult | None
    verdict: str | None
    verdict_text: str
    current: bool
    shared_table: str | None = None
    shared_side: str | None = None
    excluded: bool = False
    missing: Sequence[str] = ()
    lines: tuple[str, ...] = field(default=(), repr=False)

    @property
    def has_lines(self) -> bool:
        """Whether it was read with its lines, and the club has not removed them."""
        # The first line is never removed by its table.
        return bool(self.lines and self.lines[0])


@dataclass(frozen=True, slots=True)
class GameFilter:
    """A filter for games. An attribute that is None matches every game.

    Attributes:
        table: A table's id.
        player: The name of either side, in upper or lower case.
        rules: A rule set's id, which matches all its options.
        verdict: A verdict; ``waiting`` for ended games without one, ``running`` for the others.
        since: The first day, in the local time of this machine.
        until: The last day.
    """

    table: str | None = None
    player: str | None = None
    rules: str | None = None
    verdict: str | None = None
    since: date | None = None
    until: date | None = None

    def conditions(self) -> "Iterator[tuple[LiteralString, tuple[Any, ...]]]":
        """Yield conditions of the query with their values."""
        if self.table is not None:
            yield "h.table_id = %s", (self.table,)
        if self.player is not None:
            yield (
                "lower(%s) IN (lower(light.name), lower(dark.name), lower(remote.name))",
                (self.player,),
            )
        if self.rules is not None:
            yield "split_part(h.head->>'rules', '[', 1) = %s", (self.rules,)
        match self.verdict:
            case None:
                pass
            case "running":
                yield "h.finished IS NULL", ()
            case "waiting":
                yield "h.finished IS NOT NULL AND h.verdict IS NULL", ()
            case code:
                yield "h.verdict = %s", (code,)
        if self.since is not None:
            yield "h.started >= %s", (_midnight(self.since),)
        if self.until is not None:
            yield "h.started < %s", (_midnight(self.until + timedelta(days=1)),)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time()).astimezone()


def tournament_round(connection: "Connection", game: int) -> tuple[str, str] | None:
    """Return the tournament's name and the round, from 1, whose result a game brought, if any.

    The round of a game of a match has the number of the game after a point, such as 2.3.
    """
    return connection.execute(
        "SELECT name, (round + 1)::text FROM pairings JOIN tournaments ON id = tournament"
        " WHERE game = %s UNION ALL"
        " SELECT name, (round + 1) || '.' || (number + 1) FROM match_games"
        " JOIN tournaments ON id = tournament WHERE game = %s",
        (game, game),
    ).fetchone()


def list_games(
    connection: "Connection", chosen: GameFilter, before: int | None, limit: int
) -> list[ListedGame]:
    """Return games, the newest first: each with the course that its table's journal contains.

    Args:
        connection: The database.
        chosen: The filter.
        before: The id of the game after which the list continues, None for its beginning.
        limit: Maximum number of games.
    """
    conditions: list[LiteralString] = ["h.current"]
    values: list[Any] = []
    for condition, more in chosen.conditions():
        conditions.append(condition)
        values += more
    if before is not None:
        conditions.append(
            # Not OFFSET: games that arrive meanwhile would move those of the next page.
            "(h.started, h.id) < (SELECT started, id FROM histories WHERE id = %s LIMIT 1)"
        )
        values.append(before)
    rows = connection.execute(
        f"{_COLUMNS} WHERE {' AND '.join(conditions)} ORDER BY h.started DESC, h.id DESC LIMIT %s",
        (*values, limit),
    )
    return [_listed(row) for row in rows]


def find_game(connection: "Connection", number: int) -> ListedGame | None:
    """Return a game by its number in the database, without its lines; None if there is none."""
    row = connection.execute(f"{_COLUMNS} WHERE h.id = %s", (number,)).fetchone()
    return None if row is None else _listed(row)


def with_lines(connection: "Connection", game: ListedGame) -> ListedGame:
    return replace(game, lines=tuple(read_lines(connection, game.table, game.id)))


def table_ids(connection: "Connection", most: int) -> list[str]:
    """The ids of the tables that have sent a game."""
    rows = connection.execute("SELECT id FROM tables ORDER BY id LIMIT %s", (most,))
    return [str(table) for (table,) in rows]


def _listed(row: tuple[Any, ...]) -> ListedGame:
    number, table, game, started, finished, *others = row
    return ListedGame(
        number,
        table,
        game,
        datetime.fromisoformat(started),
        finished and datetime.fromisoformat(finished),
        *others,
    )
