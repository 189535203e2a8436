"""The story of a game as values: its turns, their throws, and the events of each throw.

Times are whole milliseconds on the clock of the game, as in its facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from urpi.referee.decisions import Decision
from urpi.referee.facts import (
    Abandon,
    Answer,
    Button,
    Chute,
    Claim,
    Decline,
    Draw,
    Game,
    Occupancy,
    ProgramThrow,
    RemoteTakeback,
    RemoteThrow,
    ReportedState,
    Resign,
)
from urpi.rules import Position, Side, Square, Squares

InputFact: TypeAlias = (
    Button
    | Chute
    | Answer
    | ProgramThrow
    | RemoteThrow
    | RemoteTakeback
    | Resign
    | Claim
    | Decline
    | Draw
    | Abandon
    | Occupancy
)
"""Facts other than edges and dice: input of a person or of another table, or a reading of all
squares."""


@dataclass(frozen=True, slots=True)
class DieUpdate:
    """A report of a die.

    Attributes:
        t: time of the report.
        die: number of the die.
        state: state as in its fact.
        face: face that is up, None unless settled.
        tumbled: whether the die was thrown.
        repeated: whether state and face are those of its last report.
        measured: measurements by key: `angle` in degrees off the face, `tumbles` as the number of
            faces passed, `fall_ms` of free fall.
    """

    t: int
    die: int
    state: ReportedState
    face: str | None
    tumbled: bool
    repeated: bool
    measured: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Touch:
    """A lift or a put.

    Attributes:
        t: time of the edge after which the contact kept its level.
        square: the square.
        on: True for a put.
        edges: number of raw edges: 1 without bounce, 0 if a reading of all squares found it.
        occupancy: squares whose switch is closed afterwards.
    """

    t: int
    square: Square
    on: bool
    edges: int
    occupancy: Squares


@dataclass(frozen=True, slots=True)
class Input:
    """Input of a person, or a stored reading of all squares."""

    t: int
    fact: InputFact


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision.

    Attributes:
        t: time at which it was made.
        seq: number of its entry in the journal.
        decision: the decision.
        shown_from: time from which it could be shown. It is later than `t` if the fact that made
            the decision due arrived later; the decision is stored before it is shown.
    """

    t: int
    seq: int
    decision: Decision
    shown_from: int


Event: TypeAlias = DieUpdate | Touch | Input | Decided


def occupancy_after(event: Event) -> Squares | None:
    """Return the closed squares after an event, None if the event does not change them."""
    match event:
        case Touch(occupancy=occupancy):
            return occupancy
        case Input(fact=Occupancy(squares=squares)):
            return squares
    return None


@dataclass(frozen=True, slots=True)
class ThrowStory:
    """A throw and the events until the next one.

    Attributes:
        position: position before the throw.
        occupancy: squares whose switch is closed before the first event.
        events: events in order of time.
        thrown_t: time of the throw, None while there is none.
        faces: faces of the dice, None while there is no throw.
        value: value of the throw.
        legal: texts of the legal moves, as stored.
        again: whether the throw must be played again after its move was taken back.
        left_out: squares whose switch is ignored because of a fault.
    """

    position: Position
    occupancy: Squares
    events: tuple[Event, ...]
    thrown_t: int | None = None
    faces: str | None = None
    value: int = 0
    legal: tuple[str, ...] = ()
    again: bool = False
    left_out: Squares = 0

    @property
    def dice(self) -> Mapping[int, tuple[DieUpdate, ...]]:
        """Reports of each die up to the throw, by its number."""
        until = self.thrown_t
        stories: dict[int, tuple[DieUpdate, ...]] = {}
        for event in self.events:
            if isinstance(event, DieUpdate) and (until is None or event.t <= until):
                stories[event.die] = (*stories.get(event.die, ()), event)
        return dict(sorted(stories.items()))


@dataclass(frozen=True, slots=True)
class TurnStory:
    """A turn of a side. `number` is that of the record, 0 for the time before the first throw."""

    number: int
    side: Side | None
    throws: tuple[ThrowStory, ...]


@dataclass(frozen=True, slots=True)
class GameStory:
    """A game. `game` is its first fact, `last_t` the time of its latest entry."""

    game: Game
    turns: tuple[TurnStory, ...]
    last_t: int
