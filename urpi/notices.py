"""What the players are told besides the game: how the disk is, and that a game goes on."""

from dataclasses import dataclass
from typing import Final

from urpi.journal import Damage, Keeper

NEWS_MS: Final = 6000
"""News is shown so long, over a part of the picture; then only what lasts, in one line."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A code of `urpi.words.sentences.NOTICES`, and since when, as HH:MM; empty for news.

    `brief`: to be said in one line, because it stays.
    """

    code: str
    since: str = ""
    brief: bool = False


class Notices:
    """What is to be told now, from how a keeper is. Milliseconds are the service's."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._news: Notice | None = None
        self._until = 0
        self._told: Notice | None = None
        self._known: tuple[str | None, Damage | None, bool] = None, None, False

    @property
    def now(self) -> Notice | None:
        """What is to be told now."""
        failing = self._keeper.failing
        if self._news is not None or failing is None:
            return self._news
        code = "memory-full" if self._keeper.paused else "not-stored"
        return Notice(code, f"{failing.since:%H:%M}", brief=True)

    @property
    def next_due(self) -> int | None:
        """When the news grow old, None when there are none."""
        return None if self._news is None else self._until

    def tell(self, code: str, t: int) -> None:
        """Tell that as news from now on."""
        failing = self._keeper.failing
        since = f"{failing.since:%H:%M}" if failing is not None else ""
        self._news, self._until = Notice(code, since), t + NEWS_MS

    def changed(self, t: int) -> bool:
        """Whether something else is to be told now than when this was last asked."""
        self._look(t)
        told, self._told = self._told, self.now
        return told != self._told

    def _look(self, t: int) -> None:
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
            self._news = None
