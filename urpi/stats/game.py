"""Figures of one game: throws, captures, rosettes and times of each side."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Moved,
    Passed,
    Roll,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.facts import Game
from urpi.rules import Side, parse_move, rule_set
from urpi.rules.board import ROSETTES

COUNTED: Final = ("roll", "move", "pass", "takeback", "starts", "won", "drawn", "abandoned")
"""Types of the decisions that are evaluated."""


@dataclass(slots=True)
class SideFigures:
    """Figures of one side. Moves that were taken back do not count.

    Attributes:
        throws: number of throws.
        pips: sum of the values of the throws.
        captures: number of captured pieces.
        rosettes: number of moves that ended on a rosette.
        turn_ms: durations of the turns, from the other side's last move to the own last one.
    """

    throws: int = 0
    pips: int = 0
    captures: int = 0
    rosettes: int = 0
    turn_ms: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GameFigures:
    """Figures of one game.

    Attributes:
        game: number of the game in its journal.
        light: name of light's player.
        dark: name of dark's player.
        rules: rule set with its options, as in a record.
        sides: figures of light and dark.
        faces: number of times that each die showed each face, by the number of the die. Throws
            entered by a person are not included.
        result: light, dark, draw or abandoned; None if there is no result.
        lasted_ms: duration from the decision who begins to the last move.
    """

    game: int
    light: str
    dark: str
    rules: str
    sides: tuple[SideFigures, SideFigures]
    faces: dict[int, Counter[str]]
    result: str | None
    lasted_ms: int

    @property
    def throws(self) -> int:
        """Number of throws of both sides."""
        return self.sides[0].throws + self.sides[1].throws


class _Counter:
    """Collects the figures of a game from its decisions."""

    def __init__(self, game: Game) -> None:
        self.rules = rule_set(game.rules, dict(game.options))
        self._own_dice = game.dice
        self.sides = (SideFigures(), SideFigures())
        self._thrown: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.result: str | None = None
        self.began_t: int | None = None
        self.last_t = self._turn_t = game.t
        self._on_turn: Side | None = None

    def add(self, decision: Decision, *, of_dice: bool) -> None:
        match decision:
            case Roll():
                self._roll(decision, of_dice=of_dice)
            case Moved(side=side, move=move):
                self._move(side, move, 1)
                self.last_t = decision.t
            case Passed():
                self.last_t = decision.t
            case TakenBack(side=side, move=move):
                self._move(side, move, -1)
            case Starts():
                self.began_t = self.last_t = self._turn_t = decision.t
            case Won(side=side):
                self.result = side.value
            case Drawn():
                self.result = "draw"
            case Abandoned():
                self.result = "abandoned"

    def _roll(self, roll: Roll, *, of_dice: bool) -> None:
        if roll.side is not self._on_turn:
            self.end_turn()
            self._on_turn = roll.side
        figures = self.sides[roll.side.number]
        figures.throws += 1
        figures.pips += roll.value
        if of_dice:
            self._thrown[roll.side.number][roll.faces] += 1

    def faces(self) -> dict[int, Counter[str]]:
        """Return the number of times that each die showed each face."""
        faces: dict[int, Counter[str]] = {}
        for side, thrown in enumerate(self._thrown):
            # Without dice of their own both sides throw the dice from number 1 on.
            numbers = self._own_dice[side] if self._own_dice else range(1, 99)
            for shown, times in thrown.items():
                for die, face in zip(numbers, shown, strict=False):
                    faces.setdefault(die, Counter())[face] += times
        return faces

    def end_turn(self) -> None:
        """Record the duration of the turn that ended."""
        if self._on_turn is not None:
            self.sides[self._on_turn.number].turn_ms.append(self.last_t - self._turn_t)
            self._turn_t = self.last_t

    def _move(self, side: Side, text: str, sign: int) -> None:
        figures = self.sides[side.number]
        captures, rosettes = _counts_of(text)
        figures.captures += sign * captures
        figures.rosettes += sign * rosettes


@lru_cache(maxsize=4096)
def _counts_of(move: str) -> tuple[int, int]:
    """Return the number of captured pieces and of rosettes on which parts of a move ended."""
    parts = parse_move(move).parts
    captures = sum(stop.captures for part in parts for stop in part.stops)
    return captures, sum(part.target in ROSETTES for part in parts)


def figures_of(number: int, game: Game, decisions: Iterable[tuple[Decision, bool]]) -> GameFigures:
    """Return the figures of a game.

    Args:
        number: number of the game in its journal.
        game: its `game` fact.
        decisions: its decisions, at least those of the types in `COUNTED`, each with whether it
            follows from a report of a die. A throw entered by a person is no evidence about dice.
    """
    counter = _Counter(game)
    for decision, of_dice in decisions:
        counter.add(decision, of_dice=of_dice)
    counter.end_turn()
    began = counter.last_t if counter.began_t is None else counter.began_t
    return GameFigures(
        number,
        game.light,
        game.dark,
        counter.rules.text,
        counter.sides,
        counter.faces(),
        counter.result,
        counter.last_t - began,
    )
