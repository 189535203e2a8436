"""Reads the events of a game with another table from the journal."""

from typing import Final, NamedTuple

from urpi.journal import Journal, entries_of, settings_of
from urpi.journal.entries import SEAL_KEY
from urpi.link.remote.events import SharedEvent, events_of
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.referee.seats import remote_side
from urpi.rules import Side

_GAME_OF: Final = """
SELECT game FROM settings WHERE name = 'shared' AND value = ? ORDER BY game DESC LIMIT 1
"""


class StoredEvents(NamedTuple):
    """The events of a game with another table.

    Attributes:
        game: The number of the game in the journal.
        side: The side that was played here.
        is_over: Whether it has ended.
        events: Its events.
        key: The key by which this table seals them, empty in a game of an earlier version.
    """

    game: int
    side: Side
    is_over: bool
    events: tuple[SharedEvent, ...]
    key: str


def stored_events(journal: Journal, game: str, table: str) -> StoredEvents | None:
    """Return the events of a game with another table, None if there is no such game.

    Args:
        journal: The journal.
        game: The identity of the game.
        table: The id of the other table.

    Raises:
        UrpiError: If a stored line cannot be read.
    """
    rows = journal.rows(_GAME_OF, game)
    if not rows:
        return None
    number = int(rows[0][0])
    entries = entries_of(journal, number)
    opening = parse_fact(entries[0].line, entries[0].seq)
    if not isinstance(opening, Game) or opening.shared is None or opening.shared.table != table:
        return None
    remote = remote_side(opening.seats)
    if remote is None:
        return None
    lines = (one for one in entries if one.kind == "decision")
    events = events_of(parse_decision(one.line, one.seq) for one in lines)
    is_over = bool(journal.rows("SELECT 1 FROM finished WHERE game = ?", number))
    key = settings_of(journal, number).get(SEAL_KEY, "")
    return StoredEvents(number, remote.other, is_over, events, key)
