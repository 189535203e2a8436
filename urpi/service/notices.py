"""Notices shown besides the game: failing disk, unavailable devices, low batteries, a resumed game,
a silent table.

A notice is either transient, shown for `TRANSIENT_MS` over a part of the picture, or brief: one
line that remains until its cause is removed.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from urpi.core.supervision import faults
from urpi.journal import Damage, Keeper
from urpi.journal.failures import DiskCode
from urpi.link.remote.silence import NOTICE_MS
from urpi.link.remote.tables_view import ClaimNotice

DeviceCode: TypeAlias = Literal["hub-missing", "bluetooth-missing", "contacts-missing"]
DiceCode: TypeAlias = Literal["battery-low", "dice-unsuitable", "same-number"]
NoticeCode: TypeAlias = (
    DeviceCode
    | DiceCode
    | DiskCode
    | Literal[
        "claim-later",
        "comparing",
        "journal-damaged",
        "may-claim",
        "may-lose",
        "memory-full",
        "no-contact",
        "not-stored",
        "other-game",
        "program-fault",
        "resumed",
        "set-aside",
        "stored-again",
    ]
)
"""A key of `urpi.show.words.sentences.NOTICES`."""

TRANSIENT_MS: Final = 6000
"""Duration of a transient notice in milliseconds."""
MISSING_MS: Final = 3000
"""Milliseconds until an unavailable device is shown as missing. At the start none is available."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice to the players.

    `since` is when the cause began, as HH:MM, or from when a game may be claimed,
    empty if not shown. `brief` is whether it must fit in one line. `dice` are the dice concerned.
    """

    code: NoticeCode
    since: str = ""
    brief: bool = False
    dice: tuple[int, ...] = ()

    @property
    def details(self) -> Mapping[str, str]:
        """The values of the placeholders in the code's sentence."""
        return {"since": self.since, "dice": ", ".join(map(str, self.dice))}


class Notices:
    """Selects the notice to show, from the state of the disk and the devices.

    Times are the service's, in milliseconds.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._transient: Notice | None = None
        self._until = 0
        self._queue: deque[Notice] = deque()
        self._dice: dict[DiceCode, tuple[int, ...]] = {}
        self._shown: Notice | None = None
        self._disk: tuple[DiskCode | None, Damage | None, bool] = None, None, False
        self._unavailable: dict[DeviceCode, int] = {}
        self._missing: tuple[DeviceCode, ...] = ()
        self._silent_since = ""
        self._claim: ClaimNotice | None = None
        self._has_other_game = self._compares = self._has_fault = False

    @property
    def current(self) -> Notice | None:
        """The notice to show, None if there is none."""
        outage = self._keeper.outage
        if self._transient is not None:
            return self._transient
        if outage is None:
            if self._missing:
                return Notice(self._missing[0], brief=True)
            if self._has_fault:
                return Notice("program-fault", brief=True)
            if self._has_other_game:
                return Notice("other-game", brief=True)
            if self._claim is not None:
                return Notice(self._claim.code, self._claim.at, brief=True)
            if self._compares:
                return Notice("comparing", brief=True)
            since = self._silent_since
            return Notice("no-contact", since, brief=True) if since else None
        code: NoticeCode = "memory-full" if self._keeper.paused else "not-stored"
        return Notice(code, f"{outage.since:%H:%M}", brief=True)

    @property
    def unavailable(self) -> tuple[DeviceCode, ...]:
        """The codes of the unavailable devices, shown as missing or not yet. Thread-safe."""
        return tuple(self._unavailable)

    @property
    def next_due(self) -> int | None:
        """The time at which `update` must be called, None for no deadline."""
        unavailable = self._unavailable.items()
        due = [since + MISSING_MS for code, since in unavailable if code not in self._missing]
        if self._transient is not None:
            due.append(self._until)
        return min(due, default=None)

    def set_unavailable(self, code: DeviceCode, t: int) -> None:
        """Note that a device does not respond since `t`, or since an earlier call. Thread-safe."""
        # A repeated report must not restart the waiting time.
        self._unavailable.setdefault(code, t)

    def set_available(self, code: DeviceCode) -> None:
        """Note that a device responds again. Thread-safe."""
        self._unavailable.pop(code, None)

    def set_silent(self, since: str) -> None:
        """Note that the table of the opponent is silent since a time, HH:MM; empty if it is not."""
        self._silent_since = since

    def set_claim(self, claim: ClaimNotice | None) -> None:
        """Note who may claim the game; shown in place of the silence."""
        self._claim = claim

    def set_other_game(self, has_other_game: bool) -> None:
        """Note whether the table of the opponent has another game, or another course of it."""
        self._has_other_game = has_other_game

    def set_compares(self, compares: bool) -> None:
        """Note whether throws and moves wait until two tables have the whole game."""
        self._compares = compares

    def announce(self, code: NoticeCode, t: int) -> None:
        """Show a transient notice from now on, in place of another one."""
        outage = self._keeper.outage
        since = f"{outage.since:%H:%M}" if outage is not None else ""
        self._transient, self._until = Notice(code, since), t + TRANSIENT_MS

    def set_dice(self, code: DiceCode, dice: tuple[int, ...], t: int) -> None:
        """Note which dice a code concerns; each is announced once, after other notices.

        A die that it did not concern in between, such as a charged one, is announced again.
        """
        # Only dice that were not concerned before, so that a battery is announced once.
        newly = tuple(die for die in dice if die not in self._dice.get(code, ()))
        self._dice[code] = dice
        if newly:
            self._queue.append(Notice(code, dice=newly))
        if self._transient is None:
            self._announce_next(t)

    def _announce_next(self, t: int) -> None:
        self._transient = self._queue.popleft() if self._queue else None
        self._until = t + TRANSIENT_MS

    def update(self, t: int) -> bool:
        """Select the notice for time `t`; return whether it differs from the one before."""
        self._select(t)
        before, self._shown = self._shown, self.current
        return before != self._shown

    def _select(self, t: int) -> None:
        self._has_fault = any(fault.affects_players for fault in faults())
        unavailable = tuple(self._unavailable.items())
        self._missing = tuple(code for code, since in unavailable if since + MISSING_MS <= t)
        outage = self._keeper.outage
        code, damage, paused = (
            None if outage is None else outage.code,
            self._keeper.damage,
            self._keeper.paused,
        )
        (code_before, damage_before, paused_before), self._disk = self._disk, (code, damage, paused)
        if damage is not damage_before:
            self.announce("journal-damaged", t)
        elif paused and not paused_before:
            self.announce("memory-full", t)
        elif code != code_before:
            self.announce(code or "stored-again", t)
        elif self._transient is not None and self._until <= t:
            self._announce_next(t)


def claim_notice(
    own: int | None, other: int | None, now: int, time: datetime
) -> ClaimNotice | None:
    """Who may soon claim the game and when, None while nobody may.

    Args:
        own: From when on a player here may claim it, None for not at all.
        other: The same of the other table.
        now: The current time of the same clock.
        time: The time of day.
    """

    def minute(due: int) -> str:
        # Rounded up.
        return f"{time + timedelta(milliseconds=due - now + 59_999):%H:%M}"

    if own is not None and own - NOTICE_MS <= now:
        return ClaimNotice("may-claim" if own <= now else "claim-later", minute(own))
    if own is None and other is not None and other - NOTICE_MS <= now:
        return ClaimNotice("may-lose", minute(other))
    return None
