"""The journal: facts and decisions on disk, and what is read back from them."""

from urpi.journal.build_record import build_record, stored_record
from urpi.journal.check import Checked, Verdict, check_game, check_games
from urpi.journal.failures import DamagedError, DiskError
from urpi.journal.journal import Entry, Journal
from urpi.journal.queries import (
    Choice,
    GameSummary,
    entries_of,
    find_game,
    list_games,
    settings_of,
)
from urpi.journal.replay import Difference, Replay, replay, timing_of, timing_settings

__all__ = [
    "Checked",
    "Choice",
    "DamagedError",
    "Difference",
    "DiskError",
    "Entry",
    "GameSummary",
    "Journal",
    "Replay",
    "Verdict",
    "build_record",
    "check_game",
    "check_games",
    "entries_of",
    "find_game",
    "list_games",
    "replay",
    "settings_of",
    "stored_record",
    "timing_of",
    "timing_settings",
]
