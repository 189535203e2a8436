"""The last known status of each die, from the lines of a hub."""

from dataclasses import replace

from urpi.hardware.dice_source import DieStatus
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import HubHealth
from urpi.hardware.protocol import DieLine, Line


class DieStatuses:
    """The last report of each die. `on_line` is for the hub's thread; `statuses` is thread-safe."""

    def __init__(self, faces: DieFaces) -> None:
        self._faces = faces
        self._reports: dict[int, DieLine] = {}

    def on_line(self, line: Line) -> None:
        """Process a line. A face or battery voltage that it does not have keeps its last value."""
        if not isinstance(line, DieLine):
            return
        before = self._reports.get(line.die, line)
        if line.face is None:
            line = replace(line, face=before.face, kind=before.kind)
        if line.battery_mv is None:
            line = replace(line, battery_mv=before.battery_mv)
        self._reports[line.die] = line

    def statuses(self, hub: HubHealth) -> tuple[DieStatus, ...]:
        """Return the status of every die that has reported, by number."""
        return tuple(self._status(line, hub) for _, line in sorted(self._reports.copy().items()))

    def _status(self, line: DieLine, hub: HubHealth) -> DieStatus:
        known = line.face is not None and line.kind is not None
        face = self._faces.shown(line.die, line.kind or 0, line.face or 0) if known else ""
        return DieStatus(
            line.die,
            line.die in hub.dice and line.state != "lost",
            face,
            line.battery_mv or 0,
            low=line.die in hub.low,
            error=line.error or "",
        )
