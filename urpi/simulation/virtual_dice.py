"""Electronic dice: bodies that are picked up, roll, settle one after another, and tell of it.

They say what the firmware in a real die says (FORMATS.md, Serial lines): when they roll, what
lies up, how surely, how far they tumbled and fell. They know nothing of turns.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from urpi.devices.protocol_constants import ReportedState
from urpi.errors import UrpiError
from urpi.simulation.schedule import Schedule, Script

TIPS: Final = "gs--"
"""What the tips 1 to 4 of a tetrahedron show, unless a table is told otherwise."""
FACES_OF_D6: Final = "123456"


@dataclass(frozen=True, slots=True)
class DieReport:
    """What a die says: `state` as in FORMATS.md; the other values where its state has them.

    `throws` counts its throws, `face` is from 1 to `kind` (4 or 6), `angle_deg` how far it
    leans, `tumbles` faces passed, `fall_ms` its free fall, `battery_mv` its battery.
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
class DieLook:
    """How a die looks to whoever sees it: what its upper tip or face shows, and how it lies.

    It `moves` (in a hand, or rolling), or it `leans` on something, or it lies still.
    """

    face: str
    moves: bool = False
    leans: bool = False


@dataclass(slots=True)
class Body:
    """One die: which of its `kind` corners or faces is up (from 0), and what it calls each."""

    number: int
    kind: int
    up: int = 0
    throws: int = 0
    battery_mv: int = 3900
    lost: bool = False
    moves: bool = False
    leans: bool = False
    names: list[int] = field(default_factory=list)
    """The number that each corner or face was learnt as (`$CAL`)."""


class VirtualDice:
    """The dice of a table, numbered from 1. `shows` is a letter a face: what each shows."""

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
        self._bodies = {
            number: Body(number, len(shows), names=list(range(1, len(shows) + 1)))
            for number in range(1, count + 1)
        }

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._bodies)

    def check(self, die: int) -> None:
        """Nothing, when there is that die.

        Raises:
            UrpiError: when there is not.
        """
        self._body(die)

    def face(self, die: int) -> str:
        """What a die really shows."""
        return self.shows[self._body(die).up]

    def faces(self, dice: Iterable[int]) -> str:
        """What those dice really show, in that order."""
        return "".join(self.face(die) for die in dice)

    def look(self, die: int) -> DieLook:
        """How a die looks now."""
        body = self._body(die)
        return DieLook(self.shows[body.up], body.moves, body.leans)

    def replace_dice(self, count: int, shows: str) -> None:
        """Other dice take the place of these; nobody hears any more of those that go."""
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
        """Throw them together; the script ends when the last lies still.

        Those in `cocked` come to lean on something.
        """
        bodies = {die: self._body(die) for die in dice}
        for body in bodies.values():
            self._pick_up(body)
            yield self._rng.randint(0, 40)
        rolling = sorted((self._rng.randint(300, 1500), die) for die in bodies)
        passed_ms = 0
        for roll_ms, die in rolling:
            yield roll_ms - passed_ms
            passed_ms = roll_ms
            self._come_to_rest(bodies[die], leans=die in cocked)

    def turn_by_hand(self, die: int) -> Script:
        """Turn a die in the fingers to another face, without throwing it."""
        body = self._body(die)
        self._say(DieReport(die, "handled"), body)
        yield self._rng.randint(400, 1500)
        body.up = (body.up + self._rng.randint(1, body.kind - 1)) % body.kind
        self._settle(body, tumbles=1, fall_ms=0)

    def nudge(self, die: int) -> Script:
        """Bump a die that lies still; it stays on its face."""
        body = self._body(die)
        self._say(DieReport(die, "handled"), body)
        yield self._rng.randint(150, 600)
        self._settle(body, tumbles=0, fall_ms=0)

    def lay(self, die: int, corner: int) -> Script:
        """Put a die down by hand with that corner or face up, from 1: its own, not a learnt one.

        Raises:
            UrpiError: when there is no such die, or it has no such corner.
        """
        body = self._body(die)
        if not 1 <= corner <= body.kind:
            message = f"Die {die} has no corner {corner}; it has 1 to {body.kind}."
            raise UrpiError(message)
        self._say(DieReport(die, "handled"), body)
        yield self._rng.randint(400, 1500)
        body.up = corner - 1
        self._settle(body, tumbles=1, fall_ms=0)

    def disconnect(self, die: int) -> None:
        """The die falls silent: its battery, or the radio."""
        body = self._body(die)
        self._say(DieReport(die, "lost"), body)
        body.lost = True

    def reconnect(self, die: int) -> None:
        """The die is heard again."""
        body = self._body(die)
        body.lost = False
        self._say(DieReport(die, "found"), body)

    def calibrate(self, die: int, face: int) -> None:
        """What is up is to be called that face (`$CAL`); the two names change places.

        The die answers with what lies up by its new name; one that moves learns nothing.
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
        self._say(DieReport(body.number, "rolling", throws=body.throws), body)

    def _come_to_rest(self, body: Body, *, leans: bool) -> None:
        body.up = self._rng.randrange(body.kind)
        body.leans = leans
        if leans:
            angle_deg = self._rng.randint(12, 40)
            self._say(DieReport(body.number, "cocked", angle_deg=angle_deg), body)
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
        self._say(report, body)

    def _say(self, report: DieReport, body: Body) -> None:
        body.moves = report.state in {"rolling", "handled"}
        if not body.lost:
            self._report(report)
