"""Plugs: the table's raw signals as the facts that the real devices would make of them.

No wires and no threads: a signal is a fact at the very millisecond at which it happens.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from urpi.devices.die_faces import DieFaces
from urpi.devices.presses import ButtonState, Press, PressTiming, due, edge, wait
from urpi.referee.facts import Button, Chute, Die, Edge, Fact
from urpi.rules import Side, Square
from urpi.table import Outlets
from urpi.table.dice import DieReport

_TUMBLES: Final = 2
_FALL_MS: Final = 80
"""A die that passed so many faces or fell so long was thrown (FORMATS.md, `die`)."""


class Plugs:
    """Turns signals into facts and hands them to `take`; `now` tells the table's time.

    `lost_edges` is the chance of each raw edge to be lost, drawn from `rng`.
    """

    def __init__(
        self, take: Callable[[Fact], None], now: Callable[[], int], rng: Random, lost_edges: float
    ) -> None:
        self._take, self._now = take, now
        self._rng, self._lost_edges = rng, lost_edges
        self._faces, self._timing = DieFaces(), PressTiming()
        self._buttons = dict.fromkeys(Side, ButtonState())

    def outlets(self, *, chute: bool) -> Outlets:
        """What a table is to be connected with."""
        heard = self._chute if chute else None
        return Outlets(edge=self._edge, button=self._button, chute=heard, die=self._die)

    @property
    def next_due(self) -> int | None:
        """When a button has been held for long enough to be told of."""
        times = (due(state, self._timing) for state in self._buttons.values())
        return min((t for t in times if t is not None), default=None)

    def run_due(self) -> None:
        """Tell of the presses that are due."""
        for side, state in self._buttons.items():
            self._buttons[side], presses = wait(state, self._now(), self._timing)
            self._pressed(side, presses)

    def _edge(self, square: Square, on: bool) -> None:
        if not self._lost_edges or self._rng.random() >= self._lost_edges:
            self._take(Edge(self._now(), square, on))

    def _button(self, side: Side, down: bool) -> None:
        state, presses = edge(self._buttons[side], self._now(), on=down, timing=self._timing)
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
        self._take(Die(self._now(), report.die, report.state, face, tumbled))
