"""Forgetting a person: a name goes out of every game, and out of the file's bytes.

What was stored is otherwise never changed. The name is replaced in the list of games, in the
`game` facts, and wherever a sentence, a tag or a comment has it as words of its own.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.build_record import COMMENTS, PASSED, TAGS
from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.pruning import games_going_on
from urpi.journal.queries import GameSummary, list_games

TEXTS: Final = frozenset({"light", "dark", "text", TAGS, COMMENTS, PASSED})
"""The keys of lines whose values are free text; all others have words of their own."""


def games_of(journal: Journal, name: str) -> tuple[GameSummary, ...]:
    """The games in which that name played.

    Raises:
        UrpiError: when the name is empty, nobody has it, or one of the games may still go on.
    """
    if not name:
        message = (
            "A player without a name has none to be replaced; 'urpi games list' shows the names."
        )
        raise UrpiError(message)
    found = tuple(game for game in list_games(journal) if name in {game.light, game.dark})
    if not found:
        message = f"Nobody in {journal.path} is called {name!r}; 'urpi games list' shows the names."
        raise UrpiError(message)
    going_on = {game.id for game in found} & games_going_on(journal)
    if going_on:
        message = f"{name!r} plays game {min(going_on)}, which may still go on; end it first."
        raise UrpiError(message)
    return found


def free_name(journal: Journal) -> str:
    """The first of "Player 1", "Player 2" .. that nobody is called."""
    names = {name for game in list_games(journal) for name in (game.light, game.dark)}
    numbers = iter(range(1, len(names) + 2))
    return next(name for name in (f"Player {n}" for n in numbers) if name not in names)


def anonymise_player(journal: Journal, name: str, instead: str) -> int:
    """Replace a name in all games, and leave nothing of it in the file; how many games it was in.

    The bytes of the disk are not this program's: copies, backups and what a card keeps of
    overwritten blocks have the name still.

    Raises:
        UrpiError: as `games_of`, or when the disk fails; then all is as it was, or the name is
            replaced but may still lie in the file's free pages.
    """
    found = games_of(journal, name)
    journal.rows("PRAGMA secure_delete = ON")
    words = _Words(name, instead)
    with journal.together():
        for game in found:
            names = words.name(game.light), words.name(game.dark)
            journal.rewrite(game.id, words.line, names)
    journal.rows("VACUUM")
    # Of a keeper's log, too, while one uses the file. Nobody can write meanwhile.
    ((busy, _, _),) = journal.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        message = (
            f"{name!r} is replaced in all games, but may still lie in {journal.path}-wal until "
            "the program that uses the journal ends."
        )
        raise UrpiError(message)
    return len(found)


class _Words:
    """Replaces a name by another."""

    def __init__(self, name: str, instead: str) -> None:
        self._name, self._instead = name, instead
        self._alone = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")

    def name(self, found: str) -> str:
        """A player's name, replaced if it is this one."""
        return self._instead if found == self._name else found

    def line(self, entry: Entry) -> str:
        """A line without the name; one that does not have it is as it was."""
        # A letter can be escaped in JSON, so that only reading the line tells.
        if self._name not in entry.line and "\\" not in entry.line:
            return entry.line
        told = json.loads(entry.line)
        clean = {key: self._value(key, value) for key, value in told.items()}
        if clean == told:
            return entry.line
        return json.dumps(clean, ensure_ascii=False, separators=(",", ":"))

    def _value(self, key: str, value: Any) -> Any:
        if key in {"light", "dark"} and isinstance(value, str):
            return self.name(value)
        return self._text(value) if key in TEXTS else value

    def _text(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._alone.sub(lambda _: self._instead, value)
        return list(self._texts(value)) if isinstance(value, list) else value

    def _texts(self, values: list[Any]) -> Iterator[Any]:
        return map(self._text, values)
