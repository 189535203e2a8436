"""What is refereed at a table now, a game or an exploration, with the keeper that stores it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from urpi.journal import Keeper
from urpi.referee import Phase, Snapshot, State, next_due, snapshot, step
from urpi.referee.clearing import cleared_at
from urpi.referee.contacts import edge, reading
from urpi.referee.decisions import Decision
from urpi.referee.exploring import may_explore
from urpi.referee.facts import Edge, Fact, Field, Occupancy
from urpi.referee.fields import edged, sensed
from urpi.referee.lines import decision_line
from urpi.referee.make_snapshot import squares_in_hand, squares_to_correct
from urpi.referee.state import GameState
from urpi.rules import Squares, each_square
from urpi.service.inbox import UnstoredFacts


class Refereed:
    """A state of the referee, and where its lines are stored.

    Args:
        keeper: Stores the lines.
        state: The state.
        clock: Returns the game's time as the service has it.
        begun: Whether there is a game: before the first one, only the switches are followed.
        is_line: Whether it is an exploration, whose line may be won and which goes on then.

    Attributes:
        finished: Whether the game is over.
        away_ms: By how much the game's time is behind the clock: for how long it has been left.
        held: Whether no time passes, because facts may be missing before those that follow.
    """

    def __init__(
        self,
        keeper: Keeper,
        state: State,
        clock: Callable[[], int],
        *,
        begun: bool = True,
        is_line: bool = False,
    ) -> None:
        self.keeper, self.state, self.begun = keeper, state, begun
        self.finished = state.phase is Phase.OVER
        self.away_ms, self.held = 0, False
        self._clock, self._is_line = clock, is_line
        self._unstored = UnstoredFacts()
        self._shown: Snapshot | None = None
        self._shown_of = state
        self._due: int | None = None
        self._due_of: State | None = None

    @property
    def snapshot(self) -> Snapshot:
        """The current state, with the times of the clock."""
        # It is read several times in each loop, in most of which nothing has changed.
        if self._shown is None or self._shown_of is not self.state:
            self._shown, self._shown_of = snapshot(self.state), self.state
            if self._shown.seems_due is not None:
                due = self._shown.seems_due + self.away_ms
                self._shown = replace(self._shown, seems_due=due)
            if self._shown.clock is not None:
                clock = self._shown.clock
                clock = replace(clock, since=clock.since + self.away_ms)
                self._shown = replace(self._shown, clock=clock)
        return self._shown

    def continue_at(self, t: int) -> None:
        """Let no time have passed in the game up to `t` but one millisecond."""
        self.away_ms, self._shown = t - self.state.t - 1, None

    @property
    def occupied(self) -> Squares | None:
        """The occupied squares, without ignored switches; None while they are changing."""
        contacts, timing = self.state.contacts, self.state.settings.timing
        if self._clock() - self.away_ms - contacts.last_edge < timing.still_ms:
            return None
        return contacts.raw & ~self.state.mask

    @property
    def still_at(self) -> int | None:
        """When the squares stand still unless they change again, None if they do."""
        if self.occupied is not None:
            return None
        contacts, timing = self.state.contacts, self.state.settings.timing
        return contacts.last_edge + timing.still_ms + self.away_ms

    @property
    def cleared_at(self) -> int | None:
        """When a board that was cleared in a game has been empty for long enough, None if not."""
        at = cleared_at(self.state)
        return None if at is None or self.finished else at + self.away_ms

    @property
    def is_board_correct(self) -> bool:
        """Whether the board stands still and shows the position, without ignored switches."""
        state = self.state
        return (
            isinstance(state, GameState)
            and self.occupied is not None
            and not state.evidence().changed
        )

    @property
    def contradicts_entry(self) -> bool:
        """Whether a single square contradicts what a player entered, without a warning.

        Its switch may be broken, which the next throw confirms.
        """
        state = self.state
        return (
            isinstance(state, GameState)
            and state.is_as_entered
            and state.evidence().changed.bit_count() == 1
        )

    @property
    def rolling(self) -> frozenset[int]:
        """The numbers of the dice that are rolling, whether their throw counts or not."""
        dice = self.state.dice.items()
        return frozenset(die for die, one in dice if one.state == "rolling" and not one.lost)

    @property
    def next_due(self) -> int | None:
        """When something is due by the clock, None if nothing is."""
        due = [self.referee_due, self._unstored.due]
        times = [t + self.away_ms for t in due if t is not None]
        kept = self.keeper.next_due()
        return min(times if kept is None else [*times, kept], default=None)

    @property
    def referee_due(self) -> int | None:
        """The game's time at which the referee must be called, None if it need not be."""
        # Otherwise the loop would not wait: what is due stays so until the disk works again.
        if self.keeper.paused or self.held:
            return None
        # As for the snapshot: it is read in each loop, and depends on nothing but the state.
        if self._due_of is not self.state:
            self._due, self._due_of = next_due(self.state), self.state
        return self._due

    def process(self, fact: Fact, now: datetime) -> tuple[Decision, ...]:
        """Referee a fact, and store its decisions before the state that they lead to is current."""
        # Devices stamp facts in threads of their own, so that two may arrive in the wrong order.
        fact = replace(fact, t=max(fact.t - self.away_ms, self.state.t))
        after, decisions = step(self.state, fact)
        # Facts without a decision wait for the next one, or for a while: each commit wears the
        # card.
        self._unstored.add(fact, decided=bool(decisions))
        over = after.phase is Phase.OVER
        if decisions:
            self.store(now, decisions, over=over)
        # Assigned after storing, so that a snapshot never contains more than the disk.
        self.state, self.finished = after, over
        return decisions

    def follow(self, fact: Fact) -> None:
        """Keep what the switches show while there is no game: a position may be set up."""
        before, timing = self.state.contacts, self.state.settings.timing
        t = max(fact.t - self.away_ms, before.last_edge)
        after, fields = before, self.state.fields
        match fact:
            case Edge(square=square, on=on):
                after = edge(before, t, square, on, timing)
            case Occupancy(squares=squares):
                after = reading(before, t, squares, timing)
            case Field():
                fields = sensed(fields, fact)
            case _:
                return
        for square in each_square(before.raw ^ after.raw):
            fields = edged(fields, square)
        self.state = replace(self.state, contacts=after, fields=fields)

    def tick(self, t: int, now: datetime) -> None:
        """Store what has waited long enough, and let the keeper do what is due."""
        store_at = self._unstored.due
        if store_at is not None and store_at + self.away_ms <= t:
            self.store(now)
        self.keeper.tick(t, now)

    def store(
        self, now: datetime, decisions: tuple[Decision, ...] = (), *, over: bool = False
    ) -> None:
        """Store the waiting facts, and decisions."""
        if self.begun and (self._unstored.lines or decisions):
            lines = tuple(map(decision_line, decisions))
            self.append(self._unstored.lines, lines, now, over=over)
            self._unstored.clear()

    def append(
        self, facts: Sequence[str], decisions: Sequence[str], now: datetime, *, over: bool
    ) -> None:
        """Store lines."""
        ended = stamp(now) if over and not self._is_line else None
        self.keeper.append(facts, decisions, now, ended)


def stamp(moment: datetime) -> str:
    """Return a moment as the journal has it."""
    return moment.isoformat(timespec="seconds")


def is_visible_change(before: State, after: State, *, lights: bool) -> bool:
    """Return whether the players can see a difference that no decision reports."""
    return _visible(before, lights=lights) != _visible(after, lights=lights)


def _visible(state: State, *, lights: bool) -> tuple[object, ...]:
    if not isinstance(state, GameState):
        return (state.dice,)
    squares = squares_to_correct(state), squares_in_hand(state) if lights else None
    shown = state.dice, state.seeming, state.question, state.warning, state.faults
    return *shown, squares, may_explore(state)
