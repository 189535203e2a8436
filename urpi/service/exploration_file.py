"""The file of the current exploration, a journal of its own beside the games' one.

So nothing that reads games finds it: no list, no statistics, no club. It exists while the
exploration lasts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from urpi.journal import Entry, Keeper, settings_of
from urpi.journal.files import remove
from urpi.referee import State

LEFT_GAME: Final = "game"
"""The setting with the number of the game that was left, empty if there was none."""
LEFT_AT: Final = "left_at"
"""The setting with the game's time then, which is later than that of its last stored fact."""


@dataclass(frozen=True, slots=True)
class LeftGame:
    """The game that was left for an exploration: its state, and whether it had begun or ended."""

    state: State
    begun: bool
    finished: bool


@dataclass(frozen=True, slots=True)
class StoredExploration:
    """An exploration in its file: what continues it, its settings and its entries."""

    keeper: Keeper
    settings: Mapping[str, str]
    entries: tuple[Entry, ...]


class ExplorationFile:
    """The exploration's file of a table.

    Args:
        journal: The file of the games.
        table: The name of the table in it.
    """

    def __init__(self, journal: Path, table: str) -> None:
        self._path = journal.with_name(f"{journal.name}.{table}-exploration")

    def create(self, now: datetime) -> Keeper:
        """Return the keeper of a new file, in place of an older one."""
        self.remove()
        return Keeper.open(self._path, now)

    def read(self, now: datetime) -> StoredExploration | None:
        """Return the exploration in the file, None if there is none.

        Raises:
            UrpiError: If the file is not a journal, or of a newer version.
        """
        if not self._path.exists():
            return None
        keeper = Keeper.open(self._path, now)
        number = keeper.read(lambda journal: journal.latest_game(), now)
        if number is not None and (entries := keeper.continue_game(number, now)):
            settings = keeper.read(lambda journal: settings_of(journal, number), now)
            return StoredExploration(keeper, settings or {}, entries)
        keeper.close(now)
        return None

    def remove(self) -> None:
        """Remove the file, if it exists."""
        remove(self._path)
