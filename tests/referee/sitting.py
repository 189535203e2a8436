"""Tables of acts: what hands do and when, played to the referee over one transport.

The tables are text; several of them make a file in `tables/`::

    the name of the behaviour
      finkel A1:L,A4:L,B2:D L5D6 L0D0 L   throws gs--
         0  lift B2
       400  lift A1
       900  put B2            > move A1xB2
      3000  .
      or polled-20 clumped: seems A1xB2

A row consists of a time in milliseconds, where 0 is 300 ms after the throw; the acts at that
time; and after ``>`` the decisions, as `Desk.pop_decisions` returns them, that are expected until
the time of the next row. With ``(engine)`` after the faces, the engine has both seats. The acts
are ``lift`` and ``put`` with squares; ``knock`` with a duration in milliseconds and the squares
that open for it; ``throw`` with faces; ``die`` with its number and state; ``chute`` with a side;
``press`` with a side and a press; ``answer`` with a move; ``plan`` with the engine's move, ``none``
if it has failed; ``unreported lift`` and ``unreported put``, whose edges are lost; and ``read``, a
full reading.

``or`` names transports with which other decisions are correct as well. ``xfail:`` describes what
the referee does not do yet. A line that begins with ``--`` is a comment.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.referee.playing import Desk
from tools.bench.transports import READING_MS, transport
from urpi.referee import next_due
from urpi.referee.facts import Answer, Button, Chute, Die, Edge, Fact, Occupancy, Plan, Time
from urpi.referee.state import GameState
from urpi.rules import Side, parse_square, squares_of
from urpi.simulation import Schedule
from urpi.simulation.reeds import Bounce, Reeds

TABLES = Path(__file__).parent / "tables"
AFTER_MS = 30_000
"""Time after the table's end by which decisions may come if edges are lost."""
ENGINE = " (engine)"
ROLL_MS = (400, 500, 600, 700, 800)
"""Times after which the dice of a throw settle, one by one."""


