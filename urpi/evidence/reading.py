"""From a game's stored entries to its story."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from urpi.errors import UrpiError
from urpi.evidence.sensing import Sensing
from urpi.evidence.story import (
    Decided,
    DieNews,
    Event,
    GameStory,
    ThrowStory,
    Told,
    TurnStory,
)
from urpi.journal import Course, Entry
from urpi.referee.decisions import Decision, Fault, Moved, Passed, Roll, Starts, TakenBack, Won
from urpi.referee.facts import Die, Edge, Fact, Game, Occupancy, Time
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import SQUARE_NAMES, Position, Side, Squares, parse_square

MEASURED: Final = ("angle", "tumbles", "fall_ms")
"""What a die's fact may tell besides what is decided on."""


@dataclass(slots=True, eq=False)
class _Block:
    """A throw while its story is written."""

    position: Position
    picture: Squares
    left_out: Squares = 0
    roll: Roll | None = None
    again: bool = False
    events: list[Event] = field(default_factory=list)

    def told(self) -> ThrowStory:
        """The story; a timer's decision may be older than the fact it was stored behind."""
        events = tuple(sorted(self.events, key=lambda event: event.t))
        story = ThrowStory(self.position, self.picture, events, left_out=self.left_out)
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
class _Turn:
    side: Side | None
    blocks: list[_Block] = field(default_factory=list)


class _Teller:
    """Writes the story entry by entry.

    What comes behind a move is not yet anybody's: it may be the next throw's, or take the
    move back. It is kept in `_open` until that is known.
    """

    def __init__(self, game: Game, stable_ms: int) -> None:
        self._game = game
        self._course = Course(game)
        self._sensing = Sensing(stable_ms)
        self._turns = [_Turn(None)]
        self._open = _Block(self._course.position, 0)
        self._fact_t = self._last_t = game.t
        self._last_news: dict[int, DieNews] = {}
        self._left_out: Squares = 0

    def fact(self, fact: Fact) -> None:
        """Go on with a fact."""
        self._fact_t = fact.t
        self._last_t = max(self._last_t, fact.t)
        self._open.events += self._sensed(fact)
        match fact:
            case Die():
                self._open.events.append(self._news(fact))
            case Edge() | Time() | Game():
                pass
            case _:
                self._open.events.append(Told(fact.t, fact))

    def _sensed(self, fact: Fact) -> Iterator[Event]:
        match fact:
            case Edge():
                yield from self._sensing.edge(fact)
            case Occupancy():
                yield from self._sensing.reading(fact)
            case _:
                yield from self._sensing.until(fact.t)

    def _news(self, fact: Die) -> DieNews:
        told = {key: getattr(fact, key) for key in MEASURED}
        measured = {key: number for key, number in told.items() if number is not None}
        last = self._last_news.get(fact.die)
        repeated = last is not None and (last.state, last.face) == (fact.state, fact.face)
        news = DieNews(fact.t, fact.die, fact.state, fact.face, fact.tumbled, repeated, measured)
        self._last_news[fact.die] = news
        return news

    def decision(self, decision: Decision, seq: int) -> None:
        """Go on with a decision."""
        self._last_t = max(self._last_t, decision.t)
        self._open.events += self._sensing.until(decision.t)
        shown_from = max(decision.t, self._fact_t)
        self._open.events.append(Decided(decision.t, seq, decision, shown_from))
        before, roll = self._course.position, self._course.roll
        self._course.take(decision)
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
            self._turns.append(_Turn(roll.side))
        self._open.roll, self._open.position = roll, position
        self._turns[-1].blocks.append(self._open)

    def _close(self) -> None:
        """What was open belongs to the throw before it."""
        blocks = self._turns[-1].blocks
        if not self._is_told:
            if blocks:
                blocks[-1].events += self._open.events
            else:
                blocks.append(self._open)
        self._open = _Block(self._course.position, self._sensing.picture, self._left_out)

    def _play_again(self) -> None:
        self._open.roll, self._open.again = self._course.roll, True
        self._turns[-1].blocks.append(self._open)

    @property
    def _is_told(self) -> bool:
        return any(block is self._open for block in self._turns[-1].blocks)

    def end(self) -> GameStory:
        """The story so far."""
        if self._open.events and not self._is_told:
            # Until somebody begins there is no turn but that before the game.
            if self._turns[-1].blocks and self._open.position.turn is not None:
                self._turns.append(_Turn(self._open.position.turn))
            self._turns[-1].blocks.append(self._open)
        turns = [turn for turn in self._turns if turn.blocks]
        first = 0 if turns and turns[0].side is None else 1
        return GameStory(
            self._game,
            tuple(
                TurnStory(number, turn.side, tuple(block.told() for block in turn.blocks))
                for number, turn in enumerate(turns, first)
            ),
            self._last_t,
        )


def story_of(entries: Iterable[Entry], stable_ms: int) -> GameStory:
    """What the board saw of a game.

    Args:
        entries: the game's, in their order.
        stable_ms: how long a contact had to keep its level in this game.

    Raises:
        UrpiError: when a stored line cannot be read, or the decisions do not fit each other.
    """
    teller: _Teller | None = None
    for entry in entries:
        if entry.kind == "fact":
            fact = parse_fact(entry.line, entry.seq)
            if isinstance(fact, Game):
                teller = _Teller(fact, stable_ms)
            elif teller is not None:
                teller.fact(fact)
        elif teller is not None:
            teller.decision(parse_decision(entry.line, entry.seq), entry.seq)
    if teller is None:
        message = "The stored game has no line of type game; export what there is and look at it."
        raise UrpiError(message)
    return teller.end()
