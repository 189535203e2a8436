"""Facts that wait to be stored with the next decision, or with each other."""

from typing import Final

from urpi.referee.facts import Fact, Time
from urpi.referee.lines import fact_line

STORE_DELAY_MS: Final = 250
"""Maximum time in milliseconds until facts without a decision are stored."""


class UnstoredFacts:
    """The lines of the current game's facts that are not stored yet."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._due = 0
        self._silent_time: Time | None = None

    @property
    def due(self) -> int | None:
        """The game's time at which they must be stored, None if there are none."""
        return self._due if self.lines else None

    def add(self, fact: Fact, *, decided: bool) -> None:
        """Add a processed fact. A `Time` is only kept if it caused a decision.

        Args:
            fact: The fact.
            decided: Whether it caused a decision.
        """
        silent, self._silent_time = self._silent_time, None
        if isinstance(fact, Time) and not decided:
            self._silent_time = fact
            return
        if not self.lines:
            self._due = fact.t + STORE_DELAY_MS
        # A replay runs the timers itself, but those due at a fact's own time after the fact. Here
        # they ran before it, so the line of that time is needed.
        if silent is not None and silent.t == fact.t:
            self.lines.append(fact_line(silent))
        self.lines.append(fact_line(fact))

    def clear(self) -> None:
        """Remove all lines after they were stored."""
        self.lines = []
