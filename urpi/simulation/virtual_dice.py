"""Simulated electronic dice, which are thrown, come to rest one by one, and send reports.

Their reports are those of a real die's firmware (FORMATS.md, Serial lines): rolling, the face up,
the angle, tumbles and fall. They know nothing of turns.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol, TypeAlias

from urpi.core.errors import UrpiError
from urpi.hardware.protocol_constants import ReportedState
from urpi.simulation.schedule import Schedule, Script

TIPS: Final = "gs--"
"""What the tips 1 to 4 of a tetrahedron show by default."""
FACES_OF_D6: Final = "123456"


@dataclass(frozen=True, slots=True)
class DieReport:
    """A report of a die. `state` and the fields that it has are those of FORMATS.md.

    Attributes:
        die: The number of the die, from 1.
        state: Such as ``rolling`` or ``settled``.
        throws: The number of its throws, modulo 65536.
        kind: The number of its faces, 4 or 6.
        face: The face up, from 1 to `kind`.
        angle_deg: The angle by which it leans.
        tumbles: The number of faces that it tumbled over.
        fall_ms: The duration of its free fall.
        battery_mv: The voltage of its battery.
    """

    die: int
    state: ReportedState
    throws: int | None = None
    kind: int | None = None
    face: int | None = None
    angle_deg: int | None = None
    tumbles: int | None = None
    fall_ms: int | None = None
    battery_mv: int | None = None


DieSink: TypeAlias = Callable[[DieReport], None]


@dataclass(frozen=True, slots=True)
class DieAppearance:
    """How a die looks to a player: what its upper tip or face shows, and how it lies.

    It `moves` (in a hand, or rolling), `leans` on something, or lies still.
    """

    face: str
    moves: bool = False
    leans: bool = False


@dataclass(slots=True)
class Body:
    """One die: which of its `kind` corners or faces is up, from 0, and the numbers of each."""

    number: int
    kind: int
    up: int = 0
    throws: int = 0
    battery_mv: int = 3900
    lost: bool = False
    moves: bool = False
    leans: bool = False
    names: list[int] = field(default_factory=list)
    """The number that each corner or face was calibrated as (`$CAL`)."""
    motion: DieReport | None = None
    """The last report of its motion, None before the first one."""


class TableDice(Protocol):
    """Dice that players handle, numbered from 1. What they truly show can be read."""

    @property
    def count(self) -> int:
        """The number of dice."""

    def check(self, die: int) -> None:
        """Check that a die exists, and raise an `UrpiError` if not."""

    def throw(self, dice: Collection[int], cocked: Collection[int] = ()) -> Script:
        """Throw dice together until all lie still; those in `cocked` lean then."""

    def prepare(self, faces: str) -> None:
        """Let thrown dice come to rest with these faces, one letter for each; empty for chance.

        Raises:
            UrpiError: If these dice cannot be prepared.
        """

    def turn_by_hand(self, die: int) -> Script:
        """Turn a die to another face by hand."""

    def nudge(self, die: int) -> Script:
        """Bump a die that lies still; it stays on its face."""

    def disconnect(self, die: int) -> None:
        """Disconnect a die: the hub receives no reports of it."""

    def reconnect(self, die: int) -> None:
        """Connect a die again."""

    def faces(self, dice: Iterable[int]) -> str:
        """Return what some dice show, in their order: ``g``, ``s``, ``-``, or ``1`` to ``6``."""

    def appearance(self, die: int) -> DieAppearance:
        """Return how a die looks now."""


class VirtualDice(TableDice):
    """Python dice. `shows` has one letter for each face."""

    def __init__(
        self,
        schedule: Schedule,
        rng: Random,
        report: DieSink,
        *,
        count: int,
        shows: str = TIPS,
    ) -> None:
        self.shows = shows
        self._schedule = schedule
        self._rng = rng
        self._report = report
        self._prepared = ""
        self._bodies = {
            number: Body(number, len(shows), names=list(range(1, len(shows) + 1)))
            for number in range(1, count + 1)
        }

    @property
    def count(self) -> int:
        return len(self._bodies)

    def check(self, die: int) -> None:
        self._body(die)

    def face(self, die: int) -> str:
        """Return what a die really shows."""
        return self.shows[self._body(die).up]

    def faces(self, dice: Iterable[int]) -> str:
        return "".join(self.face(die) for die in dice)

    def appearance(self, die: int) -> DieAppearance:
        body = self._body(die)
        return DieAppearance(self.shows[body.up], body.moves, body.leans)

    def motion(self, die: int) -> DieReport:
        """Return the last report of a die's motion, even if the die was out of range."""
        body = self._body(die)
        resting = DieReport(die, "settled", kind=body.kind, face=body.names[body.up], tumbles=0)
        return body.motion or resting

    def prepare(self, faces: str) -> None:
        self._prepared = faces

    def replace_dice(self, count: int, shows: str) -> None:
        """Replace the dice. Those beyond `count` report that they are lost."""
        for body in self._bodies.values():
            if body.number > count:
                self.disconnect(body.number)
            body.lost = True
        self.shows = shows
        self._bodies = {
            number: Body(number, len(shows), names=list(range(1, len(shows) + 1)))
            for number in range(1, count + 1)
        }

    def throw(self, dice: Collection[int], cocked: Collection[int] = ()) -> Script:
        bodies = {die: self._body(die) for die in dice}
        for body in bodies.values():
            self._pick_up(body)
            yield self._rng.randint(0, 40)
        # In the order in which they come to rest, which differs from that of the throw.
        rolling = sorted((self._rng.randint(300, 1500), die) for die in bodies)
        passed_ms = 0
        for roll_ms, die in rolling:
            yield roll_ms - passed_ms
            passed_ms = roll_ms
            self._come_to_rest(bodies[die], leans=die in cocked)

    def turn_by_hand(self, die: int) -> Script:
        body = self._body(die)
        self._send(DieReport(die, "handled"), body)
        yield self._rng.randint(400, 1500)
        body.up = (body.up + self._rng.randint(1, body.kind - 1)) % body.kind
        self._settle(body, tumbles=1, fall_ms=0)

    def nudge(self, die: int) -> Script:
        body = self._body(die)
        self._send(DieReport(die, "handled"), body)
        yield self._rng.randint(150, 600)
        self._settle(body, tumbles=0, fall_ms=0)

    def lay(self, die: int, corner: int) -> Script:
        """Put a die down by hand with a corner or face up.

        Args:
            die: The number of the die.
            corner: The corner or face, from 1; not the number that it was calibrated as.

        Raises:
            UrpiError: If there is no such die or corner.
        """
        body = self._body(die)
        if not 1 <= corner <= body.kind:
            message = f"Die {die} has no corner {corner}; it has 1 to {body.kind}."
            raise UrpiError(message)
        self._send(DieReport(die, "handled"), body)
        yield self._rng.randint(400, 1500)
        body.up = corner - 1
        self._settle(body, tumbles=1, fall_ms=0)

    def disconnect(self, die: int) -> None:
        """Disconnect a die: its battery is empty, or it is out of radio range."""
        body = self._body(die)
        self._send(DieReport(die, "lost"), body)
        body.lost = True

    def reconnect(self, die: int) -> None:
        body = self._body(die)
        body.lost = False
        self._send(DieReport(die, "found"), body)

    def calibrate(self, die: int, face: int) -> None:
        """Number the corner that is up as `face` (`$CAL`); the two corners exchange numbers.

        The die replies with a report of its new number. One that moves ignores the command.
        """
        body = self._bodies.get(die)
        if body is None or body.moves or not 1 <= face <= body.kind:
            return
        other = body.names.index(face)
        body.names[other], body.names[body.up] = body.names[body.up], face
        self._settle(body, tumbles=0, fall_ms=0)

    def _body(self, die: int) -> Body:
        if die not in self._bodies:
            message = f"There is no die {die}; this table's dice are 1 to {len(self._bodies)}."
            raise UrpiError(message)
        return self._bodies[die]

    def _pick_up(self, body: Body) -> None:
        body.throws = (body.throws + 1) % 65536
        body.leans = False
        self._send(DieReport(body.number, "rolling", throws=body.throws), body)

    def _come_to_rest(self, body: Body, *, leans: bool) -> None:
        face = self._prepared[body.number - 1 : body.number]
        body.up = self.shows.index(face) if face else self._rng.randrange(body.kind)
        body.leans = leans
        if leans:
            angle_deg = self._rng.randint(12, 40)
            self._send(DieReport(body.number, "cocked", angle_deg=angle_deg), body)
        else:
            self._settle(body, self._rng.randint(2, 12), self._rng.randint(80, 300))

    def _settle(self, body: Body, tumbles: int, fall_ms: int) -> None:
        body.leans = False
        report = DieReport(
            body.number,
            "settled",
            body.throws,
            body.kind,
            body.names[body.up],
            self._rng.randint(0, 4),
            tumbles,
            fall_ms,
            body.battery_mv,
        )
        self._send(report, body)

    def _send(self, report: DieReport, body: Body) -> None:
        body.moves = report.state in {"rolling", "handled"}
        if report.state not in {"lost", "found"}:
            body.motion = report
        if not body.lost:
            self._report(report)
