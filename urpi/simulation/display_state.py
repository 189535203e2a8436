"""What the players at a simulated table read on the OLED, as far as they act on it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision, Passed, Roll, RollRefused, Starts, ThrowForStart
from urpi.rules import Move, Position, Side, Squares, Throw
from urpi.rules.position import position_of

Intent: TypeAlias = tuple[object, ...]
"""What a simulated player would do now: a word, and what it is about. Compared for equality."""

SEEN_BY_PLAYERS: Final = ("by-hand", "cocked", "not-tumbled", "missing-die")
"""Refused throws that the players of Python dice recognize without the OLED.

Players of dice with firmware read all of them from the OLED."""
WAITS_FOR: Final = {Phase.START_THROW: "throw", Phase.THROW: "throw", Phase.MOVE: "move"}


@dataclass(frozen=True, slots=True)
class DisplayState:
    """The state of the display.

    Attributes:
        waits_for: ``throw``, ``move`` or ``answer``; empty if only a correction is possible.
        side: The side that must act, None if it is neither or either.
        position: The position before the throw to play.
        throw: The throw to play.
        dice: The dice still to be thrown.
        fill: Squares that must be filled.
        clear: Squares that must be cleared.
        ask: What the open question asks for; empty if there is none.
        choices: The answers to the open question, the selected one first.
        seems: The move that the board seems to show.
        planned: The move that the engine has chosen.
        thinking: Whether the engine has not chosen yet.
        program_throws: The sides for which the program throws.
    """

    waits_for: str = ""
    side: Side | None = None
    position: Position | None = None
    throw: Throw | None = None
    dice: tuple[int, ...] = ()
    fill: Squares = 0
    clear: Squares = 0
    ask: str = ""
    choices: tuple[str, ...] = ()
    seems: str | None = None
    planned: str | None = None
    thinking: bool = False
    program_throws: frozenset[Side] = frozenset()

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Return what players at the table read of a snapshot."""
        question, chosen = snapshot.question, snapshot.chosen
        choices = snapshot.choices[chosen:] + snapshot.choices[:chosen]
        side = question.side if question is not None else snapshot.side
        return cls(
            "answer" if question is not None else _waits_for(snapshot),
            None if snapshot.phase is Phase.SET_UP else side,
            snapshot.position,
            snapshot.throw,
            # While a throw is in progress, only the dice that have not settled are thrown again.
            snapshot.waiting if snapshot.settled else (),
            snapshot.fill,
            snapshot.clear,
            question.ask if question is not None else "",
            choices if question is not None else (),
            snapshot.seems,
            snapshot.planned,
            snapshot.thinking,
            frozenset(side for side in Side if not snapshot.throws_here(side)),
        )

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw to play; the engine's alone if it has chosen one.

        They stay legal while the display asks which of them was made: it may be none yet.
        """
        if self.position is None or self.throw is None or self.thinking:
            return ()
        legal = self.position.rules.legal_moves(self.position, self.throw)
        return tuple(each for each in legal if self.planned in {None, each.text})

    def after(self, text: str) -> Position | None:
        """Return the position after the legal move with a text, None if there is no such move."""
        for move in self.legal:
            if move.text == text:
                assert self.position is not None
                assert self.throw is not None
                return self.position.rules.play(self.position, self.throw, move)
        return None


@dataclass(slots=True)
class Prompts:
    """What the display shows the players of a whole game, until they act on it.

    Attributes:
        display: The state of the display.
        fill: Squares that must be filled.
        clear: Squares that must be cleared.
        choices: The moves of a question which one was made, the selected one first.
        faces: The throws of a question what a die shows, the selected one first.
        again: The dice because of which the last throw does not count.
        rolled: The faces of the throw that counted since the players last threw, empty if none.
        counted: Whether a throw has counted since the players last threw, also one for the start.
        passed: The position after the last pass and the faces of its throw, None since the players
            last threw.
    """

    display: DisplayState = DisplayState()
    fill: Squares = 0
    clear: Squares = 0
    choices: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    rolled: str = ""
    counted: bool = False
    passed: tuple[Position, str] | None = None

    def read(self, display: DisplayState) -> None:
        self.display, self.fill, self.clear = display, display.fill, display.clear
        self.choices = display.choices if display.ask == "move" else ()
        self.faces = display.choices if display.ask == "faces" else ()

    def read_decisions(self, decisions: Iterable[Decision], seen: Collection[str]) -> None:
        """Read what the display shows of some decisions.

        Args:
            decisions: The decisions.
            seen: The codes of refused throws that the players recognize by themselves.
        """
        for decision in decisions:
            match decision:
                case RollRefused(code=code, dice=dice) if code not in seen:
                    self.again = dice
                case Roll(faces=faces):
                    self.again, self.rolled, self.counted = (), faces, True
                case ThrowForStart() | Starts():
                    self.counted = True
                case Passed() if self.display.position is not None:
                    self.passed = self.display.position, self.rolled

    def begin_throw(self) -> None:
        """Discard what the display showed of the throw before."""
        self.again, self.rolled, self.passed = (), "", None
        self.counted = False

    @property
    def wrong(self) -> Squares:
        """The squares that must be corrected."""
        return self.fill | self.clear

    @property
    def plan(self) -> str | None:
        """The move that the engine has chosen: empty if it has failed, None before that."""
        shown = self.display.throw is not None and not self.display.thinking
        return self.display.planned or "" if shown else None


def _waits_for(snapshot: Snapshot) -> str:
    """Return what a player must do now, empty if the program or another table throws."""
    throwing = snapshot.phase in {Phase.THROW, Phase.START_THROW}
    if throwing and snapshot.side is not None and not snapshot.throws_here(snapshot.side):
        return ""
    return WAITS_FOR.get(snapshot.phase, "")


def without_faces(position: Position) -> Position:
    """Return the position as its pieces look: without the faces that one-faced pieces lack.

    In `murray` a piece on its second visit looks like any other.
    """
    if position.rules.two_faced:
        return position
    board = [pile.upper() for pile in position.board]
    hand, off, turn = position.hand, position.off, position.turn
    return position_of(position.rules, board, hand, off, turn, extra_used=position.extra_used)
