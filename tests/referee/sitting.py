"""A sitting: a table of what hands do and when, played through one transport to the referee.

A table of acts is text, and many make a file in `tables/`::

    the name of the behaviour
      finkel A1:L,A4:L,B2:D L5D6 L0D0 L   throws gs--
         0  lift B2
       400  lift A1
       900  put B2            > move A1xB2
      3000  .
      or polled-20 clumped: seems A1xB2

A row is its time in milliseconds, 300 ms after the throw being 0; what happens then; and
behind ``>`` the news, in `Desk`'s words, from then on until the next row's time. What happens:
``lift`` and ``put`` with squares, ``knock`` with milliseconds and squares that jump for so
long, ``throw`` with faces, ``die`` with its number and state, ``chute`` with a side, ``press``
with a side and how, ``answer`` with a move, ``unheard lift`` and ``unheard put``, whose edges are
lost, and ``read``, a full reading of the board.

``or`` names transports and news that come just as rightly there. ``xfail:`` says what the
referee does not do yet. A line that begins with ``--`` is a remark.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.referee.playing import Desk
from urpi.bench.transports import READING_MS, transport
from urpi.referee import next_due
from urpi.referee.facts import Answer, Button, Chute, Die, Edge, Occupancy, Time
from urpi.rules import Side, parse_square, squares_of
from urpi.simulation import Schedule
from urpi.simulation.reeds import Bounce, Reeds

TABLES = Path(__file__).parent / "tables"
AFTER_MS = 30_000
"""Where edges are lost the news may come so long after the table's end."""
ROLL_MS = (400, 500, 600, 700, 800)
"""After so long the dice of a throw settle, one by one."""


