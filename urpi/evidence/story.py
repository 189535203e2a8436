"""What the board saw of a game, as values: turns, their throws, and everything in between.

Times are whole milliseconds on the game's clock, as in its facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from urpi.referee.decisions import Decision
from urpi.referee.facts import Abandon, Answer, Button, Chute, Draw, Game, Occupancy, Resign
from urpi.rules import Position, Side, Square, Squares

Request: TypeAlias = Button | Chute | Answer | Resign | Draw | Abandon | Occupancy
"""What a person or a full reading of the board told, beside edges and dice."""


@dataclass(frozen=True, slots=True)
class DieNews:
    """A die's report. `state`, `face` and `tumbled` as in its fact.

    `repeated`: the report before said the same. `measured` is what the fact tells besides, by
    its key: `angle` in degrees off the face, `tumbles` faces passed, `fall_ms` of free fall.
    """

    t: int
    die: int
    state: str
    face: str | None
    tumbled: bool
    repeated: bool
    measured: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Touch:
    """A square that emptied or filled, at the edge from which it kept its level.

    `edges` raw edges came with it, one when the contact did not bounce, none when a full
    reading found it. `picture` are the squares on which something stood from then on.
    """

    t: int
    square: Square
    on: bool
    edges: int
    picture: Squares


@dataclass(frozen=True, slots=True)
class Told:
    """A person's word, or a full reading that was stored."""

    t: int
    fact: Request


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, with the number of its entry in the journal.

    It was taken at `t`, and could be shown from `shown_from` on: when what made it due had
    come. It is on the disk before it is shown.
    """

    t: int
    seq: int
    decision: Decision
    shown_from: int


Event: TypeAlias = DieNews | Touch | Told | Decided


def picture_after(event: Event) -> Squares | None:
    """The squares on which something stands after an event, None when it says nothing of it."""
    match event:
        case Touch(picture=picture):
            return picture
        case Told(fact=Occupancy(squares=squares)):
            return squares
    return None


@dataclass(frozen=True, slots=True)
class ThrowStory:
    """One throw and what was made of it; `events` in the order of their times.

    `position` is what stood before it, `picture` what the squares showed when these events
    begin. `faces` is None while the dice have not come to a throw. `again`: a move was taken
    back, and this throw is to be played anew. `legal` are the moves' texts as they were stored.
    `left_out` are the squares whose switch was not trusted any more.
    """

    position: Position
    picture: Squares
    events: tuple[Event, ...]
    thrown_t: int | None = None
    faces: str | None = None
    value: int = 0
    legal: tuple[str, ...] = ()
    again: bool = False
    left_out: Squares = 0

    @property
    def dice(self) -> Mapping[int, tuple[DieNews, ...]]:
        """Each die's reports up to the throw, by its number."""
        until = self.thrown_t
        stories: dict[int, tuple[DieNews, ...]] = {}
        for event in self.events:
            if isinstance(event, DieNews) and (until is None or event.t <= until):
                stories[event.die] = (*stories.get(event.die, ()), event)
        return dict(sorted(stories.items()))


@dataclass(frozen=True, slots=True)
class TurnStory:
    """A side's turn. `number` is the record's; 0 is all that was before the first throw."""

    number: int
    side: Side | None
    throws: tuple[ThrowStory, ...]


@dataclass(frozen=True, slots=True)
class GameStory:
    """A game from its `game` fact on; `last_t` is the time of the newest entry."""

    game: Game
    turns: tuple[TurnStory, ...]
    last_t: int
