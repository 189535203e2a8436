"""The explorations of a table, beside its games: each in a file of its own, a journal.

So nothing that reads games finds it: no list, no statistics, no club. It exists while the
exploration lasts.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.journal import Keeper, resume_game, settings_of, timing_of
from urpi.journal.files import remove
from urpi.referee import Settings, step
from urpi.referee.facts import Game, Time
from urpi.referee.lines import fact_line
from urpi.service.refereed import Refereed, stamp

LEFT_GAME: Final = "game"
"""The setting with the number of the game that was left, empty if there was none."""
LEFT_AT: Final = "left_at"
"""The setting with the game's time then, which is later than that of its last stored fact."""

_log: Final = logging.getLogger(__name__)


class Explorations:
    """Begins, resumes and ends the exploration of a table; there is one at a time.

    Args:
        journal: The file of the games.
        table: The name of the table in it.
        clock: Returns the game's time as the service has it.
    """

    def __init__(self, journal: Path, table: str, clock: Callable[[], int]) -> None:
        self._path = journal.with_name(f"{journal.name}.{table}-exploration")
        self._clock = clock
        self.line: Refereed | None = None
        """The current exploration, None if there is none."""
        self.settings: Mapping[str, str] = {}
        """The settings that are stored with it."""

    def begin(
        self,
        left: Refereed,
        game: Game,
        settings: Settings,
        stored: Mapping[str, str],
        now: datetime,
    ) -> None:
        """Begin an exploration, in place of an older file.

        Args:
            left: The game that is left, or what was refereed without one.
            game: The fact that begins the exploration.
            settings: The referee's settings.
            stored: The settings that are stored with a game.
            now: The local time.
        """
        begun, _ = step(replace(left.state, settings=settings), game)
        remove(self._path)
        keeper = Keeper.open(self._path, now)
        stored = {
            **stored,
            # A finished game is not resumed, so it does not wait either.
            LEFT_GAME: _name(None if left.finished or not left.begun else left.keeper.game),
            LEFT_AT: str(left.state.t),
        }
        keeper.begin(fact_line(game), stamp(now), __version__, stored, now)
        self.line, self.settings = Refereed(keeper, begun, self._clock, is_line=True), stored

    def resume(
        self, left: Refereed, game: int | None, settings: Settings, now: datetime
    ) -> Refereed | None:
        """Return the exploration at the time of a power cut, None if `game` was not left for one.

        The time of `left` advances to that at which it was left.
        """
        try:
            self.line = self._in_file(left, game, settings, now)
        except UrpiError as error:
            _log.warning("The exploration is not continued. %s", error)
        if self.line is None:
            remove(self._path)
        return self.line

    def end(self, now: datetime) -> None:
        """End the exploration, and remove its file."""
        self.close(now)
        remove(self._path)
        self.line, self.settings = None, {}

    def close(self, now: datetime) -> None:
        """Close the file, from which the exploration can be resumed."""
        if self.line is not None:
            self.line.keeper.close(now)

    def _in_file(
        self, left: Refereed, game: int | None, settings: Settings, now: datetime
    ) -> Refereed | None:
        if not self._path.exists():
            return None
        keeper = Keeper.open(self._path, now)
        number = keeper.read(lambda journal: journal.latest_game(), now)
        entries = () if number is None else keeper.continue_game(number, now)
        stored = keeper.read(lambda journal: settings_of(journal, number or 0), now) or {}
        if not entries or stored.get(LEFT_GAME) != _name(game):
            keeper.close(now)
            return None
        self.settings, settings = stored, replace(settings, timing=timing_of(stored))
        left.state, _ = step(left.state, Time(int(stored.get(LEFT_AT, "0"))))
        resumed = resume_game(entries, settings, left.state)
        line = Refereed(keeper, resumed.state, self._clock, is_line=True)
        if resumed.unstored:
            line.append((), resumed.unstored, now, over=False)
        return line


def _name(game: int | None) -> str:
    return "" if game is None else str(game)