@dataclass(frozen=True, slots=True)
class Row:
    """The acts at a time, and the decisions expected until the next row."""

    t: int
    acts: tuple[str, ...]
    decisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A named table. `others` are other correct decisions, by transport."""

    name: str
    position: str
    faces: str
    engine: bool
    rows: tuple[Row, ...]
    others: dict[str, list[list[str]]] = field(default_factory=dict)
    not_yet: str = ""

    @property
    def decisions(self) -> list[str]:
        """The expected decisions, in order."""
        return [one for row in self.rows for one in row.decisions]

    def correct(self, transport_name: str) -> list[list[str]]:
        """Return every correct list of decisions with a transport."""
        return [self.decisions, *self.others.get(transport_name, [])]

    def windows(self) -> list[tuple[int, int]]:
        """Return the earliest and the latest time of each expected decision."""
        ends = [row.t for row in self.rows[1:]] + [self.rows[-1].t]
        return [
            (row.t, end) for row, end in zip(self.rows, ends, strict=True) for _ in row.decisions
        ]


def behaviours() -> dict[str, Behaviour]:
    """Return every table of every file by its name."""
    found: dict[str, Behaviour] = {}
    for path in sorted(TABLES.glob("*.txt")):
        for text in path.read_text("utf-8").split("\n\n"):
            lines = [line for line in text.splitlines() if not line.strip().startswith("--")]
            if lines:
                behaviour = _behaviour(lines)
                assert behaviour.name not in found, f"{path.name}: {behaviour.name} occurs twice"
                found[behaviour.name] = behaviour
    return found


def _behaviour(lines: list[str]) -> Behaviour:
    name, begins, *rest = (line.strip() for line in lines)
    position, _, faces = begins.partition(" throws ")
    engine = faces.endswith(ENGINE)
    faces = faces.removesuffix(ENGINE)
    rows = tuple(_row(line) for line in rest if line[0].isdigit())
    others: dict[str, list[list[str]]] = {}
    not_yet = ""
    for line in rest:
        head, _, text = line.partition(":")
        if head == "xfail":
            not_yet = text.strip()
        for each in head.split()[1:] if head.startswith("or ") else ():
            others.setdefault(each, []).append(_items(text))
    return Behaviour(name, position.strip(), faces.strip(), engine, rows, others, not_yet)


def _row(line: str) -> Row:
    left, _, decisions = line.partition(">")
    t, _, acts = left.partition(" ")
    return Row(int(t), tuple(act for act in _items(acts) if act != "."), tuple(_items(decisions)))


def _items(text: str) -> list[str]:
    return [each.strip() for each in text.split(";") if each.strip()]


class Sitting:
    """A table being played: hands and switches on a schedule, a transport, and the referee.

    `decided` are the decisions with their times, in the table's time.
    """

    def __init__(self, behaviour: Behaviour, transport_name: str, seed: int) -> None:
        self._behaviour = behaviour
        self._desk = Desk.at(behaviour.position, engine=behaviour.engine).wait(300)
        if behaviour.faces:
            self._desk.throw(behaviour.faces).wait(300)
        self._desk.pop_decisions()
        self._begun = self._desk.t
        self.decided: list[tuple[int, str]] = []
        self._schedule = Schedule(self._begun)
        self._occupied = self._desk.state.contacts.raw
        rng = Random(f"{behaviour.name} {transport_name} {seed}")
        self._transport = transport(transport_name)(self._schedule, rng, self._edge, self._occupied)
        self._unreported_squares: set[int] = set()
        self._reeds = Reeds(self._schedule, rng, self._on_switch, Bounce())
        self._reeds.set_at_rest(self._occupied)
        self._lossy = transport_name == "lossy"
        self._repeats = transport_name == "repeated"

    def play(self) -> list[tuple[int, str]]:
        """Play the table to its end, and return the decisions with their times."""
        end = self._begun + self._behaviour.rows[-1].t + self._lossy * AFTER_MS
        for row in self._behaviour.rows:
            for act in row.acts:
                self._schedule.at(self._begun + row.t, self._act(act))
        if self._lossy:
            for t in range(self._begun, end, READING_MS):
                self._schedule.at(t, self._read)
        self._run_until(end)
        return self.decided

    def _run_until(self, end: int) -> None:
        while True:
            due, happens = next_due(self._desk.state), self._schedule.next_due
            first = min(t for t in (due, happens, end) if t is not None)
            if first == happens and first <= end and (due is None or happens <= due):
                self._schedule.run_next()
            elif due is not None and first == due:
                self._schedule.advance(due)
                self._do(Time(due))
            else:
                self._do(Time(end))
                return

    def _act(self, act: str) -> Callable[[], None]:
        verb, *words = act.split()
        return lambda: getattr(self, f"_{verb}")(*words)

    def _lift(self, *squares: str) -> None:
        self._occupied &= ~squares_of(map(parse_square, squares))
        self._reeds.follow(self._occupied)

    def _put(self, *squares: str) -> None:
        self._occupied |= squares_of(map(parse_square, squares))
        self._reeds.follow(self._occupied)

    def _unreported(self, verb: str, *squares: str) -> None:
        self._unreported_squares.update(map(parse_square, squares))
        getattr(self, f"_{verb}")(*squares)

    def _knock(self, open_ms: str, *squares: str) -> None:
        for square in squares:
            self._reeds.knock(parse_square(square), 0, int(open_ms))

    def _throw(self, faces: str) -> None:
        for die, face in enumerate(faces, 1):
            self._report_die(die, "rolling")
            self._schedule.after(ROLL_MS[die - 1], self._settling(die, face))

    def _settling(self, die: int, face: str) -> Callable[[], None]:
        return lambda: self._report_die(die, "settled", face, True)

    def _die(self, die: str, state: str) -> None:
        self._report_die(int(die), state)

    def _chute(self, side: str) -> None:
        self._do(Chute(self._schedule.now, Side(side)))

    def _answer(self, move: str) -> None:
        self._do(Answer(self._schedule.now, move))

    def _plan(self, move: str) -> None:
        assert isinstance(self._desk.state, GameState)
        side = self._desk.state.side
        assert side is not None
        self._do(Plan(self._schedule.now, side, None if move == "none" else move))

    def _press(self, side: str, press: str) -> None:
        self._do(Button(self._schedule.now, Side(side), press))

    def _on_switch(self, square: int, on: bool) -> None:
        if square not in self._unreported_squares:
            self._transport(square, on)

    def _read(self) -> None:
        self._unreported_squares.clear()
        self._do(Occupancy(self._schedule.now, self._reeds.levels))

    def _report_die(self, *values: object) -> None:
        for _ in range(1 + self._repeats):
            self._do(Die(self._schedule.now, *values))

    def _edge(self, t: int, square: int, on: bool) -> None:
        # A delayed edge is older than the referee's clock.
        self._do(Edge(max(t, self._desk.state.t), square, on))

    def _do(self, fact: Fact) -> None:
        times = [one.t - self._begun for one in self._desk.do(fact)]
        self.decided.extend(zip(times, self._desk.pop_decisions(), strict=True))
