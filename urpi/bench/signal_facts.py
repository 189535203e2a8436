"""Plugs: the table's raw signals as the facts that the real devices would make of them.

No wires and no threads: a signal is a fact at the very millisecond at which it happens.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from urpi.bench.cases import Case
from urpi.bench.transports import transport
from urpi.devices.die_faces import DieFaces
from urpi.devices.presses import ButtonState, Press, PressTiming, due, on_edge, tick
from urpi.referee.facts import Button, Chute, Die, Edge, Fact
from urpi.rules import Side, Square, Squares
from urpi.simulation import Outputs, Schedule
from urpi.simulation.reeds import EdgeSink
from urpi.simulation.virtual_dice import DieReport

_TUMBLES: Final = 2
_FALL_MS: Final = 80
"""A die that passed so many faces or fell so long was thrown (FORMATS.md, `die`)."""


class SignalFacts:
    """Turns signals into facts and hands them to `take`; `now` tells the table's time.

    How edges come and what is lost or said twice is the `case`'s, drawn from `rng`.
    """

    def __init__(
        self, case: Case, take: Callable[[Fact], None], now: Callable[[], int], rng: Random
    ) -> None:
        self._case = case
        self._take, self._now = take, now
        self._rng = rng
        self._way: EdgeSink = lambda _square, _on: None
        self._said: dict[int, Die] = {}
        """What each die said last."""
        self._lost: set[int] = set()
        """The dice that a hub which has just started has not heard yet."""
        self._faces, self._timing = DieFaces(), PressTiming()
        self._buttons = dict.fromkeys(Side, ButtonState())

    def outputs(self, power: Callable[[bool], None]) -> Outputs:
        """What a table is to be connected with; `power` is told of the program's."""
        return Outputs(
            edge=self._edge,
            button=self._button,
            chute=self._chute if self._case.chute else None,
            die=self._die,
            hub=self._hub,
            power=power,
        )

    def connect(self, schedule: Schedule, rng: Random, levels: Squares) -> None:
        """From now on the switches are heard, whose levels are those squares."""
        self._way = transport(self._case.transport)(schedule, rng, self._heard, levels)

    def ask_dice(self) -> None:
        """Let every die say again what it said last, as the hub does when it is asked."""
        for said in list(self._said.values()):
            self._take(replace(said, t=self._now()))

    @property
    def next_due(self) -> int | None:
        """When a button has been held for long enough to be told of."""
        times = (due(state, self._timing) for state in self._buttons.values())
        return min((t for t in times if t is not None), default=None)

    def run_due(self) -> None:
        """Tell of the presses that are due."""
        for side, state in self._buttons.items():
            self._buttons[side], presses = tick(state, self._now(), self._timing)
            self._pressed(side, presses)

    def _edge(self, square: Square, on: bool) -> None:
        if not self._case.lost_edges or self._rng.random() >= self._case.lost_edges:
            self._way(square, on)

    def _heard(self, t: int, square: Square, on: bool) -> None:
        self._take(Edge(t, square, on))

    def _button(self, side: Side, down: bool) -> None:
        state, presses = on_edge(self._buttons[side], self._now(), on=down, timing=self._timing)
        self._buttons[side] = state
        self._pressed(side, presses)

    def _pressed(self, side: Side, presses: tuple[Press, ...]) -> None:
        for _, press in presses:
            self._take(Button(self._now(), side, press))

    def _chute(self, side: Side) -> None:
        self._take(Chute(self._now(), side))

    def _die(self, report: DieReport) -> None:
        face = None
        if report.kind is not None and report.face is not None:
            face = self._faces.shown(report.die, report.kind, report.face)
        tumbled = (report.tumbles or 0) >= _TUMBLES or (report.fall_ms or 0) >= _FALL_MS
        said = Die(self._now(), report.die, report.state, face, tumbled)
        if report.die in self._lost:
            self._lost.discard(report.die)
            self._take(Die(self._now(), report.die, "found"))
        self._said[report.die] = said
        for _ in range(1 + self._case.repeated_reports):
            self._take(said)

    def _hub(self, on: bool) -> None:
        """A hub that starts anew knows no die until that says something."""
        if on:
            for die in sorted(self._said):
                self._lost.add(die)
                self._take(Die(self._now(), die, "lost"))
