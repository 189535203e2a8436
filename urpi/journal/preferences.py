"""Preferences: what the players chose at a table by menu or page, kept in the journal's file.

The configuration may stand on a disk that nobody may write, so it is not written. Each
preference remembers what was configured when it was chosen, and holds as long as that stands:
of menu and configuration, whoever spoke last is right.
"""

from dataclasses import asdict, dataclass, replace

from urpi.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class Preferences:
    """What holds at a table: the language's code, what is heard, and the next game.

    `sound` is one of `urpi.orders.SOUNDS`; `rules` the RULES word; names may be empty.
    """

    language: str
    sound: str
    rules: str
    light: str = ""
    dark: str = ""


def preferences_of(journal: Journal, table: str, configured: Preferences) -> Preferences:
    """What holds at a table now: what was configured, or what was chosen instead.

    Args:
        journal: where the choices are kept.
        table: whose they are, as the setting ``table`` of games.
        configured: what the configuration says now.

    Raises:
        DamagedError: if they are not what was stored.
    """
    says = asdict(configured)
    rows = [row for row in journal.preferences() if row[0] == table]
    chosen = {name: value for _, name, value, instead in rows if says.get(name) == instead}
    return replace(configured, **chosen)


def prefer(journal: Journal, table: str, configured: Preferences, chosen: Preferences) -> None:
    """Keep what was chosen at a table.

    Raises:
        DiskError: when the disk is full, read-only or fails; what held before holds.
    """
    says = asdict(configured)
    journal.prefer([(table, name, value, says[name]) for name, value in asdict(chosen).items()])
