"""Several sources of dice facts as one, such as the dice hub and dice with Bluetooth."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from threading import Lock

from urpi.hardware.dice_source import DiceHealth, DiceSource, PlainHealth
from urpi.referee.facts import Fact
from urpi.show.menu.status import DieStatus


def combined_health(sources: tuple[DiceHealth, ...]) -> PlainHealth:
    """Return the health of several sources.

    They are available if one of them is. Dice of two sources with the same number are twins.
    """
    numbers = list(chain.from_iterable(one.dice for one in sources))
    shared = {die for die in numbers if numbers.count(die) > 1}
    return PlainHealth(
        any(one.available for one in sources),
        tuple(chain.from_iterable(one.unavailable for one in sources)),
        "; ".join(one.error for one in sources if one.error),
        tuple(sorted({*numbers})),
        tuple(sorted({*chain.from_iterable(one.low for one in sources)})),
        tuple(sorted(shared.union(*(one.twins for one in sources)))),
    )


class CombinedDice(DiceSource):
    """Sources of dice facts as one. Their facts are passed on one at a time."""

    def __init__(self, sources: tuple[DiceSource, ...]) -> None:
        self._sources = sources
        self._lock = Lock()
        self._last_fact_at = 0

    def start(
        self, on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        def forward(fact: Fact) -> None:
            # The sources have threads of their own, so a later fact can arrive first.
            with self._lock:
                self._last_fact_at = max(self._last_fact_at, fact.t)
                on_fact(replace(fact, t=self._last_fact_at))

        def report(_health: DiceHealth) -> None:
            with self._lock:
                on_health(self.health)

        for source in self._sources:
            source.start(forward, report)

    @property
    def health(self) -> PlainHealth:
        return combined_health(tuple(source.health for source in self._sources))

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return the status of every die, by number; of two with one number, one in range."""
        every = chain.from_iterable(source.statuses() for source in self._sources)
        best = {one.die: one for one in sorted(every, key=lambda one: one.in_range)}
        return tuple(best[die] for die in sorted(best))

    def close(self) -> None:
        for source in self._sources:
            source.close()
