"""The referee's state between two facts.

To callers it is an immutable value: `urpi.referee.step` alone changes it, and works on a copy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Final

from urpi.referee import throws
from urpi.referee.clock import Clock
from urpi.referee.contacts import Contacts
from urpi.referee.decisions import (
    Decision,
    Fault,
    Moved,
    Passed,
    Question,
    QuestionType,
    Roll,
    TakenBack,
    Warned,
)
from urpi.referee.facts import Confidence, Game
from urpi.referee.fields import NO_FIELDS, Fields
from urpi.referee.inference import Candidate, Evidence
from urpi.referee.seats import is_engine, remote_side
from urpi.referee.settings import Settings
from urpi.referee.snapshot import Phase
from urpi.referee.stages import (
    LegalMoves,
    Moving,
    Seeming,
    SettingUp,
    Stage,
    Throwing,
    ThrowingForStart,
)
from urpi.rules import PASS, Position, Side, Squares, Starter, Throw, each_square
from urpi.rules.refusals import Details
from urpi.rules.ruleset import Past


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the current turn, which can still be taken back.

    Attributes:
        side: The side that made it.
        position: The position before it.
        throw: The throw that it was made with.
        thrown_at: When that throw was complete.
        candidate: The move.
        moves: The legal moves of the throw.
        confidence: How it was known.
        clock: The game's clocks when it had been made.
    """

    side: Side
    position: Position
    throw: Throw
    thrown_at: int
    candidate: Candidate
    moves: LegalMoves
    confidence: Confidence
    clock: Clock | None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question to a player, its possible answers, and the index of the selected one."""

    question: Question
    choices: tuple[str, ...]
    chosen: int = 0

    @property
    def ask(self) -> QuestionType:
        """What is asked for."""
        return self.question.ask

    @property
    def selected(self) -> str:
        """The selected answer."""
        return self.choices[self.chosen]

    def next_choice(self) -> "OpenQuestion":
        """Return the question with the next answer selected."""
        return replace(self, chosen=(self.chosen + 1) % len(self.choices))


@dataclass(frozen=True, slots=True)
class PendingThrow:
    """Faces by die of a throw that counts only if its side turns out to be the one to throw.

    `t` is when its newest die settled, and `contacts` are the switches at that time. `waits`:
    whether it waits for the move to be final, without a question.
    """

    faces: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    t: int = 0
    contacts: Contacts = field(default_factory=Contacts)
    waits: bool = False


NO_PENDING_THROW: Final = PendingThrow()


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest decisions that views show: any notice, the throw, and the action that followed."""

    notice: Decision | None = None
    roll: Roll | None = None
    action: Moved | Passed | TakenBack | None = None


@dataclass(slots=True)
class State:
    """The referee without a game. `mask` are the squares whose switch is left out.

    `fields` are the readings of Hall sensors, on boards that have some.
    """

    settings: Settings
    t: int = 0
    contacts: Contacts = field(default_factory=Contacts)
    dice: throws.Dice = field(default_factory=dict)
    mask: Squares = 0
    fields: Fields = NO_FIELDS

    @property
    def phase(self) -> Phase:
        """What the referee waits for."""
        return Phase.NO_GAME


