"""Resuming a game after the program ended, for whatever reason: its facts are stepped again."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import newest_game
from urpi.journal.replay import Difference, replay
from urpi.referee import Settings, State, begin, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact


@dataclass(frozen=True, slots=True)
class ResumedGame:
    """A game as it was when its last entry was stored.

    Attributes:
        state: The referee's state.
        differences: Stored decisions that this version of the program decides differently.
        unstored: Lines of decisions that the last facts cause and that were not stored.
    """

    state: State
    differences: tuple[Difference, ...]
    unstored: tuple[str, ...]


def unfinished_game(journal: Journal, table: str) -> int | None:
    """The newest game of a table, None if there is none or it has been finished."""
    game = newest_game(journal, table)
    if game is None or journal.rows("SELECT 1 FROM finished WHERE game = ?", game):
        return None
    return game


def resume_game(
    entries: Iterable[Entry], settings: Settings, left: State | None = None
) -> ResumedGame:
    """Referee a game's entries again, with the settings that it was begun with.

    Args:
        entries: The entries.
        settings: The settings.
        left: The state of the game that an exploration has left; by default none has been.

    Raises:
        UrpiError: If a stored line cannot be read.
    """
    state = begin(settings) if left is None else replace(left, settings=settings)

    def process(fact: Fact) -> tuple[Decision, ...]:
        nonlocal state
        state, decisions = step(state, fact)
        return decisions

    done = replay(entries, process)
    return ResumedGame(state, done.differences, done.unstored)
