"""The levels of computer players: how strong they are, and how they choose a move.

A weaker level chooses among all legal moves, each with a probability that falls exponentially with
its loss: proportional to exp(-loss / temperature). So it errs where a mistake is plausible, and
rarely gives a game away. The level `best` plays the best move, with a network that of two plies.
"""

from collections.abc import Container, Mapping
from itertools import accumulate
from math import exp
from typing import Final, Literal, TypeAlias, get_args

from urpi.engine.evaluator import Evaluator, MoveValue, deep_move_values, move_values
from urpi.rules import Move, Position, Throw

Level: TypeAlias = Literal["beginner", "easy", "medium", "hard", "best"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""All levels, the weakest first."""

TEMPERATURES: Final[Mapping[str, Mapping[Level, float]]] = {
    "finkel": {"beginner": 0.0927, "easy": 0.0455, "medium": 0.0237, "hard": 0.012},
    "finkel3": {"beginner": 0.079, "easy": 0.0399, "medium": 0.0213, "hard": 0.0101},
    "murray": {"beginner": 0.017, "easy": 0.0124, "medium": 0.0093, "hard": 0.0062},
    "bell": {"beginner": 0.0527, "easy": 0.0287, "medium": 0.0146, "hard": 0.0077},
    "coursework": {"beginner": 0.1023, "easy": 0.0474, "medium": 0.0265, "hard": 0.0124},
    "skiryuk": {"beginner": 0.0447, "easy": 0.0253, "medium": 0.0156, "hard": 0.0065},
    "ravensburger": {"beginner": -0.13, "easy": 0.27, "medium": 0.062, "hard": 0.0275},
    "freecompany": {"beginner": 0.037, "easy": 0.0165, "medium": 0.0075, "hard": 0.001},
    "masters": {"beginner": 0.06, "easy": 0.0295, "medium": 0.0157, "hard": 0.0083},
    "blitz": {"beginner": 0.0798, "easy": 0.0477, "medium": 0.0282, "hard": 0.0171},
}
"""The temperature of each level but `best` by rule set, as a probability to win.

A negative one prefers moves that lose more, up to `LARGEST_LOSS`: in `ravensburger`, where random
moves give much more away, even moves drawn evenly below that limit win 97 % against them.
They belong to the networks, and are found with `python -m tools.train.levels`, so that each level
wins about as often against the next lower one (docs/how-it-works/engine-figures.md).
"""


LARGEST_LOSS: Final = 0.15
"""How much probability to win a level's move may give away; there is always a move that does not.

A beginner errs where a mistake is plausible, but does not throw a game away at once.
"""

UNTRAINED: Final[Mapping[Level, float]] = {
    "beginner": 0.05,
    "easy": 0.02,
    "medium": 0.008,
    "hard": 0.002,
}
"""The temperatures of a rule set without a network, whose values are leads."""


def level_move(  # noqa: PLR0913, PLR0917 - what a player knows
    level: Level,
    evaluator: Evaluator,
    position: Position,
    throw: Throw,
    chance: float,
    seen: Container[Position] = (),
) -> Move:
    """Return the move that a player of a level chooses, or the pass.

    Args:
        level: The level.
        evaluator: Its source of values.
        position: A position that is not over.
        throw: The throw.
        chance: A uniformly distributed random number, 0 <= chance < 1.
        seen: The positions of the game up to now, see `move_values`.
    """
    if level == "best":
        best = deep_move_values if evaluator.kind == "network" else move_values
        return best(evaluator, position, throw, seen)[0].move
    values = move_values(evaluator, position, throw, seen)
    return drawn(values, TEMPERATURES.get(position.rules.id, UNTRAINED)[level], chance)


def drawn(values: list[MoveValue], temperature: float, chance: float) -> Move:
    """Return one of some moves, the best first, by a random number as in `level_move`."""
    best = values[0].value
    values = [each for each in values if best - each.value <= LARGEST_LOSS]
    # Relative to the best value, so that exp() cannot overflow: no loss is above `LARGEST_LOSS`.
    sums = list(accumulate(exp((each.value - best) / temperature) for each in values))
    # `chance` is less than 1, so one of the sums always exceeds this.
    threshold = chance * sums[-1]
    return next(
        each.move for each, reached in zip(values, sums, strict=True) if threshold < reached
    )
