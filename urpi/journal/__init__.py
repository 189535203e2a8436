"""The journal: facts and decisions on disk, and what is read back from them."""

from urpi.journal.build_record import build_record
from urpi.journal.journal import Journal
from urpi.journal.queries import (
    Entry,
    GameSummary,
    entries_of,
    find_game,
    list_games,
    settings_of,
)
from urpi.journal.replay import Difference, Replay, replay, timing_of, timing_settings

__all__ = [
    "Difference",
    "Entry",
    "GameSummary",
    "Journal",
    "Replay",
    "build_record",
    "entries_of",
    "find_game",
    "list_games",
    "replay",
    "settings_of",
    "timing_of",
    "timing_settings",
]
