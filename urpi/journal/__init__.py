"""The journal: storing facts and decisions, checking and maintaining them, and statistics."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.journal.anonymising import (
        anonymise_player,
        games_with_player,
        prunable,
        prune_game,
        unused_name,
    )
    from urpi.journal.answers import (
        StoredAnswer,
        answers_by_exercise,
        read_answers,
        store_answer,
    )
    from urpi.journal.archive import write_archive
    from urpi.journal.backup import back_up, restore_backup
    from urpi.journal.build_record import TAGS, build_record, exported_record, stored_record
    from urpi.journal.check import CheckedGame, CheckVerdict, check_game, check_games
    from urpi.journal.correcting import correct_game, delete_game
    from urpi.journal.corrections import (
        Correction,
        CorrectionKind,
        insert_corrections,
        read_corrections,
    )
    from urpi.journal.course import Course
    from urpi.journal.entries import IMPORTED, Entry
    from urpi.journal.failures import DamagedError, DiskError
    from urpi.journal.import_archive import ImportResult, import_archive
    from urpi.journal.import_record import import_record
    from urpi.journal.integrity import (
        check_answers,
        check_contents,
        check_pages,
        check_preferences,
    )
    from urpi.journal.journal import Journal
    from urpi.journal.keeper import Keeper, Outage
    from urpi.journal.lock import lock_journal
    from urpi.journal.preferences import Preferences, load_preferences, store_preferences
    from urpi.journal.queries import (
        VIRTUAL_TABLE,
        Choice,
        GameSummary,
        check_rules,
        entries_of,
        find_game,
        games_before,
        has_board_games,
        has_known_rules,
        has_virtual_games,
        last_game,
        list_games,
        players_of,
        settings_of,
    )
    from urpi.journal.repair import Damage
    from urpi.journal.replay import Difference, Replay, replay, timing_of, timing_settings
    from urpi.journal.resumption import ResumedGame, resume_game, unfinished_game

export(__name__)
