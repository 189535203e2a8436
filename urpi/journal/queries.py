"""Queries: the list of games, and one game's entries and settings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from urpi.core.errors import UrpiError
from urpi.journal.clock import estimated_starts
from urpi.journal.connection import LAST_ID
from urpi.journal.corrections import (
    Correction,
    corrected_names,
    corrected_start,
    corrections_by_game,
    is_void,
    read_corrections,
)
from urpi.journal.entries import Entry
from urpi.journal.failures import DamagedError
from urpi.journal.journal import Journal
from urpi.rules import parse_rules

if TYPE_CHECKING:
    from urpi.referee.decisions import GameResult


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of a list.

    Attributes:
        id: The game's number.
        started: When it began; corrected or estimated if the machine's clock was not set then.
        program: The version of the program that refereed it.
        rules: The RULES word.
        light: The name of light, may be empty; a corrected one if there is one.
        dark: The name of dark.
        turns: Number of turns with a throw.
        result: How it ended, None if it has no end.
        finished: When it ended, None if it has not; by a clock that was not set, it is moved like
            `started`.
        table: The table where it was played, as in its setting, also before an import; None by
            default, as for an imported record.
        corrections: Its corrections in order, none by default.
        by_clock: When it began by a clock that was not set, None if `started` is what was stored.
        estimated: Whether the clock was not set, so that `started` is estimated from the games
            around it.
        ended_by_clock: When it ended by a clock that was not set, None if `finished` is what was
            stored.
        undated: Whether it was imported from a record without a day, so that `started` is the
            time of the import.
    """

    id: int
    started: datetime
    program: str
    rules: str
    light: str
    dark: str
    turns: int
    result: "GameResult | None"
    finished: datetime | None
    table: str | None = None
    corrections: tuple[Correction, ...] = ()
    by_clock: datetime | None = None
    estimated: bool = False
    ended_by_clock: datetime | None = None
    undated: bool = False

    @property
    def stored_start(self) -> datetime:
        """When it began, as it was stored."""
        return self.by_clock or self.started

    @property
    def stored_finish(self) -> datetime | None:
        """When it ended, as it was stored."""
        return self.ended_by_clock or self.finished

    @property
    def names(self) -> tuple[str, str]:
        """The names of light and dark."""
        return self.light, self.dark

    @property
    def void(self) -> bool:
        """Whether it does not count."""
        return is_void(self.corrections)


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter for games. An attribute that is None, the default, matches every game.

    By default it also matches the games of virtual tables, and those that are void.

    Attributes:
        player: The name of either side.
        rules: A rule set's id, which matches all its options, or a whole RULES word.
        since: The first day, in local time.
        until: The last day.
        virtual: Whether games of virtual tables match.
        void: Whether games that are void match.
    """

    player: str | None = None
    rules: str | None = None
    since: date | None = None
    until: date | None = None
    virtual: bool = True
    void: bool = True

    def matches(self, game: GameSummary) -> bool:
        """Whether a game passes the filter."""
        day = game.started.astimezone().date()
        if game.undated and (self.since or self.until):
            return False
        return (
            self.player in {None, game.light, game.dark}
            and self.rules in {None, game.rules, game.rules.partition("[")[0]}
            and (self.since is None or day >= self.since)
            and (self.until is None or day <= self.until)
            and (self.virtual or game.table != VIRTUAL_TABLE)
            and (self.void or not game.void)
        )


ALL_GAMES: Final = Choice()
VIRTUAL_TABLE: Final = "virtual"
"""The setting ``table`` of games on a virtual table, such as that of the demo."""


# A turn begins with the first throw of a side; further throws of that side belong to it.
# `Connection.rows` checks the types of results by the names of stored columns.
_SUMMARIES: Final = """
SELECT id, started, program, rules, light, dark,
    (SELECT count(*) FILTER (WHERE begins) FROM (
        SELECT side IS NOT lag(side) OVER (ORDER BY seq) AS begins
        FROM milestones WHERE game = id AND type = 'roll'
    )),
    (SELECT CASE type WHEN 'won' THEN side WHEN 'drawn' THEN 'draw' ELSE type END
        FROM milestones WHERE game = id AND type != 'roll' ORDER BY seq LIMIT 1
    ) AS side,
    coalesce((SELECT at FROM finished WHERE game = id), '') AS at,
    coalesce(
        (SELECT value FROM settings WHERE game = id AND name IN ('table', 'table_there')), ''
    ) AS value,
    EXISTS (SELECT 1 FROM settings WHERE game = id AND name = 'imported' AND value = started)
