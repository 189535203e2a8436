"""The last known status of each die, from the hub's lines. Pure: lines in, views out."""

from dataclasses import dataclass, replace
from typing import Final

from urpi.hardware.protocol import DieLine

# The die counts its throws in 16 bits (FORMATS.md).
_THROWS: Final = 65536
_MAX_RECENT: Final = 8
"""Recent lines that are compared, to detect repeats of lines that were not acknowledged."""


@dataclass(frozen=True, slots=True)
class DieView:
    """The last known status of a die.

    `line` is the last new report, None before the first. `throws` and `battery_mv` are the last
    values reported. `lost` is whether the die is out of range. `received_ms` is the local time of
    its last line. `repeats` counts repeated lines. `missed` counts throws without a report,
    derived from the die's own count.
    """

    die: int
    line: DieLine | None = None
    throws: int | None = None
    battery_mv: int | None = None
    lost: bool = False
    received_ms: int = 0
    repeats: int = 0
    missed: int = 0
    recent: tuple[DieLine, ...] = ()

    @property
    def state(self) -> str:
        """The die's state, one of those in FORMATS.md."""
        return "lost" if self.lost or self.line is None else self.line.state

    def after(self, line: DieLine, now: int) -> "DieView":
        """The view after a line received at time `now`."""
        if line in self.recent:
            assert self.line is not None
            lost = self.line.state == "lost"
            return replace(self, lost=lost, received_ms=now, repeats=self.repeats + 1)
        return replace(
            self,
            line=line,
            throws=self.throws if line.throws is None else line.throws,
            battery_mv=self.battery_mv if line.battery_mv is None else line.battery_mv,
            lost=line.state == "lost",
            received_ms=self.received_ms if line.state == "lost" else now,
            missed=self.missed + self._missed_before(line),
            recent=(*self.recent, line)[-_MAX_RECENT:],
        )

    def _missed_before(self, line: DieLine) -> int:
        if self.throws is None or line.throws is None:
            return 0
        # A die that lost its power starts at 0 again, which must not count as missed throws.
        ahead = (line.throws - self.throws) % _THROWS
        return ahead - 1 if 1 < ahead < _THROWS // 2 else 0


class Roster:
    """The views of all dice that have reported."""

    def __init__(self) -> None:
        self._views: dict[int, DieView] = {}

    def __getitem__(self, die: int) -> DieView:
        """Return the view of a die; one that has never reported is lost."""
        return self._views.get(die, DieView(die))

    @property
    def views(self) -> tuple[DieView, ...]:
        """All views in the order of their numbers."""
        return tuple(self._views[die] for die in sorted(self._views))

    def on_line(self, line: DieLine, now: int) -> DieView:
        """Apply a line, and return the new view of its die."""
        self._views[line.die] = self[line.die].after(line, now)
        return self._views[line.die]

    def on_lost(self, die: int) -> DieView:
        """Mark a die as out of range, and return its new view."""
        self._views[die] = replace(self[die], lost=True)
        return self._views[die]
