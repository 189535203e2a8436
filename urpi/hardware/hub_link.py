"""The host's side of the serial protocol: lines and time in, facts and replies out. Pure.

FORMATS.md, Serial lines. This module decides which reports are repeated or late, when the hub
counts as silent, which dice are lost, and what is known of each. Port and thread are in
`urpi.hardware.hub`.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from urpi.hardware.die_faces import DieFaces
from urpi.hardware.protocol import AckLine, AskLine, DieLine, HubLine, Line, LineCounts
from urpi.hardware.protocol_constants import HEARTBEAT_MS, RANGES, VERSION
from urpi.hardware.throw_evidence import Strictness, angle_of, evidence_of, motion_refusal
from urpi.referee.facts import Die, NotThrown
from urpi.show.menu.status import DieStatus

_SEQS: Final = RANGES["seq"][1] + 1
RADIO_ERROR: Final = "radio"
"""The error that a hub reports if its radio does not work (`protocol_constants.ERRORS`)."""
TWIN_ERROR: Final = "twin"
NO_LINES: Final = LineCounts()
_CHARGED_MV: Final = 100
"""Millivolts above the limit at which a battery is no longer low: it recovers a little at rest."""
BEATS: Final = 32
"""Number of heartbeats kept. At one per second, clocks 100 ppm apart drift 3 ms in that time."""
WRAP: Final = 1 << 32
"""The hub's time wraps to 0 at this number of milliseconds."""
JUMP_MS: Final = 2000
DRIFT: Final = 100
"""After a silence, the hub has restarted if its time is off by more than `JUMP_MS` plus one part
in `DRIFT` of the silence. No hub's clock is that inaccurate."""


