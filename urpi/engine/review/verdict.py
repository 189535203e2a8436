"""What decided a game, as a code with its details."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from urpi.engine.review.review import Review
from urpi.rules import Side

VerdictCode: TypeAlias = Literal[
    "gave-up", "luck", "luck-despite", "moves", "moves-despite", "both", "ahead", "draw", "open"
]
SMALL: Final = 0.05
"""Differences of luck or loss below this probability are not worth a word."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What decided a game.

    Attributes:
        code: ``gave-up``: the loser resigned or lost on time with a fair chance; ``luck`` or
            ``moves``: these decided; ``luck-despite`` or ``moves-despite``: although the loser was
            better in the other; ``both``: the winner was better in both; ``ahead``: in neither by
            much, but was ahead from the start; ``draw``; ``open``: no result.
        side: The winner; the side that is ahead if there is no result, light if equal; None for a
            draw.
        luck: How much more luck this side had, light for a draw.
        loss: How much less this side's moves gave away, light for a draw.
        chance: The probability to win of the side that gave up, or of the side that is ahead; 0,
            the default, with the other codes.
    """

    code: VerdictCode
    side: Side | None
    luck: float
    loss: float
    chance: float = 0.0


def verdict_of(review: Review) -> Verdict:
    """Return what decided a reviewed game."""
    light, dark = review.totals
    luck, loss = light.luck - dark.luck, dark.loss - light.loss
    result = review.result
    if result == 0.5:
        return Verdict("draw", None, luck, loss)
    winner = Side.LIGHT if (review.stop if result is None else result) >= 0.5 else Side.DARK
    stop = review.stop if winner is Side.LIGHT else 1 - review.stop
    if winner is Side.DARK:
        luck, loss = -luck, -loss
    if result is None:
        return Verdict("open", winner, luck, loss, stop)
    if 1 - stop > max(luck, loss, 4 * SMALL):
        return Verdict("gave-up", winner, luck, loss, 1 - stop)
    return Verdict(_code(luck, loss), winner, luck, loss)


def _code(luck: float, loss: float) -> VerdictCode:
    """Return the code for what a winner was better in."""
    if max(luck, loss) < SMALL:
        return "ahead"
    if min(luck, loss) >= max(luck, loss) / 2:
        return "both"
    if luck > loss:
        return "luck-despite" if loss <= -SMALL else "luck"
    return "moves-despite" if luck <= -SMALL else "moves"
