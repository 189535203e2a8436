"""Figures of one game: throws, captures, rosettes and times of each side."""

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from urpi.referee.decisions import (
    UNPLAYED_WINS,
    Abandoned,
    Decision,
    Drawn,
    GameResult,
    Hinted,
    Moved,
    Passed,
    Roll,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.facts import Game
from urpi.rules import SQUARE_NAMES, Side, parse_move, rule_set
from urpi.rules.board import ROSETTES

COUNTED: Final = (
    *("roll", "move", "pass", "takeback", "hinted", "starts", "won", "drawn", "abandoned"),
)
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
        hints: number of hints.
    """

    throws: int = 0
    pips: int = 0
    captures: int = 0
    rosettes: int = 0
    turn_ms: list[int] = field(default_factory=list)
    hints: int = 0


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
        result: how the game ended, None if it has no end.
        lasted_ms: duration from the decision who begins to the last move, None if unknown.
        first: the side that began, None if unknown, as if the game began with another position.
        captured: number of captures on each square.
        resigned: whether a side gave up, lost on time, or was silent and lost by a claim.
    """

    game: int
    light: str
    dark: str
    rules: str
    sides: tuple[SideFigures, SideFigures]
    faces: dict[int, Counter[str]]
    result: GameResult | None
    lasted_ms: int | None
    first: Side | None = None
    captured: Counter[str] = field(default_factory=Counter)
    resigned: bool = False

    @property
    def throws(self) -> int:
        """Number of throws of both sides."""
        return self.sides[0].throws + self.sides[1].throws


class GameCounter:
    """Collects the figures of a game from its decisions.

    Args:
        number: number of the game in its journal.
        game: its `game` fact.
        timed: whether the times are those of the game; by default they are. A record that was
            imported contains none.
    """

    def __init__(self, number: int, game: Game, *, timed: bool = True) -> None:
        self._number, self._game, self._timed = number, game, timed
        self._sides = (SideFigures(), SideFigures())
        self._thrown: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._result: GameResult | None = None
        self._began_t: int | None = None
        self._last_t = self._turn_t = game.t
        self._on_turn: Side | None = None
        self._first: Side | None = None
        self._captured: Counter[str] = Counter()
        self._resigned = False

    def add(self, decision: Decision, *, of_dice: bool) -> None:
        """Count a decision; those of types that are not in `COUNTED` make no difference.

        Args:
            decision: the decision.
            of_dice: whether it follows from a report of a die. A throw entered by a person is no
                evidence about dice.
        """
        match decision:
            case Roll(side=side, faces=faces, value=value):
                self.add_throw(side, faces, value, of_dice=of_dice)
            case Moved(t=t, side=side, move=move):
                self.add_move(t, side, move)
            case Passed(t=t):
                self._last_t = t
            case Hinted(side=side):
                self._sides[side.number].hints += 1
            case TakenBack(side=side, move=move):
                self._count_move(side, move, -1)
            case Starts(t=t):
                self._began_t = self._last_t = self._turn_t = t
            case Won(side=side, code=code):
                self._result = "light" if side is Side.LIGHT else "dark"
                self._resigned = code in UNPLAYED_WINS
            case Drawn():
                self._result = "draw"
            case Abandoned():
                self._result = "abandoned"

    def add_throw(self, side: Side, faces: str, value: int, *, of_dice: bool) -> None:
        """Count a throw; `of_dice` as in `add`."""
        if self._on_turn is None and self._game.position is None:
            self._first = side
        if side is not self._on_turn:
            self._end_turn()
            self._on_turn = side
        figures = self._sides[side.number]
        figures.throws += 1
        figures.pips += value
        if of_dice:
            self._thrown[side.number][faces] += 1

    def add_move(self, t: int, side: Side, move: str) -> None:
        """Count a move that was made at a time in milliseconds."""
        self._count_move(side, move, 1)
        self._last_t = t

    def figures(self) -> GameFigures:
        """The figures, after the last decision."""
        self._end_turn()
        game = self._game
        lasted_ms = self._last_t - (self._last_t if self._began_t is None else self._began_t)
        return GameFigures(
            self._number,
            game.light,
            game.dark,
            rule_set(game.rules, dict(game.options)).text,
            self._sides,
            self._faces(),
            self._result,
            lasted_ms if self._timed else None,
            self._first,
            # Without the squares whose only captures were taken back.
            +self._captured,
            self._resigned,
        )

    def _faces(self) -> dict[int, Counter[str]]:
        """The number of times that each die showed each face."""
        faces: dict[int, Counter[str]] = {}
        for side, thrown in enumerate(self._thrown):
            # Without dice of their own both sides throw the dice from number 1 on.
            numbers = self._game.dice[side] if self._game.dice else range(1, 99)
            for shown, times in thrown.items():
                for die, face in zip(numbers, shown, strict=False):
                    faces.setdefault(die, Counter())[face] += times
        return faces

    def _end_turn(self) -> None:
        """Record the duration of the turn that ended."""
        if self._on_turn is not None and self._timed:
            self._sides[self._on_turn.number].turn_ms.append(self._last_t - self._turn_t)
            self._turn_t = self._last_t

    def _count_move(self, side: Side, text: str, sign: int) -> None:
        figures = self._sides[side.number]
        captures, rosettes = _counts_of(text)
        figures.captures += sign * captures
        figures.rosettes += sign * rosettes
        if captures:
            for square in _captures_of(text):
                self._captured[square] += sign


@lru_cache(maxsize=4096)
def _counts_of(move: str) -> tuple[int, int]:
    """The number of captured pieces and of rosettes on which parts of a move ended."""
    parts = parse_move(move).parts
    captures = sum(stop.captures for part in parts for stop in part.stops)
    return captures, sum(part.target in ROSETTES for part in parts)


@lru_cache(maxsize=4096)
def _captures_of(move: str) -> tuple[str, ...]:
    """The squares on which a move captures."""
    stops = (stop for part in parse_move(move).parts for stop in part.stops)
    return tuple(SQUARE_NAMES[stop.square] for stop in stops if stop.captures)
