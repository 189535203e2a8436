"""What the display shows the simulated players, read from the journal.

The service stores a decision immediately before it draws it. The stored facts are decided once
more here, which yields everything that the display shows.
"""

import time
from pathlib import Path
from typing import Final

from urpi.journal import Journal, entries_of, settings_of, timing_of
from urpi.referee import Phase, Settings, Snapshot, State, begin, snapshot, step
from urpi.referee.lines import parse_fact
from urpi.show.words import words_for
from urpi.simulation import VirtualTable
from urpi.simulation.display_state import DisplayState

INTERVAL_S: Final = 0.25
GAME: Final = 1
"""The number of the scene's game in the journal."""
_TO_BEGIN: Final = frozenset({Phase.START_THROW, Phase.THROW})


class DisplayReader:
    """Shows a table's players what the program at the table displays.

    Args:
        journal: The program's journal, which may not exist yet.
        table: The table.
    """

    def __init__(self, journal: Path, table: VirtualTable) -> None:
        self._path, self._table = journal, table
        self._state: State | None = None
        self._seq = 0
        self._next_s = 0.0

    @property
    def snapshot(self) -> Snapshot:
        """The state of the game as displayed."""
        return Snapshot(Phase.NO_GAME) if self._state is None else snapshot(self._state)

    @property
    def asks_for_throw(self) -> bool:
        """Whether the display asks for a throw."""
        return self.snapshot.phase in _TO_BEGIN

    def __str__(self) -> str:
        """Return the state of the game as displayed."""
        if self._state is None:
            return "no game"
        now = snapshot(self._state)
        return f"{now.phase.value} {now.side} {now.position} {now.throw}, last {now.last}"

    def poll(self) -> None:
        """Read what was stored since the last call, at most four times a second."""
        now_s = time.monotonic()
        if now_s < self._next_s or not self._path.exists():
            return
        self._next_s = now_s + INTERVAL_S
        with Journal.read_only(self._path) as journal:
            entries = entries_of(journal, GAME, self._seq)
            if self._state is None and entries:
                timing = timing_of(settings_of(journal, GAME))
                self._state = begin(Settings(words_for("en").sentence, timing))
        for entry in entries:
            self._seq = entry.seq
            if entry.kind == "fact":
                assert self._state is not None
                self._state, decisions = step(self._state, parse_fact(entry.line, entry.seq))
                if decisions:
                    self._table.show(DisplayState.of(self.snapshot), decisions)
        if entries:
            assert self._state is not None
            self._table.show(DisplayState.of(self.snapshot))
