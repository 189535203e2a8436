"""Preferences: what the players chose at a table by menu or page, stored in the journal's file.

They are not written to the configuration, which may be on a read-only disk. Each preference is
stored with the value that was configured when it was chosen, and is valid until that value
changes: of menu and configuration, the later one decides.
"""

from dataclasses import asdict, dataclass, replace

from urpi.journal.consents import NO_CONSENTS
from urpi.journal.journal import Journal
from urpi.referee.seats import NO_COACH, PERSONS


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of a table that its players can choose. By default two persons play.

    Attributes:
        language: The language's code.
        sound: One of `urpi.referee.orders.SOUNDS`.
        rules: The RULES word of the next game.
        light: The name of light in the next game, may be empty.
        dark: The name of dark.
        light_seat: Who decides light's moves in the next game, one of `urpi.referee.seats.SEATS`.
        dark_seat: The same for dark.
        engine_throws: What throws for the engine, one of `urpi.referee.seats.ENGINE_THROWS`.
        light_coach: Light's coach in the next game, one of `urpi.referee.seats.COACHES`.
        dark_coach: The same for dark.
        clock: The time of each side in the next game, such as ``10+5``, empty for no clock.
        consents: Whose names the club may show (`urpi.journal.consents`).
        shown: Whose pages everyone may see, in the same format.
    """

    language: str
    sound: str
    rules: str
    light: str = ""
    dark: str = ""
    light_seat: str = PERSONS[0]
    dark_seat: str = PERSONS[1]
    engine_throws: str = "dice"
    light_coach: str = NO_COACH[0]
    dark_coach: str = NO_COACH[1]
    clock: str = ""
    consents: str = NO_CONSENTS
    shown: str = NO_CONSENTS


def load_preferences(journal: Journal, table: str, configured: Preferences) -> Preferences:
    """A table's current preferences: what is configured, or what was chosen since.

    Args:
        journal: The journal they are stored in.
        table: The table, as the setting ``table`` of games.
        configured: The current configuration.

    Raises:
        DamagedError: If they are not what was stored.
    """
    current = asdict(configured)
    rows = [row for row in journal.preferences() if row[0] == table]
    # A name that this version does not know has no current value, and is left out.
    chosen = {name: value for _, name, value, instead in rows if current.get(name) == instead}
    return replace(configured, **chosen)


def store_preferences(
    journal: Journal, table: str, configured: Preferences, chosen: Preferences
) -> None:
    """Store what was chosen at a table.

    Raises:
        DiskError: If the disk is full, read-only or fails; the previous ones are unchanged.
    """
    current = asdict(configured)
    journal.store_preferences(
        [(table, name, value, current[name]) for name, value in asdict(chosen).items()]
    )
