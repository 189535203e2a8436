"""The snapshot: everything that a view needs to draw the game as it stands."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from urpi.referee.clock import Clock
from urpi.referee.decisions import (
    Abandoned,
    Coached,
    Decision,
    Drawn,
    Fault,
    Hinted,
    Moved,
    Passed,
    Question,
    Roll,
    TakenBack,
    Warned,
    Won,
)
from urpi.referee.facts import Confidence, Explore
from urpi.referee.seats import (
    NO_COACH,
    PERSONS,
    Coaches,
    EngineThrows,
    Seat,
    Seats,
    SharedGame,
    is_engine,
    place_name,
    remote_side,
)
from urpi.rules import Position, Side, Starter, Throw
from urpi.rules.refusals import Details
from urpi.rules.ruleset import DrawCode

MAX_BROKEN: Final = 2
"""Maximum number of squares that count as broken switches if the players contradict them."""


class Phase(Enum):
    """What the game waits for."""

    NO_GAME = "no-game"
    SET_UP = "set-up"
    """The board does not yet show the position; `Snapshot.fill` and `clear` are the differences."""
    CHOOSE_FIRST = "choose-first"
    START_THROW = "start-throw"
    THROW = "throw"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The game as it stands.

    Attributes:
        phase: What the game waits for.
        position: The position, None without a game.
        light: Name of light's player.
        dark: Name of dark's player.
        side: The side to throw, move, correct the board or answer; None if there is none.
        rolling: The dice of the running throw that roll.
        waiting: The dice of the set that do not count in the running throw yet.
        settled: The faces of those that count, by die.
        refused: The faces of the dice of the newest refused throw, as far as they lie.
        throw: The throw to be played.
        legal: Its legal moves that may be played.
        may_decline: Whether a person may decline the extra throw of the side to throw.
        has_extra_throw: Whether the side to throw, a person or the engine, has one to decline.
        starter: How the side that begins is decided.
        start_throws: Light's and dark's newest throws for the start; both after a tie.
        seems: The move that seems made.
        seems_due: When it is final without a throw or a button, in ms of the game's time.
        seems_won: Whether it wins the game.
        last: The newest RollRefused, Moved, Passed, Starts, TakenBack or Refused.
        warning: The open warning.
        warning_details: The values in its sentence, from which another language's is made.
        question: The open question.
        choices: Its possible answers: moves, faces or sides.
        chosen: The index of the answer selected by the button.
        faults: The broken devices.
        fill: Squares on which a piece must be put to correct the board.
        clear: Squares from which a piece must be removed.
        missing: Squares that have been emptied since the throw, while its move is awaited.
        extra: Squares that have been filled since then.
        outcome: How the game ended.
        rolled: The newest throw that counted.
        acted: The newest move, pass or take-back.
        takeback: The side and the move that it may ask to take back.
        draw: The code of the draw that may be claimed.
        chooser: The side that chooses who begins, where the rule set leaves that to one player.
        seats: Who decides the moves of light and of dark.
        planned: The move that the engine has chosen for the throw, or the other table has made.
        planned_as: How the other table knows the planned move; None if it is the engine's.
        thinking: Whether the engine has not chosen yet, or the other table has not moved.
        hints: Whether the players may ask for hints in this game.
        may_hint: Whether the side to move may ask for a hint.
        hint: The hint that it has asked for.
        engine_throws: What throws for the sides of the engine, dice or the program.
        coach: From which mark on each side's moves are answered with a better one.
        coached: What the coach says of the last move, until the next dice are thrown.
        before: The position before the last move, made or seeming, until the next throw.
        shared: The properties of a game with another table; None in a game of one table.
        explore: What is done of an exploration beside the game; None in a game.
        may_explore: Whether an exploration may begin from the position, if the players agree.
        clock: The game's clocks, None if it has none; that of a side stands while its move seems
            made.
    """

    phase: Phase
    position: Position | None = None
    light: str = ""
    dark: str = ""
    side: Side | None = None
    rolling: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    settled: tuple[tuple[int, str], ...] = ()
    refused: tuple[tuple[int, str], ...] = ()
    throw: Throw | None = None
    legal: tuple[str, ...] = ()
    may_decline: bool = False
    has_extra_throw: bool = False
    starter: Starter | None = None
    start_throws: tuple[Throw | None, Throw | None] = (None, None)
    seems: str | None = None
    seems_due: int | None = None
    seems_won: bool = False
    last: Decision | None = None
    warning: Warned | None = None
    warning_details: Details = field(default_factory=dict, hash=False)
    question: Question | None = None
    choices: tuple[str, ...] = ()
    chosen: int = 0
    faults: tuple[Fault, ...] = ()
    fill: int = 0
    clear: int = 0
    missing: int = 0
    extra: int = 0
    outcome: Won | Drawn | Abandoned | None = None
    rolled: Roll | None = None
    acted: Moved | Passed | TakenBack | None = None
    takeback: tuple[Side, str] | None = None
    draw: DrawCode | None = None
    chooser: Side | None = None
    seats: Seats = PERSONS
    planned: str | None = None
    planned_as: Confidence | None = None
    thinking: bool = False
    hints: bool = True
    may_hint: bool = False
    hint: Hinted | None = None
    engine_throws: EngineThrows = "dice"
    coach: Coaches = NO_COACH
    coached: Coached | None = None
    before: Position | None = None
    shared: SharedGame | None = None
    explore: Explore | None = None
    may_explore: bool = False
    clock: Clock | None = None

    def name(self, side: Side) -> str:
        """Return the name of a side's player, empty if it has none."""
        return (self.light, self.dark)[side.number]

    def at(self, t: int) -> "Snapshot":
        """Return the same with the times that the clocks show at `t`."""
        clock = self.clock
        if clock is None or clock.running is None:
            return self
        return replace(self, clock=clock.run(clock.running, t))

    def program_throws(self, side: Side | None) -> bool:
        return side is not None and self.engine_throws == "program" and is_engine(self.seat(side))

    def throws_here(self, side: Side) -> bool:
        """Return whether a player of this table throws a side's dice."""
        return side is not self.remote and not self.program_throws(side)

    @property
    def place(self) -> str:
        """Where the player at another table is, such as ``Lisbon``; empty without one."""
        return "" if self.shared is None else place_name(self.shared.table)

    @property
    def in_progress(self) -> bool:
        """Whether a game is in progress that an invitation may not replace.

        It is not before its first throw, as tables have such a game from their start.
        """
        has_begun = (self.shared, self.rolled, self.acted) != (None, None, None)
        return has_begun and self.phase not in {Phase.OVER, Phase.NO_GAME}

    @property
    def takeback_to_ask(self) -> tuple[Side, str] | None:
        """The side here and its newest move, if only the other table can still take it back."""
        acted, remote = self.acted, self.remote
        if remote is None or self.phase is not Phase.THROW or not isinstance(acted, Moved):
            return None
        is_mine = acted.side is not remote and self.takeback is None
        return (acted.side, acted.move) if is_mine else None

    @property
    def remote(self) -> Side | None:
        """The side of the player at another table, None in a game of one table."""
        return remote_side(self.seats)

    def seat(self, side: Side) -> Seat:
        """Return who decides the moves of a side."""
        return self.seats[side.number]
