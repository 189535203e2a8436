"""The conversation with the dice hub, pure: lines and time in, facts and replies out.

FORMATS.md, Serial lines. Owns what a repeated, late or lost report means, when the hub is
silent, and which dice are out of hearing. Knows no port and no thread (`urpi.devices.hub`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from urpi.devices.die_faces import DieFaces
from urpi.devices.hub_clock import HubClock
from urpi.devices.protocol import AckLine, AskLine, DieLine, HubLine, Line, LineCounts
from urpi.devices.protocol_constants import HEARTBEAT_MS, RANGES, VERSION
from urpi.referee.facts import Die

_SEQS: Final = RANGES["seq"][1] + 1
RADIO_ERROR: Final = "radio"
"""What a hub whose radio is dead says of itself (`protocol_constants.ERRORS`)."""
NO_LINES: Final = LineCounts()
_CHARGED_MV: Final = 100
"""A low battery is well again so far above the limit: a rested one recovers a little."""


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The limits: what counts as thrown, when the hub is silent, when a battery is low.

    A die was thrown when it passed `tumbles` faces or fell for `fall_ms`.
    """

    tumbles: int = 2
    fall_ms: int = 80
    silence_ms: int = 3 * HEARTBEAT_MS
    low_mv: int = 3300

    def thrown(self, line: DieLine) -> bool:
        """Whether the die of a report was thrown, rather than turned or slid by hand."""
        return (line.tumbles or 0) >= self.tumbles or (line.fall_ms or 0) >= self.fall_ms


