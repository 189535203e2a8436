"""After a restart of the program: a clock that continues, and dice reports it cannot trust."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from urpi.referee.facts import Die
from urpi.referee.throws import DieState


class GameClock:
    """A clock in milliseconds with an offset, so that a resumed game continues after its last fact.

    A Pi's clock is reset with every boot, and no time passes in a game while the program is
    down: a timeout of the referee runs on from the last stored fact.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock, self._offset_ms = clock, 0

    def __call__(self) -> int:
        """Return the game's time in whole milliseconds."""
        return self._clock() + self._offset_ms

    def continue_after(self, t: int) -> None:
        """Set the current time to one millisecond after `t`."""
        self._offset_ms = t + 1 - self._clock()


class DiceAfterRestart:
    """Interprets the first report of each die after a restart.

    A die that was rolling before the restart and has settled since was thrown. A die that shows
    another face without having been seen to roll may have been turned by hand: whatever its hub
    reports, it does not count as tumbled, so that the referee requests another throw.
    """

    def __init__(self, dice: Mapping[int, DieState]) -> None:
        self._before = dice
        self._reported: set[int] = set()

    def interpret(self, fact: Die) -> tuple[Die, ...]:
        """Return the facts for the referee that follow from a die's report."""
        if fact.die in self._reported or fact.state in {"lost", "found"}:
            return (fact,)
        self._reported.add(fact.die)
        before = self._before.get(fact.die, DieState())
        found = (Die(fact.t, fact.die, "found"),) if before.lost else ()
        interpreted = replace(fact, tumbled=fact.tumbled and before.state == "rolling")
        return (*found, interpreted)
