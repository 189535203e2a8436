"""What the players are told besides the game: disk, devices that are away, a game that goes on."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from urpi.journal import Damage, Keeper

NEWS_MS: Final = 6000
"""News is shown so long, over a part of the picture; then only what lasts, in one line."""
MISSING_MS: Final = 3000
"""A device is missed when it has been away so long; at the start all of them are."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A code of `urpi.words.sentences.NOTICES`, and since when, as HH:MM; empty for news.

    `brief`: to be said in one line, because it stays. `dice` are those that it is about.
    """

    code: str
    since: str = ""
    brief: bool = False
    dice: tuple[int, ...] = ()

    @property
    def details(self) -> Mapping[str, str]:
        """What the code's sentence has words in braces for."""
        return {"since": self.since, "dice": ", ".join(map(str, self.dice))}


class Notices:
    """What is to be told now, from how a keeper is. Milliseconds are the service's."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._news: Notice | None = None
        self._waiting: deque[Notice] = deque()
        self._low: tuple[int, ...] = ()
        self._until = 0
        self._told: Notice | None = None
        self._known: tuple[str | None, Damage | None, bool] = None, None, False
        self._away: dict[str, int] = {}
        self._missed: tuple[str, ...] = ()

    @property
    def now(self) -> Notice | None:
        """What is to be told now."""
        failing = self._keeper.failing
        if self._news is not None:
            return self._news
        if failing is None:
            return Notice(self._missed[0], brief=True) if self._missed else None
        code = "memory-full" if self._keeper.paused else "not-stored"
        return Notice(code, f"{failing.since:%H:%M}", brief=True)

    @property
    def all_away(self) -> tuple[str, ...]:
        """The codes of the devices that are away, missed already or not; from any thread."""
        return tuple(self._away)

    @property
    def next_due(self) -> int | None:
        """When the news grow old or a device is missed, None when neither is to come."""
        due = [since + MISSING_MS for code, since in self._away.items() if code not in self._missed]
        if self._news is not None:
            due.append(self._until)
        return min(due, default=None)

    def away(self, code: str, t: int) -> None:
        """A device does not answer; `code` says which. May be said again, and from any thread."""
        self._away.setdefault(code, t)

    def back(self, code: str) -> None:
        """The device answers again; from any thread."""
        self._away.pop(code, None)

    def tell(self, code: str, t: int) -> None:
        """Tell that as news from now on."""
        failing = self._keeper.failing
        since = f"{failing.since:%H:%M}" if failing is not None else ""
        self._news, self._until = Notice(code, since), t + NEWS_MS

    def low(self, dice: tuple[int, ...], t: int) -> None:
        """The batteries of those dice are low, of no others: each is told once, as news.

        Other news come first. A die that was charged meanwhile is told of again.
        """
        newly = tuple(die for die in dice if die not in self._low)
        self._low = dice
        if newly:
            self._waiting.append(Notice("battery-low", dice=newly))
        if self._news is None:
            self._tell_next(t)

    def _tell_next(self, t: int) -> None:
        self._news = self._waiting.popleft() if self._waiting else None
        self._until = t + NEWS_MS

    def changed(self, t: int) -> bool:
        """Whether something else is to be told now than when this was last asked."""
        self._look(t)
        told, self._told = self._told, self.now
        return told != self._told

    def _look(self, t: int) -> None:
        away = tuple(self._away.items())
        self._missed = tuple(code for code, since in away if since + MISSING_MS <= t)
        keeper = self._keeper
        code = None if keeper.failing is None else keeper.failing.code
        known = code, keeper.damage, keeper.paused
        was, self._known = self._known, known
        if known[1] is not was[1]:
            self.tell("journal-damaged", t)
        elif known[2] and not was[2]:
            self.tell("memory-full", t)
        elif known[0] != was[0]:
            self.tell(known[0] or "stored-again", t)
        elif self._news is not None and self._until <= t:
            self._tell_next(t)