class HubClock:
    """The offset from the hub's time to the host's, estimated from the heartbeats.

    The hub counts milliseconds from its start, mod 2^32 (49.7 days), by its own quartz. Heartbeats
    can arrive late, but never early: the smallest offset of the recent ones is the most accurate.
    Keeping only recent ones lets the offset follow the drift between the clocks.
    """

    def __init__(self) -> None:
        self._offsets: deque[int] = deque(maxlen=BEATS)
        self._hub_ms = 0
        self._heartbeat_at = 0

    def on_heartbeat(self, hub_ms: int, now: int, *, after_silence: bool = False) -> bool:
        """Add a heartbeat, and return whether the hub has restarted since the last one.

        Args:
            hub_ms: The hub's time.
            now: The host's time in milliseconds.
            after_silence: Whether the connection was interrupted; by default it was not. The hub
                has then restarted not only if its time went back, but also if it advanced by too
                little.
        """
        restarted = bool(self._offsets) and self._has_restarted(hub_ms, now, after_silence)
        if restarted:
            self._offsets.clear()
        self._hub_ms = self._unwrapped(hub_ms) if self._offsets else hub_ms
        self._heartbeat_at = now
        self._offsets.append(now - self._hub_ms)
        return restarted

    def to_host_time(self, hub_ms: int, now: int) -> int:
        """Convert the hub's time to the host's, at most `now`.

        Before the first heartbeat the result is `now`.
        """
        if not self._offsets:
            return now
        return min(now, self._unwrapped(hub_ms) + min(self._offsets))

    def _has_restarted(self, hub_ms: int, now: int, after_silence: bool) -> bool:
        hub = self._unwrapped(hub_ms)
        if hub < self._hub_ms:
            return True
        missing = abs((now - hub) - min(self._offsets))
        return after_silence and missing > JUMP_MS + (now - self._heartbeat_at) // DRIFT

    def _unwrapped(self, hub_ms: int) -> int:
        # Less than half a turn ahead is later; more is a time before the last heartbeat.
        ahead = (hub_ms - self._hub_ms) % WRAP
        return self._hub_ms + (ahead if ahead < WRAP // 2 else ahead - WRAP)


@dataclass(frozen=True, slots=True)
class HubSettings:
    """The limits for throws, silence and batteries.

    A die sends evidence, by which a table of this `strictness` decides whether it was thrown. One
    with older firmware decides itself; one from before the verdict was thrown if it tumbled over at
    least `tumbles` faces or fell for at least `fall_ms` milliseconds. The hub
    is silent after `silence_ms` without a heartbeat. A battery is low below `low_mv`.

    `silence_ms` defaults to three heartbeats, so that one or two may be lost.
    """

    tumbles: int = 2
    fall_ms: int = 80
    silence_ms: int = 3 * HEARTBEAT_MS
    low_mv: int = 3300
    strictness: Strictness = "home"

    def thrown(self, line: DieLine) -> bool:
        """Return whether a report's die was thrown rather than placed or moved by hand."""
        evidence = evidence_of(line)
        if evidence is not None:
            return evidence.is_throw(self.strictness)
        if line.thrown is not None:
            return line.thrown == 1
        return (line.tumbles or 0) >= self.tumbles or (line.fall_ms or 0) >= self.fall_ms

    def why(self, line: DieLine) -> NotThrown | None:
        """Return why a settled die was not thrown, None if it was, or if the reason is unknown."""
        if line.state != "settled" or self.thrown(line):
            return None
        evidence = evidence_of(line)
        return evidence.refusal(self.strictness) if evidence else motion_refusal(line)


@dataclass(frozen=True, slots=True)
class HubHealth:
    """The hub's health.

    `connected` is whether its port is open, `alive` whether it sent a heartbeat within the last
    `HubSettings.silence_ms`, and `radio_failed` whether it reports that its radio does not
    work. `proto`, `firmware` and `hub_id` come from its greeting, and `authenticates`, whether it
    verifies the dice's signatures. `dice` are the dice in radio
    range, `low` those with a low battery and `twins` the numbers that two dice have, in ascending
    order. `error` is the reason why the port is closed, empty while it is open. `counts` are the
    line reader's, `repeats` the number of reports received more than once.
    """

    connected: bool = False
    alive: bool = False
    radio_failed: bool = False
    port: str = ""
    proto: int | None = None
    firmware: str = ""
    hub_id: str = ""
    authenticates: bool = False
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    twins: tuple[int, ...] = ()
    error: str = ""
    repeats: int = 0
    counts: LineCounts = NO_LINES

    @property
    def available(self) -> bool:
        """Whether the hub receives dice: it responds, and its radio works."""
        return self.alive and not self.radio_failed

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The name of this source if it is unavailable."""
        return () if self.available else ("hub",)

    @property
    def protocol_supported(self) -> bool:
        """Whether the hub's protocol version is supported; True before its greeting."""
        return self.proto in {None, VERSION}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Facts to deliver, and then lines to send.

    The order matters: a report must not be acknowledged before its fact is delivered.
    """

    facts: tuple[Die, ...] = ()
    replies: tuple[Line, ...] = ()


class HubLink:
    """The state of the connection with the hub. Times are the host's, in whole milliseconds."""

    def __init__(self, faces: DieFaces, settings: HubSettings) -> None:
        self.health = HubHealth()
        self._faces, self._settings = faces, settings
        self._clock = HubClock()
        self._reports: dict[int, DieLine] = {}
        self._seqs: dict[int, int] = {}
        self._throws: dict[int, int] = {}
        self._lost: set[int] = set()
        self._low: set[int] = set()
        self._twins: set[int] = set()
        self._heartbeat_at = 0
        self._last_fact_at = 0
        self._greeted = False

    def suppose_throws(self, die: int, throws: int) -> None:
        """Take a die's count of throws as known, unless it has reported one."""
        self._throws.setdefault(die, throws)

    def on_open(self, port: str, now: int) -> Outcome:
        """Process the opening of the port: request the greeting and every die's last report."""
        self.health = replace(self.health, connected=True, port=port, error="")
        self._heartbeat_at = self._last_fact_at = max(now, self._last_fact_at)
        self._greeted = False
        return Outcome(replies=(AskLine(),))

    def on_close(self, error: str, now: int) -> Outcome:
        """Process that the port closed or could not be opened; `error` is the reason."""
        self.health = replace(self.health, connected=False, alive=False, error=error)
        return Outcome(self._lose(self._reports, now))

    def tick(self, now: int) -> Outcome:
        """Process elapsed time: all dice are lost if the hub has been silent for too long."""
        if not self.health.alive or now - self._heartbeat_at < self._settings.silence_ms:
            return Outcome()
        self.health = replace(self.health, alive=False)
        return Outcome(self._lose(self._reports, now))

    def on_line(self, line: Line, now: int) -> Outcome:
        """Process a received line. Lines for the hub are ignored."""
        if isinstance(line, HubLine):
            return self._on_heartbeat(line, now)
        return self._on_report(line, now) if isinstance(line, DieLine) else Outcome()

    def _on_heartbeat(self, line: HubLine, now: int) -> Outcome:
        # The first heartbeat after opening counts as recovered, even if a report came before it.
        silent = not (self.health.alive and self._greeted)
        # A hub whose power failed between two heartbeats is noticed only by its time.
        restarted = self._clock.on_heartbeat(line.t_ms, now, after_silence=silent)
        radio_failed = line.error == RADIO_ERROR
        recovered = silent or (self.health.radio_failed and not radio_failed)
        self._heartbeat_at, self._greeted = now, True
        self.health = replace(
            self.health,
            alive=True,
            radio_failed=radio_failed,
            proto=line.proto,
            firmware=line.firmware,
            hub_id=line.hub_id,
            authenticates=line.authenticates == 1,
        )
        if restarted:
            # A hub that starts again numbers its reports from the beginning.
            self._seqs.clear()
        facts = self._lose(self._reports, now) if restarted or radio_failed else ()
        # The request sent on opening may have been lost to the boot loader: repeat it.
        return Outcome(facts, (AskLine(),) if recovered or restarted else ())

    def _on_report(self, line: DieLine, now: int) -> Outcome:
        # Every report is acknowledged, also a late one: otherwise the hub would repeat it forever.
        ack = (AckLine(line.seq),)
        known = self._reports.get(line.die)
        # An identical line may be a reply to a request for the last reports, which has its old
        # number.
        if line != known and self._is_late(line):
            self.health = replace(self.health, repeats=self.health.repeats + 1)
            return Outcome(replies=ack)
        # A report that comes again confirms that the die is still there, and nothing else: its
        # acknowledgement was lost, or the hub answers a request for all last reports.
        self._reports[line.die] = line
        self._seqs[line.die] = line.seq
        if line == known:
            self.health = replace(self.health, repeats=self.health.repeats + 1)
        facts = self._facts(line, self._fact_time(line, now), again=line == known)
        if line.throws is not None:
            self._throws[line.die] = line.throws
        self._update_battery(line)
        (self._twins.add if line.error == TWIN_ERROR else self._twins.discard)(line.die)
        self._update_dice()
        return Outcome(facts, ack)

    def _is_late(self, line: DieLine) -> bool:
        # Sequence numbers wrap: a number in the half turn before the newest one is an older one.
        newest = self._seqs.get(line.die)
        return newest is not None and (line.seq - newest) % _SEQS >= _SEQS // 2

    def _facts(self, line: DieLine, t: int, *, again: bool) -> tuple[Die, ...]:
        if line.state == "lost":
            return self._lose([line.die], t)
        found = (Die(t, line.die, "found"),) if line.die in self._lost else ()
        self._lost.discard(line.die)
        # A repeated report of a lost die adds only that the die is found.
        if again or (found and line.state == "found"):
            return found
        if self._has_rolled_unseen(line):
            # The referee counts only a die that rolled, so the missing report is supplied.
            return (*found, Die(t, line.die, "rolling"), self._fact(line, t))
        return (*found, self._fact(line, t))

    def _has_rolled_unseen(self, line: DieLine) -> bool:
        """Return whether the first report of a throw was missed, by the die's count of throws.

        The face alone is not sufficient: a thrown die may show the same face again, and a restarted
        hub repeats the old result.
        """
        known = self._throws.get(line.die)
        return (
            line.state == "settled"
            and self._settings.thrown(line)
            and None not in {known, line.throws}
            and line.throws != known
        )

    def _fact(self, line: DieLine, t: int) -> Die:
        if line.state != "settled" or line.kind is None or line.face is None:
            return Die(t, line.die, line.state, angle=line.angle_deg)
        shown = self._faces.shown(line.die, line.kind, line.face)
        thrown, evidence = self._settings.thrown(line), evidence_of(line)
        passed = line.tumbles if evidence is None else evidence.edges
        why = self._settings.why(line)
        return Die(t, line.die, "settled", shown, thrown, angle_of(line), passed, line.fall_ms, why)

    def _lose(self, dice: Iterable[int], now: int) -> tuple[Die, ...]:
        # A die is reported lost once, until it has been found.
        lost = sorted(set(dice) - self._lost)
        self._lost.update(lost)
        self._last_fact_at = max(self._last_fact_at, now)
        self._update_dice()
        return tuple(Die(self._last_fact_at, die, "lost") for die in lost)

    def _fact_time(self, line: DieLine, now: int) -> int:
        # The times of facts must not decrease, nor precede the opening of the port.
        self._last_fact_at = max(self._last_fact_at, self._clock.to_host_time(line.t_ms, now))
        return self._last_fact_at

    def _update_battery(self, line: DieLine) -> None:
        if line.battery_mv is None:
            return
        # Hysteresis: without it, a battery near the limit would switch the warning on and off.
        limit = self._settings.low_mv + (_CHARGED_MV if line.die in self._low else 0)
        (self._low.add if line.battery_mv < limit else self._low.discard)(line.die)

    def _update_dice(self) -> None:
        present = tuple(sorted(set(self._reports) - self._lost))
        self.health = replace(
            self.health,
            dice=present,
            low=tuple(sorted(self._low)),
            twins=tuple(sorted(self._twins)),
        )


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
