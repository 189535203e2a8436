"""The review of a game: its values throw by throw, and what follows from them.

All values are probabilities to win, a draw counting one half. They come from one function of
positions, so that result - start = luck - loss holds for every game up to rounding in floating
point, whatever evaluator is used: the luck of a throw is the value of its best move minus the value
before the throw, and the loss of a move is the value of the best move minus that of the position it
leads to, which is the value before the next throw.

The function is the evaluator's one throw ahead (`urpi.engine.evaluator.Lookahead`). For exact
values this changes nothing, it averages the rounding of tables, and it lets an estimating
evaluator see the next throw. The expected luck of a throw is 0 for exact values. For tables it is
0 up to their rounding, 1/65,535, and for networks up to how much they contradict themselves.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

from urpi.engine.evaluator import Evaluator, MoveValue, value_for
from urpi.engine.review.marks import (
    LuckMark,
    Mistake,
    MistakeMark,
    luck_mark,
    mistake_mark,
    mistake_of,
)
from urpi.engine.review.values import ReviewValues
from urpi.rules import Move, Position, RuleSet, Side, Throw, parse_move
from urpi.rules.record import GameRecord, Thrown, check_record, first_position

Source: TypeAlias = Literal["exact", "estimated"]
"""Where values come from: from the solved game, or from a network."""

MAX_CHOICES: Final = 12
"""Maximum number of legal moves of a throw whose values are all kept."""
RESULTS: Final = {"light": 1.0, "dark": 0.0, "draw": 0.5}


@dataclass(frozen=True, slots=True)
class ReviewedThrow:
    """A throw and the move that was played with it; values are those of the side that threw.

    Attributes:
        turn: The number of the turn in the record, from 1.
        side: The side that threw.
        throw: The throw.
        position: The position before the throw.
        legal: The number of legal moves.
        before: The value before the throw.
        best: The best move, or the pass.
        best_value: The value after the best move.
        played: The move that was played, None if the game was stopped before one.
        after: The value after the move that was played, and after its extra throw was declined, if
            it was; the best one's if none was played.
        mistake: What kind of mistake the move is, None if its loss has no mark.
        choices: Every legal move with its value, best first, if a better move was missed and there
            are at most `MAX_CHOICES`; else empty.
    """

    turn: int
    side: Side
    throw: Throw
    position: Position
    legal: int
    before: float
    best: Move
    best_value: float
    played: Move | None
    after: float
    mistake: Mistake | None
    choices: tuple[MoveValue, ...] = ()

    @property
    def luck(self) -> float:
        """How much the throw raised the probability to win, -1 to 1."""
        return self.best_value - self.before

    @property
    def loss(self) -> float:
        """How much probability to win the move gave away, 0 to 1."""
        return self.best_value - self.after

    @property
    def unforced(self) -> bool:
        """Whether the side played one of several legal moves, or erred about an extra throw."""
        return self.played is not None and (self.legal > 1 or self.loss > 0)

    @property
    def luck_mark(self) -> LuckMark | None:
        """The mark of the throw, None for an ordinary one."""
        return luck_mark(self.luck)

    @property
    def mistake_mark(self) -> MistakeMark | None:
        """The mark of the move, None for a good one."""
        return mistake_mark(self.loss)


@dataclass(frozen=True, slots=True)
class SideTotals:
    """The sums of a side's throws and moves.

    Attributes:
        throws: The number of throws.
        decisions: The number of unforced decisions: throws with several legal moves.
        luck: The sum of the luck of all throws.
        loss: The sum of the losses of all moves.
        marks: The number of moves with each mark.
        mistakes: The loss of the marked moves by the kind of mistake.
        mistake_counts: The number of the marked moves by the kind of mistake.
    """

    throws: int
    decisions: int
    luck: float
    loss: float
    marks: dict[MistakeMark, int]
    mistakes: dict[Mistake, float]
    mistake_counts: dict[Mistake, int]

    @property
    def errors(self) -> int:
        """The number of moves with a mark."""
        return sum(self.marks.values())

    @property
    def errors_per_100(self) -> float | None:
        """The number of marked moves per 100 unforced decisions, None without any decision."""
        return 100 * self.errors / self.decisions if self.decisions else None

    @property
    def loss_per_decision(self) -> float | None:
        """The average loss of an unforced decision, None without any."""
        return self.loss / self.decisions if self.decisions else None


@dataclass(frozen=True)
class Review:
    """A reviewed game; values of the whole game are light's.

    Attributes:
        rules: The rule set.
        source: Whether the values are exact or estimated.
        throws: The throws in their order, without moves that were taken back.
        start: The value before the first throw.
        stop: The value after the last move.
        result: 1 if light won, 0 if dark did, 0.5 for a draw, None if there is no result.
    """

    rules: RuleSet
    source: Source
    throws: tuple[ReviewedThrow, ...]
    start: float
    stop: float
    result: float | None

    @property
    def ending(self) -> float:
        """What light gained by the game's end: by a resignation or a draw, before the last move.

        0 if the game was played to its end, or has no result.
        """
        return 0.0 if self.result is None else self.result - self.stop

    @cached_property
    def totals(self) -> tuple[SideTotals, SideTotals]:
        """The totals of light and dark."""
        light, dark = (_totals(self.throws, side) for side in Side)
        return light, dark

    @property
    def luck_adjusted(self) -> float | None:
        """The result for light minus its luck plus dark's: what the moves alone would have made.

        None if there is no result. It may be outside of 0 to 1.
        """
        light, dark = self.totals
        return None if self.result is None else self.result - light.luck + dark.luck

    @property
    def turning_point(self) -> ReviewedThrow | None:
        """The throw that changed the values most, together with its move; None without throws."""
        return max(self.throws, key=lambda each: abs(each.after - each.before), default=None)


def review_record(
    record: GameRecord, evaluator: Evaluator, progress: Callable[[int], None] = lambda _: None
) -> Review:
    """Review a game.

    Moves that were taken back do not count. A throw without a legal move is luck only.

    Args:
        record: The game.
        evaluator: The source of values, for the rule set of the game.
        progress: Called with the number of throws that are reviewed, after each; by default nothing
            is reported.

    Raises:
        UrpiError: As `urpi.rules.record.check_record`, or if a value cannot be read.
    """
    check_record(record)
    values = _Values(evaluator)
    position = first_position(record)
    start = values.of(position, Side.LIGHT)
    throws: list[ReviewedThrow] = []
    every = list(_throws_of(record))
    for number, (turn, side, thrown, text) in enumerate(every, 1):
        throw = position.rules.dice.throw(thrown.faces)
        played = None if text is None else parse_move(text)
        before = position
        if played is not None:
            position = position.rules.play(position, throw, played)
        if thrown.declined:
            position = position.rules.decline(position)
        # After the last throw of a game that was stopped, nobody has decided about an extra one.
        went_on = thrown.declined or number < len(every)
        throws.append(
            values.review(turn, side, throw, before, played, position if went_on else None)
        )
        progress(len(throws))
    result = RESULTS.get(record.tag("Result") or "*")
    if position.turn is None:
        result = value_for(evaluator, position, Side.LIGHT)
    return Review(
        rules=position.rules,
        source="exact" if evaluator.kind == "exact" else "estimated",
        throws=tuple(throws),
        start=start,
        stop=_stop(throws, start),
        result=result,
    )


def best_and_loss(
    evaluator: Evaluator, position: Position, throw: Throw, played: Move
) -> tuple[Move, float]:
    """Return the best move and how much probability to win the played one gives away.

    They are the same as in a review of the game.
    """
    moves = ReviewValues(evaluator).moves(position, throw, played)
    best = max(moves, key=lambda each: each.value)
    return best.move, best.value - next(each.value for each in moves if each.move == played)


def _throws_of(record: GameRecord) -> Iterator[tuple[int, Side, Thrown, str | None]]:
    """Yield the turn, side and standing move of each throw."""
    for number, turn in enumerate(record.turns, 1):
        for thrown in turn.throws:
            standing = [play.move for play in thrown.plays if not play.taken_back]
            yield number, turn.side, thrown, standing[-1] if standing else None


def _stop(throws: list[ReviewedThrow], start: float) -> float:
    if not throws:
        return start
    last = throws[-1]
    return last.after if last.side is Side.LIGHT else 1 - last.after


class _Values(ReviewValues):
    """The values of a game, and the review of its throws."""

    def review(  # noqa: PLR0913, PLR0917 - what is known of a throw
        self,
        turn: int,
        side: Side,
        throw: Throw,
        position: Position,
        played: Move | None,
        went_on: Position | None,
    ) -> ReviewedThrow:
        """Return the review of a throw and of the move that was played with it.

        `went_on` is the position from which the game went on, after the move and after an extra
        throw was declined, if it was; None if it did not.
        """
        rules = position.rules
        before, legal = self.of(position, side), len(rules.legal_moves(position, throw))
        moves = self.moves(position, throw, played)
        best = max(moves, key=lambda each: each.value)
        after = next((each.value for each in moves if each.move == played), best.value)
        if played is not None and went_on is not None:
            after = self.of(went_on, side)
        marked = played is not None and mistake_mark(best.value - after) is not None
        kind: Mistake | None = None
        if marked and played == best.move:
            # The move is the best one: its extra throw was declined, or made, against the values.
            kind = "other" if went_on and went_on.turn is side else "no-extra-throw"
        elif marked and played:
            kind = mistake_of(position, throw, played, best.move)
        missed = marked and played != best.move and legal <= MAX_CHOICES
        return ReviewedThrow(
            turn=turn,
            side=side,
            throw=throw,
            position=position,
            legal=legal,
            before=before,
            best=best.move,
            best_value=best.value,
            played=played,
            after=after,
            mistake=kind,
            choices=tuple(self.all_moves(position, throw, played)) if missed else (),
        )


def _totals(throws: tuple[ReviewedThrow, ...], side: Side) -> SideTotals:
    own = [each for each in throws if each.side is side]
    marks: Counter[MistakeMark] = Counter()
    losses: dict[Mistake, float] = {}
    counts: Counter[Mistake] = Counter()
    for each in own:
        if each.mistake_mark is not None and each.mistake is not None:
            marks[each.mistake_mark] += 1
            losses[each.mistake] = losses.get(each.mistake, 0.0) + each.loss
            counts[each.mistake] += 1
    return SideTotals(
        throws=len(own),
        decisions=sum(each.unforced for each in own),
        luck=sum(each.luck for each in own),
        loss=sum(each.loss for each in own),
        marks=dict(marks),
        mistakes=losses,
        mistake_counts=dict(counts),
    )
