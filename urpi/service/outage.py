"""While the program was down: the game's time stood still, and nobody saw what the dice did."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from urpi.referee.facts import Die
from urpi.referee.throws import DieState


class GameClock:
    """The milliseconds of a clock, moved so that a game that goes on follows what is stored.

    A Pi's clock begins anew with every start, and no time passes in a game while nobody
    referees it: what the referee waited for, it waits for again from the last stored fact on.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock, self._moved_ms = clock, 0

    def __call__(self) -> int:
        """Whole milliseconds, never decreasing while nobody moves it back."""
        return self._clock() + self._moved_ms

    def follow(self, t: int) -> None:
        """It is one millisecond after `t` now."""
        self._moved_ms = t + 1 - self._clock()


class UnseenDice:
    """What the dice say first after the program was down, taken for what it is worth.

    A die that was seen to roll, and lies still now, was thrown. One that shows another face
    though nobody saw it roll may have been turned by hand as well as thrown: it does not count
    as thrown, whatever its hub says, and the referee asks to throw it again.
    """

    def __init__(self, dice: Mapping[int, DieState]) -> None:
        self._known = dice
        self._seen: set[int] = set()

    def taken(self, fact: Die) -> tuple[Die, ...]:
        """What the referee is to hear of a die's report."""
        if fact.die in self._seen or fact.state in {"lost", "found"}:
            return (fact,)
        self._seen.add(fact.die)
        known = self._known.get(fact.die, DieState())
        found = (Die(fact.t, fact.die, "found"),) if known.lost else ()
        seen = replace(fact, tumbled=fact.tumbled and known.state == "rolling")
        return (*found, seen)
