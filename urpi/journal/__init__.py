"""The journal: facts and decisions on disk, and what is read back from them."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.journal.alone import kept_alone
    from urpi.journal.anonymising import anonymise_player, free_name, games_of
    from urpi.journal.archive import write_archive
    from urpi.journal.backup import back_up, restore_backup
    from urpi.journal.build_record import TAGS, build_record, stored_record
    from urpi.journal.check import Checked, Verdict, check_game, check_games
    from urpi.journal.course import Course
    from urpi.journal.entries import Entry
    from urpi.journal.failures import DamagedError, DiskError
    from urpi.journal.import_record import import_record
    from urpi.journal.importing import IMPORTED, Imported, import_archive
    from urpi.journal.integrity import check_contents, check_pages, check_preferences
    from urpi.journal.journal import Journal
    from urpi.journal.keeper import Failing, Keeper
    from urpi.journal.preferences import Preferences, prefer, preferences_of
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
    from urpi.journal.resumption import Resumed, resumed, unfinished_game
else:
    export(
        __name__,
        {
            "alone": ("kept_alone",),
            "anonymising": ("anonymise_player", "free_name", "games_of"),
            "archive": ("write_archive",),
            "backup": ("back_up", "restore_backup"),
            "build_record": ("TAGS", "build_record", "stored_record"),
            "check": ("Checked", "Verdict", "check_game", "check_games"),
            "course": ("Course",),
            "entries": ("Entry",),
            "failures": ("DamagedError", "DiskError"),
            "import_record": ("import_record",),
            "importing": ("IMPORTED", "Imported", "import_archive"),
            "integrity": ("check_contents", "check_pages", "check_preferences"),
            "journal": ("Journal",),
            "keeper": ("Failing", "Keeper"),
            "preferences": ("Preferences", "prefer", "preferences_of"),
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
            "resumption": ("Resumed", "resumed", "unfinished_game"),
        },
    )

__all__ = [
    "IMPORTED",
    "TAGS",
    "Checked",
    "Choice",
    "Course",
    "Damage",
    "DamagedError",
    "Difference",
    "DiskError",
    "Entry",
    "Failing",
    "GameSummary",
    "Imported",
    "Journal",
    "Keeper",
    "Preferences",
    "Replay",
    "Resumed",
    "Verdict",
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
    "free_name",
    "games_before",
    "games_of",
    "import_archive",
    "import_record",
    "kept_alone",
    "last_game",
    "list_games",
    "players_of",
    "prefer",
    "preferences_of",
    "prunable",
    "prune_game",
    "replay",
    "restore_backup",
    "resumed",
    "settings_of",
    "stored_record",
    "timing_of",
    "timing_settings",
    "unfinished_game",
    "write_archive",
]
