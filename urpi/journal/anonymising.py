"""Anonymising a player: their name is removed from every game, and from the file's bytes.

The name is replaced in the list of games, in the `game` facts, and wherever a sentence, a tag or
a comment contains it as a word of its own. It is removed from the tables' preferences, and with it
the player's consent that a club shows it.

Pruning removes the raw edges of old games, and never a decision. Four of five stored lines are
edges of switches. Without them a game cannot be decided again, but its record, its throws and every
decision remain. A pruned game is marked by a setting.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.journal.build_record import COMMENTS, PASSED, TAGS
from urpi.journal.consents import CONSENTS, SHOWN, without_consent
from urpi.journal.corrections import Correction, read_corrections, replace_corrections
from urpi.journal.entries import IMPORTED, PRUNED, Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import GameSummary, list_games

_PRUNED_TYPES: Final = ("square", "occupancy", "field")
"""The types of the facts that are removed."""
_PRUNED_TEXTS: Final = tuple(f'"type":"{kind}"' for kind in _PRUNED_TYPES)


def prunable(journal: Journal, before: datetime) -> Iterator[GameSummary]:
    """The games begun before a time that have edges, without those still in progress.

    A game that was begun before the machine's clock was set counts as old as the next game with a
    date, and as recent if there is none.
    """
    pruned, imported = _games_with(journal, PRUNED), _games_with(journal, IMPORTED)
    excluded = pruned | games_in_progress(journal)
    old, next_is_old = [], False
    # Newest first, so that the next game with a date has been seen before those without one.
    for game in list_games(journal):
        # The date of an imported game is that of its record, and says nothing about the games
        # around it.
        dated = not game.estimated or game.id in imported
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


_NAME_KEYS: Final = frozenset({"light", "dark"})
"""The keys of lines whose values are names."""
_TEXT_KEYS: Final = frozenset({"text", TAGS, COMMENTS, PASSED})
"""The keys whose values are free text. All others have values of a fixed vocabulary."""


def games_with_player(journal: Journal, name: str) -> tuple[GameSummary, ...]:
    """The games of a player.

    Raises:
        UrpiError: If the name is empty, no player has it, or one of the games is in progress.
    """
    if not name:
        message = (
            "A player without a name has no name to replace; 'urpi games list' shows the names."
        )
        raise UrpiError(message)
    stored = _stored_names(journal)
    # A corrected name is still what was stored with the game, and in its corrections.
    found = tuple(
        game
        for game in list_games(journal)
        if name in {*stored[game.id], *(one.text for one in game.corrections)}
    )
    if not found:
        message = (
            f"No player in {journal.path} is called {name!r}; 'urpi games list' shows the names."
        )
        raise UrpiError(message)
    # A program that plays the game holds the name in memory, and would store it again.
    in_progress = {game.id for game in found} & games_in_progress(journal)
    if in_progress:
        message = (
            f"{name!r} plays game {min(in_progress)}, which may still be running; end it first."
        )
        raise UrpiError(message)
    return found


def _stored_names(journal: Journal) -> dict[int, tuple[str, str]]:
    """The names of light and dark that were stored with each game, by its number."""
    rows = journal.rows("SELECT id, light, dark FROM games")
    return {game: (light, dark) for game, light, dark in rows}


def unused_name(journal: Journal) -> str:
    """The first of "Player 1", "Player 2" and so on that no player has."""
    # Of n names at most n numbers are in use, so that one of n + 1 is free.
    names = {name for game in list_games(journal) for name in (game.light, game.dark)}
    names |= {name for both in _stored_names(journal).values() for name in both}
    numbers = iter(range(1, len(names) + 2))
    return next(name for name in (f"Player {n}" for n in numbers) if name not in names)


def anonymise_player(journal: Journal, name: str, instead: str) -> int:
    """Replace a name in all games and erase it from the file; return the number of games.

    What lies beyond the file cannot be erased: copies, backups, and blocks that a memory card
    keeps after they were overwritten.

    Raises:
        UrpiError: As `games_with_player`, or if the disk fails. Then either nothing has changed,
            or the name has been replaced but may still be in the file's free pages.
    """
    found = games_with_player(journal, name)
    # Overwrites what is deleted with zeros, so that no free page keeps the name.
    journal.rows("PRAGMA secure_delete = ON")
    replacer = _NameReplacer(name, instead)
    stored = _stored_names(journal)
    with journal.transaction():
        for game in found:
            light, dark = map(replacer.name, stored[game.id])
            journal.rewrite(game.id, replacer.line, (light, dark))
        replace_corrections(journal, map(replacer.correction, read_corrections(journal)))
        journal.store_preferences(_preferences_without(journal, name))
    # Removes the free pages of earlier changes, which were not overwritten.
    journal.rows("VACUUM")
    # The write-ahead log, if a keeper uses one, contains old pages. A checkpoint that truncates
    # lets no other connection write meanwhile.
    ((busy, _, _),) = journal.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        message = (
            f"{name!r} is replaced in all games, but may still be in {journal.path}-wal until "
            "the program that uses the journal ends."
        )
        raise UrpiError(message)
    return len(found)


def _preferences_without(journal: Journal, name: str) -> list[tuple[str, str, str, str]]:
    changed = []
    for row in journal.preferences():
        table, kind, *values = row
        if kind in _NAME_KEYS:
            value, instead = ("" if one == name else one for one in values)
        elif kind in {CONSENTS, SHOWN}:
            value, instead = (without_consent(one, name) for one in values)
        else:
            continue
        if (table, kind, value, instead) != row:
            changed.append((table, kind, value, instead))
    return changed


class _NameReplacer:
    """Replaces a name by another in lines."""

    def __init__(self, name: str, instead: str) -> None:
        self._name, self._instead = name, instead
        # Not `\b`: a name may begin or end with a character that is no part of a word, such as a
        # full stop.
        self._as_word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")

    def name(self, found: str) -> str:
        """A player's name, replaced if it is this one."""
        return self._instead if found == self._name else found

    def correction(self, found: Correction) -> Correction:
        """A correction without the name."""
        is_name = found.kind in _NAME_KEYS
        text = self.name(found.text) if is_name else self._text(found.text)
        return replace(found, text=text, reason=self._text(found.reason))

    def line(self, entry: Entry) -> str:
        """Return a line without the name; a line that does not contain it is unchanged."""
        # A letter may be escaped in JSON, so a line with an escape has to be parsed.
        if self._name not in entry.line and "\\" not in entry.line:
            return entry.line
        content = json.loads(entry.line)
        clean = {key: self._value(key, value) for key, value in content.items()}
        if clean == content:
            return entry.line
        return json.dumps(clean, ensure_ascii=False, separators=(",", ":"))

    def _value(self, key: str, value: Any) -> Any:
        if key in _NAME_KEYS and isinstance(value, str):
            return self.name(value)
        return self._text(value) if key in _TEXT_KEYS | _NAME_KEYS else value

    def _text(self, value: Any) -> Any:
        if isinstance(value, str):
            # A function, because a backslash in a replacement text would be an escape.
            return self._as_word.sub(lambda _: self._instead, value)
        return [self._text(one) for one in value] if isinstance(value, list) else value
