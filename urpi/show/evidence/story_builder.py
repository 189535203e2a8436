"""Conversion of the stored entries of a game into its story, with the touches of its pieces."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal import Course, Entry
from urpi.referee.contacts import Contacts, edge, forget, reading, settled
from urpi.referee.decisions import Decision, Fault, Moved, Passed, Roll, Starts, TakenBack, Won
from urpi.referee.facts import (
    Coach,
    Die,
    Edge,
    Fact,
    Field,
    Game,
    Hint,
    Occupancy,
    Plan,
    RemoteMove,
    Time,
)
from urpi.referee.lines import parse_decision, parse_fact
from urpi.referee.settings import Timing
from urpi.rules import SQUARE_NAMES, Position, Side, Square, Squares, parse_square
from urpi.show.evidence.story import (
    Decided,
    DieUpdate,
    Event,
    GameStory,
    Input,
    ThrowStory,
    Touch,
    TurnStory,
)

MEASURED: Final = ("angle", "tumbles", "fall_ms")
"""Measurements in a die's fact that no decision depends on."""


@dataclass(slots=True, eq=False)
class _ThrowBuilder:
    """A throw whose story is being built."""

    position: Position
    occupancy: Squares
    left_out: Squares
    roll: Roll | None = None
    again: bool = False
    events: list[Event] = field(default_factory=list)

    def build(self) -> ThrowStory:
        """Return the story with its events sorted by time."""
        # The decision of a timer may be older than the fact it was stored after.
        events = tuple(sorted(self.events, key=lambda event: event.t))
        story = ThrowStory(self.position, self.occupancy, events, left_out=self.left_out)
        if self.roll is None:
            return story
        return replace(
            story,
            thrown_t=self.roll.t,
            faces=self.roll.faces,
            value=self.roll.value,
            legal=self.roll.legal,
            again=self.again,
        )


@dataclass(slots=True)
class _TurnBuilder:
    side: Side | None
    throws: list[_ThrowBuilder] = field(default_factory=list)


class _StoryBuilder:
    """Builds the story entry by entry.

    Events after a move may belong to the next throw, or take the move back. They are collected in
    `_open` until that is known.
    """

    def __init__(self, game: Game, stable_ms: int) -> None:
        self._game = game
        self._course = Course(game)
        self._touches = TouchDetector(stable_ms)
        self._turns = [_TurnBuilder(None)]
        self._open = _ThrowBuilder(self._course.position, 0, 0)
        self._fact_t = self._last_t = game.t
        self._last_updates: dict[int, DieUpdate] = {}
        self._left_out: Squares = 0

    def add_fact(self, fact: Fact) -> None:
        self._fact_t = fact.t
        self._last_t = max(self._last_t, fact.t)
        self._open.events += self._touches_of(fact)
        match fact:
            case Die():
                self._open.events.append(self._die_update(fact))
            case Edge() | Field() | Time() | Game() | Plan() | RemoteMove() | Hint() | Coach():
                pass
            case _:
                self._open.events.append(Input(fact.t, fact))

    def _touches_of(self, fact: Fact) -> Iterator[Event]:
        match fact:
            case Edge():
                yield from self._touches.on_edge(fact)
            case Occupancy():
                yield from self._touches.on_reading(fact)
            case _:
                yield from self._touches.advance(fact.t)

    def _die_update(self, fact: Die) -> DieUpdate:
        values = {key: getattr(fact, key) for key in MEASURED}
        measured = {key: number for key, number in values.items() if number is not None}
        last = self._last_updates.get(fact.die)
        repeated = last is not None and (last.state, last.face) == (fact.state, fact.face)
        update = DieUpdate(
            fact.t, fact.die, fact.state, fact.face, fact.tumbled, repeated, measured
        )
        self._last_updates[fact.die] = update
        return update

    def add_decision(self, decision: Decision, seq: int) -> None:
        """Add a decision and the number of its entry."""
        self._last_t = max(self._last_t, decision.t)
        self._open.events += self._touches.advance(decision.t)
        # A decision is stored with the fact that made it due, and shown when it is stored.
        shown_from = max(decision.t, self._fact_t)
        self._open.events.append(Decided(decision.t, seq, decision, shown_from))
        before, roll = self._course.position, self._course.roll
        self._course.apply(decision)
        match decision:
            case Roll():
                self._begin_throw(decision, before)
            case Starts() | Moved() | Passed() | Won():
                self._close()
            case TakenBack():
                self._close()
                if self._course.roll is not roll:
                    self._play_again()
            case Fault(device=device) if device in SQUARE_NAMES:
                self._left_out |= 1 << parse_square(device)

    def _begin_throw(self, roll: Roll, position: Position) -> None:
        if self._turns[-1].side is not roll.side:
            self._turns.append(_TurnBuilder(roll.side))
        self._open.roll, self._open.position = roll, position
        self._turns[-1].throws.append(self._open)

    def _close(self) -> None:
        """Assign the open events to the throw before them and open the next."""
        throws = self._turns[-1].throws
        if not self._is_assigned:
            if throws:
                throws[-1].events += self._open.events
            else:
                throws.append(self._open)
        self._open = _ThrowBuilder(self._course.position, self._touches.occupancy, self._left_out)

    def _play_again(self) -> None:
        self._open.roll, self._open.again = self._course.roll, True
        self._turns[-1].throws.append(self._open)

    @property
    def _is_assigned(self) -> bool:
        return any(throw is self._open for throw in self._turns[-1].throws)

    def build(self) -> GameStory:
        """Return the story so far."""
        if self._open.events and not self._is_assigned:
            # Before the first throw there is only the turn with number 0.
            if self._turns[-1].throws and self._open.position.turn is not None:
                self._turns.append(_TurnBuilder(self._open.position.turn))
            self._turns[-1].throws.append(self._open)
        turns = [turn for turn in self._turns if turn.throws]
        first = 0 if turns and turns[0].side is None else 1
        return GameStory(
            self._game,
            tuple(
                TurnStory(number, turn.side, tuple(throw.build() for throw in turn.throws))
                for number, turn in enumerate(turns, first)
            ),
            self._last_t,
        )


