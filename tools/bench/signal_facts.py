"""Converts the table's raw signals to the facts that the real devices would make of them.

Without wires and threads: a signal becomes a fact in the same millisecond.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from tools.bench.cases import Case
from tools.bench.transports import transport
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.presses import ButtonState, Press, PressTiming, due, on_edge, tick
from urpi.referee.facts import Button, Chute, Die, Edge, Fact, Field
from urpi.rules import Side, Square, Squares
from urpi.simulation import Outputs, Schedule
from urpi.simulation.reeds import EdgeSink
from urpi.simulation.virtual_dice import DieReport

_TUMBLES: Final = 2
_FALL_MS: Final = 80
"""Minimum number of tumbles or duration of the fall of a thrown die (FORMATS.md, `die`)."""


class SignalFacts:
    """Converts signals to facts and passes them to `on_fact`. `now` returns the table's time.

    The case specifies how edges arrive and what is lost or repeated, with randomness from `rng`.
    """

    def __init__(
        self, case: Case, on_fact: Callable[[Fact], None], now: Callable[[], int], rng: Random
    ) -> None:
        self._case = case
        self._on_fact, self._now = on_fact, now
        self._rng = rng
        self._send_edge: EdgeSink = lambda _square, _on: None
        self._last: dict[int, Die] = {}
        """The last report of each die, as a fact."""
        self._lost: set[int] = set()
        """The dice of which a restarted hub has not received a report yet."""
        self._faces, self._timing = DieFaces(), PressTiming()
        self._buttons = dict.fromkeys(Side, ButtonState())

    def outputs(self, power: Callable[[bool], None]) -> Outputs:
        """Return the callbacks for a table; `power` is called when the program's power changes."""
        return Outputs(
            edge=self._edge,
            field=self._field if self._case.hall else None,
            button=self._button,
            chute=self._chute if self._case.chute else None,
            die=self._die,
            hub=self._hub,
            power=power,
        )

    def connect(self, schedule: Schedule, rng: Random, levels: Squares) -> None:
        """Start to convert edges; `levels` are the squares whose switch is closed now."""
        self._send_edge = transport(self._case.transport)(schedule, rng, self._on_edge, levels)

    def repeat_reports(self) -> None:
        """Repeat the last report of every die, as the hub does on request."""
        for fact in list(self._last.values()):
            self._on_fact(replace(fact, t=self._now()))

    @property
    def next_due(self) -> int | None:
        """The time at which a button's press becomes long."""
        times = (due(state, self._timing) for state in self._buttons.values())
        return min((t for t in times if t is not None), default=None)

    def run_due(self) -> None:
        """Pass on the presses that are due."""
        for side, state in self._buttons.items():
            self._buttons[side], presses = tick(state, self._now(), self._timing)
            self._pressed(side, presses)

    def _edge(self, square: Square, on: bool) -> None:
        if not self._case.lost_edges or self._rng.random() >= self._case.lost_edges:
            self._send_edge(square, on)

    def _on_edge(self, t: int, square: Square, on: bool) -> None:
        self._on_fact(Edge(t, square, on))

    def _field(self, square: Square, strength: int, error: int, pole: Side | None) -> None:
        self._on_fact(Field(self._now(), square, strength, error, pole))

    def _button(self, side: Side, down: bool) -> None:
        state, presses = on_edge(self._buttons[side], self._now(), on=down, timing=self._timing)
        self._buttons[side] = state
        self._pressed(side, presses)

    def _pressed(self, side: Side, presses: tuple[Press, ...]) -> None:
        for _, press in presses:
            self._on_fact(Button(self._now(), side, press))

    def _chute(self, side: Side) -> None:
        self._on_fact(Chute(self._now(), side))

    def _die(self, report: DieReport) -> None:
        face = None
        if report.kind is not None and report.face is not None:
            face = self._faces.shown(report.die, report.kind, report.face)
        tumbled = (report.tumbles or 0) >= _TUMBLES or (report.fall_ms or 0) >= _FALL_MS
        fact = Die(self._now(), report.die, report.state, face, tumbled)
        if report.die in self._lost:
            self._lost.discard(report.die)
            self._on_fact(Die(self._now(), report.die, "found"))
        self._last[report.die] = fact
        for _ in range(1 + self._case.repeated_reports):
            self._on_fact(fact)

    def _hub(self, on: bool) -> None:
        """Report all dice as lost when the hub starts: it knows none until it receives a report."""
        if on:
            for die in sorted(self._last):
                self._lost.add(die)
                self._on_fact(Die(self._now(), die, "lost"))
