"""The game clock: how much time each side has, and how much of it is left (RULES.md, Clock).

What makes it run and stand is in `urpi.referee.timekeeping`.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules import Side

MAX_MINUTES: Final = 180
MAX_INCREMENT_S: Final = 180
CLOCK_WORD: Final = (
    "minutes for each side, and seconds added after each of its moves, such as 10+5, or 10 alone: "
    f"1 to {MAX_MINUTES} minutes, 0 to {MAX_INCREMENT_S} seconds"
)
_FORM: Final = re.compile(r"([1-9][0-9]{0,2})(?:\+(0|[1-9][0-9]{0,2}))?", re.ASCII)
_Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time that a game gives each side.

    >>> str(TimeControl(10, 5)), str(TimeControl(10))
    ('10+5', '10')

    Attributes:
        minutes: The minutes at the beginning.
        increment_s: The seconds that are added after each own move.
    """

    minutes: int
    increment_s: int = 0

    def __str__(self) -> str:
        return f"{self.minutes}+{self.increment_s}" if self.increment_s else str(self.minutes)


def parse_time_control(word: str) -> TimeControl:
    """Parse a time control as chess clocks write it.

    >>> parse_time_control("10+5")
    TimeControl(minutes=10, increment_s=5)

    Raises:
        UrpiError: If it is not one.
    """
    found = _FORM.fullmatch(word)
    if found is not None:
        control = TimeControl(int(found[1]), int(found[2] or 0))
        if control.minutes <= MAX_MINUTES and control.increment_s <= MAX_INCREMENT_S:
            return control
    message = f"A clock must be {CLOCK_WORD}; found {word[:40]!r}."
    raise UrpiError(message)


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' clocks, of which at most one runs.

    Attributes:
        left_ms: The time that light and dark had left when a clock last began to run or stood.
        control: The time that the game gives each side.
        running: The side whose clock runs, None if both stand.
        since: Since when it runs.
    """

    left_ms: _Pair
    control: TimeControl
    running: Side | None = None
    since: int = 0

    @property
    def falls_at(self) -> int | None:
        """When the running clock has no time left, None if both stand."""
        return None if self.running is None else self.since + self.left_ms[self.running.number]

    def left(self, side: Side, t: int) -> int:
        """Return the time that a side has left at `t`, in milliseconds, not below 0."""
        left = self.left_ms[side.number]
        return max(0, left - max(0, t - self.since)) if side is self.running else left

    def run(self, side: Side | None, t: int) -> "Clock":
        """Return the clocks from `t` on with that of a side running, or with both standing."""
        return replace(self, left_ms=self._left_both(t), running=side, since=t)

    def moved(self, side: Side, t: int) -> "Clock":
        """Return the clocks after a move of a side, which stood on the board at `t`."""
        light, dark = self._left_both(t)
        added = self.control.increment_s * 1000
        left = (light + added, dark) if side is Side.LIGHT else (light, dark + added)
        return replace(self, left_ms=left, running=None, since=t)

    def _left_both(self, t: int) -> _Pair:
        return self.left(Side.LIGHT, t), self.left(Side.DARK, t)


def full_clock(control: TimeControl) -> Clock:
    """Return the clocks at the beginning of a game."""
    left_ms = control.minutes * 60_000
    return Clock((left_ms, left_ms), control)
