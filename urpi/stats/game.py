"""One game's figures: what each side threw, took, landed on, and how long it thought."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
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
"""The types of the decisions that are looked at."""


@dataclass(slots=True)
class SideFigures:
    """One side of a game. `turn_ms` are its turns' times, from the other side's last move on.

    `captures` counts enemy pieces that were landed on, `rosettes` landings on one of the five;
    what was taken back counts no more.
    """

    throws: int = 0
    pips: int = 0
    captures: int = 0
    rosettes: int = 0
    turn_ms: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One game. `result` is light, dark, draw, abandoned, or None while it has none.
    `rules` is the RULES word, with the options.

    `faces` are how often each die showed what, by its number, throws that a person entered
    left out. `lasted_ms` is from who begins to the last move.
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
        """Throws of both sides."""
        return self.sides[0].throws + self.sides[1].throws


class _Count:
    """Counts one game, decision by decision."""

    def __init__(self, game: Game) -> None:
        self.rules = rule_set(game.rules, dict(game.options))
        self._own_dice = game.dice
        self.sides = (SideFigures(), SideFigures())
        self.faces: dict[int, Counter[str]] = {}
        self.result: str | None = None
        self.began_t: int | None = None
        self.last_t = self._turn_t = game.t
        self._on_turn: Side | None = None

    def take(self, decision: Decision, *, of_dice: bool) -> None:
        match decision:
            case Starts():
                self.began_t = self.last_t = self._turn_t = decision.t
            case Roll():
                self._roll(decision, of_dice=of_dice)
            case Moved(side=side, move=move):
                self._move(side, move, 1)
                self.last_t = decision.t
            case TakenBack(side=side, move=move):
                self._move(side, move, -1)
            case Passed():
                self.last_t = decision.t
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
            numbers = self._own_dice[roll.side.number] if self._own_dice else range(1, 99)
            for die, face in zip(numbers, roll.faces, strict=False):
                self.faces.setdefault(die, Counter())[face] += 1

    def end_turn(self) -> None:
        """Note how long the turn took that is over."""
        if self._on_turn is not None:
            self.sides[self._on_turn.number].turn_ms.append(self.last_t - self._turn_t)
            self._turn_t = self.last_t

    def _move(self, side: Side, text: str, sign: int) -> None:
        figures = self.sides[side.number]
        for part in parse_move(text).parts:
            figures.captures += sign * sum(stop.captures for stop in part.stops)
            figures.rosettes += sign * (part.target in ROSETTES)


def figures_of(number: int, game: Game, decisions: Iterable[tuple[Decision, bool]]) -> GameFigures:
    """The figures of a game.

    Args:
        number: the game's, in its journal.
        game: its `game` fact.
        decisions: those of the types `COUNTED` at least, each with whether the fact that made
            it due was a die's: a throw that a person entered says nothing of the dice.
    """
    count = _Count(game)
    for decision, of_dice in decisions:
        count.take(decision, of_dice=of_dice)
    count.end_turn()
    began = count.last_t if count.began_t is None else count.began_t
    return GameFigures(
        number,
        game.light,
        game.dark,
        count.rules.text,
        count.sides,
        count.faces,
        count.result,
        count.last_t - began,
    )