@dataclass(slots=True, kw_only=True)
class GameState(State):
    """The referee with a game.

    Attributes:
        game: The fact that created the game.
        position: The position.
        stage: What is known only in the current phase.
        look_at: When the occupancy must be looked at again, None once it is understood.
        played: The moves of the newest turn, until the opponent throws.
        thrown_over: The last move if it may be the first part of another one, and the opponent's
            throw counted after it.
        entered: The occupancy at the time a player entered a move or a take-back. Until it
            changes, it is no evidence against the entry.
        question: The open question.
        earlier_question: The one before it, with what presses have selected since it was withdrawn,
            and when that was.
        warning: The open warning.
        warning_details: The values in the newest warning's sentence.
        early: Dice that were thrown while the current throw was unplayed, with the time of each.
        bump_refused: Whether a die that moved after the throw has been refused.
        pending: The pending throw.
        start_throws: Light's and dark's newest throws for the start; both after a tie.
        faults: The broken devices.
        latest: The newest decisions that views show.
        past: All moves and passes of the game, for claims of a draw.
        clock: The game's clocks, None if it has none.
    """

    game: Game
    position: Position
    stage: Stage = field(default_factory=SettingUp)
    look_at: int | None = None
    played: tuple[Played, ...] = ()
    thrown_over: Played | None = None
    entered: Squares | None = None
    question: OpenQuestion | None = None
    earlier_question: tuple[OpenQuestion, int] | None = None
    warning: Warned | None = None
    warning_details: Details = field(default_factory=dict)
    early: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    bump_refused: bool = False
    pending: PendingThrow = NO_PENDING_THROW
    start_throws: tuple[Throw | None, Throw | None] = (None, None)
    faults: tuple[Fault, ...] = ()
    latest: Latest = field(default_factory=Latest)
    past: Past = ()
    clock: Clock | None = None

    def __copy__(self) -> "GameState":
        # Every step makes a copy. The default one goes through pickling and takes twice as long.
        fresh = object.__new__(GameState)
        for name in _FIELDS:
            setattr(fresh, name, getattr(self, name))
        fresh.stage = self.stage.copy()
        return fresh

    @property
    def phase(self) -> Phase:
        return self.stage.phase

    @property
    def side(self) -> Side | None:
        """The side to act, None if the game is won by the rules."""
        if isinstance(self.stage, ThrowingForStart):
            return self.stage.side
        return self.position.turn

    @property
    def still_ms(self) -> int:
        """The time for which the occupancy has stood still."""
        return self.t - self.contacts.last_edge

    def look_when_still_for(self, still_ms: int) -> None:
        """Look at the occupancy again when it has stood still for `still_ms`."""
        self.look_at = self.contacts.last_edge + still_ms

    def look_again(self) -> None:
        """Look at the occupancy as soon as it stands still, if it has not been understood yet."""
        if self.look_at is not None:
            still_at = self.contacts.last_edge + self.settings.timing.still_ms
            self.look_at = min(self.look_at, max(still_at, self.t))

    def is_corrected(self, evidence: Evidence) -> bool:
        """Return whether no more pieces are missing than the open warning asks to put back.

        A piece put since then where it asks for none is no correction, but a move.
        """
        warning, since = self.warning, self.contacts.since
        if warning is None or evidence.missing & ~warning.fix.fill:
            return False
        return all(since[each] <= warning.t for each in each_square(evidence.extra))

    def evidence(self) -> Evidence:
        """Return what the switches have shown since the throw."""
        stage, timing = self.stage, self.settings.timing
        chute, thrown_at = False, 0
        if isinstance(stage, Moving):
            chute, thrown_at = stage.chute, stage.thrown_at
        position, contacts = self.position, self.contacts
        return Evidence(
            contacts,
            position.occupancy,
            self.mask,
            chute,
            thrown_at,
            timing,
            self.fields,
            position,
        )

    def evidence_since(self, played: Played) -> Evidence:
        """Return what the switches have shown of the position before a committed move."""
        before = played.position.occupancy
        return replace(self.evidence(), before=before, thrown_at=played.thrown_at)

    @property
    def is_as_entered(self) -> bool:
        """Whether the occupancy has not changed since a player entered something."""
        return self.entered is not None and self.evidence().fits(self.entered)

    @property
    def dice_roll(self) -> bool:
        """Whether a die of the side to throw rolls."""
        known = (throws.state_of(self.dice, die) for die in self.throwing())
        return any(die.state == "rolling" and not die.lost for die in known)

    @property
    def has_begun_to_throw(self) -> bool:
        """Whether a die of the side to throw rolls, or lies as a part of its throw."""
        known = (throws.state_of(self.dice, die) for die in self.throwing())
        return self.dice_roll or any(die.lies for die in known)

    @property
    def asks_for_move(self) -> bool:
        """Whether a player is asked which move was made."""
        return self.question is not None and self.question.ask == "move"

    @property
    def seeming(self) -> Seeming | None:
        """The move that seems made."""
        return self.stage.seeming if isinstance(self.stage, Moving) else None

    @property
    def chosen(self) -> int:
        """The index of the selected answer to the open question; 0 if none is open."""
        return self.question.chosen if self.question is not None else 0

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible answers to the open question."""
        return self.question.choices if self.question is not None else ()

    def is_engine(self, side: Side | None) -> bool:
        """Return whether the engine decides the moves of a side."""
        return side is not None and is_engine(self.game.seats[side.number])

    def is_remote(self, side: Side | None) -> bool:
        """Return whether a side plays at another table."""
        return side is not None and side is remote_side(self.game.seats)

    def awaits_plan(self, side: Side) -> bool:
        """Return whether a side's moves arrive as facts, and hands here only make them."""
        return self.game.seats[side.number] != "person"

    def may_take_back(self, played: Played) -> bool:
        """Return whether a move may be taken back in this game, as long as no die was thrown.

        In a game with another table only while the turn lasts: after it the other table is the one
        that decides what happens next.
        """
        if self.game.shared is not None and self.position.turn is not played.side:
            return False
        if self.is_remote(played.side):
            return False
        return self.game.takebacks or self.is_engine(played.side)

    @property
    def starter(self) -> Starter:
        """How the side that begins is decided."""
        rules = self.position.rules
        # A game without `start` is one from before there was a choice.
        before = rules.starter_before if self.game.start is None else None
        return before or rules.starter

    @property
    def may_decline(self) -> bool:
        """Whether a person may decline the extra throw of the side to throw."""
        side = self.position.turn
        return self.has_extra_throw and side is not None and not self.awaits_plan(side)

    @property
    def has_extra_throw(self) -> bool:
        """Whether the side to throw has an extra throw that can be declined: no die has moved."""
        side = self.position.turn
        if not self.game.decline or not isinstance(self.stage, Throwing) or not self.past:
            return False
        _, mover, move = self.past[-1]
        is_extra = mover is side and move != PASS.text
        return is_extra and not self.is_remote(mover) and not self.has_begun_to_throw

    def program_throws(self, side: Side | None) -> bool:
        return self.game.engine_throws == "program" and self.is_engine(side)

    def throwing(self) -> tuple[int, ...]:
        """Return the numbers of the dice of the side to throw; none if the program throws."""
        return () if self.program_throws(self.side) else self.dice_of(self.side)

    def dice_of(self, side: Side | None) -> tuple[int, ...]:
        """Return the numbers of the dice that a side throws; none at this table if it is remote."""
        if self.is_remote(side):
            return ()
        if self.game.dice is None or side is None:
            return tuple(range(1, self.position.rules.dice.count + 1))
        return self.game.dice[side.number]

    def all_dice(self) -> tuple[int, ...]:
        """Return the numbers of all dice of the game."""
        if self.game.dice is None and self.game.shared is None:
            return self.dice_of(self.side)
        return self.dice_of(Side.LIGHT) + self.dice_of(Side.DARK)

    def side_of(self, die: int) -> Side:
        """Return the side that throws a die of the game; light if both do."""
        return next(side for side in Side if die in self.dice_of(side))

    def set_of(self, die: int) -> tuple[int, ...]:
        """Return the numbers of the dice that are thrown together with a die of the game."""
        return next(own for side in Side if die in (own := self.dice_of(side)))


_FIELDS: Final = tuple(each.name for each in fields(GameState))
