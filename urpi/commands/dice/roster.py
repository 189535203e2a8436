"""What is known of each die from what the hub says of it, pure: lines in, views out."""

from dataclasses import dataclass, replace
from typing import Final

from urpi.devices.protocol import DieLine

_THROWS: Final = 65536
_REMEMBERED: Final = 8
"""A hub repeats what was not acknowledged; more than a few at once it never does."""


@dataclass(frozen=True, slots=True)
class DieView:
    """One die as it was last heard.

    `line` is the last report that was new, None before the first; `throws` and `battery_mv` are
    as last told. `lost` while the die is out of hearing. `heard_ms` is our time of the last line
    of it. `repeats` were said again, `missed` throws were never heard of: the die's own count
    went on without them.
    """

    die: int
    line: DieLine | None = None
    throws: int | None = None
    battery_mv: int | None = None
    lost: bool = False
    heard_ms: int = 0
    repeats: int = 0
    missed: int = 0
    recent: tuple[DieLine, ...] = ()

    @property
    def state(self) -> str:
        """What the die does: one of FORMATS.md's states."""
        return "lost" if self.lost or self.line is None else self.line.state

    def heard(self, line: DieLine, now: int) -> "DieView":
        """The view after that line."""
        if line in self.recent:
            assert self.line is not None
            lost = self.line.state == "lost"
            return replace(self, lost=lost, heard_ms=now, repeats=self.repeats + 1)
        return replace(
            self,
            line=line,
            throws=self.throws if line.throws is None else line.throws,
            battery_mv=self.battery_mv if line.battery_mv is None else line.battery_mv,
            lost=line.state == "lost",
            heard_ms=self.heard_ms if line.state == "lost" else now,
            missed=self.missed + self._missed_before(line),
            recent=(*self.recent, line)[-_REMEMBERED:],
        )

    def _missed_before(self, line: DieLine) -> int:
        if self.throws is None or line.throws is None:
            return 0
        # A die that lost its power begins at 0 again.
        ahead = (line.throws - self.throws) % _THROWS
        return ahead - 1 if 1 < ahead < _THROWS // 2 else 0


class Roster:
    """Every die that was heard of."""

    def __init__(self) -> None:
        self._views: dict[int, DieView] = {}

    def __getitem__(self, die: int) -> DieView:
        """How that die is; one that was never heard is lost."""
        return self._views.get(die, DieView(die))

    @property
    def views(self) -> tuple[DieView, ...]:
        """All of them by their numbers."""
        return tuple(self._views[die] for die in sorted(self._views))

    def heard(self, line: DieLine, now: int) -> DieView:
        """Take a line in; how its die is now."""
        self._views[line.die] = self[line.die].heard(line, now)
        return self._views[line.die]

    def lost(self, die: int) -> DieView:
        """The die, or the hub with it, is out of hearing; how it is now."""
        self._views[die] = replace(self[die], lost=True)
        return self._views[die]