@dataclass(frozen=True, slots=True)
class HubHealth:
    """The hub's health.

    `connected` is whether its port is open, `alive` whether it sent a heartbeat within the last
    `HubSettings.silence_ms`, and `radio_failed` whether it reports that its radio does not
    work. `proto`, `firmware` and `hub_id` come from its greeting. `dice` are the dice in radio
    range and `low` those with a low battery, in ascending order. `error` is the reason why the
    port is closed, empty while it is open. `counts` are the line reader's, `repeats` the number
    of reports received more than once.
    """

    connected: bool = False
    alive: bool = False
    radio_failed: bool = False
    port: str = ""
    proto: int | None = None
    firmware: str = ""
    hub_id: str = ""
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    error: str = ""
    repeats: int = 0
    counts: LineCounts = NO_LINES

    @property
    def available(self) -> bool:
        """Whether dice are heard through it."""
        return self.alive and not self.radio_failed

    @property
    def protocol_supported(self) -> bool:
        """Whether the hub's protocol is this program's; True before it has greeted."""
        return self.proto in {None, VERSION}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Facts to hand on, and then lines to send: a report is acknowledged when it is safe."""

    facts: tuple[Die, ...] = ()
    replies: tuple[Line, ...] = ()


class HubLink:
    """What is known of the hub and its dice. All times are ours, in whole milliseconds."""

    def __init__(self, faces: DieFaces, settings: HubSettings) -> None:
        self.health = HubHealth()
        self._faces, self._settings = faces, settings
        self._clock = HubClock()
        self._reports: dict[int, DieLine] = {}
        self._seqs: dict[int, int] = {}
        self._lost: set[int] = set()
        self._low: set[int] = set()
        self._heard_at = 0
        self._newest = 0
        self._greeted = False

    def on_open(self, port: str, now: int) -> Outcome:
        """The port is open: ask for everything."""
        self.health = replace(self.health, connected=True, port=port, error="")
        self._heard_at = self._newest = max(now, self._newest)
        self._greeted = False
        return Outcome(replies=(AskLine(),))

    def on_close(self, error: str, now: int) -> Outcome:
        """The port is gone, or could not be opened."""
        self.health = replace(self.health, connected=False, alive=False, error=error)
        return Outcome(self._lose(self._reports, now))

    def tick(self, now: int) -> Outcome:
        """Time went by: a hub that is silent for too long has lost its dice."""
        if not self.health.alive or now - self._heard_at < self._settings.silence_ms:
            return Outcome()
        self.health = replace(self.health, alive=False)
        return Outcome(self._lose(self._reports, now))

    def on_line(self, line: Line, now: int) -> Outcome:
        """A line came; those that only a hub is sent are passed over."""
        if isinstance(line, HubLine):
            return self._beat(line, now)
        return self._report(line, now) if isinstance(line, DieLine) else Outcome()

    def _beat(self, line: HubLine, now: int) -> Outcome:
        silent = not (self.health.alive and self._greeted)
        restarted = self._clock.on_heartbeat(line.t_ms, now, after_silence=silent)
        radio_failed = line.error == RADIO_ERROR
        back = silent or (self.health.radio_failed and not radio_failed)
        self._heard_at, self._greeted = now, True
        self.health = replace(
            self.health,
            alive=True,
            radio_failed=radio_failed,
            proto=line.proto,
            firmware=line.firmware,
            hub_id=line.hub_id,
        )
        if restarted:
            self._seqs.clear()
        facts = self._lose(self._reports, now) if restarted or radio_failed else ()
        # The first question may have gone to a boot loader, or into noise: ask once more.
        return Outcome(facts, (AskLine(),) if back or restarted else ())

    def _report(self, line: DieLine, now: int) -> Outcome:
        ack = (AckLine(line.seq),)
        known = self._reports.get(line.die)
        if line != known and self._is_late(line):
            self.health = replace(self.health, repeats=self.health.repeats + 1)
            return Outcome(replies=ack)
        self._reports[line.die] = line
        self._seqs[line.die] = line.seq
        if line == known:
            self.health = replace(self.health, repeats=self.health.repeats + 1)
        facts = self._facts(line, self._time(line, now), again=line == known)
        self._note_battery(line)
        self._note_dice()
        return Outcome(facts, ack)

    def _is_late(self, line: DieLine) -> bool:
        newest = self._seqs.get(line.die)
        return newest is not None and (line.seq - newest) % _SEQS >= _SEQS // 2

    def _facts(self, line: DieLine, t: int, *, again: bool) -> tuple[Die, ...]:
        if line.state == "lost":
            return self._lose([line.die], t)
        found = (Die(t, line.die, "found"),) if line.die in self._lost else ()
        self._lost.discard(line.die)
        if again or (found and line.state == "found"):
            return found
        return (*found, self._fact(line, t))

    def _fact(self, line: DieLine, t: int) -> Die:
        if line.state != "settled" or line.kind is None or line.face is None:
            return Die(t, line.die, line.state, angle=line.angle_deg)
        shown = self._faces.shown(line.die, line.kind, line.face)
        thrown = self._settings.thrown(line)
        return Die(
            t, line.die, "settled", shown, thrown, line.angle_deg, line.tumbles, line.fall_ms
        )

    def _lose(self, dice: Iterable[int], now: int) -> tuple[Die, ...]:
        lost = sorted(set(dice) - self._lost)
        self._lost.update(lost)
        self._newest = max(self._newest, now)
        self._note_dice()
        return tuple(Die(self._newest, die, "lost") for die in lost)

    def _time(self, line: DieLine, now: int) -> int:
        # Never before the port was open or before a fact that was told: time does not go back.
        self._newest = max(self._newest, self._clock.to_host_time(line.t_ms, now))
        return self._newest

    def _note_battery(self, line: DieLine) -> None:
        if line.battery_mv is None:
            return
        limit = self._settings.low_mv + (_CHARGED_MV if line.die in self._low else 0)
        (self._low.add if line.battery_mv < limit else self._low.discard)(line.die)

    def _note_dice(self) -> None:
        present = tuple(sorted(set(self._reports) - self._lost))
        self.health = replace(self.health, dice=present, low=tuple(sorted(self._low)))
