"""The dispute: the part of a game that is argued about, with what this version makes of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from hashlib import sha256
from typing import Final

from urpi.errors import UrpiError
from urpi.evidence.reading import story_of
from urpi.evidence.story import GameStory, ThrowStory, TurnStory, picture_after
from urpi.journal import (
    IMPORTED,
    TAGS,
    Checked,
    GameSummary,
    Journal,
    check_game,
    entries_of,
    find_game,
    settings_of,
    timing_of,
)

LAST_MINUTE_MS: Final = 60_000


class Origin(Enum):
    """From where a game was read that this table did not see."""

    RECORD = "record"
    """As people wrote it down: neither switches nor dice saw it."""
    ARCHIVE = "archive"
    """As another journal has it."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """What is laid out: some turns of a game.

    `story` holds those turns alone. `since_t` is the time before which their events are left
    out, None when nothing is. `checked` says whether the whole game would be decided so again.
    `digest` is the SHA-256 of all of the game's stored lines, each with a line's end, by which
    two prints are told to be of the same evidence. `origin` is None where this table saw the game.
    """

    summary: GameSummary
    checked: Checked
    story: GameStory
    digest: str
    since_t: int | None = None
    origin: Origin | None = None

    @property
    def began(self) -> datetime:
        """When the game began, local time."""
        return self.summary.started.astimezone()


def dispute_turn(journal: Journal, game: int, number: int | None = None) -> Dispute:
    """A turn of a game, the last one when no number is given.

    Raises:
        UrpiError: when there is no such game or turn, or the stored lines cannot be read.
    """
    whole = _whole(journal, game)
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


def dispute_minute(journal: Journal, game: int, lasting_ms: int = LAST_MINUTE_MS) -> Dispute:
    """The last minute of a game, or another while; of one that is being played, up to now.

    Raises:
        UrpiError: as `dispute_turn`.
    """
    whole = _whole(journal, game)
    since = whole.story.last_t - lasting_ms
    if since <= whole.story.game.t:
        return whole
    late = (_since(turn, since) for turn in whole.story.turns)
    turns = tuple(turn for turn in late if turn.throws)
    return replace(whole, story=replace(whole.story, turns=turns), since_t=since)


def _whole(journal: Journal, game: int) -> Dispute:
    summary = find_game(journal, game)
    settings = settings_of(journal, game)
    stable_ms = timing_of(settings).contact_stable_ms
    entries = entries_of(journal, game)
    digest = sha256("".join(f"{entry.line}\n" for entry in entries).encode()).hexdigest()
    checked = check_game(journal, game)
    origin = _origin(settings, entries[0].line) if entries else None
    return Dispute(summary, checked, story_of(entries, stable_ms), digest, origin=origin)


def _origin(settings: Mapping[str, str], opening: str) -> Origin | None:
    if IMPORTED not in settings:
        return None
    return Origin.RECORD if TAGS in json.loads(opening) else Origin.ARCHIVE


def _since(turn: TurnStory, t: int) -> TurnStory:
    """A turn without what was before a time; without throws when nothing is left."""
    kept = (throw for throw in turn.throws if any(event.t >= t for event in throw.events))
    return replace(turn, throws=tuple(_cut(throw, t) for throw in kept))


def _cut(throw: ThrowStory, t: int) -> ThrowStory:
    kept = tuple(event for event in throw.events if event.t >= t)
    seen = [picture_after(event) for event in throw.events if event.t < t]
    pictures = [throw.picture, *(picture for picture in seen if picture is not None)]
    return replace(throw, events=kept, picture=pictures[-1])