@dataclass(frozen=True, slots=True)
class Row:
    """What happens at a time, and the news that it makes until the next row."""

    t: int
    acts: tuple[str, ...]
    news: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A named table. `others` are what the news may be as well, by transport."""

    name: str
    position: str
    faces: str
    rows: tuple[Row, ...]
    others: dict[str, list[list[str]]] = field(default_factory=dict)
    not_yet: str = ""

    @property
    def news(self) -> list[str]:
        """All that is to be told, in order."""
        return [one for row in self.rows for one in row.news]

    def right(self, transport_name: str) -> list[list[str]]:
        """Everything that may rightly be told with a transport."""
        return [self.news, *self.others.get(transport_name, [])]

    def windows(self) -> list[tuple[int, int]]:
        """From when on and until when each of the news is to come."""
        ends = [row.t for row in self.rows[1:]] + [self.rows[-1].t]
        return [(row.t, end) for row, end in zip(self.rows, ends, strict=True) for _ in row.news]


def behaviours() -> dict[str, Behaviour]:
    """Every table of every file by its name."""
    found: dict[str, Behaviour] = {}
    for path in sorted(TABLES.glob("*.txt")):
        for text in path.read_text("utf-8").split("\n\n"):
            lines = [line for line in text.splitlines() if not line.strip().startswith("--")]
            if lines:
                behaviour = _behaviour(lines)
                assert behaviour.name not in found, f"{path.name}: {behaviour.name} is there twice"
                found[behaviour.name] = behaviour
    return found


def _behaviour(lines: list[str]) -> Behaviour:
    name, begins, *rest = (line.strip() for line in lines)
    position, _, faces = begins.partition(" throws ")
    rows = tuple(_row(line) for line in rest if line[0].isdigit())
    others: dict[str, list[list[str]]] = {}
    not_yet = ""
    for line in rest:
        said, _, what = line.partition(":")
        if said == "xfail":
            not_yet = what.strip()
        for each in said.split()[1:] if said.startswith("or ") else ():
            others.setdefault(each, []).append(_words(what))
    return Behaviour(name, position.strip(), faces.strip(), rows, others, not_yet)


def _row(line: str) -> Row:
    acts, _, news = line.partition(">")
    t, _, what = acts.partition(" ")
    return Row(int(t), tuple(each for each in _words(what) if each != "."), tuple(_words(news)))


def _words(text: str) -> list[str]:
    return [each.strip() for each in text.split(";") if each.strip()]


class Sitting:
    """Plays a behaviour's table: hands and switches on a schedule, the transport, the referee.

    `told` is what was decided and when, in the table's time.
    """

    def __init__(self, behaviour: Behaviour, transport_name: str, seed: int) -> None:
        self._behaviour = behaviour
        self._desk = Desk.at(behaviour.position).wait(300)
        if behaviour.faces:
            self._desk.throw(behaviour.faces).wait(300)
        self._desk.news()
        self._begun = self._desk.t
        self.told: list[tuple[int, str]] = []
        self._schedule = Schedule(self._begun)
        self._occupied = self._desk.state.contacts.raw
        rng = Random(f"{behaviour.name} {transport_name} {seed}")
        self._way = transport(transport_name)(self._schedule, rng, self._edge, self._occupied)
        self._unheard_of: set[int] = set()
        self._reeds = Reeds(self._schedule, rng, self._speaks, Bounce())
        self._reeds.set_at_rest(self._occupied)
        self._lossy = transport_name == "lossy"
        self._repeats = transport_name == "repeated"

    def play(self) -> list[tuple[int, str]]:
        """What was told, and when, to the table's end."""
        end = self._begun + self._behaviour.rows[-1].t + self._lossy * AFTER_MS
        for row in self._behaviour.rows:
            for act in row.acts:
                self._schedule.at(self._begun + row.t, self._doing(act))
        if self._lossy:
            for t in range(self._begun, end, READING_MS):
                self._schedule.at(t, self._read)
        self._run_until(end)
        return self.told

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

    def _doing(self, act: str) -> Callable[[], None]:
        verb, *words = act.split()
        return lambda: getattr(self, f"_{verb}")(*words)

    def _lift(self, *squares: str) -> None:
        self._occupied &= ~squares_of(map(parse_square, squares))
        self._reeds.follow(self._occupied)

    def _put(self, *squares: str) -> None:
        self._occupied |= squares_of(map(parse_square, squares))
        self._reeds.follow(self._occupied)

    def _unheard(self, verb: str, *squares: str) -> None:
        self._unheard_of.update(map(parse_square, squares))
        getattr(self, f"_{verb}")(*squares)

    def _knock(self, open_ms: str, *squares: str) -> None:
        for square in squares:
            self._reeds.knock(parse_square(square), 0, int(open_ms))

    def _throw(self, faces: str) -> None:
        for die, face in enumerate(faces, 1):
            self._reports(die, "rolling")
            self._schedule.after(ROLL_MS[die - 1], self._settling(die, face))

    def _settling(self, die: int, face: str) -> Callable[[], None]:
        return lambda: self._reports(die, "settled", face, True)

    def _die(self, die: str, state: str) -> None:
        self._reports(int(die), state)

    def _chute(self, side: str) -> None:
        self._do(Chute(self._schedule.now, Side(side)))

    def _answer(self, move: str) -> None:
        self._do(Answer(self._schedule.now, move))

    def _press(self, side: str, press: str) -> None:
        self._do(Button(self._schedule.now, Side(side), press))

    def _speaks(self, square: int, on: bool) -> None:
        if square not in self._unheard_of:
            self._way(square, on)

    def _read(self) -> None:
        self._unheard_of.clear()
        self._do(Occupancy(self._schedule.now, self._reeds.levels))

    def _reports(self, *values: object) -> None:
        for _ in range(1 + self._repeats):
            self._do(Die(self._schedule.now, *values))

    def _edge(self, t: int, square: int, on: bool) -> None:
        # Time has gone on while the edge was on its way.
        self._do(Edge(max(t, self._desk.state.t), square, on))

    def _do(self, fact: Edge | Die | Chute | Button | Answer | Occupancy | Time) -> None:
        decided = self._desk.do(fact)
        times = [one.t - self._begun for one in decided]
        self.told.extend(zip(times, self._desk.news(), strict=True))