FROM games
"""


def list_games(journal: Journal, choice: Choice = ALL_GAMES) -> tuple[GameSummary, ...]:
    """The games that match, by default all, the newest first."""
    rows = journal.rows(f"{_SUMMARIES} ORDER BY id DESC")
    return tuple(filter(choice.matches, _summaries(journal, rows)))


_PAGE_SIZE: Final = 100
"""Number of games that `games_before` reads in one query."""


def games_before(
    journal: Journal, before: int, most: int, choice: Choice = ALL_GAMES
) -> tuple[GameSummary, ...]:
    """The newest `most` games that match, of those with a number below `before`.

    They are read a page at a time, so that a writer does not have to wait for long.
    """
    found: list[GameSummary] = []
    while len(found) < most:
        rows = journal.rows(
            f"{_SUMMARIES} WHERE id < ? ORDER BY id DESC LIMIT {_PAGE_SIZE}", before
        )
        if not rows:
            break
        found += filter(choice.matches, _summaries(journal, rows))
        before = rows[-1][0]
    return tuple(found[:most])


def find_game(journal: Journal, game: int) -> GameSummary:
    """The summary of a game.

    Raises:
        UrpiError: If the journal has no game of that number.
    """
    # SQLite would raise an OverflowError for a greater number.
    rows = journal.rows(f"{_SUMMARIES} WHERE id = ?", game) if 0 < game <= LAST_ID else []
    if not rows:
        message = f"The journal {journal.path} has no game {game}"
        for one in read_corrections(journal, game):
            message += f" any more: it was deleted at {one.at}: {one.reason}"
        raise UrpiError(f"{message}; 'urpi games list' shows them.")
    (found,) = _summaries(journal, rows)
    return found


def _summaries(journal: Journal, rows: Iterable[tuple[Any, ...]]) -> Iterator[GameSummary]:
    corrections = corrections_by_game(journal)
    starts = estimated_starts(journal, corrections)
    for row in rows:
        found = _summary(row, corrections.get(row[0], ()))
        by_clock = found.started
        if (at := corrected_start(found.corrections)) is not None:
            found = replace(found, started=_moment(at), by_clock=by_clock)
        elif found.id in starts:
            found = replace(found, started=starts[found.id], by_clock=by_clock, estimated=True)
        ended = found.finished
        # Unless the clock was set during the game.
        if ended is not None and ended < found.started:
            moved = _moved(ended, found.started - by_clock)
            found = replace(found, finished=moved, ended_by_clock=ended)
        yield found


def _summary(row: tuple[Any, ...], corrections: tuple[Correction, ...]) -> GameSummary:
    number, started, program, rules, light, dark, turns, result, finished, table, undated = row
    light, dark = corrected_names((light, dark), corrections)
    try:
        begun = _moment(started)
        ended = _moment(finished) if finished else None
    except (ValueError, OverflowError) as error:
        message = f"The journal is damaged: {error} (game {number})."
        raise DamagedError(message) from error
    return GameSummary(
        *(number, begun, program, rules, light, dark, turns, result, ended, table or None),
        corrections,
        undated=bool(undated),
    )


def _moved(at: datetime, shift: timedelta) -> datetime:
    """Return a time moved by `shift`, or unmoved if there is no such year."""
    try:
        return _moment((at + shift).isoformat())
    except (ValueError, OverflowError):
        return at


_VIRTUAL: Final = "SELECT game FROM settings WHERE name IN ('table', 'table_there') AND value = ?"


def has_virtual_games(journal: Journal) -> bool:
    """Whether the journal contains a game of a virtual table."""
    ((found,),) = journal.rows(f"SELECT EXISTS ({_VIRTUAL})", VIRTUAL_TABLE)
    return bool(found)


def has_board_games(journal: Journal) -> bool:
    boards = f"SELECT EXISTS (SELECT 1 FROM games WHERE id NOT IN ({_VIRTUAL}))"  # noqa: S608 - own text
    ((found,),) = journal.rows(boards, VIRTUAL_TABLE)
    return bool(found)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        message = f"{text[:30]!r} has no offset from UTC"
        raise ValueError(message)
    # Fails for a moment so early or late that the local time has no year for it.
    moment.astimezone()
    return moment


def newest_game(journal: Journal, table: str) -> int | None:
    """The number of the newest game of a table, None before the first.

    Args:
        journal: The journal.
        table: The setting ``table`` of the games to consider.
    """
    rows = journal.rows(
        "SELECT game FROM settings WHERE name = 'table' AND value = ? ORDER BY game DESC LIMIT 1",
        table,
    )
    return next((int(game) for (game,) in rows), None)


def last_game(journal: Journal, table: str) -> GameSummary | None:
    """Return the newest game of a table, None before the first; `table` as `newest_game`."""
    game = newest_game(journal, table)
    return None if game is None else find_game(journal, game)


def players_of(journal: Journal, most: int, *, virtual: bool) -> tuple[str, ...]:
    """The names of the players of the newest `most` games, the most recent first.

    With `virtual` also of those of virtual tables.
    """
    rows = journal.rows(
        f"SELECT id, light, dark FROM games WHERE ? OR id NOT IN ({_VIRTUAL})"  # noqa: S608 - own text
        " ORDER BY id DESC LIMIT ?",
        *(virtual, VIRTUAL_TABLE, most),
    )
    corrections = corrections_by_game(journal)
    found = (corrected_names((light, dark), corrections.get(id_, ())) for id_, light, dark in rows)
    return tuple(dict.fromkeys(name for names in found for name in names if name))


def check_rules(journal: Journal, game: int) -> None:
    """Check that this program has the rule set of a game with its options.

    A journal may contain others after a downgrade, or a change to another branch.

    Raises:
        UrpiError: If it has not; the message names the game, the file and the version.
    """
    for program, rules in journal.rows("SELECT program, rules FROM games WHERE id = ?", game):
        try:
            parse_rules(rules)
        except UrpiError as error:
            message = (
                f"Game {game} in {journal.path} can be read only by a version of urpi that has its "
                f"rules, such as the one that stored it, {program}: {error}"
            )
            raise UrpiError(message) from error


def has_known_rules(game: GameSummary) -> bool:
    """Whether this program has the rule set of a game with its options."""
    try:
        parse_rules(game.rules)
    except UrpiError:
        return False
    return True


def entries_of(journal: Journal, game: int, after: int = 0) -> tuple[Entry, ...]:
    """A game's entries in the order in which they were stored, those after `after`.

    Raises:
        UrpiError: As `check_rules`.
    """
    check_rules(journal, game)
    return tuple(journal.entries(game, after))


def settings_of(journal: Journal, game: int) -> dict[str, str]:
    """The settings that a game was refereed with, by name."""
    return dict(journal.rows("SELECT name, value FROM settings WHERE game = ?", game))
