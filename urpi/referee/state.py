"""The referee's state: all that it knows, between two facts.

A value to the outside: `urpi.referee.step` alone writes, to a copy of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from urpi.referee import throws
from urpi.referee.contacts import Contacts
from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Fault,
    Moved,
    Passed,
    Question,
    Roll,
    TakenBack,
    Warned,
    Won,
)
from urpi.referee.facts import Game
from urpi.referee.inference import Candidate, Evidence
from urpi.referee.settings import Settings
from urpi.referee.snapshot import Phase
from urpi.rules import Position, RuleSet, Side, Squares, Throw


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the running turn: where it began, with which throw, and what else was legal.

    `thrown_at` is when that throw was complete.
    """

    position: Position
    throw: Throw
    thrown_at: int
    candidate: Candidate
    candidates: tuple[Candidate, ...]


@dataclass(slots=True)
class State:
    """Everything the referee knows.

    `awaits_reading`: the board has not been read since the game began; `set_up_told` are the
    squares that the players know to be wrong in the set-up. `look_at` is when the picture is
    to be looked at again, None when it has been understood.
    `candidates` are the legal moves of `throw`, which was complete at `thrown_at`. `seems` is
    the move that the picture is now but for a hand that may still hold the piece, `seemed` the
    newest that it was since the throw. `entered` is the picture
    that was there when a person entered a move or a take-back: until it changes, it says nothing
    against that.
    `played` are the moves of the newest turn, which can be
    taken back until the next side's throw. `rolled` and `acted` are the
    newest throw, and what came of one. `mask` are squares whose switch is
    left out. `early` are the dice that were thrown while this throw was unplayed,
    `told_bumped` that a die was moved after the throw. `pending` are the faces, by die, of a
    throw that counts only if it turns out that its side was to throw, `pending_at` the time at
    which its newest die settled. `read_at` is the time of the first reading, None before it.
    """

    settings: Settings
    t: int = 0
    phase: Phase = Phase.NO_GAME
    game: Game | None = None
    rules: RuleSet | None = None
    position: Position | None = None
    awaits_reading: bool = False
    set_up_told: Squares = 0
    contacts: Contacts = field(default_factory=Contacts)
    dice: throws.Dice = field(default_factory=dict)
    throw: Throw | None = None
    thrown_at: int = 0
    candidates: tuple[Candidate, ...] = ()
    returned: bool = False
    entered: Squares | None = None
    played: tuple[Played, ...] = ()
    look_at: int | None = None
    chute: bool = False
    seems: Candidate | None = None
    seemed: Candidate | None = None
    seems_until: int = 0
    warning: Warned | None = None
    warned_at: int = 0
    question: Question | None = None
    choices: tuple[str, ...] = ()
    chosen: int = 0
    early: frozenset[int] = frozenset()
    told_bumped: bool = False
    pending: Mapping[int, str] = field(default_factory=dict)
    pending_at: int = 0
    read_at: int | None = None
    to_throw: Side | None = None
    start_throws: tuple[Throw | None, Throw | None] = (None, None)
    mask: Squares = 0
    faults: tuple[Fault, ...] = ()
    last: Decision | None = None
    rolled: Roll | None = None
    acted: Moved | Passed | TakenBack | None = None
    outcome: Won | Drawn | Abandoned | None = None
    past: tuple[tuple[Position, Side, str], ...] = ()
    """Every move and pass of the game, for claims of a draw."""

    def __copy__(self) -> "State":
        # Each step makes one, and by way of pickling's words it takes twice as long.
        fresh = object.__new__(State)
        for name in State.__slots__:
            setattr(fresh, name, getattr(self, name))
        return fresh

    @property
    def side(self) -> Side | None:
        """Who is to act."""
        if self.phase is Phase.START_THROW:
            return self.to_throw
        return self.position.turn if self.position is not None else None

    @property
    def now(self) -> Position:
        """The position; only asked for while there is a game."""
        assert self.position is not None
        return self.position

    @property
    def still_ms(self) -> int:
        """How long the picture has stood still."""
        return self.t - self.contacts.last_edge

    def look_when_still_for(self, still_ms: int) -> None:
        """Look at the picture again when it has stood still so long."""
        self.look_at = self.contacts.last_edge + still_ms

    def look_again(self) -> None:
        """Look at the picture as soon as it stands still, if it is to be looked at again at all."""
        if self.look_at is not None:
            still_at = self.contacts.last_edge + self.settings.timing.still_ms
            self.look_at = min(self.look_at, max(still_at, self.t))

    def is_mended(self, evidence: Evidence) -> bool:
        """Whether no more is missing than what the players have been told to fill."""
        return self.warning is not None and not evidence.missing & ~self.warning.fill

    def evidence(self) -> Evidence:
        """What the switches have told of the position since the throw."""
        thrown_at = self.thrown_at if self.phase is Phase.MOVE else 0
        return Evidence(self.contacts, self.now.occupancy, self.mask, self.chute, thrown_at)

    def evidence_since(self, played: Played) -> Evidence:
        """What the switches have told since a move was committed, of the position before it."""
        before = played.position.occupancy
        return replace(self.evidence(), before=before, thrown_at=played.thrown_at)

    @property
    def is_as_entered(self) -> bool:
        """Whether the picture has not changed since a person entered something."""
        return self.entered is not None and self.evidence().fits(self.entered)

    @property
    def dice_roll(self) -> bool:
        """Whether a die of the side to throw rolls."""
        known = (throws.of(self.dice, die) for die in self.throwing())
        return any(die.state == "rolling" and not die.lost for die in known)

    @property
    def asks_for_move(self) -> bool:
        """Whether a player is asked which move was made."""
        return self.question is not None and self.question.ask == "move"

    def throwing(self) -> tuple[int, ...]:
        """The numbers of the dice that the side to throw has."""
        return self.dice_of(self.side)

    def dice_of(self, side: Side | None) -> tuple[int, ...]:
        """The numbers of the dice that a side throws."""
        assert self.game is not None
        assert self.rules is not None
        if self.game.dice is None or side is None:
            return tuple(range(1, self.rules.dice.count + 1))
        return self.game.dice[side.number]

    def all_dice(self) -> tuple[int, ...]:
        """The numbers of all dice of the game."""
        assert self.game is not None
        return self.throwing() if self.game.dice is None else sum(self.game.dice, ())

    def set_of(self, die: int) -> tuple[int, ...]:
        """The numbers of the dice that are thrown together with a die of the game, including it."""
        assert self.game is not None
        return next(own for own in self.game.dice or (self.throwing(),) if die in own)
