"""Pruning: the raw edges of old games are taken away, and never a decision.

Four of five stored lines are edges of switches. Without them a game cannot be decided anew, but
its record, its throws and every decision stay. A pruned game says so among its settings.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from urpi.journal.entries import Entry
from urpi.journal.importing import IMPORTED
from urpi.journal.journal import Journal
from urpi.journal.queries import GameSummary, list_games

PRUNED: Final = "pruned"
"""The setting that says on which day a game was pruned."""
THINNED: Final = ("square", "occupancy")
"""The types of the facts that go."""

EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""No journal is older; a Pi without a network begins in 1970."""

_THINNED: Final = tuple(f'"type":"{kind}"' for kind in THINNED)


def prunable(journal: Journal, before: datetime) -> Iterator[GameSummary]:
    """The games begun before a time that have edges to lose; not one that may still go on.

    A game whose date is before `EARLIEST` was begun before the machine's clock was set: it is as
    old as the next game with a date, and of unknown age while there is none.
    """
    gone, imported = _games_with(journal, PRUNED), _games_with(journal, IMPORTED)
    kept = gone | games_going_on(journal)
    old, followed_by_old = [], False
    for game in list_games(journal):
        dated = game.started >= EARLIEST or game.id in imported
        is_old = game.started < before if dated else followed_by_old
        if dated and game.id not in imported:
            followed_by_old = is_old
        if is_old and game.id not in kept:
            old.append(game)
    return reversed(old)


def _games_with(journal: Journal, setting: str) -> set[int]:
    rows = journal.rows("SELECT game FROM settings WHERE name = ?", setting)
    return {game for (game,) in rows}


def games_going_on(journal: Journal) -> set[int]:
    """The newest game of each table that has not been finished: the table may go on with it."""
    rows = journal.rows(
        "SELECT max(game) AS newest FROM settings WHERE name = 'table' GROUP BY value"
        " HAVING newest NOT IN (SELECT game FROM finished)"
    )
    return {game for (game,) in rows}


def prune_game(journal: Journal, game: int, today: str) -> int:
    """Take a game's raw edges and full readings away; how many lines went.

    Args:
        journal: where it is.
        game: its number.
        today: the day, for whoever asks later, ISO 8601.

    Raises:
        UrpiError: when the disk fails; the game is as it was.
    """
    return journal.rewrite(game, _thinned, settings={PRUNED: today})


def _thinned(entry: Entry) -> str:
    raw = entry.kind == "fact" and any(kind in entry.line for kind in _THINNED)
    return "" if raw else entry.line
