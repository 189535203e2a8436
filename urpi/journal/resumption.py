"""Going on with a game after the program ended, however it did: its facts are stepped anew."""

from collections.abc import Iterable
from dataclasses import dataclass

from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.replay import Difference, replay
from urpi.referee import Settings, State, begin, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game as it stood when its last entry was stored.

    `differences` are decisions that this version takes otherwise than they were stored;
    `unstored` the lines of those that the last facts cause and that were not stored.
    """

    state: State
    differences: tuple[Difference, ...]
    unstored: tuple[str, ...]


def unfinished_game(journal: Journal, table: str) -> int | None:
    """The newest game of a table, None when there is none or it has been finished.

    Args:
        journal: where it would be.
        table: the setting ``table`` of the games that are looked at.
    """
    ((game,),) = journal.rows(
        "SELECT max(game) FROM settings WHERE name = 'table' AND value = ?", table
    )
    if game is None or journal.rows("SELECT 1 FROM finished WHERE game = ?", game):
        return None
    return int(game)


def resumed(entries: Iterable[Entry], settings: Settings) -> Resumed:
    """The game of these entries, refereed with the settings that it was begun with.

    Raises:
        UrpiError: when a stored line cannot be read.
    """
    state = begin(settings)

    def play(fact: Fact) -> tuple[Decision, ...]:
        nonlocal state
        state, decisions = step(state, fact)
        return decisions

    done = replay(entries, play)
    return Resumed(state, done.differences, done.unstored)
