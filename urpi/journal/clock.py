"""Games that began while the machine's clock was not set: when they began is estimated.

A Pi without a clock of its own and without a network resumes an old date. The numbers of games are
in the order in which they were played, so that such a game began between its neighbours.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from urpi.journal.corrections import (
    Correction,
    corrected_start,
    insert_corrections,
    read_corrections,
)
from urpi.journal.entries import IMPORTED
from urpi.journal.failures import DamagedError
from urpi.journal.journal import Journal

CLOCK: Final = "clock"
UNSET: Final = "unset"
"""The setting of a game, and its value if the clock was not synchronised when it began."""
BOOT: Final = "boot"
"""The setting with the id of the boot in which such a game began."""
UPTIME: Final = "uptime_ms"
"""The setting with the time since that boot, in milliseconds."""
_EARLIEST: Final = "2026"
"""The first year with journals: an earlier date is that of a clock that was not set."""


def estimated_starts(
    journal: Journal, corrections: Mapping[int, tuple[Correction, ...]]
) -> dict[int, datetime]:
    """Return when games began whose clock was not set, unless that was corrected since.

    It is the time of that clock, or that of the nearest game before or after it with a known time,
    if it is earlier or later than that.

    Args:
        journal: The journal.
        corrections: The corrections of each game, by its number.
    """
    unset = {
        game
        for (game,) in journal.rows(
            "SELECT id FROM games WHERE (started < ? OR id IN (SELECT game FROM settings"
            " WHERE name = ? AND value = ?)) AND id NOT IN (SELECT game FROM settings"
            " WHERE name = ?)",
            *(_EARLIEST, CLOCK, UNSET, IMPORTED),
        )
        if corrected_start(corrections.get(game, ())) is None
    }
    if not unset:
        return {}
    rows = journal.rows(
        "SELECT id, started FROM games WHERE id NOT IN (SELECT game FROM settings WHERE name = ?)"
        " ORDER BY id",
        IMPORTED,
    )
    starts = {game: _moment(corrected_start(corrections.get(game, ())) or at) for game, at in rows}
    found: dict[int, datetime] = {}
    after = None
    for game in reversed(starts):
        if game not in unset:
            after = starts[game]
        else:
            found[game] = starts[game] if after is None else min(starts[game], after)
    before = None
    for game, at in starts.items():
        if game not in unset:
            before = at
        elif before is not None:
            found[game] = max(found[game], before)
    return found


def correct_starts(journal: Journal, boot: str, uptime_ms: int, now: datetime) -> None:
    """Correct when the games of a boot began, whose clock is set only now.

    Calling it again changes nothing.

    Args:
        journal: The journal.
        boot: The id of the boot.
        uptime_ms: The time since the boot, in milliseconds.
        now: The local time.

    Raises:
        UrpiError: If the disk fails.
    """
    rows = journal.rows(
        "SELECT game, value FROM settings WHERE name = ? AND game IN"
        " (SELECT game FROM settings WHERE name = ? AND value = ?) ORDER BY game",
        *(UPTIME, BOOT, boot),
    )
    with journal.transaction():
        for game, text in rows:
            if corrected_start(read_corrections(journal, game)) is None and text.isdecimal():
                started = now - timedelta(milliseconds=uptime_ms - int(text))
                at, began = (one.isoformat(timespec="seconds") for one in (now, started))
                insert_corrections(journal, [Correction(game, at, "started", began)])


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        message = f"The journal is damaged: {error}."
        raise DamagedError(message) from error
