"""The dice at a board as they last told of themselves, for the menu's page of them."""

from dataclasses import replace

from urpi.devices import DieFaces, DieLine, HubHealth, Line
from urpi.menu import DieSeen


class DiceHeard:
    """Keeps every die's newest report; `heard` in the hub's thread, `seen` in any."""

    def __init__(self, faces: DieFaces) -> None:
        self._faces = faces
        self._reports: dict[int, DieLine] = {}

    def heard(self, line: Line) -> None:
        """A line of the hub's. What a die does not say again still holds."""
        if not isinstance(line, DieLine):
            return
        before = self._reports.get(line.die, line)
        if line.face is None:
            line = replace(line, face=before.face, kind=before.kind)
        if line.battery_mv is None:
            line = replace(line, battery_mv=before.battery_mv)
        self._reports[line.die] = line

    def seen(self, hub: HubHealth) -> tuple[DieSeen, ...]:
        """Every die that has been heard, in the order of their numbers."""
        return tuple(self._seen(line, hub) for _, line in sorted(self._reports.copy().items()))

    def _seen(self, line: DieLine, hub: HubHealth) -> DieSeen:
        known = line.face is not None and line.kind is not None
        face = self._faces.shown(line.die, line.kind or 0, line.face or 0) if known else ""
        return DieSeen(
            line.die,
            line.die in hub.dice and line.state != "lost",
            face,
            line.battery_mv or 0,
            low=line.die in hub.low,
            fault=line.error or "",
        )
