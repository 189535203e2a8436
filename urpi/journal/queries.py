"""What is read back from the journal: the list of games, one game's entries and settings."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.journal.failures import DamagedError
from urpi.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game in a list.

    `turns` have been thrown for; `result` is light, dark, draw, abandoned, or None while the
    game goes on or was never ended.
    """

    id: int
    started: datetime
    program: str
    rules: str
    light: str
    dark: str
    turns: int
    result: str | None
    finished: datetime | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Some of the games; what is None chooses nothing away.

    `player` is a name of either side, as it was given; `rules` an id, whatever the options, or
    a whole RULES word; `since` and `until` are days in local time, both included.
    """

    player: str | None = None
    rules: str | None = None
    since: date | None = None
    until: date | None = None

    def has(self, game: GameSummary) -> bool:
        """Whether a game is one of them."""
        day = game.started.astimezone().date()
        return (
            self.player in {None, game.light, game.dark}
            and self.rules in {None, game.rules, game.rules.partition("[")[0]}
            and (self.since is None or day >= self.since)
            and (self.until is None or day <= self.until)
        )


ALL_GAMES: Final = Choice()


LAST_ID: Final = 2**63 - 1
"""SQLite's highest whole number."""

# A turn begins with the first throw of a side; throws on top are its own again.
_SUMMARIES: Final = """
SELECT id, started, program, rules, light, dark,
    (SELECT count(*) FILTER (WHERE begins) FROM (
        SELECT side IS NOT lag(side) OVER (ORDER BY seq) AS begins
        FROM milestones WHERE game = id AND type = 'roll'
    )),
    (SELECT CASE type WHEN 'won' THEN side WHEN 'drawn' THEN 'draw' ELSE type END
        FROM milestones WHERE game = id AND type != 'roll' ORDER BY seq LIMIT 1
    ),
    (SELECT at FROM finished WHERE game = id)
FROM games
"""


def list_games(journal: Journal, choice: Choice = ALL_GAMES) -> tuple[GameSummary, ...]:
    """The games that are chosen, the newest first."""
    rows = journal.rows(f"{_SUMMARIES} ORDER BY id DESC")
    return tuple(filter(choice.has, map(_summary, rows)))


AT_ONCE: Final = 100


def games_before(
    journal: Journal, before: int, most: int, choice: Choice = ALL_GAMES
) -> tuple[GameSummary, ...]:
    """The newest of the games that are chosen whose number is below `before`; `most` of them.

    They are read a few at a time, so that who writes never waits long.
    """
    found: list[GameSummary] = []
    while len(found) < most:
        rows = journal.rows(f"{_SUMMARIES} WHERE id < ? ORDER BY id DESC LIMIT {AT_ONCE}", before)
        if not rows:
            break
        found += filter(choice.has, map(_summary, rows))
        before = rows[-1][0]
    return tuple(found[:most])


def find_game(journal: Journal, game: int) -> GameSummary:
    """One game.

    Raises:
        UrpiError: when the journal has no game of that number.
    """
    rows = journal.rows(f"{_SUMMARIES} WHERE id = ?", game) if 0 < game <= LAST_ID else []
    if not rows:
        message = f"The journal {journal.path} has no game {game}; 'urpi games list' shows them."
        raise UrpiError(message)
    return _summary(rows[0])


def _summary(row: tuple[Any, ...]) -> GameSummary:
    number, started, program, rules, light, dark, turns, result, finished = row
    try:
        begun = datetime.fromisoformat(started)
        ended = None if finished is None else datetime.fromisoformat(finished)
    except ValueError as error:
        message = f"The journal is damaged: {error} (game {number})."
        raise DamagedError(message) from error
    return GameSummary(number, begun, program, rules, light, dark, turns, result, ended)


def last_game(journal: Journal, table: str) -> GameSummary | None:
    """The newest game of a table, None before the first; `table` as in `unfinished_game`."""
    ((game,),) = journal.rows(
        "SELECT max(game) FROM settings WHERE name = 'table' AND value = ?", table
    )
    return None if game is None else find_game(journal, game)


def players_of(journal: Journal, most: int) -> tuple[str, ...]:
    """The names of those who have played, the newest first, in the newest games so many."""
    rows = journal.rows("SELECT light, dark FROM games ORDER BY id DESC LIMIT ?", most)
    return tuple(dict.fromkeys(name for names in rows for name in names if name))


def entries_of(journal: Journal, game: int, after: int = 0) -> tuple[Entry, ...]:
    """A game's entries in the order in which they were stored, those behind `after` alone."""
    return tuple(journal.entries(game, after))


def settings_of(journal: Journal, game: int) -> dict[str, str]:
    """What the game was refereed with, by name."""
    return dict(journal.rows("SELECT name, value FROM settings WHERE game = ?", game))
