"""A table of two without devices: the referee, a list of facts as its journal, random hands."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import TypeVar

from urpi.journal.build_record import build_record
from urpi.journal.entries import Entry
from urpi.link.remote.events import SharedEvent, events_of, holder, planned_event
from urpi.link.remote.messages import (
    Progress,
    Proposed,
    Replied,
    Sealed,
    encode,
    parse_table_message,
)
from urpi.link.remote.session import Session
from urpi.referee import Phase, Settings, Snapshot, State, Timing, begin, snapshot, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Answer, Fact, Game, Occupancy, Resign
from urpi.referee.lines import decision_line, fact_line
from urpi.referee.seats import Seats, SharedGame
from urpi.rules import Side

GAME = "5f" * 16
SETTINGS = Settings(lambda code, _details: code, Timing())
STARTED = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)


def opening(side: Side, rules: str, first: Side = Side.LIGHT, **options: str) -> Game:
    """Return the fact that begins the game at the table of `side`."""
    seats: Seats = ("person", "remote") if side is Side.LIGHT else ("remote", "person")
    shared = SharedGame(GAME, "lisbon" if side is Side.DARK else "porto", "2026.11.20")
    return Game(
        0,
        rules,
        "Ann",
        "Zoë",
        tuple(options.items()),
        first=first,
        seats=seats,
        hints=False,
        shared=shared,
    )


_Decision = TypeVar("_Decision")


@dataclass
class PureTable:
    """One of two tables. `stored` is its journal, which survives a restart."""

    game: Game
    side: Side
    rng: Random
    stored: list[tuple[Fact, tuple[Decision, ...]]] = field(default_factory=list)
    state: State = field(default_factory=lambda: begin(SETTINGS))
    decided: tuple[SharedEvent, ...] = ()
    proposes: bool = True
    """Whether the player gives up, offers draws and asks to take moves back now and then."""
    _shown: tuple[State, Snapshot] | None = None
    """The last snapshot, of a state that most steps of time do not change."""

    def __post_init__(self) -> None:
        self.process(self.game)
        self.begin_session()

    def restart(self, lines: int | None = None) -> None:
        """Start again with nothing but the journal, or with its first lines as from a backup."""
        del self.stored[len(self.stored) if lines is None else lines :]
        self.state, self.decided = begin(SETTINGS), ()
        for fact, decisions in self.stored:
            self.state, again = step(self.state, fact)
            assert again == decisions
            self.decided += events_of(decisions)
        self.begin_session(resumed=bool(self.decided))

    def begin_session(self, *, resumed: bool = False) -> None:
        self.session = Session(
            GAME,
            self.side,
            lambda: f"{self.rng.getrandbits(128):032x}",
            f"the key of {self.side.value}",
            resumed=resumed,
        )

    @property
    def now(self) -> Snapshot:
        if self._shown is None or self._shown[0] is not self.state:
            self._shown = self.state, snapshot(self.state)
        return self._shown[1]

    @property
    def over(self) -> bool:
        return self.now.phase is Phase.OVER

    @property
    def events(self) -> tuple[SharedEvent, ...]:
        planned = planned_event(self.now)
        return self.decided if planned is None else (*self.decided, planned)

    @property
    def t(self) -> int:
        return self.state.t + 1

    def process(self, fact: Fact) -> None:
        self.state, decisions = step(self.state, fact)
        self.stored.append((fact, decisions))
        self.decided += events_of(decisions)

    def show(self) -> None:
        """Let the board show the position."""
        position = self.now.position
        assert position is not None
        self.process(Occupancy(self.t, position.occupancy))

    def receive(self, data: bytes, now: int) -> None:
        message = parse_table_message(data)
        assert isinstance(message, Progress | Sealed | Proposed | Replied)
        self.session.receive(message, now)

    def work(self, now: int) -> list[bytes]:
        """Process what the other table has sent, and return what is to be sent to it."""
        self.session.update(self.now, self.events, now)
        while (fact := self.session.next_fact(self.now, self.t)) is not None:
            before = self.events, self.now.phase
            self.process(fact)
            assert (self.events, self.now.phase) != before, f"nothing follows from {fact}"
            self.session.update(self.now, self.events, now)
        return [encode(message) for message in self.session.next_messages(now)]

    def play(self, now: int) -> None:
        """Let a person do something at random."""
        shot, rng = self.now, self.rng
        if self.session.asked is not None and rng.random() < 0.5:
            self.session.answer(rng.random() < 0.4)
            return
        if shot.phase is Phase.SET_UP:
            self.show()
        elif self.session.is_unclear:
            # The service holds what hands do.
            return
        elif self.proposes and rng.random() < 0.02 and not self.session.asking:
            # A take-back is proposed only after the turn, as the menu does.
            if (what := rng.choice(["takeback", "takeback", "draw", "resign"])) == "resign":
                # It binds at once, also if the other table decides what happens next.
                self.process(Resign(self.t, self.side))
            else:
                self.session.propose(what, now)
        elif shot.takeback is not None and shot.takeback[0] is self.side and rng.random() < 0.1:
            self.process(Answer(self.t, takeback=True))
            self.show()
        elif shot.phase is Phase.MOVE and not shot.thinking:
            # Hands make the other side's move too.
            self.process(Answer(self.t, move=rng.choice(shot.legal)))
            self.show()
        elif shot.phase is Phase.THROW and shot.side is self.side:
            assert shot.position is not None
            dice = shot.position.rules.dice
            faces = rng.choices(list(dice.faces), k=dice.count)
            self.process(Answer(self.t, faces="".join(faces)))
        elif len(self.stored) > 300 and holder(shot) is self.side:
            self.process(Resign(self.t, self.side))

    def decisions(self, kind: type[_Decision]) -> list[_Decision]:
        """The decisions of a type."""
        return [one for _, all_ in self.stored for one in all_ if isinstance(one, kind)]

    def record(self) -> str:
        """Return the record of the game."""
        entries = []
        for fact, decisions in self.stored:
            entries.append(Entry(len(entries) + 1, "fact", fact_line(fact)))
            for one in decisions:
                entries.append(Entry(len(entries) + 1, "decision", decision_line(one)))
        # The other table may be in another time zone.
        started = STARTED if self.side is Side.LIGHT else STARTED.replace(day=21)
        return str(build_record(entries, started))
