"""Pruning: removing the raw edges of old games, and never a decision.

Four of five stored lines are edges of switches. Without them a game cannot be decided again, but
its record, its throws and every decision remain. A pruned game is marked by a setting.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from urpi.journal.entries import IMPORTED, PRUNED, Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import GameSummary, list_games

_PRUNED_TYPES: Final = ("square", "occupancy")
"""The types of the facts that are removed."""
_PRUNED_TEXTS: Final = tuple(f'"type":"{kind}"' for kind in _PRUNED_TYPES)

_EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""No journal is older. The clock of a Pi without a network starts in 1970."""


def prunable(journal: Journal, before: datetime) -> Iterator[GameSummary]:
    """The games begun before a time that have edges, without those still in progress.

    A game dated before `_EARLIEST` was begun before the machine's clock was set. It counts as old
    as the next game with a date, and as recent if there is none.
    """
    pruned, imported = _games_with(journal, PRUNED), _games_with(journal, IMPORTED)
    excluded = pruned | games_in_progress(journal)
    old, next_is_old = [], False
    # Newest first, so that the next game with a date has been seen before those without one.
    for game in list_games(journal):
        # The date of an imported game is that of its record, and says nothing about the games
        # around it.
        dated = game.started >= _EARLIEST or game.id in imported
        is_old = game.started < before if dated else next_is_old
        if dated and game.id not in imported:
            next_is_old = is_old
        if is_old and game.id not in excluded:
            old.append(game)
    return reversed(old)


def _games_with(journal: Journal, setting: str) -> set[int]:
    rows = journal.rows("SELECT game FROM settings WHERE name = ?", setting)
    return {game for (game,) in rows}


def games_in_progress(journal: Journal) -> set[int]:
    """The newest game of each table, if unfinished: the table may resume it."""
    rows = journal.rows(
        "SELECT max(game) AS game FROM settings WHERE name = 'table' GROUP BY value"
        " HAVING max(game) NOT IN (SELECT game FROM finished)"
    )
    return {game for (game,) in rows}


def prune_game(journal: Journal, game: int, today: str) -> int:
    """Remove a game's raw edges and full readings; return the number of removed lines.

    Args:
        journal: The journal.
        game: The game's number.
        today: The day to store with the game, ISO 8601.

    Raises:
        UrpiError: If the disk fails; the game is unchanged.
    """
    return journal.rewrite(game, _pruned_line, settings={PRUNED: today})


def _pruned_line(entry: Entry) -> str:
    # Text is searched, not parsed: a player's name cannot contain it, because JSON escapes its
    # quotes.
    raw = entry.kind == "fact" and any(text in entry.line for text in _PRUNED_TEXTS)
    return "" if raw else entry.line
