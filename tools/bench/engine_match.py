"""Matches between computer players with duplicate dice, and what they show of their strength.

A *pair* of games has the same throws, and the players swap sides between them. So luck mostly
cancels out, and the score of a pair is one sample. With exact values it cancels out completely: the
value of the position changes by luck, which is fair, and by the loss of each move. The difference
of both players' losses estimates the same score, with far smaller an interval.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, quantiles, stdev
from typing import TypeAlias

from urpi.engine.evaluator import Evaluator, move_values
from urpi.rules import PASS, Move, Position, RuleSet, Side, Throw
from urpi.simulation import Player as SimulatedPlayer

Player: TypeAlias = Callable[[Random, Position, Throw, tuple[Move, ...], Container[Position]], Move]
"""Chooses one of two or more moves; the last argument has the game's earlier positions."""

NORMAL_95 = 1.96
"""Standard deviations of the normal distribution on each side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with the half width of its 95 % interval, which is infinite for one sample."""

    mean: float
    margin: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Estimate":
        """Return the estimate from at least one independent sample."""
        spread = stdev(samples) if len(samples) > 1 else float("inf")
        return cls(fmean(samples), NORMAL_95 * spread / sqrt(len(samples)))


@dataclass(slots=True)
class MatchResults:
    """The results of a match, from the view of its first player.

    Attributes:
        scores: The mean score of each pair of games, 0 to 1; a game without a winner counts half.
        adjusted: The same, estimated from the losses of both players; empty without exact values.
        losses: The first player's loss in each decision, likewise.
        seconds: The duration of each of its decisions: throws with more than one legal move.
        throws: The number of throws of all games.
        capped: The number of games that were stopped.
    """

    scores: list[float] = field(default_factory=list)
    adjusted: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    throws: int = 0
    capped: int = 0

    def row(self) -> dict[str, object]:
        """Return the figures as a JSON object; probabilities as fractions, times in ms."""
        score = Estimate.of(self.scores)
        row: dict[str, object] = {
            "pairs": len(self.scores),
            "score": round(score.mean, 5),
            "margin": _rounded(score.margin),
        }
        if self.adjusted:
            adjusted = Estimate.of(self.adjusted)
            row |= {
                "adjusted": round(adjusted.mean, 6),
                "adjusted_margin": _rounded(adjusted.margin),
            }
        if self.losses:
            row["mean_loss"] = round(fmean(self.losses), 7)
        if len(self.seconds) > 1:
            percentiles = quantiles(self.seconds, n=100, method="inclusive")
            row["decision_ms"] = {
                "median": round(1000 * percentiles[49], 3),
                "p99": round(1000 * percentiles[98], 3),
            }
        return row | {
            "decisions": len(self.seconds),
            "throws": self.throws,
            "capped": self.capped,
        }


def _rounded(margin: float) -> float | None:
    return round(margin, 6) if margin < 1 else None


@dataclass(frozen=True)
class MatchSetup:
    """What the players play on.

    Attributes:
        rules: The rule set.
        judge: Exact values, None if there are none.
        clock: Returns a time in seconds, such as that of the processor.
        max_throws: Throws after which a game is stopped.
    """

    rules: RuleSet
    judge: Evaluator | None
    clock: Callable[[], float]
    max_throws: int


def simulated(player: SimulatedPlayer) -> Player:
    """Return one of the simulated players as a player of a match."""

    def choose(
        rng: Random,
        position: Position,
        throw: Throw,
        legal: tuple[Move, ...],
        _seen: Container[Position],
    ) -> Move:
        return player(rng, position, throw, legal)

    return choose


def play_pair(
    table: MatchSetup, one: Player, other: Player, seed: str, match: MatchResults
) -> None:
    """Play a pair of games, and add its results to the match."""
    score = gained = 0.0
    for side in Side:
        both = {side: one, side.other: other}
        points, advantage = _play(table, both, side, seed, match)
        score += points / 2
        gained += advantage / 2
    match.scores.append(score)
    if table.judge is not None:
        match.adjusted.append(0.5 + gained)


def _play(
    table: MatchSetup, both: dict[Side, Player], one: Side, seed: str, match: MatchResults
) -> tuple[float, float]:
    """Play a game, and return the first player's score and the difference of the losses."""
    dice = Random(f"{seed} dice")  # noqa: S311 - a game that can be repeated
    choices = {side: Random(f"{seed} {side.value}") for side in Side}  # noqa: S311 - likewise
    rules, advantage = table.rules, 0.0
    seen: set[Position] = set()
    position = rules.start(Side.LIGHT if dice.random() < 0.5 else Side.DARK)
    for _ in range(table.max_throws):
        side = position.turn
        if side is None:
            winner = rules.winner(position)
            return (0.5 if winner is None else float(winner is one)), advantage
        match.throws += 1
        throw = rules.dice.roll(dice.random())
        legal = rules.legal_moves(position, throw)
        move = legal[0] if legal else PASS
        if len(legal) > 1:
            begun = table.clock()
            move = both[side](choices[side], position, throw, legal, seen)
            taken = table.clock() - begun
            loss = _loss(table.judge, position, throw, move)
            advantage += -loss if side is one else loss
            if side is one:
                match.seconds.append(taken)
                if table.judge is not None:
                    match.losses.append(loss)
        if rules.draws:
            seen.add(position)
        position = rules.play(position, throw, move)
    match.capped += 1
    return 0.5, advantage


def _loss(judge: Evaluator | None, position: Position, throw: Throw, move: Move) -> float:
    if judge is None:
        return 0.0
    values = move_values(judge, position, throw)
    return values[0].value - next(each.value for each in values if each.move == move)
