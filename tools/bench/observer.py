"""Observation of one game: the referee's decisions beside what the players truly did."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from urpi.referee.decisions import (
    Decision,
    Fault,
    Moved,
    Passed,
    Question,
    Roll,
    Seems,
    TakenBack,
    Warned,
)
from urpi.referee.facts import Chute, Edge, Fact
from urpi.referee.settings import Timing
from urpi.rules import PASS, SQUARE_NAMES, Side, Square, each_square
from urpi.simulation import TrueGame
from urpi.simulation.hands import Location
from urpi.simulation.illegal_acts import Deviation
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.reeds import Reeds
from urpi.simulation.throwing import MadeThrow

_NO_ROLL: Final = Roll(0, Side.LIGHT, "", 0, ())
NOT_PLANNED: Final = "not-planned"
"""The code of the warning of a legal move that is not the engine's."""
_SLACK_MS: Final = 250
"""Extra time after which a warning is due: the occupied squares must be stable first."""


@dataclass(frozen=True, slots=True)
class ObservedPlay:
    """A throw and its move, truly played or committed by the referee.

    `t` is the time of the move, and `rolled_t` that of the referee's throw.
    """

    side: str
    faces: str
    move: str
    taken_back: bool = False
    t: int = 0
    rolled_t: int = 0


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that went wrong: when, in which figure it counts, and a description.

    `codes` are the codes of the warnings concerned: the reported ones ``for`` the expected ones.
    """

    t: int
    kind: str
    text: str
    codes: str = ""


@dataclass(slots=True)
class GameObserver:
    """Observes one game under a referee with some `timing`. `broken` are the squares with a fault.

    `counts` are the numbers of events by name. `waits_ms` are the times from the last edge to a
    decision, a Counter for each kind; `step_us` are the step's times in whole microseconds.
    """

    game: TrueGame
    pieces: LayoutAccess
    reeds: Reeds
    throws: Sequence[MadeThrow] = ()
    timing: Timing = field(default_factory=Timing)
    broken: set[Square] = field(default_factory=set)
    deviation: Deviation | None = None
    plays: list[ObservedPlay] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    waits_ms: dict[str, Counter[int]] = field(default_factory=dict)
    step_us: Counter[int] = field(default_factory=Counter)
    incidents: list[Incident] = field(default_factory=list)
    turn_times: list[int] = field(default_factory=list)
    """The time of each turn's beginning, to the next fact."""
    throw_times: list[int] = field(default_factory=list)
    """The same of each of `throws`."""
    _t: int = 0
    _edge_t: int = 0
    _roll: Roll = _NO_ROLL
    _seems: str = ""
    _due: bool = False
    _codes: list[str] = field(default_factory=list)
    _named: bool = False
    _corrects: bool = False

    def observe(self, t: int, deviation: Deviation | None) -> None:
        """Note the time, and what the players do besides playing."""
        self._t = t
        self.turn_times += [t] * (len(self.game.turns) - len(self.turn_times))
        self.throw_times += [t] * (len(self.throws) - len(self.throw_times))
        if deviation is not self.deviation:
            if self.deviation is not None and self.deviation.act:
                self._act_ended(self.deviation)
            self.deviation, self._codes, self._named = deviation, [], False
        if self.deviation is not None and self.deviation.act:
            self._act_lasts()

    def on_fact(self, fact: Fact, took_ns: int) -> None:
        """Count a fact that the referee processed in `took_ns` nanoseconds."""
        self.counts["facts"] += 1
        self.step_us[took_ns // 1000] += 1
        if isinstance(fact, (Edge, Chute)):
            self._edge_t = fact.t

    def on_decision(self, decision: Decision, deviation: Deviation | None) -> None:
        """Count a decision, and what the players did at that time besides playing."""
        match decision:
            case Roll():
                self._roll = decision
                self.counts["throws"] += 1
            case Moved():
                self._moved(decision)
            case Passed():
                self._play(decision.side.value, PASS.text)
            case TakenBack():
                self._taken_back(decision)
            case Seems():
                self._seems = decision.move
                self._count_wait("seems", decision.t)
                self._count_wait("shown", decision.t)
            case Warned():
                self._warned_of(decision, deviation)
            case Question():
                self.counts["questions"] += 1
                self.counts["questions for a move"] += decision.ask == "move"
            case Fault():
                self.counts[f"fault {decision.code}"] += 1

    def _moved(self, decision: Moved) -> None:
        self._play(decision.side.value, decision.move)
        if self._seems == decision.move:
            self._count_wait("seems to commit", decision.t)
        elif decision.confidence == "sensed":
            self._count_wait("capture" if "x" in decision.move else "plain", decision.t)
        else:
            self._count_wait(decision.confidence, decision.t)
        if decision.confidence != "answered":
            self._count_wait("final", decision.t)
            if self._seems != decision.move:
                self._count_wait("shown", decision.t)
        self.counts[decision.confidence] += 1
        self._seems = ""
        if self._corrects:
            last = self.game.turns[-1].move if self.game.turns else None
            self.counts["against the plan, corrected"] += decision.move == last
            self._corrects = False

    def _count_wait(self, kind: str, t: int) -> None:
        self.waits_ms.setdefault(kind, Counter())[t - self._edge_t] += 1

    def _play(self, side: str, move: str) -> None:
        roll = self._roll
        self.plays.append(ObservedPlay(side, roll.faces, move, t=self._t, rolled_t=roll.t))

    def _taken_back(self, decision: TakenBack) -> None:
        for place in reversed(range(len(self.plays))):
            play = self.plays[place]
            if play.move == decision.move and not play.taken_back:
                # A throw without a move that came after it is refused with it.
                later = (replace(each, taken_back=True) for each in self.plays[place:])
                self.plays[place:] = later
                self._roll = replace(self._roll, faces=play.faces, t=play.rolled_t)
                return

    def _warned_of(self, warning: Warned, deviation: Deviation | None) -> None:
        self.counts["warnings"] += 1
        if deviation is None:
            lying = self.reeds.levels ^ self.pieces.occupancy
            if warning.squares & lying or self.broken:
                self.counts["warnings of a broken switch"] += 1
            else:
                self._incident("wrong warning", f"{warning.code}: {warning.text}")
        elif deviation.act:
            self._codes.append(warning.code)
            squares = {place for shift in deviation.act for place in (shift.origin, shift.target)}
            wrong = {place for place in squares if not isinstance(place, Side)}
            self._named |= wrong <= set(each_square(warning.squares))

    def _act_lasts(self) -> None:
        """Note whether a warning of the illegal act is due."""
        extra = self.pieces.occupancy & ~self.game.position.occupancy
        due_ms = (self.timing.warning_ms if extra else self.timing.lifted_ms) + _SLACK_MS
        self._due = self._t - self._edge_t >= due_ms and not self.pieces.held.total()

    def _act_ended(self, deviation: Deviation) -> None:
        self.counts["wrong acts"] += 1
        right = " or ".join(sorted(deviation.codes))
        wrong = ", ".join(code for code in self._codes if code not in deviation.codes)
        if wrong:
            self._incident("wrong code", _text(deviation), f"{wrong} for {right}")
        elif not self._codes and self._due:
            self._incident("not warned", _text(deviation), right)
        elif not self._codes:
            self.counts["undone before due"] += 1
        if NOT_PLANNED in deviation.codes:
            self._count_against_plan()

    def _count_against_plan(self) -> None:
        """Count a legal move that was made in place of the engine's."""
        self.counts["against the plan"] += 1
        self.counts["against the plan, warned"] += bool(self._codes)
        self.counts["against the plan, squares named"] += self._named
        self._corrects = True

    def _incident(self, kind: str, text: str, codes: str = "") -> None:
        position = self.game.position
        throw = self.game.throw.faces if self.game.throw else "no throw"
        about = f"{codes}: {text}" if codes else text
        self.incidents.append(Incident(self._t, kind, f"{about} [{throw}; {position}]", codes))


def _text(deviation: Deviation) -> str:
    return ", ".join(f"{_place(shift.origin)}>{_place(shift.target)}" for shift in deviation.act)


def _place(place: Location) -> str:
    return f"{place.value}'s hand" if isinstance(place, Side) else SQUARE_NAMES[place]
