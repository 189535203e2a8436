"""What must hold for reviews: luck and losses add up to the result, and values are consistent."""

from dataclasses import dataclass, field
from random import Random

from tests.engine.review.games import random_game
from urpi.engine.evaluator import Evaluator
from urpi.engine.review import Review, review_record
from urpi.rules import RuleSet


@dataclass(slots=True)
class Found:
    """What reviews of random games have shown.

    Attributes:
        worst: the largest difference of any sum, or of any value one throw ahead.
        throws: the number of throws.
        starts: the values of the starts for light.
        luck: the luck of every throw.
    """

    worst: float = 0.0
    starts: list[float] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)

    @property
    def throws(self) -> int:
        return len(self.luck)


def balance(review: Review) -> float:
    """Return what luck, losses and the game's end leave of the difference from start to result."""
    light, dark = review.totals
    result = review.stop if review.result is None else review.result
    changes = light.luck - light.loss - dark.luck + dark.loss + review.ending
    return result - review.start - changes


def check_reviews(
    evaluator: Evaluator, rules: RuleSet, games: int, seed: int, *, exact: bool = True
) -> Found:
    """Review random games to their end, and check every sum.

    With `exact` values, the value before each throw must also be the solved value, so that the
    expected luck of every throw is 0.
    """
    random, found = Random(seed), Found()
    for _ in range(games):
        review = review_record(random_game(rules, random, 10_000), evaluator)
        assert (review.source, review.ending) == ("exact", 0)
        differences = [balance(review)]
        if exact:
            differences += [each.before - evaluator.value(each.position) for each in review.throws]
        found.worst = max(found.worst, *map(abs, differences))
        found.starts.append(review.start)
        found.luck += [each.luck for each in review.throws]
    return found
