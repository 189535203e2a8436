"""The disputed part of a game, and whether this version makes the same decisions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from hashlib import sha256
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal import (
    IMPORTED,
    TAGS,
    CheckedGame,
    GameSummary,
    Journal,
    check_game,
    entries_of,
    find_game,
    settings_of,
    timing_of,
)
from urpi.show.evidence.story import GameStory, ThrowStory, TurnStory, occupancy_after
from urpi.show.evidence.story_builder import story_of

LAST_MINUTE_MS: Final = 60_000


class Origin(Enum):
    """Source of a game that was not played at this table."""

    RECORD = "record"
    """A record written by people, without evidence from switches and dice."""
    ARCHIVE = "archive"
    """An archive of another journal."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Some turns of a game.

    Attributes:
        summary: the game.
        checked: whether this version of the program makes the same decisions in the whole game.
        story: the disputed turns.
        digest: SHA-256 of all stored lines of the game, each with a line end. Two printed disputes
            with the same digest rest on the same evidence.
        since_t: time before which events are left out, None if none are.
        origin: source of an imported game, None if it was played at this table.
    """

    summary: GameSummary
    checked: CheckedGame
    story: GameStory
    digest: str
    since_t: int | None = None
    origin: Origin | None = None

    @property
    def began(self) -> datetime:
        """Start of the game in local time."""
        return self.summary.started.astimezone()


def dispute_turn(journal: Journal, game: int, number: int | None = None) -> Dispute:
    """Return the dispute of a turn.

    Args:
        journal: the journal of the game.
        game: number of the game.
        number: number of the turn in the record, 0 for the time before the first turn. Defaults
            to the last turn, the one that players argue about.

    Raises:
        UrpiError: if there is no such game or turn, or the stored lines cannot be read.
    """
    whole = _whole_game(journal, game)
    turns = whole.story.turns
    if not turns:
        message = f"Nothing has happened in game {game} yet; wait until its board has been read."
        raise UrpiError(message)
    chosen = turns[-1:] if number is None else [t for t in turns if t.number == number]
    if not chosen:
        last = turns[-1].number
        message = f"Game {game} has no turn {number}; its turns are 0 (before it began) to {last}."
        raise UrpiError(message)
    return replace(whole, story=replace(whole.story, turns=tuple(chosen)))


def dispute_minute(journal: Journal, game: int, duration_ms: int = LAST_MINUTE_MS) -> Dispute:
    """Return the dispute of the end of a game, or of its latest events while it is played.

    Args:
        journal: the journal of the game.
        game: number of the game.
        duration_ms: duration of the disputed part, by default `LAST_MINUTE_MS`.

    Raises:
        UrpiError: if there is no such game, or the stored lines cannot be read.
    """
    whole = _whole_game(journal, game)
    since = whole.story.last_t - duration_ms
    if since <= whole.story.game.t:
        return whole
    cut = (_since(turn, since) for turn in whole.story.turns)
    turns = tuple(turn for turn in cut if turn.throws)
    return replace(whole, story=replace(whole.story, turns=turns), since_t=since)


def _whole_game(journal: Journal, game: int) -> Dispute:
    summary = find_game(journal, game)
    settings = settings_of(journal, game)
    stable_ms = timing_of(settings).contact_stable_ms
    entries = entries_of(journal, game)
    digest = sha256("".join(f"{entry.line}\n" for entry in entries).encode()).hexdigest()
    checked = check_game(journal, game)
    origin = _origin(settings, entries[0].line) if entries else None
    story = story_of(entries, stable_ms)
    named = replace(story.game, light=summary.light, dark=summary.dark)
    return Dispute(summary, checked, replace(story, game=named), digest, origin=origin)


def _origin(settings: Mapping[str, str], opening: str) -> Origin | None:
    if IMPORTED not in settings:
        return None
    # The import of a record stores its tags in the first line.
    return Origin.RECORD if TAGS in json.loads(opening) else Origin.ARCHIVE


def _since(turn: TurnStory, t: int) -> TurnStory:
    """Return a turn without the events before `t`; without throws if no event remains."""
    kept = (throw for throw in turn.throws if any(event.t >= t for event in throw.events))
    return replace(turn, throws=tuple(_cut(throw, t) for throw in kept))


def _cut(throw: ThrowStory, t: int) -> ThrowStory:
    kept = tuple(event for event in throw.events if event.t >= t)
    # The events left out still determine the first occupancy.
    seen = [occupancy_after(event) for event in throw.events if event.t < t]
    occupancies = [throw.occupancy, *(each for each in seen if each is not None)]
    return replace(throw, events=kept, occupancy=occupancies[-1])