def story_of(entries: Iterable[Entry], stable_ms: int) -> GameStory:
    """Return the story of a game.

    Args:
        entries: entries of the game, in order.
        stable_ms: time that a contact had to keep its level in this game.

    Raises:
        UrpiError: if a stored line cannot be read, or the decisions are inconsistent.
    """
    builder: _StoryBuilder | None = None
    for entry in entries:
        if entry.kind == "fact":
            fact = parse_fact(entry.line, entry.seq)
            if isinstance(fact, Game):
                builder = _StoryBuilder(fact, stable_ms)
            elif builder is not None:
                builder.add_fact(fact)
        elif builder is not None:
            builder.add_decision(parse_decision(entry.line, entry.seq), entry.seq)
    if builder is None:
        message = "The stored game has no line of type game; export it to see its lines."
        raise UrpiError(message)
    return builder.build()


class TouchDetector:
    """Detects touches with the referee's debouncing.

    Args:
        stable_ms: time that a contact has to keep its level, as in the game.
    """

    def __init__(self, stable_ms: int) -> None:
        self._contacts, self._timing = Contacts(), Timing(contact_stable_ms=stable_ms)
        self._edges: Counter[Square] = Counter()
        self.occupancy: Squares = 0
        """Squares whose switch is closed after the last touch yielded."""

    def on_edge(self, fact: Edge) -> Iterator[Touch]:
        """Add a raw edge and yield the touches that are complete."""
        yield from self.advance(fact.t)
        before = self._contacts
        self._contacts = edge(before, fact.t, fact.square, fact.on, self._timing)
        self._edges[fact.square] += self._contacts is not before
        yield from self._new()

    def on_reading(self, fact: Occupancy) -> Iterator[Touch]:
        """Add a reading of all squares and yield the touches that are complete.

        The differences found by the first reading are the initial state, not touches.
        """
        yield from self.advance(fact.t)
        first = not self._contacts.any_edge
        self._contacts = reading(self._contacts, fact.t, fact.squares, self._timing)
        # A reading is a level, not an edge: it counts at once, without waiting for bounces.
        found = list(self.advance(fact.t + self._timing.contact_stable_ms))
        if not first:
            yield from found

    def advance(self, t: int) -> Iterator[Touch]:
        """Yield the touches that are complete at time `t`."""
        self._contacts = settled(self._contacts, t, self._timing)
        yield from self._new()

    def _new(self) -> Iterator[Touch]:
        for change in sorted(self._contacts.log, key=lambda one: one.t):
            bit = 1 << change.square
            self.occupancy = self.occupancy | bit if change.on else self.occupancy & ~bit
            edges = self._edges.pop(change.square, 0)
            yield Touch(change.t, change.square, change.on, edges, self.occupancy)
        self._contacts = forget(self._contacts)
