"""The journal: storing facts and decisions, checking and maintaining them, and statistics."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.journal.anonymising import anonymise_player, games_with_player, unused_name
    from urpi.journal.archive import write_archive
    from urpi.journal.backup import back_up, restore_backup
    from urpi.journal.build_record import TAGS, build_record, stored_record
    from urpi.journal.check import CheckedGame, CheckVerdict, check_game, check_games
    from urpi.journal.course import Course
    from urpi.journal.entries import Entry
    from urpi.journal.failures import DamagedError, DiskError
    from urpi.journal.import_archive import IMPORTED, ImportResult, import_archive
    from urpi.journal.import_record import import_record
    from urpi.journal.integrity import check_contents, check_pages, check_preferences
    from urpi.journal.journal import Journal
    from urpi.journal.keeper import Keeper, Outage
    from urpi.journal.lock import lock_journal
    from urpi.journal.preferences import Preferences, load_preferences, store_preferences
    from urpi.journal.pruning import prunable, prune_game
    from urpi.journal.queries import (
        Choice,
        GameSummary,
        entries_of,
        find_game,
        games_before,
        last_game,
        list_games,
        players_of,
        settings_of,
    )
    from urpi.journal.repair import Damage
    from urpi.journal.replay import Difference, Replay, replay, timing_of, timing_settings
    from urpi.journal.resumption import ResumedGame, resume_game, unfinished_game
else:
    export(
        __name__,
        {
            "lock": ("lock_journal",),
            "anonymising": ("anonymise_player", "games_with_player", "unused_name"),
            "archive": ("write_archive",),
            "backup": ("back_up", "restore_backup"),
            "build_record": ("TAGS", "build_record", "stored_record"),
            "check": ("CheckedGame", "CheckVerdict", "check_game", "check_games"),
            "course": ("Course",),
            "entries": ("Entry",),
            "failures": ("DamagedError", "DiskError"),
            "import_record": ("import_record",),
            "import_archive": ("IMPORTED", "ImportResult", "import_archive"),
            "integrity": ("check_contents", "check_pages", "check_preferences"),
            "journal": ("Journal",),
            "keeper": ("Keeper", "Outage"),
            "preferences": ("Preferences", "load_preferences", "store_preferences"),
            "pruning": ("prunable", "prune_game"),
            "queries": (
                "Choice",
                "GameSummary",
                "entries_of",
                "find_game",
                "games_before",
                "last_game",
                "list_games",
                "players_of",
                "settings_of",
            ),
            "repair": ("Damage",),
            "replay": ("Difference", "Replay", "replay", "timing_of", "timing_settings"),
            "resumption": ("ResumedGame", "resume_game", "unfinished_game"),
        },
    )

__all__ = [
    "IMPORTED",
    "TAGS",
    "CheckVerdict",
    "CheckedGame",
    "Choice",
    "Course",
    "Damage",
    "DamagedError",
    "Difference",
    "DiskError",
    "Entry",
    "GameSummary",
    "ImportResult",
    "Journal",
    "Keeper",
    "Outage",
    "Preferences",
    "Replay",
    "ResumedGame",
    "anonymise_player",
    "back_up",
    "build_record",
    "check_contents",
    "check_game",
    "check_games",
    "check_pages",
    "check_preferences",
    "entries_of",
    "find_game",
    "games_before",
    "games_with_player",
    "import_archive",
    "import_record",
    "last_game",
    "list_games",
    "load_preferences",
    "lock_journal",
    "players_of",
    "prunable",
    "prune_game",
    "replay",
    "restore_backup",
    "resume_game",
    "settings_of",
    "store_preferences",
    "stored_record",
    "timing_of",
    "timing_settings",
    "unfinished_game",
    "unused_name",
    "write_archive",
]
